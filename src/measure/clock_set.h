// The critical-path clocks that a thread keeps for one region (docs/edges.md):
// PL-CUE, which follows the synchronisation inside of the process, and those
// that follow all of it: G-CUE, G-COO, G-ALL and G-COOW.  The thread-local ones
// are the thread's own totals; COM belongs to the process.
#ifndef POPRT_MEASURE_CLOCK_SET_H_
#define POPRT_MEASURE_CLOCK_SET_H_

#include <cstdint>

namespace poprt {

// The kinds: which time counts.
inline constexpr int kCue = 0;  // useful
inline constexpr int kCoo = 1;  // useful and MPI
inline constexpr int kAll = 2;  // all
inline constexpr int kClockKinds = 3;

// The clocks, each with its kind.
inline constexpr int kProcessCue = 0;
inline constexpr int kGlobalCue = 1;
inline constexpr int kGlobalCoo = 2;
inline constexpr int kGlobalAll = 3;
// As G-COO, but the time that MPI calls wait for late partners does not count,
// and what follows a message's arrival does.  Without meaning where
// Process::keeps_coow() is false.
inline constexpr int kGlobalCoow = 4;
inline constexpr int kClocks = 5;
// Those that each run keeps: all but the last.
inline constexpr int kUsualClocks = 4;
inline constexpr int kKindOf[kClocks] = {kCue, kCue, kCoo, kAll, kCoo};

struct ClockSet {
  int64_t ns[kClocks] = {};
};

// Calls `visit(clock, kind)` for each clock, or the first ones.  Always
// unrolled: this is the inner loop of all synchronisation.
template <int kCount = kClocks, class Visit>
inline void for_each_clock(Visit visit) {
#pragma GCC unroll 5
  for (int i = 0; i < kCount; ++i) visit(i, kKindOf[i]);
}

// How many regions a process can have; more are refused and counted.
inline constexpr int kMaxRegions = 512;
// How many of them are sent to other processes: Global, at least 64 others, and
// room for regions that were open before MPI_Init and started again there.
inline constexpr int kTravellingRegions = 72;

// The process's epoch (Process::epoch()) after one of the program's regions was
// opened or closed: more by this; by 1 where it was a window.
inline constexpr uint32_t kProgramRegionChanges = 1 << 8;
// What changes with the former.  With very many windows it may change once
// more, which only costs time.
constexpr uint32_t program_epoch(uint32_t epoch) {
  return epoch / kProgramRegionChanges;
}

}  // namespace poprt

#endif  // POPRT_MEASURE_CLOCK_SET_H_
