#include "model/topology.h"

#include <cstdint>
#include <string>

#include "model/totals.h"

namespace poprt {

std::string topology_id(const Topology& topology) {
  std::string text = topology.cpu_model + "|" + cpu_list(topology.cpus) + "|" +
                     cpu_lists(topology.cores) + "|" +
                     cpu_lists(topology.sockets) + "|" +
                     cpu_lists(topology.numa_nodes);
  if (!topology.dies.empty()) text += "|dies " + cpu_lists(topology.dies);
  // How much memory they have differs a little between hosts of one kind.
  for (const MemoryNode& each : topology.memory) {
    text += "|memory " + std::to_string(each.node) + " " + each.kind + " " +
            cpu_list(each.cpus);
  }
  for (const SharedCaches& each : topology.caches) {
    text += "|cache " + std::to_string(each.level) + " " +
            std::to_string(each.bytes) + " " + cpu_lists(each.shared);
  }
  for (const CoreKind& each : topology.core_kinds) {
    text += "|kind " + each.name + " " + std::to_string(each.efficiency) + " " +
            cpu_list(each.cpus);
  }
  constexpr char kDigits[] = "0123456789abcdef";
  std::string id;
  for (uint64_t hash = text_hash(text.data(), text.size()); id.size() < 16;
       hash >>= 4) {
    id += kDigits[hash & 15];
  }
  return id;
}

std::string cpu_lists(const std::vector<CpuSet>& sets) {
  std::string text;
  for (const CpuSet& set : sets) {
    text += (text.empty() ? "" : " ") + cpu_list(set);
  }
  return text;
}

bool parse_cpu_sets(std::string_view text, std::vector<CpuSet>* sets) {
  sets->clear();
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(' '));
    if (one.empty() || !parse_cpu_set(one, &sets->emplace_back())) return false;
    text.remove_prefix(one.size());
    if (text.empty()) break;
    text.remove_prefix(1);
    if (text.empty()) return false;
  }
  return true;
}

}  // namespace poprt
