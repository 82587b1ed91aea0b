#include "measure/path_follower.h"

#include <gtest/gtest.h>

#include <string_view>

#include "measure/process.h"

namespace poprt {
namespace {

PathChoice regions_and_without(const char* name) {
  PathChoice choice;
  choice.regions = true;
  choice.without = {name};
  return choice;
}

// A thread that is none of its process's: its events are those of the test.
class PathFollowerTest : public testing::Test {
 protected:
  PathFollowerTest() {
    start("Global", 0);
    event(0, State::kUseful);
  }

  void start(std::string_view name, int64_t now_ns) {
    opener_.book(now_ns);
    process_.region_start(opener_, name);
  }
  void event(int64_t now_ns, State next) {
    Timeline& timeline = clocks_.timeline();
    const bool changed = process_.epoch() != epoch_;
    epoch_ = process_.epoch();
    clocks_.records().need(process_.region_count());
    follower_.follow(now_ns, changed);
    OwnClocks own = clocks_.all_own();
    const int64_t ns = timeline.passed_ns(now_ns);
    for (int kind = 0; kind < kClockKinds; ++kind) {
      own.ns[kind] += clocks_.counted_ns(kind, ns, {});
    }
    for (int slot = 0; changed && slot < process_.region_count(); ++slot) {
      clocks_.convert(clocks_.records().at(slot),
                      process_.region(slot).elapsed(), now_ns, own, {});
    }
    timeline.book(timeline.since(), now_ns, 1);
    timeline.turn_to(next);
  }
  static int64_t part(const PathNote& note, uint64_t what, int64_t rank = 0) {
    const PathPart* const found = note.find(what, rank);
    return found == nullptr ? 0 : int64_t{found->ns};
  }
  const PathNote& note() const { return follower_.path().note(); }

  Process process_{{}, regions_and_without("solve")};
  Thread& opener_ = process_.add_thread(ThreadKind::kProgram, 0);
  ThreadClocks clocks_{/*in_team=*/true};
  PathFollower follower_{process_, clocks_};
  uint32_t epoch_ = 0;
};

TEST_F(PathFollowerTest, WhatComesInOtherWaysIsAPartOfItsOwn) {
  event(10, State::kUseful);
  clocks_.records().at(0).clock[kGlobalAll].raise(7);
  event(15, State::kUseful);
  EXPECT_EQ(15 + 7, note().all_ns);
  EXPECT_EQ(7, part(note(), kPathOthers, PathPart::kAnyRank));
  EXPECT_EQ(15, part(note(), kGlobalKey));
}

TEST_F(PathFollowerTest, AWaitForNobodyIsOnNoPath) {
  event(10, State::kOmp);
  EXPECT_EQ(10, follower_.at(25, true, [] { return int64_t{25}; }).all_ns);
  EXPECT_EQ(25, follower_.at(25, false, [] { return int64_t{25}; }).all_ns);
}

TEST_F(PathFollowerTest, BeginsAnewWithMeasurement) {
  event(40, State::kUseful);
  opener_.book(50);
  process_.restart_regions(opener_);
  event(60, State::kUseful);
  EXPECT_EQ(10, note().all_ns);
  EXPECT_EQ(10, note().sum_ns());
}

// Another thread took its stamp, and lost its core before it read this thread's
// path.
TEST_F(PathFollowerTest, AnEarlierMomentHasNoNegativePart) {
  event(50, State::kMpi);
  const PathNote earlier = follower_.at(40, false, [] { return int64_t{40}; });
  EXPECT_EQ(40, earlier.all_ns);
  EXPECT_EQ(40, earlier.sum_ns());
  EXPECT_EQ(40, part(earlier, kGlobalKey));
  EXPECT_EQ(0, part(earlier, kPathMpi));
}

}  // namespace
}  // namespace poprt
