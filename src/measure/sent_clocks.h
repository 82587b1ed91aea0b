// What the sender and the receiver of a thread's clocks remember, so that a
// message needs only clocks that have changed (clocks/changed_clocks.h).
#ifndef POPRT_MEASURE_SENT_CLOCKS_H_
#define POPRT_MEASURE_SENT_CLOCKS_H_

#include <cstdint>

#include "measure/thread.h"

namespace poprt {

// Which state of a thread's clocks was sent last.
struct SentClocks {
  const Thread* thread = nullptr;  // null: nothing has been sent
  uint64_t changes = 0;            // RegionRecords::changes()
  uint32_t com_changes = 0;        // of COM, by other threads of the process

  friend bool operator==(const SentClocks&, const SentClocks&) = default;
};

// The thread that has merged all clocks from one sender, or is going to merge
// the rest before any others.
struct Follower {
  const Thread* thread = nullptr;  // null: nobody
  uint32_t forgotten_arrivals = 0;

  Follower() = default;
  explicit Follower(const Thread& its)
      : thread(&its), forgotten_arrivals(its.forgotten_arrivals) {}
  friend bool operator==(const Follower&, const Follower&) = default;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_SENT_CLOCKS_H_
