// ComStart: when each thread of a process began to keep COM and COMP itself,
// and with which values (docs/edges.md).
//
// Before, the process has one COM and one COMP, which follow its primary
// thread. This is right while only the primary thread calls MPI, in no team of
// two or more, and waits for each other thread that works.
#ifndef POPRT_CLOCKS_COM_START_H_
#define POPRT_CLOCKS_COM_START_H_

#include <algorithm>
#include <cstdint>

#include "clocks/clock_set.h"

namespace poprt {

// Constant.  A thread that was in a team at `ns` begins with these values, or
// its own ALL if that is less.
struct ComStart {
  int64_t ns = 0;
  int regions = 0;
  int64_t com_ns[kMaxRegions];  // of the first `regions`
  int64_t comp_ns[kMaxRegions];
};

// How much of a stretch counts in COM and in COMP: the last `com_ns` and the
// last `comp_ns`.  kAll: the whole stretch.
struct ComTail {
  static constexpr int64_t kAll = INT64_MAX;
  int64_t com_ns = kAll;
  int64_t comp_ns = kAll;

  // For a stretch that ends at `now_ns`: without what was before `start`.
  ComTail after(const ComStart& start, int64_t now_ns) const {
    const int64_t ns = std::max<int64_t>(0, now_ns - start.ns);
    return {std::min(com_ns, ns), std::min(comp_ns, ns)};
  }
};

}  // namespace poprt

#endif  // POPRT_CLOCKS_COM_START_H_
