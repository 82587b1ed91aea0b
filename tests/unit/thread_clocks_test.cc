#include "measure/thread_clocks.h"

#include <gtest/gtest.h>

namespace poprt {
namespace {

// A thread that has records of these regions, without a process.
struct Clocks : ThreadClocks {
  explicit Clocks(int regions) : ThreadClocks(/*in_team=*/true) {
    records().need(regions);
  }

  // An event at `now_ns`, and one at which a region's time is `elapsed`.
  void event(int64_t now_ns, State next) {
    timeline().book(timeline().since(), now_ns, 1);
    timeline().turn_to(next);
  }
  void event(int64_t now_ns, State next, int slot, const Elapsed& elapsed) {
    OwnClocks own = all_own();
    const int64_t ns = timeline().passed_ns(now_ns);
    for (int kind = 0; kind < kClockKinds; ++kind) {
      own.ns[kind] += counted_ns(kind, ns, kAllCounts);
    }
    RegionRecord& r = records().at(slot);
    convert(r, elapsed, now_ns, own, kAllCounts);
    if (!r.is_open()) records().note_change(r);
    records().split_anew(!r.is_open());
    event(now_ns, next);
  }
  ThreadRegion region(int slot, const Elapsed& elapsed, int64_t now_ns) {
    return values_of(records().at(slot), elapsed, now_ns, kAllCounts);
  }
  void store_all(SyncClock& sync) {
    const int count = records().count();
    const OwnClocks own = all_own();
    SyncClock::Storing storing(sync, records().split());
    records().for_each(count, [&](int slot, const RegionRecord& r) {
      storing.store(slot, r.clocks(own));
    });
    storing.publish(count);
  }
  int64_t clock(int slot, int which) {
    return records().at(slot).clocks(own()).ns[which];
  }

