// What the kernel says of the threads of this process.
#ifndef POPRT_MODULES_CORES_THREAD_TIMES_H_
#define POPRT_MODULES_CORES_THREAD_TIMES_H_

#include <cstdint>
#include <map>
#include <string>

namespace poprt::modules::cores {

struct ThreadTimes {
  int64_t on_core_ns = 0;  // it had a core
  int64_t waiting_ns = 0;  // it could have run, but had no core
};

// The text of /proc/PID/task/TID/schedstat; zeros if it is anything else.
ThreadTimes parse_schedstat(const char* text);

// Of all threads that live now, by their kernel ids.  Empty if the kernel does
// not tell.
std::map<int, ThreadTimes> thread_times();

}  // namespace poprt::modules::cores

#endif  // POPRT_MODULES_CORES_THREAD_TIMES_H_
