// What a thread, or the primary thread's line, has itself of the clocks: what
// clocks are differences to (docs/design.md, "A thread's time and clocks").
#ifndef POPRT_CLOCKS_OWN_CLOCKS_H_
#define POPRT_CLOCKS_OWN_CLOCKS_H_

#include <cstdint>

#include "clocks/clock_set.h"

namespace poprt {

// The thread-local clocks: a thread's own totals.  Of COM and COMP only where
// the thread keeps them.
struct OwnClocks {
  int64_t ns[kClockKinds] = {};
};

// The time of the primary thread's line outside all MPI (COM), and outside MPI
// that is not inside parallel regions (COMP).
struct OutsideMpi {
  int64_t com_ns = 0;
  int64_t comp_ns = 0;
};

}  // namespace poprt

#endif  // POPRT_CLOCKS_OWN_CLOCKS_H_
