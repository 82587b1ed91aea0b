// ToolCost: what the tool's own work on a thread has taken, an estimate.
//
// Some of the pieces of work are timed (Turns), and outliers are left out, in
// which the thread had lost its core (Samples).  Other events count with the
// least time that was measured at the start (call_cost.h).  What the program
// loses in its caches, and what an OpenMP runtime does more because there is a
// tool, is not in it.
//
// Written by the thread; others may read at any time.
#ifndef POPRT_MEASURE_TOOL_COST_H_
#define POPRT_MEASURE_TOOL_COST_H_

#include <algorithm>
#include <cstdint>

#include "base/cell.h"
#include "measure/call_cost.h"
#include "measure/samples.h"
#include "measure/time_source.h"
#include "measure/turns.h"

namespace poprt {

// Pieces of work of one kind, some of which are timed.
struct TimedWork {
  Turns turns;
  Samples samples;
  Cell before;  // pieces before the last ToolCost::restart()

  int64_t count() const { return turns.timed_count() - before.get(); }
  int64_t all_ps() const { return count() * samples.usual_ps(); }
};

struct ToolCost {
  TimedWork works;         // at OpenMP events
  TimedWork messages;      // clocks that the MPI layer sends or takes
  TimedWork region_calls;  // pop_region_start() and the like
  TimedWork file_calls;    // of POSIX I/O
  // Where MPI calls are told apart: the place of each, and what it moved.
  TimedWork call_places;
  TimedWork call_contents;
  // Rare work, each piece of which is timed: waits for clocks that did not
  // come, and what is made with a communicator or window.
  Cell rare_ns;

  // The thread has looked for something in vain, in a call that took `call_ns`
  // and began `since_ns` after it had looked last.  A thread that only looks
  // waits: without the tool it would look more often, and be no sooner ready.
  void looked_in_vain(int64_t since_ns, int64_t call_ns) {
    if (since_ns < std::max(call_ns, kNoWorkNs))
      idle_events_.add(kEventsOfCall);
  }

  // Since the last restart().  `events`: of the thread, all.
  int64_t all_ns(int64_t events) const {
    // Measured from a work's first time stamp to one behind it, so one of the
    // two is in it.
    int64_t ps = works.count() * g_call_way_ps;
    for (const auto kind : kKinds) ps += (this->*kind).all_ps();
    // All other events are a time stamp and a transition.
    const int64_t bare = events - idle_events_.get() - events_before_.get() -
                         works.count() - kEventsOfCall * region_calls.count();
    ps += std::max<int64_t>(0, bare) * g_event_ps;
    return ps / 1000 + rare_ns.get() - rare_before_ns_.get();
  }
  // By any thread, one at a time.
  void restart(int64_t events) {
    for (const auto kind : kKinds) {
      TimedWork& work = this->*kind;
      work.before.set(work.turns.timed_count());
    }
    events_before_.set(events - idle_events_.get());
    rare_before_ns_.set(rare_ns.get());
  }

 private:
  // A thread that looks in vain does no more than this beside.
  static constexpr int64_t kNoWorkNs = 100;
  static constexpr int kEventsOfCall = 2;

  static constexpr TimedWork ToolCost::*kKinds[] = {
      &ToolCost::works,      &ToolCost::messages,    &ToolCost::region_calls,
      &ToolCost::file_calls, &ToolCost::call_places, &ToolCost::call_contents};

  Cell idle_events_;
  Cell events_before_;
  Cell rare_before_ns_;
};

// A piece of work that is one of many, from its construction to its end.
class WorkTime {
 public:
  explicit WorkTime(TimedWork& work)
      : work_(work.turns.take() ? &work : nullptr) {
    if (work_ != nullptr) [[unlikely]]
      begin();
  }
  ~WorkTime() {
    if (work_ != nullptr) [[unlikely]]
      work_->samples.add(now_ns() - begin_ns_);
  }
  WorkTime(const WorkTime&) = delete;
  WorkTime& operator=(const WorkTime&) = delete;

 private:
  void begin() {
    begin_ns_ = now_ns();
    work_->turns.next(begin_ns_);
  }

  TimedWork* const work_;
  int64_t begin_ns_ = 0;
};

// A rare piece of work.  What is counted inside of it is counted once.
class RareWorkTime {
 public:
  explicit RareWorkTime(ToolCost& cost)
      : rare_ns_(cost.rare_ns),
        begin_ns_(now_ns()),
        before_ns_(rare_ns_.get()) {}
  ~RareWorkTime() { rare_ns_.set(before_ns_ + now_ns() - begin_ns_); }
  RareWorkTime(const RareWorkTime&) = delete;
  RareWorkTime& operator=(const RareWorkTime&) = delete;

 private:
  Cell& rare_ns_;
  const int64_t begin_ns_;
  const int64_t before_ns_;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_TOOL_COST_H_
