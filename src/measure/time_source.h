// The clock of events: ns since start_clock().  Reads the time-stamp counter if
// it is invariant and trusted by the kernel, else CLOCK_MONOTONIC.
//
// now_ns() costs one reading of the counter and one multiplication.  It is
// monotonic on a core; between cores it may differ by a few ns.
#ifndef POPRT_MEASURE_TIME_SOURCE_H_
#define POPRT_MEASURE_TIME_SOURCE_H_

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace poprt {

__extension__ typedef unsigned __int128 Wide;  // product of two words

struct ClockScale {
  bool tsc = false;
  uint64_t base = 0;         // counter at start_clock()
  uint64_t ns_per_2_32 = 0;  // ns per tick, times 2^32
};
extern ClockScale g_clock_scale;

// The same by CLOCK_MONOTONIC.
int64_t system_now_ns();

inline int64_t now_ns() {
#if defined(__x86_64__)
  if (g_clock_scale.tsc) {
    const uint64_t ticks = __rdtsc() - g_clock_scale.base;
    return static_cast<int64_t>((Wide{ticks} * g_clock_scale.ns_per_2_32) >>
                                32);
  }
#endif
  return system_now_ns();
}

// Chooses the clock and sets its origin.  Takes about 2 ms to measure the
// counter's rate.  To be called once, before the first now_ns().
void start_clock();

// "tsc" or "clock_monotonic".
const char* clock_name();

}  // namespace poprt

#endif  // POPRT_MEASURE_TIME_SOURCE_H_
