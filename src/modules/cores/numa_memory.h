// On which NUMA nodes the memory of this process is, by a sample of its pages:
// /proc/self/numa_maps would look at each page, which takes some 50 ms for each
// GiB.
#ifndef POPRT_MODULES_CORES_NUMA_MEMORY_H_
#define POPRT_MODULES_CORES_NUMA_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/totals.h"

namespace poprt::modules::cores {

// Pages of the process's own memory, which is no file, evenly spread.
struct PageSample {
  std::vector<uint64_t> addresses;
  // How many bytes each stands for.
  double bytes_each = 0;
};
// At most `most` of them; `maps` is the text of /proc/self/maps.
PageSample sample_of_pages(const std::string& maps, uint64_t page_bytes,
                           size_t most);

// Sorted by node.  Empty if the kernel does not tell, or where too few pages of
// the sample are in memory at all.  Takes a few milliseconds at most.
std::vector<NumaMemory> numa_memory();

// The NUMA nodes that have processors, by the kernel's numbers, below `root`
// ("" for the real files).  From the kernel, because each process asks: a
// helper with hwloc for each would be too many.
struct NumaNode {
  int64_t number;
  CpuSet cpus;
};
std::vector<NumaNode> numa_nodes(const std::string& root);

// How much memory is on these nodes, and how much of it would have to be on
// another node, so that each has as large a share of it as of the threads.
struct MemoryPlacement {
  int64_t all_bytes = 0;
  int64_t misplaced_bytes = 0;
};
// `bound`: where each thread may run.  A thread that may run on several nodes
// counts on each of them by its processors there.  Memory of other nodes, which
// have no processors, does not count.
MemoryPlacement placement_of(const std::vector<NumaMemory>& memory,
                             const std::vector<NumaNode>& nodes,
                             const std::vector<CpuSet>& bound);

}  // namespace poprt::modules::cores

#endif  // POPRT_MODULES_CORES_NUMA_MEMORY_H_
