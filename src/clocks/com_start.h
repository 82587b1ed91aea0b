// From when on a process keeps COM and COMP for each thread, and from which
// values on (docs/edges.md).
//
// Until then both belong to the process, as the line of its primary thread:
// that holds as long as this thread alone calls MPI, in no team of two or more,
// and no thread works that it does not wait for.
#ifndef POPRT_CLOCKS_COM_START_H_
#define POPRT_CLOCKS_COM_START_H_

#include <algorithm>
#include <cstdint>

#include "clocks/clock_set.h"

namespace poprt {

// Made once, and constant then.  A thread that was in a team at `ns` has these
// values at that time, but no more than its own ALL.
struct ComStart {
  int64_t ns = 0;
  int regions = 0;
  int64_t com_ns[kMaxRegions];  // of the first `regions`
  int64_t comp_ns[kMaxRegions];
};

// How much of the end of a stretch counts in COM and in COMP, in ns; kAll: the
// whole stretch.
struct ComTail {
  static constexpr int64_t kAll = INT64_MAX;
  int64_t com_ns = kAll;
  int64_t comp_ns = kAll;

  // Of a stretch that ends at `now_ns`, as far as it was after that start.
  ComTail after(const ComStart& start, int64_t now_ns) const {
    const int64_t ns = std::max<int64_t>(0, now_ns - start.ns);
    return {std::min(com_ns, ns), std::min(comp_ns, ns)};
  }
};

}  // namespace poprt

#endif  // POPRT_CLOCKS_COM_START_H_
