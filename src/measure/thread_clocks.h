// ThreadClocks: the times and clocks of one thread, in all (Timeline, ComTime)
// and in each region (RegionRecords).  The elapsed time of a region is an
// argument, so that this class needs no Process.
//
// Invariants:
//  1. The times in a region add up to the region's elapsed time (values_of()).
//  2. While a record is open, its clocks run on with own_ns() of their kind.
//     So an event that books time touches no record.
//  3. Of the clocks that are given to others (given()) none is later than ALL.
//  4. A merge makes no clock earlier.  Clocks that were raised in an object are
//     there at least as late as here.
//  5. Only the thread writes.  Any thread may read.
#ifndef POPRT_MEASURE_THREAD_CLOCKS_H_
#define POPRT_MEASURE_THREAD_CLOCKS_H_

#include <algorithm>
#include <cstdint>

#include "clocks/clock_set.h"
#include "clocks/clock_weights.h"
#include "clocks/com_start.h"
#include "clocks/own_clocks.h"
#include "clocks/sync_clock.h"
#include "measure/com_time.h"
#include "measure/elapsed.h"
#include "measure/region_records.h"
#include "measure/timeline.h"
#include "states/states.h"

namespace poprt {

class Regions;

// The times and clocks of a thread in one region.
struct ThreadRegion {
  int64_t time_ns[kTimes] = {};
  // Time that was booked after another thread had closed the region, and was
  // taken off `time_ns` later.  Amounts still contain it.
  int64_t taken_off_ns = 0;
  ClockSet clocks;

  // An amount that is a part of the time in a state, without what was taken off.
  int64_t part_in(State state, int64_t part_ns) const {
    return std::max(std::min(part_ns, all_of(state)), part_ns - taken_off_ns);
  }
  int64_t mpi_ns(bool in_parallel) const { return time_ns[time_index(in_parallel, State::kMpi)]; }
  int64_t all_of(State state) const {
    return time_ns[time_index(false, state)] + time_ns[time_index(true, state)];
  }
};

class ThreadClocks {
 public:
  explicit ThreadClocks(bool in_team) : com_(in_team) {}

  [[gnu::always_inline]] Timeline& timeline() { return timeline_; }
  [[gnu::always_inline]] const Timeline& timeline() const { return timeline_; }
  [[gnu::always_inline]] RegionRecords& records() { return records_; }
  [[gnu::always_inline]] const RegionRecords& records() const { return records_; }
  [[gnu::always_inline]] ComTime& com() { return com_; }
  [[gnu::always_inline]] const ComTime& com() const { return com_; }

  // The thread's totals at the last event: of one kind, of the usual kinds, and
  // of all kinds (COM and COMP are 0 until the thread keeps them).
  [[gnu::always_inline]] int64_t own_ns(int kind) const {
    if (kind == kCue) return timeline_.counted_ns<kCue>();
    if (kind == kCoo) return timeline_.counted_ns<kCoo>();
    if (kind == kAll) return timeline_.counted_ns<kAll>();
    return com_.kept() ? com_.time(kind, timeline_) : 0;
  }
  [[gnu::always_inline]] OwnClocks own() const {
    return {{own_ns(kCue), own_ns(kCoo), own_ns(kAll)}};
  }
  [[gnu::always_inline]] OwnClocks all_own() const {
    OwnClocks own = this->own();
    if (com_.kept()) own.ns[kCom] = own_ns(kCom);
    if (com_.kept()) own.ns[kComp] = own_ns(kComp);
    return own;
  }
  // How much of a stretch of `ns` in the present state counts in a clock.
  int64_t counted_ns(int kind, int64_t ns, const ComTail& tail) const {
    if (kind < kCom) return counts_in(kind, timeline_.state(), false) ? ns : 0;
    return std::min(ns, kind == kCom ? tail.com_ns : tail.comp_ns);
  }
  // What counts of the stretch that is under way at `now_ns`.  `start`: null as
  // long as COM and COMP belong to the process.
  ComTail tail(const ComStart* start, int64_t now_ns) const;

