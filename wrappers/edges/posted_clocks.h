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

// All clocks of a thread.  Many receives have the same of what rests.
struct AllClocks {
  SentClocks as_of;
  std::vector<ClockEntry> entries;
};

// The clocks at posting, for the sender of a synchronous message.  Of the usual
// regions, which most receives have, they are packed; of many regions only
// those that run, since the others are as they were.
struct PostedClocks {
  bool is_packed = false;
  PackedRoom<ChangedRegions::kMost> packed;
  // Of the receive that this object was before, or of this one.
  KnownRegions regions;
  // If they are not packed: those that run, and all as they were, or all.
  ChangedRegions running;
  std::shared_ptr<const AllClocks> before;
  std::vector<ClockEntry> entries;  // never shrinks
  int count = 0;                    // of the entries
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EDGES_POSTED_CLOCKS_H_
