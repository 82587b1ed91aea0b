// How far a thread's clocks have been sent, and who has merged them, so that a
// message needs only what has changed since (clocks/changed_clocks.h).
#ifndef POPRT_MEASURE_SENT_CLOCKS_H_
#define POPRT_MEASURE_SENT_CLOCKS_H_

#include <cstdint>

#include "measure/thread.h"

namespace poprt {

// Up to where a thread's clocks have been sent.
struct SentClocks {
  const Thread* thread = nullptr;  // null: nothing has been sent
  uint64_t changes = 0;            // of what rests
  // By other threads of the process, of COM.
  uint32_t com_changes = 0;

  friend bool operator==(const SentClocks&, const SentClocks&) = default;
};

// Who has merged all clocks that were sent on one way, or is going to merge
// them next.
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
