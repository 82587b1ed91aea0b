// What a host consists of, in words.
#ifndef POPRT_REPORT_HOST_PARTS_H_
#define POPRT_REPORT_HOST_PARTS_H_

#include <string>

#include "model/topology.h"

namespace poprt {

// "2 sockets, 4 NUMA nodes (4 of DRAM, 4 of HBM), 16 cores (8 performance, 8
// efficiency)".
std::string parts_in_words(const Topology& topology);

// What kind of core that is among those of its host: "performance",
// "efficiency", "middle"; the system's name for it where it is not known which
// computes faster.  Empty where all are of one kind.
std::string core_kind(const Topology& topology, const CpuSet& core);

// The largest caches that several cores share; null if there are none.
const SharedCaches* last_caches(const Topology& topology);

// "0", or "0,2" where several kinds of memory are near these processors: the
// system's numbers of the NUMA node that they are; "?" if they are not known.
std::string numa_numbers(const Topology& topology, const CpuSet& node);

// "16 GiB"; empty for none.
std::string memory_in_words(int64_t bytes);

}  // namespace poprt

#endif  // POPRT_REPORT_HOST_PARTS_H_
