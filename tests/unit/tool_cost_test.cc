// What the tool's own work has taken.
#include "measure/tool_cost.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace poprt {
namespace {

class Costs : public testing::Test {
 protected:
  void SetUp() override { g_event_ps = 30'000; }
  void TearDown() override { g_event_ps = 0; }

  ToolCost cost;
};

TEST_F(Costs, AnEventIsATimeStampAndATransition) {
  EXPECT_EQ(0, cost.all_ns(0));
  EXPECT_EQ(300, cost.all_ns(10));
}

// A thread that looks again and again, and does nothing else, waits.
TEST_F(Costs, WhatAWaitingThreadPaysForLookingIsNone) {
  for (int i = 0; i < 4; ++i) cost.looked_in_vain(999);
  EXPECT_EQ(30 * (10 - 8), cost.all_ns(10));
  // Between these it has worked.
  for (int i = 0; i < 4; ++i) cost.looked_in_vain(1000);
  EXPECT_EQ(30 * (20 - 8), cost.all_ns(20));
}

TEST_F(Costs, WaitsForClocksThatDidNotComeAreAll) {
  cost.vain_ns.add(700);
  EXPECT_EQ(700, cost.all_ns(0));
}

// All pieces until the last one that was timed take as long as those usually.
TEST_F(Costs, SomeOfThePiecesStandForAll) {
  for (TimedWork* const work : {&cost.messages, &cost.region_calls,
                                &cost.file_calls, &cost.comms}) {
    int pieces = 0;
    for (; pieces < 10 * Turns::kEach; ++pieces) {
      if (!work->turns.take()) continue;
      work->turns.next(0);
      work->samples.add(50);
    }
    EXPECT_EQ(50'000 * work->turns.timed_count(), work->all_ps());
    EXPECT_LE(pieces - Turns::kEach, work->turns.timed_count());
  }
  // The event of a region call is in it.
  const int64_t calls = cost.region_calls.turns.timed_count();
  EXPECT_EQ(4 * 50 * calls, cost.all_ns(calls));
}

}  // namespace
}  // namespace poprt
