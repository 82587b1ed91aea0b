// What a host consists of, as sets of processors by the kernel's numbers.
#ifndef POPRT_MODEL_TOPOLOGY_H_
#define POPRT_MODEL_TOPOLOGY_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/cpu_set.h"

namespace poprt {

// Memory of one kind, a NUMA node of the kernel's.
struct MemoryNode {
  int64_t node = 0;
  std::string kind;   // "DRAM", "HBM", ...; empty if it is not known
  int64_t bytes = 0;  // of the host of this topology that has most
  CpuSet cpus;        // that are near it
};

// Caches of one level and size that several cores share.
struct SharedCaches {
  int64_t level = 0;
  int64_t bytes = 0;           // of each; 0 if it is not known
  std::vector<CpuSet> shared;  // the processors of each
};

// Cores that differ from the others of their host.
struct CoreKind {
  std::string name;         // the system's, as IntelAtom; empty if it has none
  int64_t efficiency = -1;  // 0: computes least fast; -1: not known
  CpuSet cpus;
};

struct Topology {
  std::string id;  // of what is below; hosts of one kind have the same
  std::string cpu_model;
  CpuSet cpus;  // all that are online
  // Each list is sorted by the first processor of its sets. A core has several
  // processors if they are hardware threads.
  std::vector<CpuSet> cores;
  std::vector<CpuSet> sockets;
  std::vector<CpuSet> numa_nodes;    // that have processors of their own
  std::vector<CpuSet> dies;          // none where a socket is one
  std::vector<MemoryNode> memory;    // sorted by node
  std::vector<SharedCaches> caches;  // sorted by level and size
  std::vector<CoreKind> core_kinds;  // sorted; none where all are of one
};

// The id that belongs to what the topology says.
std::string topology_id(const Topology& topology);

// "0-3 4-7": the sets one after the other.
std::string cpu_lists(const std::vector<CpuSet>& sets);
// The sets of such a text; false for any other text.
bool parse_cpu_sets(std::string_view text, std::vector<CpuSet>* sets);

}  // namespace poprt

#endif  // POPRT_MODEL_TOPOLOGY_H_
