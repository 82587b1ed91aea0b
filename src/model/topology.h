// What a host consists of: cores, sockets and NUMA nodes as sets of processors,
// by the kernel's numbers.
#ifndef POPRT_MODEL_TOPOLOGY_H_
#define POPRT_MODEL_TOPOLOGY_H_

#include <string>
#include <string_view>
#include <vector>

#include "model/cpu_set.h"

namespace poprt {

struct Topology {
  std::string id;  // of what is below; hosts of one kind have the same
  std::string cpu_model;
  CpuSet cpus;  // all that are online
  // Each list is sorted by the first processor of its sets. A core has several
  // processors if they are hardware threads.
  std::vector<CpuSet> cores;
  std::vector<CpuSet> sockets;
  std::vector<CpuSet> numa_nodes;
};

// The id that belongs to what the topology says.
std::string topology_id(const Topology& topology);

// "0-3 4-7": the sets one after the other.
std::string cpu_lists(const std::vector<CpuSet>& sets);
// The sets of such a text; false for any other text.
bool parse_cpu_sets(std::string_view text, std::vector<CpuSet>* sets);

}  // namespace poprt

#endif  // POPRT_MODEL_TOPOLOGY_H_