  // Times and clocks until `now_ns` in a region whose time is `elapsed`.
  ThreadRegion values_of(const RegionRecord& r, const Elapsed& elapsed, int64_t now_ns,
                         const ComTail& tail) const;
  // How long the region was open from the last event until `now_ns`.
  int64_t inside_ns(int slot, const Elapsed& elapsed, int64_t now_ns) const;
  // For a thread that has lost its core in an event, after booking the time:
  // takes that time off `region` once, which contains it twice.
  void take_off_twice(int64_t elapsed_ns, ThreadRegion* region) const;
  // Makes the record open or closed as the region is.  To be called by an event
  // at `now_ns` before it books time.  `own`: all_own() after the event.
  [[gnu::always_inline]] void convert(RegionRecord& r, const Elapsed& elapsed, int64_t now_ns,
                                      const OwnClocks& own, const ComTail& tail) {
    const ThreadRegion now = values_of(r, elapsed, now_ns, tail);
    const int64_t step_ns = now_ns - timeline_.since();
    const int current = timeline_.time_index();
    for (int i = 0; i < kTimes; ++i) {
      const int64_t total = timeline_.total(i) + (i == current ? step_ns : 0);
      r.time[i].set(now.time_ns[i] - (elapsed.open ? total : 0));
    }
    for_each_clock([&](int i, int kind) {
      r.clock[i].set(now.clocks.ns[i] - (elapsed.open ? own.ns[kind] : 0));
    });
    r.taken_off.set(now.taken_off_ns);
    r.elapsed.set(elapsed.ns);
    r.open.store(elapsed.open, std::memory_order_relaxed);
  }

  // The clocks of a region for others.  COM and COMP are at least CUE, because
  // an object that a thread without COM has left has no other clock for them.
  ClockSet given(const RegionRecord& r, const OwnClocks& own) const;
  // r.base(own), but COM and COMP as they were `before_ns` before the last
  // event, or at `changed_ns`, when the region was opened or closed last.
  OwnClocks base_as_of(const RegionRecord& r, int64_t changed_ns, const OwnClocks& own,
                       int64_t before_ns) const;
  // Raises COM by a message, and COMP, which is at least COM.
  static void raise_own_com(RegionRecord& r, int64_t com_ns, const OwnClocks& base) {
    r.clock[kGlobalCom].raise(com_ns - base.ns[kCom]);
    r.clock[kGlobalComp].raise(com_ns - base.ns[kComp]);
  }
  // The thread keeps COM and COMP from now on.
  void begin_com();
  // Raises COM and COMP to the values that the process had.
  void take_over_com(const ComStart& start, const Regions& regions);

  // The quick way with an object of the same split (SyncClock::is_split()).
  // False: the object has another split, and nothing was done.
  [[gnu::always_inline]] bool store_quickly(SyncClock& sync) {
    if (!sync.is_split(records_.split())) [[unlikely]]
      return false;
    const OwnClocks own = this->own();
    const auto store =
        [&sync, own ](int place, const RegionRecord& r) __attribute__((always_inline)) {
      sync.store_running<kUsualClocks>(place, r.clocks<kUsualClocks>(own));
    };
    records_.for_each_running(store);
    sync.publish_running(records_.quick_count());
    return true;
  }
  [[gnu::always_inline]] bool raise_quickly(SyncClock::Raising& raising) {
    if (!raising.object().is_split(records_.split())) [[unlikely]]
      return false;
    const OwnClocks own = this->own();
    const auto raise =
        [&raising, own ](int place, const RegionRecord& r) __attribute__((always_inline)) {
      raising.raise_running<kUsualClocks>(place, r.clocks<kUsualClocks>(own));
    };
    records_.for_each_running(raise);
    return true;
  }
  // `own`: own().
  [[gnu::always_inline]] bool merge_quickly(const SyncClock& sync, const OwnClocks& own) {
    if (sync.size() != SyncClock::Size(records_.quick_count()) || !sync.is_split(records_.split()))
        [[unlikely]]
      return false;
    const auto merge =
        [ this, &sync, own ](int place, RegionRecord& r) __attribute__((always_inline)) {
      const ClockSet clocks = sync.get_running<kUsualClocks>(place);
      if (!sync.is_still(records_.split().running)) [[unlikely]]
        return;
      const OwnClocks base = r.base(own);
      for_each_clock<kUsualClocks>(
          [&](int i, int kind) { r.clock[i].raise(clocks.ns[i] - base.ns[kind]); });
    };
    records_.for_each_running(merge);
    return true;
  }

 private:
  Timeline timeline_;
  ComTime com_;
  RegionRecords records_;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_THREAD_CLOCKS_H_
