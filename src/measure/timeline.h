// Timeline: which state a thread is in, since when, and how long it has been in
// each so far.
//
// Times are kept apart by state, and by whether the thread is inside a parallel
// region.  An event ends a stretch that was all in one state; time is always an
// argument, in ns since the start of measurement.
//
// Invariants:
//  1. Outside of an event the totals add up to since(), the time of the last
//     event.
//  2. since() never goes back, and no total becomes smaller.
//  3. Only the thread writes.  Others may read at any time and see values of
//     some moment, but perhaps of another moment for each value.
//  4. An event is begun and ended once.  A signal handler that interrupts one
//     does not get in between: its events are part of the interrupted one.
//     After 64 of these the event is taken for one that siglongjmp() has left.
#ifndef POPRT_MEASURE_TIMELINE_H_
#define POPRT_MEASURE_TIMELINE_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>

#include "base/cell.h"
#include "clocks/clock_weights.h"
#include "states/states.h"

namespace poprt {

class Timeline {
 public:
  // A thread that has not begun is idle.
  [[gnu::always_inline]] State state() const {
    return state_.load(std::memory_order_relaxed);
  }
  [[gnu::always_inline]] int64_t since() const { return since_.get(); }
  int64_t total(int time_index) const { return total_[time_index].get(); }
  int64_t events() const { return events_.get(); }
  bool in_parallel() const {
    return in_parallel_.load(std::memory_order_relaxed);
  }
  // How deep in parallel regions.  Used by the thread only.
  int depth() const { return depth_; }
  // Of the present state.  Used by the thread only.
  [[gnu::always_inline]] int time_index() const {
    return total_of_depth_ + static_cast<int>(state());
  }

  // False: the caller is a signal handler that has interrupted an event, and
  // has to leave everything as it is.  Else end_event() must follow.
  [[gnu::always_inline]] bool begin_event() {
    if (in_event_.load(std::memory_order_relaxed)) [[unlikely]]
      if (gives_way()) return false;
    in_event_.store(true, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    return true;
  }
  [[gnu::always_inline]] void end_event() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    in_event_.store(false, std::memory_order_release);
  }
  // Also for other threads, which then see all that the event has done.
  [[gnu::always_inline]] bool in_event() const {
    return in_event_.load(std::memory_order_acquire);
  }

  // The stretch until `now_ns` was in the present state.  `since_ns`: since(),
  // which whoever knows that `now_ns` is not before it has read already.
  [[gnu::always_inline]] void book(int64_t since_ns, int64_t now_ns,
                                   int events) {
    total_[time_index()].add(now_ns - since_ns);
    since_.set(now_ns);
    if (events > 0) events_.add(events);
  }
  // The state from the last event on.
  [[gnu::always_inline]] void turn_to(State next) {
    state_.store(next, std::memory_order_relaxed);
  }
  void set_depth(int depth) {
    depth_ = depth;
    total_of_depth_ = depth > 0 ? kStates : 0;
    in_parallel_.store(depth > 0, std::memory_order_relaxed);
  }
  // What has happened since there were so many events counts as none.
  void forget_events_after(int64_t events) { events_.set(events); }

  // The stretch under way, until `now_ns`.
  int64_t passed_ns(int64_t now_ns) const {
    return std::max<int64_t>(0, now_ns - since());
  }
  // All that is booked: since(), except for a moment in each event.
  int64_t booked_ns() const {
    int64_t sum = 0;
    for (const Cell& total : total_) sum += total.get();
    return sum;
  }
  // The time that counts in clocks of this kind by its state.
  template <int kKind>
  [[gnu::always_inline]] int64_t counted_ns() const {
    static constexpr OwnTotal kOwn = own_total(kKind);
    return [this]<int... i>(std::integer_sequence<int, i...>)
        __attribute__((always_inline)) {
      if constexpr (!kOwn.is_remainder) {
        return (total_[kOwn.times[i]].get() + ... + int64_t{0});
      }
      return (since_.get() - ... - total_[kOwn.times[i]].get());
    }
    (std::make_integer_sequence<int, kOwn.count>());
  }

 private:
  bool gives_way();

  // Read by others.
  std::atomic<State> state_{kIdle};
  std::atomic<bool> in_parallel_{false};
  Cell since_;
  Cell total_[kTimes];
  Cell events_;

  std::atomic<bool> in_event_{false};

  // Used by the thread and its signal handlers only.
  int depth_ = 0;
  int total_of_depth_ = 0;  // of the first state at this depth
  // How many events have given way since one began, and which one that was.
  int gave_way_ = 0;
  int64_t gave_way_at_ = 0;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_TIMELINE_H_
