// Regions of one process, worked out by hand: the times in them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/members.h"
#include "model/quantities.h"
#include "noted.h"
#include "oracle/rank.h"

namespace poprt::oracle {
namespace {

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

// The additive model's process is the primary thread's line: what a thread does
// that begins parallel regions of its own is beside it, also between them.
TEST(Regions, TellTheWorkOfThreadsBesideTheLine) {
  Rank rank;
  Thread& other = rank.process.add_thread(ThreadKind::kProgram, 0);
  other.set_member();
  rank.process.add_thread(ThreadKind::kWorker, 0).set_member();
  rank.open("a", 10);
  other.switch_to(State::kOmp, 70);
  const JobTotals job = rank.totals(100);
  EXPECT_EQ(60, amount(*find(job, "a"), kOpenMpOtherTeams));
  EXPECT_EQ(90, find(job, "a")->serial_sum_ns);
}

// A thread takes its time stamp before it may change a region. In between
// another thread changes one.
TEST(Regions, CountNoTimeTwiceWhenThreadsOpenThemInTurn) {
  Rank rank;
  Thread& other = rank.process.add_thread(ThreadKind::kForeign, 0);
  rank.open("Global", 0);
  other.book(10);
  rank.open("solve", 20);
  rank.close("solve", 30);
  rank.process.region_start(other, "solve");
  other.book(15);
  rank.thread.book(40);
  rank.process.region_stop(rank.thread, "solve");
  rank.open("solve", 50);
  rank.process.region_stop(other, "solve");
  const JobTotals job = rank.totals(60);
  EXPECT_EQ(20, find(job, "solve")->elapsed_max_ns);
  EXPECT_EQ(20, find(job, "solve")->useful_sum_ns);
  EXPECT_EQ(0, job.quality.closure_error_ns);
}

TEST(Regions, ThatSeveralThreadsHaveOpenAtATimeHaveANote) {
  Rank rank;
  Thread& other = rank.process.add_thread(ThreadKind::kForeign, 0);
  rank.open("solve", 2);
  rank.close("solve", 4);
  rank.process.region_start(other, "solve");
  rank.process.region_stop(other, "solve");
  EXPECT_NOT_NOTED("region_shared", rank.totals(8).quality.notes);
  rank.open("solve", 10);
  rank.process.region_start(other, "solve");
  rank.process.region_stop(other, "solve");
  rank.close("solve", 30);
  const Quality quality = rank.totals(60).quality;
  EXPECT_EQ(1, quality.shared_starts);
  ASSERT_EQ(1u, quality.notes.size());
  EXPECT_NOTED("region_shared", quality.notes);
  EXPECT_EQ(noted<"region_shared">("solve"), quality.notes[0]);
}

TEST(Regions, CanBeLookedAtWhileTheyAreOpen) {
  Rank rank;
  rank.open("Global", 0);
  rank.open("solve", 10);
  rank.thread.switch_to(State::kMpi, 15);
  rank.thread.switch_to(State::kUseful, 25);
  rank.thread.book(30);
  const JobTotals now = rank.process.totals_of("solve", 30, "node");
  ASSERT_EQ(1u, now.regions.size());
  EXPECT_EQ(20, now.regions[0].elapsed_max_ns);
  EXPECT_EQ(10, now.regions[0].useful_sum_ns);
  EXPECT_EQ(1, now.threads);
  EXPECT_TRUE(rank.process.totals_of("sol", 30, "node").regions.empty());
  // The query has changed nothing.
  rank.close("solve", 50);
  const JobTotals job = rank.totals(60);
  EXPECT_EQ(40, find(job, "solve")->elapsed_max_ns);
  EXPECT_EQ(10, find(job, "solve")->mpi_sum_ns);
  EXPECT_EQ(0, job.quality.closure_error_ns);
  const JobTotals later = rank.process.totals_of("solve", 60, "node");
  for (const Member<RegionTotals>& member : kRegionMembers) {
    EXPECT_EQ(find(job, "solve")->*member.value, later.regions[0].*member.value)
        << member.name;
  }
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

void enter_mpi(Thread& thread, bool io, int64_t now_ns) {
  thread.switch_to(State::kMpi, now_ns);
  if (io) thread.start_timing(State::kMpi, thread.process().account_of(kMpiIo));
}

void leave_mpi(Thread& thread, int64_t now_ns) {
  thread.switch_to(State::kUseful, now_ns);
  thread.stop_timing(State::kMpi);
}

// A process of two threads in calls of one kind: outside and inside parallel
// regions, while a region opens, and at the end.
RegionTotals totals_with_calls(bool io) {
  Rank rank;
  rank.open("Global", 0);
  enter_mpi(rank.thread, io, 10);
  rank.open("solve", 15);
  leave_mpi(rank.thread, 40);
  Task* const task = initial_task_begin(rank.thread, 40);
  Team* const team = parallel_begin(rank.thread, task, 50);
  Task* const own = implicit_task_begin(rank.thread, team, true, 51);
  Thread& worker = rank.process.add_thread(ThreadKind::kWorker, 51);
  Task* const other = implicit_task_begin(worker, team, false, 52);
  enter_mpi(rank.thread, io, 55);
  leave_mpi(rank.thread, 58);
  enter_mpi(worker, io, 60);
  leave_mpi(worker, 80);
  barrier_begin(worker, other, 90);
  barrier_begin(rank.thread, own, 91);
  implicit_task_end(rank.thread, own, 92);
  parallel_end(rank.thread, team, 93);
  enter_mpi(rank.thread, io, 95);
  const RegionTotals totals = *find(rank.totals(100), "solve");
  delete omp_thread(worker);
  return totals;
}

TEST(Regions, CountMpiIoAsMpiAndKeepItsSumApart) {
  const RegionTotals mpi = totals_with_calls(false);
  const RegionTotals io = totals_with_calls(true);
  EXPECT_EQ(0, amount(mpi, kMpiIo));
  EXPECT_EQ(25 + 20 + 3 + 5, io.mpi_sum_ns);
  EXPECT_EQ(io.mpi_sum_ns, amount(io, kMpiIo));
  for (const Member<RegionTotals>& member : kRegionMembers) {
    EXPECT_EQ(mpi.*member.value, io.*member.value) << member.name;
  }
}

TEST(Regions, TellMpiIoFromOtherCallsOfTheSameThread) {
  Rank rank;
  rank.open("Global", 0);
  enter_mpi(rank.thread, true, 10);
  rank.open("write", 12);
  leave_mpi(rank.thread, 20);
  rank.thread.switch_to(State::kMpi, 25);
  rank.thread.switch_to(State::kUseful, 29);
  rank.close("write", 30);
  enter_mpi(rank.thread, true, 40);
  leave_mpi(rank.thread, 70);
  EXPECT_EQ(10 + 4 + 30, rank.thread.mpi_ns());
  const JobTotals job = rank.totals(100);
  const RegionTotals& global = *find(job, "Global");
  EXPECT_EQ(10 + 4 + 30, global.mpi_sum_ns);
  EXPECT_EQ(10 + 30, amount(global, kMpiIo));
  EXPECT_EQ(56, global.com_ns);
  EXPECT_EQ(56, global.outside_mpi_max_ns);
  EXPECT_EQ(100, global.coo_ns);
  const RegionTotals& write = *find(job, "write");
  EXPECT_EQ(8 + 4, write.mpi_sum_ns);
  EXPECT_EQ(8, amount(write, kMpiIo));
  EXPECT_EQ(6, write.com_ns);
  EXPECT_EQ(0, job.quality.closure_error_ns);
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

}  // namespace
}  // namespace poprt::oracle
