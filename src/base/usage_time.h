// Times that getrusage() tells, in ns.
#ifndef POPRT_BASE_USAGE_TIME_H_
#define POPRT_BASE_USAGE_TIME_H_

#include <sys/resource.h>

#include <cstdint>

namespace poprt {

inline int64_t ns_of(const timeval& time) {
  return (int64_t{time.tv_sec} * 1'000'000 + time.tv_usec) * 1000;
}

// On a core, in the program's and in the kernel's code.
inline int64_t cpu_ns_of(const rusage& usage) {
  return ns_of(usage.ru_utime) + ns_of(usage.ru_stime);
}

}  // namespace poprt

#endif  // POPRT_BASE_USAGE_TIME_H_
