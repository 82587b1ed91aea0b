// What the kernel says of the threads of this process.
#ifndef POPRT_MODULES_CORES_THREAD_TIMES_H_
#define POPRT_MODULES_CORES_THREAD_TIMES_H_

#include <cstdint>
#include <map>
#include <string>

namespace poprt::modules::cores {

// How long a thread of this process could have run but had no core, as
// parse_waited().  `thread`, like all ids here: the kernel's id.
int64_t waited_until_now_ns(int64_t thread);

// The processor on which a thread ran last, from the text of
// /proc/PID/task/TID/stat.  -1: the text is not of that form.
int parse_last_cpu(const std::string& stat);

// The times of a thread since it was created.
struct ThreadTimes {
  int64_t on_core_ns = -1;  // negative if the thread has just ended
  int64_t waited_ns = 0;    // as parse_waited()
};
// Of each thread that lives now, by its id.  Empty if the kernel does not tell.
std::map<int, ThreadTimes> thread_times();

// The processor on which the thread ran last.  -1: the thread has ended.
int last_cpu(int64_t thread);

}  // namespace poprt::modules::cores

#endif  // POPRT_MODULES_CORES_THREAD_TIMES_H_
