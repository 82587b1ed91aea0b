#include "measure/timeline.h"

#include <gtest/gtest.h>

namespace poprt {
namespace {

void event(Timeline& timeline, State next, int64_t now_ns) {
  ASSERT_TRUE(timeline.begin_event());
  timeline.book(timeline.since(), now_ns, 1);
  timeline.turn_to(next);
  timeline.end_event();
}

// By the table of states: whichever way a kind's time is added up.
TEST(Timeline, CountsTheTimesThatTheTableSays) {
  Timeline timeline;
  int64_t now_ns = 0;
  int64_t expected[kClockKinds] = {};
  for (int i = 0; i < kTimes; ++i) {
    timeline.set_depth(in_parallel_of(i) ? 1 : 0);
    timeline.turn_to(state_of(i));
    const int64_t ns = int64_t{1} << (2 * i);
    timeline.book(now_ns, now_ns + ns, 0);
    now_ns += ns;
    for (int kind = 0; kind < kClockKinds; ++kind) {
      if (counts_in(kind, state_of(i), in_parallel_of(i))) expected[kind] += ns;
    }
  }
  EXPECT_EQ(expected[kCue], timeline.counted_ns<kCue>());
  EXPECT_EQ(expected[kCoo], timeline.counted_ns<kCoo>());
  EXPECT_EQ(expected[kAll], timeline.counted_ns<kAll>());
  EXPECT_EQ(expected[kCom], timeline.counted_ns<kCom>());
  EXPECT_EQ(expected[kComp], timeline.counted_ns<kComp>());
  EXPECT_EQ(0, timeline.events());
}

TEST(Timeline, AnEventInTheMiddleOfAnEventGivesWay) {
  Timeline timeline;
  ASSERT_TRUE(timeline.begin_event());
  EXPECT_TRUE(timeline.in_event());
  EXPECT_FALSE(timeline.begin_event());
  timeline.end_event();
  EXPECT_FALSE(timeline.in_event());
  event(timeline, State::kUseful, 1);
}

// The program has left the event by siglongjmp().
TEST(Timeline, AnEventThatNeverEndsIsGivenUp) {
  Timeline timeline;
  ASSERT_TRUE(timeline.begin_event());
  int gave_way = 0;
  while (!timeline.begin_event()) ASSERT_LT(++gave_way, 1000);
  EXPECT_LT(10, gave_way);
  timeline.end_event();
  // Of events that do end, none counts for the next.
  ASSERT_TRUE(timeline.begin_event());
  EXPECT_FALSE(timeline.begin_event());
}

}  // namespace
}  // namespace poprt
