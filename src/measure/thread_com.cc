// COM and COMP of a thread, where its process keeps them for each
// (com_start.h).
//
// What counts in them is a thread's time less its time in MPI, less what is
// known only at the end of a stretch in OpenMP's runtime: which part of a wait
// was before the one came who was waited for, and when a worker was in no team.
// What others bring is merged as of that moment, because what follows it is the
// same for all who have waited.
#include <algorithm>
#include <utility>

#include "measure/process.h"
#include "measure/thread.h"

namespace poprt {
namespace {

// What counts of a stretch in this state in a clock, as far as that is known
// before its end.
int64_t tail_of(int kind, State state, bool in_parallel, bool in_team) {
  const Weight weight = weight_of(kind, state);
  const bool counts = weight == Weight::kNotWaiting ? in_team && !in_parallel
                      : weight == Weight::kInTeam
                          ? in_team
                          : counts_in(kind, state, in_parallel);
  return counts ? ComTail::kAll : 0;
}

ComTail tail_in(State state, bool in_parallel, bool in_team) {
  return {tail_of(kCom, state, in_parallel, in_team),
          tail_of(kComp, state, in_parallel, in_team)};
}

}  // namespace

void Thread::keep_com() {
  if (keeps_com()) return;
  process_.keep_com(timeline_.since());
  book<0>(timeline_.since());
}

// Of the stretch under way, for who reads it: of a wait that is not over,
// nothing counts in COM yet.
ComTail Thread::tail_now(int64_t now_ns) const {
  const ComStart* const start = process_.com_start();
  if (start == nullptr) return {0, 0};
  ComTail tail = tail_in_state();
  if (keeps_com()) return tail;
  const int64_t after = std::max<int64_t>(0, now_ns - start->ns);
  return {std::min(tail.com_ns, after), std::min(tail.comp_ns, after)};
}

ComTail Thread::tail_in_state() const {
  const State state = this->state();
  return tail_in(state, timeline_.in_parallel(),
                 !in_no_team_.load(std::memory_order_relaxed));
}

// For who reads the clocks in a region: bounded as those that are given to
// others.  The thread may not have taken over the process's values yet.
void Thread::settle_com(int slot, ClockSet* clocks) const {
  const ComStart* const start = process_.com_start();
  if (start == nullptr) return;
  const bool had_team =
      is_primary_ ||
      (kind_ == ThreadKind::kWorker &&
       !(may_wait(state()) && in_no_team_.load(std::memory_order_relaxed)));
  if (!keeps_com() && had_team && slot < start->regions) {
    clocks->ns[kGlobalCom] += start->com_ns[slot];
    clocks->ns[kGlobalComp] += start->comp_ns[slot];
  }
  bound_com(clocks);
}

// Of the stretch that an event ends at `now_ns`, on this thread.
ComTail Thread::end_com(int64_t now_ns) {
  const Wait wait = com_wait_;
  com_wait_ = {};
  merge_tail_ns_ = 0;
  const ComStart* const start = process_.com_start();
  // The event may be one of before that is only told now.
  if (start == nullptr || (!keeps_com() && now_ns < start->ns)) return {0, 0};
  ComTail tail;
  bool had_team = is_primary_ || kind_ == ThreadKind::kWorker;
  if (!may_wait(state())) {
    tail = tail_in_state();
  } else if (wait.in_no_team) {
    const bool known = wait.came_ns != SyncClock::kNever;
    had_team &= known && wait.came_ns <= start->ns;
    merge_tail_ns_ = known ? std::max<int64_t>(0, now_ns - wait.came_ns) : 0;
    tail = {merge_tail_ns_, merge_tail_ns_};
  } else if (in_no_team_.load(std::memory_order_relaxed)) {
    had_team = false;
    tail = {0, 0};
  } else if (wait.came_ns != SyncClock::kNever) {
    merge_tail_ns_ =
        now_ns - std::clamp(wait.came_ns, timeline_.since(), now_ns);
    tail.com_ns = merge_tail_ns_;
  }
  // A worker may also be heard of after the process has begun to keep them, and
  // begin its part in a team of before.
  if (keeps_com() && !(wait.in_no_team && had_team)) return tail;
  take_over_com(*start, had_team, now_ns, &tail);
  return tail;
}

void Thread::begin_com() {
  keeps_com_.store(true, std::memory_order_relaxed);
  records_.never_split();
  // From now on they are differences to totals that are not 0.
  const OwnClocks own = all_own_clocks();
  const int count = records_.count();
  records_.for_each(count, [&](int, RegionRecord& r) {
    const OwnClocks base = r.base(own);
    r.clock[kGlobalCom].add(-base.ns[kCom]);
    r.clock[kGlobalComp].add(-base.ns[kComp]);
  });
}

void Thread::take_over_com(const ComStart& start, bool had_team, int64_t now_ns,
                           ComTail* tail) {
  if (!keeps_com()) begin_com();
  // Of what was before, the process's clocks have what counts.
  const int64_t after = std::max<int64_t>(0, now_ns - start.ns);
  *tail = {std::min(tail->com_ns, after), std::min(tail->comp_ns, after)};
  if (!had_team) return;
  const OwnClocks own = all_own_clocks();
  const int count = process_.region_count();
  records_.need(count);
  records_.for_each(count, [&](int slot, RegionRecord& r) {
    // The thread may not have existed yet, nor the region.
    const OwnClocks base =
        base_as_of(r, slot, own, timeline_.since() - start.ns);
    const bool known = slot < start.regions;
    r.clock[kGlobalCom].raise((known ? start.com_ns[slot] : 0) - base.ns[kCom]);
    r.clock[kGlobalComp].raise((known ? start.comp_ns[slot] : 0) -
                               base.ns[kComp]);
  });
}

// At the end of what an event has to do, before its time is set.
void Thread::count_com(int64_t now_ns, const ComTail& tail) {
  if (!keeps_com()) return;
  const int64_t ns = now_ns - timeline_.since();
  const bool in_parallel = timeline_.in_parallel();
  if (counts_in(kCom, state(), in_parallel)) {
    not_com_.add(ns - std::min(ns, tail.com_ns));
  }
  if (counts_in(kComp, state(), in_parallel)) {
    not_comp_.add(ns - std::min(ns, tail.comp_ns));
  }
}

// What COM and COMP of others are merged by, as they were `before_ns` ago: as
// far as the region has been open since.
OwnClocks Thread::base_as_of(const RegionRecord& r, int slot,
                             const OwnClocks& own, int64_t before_ns) const {
  OwnClocks base = r.base(own);
  if (!r.is_open()) return base;
  const int64_t open_ns =
      timeline_.since() - process_.region(slot).changed_ns();
  const int64_t ns = std::max<int64_t>(0, std::min(before_ns, open_ns));
  base.ns[kCom] -= ns;
  base.ns[kComp] -= ns;
  return base;
}

// What is given to others.  No path is longer than ALL, into which what follows
// a wait does not come.  And an object that was left by a thread that does not
// keep COM yet has no other clock than CUE for it.
ClockSet Thread::given_clocks(const RegionRecord& r,
                              const OwnClocks& own) const {
  ClockSet clocks = r.clocks(own);
  if (keeps_com()) bound_com(&clocks);
  return clocks;
}

// Of COMP what is known of COM, unless more comes.
void Thread::raise_own_com(RegionRecord& r, int64_t com_ns,
                           const OwnClocks& base) {
  r.clock[kGlobalCom].raise(com_ns - base.ns[kCom]);
  r.clock[kGlobalComp].raise(com_ns - base.ns[kComp]);
}

}  // namespace poprt
