// Measures the program's own threads (pthreads, std::thread, C11), with
// POPRT_THREADS=all.
#ifndef POPRT_MODULES_THREADS_THREADS_H_
#define POPRT_MODULES_THREADS_THREADS_H_

#include "base/options.h"
#include "modules/modules.h"

namespace poprt::modules::threads {

void start(const Options& options, Started* started);

// For a process in which nothing else starts measurement.  Calls
// `start_measurement` when the program creates a thread.  To be called before
// start().  REQUIRES: POPRT_THREADS=all.
void watch(bool (*start_measurement)());

}  // namespace poprt::modules::threads

#endif  // POPRT_MODULES_THREADS_THREADS_H_
