// ElsewhereEnd: the end of a stretch of a thread that another thread may tell,
// as the primary thread tells the end of a worker's part in a team.
//
// Invariants:
//  1. Either the other thread's end() or the thread's own take() comes first,
//     and the later one of the two has no effect.
//  2. The thread that takes an end sees what was written before end().
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
    uint32_t epoch;  // the process's epoch at that time
    State after;     // the thread's state from that time on
  };

  // For the thread: the stretch that began at `began_ns` may end elsewhere.
  void may_end(int64_t began_ns, State after) {
    after_ = after;
    word_.store(-1 - began_ns, std::memory_order_release);
  }
  // Whether a stretch may end elsewhere, or has.
  bool is_open() const { return word_.load(std::memory_order_relaxed) != 0; }

  // For another thread: the stretch that began at `began_ns` ended at `now_ns`.
  // False: it had ended before.
  bool end(int64_t began_ns, int64_t now_ns, uint32_t epoch) {
    int64_t expected = -1 - began_ns;
    epoch_.store(epoch, std::memory_order_relaxed);
    return word_.compare_exchange_strong(expected, std::max<int64_t>(now_ns, 1),
                                         std::memory_order_acq_rel);
  }

  // For the thread, at its next event.  Empty: no other thread has ended the
  // stretch, and none can from now on.
  std::optional<End> take() {
    if (!is_open()) return std::nullopt;
    const int64_t ended_ns = word_.exchange(0, std::memory_order_acq_rel);
    if (ended_ns <= 0) return std::nullopt;
    return End{ended_ns, epoch_.load(std::memory_order_relaxed), after_};
  }

 private:
  // -1 - the begin of a stretch that may end elsewhere, or the end; else 0.
  std::atomic<int64_t> word_{0};
  std::atomic<uint32_t> epoch_{0};
  State after_ = State::kOmp;  // used by the thread only
};

}  // namespace poprt

#endif  // POPRT_MEASURE_ELSEWHERE_END_H_
