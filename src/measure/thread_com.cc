// How a thread begins to keep COM and COMP (ComTime), and what it gives of
// them.
#include <algorithm>

#include "measure/process.h"
#include "measure/thread.h"

namespace poprt {

void Thread::keep_com() {
  if (keeps_com()) return;
  process_.keep_com(timeline_.since());
  book<0>(timeline_.since());
}

// Of the stretch under way, for who reads it.
ComTail Thread::tail_now(int64_t now_ns) const {
  const ComStart* const start = process_.com_start();
  if (start == nullptr) return {0, 0};
  const ComTail tail = com_.tail(timeline_);
  return keeps_com() ? tail : tail.after(*start, now_ns);
}

// For who reads the clocks in a region: bounded as those that are given to
// others.  The thread may not have taken over the process's values yet.
void Thread::settle_com(int slot, ClockSet* clocks) const {
  const ComStart* const start = process_.com_start();
  if (start == nullptr) return;
  const bool had_team =
      line_.is_primary() || (kind_ == ThreadKind::kWorker &&
                             !(may_wait(state()) && com_.in_no_team()));
  if (!keeps_com() && had_team && slot < start->regions) {
    clocks->ns[kGlobalCom] += start->com_ns[slot];
    clocks->ns[kGlobalComp] += start->comp_ns[slot];
  }
  bound_com(clocks);
}

// Of the stretch that an event ends at `now_ns`, on this thread.
ComTail Thread::end_com(int64_t now_ns) {
  const ComStart* const start = process_.com_start();
  const ComTime::End end =
      com_.end(timeline_, start,
               line_.is_primary() || kind_ == ThreadKind::kWorker, now_ns);
  if (end.takes_over) take_over_com(*start, end.had_team);
  return end.tail;
}

void Thread::begin_com() {
  com_.keep();
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

void Thread::take_over_com(const ComStart& start, bool had_team) {
  if (!keeps_com()) begin_com();
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

// Before the event books its time.
void Thread::count_com(int64_t now_ns, const ComTail& tail) {
  com_.count(timeline_, now_ns, tail);
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
