// The totals to which clocks are differences (docs/design.md, "A thread's time
// and clocks").
#ifndef POPRT_CLOCKS_OWN_CLOCKS_H_
#define POPRT_CLOCKS_OWN_CLOCKS_H_

#include <cstdint>

#include "clocks/clock_set.h"

namespace poprt {

// A thread's own totals, by kind of clock.  COM and COMP are 0 unless the
// thread keeps them itself.
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
