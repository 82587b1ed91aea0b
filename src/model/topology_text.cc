#include "model/topology_text.h"

#include <algorithm>
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
      if (what == "cpus")
        topology.cpus = std::move(cpus);
      else if (what == "core")
        topology.cores.push_back(std::move(cpus));
      else if (what == "socket")
        topology.sockets.push_back(std::move(cpus));
      else if (what == "memory")
        topology.numa_nodes.push_back(std::move(cpus));
    }
  }
  if (!ended || topology.cpus.size() == 0) return {};
  sort_sets(&topology.cores);
  sort_sets(&topology.sockets);
  topology.numa_nodes = disjoint_sets(std::move(topology.numa_nodes));
  topology.id = topology_id(topology);
  return topology;
}

}  // namespace poprt
