// ClockSet: the critical-path clocks of a thread in one region (docs/edges.md).
// PL-CUE follows the synchronisation inside of the process.  G-CUE, G-COO,
// G-ALL, G-COOW, G-COM and G-COMP follow all synchronisation.  COM and COMP
// belong to the process until each thread keeps them (com_start.h).
#ifndef POPRT_CLOCKS_CLOCK_SET_H_
#define POPRT_CLOCKS_CLOCK_SET_H_

#include <algorithm>
#include <cstdint>

namespace poprt {

// The kinds of clocks, by the time that counts.
inline constexpr int kCue = 0;  // useful
inline constexpr int kCoo = 1;  // useful and MPI
inline constexpr int kAll = 2;  // all
// What counts in these two depends on more than the state (com_start.h).
inline constexpr int kCom = 3;
inline constexpr int kComp = 4;
inline constexpr int kClockKinds = 5;

// The clocks, each with its kind.
inline constexpr int kProcessCue = 0;
inline constexpr int kGlobalCue = 1;
inline constexpr int kGlobalCoo = 2;
inline constexpr int kGlobalAll = 3;
// As G-COO without the waits of MPI calls for late partners
// (thread_further.cc).  Without meaning if Process::keeps_coow() is false.
inline constexpr int kGlobalCoow = 4;
// 0 until each thread keeps them.
inline constexpr int kGlobalCom = 5;
inline constexpr int kGlobalComp = 6;
inline constexpr int kClocks = 7;
// The first ones, which each run keeps.
inline constexpr int kUsualClocks = 4;
inline constexpr int kKindOf[kClocks] = {kCue, kCue, kCoo, kAll,
                                         kCoo, kCom, kComp};

struct ClockSet {
  int64_t ns[kClocks] = {};
};

// CUE <= COM <= COMP <= ALL.
inline void bound_com(ClockSet* clocks) {
  int64_t* const ns = clocks->ns;
  const int64_t least_ns = ns[kGlobalCue];
  ns[kGlobalComp] =
      std::max(least_ns, std::min(ns[kGlobalComp], ns[kGlobalAll]));
  ns[kGlobalCom] =
      std::max(least_ns, std::min(ns[kGlobalCom], ns[kGlobalComp]));
}

// Calls `visit(clock, kind)` for the first kCount clocks.  Unrolled, because
// this is the inner loop of all synchronisation.
template <int kCount = kClocks, class Visit>
inline void for_each_clock(Visit visit) {
#pragma GCC unroll 7
  for (int i = 0; i < kCount; ++i) visit(i, kKindOf[i]);
}

// How many regions a process can have; more are refused and counted.
inline constexpr int kMaxRegions = 512;
// How many of them have clocks that are sent to other processes: Global, at
// least 64 others, and regions that were open before MPI_Init.
inline constexpr int kTravellingRegions = 72;

}  // namespace poprt

#endif  // POPRT_CLOCKS_CLOCK_SET_H_
