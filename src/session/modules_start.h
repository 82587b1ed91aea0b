// Puts what the measuring modules offer into the process that is measured.
#ifndef POPRT_SESSION_MODULES_START_H_
#define POPRT_SESSION_MODULES_START_H_

#include <cstdint>

namespace poprt {

// Starts the modules and the layers of devices that the settings ask for,
// measures what an event costs, and makes the process that is measured.  To be
// called once, before the first event.
void start_modules();

// Counters are read at a thread's events: makes the end of measurement one, for
// the calling thread.
void count_until(int64_t end_ns);

}  // namespace poprt

#endif  // POPRT_SESSION_MODULES_START_H_
