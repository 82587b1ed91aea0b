// ComTime: how much of a thread's time counts in its own COM and COMP, once
// each thread of the process keeps them (com_start.h).
//
// Time in MPI does not count.  At the end of a stretch in OpenMP's runtime it
// is known which further time does not count: a wait until the awaited thread
// came, and the time of a worker in no team.  What other threads bring is
// merged as of the end of that time, because what follows is the same for all
// who have waited.
//
// Invariants:
//  1. The last part of a stretch counts, or all, or nothing (ComTail).
//  2. has_waited() and was_in_no_team() are only for the stretch that ends
//     next.
//  3. A thread that keeps COM and COMP never stops, and time() never decreases.
//  4. Only the thread writes.  Any thread may read.
#ifndef POPRT_MEASURE_COM_TIME_H_
#define POPRT_MEASURE_COM_TIME_H_

#include <atomic>
#include <cstdint>

#include "base/cell.h"
#include "clocks/com_start.h"
#include "clocks/sync_clock.h"
#include "measure/timeline.h"

namespace poprt {

class ComTime {
 public:
  explicit ComTime(bool in_team) : in_no_team_(!in_team) {}

  bool kept() const { return kept_.load(std::memory_order_relaxed); }
  void keep() { kept_.store(true, std::memory_order_relaxed); }
  // What counts so far.  REQUIRES: kept(); `kind` is kCom or kComp.
  int64_t time(int kind, const Timeline& timeline) const {
    return kind == kComp ? timeline.counted_ns<kComp>() - not_comp_.get()
                         : timeline.counted_ns<kCom>() - not_com_.get();
  }

  // From the last event on the thread is in a team, or in no team.
  void joins_team() { in_no_team_.store(false, std::memory_order_relaxed); }
  void leaves_team() { in_no_team_.store(true, std::memory_order_relaxed); }
  bool in_no_team() const {
    return in_no_team_.load(std::memory_order_relaxed);
  }
  // The stretch that ends next was a wait until another thread came
  // (SyncClock::kNever: none did); in no team until then.
  void has_waited(int64_t came_ns) { wait_ = {came_ns, false}; }
  void was_in_no_team(int64_t came_ns) { wait_ = {came_ns, true}; }

  // For the stretch under way.  Nothing of a wait counts in COM yet.
  ComTail tail(const Timeline& timeline) const;
  // For the stretch that an event ends at `now_ns`.  `had_team`: the thread may
  // have been in a team at `start`.
  struct End {
    ComTail tail;
    bool had_team = false;
    // The thread begins to keep COM and COMP, with the values of `start` if it
    // had a team then.
    bool takes_over = false;
  };
  End end(const Timeline& timeline, const ComStart* start, bool had_team,
          int64_t now_ns);
  // To be called after end(), before the event books its time.
  void count(const Timeline& timeline, int64_t now_ns, const ComTail& tail);
  // COM and COMP of others are merged as of so long before the last event.
  int64_t merge_tail_ns() const { return merge_tail_ns_; }

 private:
  std::atomic<bool> kept_{false};
  std::atomic<bool> in_no_team_;
  // Time that does not count, although it would by its state.
  Cell not_com_;
  Cell not_comp_;

  // Used by the thread only.
  struct Wait {
    int64_t came_ns = SyncClock::kNever;
    bool in_no_team = false;
  };
  Wait wait_;
  int64_t merge_tail_ns_ = 0;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_COM_TIME_H_
