// Stands in for src/measure/time_source.h in tests of the layers: the time is
// what the calling thread of the test says.
#ifndef POPRT_MEASURE_TIME_SOURCE_H_
#define POPRT_MEASURE_TIME_SOURCE_H_

#include <cstdint>

namespace poprt {

inline thread_local int64_t t_fake_now_ns = 0;
inline int64_t now_ns() { return t_fake_now_ns; }

}  // namespace poprt

#endif  // POPRT_MEASURE_TIME_SOURCE_H_
