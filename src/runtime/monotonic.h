// The clock by which the tool itself waits: never that of a test, as the one in
// time_source.h may be.
#ifndef POPRT_RUNTIME_MONOTONIC_H_
#define POPRT_RUNTIME_MONOTONIC_H_

#include <cstdint>
#include <ctime>

namespace poprt {

// ns of CLOCK_MONOTONIC.
inline int64_t monotonic_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

}  // namespace poprt

#endif  // POPRT_RUNTIME_MONOTONIC_H_
