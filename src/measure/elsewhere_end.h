// ElsewhereEnd: the end of a stretch of one thread that another thread may say
// (the primary thread the end of a worker's part in a team).
//
// Invariants:
//  1. Of one stretch there is one end: either other thread's end() or the
//     thread's take() comes first, and the later one finds nothing.
//  2. Who takes an end sees what was written before it was said.
#ifndef POPRT_MEASURE_ELSEWHERE_END_H_
#define POPRT_MEASURE_ELSEWHERE_END_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>

#include "states/states.h"

namespace poprt {

class ElsewhereEnd {
 public:
  struct End {
    int64_t ns;
    uint32_t epoch;  // of the process, then
    State after;     // the thread's state from then on
  };

  // For the thread: the stretch that began at `began_ns` may end elsewhere.
  void may_end(int64_t began_ns, State after) {
    after_ = after;
    word_.store(-1 - began_ns, std::memory_order_release);
  }
  // Whether one may, or has.
  bool is_open() const { return word_.load(std::memory_order_relaxed) != 0; }

  // For another thread: it ended at `now_ns`.  False: it is over already.
  bool end(int64_t began_ns, int64_t now_ns, uint32_t epoch) {
    int64_t expected = -1 - began_ns;
    epoch_.store(epoch, std::memory_order_relaxed);
    return word_.compare_exchange_strong(expected, std::max<int64_t>(now_ns, 1),
                                         std::memory_order_acq_rel);
  }

  // For the thread, at its next event: from now on nobody ends it.  Nothing:
  // nobody has.
  std::optional<End> take() {
    if (!is_open()) return std::nullopt;
    const int64_t ended_ns = word_.exchange(0, std::memory_order_acq_rel);
    if (ended_ns <= 0) return std::nullopt;
    return End{ended_ns, epoch_.load(std::memory_order_relaxed), after_};
  }

 private:
  // Of a stretch that may end: -1 minus its begin; of one that has: when; else
  // 0.
  std::atomic<int64_t> word_{0};
  std::atomic<uint32_t> epoch_{0};
  State after_ = State::kOmp;  // used by the thread only
};

}  // namespace poprt

#endif  // POPRT_MEASURE_ELSEWHERE_END_H_
