// Which ranks share cores, because they are bound to the same ones.
#ifndef POPRT_REPORT_CORE_SHARING_H_
#define POPRT_REPORT_CORE_SHARING_H_

#include <string>
#include <vector>

#include "model/job.h"

namespace poprt {

// "core 3", "cores 0-3,8".
std::string cores_text(const CpuSet& cpus);

// "ranks 0 and 1 of node1 may use only the same core 3", and the like, for each
// group of ranks that share processors; but not that processes have more
// threads than cores where some have.
std::vector<std::string> shared_cores(const JobReport& report);
// Those that may not use all cores of their host, or waited for a core.
std::vector<std::string> cramped_ranks(const JobReport& report);

// "threads of rank 0 of node1 are bound to hardware threads of the same cores
// (0,4), while core 3 has no thread": for each group of ranks.
std::vector<std::string> bound_siblings(const JobReport& report);

// "node1: 12 threads on 6 cores" for hosts where each thread may have a
// hardware thread, but not a core, and that bound_siblings() does not name.
std::vector<std::string> full_cores(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_CORE_SHARING_H_
