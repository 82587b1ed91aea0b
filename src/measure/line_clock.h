// LineClock: COM or COMP of one region, as long as it belongs to the process
// (com_start.h).
//
// `own_ns`, in all functions: the primary thread's time that counts in the
// clock, until the event in question.
//
// Invariants:
//  1. While the region is open, the clock grows with that time.  Else it rests.
//  2. The clock is one word, so that any thread may read and raise it without a
//     lock, also while another thread opens or closes the region.
//  3. The clock never decreases.
#ifndef POPRT_MEASURE_LINE_CLOCK_H_
#define POPRT_MEASURE_LINE_CLOCK_H_

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "measure/elapsed.h"

namespace poprt {

class LineClock {
 public:
  Elapsed value() const {
    return Elapsed::of(word_.load(std::memory_order_acquire));
  }

  // One thread at a time opens and closes.
  void set_open(bool open, int64_t own_ns) {
    const int64_t sign = open ? -1 : 1;  // from value to offset, or back
    if (open) opened_ns_.store(own_ns, std::memory_order_relaxed);
    int64_t seen = word_.load(std::memory_order_relaxed);
    while (!word_.compare_exchange_weak(
        seen, Elapsed{open, Elapsed::of(seen).ns + sign * own_ns}.word(),
        std::memory_order_acq_rel, std::memory_order_relaxed)) {
    }
  }
  // Whether raise() would change anything.
  bool is_later(int64_t ns, int64_t own_ns) const {
    const Elapsed known = value();
    return value_of(known, ns, own_ns) > known.ns;
  }
  // Takes `clock_ns` if later.  Returns whether a resting clock was raised.
  bool raise(int64_t clock_ns, int64_t own_ns) {
    int64_t seen = word_.load(std::memory_order_acquire);
    for (;;) {
      const Elapsed known = Elapsed::of(seen);
      const int64_t ns = value_of(known, clock_ns, own_ns);
      if (ns <= known.ns) return false;
      if (word_.compare_exchange_weak(seen, Elapsed{known.open, ns}.word(),
                                      std::memory_order_acq_rel,
                                      std::memory_order_acquire)) {
        return !known.open;
      }
    }
  }
  void become(const LineClock& other) {
    opened_ns_.store(other.opened_ns_.load(std::memory_order_relaxed),
                     std::memory_order_relaxed);
    word_.store(other.word_.load(std::memory_order_acquire),
                std::memory_order_release);
  }

 private:
  // A late clock may belong to an event before the region was opened.  The time
  // between the two does not count.
  int64_t value_of(const Elapsed& known, int64_t ns, int64_t own_ns) const {
    const int64_t own =
        std::max(own_ns, opened_ns_.load(std::memory_order_relaxed));
    return known.open ? ns - own : ns;
  }

  std::atomic<int64_t> word_{0};
  std::atomic<int64_t> opened_ns_{0};  // own_ns when it was last opened
};

}  // namespace poprt

#endif  // POPRT_MEASURE_LINE_CLOCK_H_
