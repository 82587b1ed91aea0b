#include "report/host_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "document/format.h"

namespace poprt {
namespace {

std::string count(const std::vector<CpuSet>& parts, const char* noun) {
  return counted(static_cast<int64_t>(parts.size()), noun);
}

std::string kind_word(const std::vector<CoreKind>& kinds, size_t kind) {
  const std::string name = printable(kinds[kind].name);
  if (kinds[kind].efficiency < 0) return name.empty() ? "unlike" : name;
  if (kinds[kind].efficiency == kinds.back().efficiency) return "performance";
  return kinds[kind].efficiency == kinds.front().efficiency ? "efficiency"
                                                            : "middle";
}

// " (a, b)"; nothing without details.
std::string in_brackets(const std::vector<std::string>& details) {
  return details.empty() ? "" : " (" + some_of(details, details.size()) + ")";
}

// How many nodes there are of each kind of memory, where that is known and not
// what everybody has.
std::vector<std::string> memory_kinds(const Topology& topology) {
  std::map<std::string, int64_t> kinds;
  for (const MemoryNode& each : topology.memory) {
    if (each.kind.empty()) return {};
    ++kinds[printable(each.kind)];
  }
  std::vector<std::string> list;
  if (kinds.size() == 1 && kinds.begin()->first == "DRAM") return list;
  for (const auto& [kind, nodes] : kinds) {
    list.push_back(fmt::format("{} of {}", nodes, kind));
  }
  return list;
}

std::vector<std::string> core_details(const Topology& topology) {
  std::vector<std::string> list;
  for (size_t k = topology.core_kinds.size(); k-- > 0;) {
    const CpuSet& cpus = topology.core_kinds[k].cpus;
    list.push_back(fmt::format("{} {}",
                               std::ranges::count_if(topology.cores,
                                                     [&](const CpuSet& core) {
                                                       return core.meets(cpus);
                                                     }),
                               kind_word(topology.core_kinds, k)));
  }
  if (topology.cpus.size() > static_cast<int64_t>(topology.cores.size())) {
    list.push_back(fmt::format("{} hardware threads", topology.cpus.size()));
  }
  return list;
}

}  // namespace

std::string parts_in_words(const Topology& topology) {
  std::vector<std::string> parts;
  if (!topology.sockets.empty()) {
    parts.push_back(count(topology.sockets, "socket"));
  }
  if (!topology.dies.empty()) parts.push_back(count(topology.dies, "die"));
  if (!topology.numa_nodes.empty()) {
    parts.push_back(count(topology.numa_nodes, "NUMA node") +
                    in_brackets(memory_kinds(topology)));
  }
  const SharedCaches* const caches = last_caches(topology);
  if (caches != nullptr && caches->shared.size() > topology.sockets.size()) {
    parts.push_back(
        count(caches->shared, fmt::format("L{} cache", caches->level).c_str()));
  }
  parts.push_back(count(topology.cores, "core") +
                  in_brackets(core_details(topology)));
  return some_of(parts, parts.size());
}

std::string core_kind(const Topology& topology, const CpuSet& core) {
  for (size_t k = 0; k < topology.core_kinds.size(); ++k) {
    if (topology.core_kinds[k].cpus.meets(core)) {
      return kind_word(topology.core_kinds, k);
    }
  }
  return "";
}

const SharedCaches* last_caches(const Topology& topology) {
  return topology.caches.empty() ? nullptr : &topology.caches.back();
}

std::string numa_numbers(const Topology& topology, const CpuSet& node) {
  std::string numbers;
  for (const MemoryNode& each : topology.memory) {
    if (each.cpus != node) continue;
    numbers += fmt::format("{}{}", numbers.empty() ? "" : ",", each.node);
  }
  return numbers.empty() ? "?" : numbers;
}

std::string memory_in_words(int64_t bytes) {
  constexpr int64_t kMib = 1 << 20;
  if (bytes <= 0) return "";
  return bytes < 1024 * kMib
             ? fmt::format("{} MiB", bytes / kMib)
             : fmt::format("{:.0f} GiB", double(bytes) / double(1024 * kMib));
}

}  // namespace poprt
