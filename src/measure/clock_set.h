// The critical-path clocks that a thread keeps for one region (docs/edges.md):
// CUE, COO and ALL, at process-local and at global scope.  The thread-local
// ones are the thread's own totals; COM belongs to the process.
#ifndef POPRT_MEASURE_CLOCK_SET_H_
#define POPRT_MEASURE_CLOCK_SET_H_

#include <cstdint>

namespace poprt {

// The kinds: which time counts.
inline constexpr int kCue = 0;  // useful
inline constexpr int kCoo = 1;  // useful and MPI
inline constexpr int kAll = 2;  // all
inline constexpr int kClockKinds = 3;
// The scopes: which synchronisation counts.
inline constexpr int kProcessLocal = 0;
inline constexpr int kGlobal = 1;

inline constexpr int kClocks = 2 * kClockKinds;
constexpr int clock_index(int scope, int kind) {
  return scope * kClockKinds + kind;
}

struct ClockSet {
  int64_t ns[kClocks] = {};
};

// Calls `visit(clock, kind)` for each clock.  Always unrolled: this is the
// inner loop of all synchronisation.
template <class Visit>
inline void for_each_clock(Visit visit) {
#pragma GCC unroll 6
  for (int i = 0; i < kClocks; ++i) visit(i, i % kClockKinds);
}

// How many regions a process can have; more are refused and counted.
inline constexpr int kMaxRegions = 512;
// How many of them are sent to other processes: Global, at least 64 others, and
// room for regions that were open before MPI_Init and started again there.
inline constexpr int kTravellingRegions = 72;

}  // namespace poprt

#endif  // POPRT_MEASURE_CLOCK_SET_H_
