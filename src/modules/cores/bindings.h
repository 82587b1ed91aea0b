// Which processors the threads of a process need for themselves.
#ifndef POPRT_MODULES_CORES_BINDINGS_H_
#define POPRT_MODULES_CORES_BINDINGS_H_

#include <vector>

#include "model/totals.h"

namespace poprt::modules::cores {

// `bound`: for each thread, where it may run.  Threads that may run on the same
// processors need these if they are as many as the processors, or more; if they
// are fewer, none of the processors is certainly theirs.  Sorted by processor;
// no rank.
std::vector<CoreUser> core_users(std::vector<CpuSet> bound);

}  // namespace poprt::modules::cores

#endif  // POPRT_MODULES_CORES_BINDINGS_H_
