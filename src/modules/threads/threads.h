// The program's own threads (pthreads, std::thread, C11) as cores of the
// process, if the user asks for it (POPRT_THREADS=all).
#ifndef POPRT_MODULES_THREADS_THREADS_H_
#define POPRT_MODULES_THREADS_THREADS_H_

#include "base/options.h"
#include "modules/modules.h"

namespace poprt::modules::threads {

void start(const Options& options, Started* started);

// For a process in which nothing else starts measurement: `start_measurement`
// is called when the program creates a thread.  To be called before start().
// REQUIRES: the options ask for it.
void watch(bool (*start_measurement)());

}  // namespace poprt::modules::threads

#endif  // POPRT_MODULES_THREADS_THREADS_H_
