// ComTime: how much of a thread's time counts in COM and COMP, where its
// process keeps them for each thread (com_start.h).
//
// It is the thread's time less its time in MPI, less what is known only at the
// end of a stretch in OpenMP's runtime: which part of a wait was before the one
// came who was waited for, and when a worker was in no team.  What others bring
// is merged as of that moment, because what follows it is the same for all who
// have waited.
//
// Invariants:
//  1. Of each stretch its end counts, or nothing (ComTail).
//  2. What was said of a wait holds for the stretch that ends next, only.
//  3. Once kept, they stay so, and time() never becomes smaller.
//  4. Only the thread writes; others read.
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
  // All that counts so far, of kCom or kComp.  REQUIRES: kept().
  int64_t time(int kind, const Timeline& timeline) const {
    return kind == kComp ? timeline.counted_ns<kComp>() - not_comp_.get()
                         : timeline.counted_ns<kCom>() - not_com_.get();
  }

  // From the last event on the thread is in a team, or in none and without
  // work.
  void joins_team() { in_no_team_.store(false, std::memory_order_relaxed); }
  void leaves_team() { in_no_team_.store(true, std::memory_order_relaxed); }
  bool in_no_team() const {
    return in_no_team_.load(std::memory_order_relaxed);
  }
  // The stretch that ends next was a wait until another thread came
  // (SyncClock::kNever: none did); in no team until then.
  void has_waited(int64_t came_ns) { wait_ = {came_ns, false}; }
  void was_in_no_team(int64_t came_ns) { wait_ = {came_ns, true}; }

  // Of the stretch under way: of a wait that is not over, nothing counts in COM
  // yet.
  ComTail tail(const Timeline& timeline) const;
  // Of the stretch that an event ends at `now_ns`.  `had_team`: the thread may
  // have been in a team when the process began to keep them, at `start`.
  struct End {
    ComTail tail;
    bool had_team = false;
    // The thread is to take over what the process had, if it had a team.
    bool takes_over = false;
  };
  End end(const Timeline& timeline, const ComStart* start, bool had_team,
          int64_t now_ns);
  // Before that event books its time.
  void count(const Timeline& timeline, int64_t now_ns, const ComTail& tail);
  // How long before the last event COM and COMP are merged.
  int64_t merge_tail_ns() const { return merge_tail_ns_; }

 private:
  std::atomic<bool> kept_{false};
  std::atomic<bool> in_no_team_;
  // Time that counts by its state, but does not.
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
