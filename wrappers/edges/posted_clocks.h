// The clocks that a thread had when it posted a receive.
#ifndef POPRT_WRAPPERS_EDGES_POSTED_CLOCKS_H_
#define POPRT_WRAPPERS_EDGES_POSTED_CLOCKS_H_

#include <memory>
#include <vector>

#include "clocks/changed_clocks.h"
#include "clocks/clock_message.h"
#include "clocks/packed_clocks.h"
#include "measure/sent_clocks.h"

namespace poprt::mpi {

// All clocks of a thread, shared by the receives that are posted until a
// resting clock changes.
struct AllClocks {
  SentClocks as_of;
  std::vector<ClockEntry> entries;
};

// The clocks of one posted receive, for the sender of a synchronous message, in
// one of three forms: packed; or the running ones, and `before` for the rest;
// or all in `entries`.
struct PostedClocks {
  bool is_packed = false;
  PackedRoom<ChangedRegions::kMost> packed;
  // Of `packed`: known from a receive for which this object was used before.
  KnownRegions regions;
  ChangedRegions running;
  std::shared_ptr<const AllClocks> before;
  std::vector<ClockEntry> entries;  // the first `count`; never shrinks
  int count = 0;
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EDGES_POSTED_CLOCKS_H_
