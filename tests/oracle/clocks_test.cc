// Clocks that pass from process to process: what is not known of them. (Random
// programs ask for their paths.)
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "openmp/tasking.h"
#include "oracle/rank.h"

namespace poprt::oracle {
namespace {

TEST(Clocks, AKeyIsHeardBeforeTheRegionIsOpened) {
  Rank first;
  Rank second;
  first.open("late here", 0);
  const ClockMessage message = first.send(10);
  second.receive(message, 15, 20);

  const JobTotals before = second.totals(25);
  ASSERT_NE(nullptr, find(before, "late here"));
  EXPECT_EQ("", find(before, "late here")->name);
  EXPECT_EQ(0, find(before, "late here")->processes);
  EXPECT_EQ(10, find(before, "late here")->cue_ns);

  second.open("late here", 30);
  const JobTotals after = combine(first.totals(12), second.totals(37));
  const RegionTotals& region = *find(after, "late here");
  EXPECT_EQ("late here", region.name);
  EXPECT_EQ(2, region.processes);
  EXPECT_EQ(17, region.cue_ns);
  EXPECT_EQ(17, region.com_ns);
  EXPECT_EQ(17, region.all_ns);
}

TEST(Clocks, ThoseThatDoNotTravelAreMarked) {
  constexpr int kCount = 80;
  static_assert(kCount + 1 > kTravellingRegions);
  const auto name = [](int i) { return "r" + std::to_string(i); };
  Rank up;
  Rank down;
  up.open("Global", 0);
  down.open("Global", 0);
  for (int i = 0; i < kCount; ++i) up.open(name(i), 0);
  for (int i = kCount - 1; i >= 0; --i) down.open(name(i), 0);

  const ClockMessage message = up.send(10);
  EXPECT_EQ(kTravellingRegions, message.count);
  down.receive(message, 5, 12);
  const JobTotals job = combine(up.totals(20), down.totals(30));
  EXPECT_EQ(2, job.full_tables);
  for (int i = 0; i < kCount; ++i) {
    const RegionTotals& region = *find(job, name(i));
    const bool in_up = i + 1 < kTravellingRegions;
    const bool in_down = kCount - i < kTravellingRegions;
    EXPECT_EQ(in_up && in_down, clocks_complete(job, region)) << name(i);
    EXPECT_EQ(in_up && in_down ? 10 + 18 : 5 + 18, region.cue_ns) << name(i);
    EXPECT_EQ(20 + 23, region.useful_sum_ns);
    EXPECT_EQ(30, region.elapsed_max_ns);
  }
  EXPECT_TRUE(clocks_complete(job, *find(job, "Global")));
}

TEST(Clocks, AProcessWithRoomDoesNotSpoilTheClocksOfOthers) {
  Rank full;
  Rank small;
  full.open("Global", 0);
  small.open("Global", 0);
  for (int i = 0; i < kTravellingRegions; ++i) {
    full.open("r" + std::to_string(i), 0);
  }
  small.receive(full.send(10), 5, 12);
  const JobTotals job = combine(full.totals(20), small.totals(20));
  EXPECT_TRUE(clocks_complete(job, *find(job, "Global")));
  EXPECT_TRUE(clocks_complete(job, *find(job, "r0")));
  const std::string last = "r" + std::to_string(kTravellingRegions - 1);
  EXPECT_FALSE(clocks_complete(job, *find(job, last)));
}

TEST(Clocks, AMessageCutShortSaysSo) {
  Rank rank;
  for (int i = 0; i < 5; ++i) rank.open("r" + std::to_string(i), 0);
  ClockMessage message;
  rank.thread.book(10);
  rank.thread.store_to(message, 3);
  EXPECT_EQ(3, message.count);
  EXPECT_EQ(1, message.incomplete);
}

TEST(Clocks, WhatIsMergedWithAMessageCutShortIsCutShort) {
  ClockMessage all;
  ClockMessage part;
  part.incomplete = 1;
  merge(all, part, ClockMessage::kCapacity);
  EXPECT_EQ(1, all.incomplete);
  merge(all, ClockMessage(), ClockMessage::kCapacity);
  EXPECT_EQ(1, all.incomplete);
}

TEST(Clocks, GetTeamsAndGroupsOfOthersWithoutTheirClocks) {
  constexpr int kMany = 300;
  Rank first;
  first.open("Global", 0);
  Task* task = initial_task_begin(first.thread, 1000);
  std::vector<Team*> teams;
  for (int i = 0; i < kMany; ++i) {
    teams.push_back(parallel_begin(first.thread, task, 1000));
    task = implicit_task_begin(first.thread, teams.back(), true, 1000);
    barrier_begin(first.thread, task, 1000);
    barrier_end(first.thread, task, 1000);
    barrier_begin(first.thread, task, 1000);
    barrier_end(first.thread, task, 1000);
  }
  for (int i = 0; i < kMany; ++i) {
    taskgroup_begin(first.thread, task, 1000);
    Task* const child = task_create(first.thread, task, false, 1000);
    task_switch(first.thread, task, false, child, 1000);
    task_switch(first.thread, child, true, task, 1000);
  }
  for (int i = 0; i < kMany; ++i) taskgroup_end(first.thread, task, 1000);
  for (; !teams.empty(); teams.pop_back()) {
    parallel_end(first.thread, teams.back(), 1000);
  }

  Rank second;
  second.open("Global", 0);
  task = initial_task_begin(second.thread, 0);
  for (int i = 0; i < kMany; ++i) {
    taskgroup_begin(second.thread, task, 0);
    taskgroup_wait_end(second.thread, task, 0);
    teams.push_back(parallel_begin(second.thread, task, 0));
    Task* const inner =
        implicit_task_begin(second.thread, teams.back(), false, 0);
    barrier_begin(second.thread, inner, 0);
    barrier_end(second.thread, inner, 0);
    barrier_begin(second.thread, inner, 0);
    barrier_end(second.thread, inner, 0);
  }
  const JobTotals job = second.totals(10);
  EXPECT_EQ(10, find(job, "Global")->all_ns);
  EXPECT_EQ(10, find(job, "Global")->cue_ns);
}

}  // namespace
}  // namespace poprt::oracle
