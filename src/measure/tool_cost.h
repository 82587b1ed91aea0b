// ToolCost: what the tool's own work on a thread has taken, an estimate.
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

  int64_t all_ps() const { return turns.timed_count() * samples.usual_ps(); }
};

// A piece of work, from its construction to its end.  Null: it is not counted.
class WorkTime {
 public:
  explicit WorkTime(TimedWork* work)
      : work_(work != nullptr && work->turns.take() ? work : nullptr) {
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

struct ToolCost {
  TimedWork works;         // at OpenMP events
  TimedWork messages;      // clocks that the MPI layer sends or takes
  TimedWork region_calls;  // pop_region_start() and the like
  TimedWork file_calls;    // of POSIX I/O
  TimedWork comms;         // what it makes and frees with a communicator
  // Waits for clocks that did not come.
  Cell vain_ns;

  // The thread has looked for something in vain, in a call that began
  // `since_ns` after its last event.  A thread that only looks waits: without
  // the tool it would look more often, and be no sooner ready.
  void looked_in_vain(int64_t since_ns) {
    if (since_ns < kNoWorkNs) idle_events_.add(kEventsOfCall);
  }

  // `events`: of the thread, all.
  int64_t all_ns(int64_t events) const {
    const int64_t timed = works.turns.timed_count();
    // Measured from a work's first time stamp to one behind it, so one of the
    // two is in it.
    int64_t ps = works.all_ps() + timed * g_call_way_ps + messages.all_ps() +
                 region_calls.all_ps() + file_calls.all_ps() + comms.all_ps();
    // All other events are a time stamp and a transition.
    const int64_t bare = events - timed - region_calls.turns.timed_count() -
                         idle_events_.get();
    ps += std::max<int64_t>(0, bare) * g_event_ps;
    return ps / 1000 + vain_ns.get();
  }

 private:
  // Between two calls that found nothing a thread that works does more, or it
  // spends most of its time in such calls.
  static constexpr int64_t kNoWorkNs = 1000;
  static constexpr int kEventsOfCall = 2;

  Cell idle_events_;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_TOOL_COST_H_
