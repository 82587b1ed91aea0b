// What the kernel says of this host: its cores, sockets and NUMA nodes, and
// which processors the system lets the job use.
//
// Not by libhwloc, which would load its plugins into the user's program and
// takes tens of milliseconds: what the report needs are a few files of Linux.
// A test compares the result with that of hwloc's lstopo.
#ifndef POPRT_MODULES_CORES_HOST_TOPOLOGY_H_
#define POPRT_MODULES_CORES_HOST_TOPOLOGY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "model/topology.h"
#include "model/totals.h"

namespace poprt::modules::cores {

// Below `root` ("" for the real files).  Without processors and id if the
// kernel does not tell.  Reads one file for each core, socket and NUMA node.
Topology topology_of_host(const std::string& root);

// The NUMA nodes that have processors, by the kernel's numbers.
struct NumaNode {
  int64_t number;
  CpuSet cpus;
};
std::vector<NumaNode> numa_nodes(const std::string& root);

// What the groups of this process may use of the cores' time: the least of them
// and those above, where controllers are mounted at the usual place.
CpuQuota cpu_quota(const std::string& root);

// The processors of the job's cpuset; those that are online if there is none.
CpuSet allotted_cpus(const std::string& root);

}  // namespace poprt::modules::cores

#endif  // POPRT_MODULES_CORES_HOST_TOPOLOGY_H_
