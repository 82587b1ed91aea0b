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
  for (int i = 0; i < 4; ++i) cost.looked_in_vain(99, 20);
  EXPECT_EQ(30 * (10 - 8), cost.all_ns(10));
  for (int i = 0; i < 4; ++i) cost.looked_in_vain(299, 300);
  EXPECT_EQ(30 * (20 - 16), cost.all_ns(20));
  // Between these it works for longer than it looks.
  for (int i = 0; i < 4; ++i) cost.looked_in_vain(100, 20);
  for (int i = 0; i < 4; ++i) cost.looked_in_vain(300, 300);
  EXPECT_EQ(30 * (36 - 16), cost.all_ns(36));
}

TEST_F(Costs, RareWorkIsAll) {
  cost.rare_ns.add(700);
  EXPECT_EQ(700, cost.all_ns(0));
}

TEST_F(Costs, BeginAnewWithTheMeasurement) {
  const auto work = [&](int64_t ns) {
    cost.messages.turns.begin_anew();
    ASSERT_TRUE(cost.messages.turns.take());
    cost.messages.turns.next(0);
    cost.messages.samples.add(ns);
  };
  cost.rare_ns.add(700);
  cost.looked_in_vain(0, 0);
  work(1000);
  cost.restart(10);
  EXPECT_EQ(0, cost.all_ns(10));
  cost.rare_ns.add(50);
  EXPECT_EQ(50 + 30, cost.all_ns(11));
  // That the first took long is known, but they were before.
  const int64_t pieces = cost.messages.count();
  for (int i = 0; i < 9; ++i) work(1);
  EXPECT_EQ(0, pieces);
  EXPECT_EQ(50 + 30 + cost.messages.count() * 1, cost.all_ns(11));
}

// All pieces until the last one that was timed take as long as those usually.
TEST_F(Costs, SomeOfThePiecesStandForAll) {
  for (TimedWork* const work :
       {&cost.messages, &cost.region_calls, &cost.file_calls, &cost.call_places,
        &cost.call_contents}) {
    int pieces = 0;
    for (; pieces < 10 * Turns::kEach; ++pieces) {
      if (!work->turns.take()) continue;
      work->turns.next(0);
      work->samples.add(50);
    }
    EXPECT_EQ(50'000 * work->turns.timed_count(), work->all_ps());
    EXPECT_LE(pieces - Turns::kEach, work->turns.timed_count());
  }
  // The two events of a region call are in it.
  const int64_t calls = cost.region_calls.turns.timed_count();
  EXPECT_EQ(5 * 50 * calls, cost.all_ns(2 * calls));
}

}  // namespace
}  // namespace poprt
