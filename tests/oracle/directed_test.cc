// Regions and clocks that processes pass on, worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/totals.h"
#include "runtime/clock_message.h"
#include "runtime/process.h"
#include "runtime/tasking.h"
#include "runtime/thread.h"

namespace poprt {
namespace {

// A process of one thread, unless the test adds more, from time zero.
struct Rank {
  Process process;
  Thread& thread = process.add_thread(ThreadKind::kProgram, 0);

  void open(const std::string& name, int64_t now_ns) {
    thread.book(now_ns);
    process.region_start(thread, name);
  }
  void close(const std::string& name, int64_t now_ns) {
    thread.book(now_ns);
    process.region_stop(thread, name);
  }
  ClockMessage send(int64_t now_ns) {
    ClockMessage message;
    thread.book(now_ns);
    thread.store_to(message);
    return message;
  }
  // The wait for a message from one time to another.
  void receive(const ClockMessage& message, int64_t from_ns, int64_t to_ns) {
    thread.switch_to(State::kMpi, from_ns);
    thread.switch_to(State::kUseful, to_ns);
    thread.merge(message);
  }
  JobTotals totals(int64_t now_ns) { return process.totals(now_ns, "node"); }
};

const RegionTotals* find(const JobTotals& job, const std::string& name) {
  const uint64_t key = region_key(name.data(), name.size());
  const auto found =
      std::find_if(job.regions.begin(), job.regions.end(),
                   [key](const RegionTotals& r) { return r.key == key; });
  return found == job.regions.end() ? nullptr : &*found;
}

TEST(Regions, AHundredVisitsAddUp) {
  Rank rank;
  int64_t now = 0;
  for (int i = 0; i < 100; ++i) {
    rank.open("step", now += 5);
    rank.thread.switch_to(State::kMpi, now += 3);
    rank.thread.switch_to(State::kUseful, now += 2);
    rank.close("step", now);
  }
  const JobTotals job = rank.totals(now += 7);
  const RegionTotals& step = *find(job, "step");
  EXPECT_EQ(100, step.visits);
  EXPECT_EQ(500, step.elapsed_max_ns);
  EXPECT_EQ(300, step.useful_sum_ns);
  EXPECT_EQ(200, step.mpi_sum_ns);
  EXPECT_EQ(0, step.omp_sum_ns);
  EXPECT_EQ(300, step.cue_ns);
  EXPECT_EQ(300, step.com_ns);
  EXPECT_EQ(500, step.coo_ns);
  EXPECT_EQ(500, step.all_ns);
  EXPECT_EQ(0, job.quality.closure_error_ns);
}

TEST(Regions, AChainThroughRepeatedVisitsOfTwoProcessesAddsUp) {
  Rank ping;
  Rank pong;
  int64_t now = 0;
  // In turn, each works 3 in the region and 4 outside while the other waits
  // in the region.
  for (int i = 0; i < 100; ++i) {
    ping.open("turn", now);
    const ClockMessage there = ping.send(now + 3);
    pong.open("turn", now);
    pong.receive(there, now, now + 3);
    const ClockMessage back = pong.send(now + 6);
    pong.close("turn", now + 6);
    ping.receive(back, now + 3, now + 6);
    ping.close("turn", now + 6);
    now += 10;
  }
  const JobTotals job = combine(ping.totals(now), pong.totals(now));
  const RegionTotals& turn = *find(job, "turn");
  EXPECT_EQ(200, turn.visits);
  EXPECT_EQ(600, turn.useful_sum_ns);
  EXPECT_EQ(300, turn.pl_cue_ns);
  EXPECT_EQ(600, turn.cue_ns);
  EXPECT_EQ(600, turn.com_ns);
  EXPECT_EQ(600, turn.all_ns);
}

TEST(Regions, OverlapAndEachCountsItsOwn) {
  Rank rank;
  rank.open("first", 10);
  rank.open("second", 30);
  rank.thread.switch_to(State::kMpi, 35);
  rank.close("first", 40);
  rank.thread.switch_to(State::kUseful, 50);
  rank.close("second", 60);
  const JobTotals job = rank.totals(70);
  const RegionTotals& first = *find(job, "first");
  EXPECT_EQ(30, first.elapsed_max_ns);
  EXPECT_EQ(25, first.useful_sum_ns);
  EXPECT_EQ(5, first.mpi_sum_ns);
  EXPECT_EQ(25, first.com_ns);
  const RegionTotals& second = *find(job, "second");
  EXPECT_EQ(30, second.elapsed_max_ns);
  EXPECT_EQ(15, second.useful_sum_ns);
  EXPECT_EQ(15, second.mpi_sum_ns);
  EXPECT_EQ(30, second.coo_ns);
}

TEST(Regions, RecursionIsOneVisitFromTheFirstStartToTheLastStop) {
  Rank rank;
  rank.open("recursive", 10);
  rank.open("recursive", 20);
  rank.close("recursive", 30);
  rank.close("recursive", 50);
  const JobTotals job = rank.totals(60);
  EXPECT_EQ(1, find(job, "recursive")->visits);
  EXPECT_EQ(40, find(job, "recursive")->elapsed_max_ns);
  EXPECT_EQ(0, job.quality.shared_starts);
}

TEST(Regions, AWorkerIsIdleInARegionThatWasThereBeforeIt) {
  Rank rank;
  rank.open("early", 10);
  rank.thread.book(40);
  Thread& worker = rank.process.add_thread(ThreadKind::kWorker, 45);
  worker.set_member();
  worker.switch_to(State::kUseful, 50);
  worker.switch_to(State::kOmp, 53);
  rank.close("early", 60);
  const RegionTotals early = *find(rank.totals(100), "early");
  EXPECT_EQ(2, early.threads);
  EXPECT_EQ(53, early.useful_sum_ns);
  EXPECT_EQ(47, early.omp_sum_ns);
  EXPECT_EQ(100, early.elapsed_weighted_ns);
}

TEST(Regions, AKeyIsHeardBeforeTheRegionIsOpened) {
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

TEST(Regions, AProcessThatNeverEntersPassesClocksOn) {
  Rank first;
  Rank between;
  Rank last;
  first.open("ends", 0);
  between.receive(first.send(10), 0, 11);
  last.open("ends", 0);
  last.receive(between.send(90), 0, 91);
  const JobTotals job =
      combine(first.totals(10), combine(between.totals(95), last.totals(95)));
  const RegionTotals& ends = *find(job, "ends");
  EXPECT_EQ(2, ends.processes);
  EXPECT_EQ(10 + 4, ends.cue_ns);
  EXPECT_EQ(10 + 4, ends.com_ns);
  EXPECT_EQ(95, ends.all_ns);  // the wait is part of the last one's region
}

TEST(Regions, RestartDropsWhatWasBefore) {
  Rank rank;
  rank.open("Global", 0);
  rank.open("over", 5);
  rank.open("open", 6);
  rank.close("over", 8);
  rank.thread.book(20);
  rank.process.restart_regions(rank.thread);
  rank.close("open", 30);
  rank.open("open", 40);
  rank.close("open", 45);
  const JobTotals job = rank.totals(50);
  EXPECT_EQ(nullptr, find(job, "over"));
  EXPECT_EQ(30, find(job, "Global")->elapsed_max_ns);
  EXPECT_EQ(30, find(job, "Global")->cue_ns);
  EXPECT_EQ(1, find(job, "Global")->visits);
  EXPECT_EQ(15, find(job, "open")->elapsed_max_ns);
  EXPECT_EQ(15, find(job, "open")->com_ns);
  EXPECT_EQ(2, find(job, "open")->visits);
  EXPECT_EQ(0, job.quality.closure_error_ns);

  ClockMessage message;
  rank.thread.store_to(message);
  EXPECT_EQ(2, message.count);
}

TEST(Regions, RestartKeepsTheDepthOfARecursion) {
  Rank rank;
  rank.open("deep", 0);
  rank.open("deep", 5);
  rank.thread.book(10);
  rank.process.restart_regions(rank.thread);
  rank.close("deep", 20);
  rank.close("deep", 30);
  const JobTotals job = rank.totals(50);
  EXPECT_EQ(20, find(job, "deep")->elapsed_max_ns);
  EXPECT_EQ(0, job.quality.stops_without_start);
}

TEST(Regions, RestartDropsWhatAnIdleWorkerDidBefore) {
  Rank rank;
  rank.open("Global", 0);
  Thread& worker = rank.process.add_thread(ThreadKind::kWorker, 0);
  worker.set_member();
  worker.switch_to(State::kUseful, 2);
  worker.switch_to(State::kOmp, 10);
  rank.thread.book(20);
  rank.process.restart_regions(rank.thread);
  worker.switch_to(State::kUseful, 23);
  worker.switch_to(State::kOmp, 27);
  const RegionTotals global = *find(rank.totals(50), "Global");
  EXPECT_EQ(30 + 4, global.useful_sum_ns);
  EXPECT_EQ(26, global.omp_sum_ns);
}

// Regions 0 to 79 and Global do not fit into a table of 72.
TEST(Regions, ThoseThatDoNotTravelAreMarked) {
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

TEST(Regions, AProcessWithRoomDoesNotSpoilTheClocksOfOthers) {
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

TEST(Regions, AMessageCutShortSaysSo) {
  Rank rank;
  for (int i = 0; i < 5; ++i) rank.open("r" + std::to_string(i), 0);
  ClockMessage message;
  rank.thread.book(10);
  rank.thread.store_to(message, 3);
  EXPECT_EQ(3, message.count);
  EXPECT_EQ(1, message.incomplete);
}

TEST(Regions, ThePathOutsideMpiIsNoLongerThanAll) {
  // A worker receives a long path; the primary, which knows nothing of it,
  // sends to a process that goes on for long.
  Rank far;
  Rank near;
  Rank end;
  for (Rank* rank : {&far, &near, &end}) rank->open("Global", 0);
  Thread& worker = near.process.add_thread(ThreadKind::kWorker, 0);
  worker.set_member();
  worker.switch_to(State::kMpi, 5);
  worker.book(10);
  worker.merge(far.send(1000));
  const ClockMessage message = near.send(20);
  end.receive(message, 20, 21);
  const JobTotals job =
      combine(far.totals(1000), combine(near.totals(25), end.totals(900)));
  const RegionTotals& global = *find(job, "Global");
  EXPECT_EQ(1000 + 15, global.all_ns);
  EXPECT_EQ(1000 + 15, global.com_ns);
}

TEST(Regions, ALateClockFromBeforeTheRegionGainsNothingByTheTimeBetween) {
  Rank sender;
  Rank rank;
  sender.open("late", 0);
  const ClockMessage message = sender.send(5);
  Thread& worker = rank.process.add_thread(ThreadKind::kWorker, 0);
  worker.set_member();
  worker.switch_to(State::kMpi, 10);
  worker.book(12);
  const Moment moment = worker.moment();
  rank.open("late", 100);
  worker.merge_late(message, moment);
  rank.close("late", 107);
  EXPECT_EQ(5 + 7, find(rank.totals(200), "late")->com_ns);
}

TEST(Regions, MisuseIsCountedAndHarmsNothing) {
  Rank rank;
  Thread& worker = rank.process.add_thread(ThreadKind::kWorker, 0);
  worker.set_member();
  rank.open("good", 10);
  rank.close("never opened", 12);
  rank.open("", 14);
  worker.book(20);
  rank.process.region_start(worker, "good");
  rank.close("good", 25);
  worker.book(30);
  rank.process.region_stop(worker, "good");
  rank.close("good", 35);
  const std::string long_name(200, 'x');
  rank.open(long_name, 40);
  rank.close(long_name, 41);
  rank.open("left open", 50);
  const JobTotals job = rank.totals(60);
  EXPECT_EQ(20, find(job, "good")->elapsed_max_ns);
  EXPECT_EQ(1, find(job, "good")->visits);
  EXPECT_EQ(1, find(job, long_name.substr(0, 127))->elapsed_max_ns);
  EXPECT_EQ(10, find(job, "left open")->elapsed_max_ns);
  EXPECT_EQ(2, job.quality.stops_without_start);
  EXPECT_EQ(1, job.quality.regions_dropped);
  EXPECT_EQ(1, job.quality.shared_starts);
  EXPECT_EQ(1, job.quality.starts_without_stop);
  EXPECT_EQ(0, job.quality.closure_error_ns);
}

TEST(Regions, BeyondTheTableAreRefusedAndCounted) {
  Rank rank;
  for (int i = 0; i < kMaxRegions + 3; ++i) {
    rank.open("r" + std::to_string(i), i);
    rank.close("r" + std::to_string(i), i + 1);
  }
  const JobTotals job = rank.totals(1000);
  EXPECT_EQ(static_cast<size_t>(kMaxRegions), job.regions.size());
  EXPECT_EQ(3, job.quality.regions_dropped);
  EXPECT_EQ(1, find(job, "r" + std::to_string(kMaxRegions - 1))->all_ns);
}

// So many at once that they go through the list that all threads share.
TEST(Threads, GetTeamsAndGroupsOfOthersWithoutTheirClocks) {
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

TEST(Threads, OneThatOpenMPDoesNotKnowIsKeptApart) {
  Rank rank;
  rank.open("Global", 0);
  Thread& foreign = rank.process.add_thread(ThreadKind::kForeign, 10);
  foreign.switch_to(State::kMpi, 10);
  foreign.switch_to(State::kOmp, 25);
  const JobTotals job = rank.totals(100);
  EXPECT_EQ(1, job.threads);
  EXPECT_EQ(100, find(job, "Global")->elapsed_weighted_ns);
  EXPECT_EQ(0, find(job, "Global")->mpi_sum_ns);
  EXPECT_EQ(1, job.quality.foreign_threads);
  EXPECT_EQ(15, job.quality.foreign_mpi_ns);
}

}  // namespace
}  // namespace poprt
