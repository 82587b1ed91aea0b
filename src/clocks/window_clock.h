// The clock of a region that is one window after another (measure/windows.h).
//
// It begins anew for each window.  So that a clock that comes late, or from
// another process, cannot be taken for one of a later window, it has the
// window's ordinal in its upper bits.
//
// Invariants:
//  1. A clock of a later window is larger than all of an earlier one, so who
//     merges clocks needs to know nothing of windows.
//  2. Only this file knows where the ordinal is.
#ifndef POPRT_CLOCKS_WINDOW_CLOCK_H_
#define POPRT_CLOCKS_WINDOW_CLOCK_H_

#include <cstdint>

namespace poprt {

// A clock of the window with this ordinal. 51 bits of ns are 26 days of one
// window; 11 bits are enough for all ordinals. Region needs one more bit.
inline constexpr int kWindowClockBits = 51;
constexpr int64_t window_clock(int64_t ordinal, int64_t ns) {
  return ((ordinal + 1) << kWindowClockBits) + ns;
}
constexpr int64_t ordinal_of(int64_t clock) {
  return (clock >> kWindowClockBits) - 1;
}
constexpr int64_t ns_of(int64_t clock) {
  return clock & ((int64_t{1} << kWindowClockBits) - 1);
}

}  // namespace poprt

#endif  // POPRT_CLOCKS_WINDOW_CLOCK_H_
