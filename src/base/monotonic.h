// The clock for the tool's own waits.  Unlike the one in time_source.h, tests
// never replace it.
#ifndef POPRT_BASE_MONOTONIC_H_
#define POPRT_BASE_MONOTONIC_H_

#include <cstdint>
#include <ctime>

namespace poprt {

// CLOCK_MONOTONIC in ns.
inline int64_t monotonic_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

}  // namespace poprt

#endif  // POPRT_BASE_MONOTONIC_H_
