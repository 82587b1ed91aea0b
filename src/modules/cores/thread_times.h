// What the kernel says of the threads of this process.
#ifndef POPRT_MODULES_CORES_THREAD_TIMES_H_
#define POPRT_MODULES_CORES_THREAD_TIMES_H_

#include <cstdint>
#include <map>
#include <string>

namespace poprt::modules::cores {

// How long the thread of this process could have run but had no core, as
// parse_waited().
int64_t waited_until_now_ns(int64_t thread);

// The processor that a thread was last on, by the text of
// /proc/PID/task/TID/stat; -1 if it is anything else.
int parse_last_cpu(const std::string& stat);

// One thread, since it was created.
struct ThreadTimes {
  int64_t on_core_ns = -1;  // negative if it has just ended
  int64_t waited_ns = 0;    // as parse_waited()
};
// Those of each thread that lives now, by its kernel id.  Empty if the kernel
// does not tell.
std::map<int, ThreadTimes> thread_times();

// The processor that the thread of this process was last on; -1 if it has
// ended.
int last_cpu(int64_t thread);

}  // namespace poprt::modules::cores

#endif  // POPRT_MODULES_CORES_THREAD_TIMES_H_
