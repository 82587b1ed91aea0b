#include "model/topology_text.h"

#include <algorithm>
#include <charconv>
#include <tuple>
#include <utility>
#include <vector>

namespace poprt {
namespace {

// Cuts off what is before the mark, and the mark.
std::string_view take(std::string_view* text, char mark) {
  const size_t end = text->find(mark);
  const std::string_view part = text->substr(0, end);
  text->remove_prefix(end == std::string_view::npos ? text->size() : end + 1);
  return part;
}

int64_t take_number(std::string_view* line) {
  const std::string_view text = take(line, '\t');
  int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

void sort_sets(std::vector<CpuSet>* sets) {
  std::sort(sets->begin(), sets->end(), [](const CpuSet& a, const CpuSet& b) {
    return a.first() < b.first();
  });
}

// Of several kinds of memory at the same processors one counts, and none that
// is further away: with all processors of the host as its nearest ones.
std::vector<CpuSet> disjoint_sets(std::vector<CpuSet> sets) {
  std::sort(sets.begin(), sets.end(), [](const CpuSet& a, const CpuSet& b) {
    return a.size() < b.size();
  });
  std::vector<CpuSet> taken;
  CpuSet all;
  for (CpuSet& set : sets) {
    if (set.size() == 0 || set.meets(all)) continue;
    all.add(set);
    taken.push_back(std::move(set));
  }
  sort_sets(&taken);
  return taken;
}

bool is_before(const MemoryNode& a, const MemoryNode& b) {
  return a.node < b.node;
}
bool is_before(const SharedCaches& a, const SharedCaches& b) {
  return std::pair(a.level, a.bytes) < std::pair(b.level, b.bytes);
}
bool is_before(const CoreKind& a, const CoreKind& b) {
  return std::tuple(a.efficiency, a.cpus.first(), a.name) <
         std::tuple(b.efficiency, b.cpus.first(), b.name);
}

template <class Item>
void sort_items(std::vector<Item>* items) {
  std::sort(items->begin(), items->end(),
            [](const Item& a, const Item& b) { return is_before(a, b); });
}

void add_cache(CpuSet cpus, int64_t level, int64_t bytes, Topology* topology) {
  for (SharedCaches& each : topology->caches) {
    if (each.level != level || each.bytes != bytes) continue;
    each.shared.push_back(std::move(cpus));
    return;
  }
  topology->caches.push_back({level, bytes, {std::move(cpus)}});
}

// What says no more than the rest does.
void leave_out_plain_parts(Topology* topology) {
  if (topology->dies.size() <= topology->sockets.size()) topology->dies.clear();
  if (topology->core_kinds.size() < 2) topology->core_kinds.clear();
  const auto is_of_one_core = [&](const CpuSet& cpus) {
    return std::any_of(
        topology->cores.begin(), topology->cores.end(),
        [&](const CpuSet& core) { return cpus.without(core).size() == 0; });
  };
  for (SharedCaches& each : topology->caches) {
    std::erase_if(each.shared, is_of_one_core);
  }
  std::erase_if(topology->caches,
                [](const SharedCaches& each) { return each.shared.empty(); });
}

}  // namespace

Topology parse_topology(std::string_view text) {
  Topology topology;
  bool ended = false;
  while (!text.empty() && !ended) {
    std::string_view line = take(&text, '\n');
    const std::string_view what = take(&line, '\t');
    const std::string_view first = take(&line, '\t');
    if (what == "end") {
      ended = true;
    } else if (what == "model") {
      topology.cpu_model = first;
    } else {
      CpuSet cpus;
      if (!parse_cpu_set(first, &cpus)) return {};
      if (what == "memory") {
        topology.numa_nodes.push_back(cpus);
        const int64_t node = take_number(&line);
        const int64_t bytes = take_number(&line);
        topology.memory.push_back(
            {node, std::string(line), bytes, std::move(cpus)});
      } else if (what == "cache") {
        const int64_t level = take_number(&line);
        add_cache(std::move(cpus), level, take_number(&line), &topology);
      } else if (what == "kind") {
        const int64_t efficiency = take_number(&line);
        topology.core_kinds.push_back(
            {std::string(line), efficiency, std::move(cpus)});
      } else if (what == "cpus") {
        topology.cpus = std::move(cpus);
      } else {
        std::vector<CpuSet>* const parts = what == "core" ? &topology.cores
                                           : what == "socket"
                                               ? &topology.sockets
                                           : what == "die" ? &topology.dies
                                                           : nullptr;
        if (parts != nullptr) parts->push_back(std::move(cpus));
      }
    }
  }
  if (!ended || topology.cpus.size() == 0) return {};
  sort_sets(&topology.cores);
  sort_sets(&topology.sockets);
  topology.numa_nodes = disjoint_sets(std::move(topology.numa_nodes));
  sort_sets(&topology.dies);
  sort_items(&topology.memory);
  leave_out_plain_parts(&topology);
  for (SharedCaches& each : topology.caches) sort_sets(&each.shared);
  sort_items(&topology.caches);
  sort_items(&topology.core_kinds);
  topology.id = topology_id(topology);
  return topology;
}

}  // namespace poprt
