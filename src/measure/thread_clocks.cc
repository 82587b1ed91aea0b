#include "measure/thread_clocks.h"

#include <utility>

#include "measure/regions.h"

namespace poprt {

ComTail ThreadClocks::tail(const ComStart* start, int64_t now_ns) const {
  if (start == nullptr) return {0, 0};
  const ComTail tail = com_.tail(timeline_);
  return com_.kept() ? tail : tail.after(*start, now_ns);
}

ThreadRegion ThreadClocks::values_of(const RegionRecord& r,
                                     const Elapsed& elapsed, int64_t now_ns,
                                     const ComTail& tail) const {
  const int64_t since = timeline_.since();
  const State state = timeline_.state();
  const bool open = r.is_open();
  const Elapsed known{open, r.elapsed.get()};
  const int64_t inside = elapsed.at(now_ns) - known.at(since);

  ThreadRegion region;
  region.taken_off_ns = r.taken_off.get();
  for (int i = 0; i < kTimes; ++i) {
    region.time_ns[i] = r.time[i].get() + (open ? timeline_.total(i) : 0);
  }
  int64_t& present = region.time_ns[time_index(timeline_.in_parallel(), state)];
  present += inside;
  // Another thread closed the region before this thread's last event, which did
  // not see that yet.  So too much time was booked, in an earlier state.
  if (present < 0) [[unlikely]] {
    const int64_t missing = std::exchange(present, 0);
    *std::max_element(region.time_ns, region.time_ns + kTimes) += missing;
    region.taken_off_ns -= missing;
  }
  // The last part of the stretch counts, as far as it is inside the region.
  const auto counted = [&](int kind) {
    if (kind < kCom) return counts_in(kind, state, false) ? inside : 0;
    const int64_t tail_ns = kind == kCom ? tail.com_ns : tail.comp_ns;
    const int64_t before_ns =
        now_ns - since - std::min(now_ns - since, tail_ns);
    return elapsed.open ? std::min(inside, tail_ns)
                        : std::max<int64_t>(0, inside - before_ns);
  };
  OwnClocks now = open ? all_own() : OwnClocks();
#pragma GCC unroll 5
  for (int kind = 0; kind < kClockKinds; ++kind) now.ns[kind] += counted(kind);
  for_each_clock([&](int i, int kind) {
    region.clocks.ns[i] = r.clock[i].get() + now.ns[kind];
  });
  // Clocks that were merged after `now_ns`, or after the region was closed, are
  // in the record.  No clock is later than ALL.
  if (inside < 0) [[unlikely]] {
    for (int64_t& ns : region.clocks.ns) {
      ns = std::min(ns, region.clocks.ns[kGlobalAll]);
    }
    region.clocks.ns[kGlobalCoo] =
        std::max(region.clocks.ns[kGlobalCoo], region.clocks.ns[kGlobalCue]);
  }
  return region;
}

int64_t ThreadClocks::inside_ns(int slot, const Elapsed& elapsed,
                                int64_t now_ns) const {
  const RegionRecord* const r = records_.find(slot);
  const Elapsed known = r == nullptr ? Elapsed() : r->known();
  return elapsed.at(now_ns) - known.at(timeline_.since());
}

void ThreadClocks::take_off_twice(int64_t elapsed_ns,
                                  ThreadRegion* region) const {
  const State state = timeline_.state();
  int64_t twice_ns = -elapsed_ns;
  for (const int64_t ns : region->time_ns) twice_ns += ns;
  const bool in_parallel = timeline_.in_parallel();
  region->time_ns[time_index(in_parallel, state)] -= twice_ns;
  for (int i = 0; i < kClocks; ++i) {
    const int kind = kKindOf[i];
    if (kind >= kCom && !com_.kept()) continue;
    const bool counts = counts_in(kind, state, in_parallel);
    if (counts == own_total(kind).is_remainder) continue;
    region->clocks.ns[i] += counts ? -twice_ns : twice_ns;
  }
}

ClockSet ThreadClocks::given(const RegionRecord& r,
                             const OwnClocks& own) const {
  ClockSet clocks = r.clocks(own);
  if (com_.kept()) bound_com(&clocks);
  return clocks;
}

OwnClocks ThreadClocks::base_as_of(const RegionRecord& r, int64_t changed_ns,
                                   const OwnClocks& own,
                                   int64_t before_ns) const {
  OwnClocks base = r.base(own);
  if (!r.is_open()) return base;
  const int64_t open_ns = timeline_.since() - changed_ns;
  const int64_t ns = std::max<int64_t>(0, std::min(before_ns, open_ns));
  base.ns[kCom] -= ns;
  base.ns[kComp] -= ns;
  return base;
}

void ThreadClocks::begin_com() {
  com_.keep();
  records_.never_split();
  // The totals of COM and COMP, to which clocks are differences, are not 0 now.
  const OwnClocks own = all_own();
  records_.for_each(records_.count(), [&](int, RegionRecord& r) {
    const OwnClocks base = r.base(own);
    r.clock[kGlobalCom].add(-base.ns[kCom]);
    r.clock[kGlobalComp].add(-base.ns[kComp]);
  });
}

void ThreadClocks::take_over_com(const ComStart& start,
                                 const Regions& regions) {
  const OwnClocks own = all_own();
  const int count = regions.count();
  records_.need(count);
  records_.for_each(count, [&](int slot, RegionRecord& r) {
    // At `start` the thread or the region may not have existed.
    const OwnClocks base = base_as_of(r, regions.at(slot).changed_ns(), own,
                                      timeline_.since() - start.ns);
    const bool known = slot < start.regions;
    r.clock[kGlobalCom].raise((known ? start.com_ns[slot] : 0) - base.ns[kCom]);
    r.clock[kGlobalComp].raise((known ? start.comp_ns[slot] : 0) -
                               base.ns[kComp]);
  });
}

}  // namespace poprt