  static constexpr ComTail kAllCounts = {};
};

int64_t sum_of(const ThreadRegion& region) {
  int64_t sum = 0;
  for (const int64_t ns : region.time_ns) sum += ns;
  return sum;
}

// Threads close regions of others at any time.  What is too much was of the
// state before the last event, and a part of it that was measured by itself has
// it, too.
TEST(ThreadClocks, KnowWhatWasTakenOffATimeOfARegionThatWasClosedUnseen) {
  Clocks clocks(1);
  clocks.event(0, State::kUseful);
  clocks.event(20, State::kUseful, 0, {true, 0});
  clocks.event(60, State::kOmp);
  const Elapsed closed{false, 50};
  const ThreadRegion seen = clocks.region(0, closed, 65);
  EXPECT_EQ(50, seen.all_of(State::kUseful));
  EXPECT_EQ(50, seen.part_in(State::kUseful, 60));
  EXPECT_EQ(10, seen.part_in(State::kUseful, 10));
  EXPECT_EQ(55, seen.part_in(State::kUseful, 65)) << "a mistake stays visible";
  clocks.event(70, State::kUseful, 0, closed);
  EXPECT_EQ(50, clocks.region(0, closed, 90).part_in(State::kUseful, 60));
}

TEST(ThreadClocks, GoThroughAnObjectToAnotherThread) {
  Clocks late(1);
  Clocks early(1);
  for (Clocks* each : {&late, &early}) {
    each->event(0, State::kUseful, 0, {true, 0});
  }
  late.event(30, State::kOmp);
  early.event(10, State::kOmp);
  SyncClock sync;
  EXPECT_FALSE(late.store_quickly(sync));  // it has never been used
  late.store_all(sync);
  EXPECT_TRUE(early.merge_quickly(sync, early.own()));
  EXPECT_EQ(30, early.clock(0, kGlobalCue));
  // An earlier one changes nothing there.
  Clocks earliest(1);
  earliest.event(0, State::kUseful, 0, {true, 0});
  earliest.event(5, State::kOmp);
  {
    SyncClock::Raising raising(sync);
    EXPECT_TRUE(earliest.raise_quickly(raising));
  }
  EXPECT_EQ(30, sync.get(0).ns[kGlobalCue]);
  late.event(40, State::kUseful);
  late.event(47, State::kOmp);
  EXPECT_TRUE(late.store_quickly(sync));
  EXPECT_TRUE(earliest.merge_quickly(sync, earliest.own()));
  EXPECT_EQ(37, earliest.clock(0, kGlobalCue));
  // Of another number of regions: nothing is done.
  Clocks other(3);
  EXPECT_FALSE(other.merge_quickly(sync, other.own()));
  EXPECT_FALSE(other.store_quickly(sync));
}

// A signal handler's events come between the time at which totals are made and
// the reading of a thread that has waited for them.
TEST(ThreadClocks, NoPathIsLongerThanTheTimeUntilWhichItIsAskedFor) {
  Clocks releases(1);
  Clocks waits(1);
  for (Clocks* each : {&releases, &waits}) {
    each->event(0, State::kUseful, 0, {true, 0});
    each->event(10, each == &waits ? State::kOmp : State::kUseful);
  }
  releases.event(100, State::kUseful);
  SyncClock sync;
  releases.store_all(sync);
  waits.event(100, State::kOmp);
  EXPECT_TRUE(waits.merge_quickly(sync, waits.own()));
  EXPECT_EQ(100, waits.region(0, {true, 0}, 110).clocks.ns[kGlobalCoo]);
  const ThreadRegion before = waits.region(0, {true, 0}, 70);
  for (const int64_t ns : before.clocks.ns) EXPECT_LE(ns, 70);
  EXPECT_EQ(70, before.clocks.ns[kGlobalAll]);
  EXPECT_EQ(70, before.clocks.ns[kGlobalCoo]);
  EXPECT_EQ(70, sum_of(before));
}

// Of the time since then the path without MPI has nothing, but the one without
// OpenMP has.
TEST(ThreadClocks, ThePathWithoutMpiIsNoLongerThanThatWithIt) {
  Clocks clocks(1);
  clocks.event(0, State::kOmp, 0, {true, 0});
  clocks.event(50, State::kUseful);
  clocks.event(100, State::kMpi);
  const ThreadRegion before = clocks.region(0, {true, 0}, 70);
  EXPECT_EQ(70, before.clocks.ns[kGlobalAll]);
  EXPECT_EQ(50, before.clocks.ns[kGlobalCue]);
  EXPECT_EQ(50, before.clocks.ns[kGlobalCoo]);
}

TEST(ThreadClocks, WhatIsGivenIsNoLaterThanAll) {
  Clocks clocks(1);
  clocks.event(0, State::kUseful, 0, {true, 0});
  clocks.event(10, State::kUseful);
  RegionRecord& r = clocks.records().at(0);
  r.clock[kGlobalCom].raise(100);
  EXPECT_EQ(100, clocks.given(r, clocks.all_own()).ns[kGlobalCom]);
  clocks.begin_com();
  r.clock[kGlobalCom].raise(100);
  EXPECT_EQ(10, clocks.given(r, clocks.all_own()).ns[kGlobalAll]);
  EXPECT_EQ(10, clocks.given(r, clocks.all_own()).ns[kGlobalCom]);
}

// Booked, but the time of the event is not set yet.
TEST(ThreadClocks, WhatCountsTwiceIsTakenOff) {
  Clocks clocks(1);
  clocks.event(0, State::kUseful, 0, {true, 0});
  clocks.event(10, State::kUseful);
  ThreadRegion region = clocks.region(0, {true, 0}, 30);
  region.time_ns[time_index(false, State::kUseful)] += 15;
  region.clocks.ns[kGlobalCue] += 15;
  clocks.take_off_twice(30, &region);
  EXPECT_EQ(30, sum_of(region));
  EXPECT_EQ(30, region.clocks.ns[kGlobalCue]);
}

TEST(ThreadClocks, KnowsWhatIsInsideOfARegionSinceTheLastEvent) {
  Clocks clocks(1);
  clocks.event(0, State::kUseful);
  clocks.event(30, State::kUseful, 0, {true, -10});
  EXPECT_EQ(7, clocks.inside_ns(0, {true, -10}, 37));
  EXPECT_EQ(5, clocks.inside_ns(0, {false, 25}, 37));
  EXPECT_EQ(4, clocks.inside_ns(9, {true, -33}, 37));  // not known yet
}

}  // namespace
}  // namespace poprt
