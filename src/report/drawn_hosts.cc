#include "report/drawn_hosts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "document/format.h"
#include "report/host_parts.h"

namespace poprt {
namespace {

constexpr size_t kHostsListed = 4;
constexpr size_t kRanksInBox = 2;

using PlacesHere = std::vector<const ProcessPlace*>;

// "r0 x4": the ranks, with their threads if there are several.
std::string ranks_on(const CpuSet& core, const PlacesHere& places) {
  std::string ranks;
  size_t count = 0;
  for (const ProcessPlace* place : places) {
    if (!place->cpus.meets(core) || ++count > kRanksInBox) continue;
    ranks += fmt::format("{}r{}", count == 1 ? "" : ",", place->rank);
    if (place->threads > 1) ranks += fmt::format(" x{}", place->threads);
  }
  return count > kRanksInBox ? fmt::format("{} ranks", count) : ranks;
}

// The number of the cache that the core shares with others.
size_t cache_of(const SharedCaches* caches, const CpuSet& core) {
  if (caches == nullptr) return 0;
  size_t i = 0;
  while (i < caches->shared.size() && !caches->shared[i].meets(core)) ++i;
  return i;
}

// How a kind of cores is drawn; the fastest ones, and those that are all there
// are, without a mark.
std::string mark_of(const std::string& kind) {
  if (kind == "performance") return "";
  return kind == "efficiency" || kind == "middle" ? kind.substr(0, 1) : kind;
}

// "[0-3 r0 x4] | [4 r1] [5]": the cores of a part of a host, by the numbers of
// their processors; those that are alike are in one box.
std::string boxes(const Topology& topology, const HostShare& host,
                  const CpuSet& part, const PlacesHere& places) {
  struct Box {
    size_t cache = 0;
    std::string says;
    CpuSet cores;
  };
  std::vector<Box> list;
  const SharedCaches* const caches = last_caches(topology);
  for (const CpuSet& core : topology.cores) {
    if (!core.meets(part)) continue;
    const bool is_allotted =
        host.allotted.size() == 0 || core.meets(host.allotted);
    std::string says = is_allotted ? ranks_on(core, places) : "-";
    if (const std::string mark = mark_of(core_kind(topology, core));
        !mark.empty()) {
      says += (says.empty() ? "" : " ") + mark;
    }
    const size_t cache = cache_of(caches, core);
    if (list.empty() || list.back().cache != cache ||
        list.back().says != says) {
      list.push_back({cache, std::move(says), {}});
    }
    list.back().cores.add(core);
  }
  std::string text;
  for (size_t i = 0; i < list.size(); ++i) {
    const Box& box = list[i];
    if (i > 0) text += box.cache == list[i - 1].cache ? " " : " | ";
    text += fmt::format("[{}{}{}]", cpu_list(box.cores),
                        box.says.empty() ? "" : " ", box.says);
  }
  return text;
}

// "HBM 16 GiB".
std::string memory_text(const MemoryNode& memory) {
  const std::string size = memory_in_words(memory.bytes);
  return printable(memory.kind) +
         (size.empty() || memory.kind.empty() ? "" : " ") + size;
}

// "DRAM 64 GiB, HBM 16 GiB": the memory near these processors.
std::string memory_of(const Topology& topology, const CpuSet& cpus) {
  std::vector<std::string> list;
  for (const MemoryNode& each : topology.memory) {
    std::string text = memory_text(each);
    if (!text.empty() && each.cpus == cpus) list.push_back(std::move(text));
  }
  return some_of(list, list.size());
}

struct Part {
  std::string name;
  CpuSet cpus;
  std::string memory;
};

// Cuts each part into what it has in common with these, named name_of(i): a
// NUMA node may be larger than a socket, or the other way round.
template <class NameOf>
std::vector<Part> divided(const std::vector<Part>& parts,
                          const std::vector<CpuSet>& sets, NameOf name_of,
                          const Topology& topology) {
  std::vector<Part> result;
  for (const Part& part : parts) {
    bool is_divided = false;
    for (size_t i = 0; i < sets.size(); ++i) {
      CpuSet common = sets[i].without(sets[i].without(part.cpus));
      if (common.size() == 0) continue;
      is_divided = true;
      result.push_back({part.name + name_of(i), std::move(common),
                        memory_of(topology, sets[i])});
    }
    if (!is_divided) result.push_back(part);
  }
  return result;
}

std::vector<Part> parts_of(const Topology& topology) {
  std::vector<Part> parts = {{"", topology.cpus, ""}};
  const auto numbered = [](const char* noun) {
    return [noun](size_t i) { return fmt::format(" {} {}", noun, i); };
  };
  parts = divided(parts, topology.sockets, numbered("socket"), topology);
  parts = divided(parts, topology.dies, numbered("die"), topology);
  return divided(
      parts, topology.numa_nodes,
      [&](size_t i) {
        return " NUMA " + numa_numbers(topology, topology.numa_nodes[i]);
      },
      topology);
}

std::string legend_of(const Topology& topology, const HostShare& host,
                      const PlacesHere& places) {
  std::string legend =
      printable(topology.cpu_model.empty() ? "host" : topology.cpu_model);
  legend += places.empty() ? "; [cores" : "; [cores ranks that might use them";
  bool has_threads = false;
  for (const ProcessPlace* place : places) has_threads |= place->threads > 1;
  if (has_threads) legend += " x threads";
  legend += "]";
  if (host.allotted.size() > 0 &&
      topology.cpus.without(host.allotted).size() > 0) {
    legend += ", -: not for this job";
  }
  std::set<std::string> marks;
  for (const CpuSet& core : topology.cores) {
    const std::string kind = core_kind(topology, core);
    const std::string mark = mark_of(kind);
    if (mark.size() == 1 && mark != kind) {
      marks.insert(fmt::format(", {}: {} core", mark, kind));
    }
  }
  for (const std::string& mark : marks) legend += mark;
  const SharedCaches* const caches = last_caches(topology);
  if (caches != nullptr && caches->shared.size() > 1) {
    const std::string size = memory_in_words(caches->bytes);
    legend += fmt::format(", | between L{} caches{}{}", caches->level,
                          size.empty() ? "" : " of ", size);
  }
  return legend;
}

}  // namespace

FactList drawn_hosts(const JobTotals& job) {
  FactList list;
  size_t listed = 0;
  for (const HostShare& host : job.hosts) {
    const Topology* const topology = topology_of(job, host);
    if (topology == nullptr) continue;
    if (++listed > kHostsListed) break;
    PlacesHere places;
    const uint64_t key = text_hash(host.name.data(), host.name.size());
    for (const ProcessPlace& place : job.places) {
      if (place.host == key) places.push_back(&place);
    }
    list.facts.push_back({host.name, legend_of(*topology, host, places)});
    for (const Part& part : parts_of(*topology)) {
      std::string text = boxes(*topology, host, part.cpus, places);
      if (!part.memory.empty()) text = part.memory + "  " + text;
      list.facts.push_back({" " + part.name, std::move(text)});
    }
    // Of no part: as far from all of several, or of a node without cores.
    for (const MemoryNode& each : topology->memory) {
      const bool is_of_part = std::ranges::any_of(
          topology->numa_nodes,
          [&](const CpuSet& node) { return node == each.cpus; });
      if (is_of_part) continue;
      list.facts.push_back(
          {fmt::format("  memory {}", each.node),
           memory_text(each) +
               (each.cpus.size() == 0 ? "" : ", near " + cpu_list(each.cpus))});
    }
  }
  return list;
}

}  // namespace poprt
