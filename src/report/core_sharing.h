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
// group of ranks that share processors.  `crowded`: another note tells of
// processes with more threads than cores.
std::vector<std::string> shared_cores(const JobReport& report, bool crowded);

// A note where threads share cores as hardware threads: those that are bound so
// while other cores of the job are free, or all of a host that has more threads
// than cores.
std::vector<std::string> sibling_notes(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_CORE_SHARING_H_
