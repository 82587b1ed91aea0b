// COM and COMP where threads keep them, worked out by hand (docs/edges.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "model/metrics.h"
#include "noted.h"
#include "openmp/locks.h"
#include "openmp/tasking.h"
#include "oracle/rank.h"

namespace poprt::oracle {
namespace {

// A process of two threads, the second one of which is a worker.
struct TwoThreads {
  TwoThreads() { rank.open("Global", 0); }
  ~TwoThreads() { delete omp_thread(worker); }

  void fork(int64_t now_ns, int64_t open_ns) {
    team = parallel_begin(primary, initial, now_ns);
    task = implicit_task_begin(primary, team, true, open_ns);
  }
  void fork(int64_t now_ns) {
    fork(now_ns, now_ns);
    begin(now_ns);
  }
  void begin(int64_t now_ns) {
    its_task = implicit_task_begin(worker, team, false, now_ns);
  }
  static void mpi(Thread& thread, int64_t from_ns, int64_t to_ns) {
    thread.switch_to(State::kMpi, from_ns);
    thread.entered_mpi();
    thread.switch_to(State::kUseful, to_ns);
  }
  void join(int64_t primary_ns, int64_t worker_ns, int64_t end_ns) {
    join_begin(primary, task, primary_ns);
    join_begin(worker, its_task, worker_ns);
    implicit_task_end(primary, task, end_ns);
    parallel_end(primary, team, end_ns);
  }
  RegionTotals global(int64_t now_ns) {
    return *find(rank.totals(now_ns), "Global");
  }

  Rank rank;
  Thread& primary = rank.thread;
  Thread& worker = rank.process.add_thread(ThreadKind::kWorker, 0);
  Task* const initial = initial_task_begin(primary, 0);
  Team* team = nullptr;
  Task* task = nullptr;
  Task* its_task = nullptr;
};

TEST(ComOfThreads, MpiThatIsHiddenBehindWorkCostsNothing) {
  TwoThreads two;
  two.fork(0);
  two.mpi(two.primary, 0, 300);
  two.join(300, 400, 400);
  const RegionTotals global = two.global(600);
  EXPECT_EQ(600, global.com_ns);
  EXPECT_EQ(600, global.comp_ns);
  const Metrics m = metrics_of(global, Layers{});
  EXPECT_DOUBLE_EQ(0.5, m.multiplicative.mpi_serialisation_efficiency);
  EXPECT_DOUBLE_EQ(1, m.multiplicative.mpi_transfer_efficiency);
}

TEST(ComOfThreads, MpiOfAWorkerForWhichOthersWaitCostsAll) {
  TwoThreads two;
  two.fork(0);
  two.mpi(two.worker, 0, 300);
  two.join(100, 300, 300);
  const RegionTotals global = two.global(400);
  EXPECT_EQ(200, global.com_ns);
  EXPECT_EQ(400, global.comp_ns);
  const Metrics m = metrics_of(global, Layers{});
  EXPECT_DOUBLE_EQ(1, m.multiplicative.mpi_communication_efficiency);
  EXPECT_DOUBLE_EQ(2, m.multiplicative.mpi_serialisation_efficiency);
  EXPECT_DOUBLE_EQ(0.5, m.multiplicative.mpi_transfer_efficiency);
}

TEST(ComOfThreads, AWaitForALockWhoseHolderIsInMpiIsOnNoPath) {
  TwoThreads two;
  Lock lock;
  two.fork(0);
  two.mpi(two.primary, 0, 200);
  const LockWait wait = lock_wait_begin(two.worker, &lock, 0);
  lock_left(two.primary, lock, 200);
  lock_wait_end(two.worker, wait, 200);
  two.join(250, 300, 300);
  const RegionTotals global = two.global(300);
  EXPECT_EQ(100, global.cue_ns);
  EXPECT_EQ(100, global.com_ns);
  EXPECT_EQ(300, global.comp_ns);
}

// Begins late, leaves barriers late, and the regions before and behind it.
RegionTotals with_latencies(bool calls_inside) {
  TwoThreads two;
  two.fork(0, 5);
  if (calls_inside) two.mpi(two.primary, 5, 5);
  two.begin(35);
  barrier_begin(two.primary, two.task, 55);
  barrier_begin(two.worker, two.its_task, 85);
  barrier_end(two.primary, two.task, 85);
  barrier_end(two.worker, two.its_task, 105);
  two.join(85, 205, 212);
  two.rank.open("second", 215);
  two.fork(220, 224);
  two.begin(240);
  two.join(300, 300, 310);
  two.rank.close("second", 320);
  return two.global(330);
}

TEST(ComOfThreads, IsThatOfTheLineWhereNoMpiIsInside) {
  for (const bool calls_inside : {false, true}) {
    const RegionTotals global = with_latencies(calls_inside);
    EXPECT_EQ(330, global.com_ns) << calls_inside;
    EXPECT_EQ(330, global.comp_ns) << calls_inside;
  }
}

TEST(ComOfThreads, ATeamOfOneThreadStaysOnTheLine) {
  TwoThreads two;
  const auto keeps = [&] { return two.rank.process.com_start() != nullptr; };
  // In a team of one in a team of `size`.
  const auto call = [&](uint32_t size, int64_t now_ns) {
    two.team = parallel_begin(two.primary, two.initial, now_ns);
    two.task = implicit_task_begin(two.primary, two.team, {0, size}, now_ns);
    Team* const inner = parallel_begin(two.primary, two.task, now_ns);
    Task* const task = implicit_task_begin(two.primary, inner, {0, 1}, now_ns);
    two.mpi(two.primary, now_ns, now_ns + 100);
    implicit_task_end(two.primary, task, now_ns + 100);
    parallel_end(two.primary, inner, now_ns + 100);
    implicit_task_end(two.primary, two.task, now_ns + 100);
    parallel_end(two.primary, two.team, now_ns + 100);
  };
  call(1, 100);
  EXPECT_FALSE(keeps());
  EXPECT_EQ(200, two.global(300).com_ns);
  EXPECT_EQ(300, two.global(300).comp_ns);
  call(2, 300);
  EXPECT_TRUE(keeps());
  EXPECT_EQ(200, two.global(400).com_ns);
  EXPECT_EQ(400, two.global(400).comp_ns);
}

// A message has room for 72 clocks, and COMP of a region is one more than the
// others where it is not COM.
JobTotals with_call_inside(int regions) {
  TwoThreads two;
  for (int i = 1; i < regions; ++i) two.rank.open("r" + std::to_string(i), 0);
  two.fork(0);
  two.mpi(two.primary, 0, 10);
  EXPECT_EQ(kTravellingRegions, two.rank.send(20).count);
  two.join(20, 20, 20);
  return two.rank.totals(20);
}

TEST(ComOfThreads, RegionsWhoseCompHasNoRoomInAMessageAreIncomplete) {
  constexpr int kCount = 50;  // with Global
  const auto name = [](int i) { return "r" + std::to_string(i); };
  EXPECT_NOT_NOTED("region_clocks",
                   with_call_inside(kTravellingRegions / 2).quality.notes);
  const JobTotals job = with_call_inside(kCount);
  EXPECT_TRUE(clocks_complete(job, *find(job, "Global")));
  const int room = kTravellingRegions - kCount;
  EXPECT_TRUE(clocks_complete(job, *find(job, name(room - 1))));
  EXPECT_FALSE(clocks_complete(job, *find(job, name(room))));
  EXPECT_NOTED("region_clocks", job.quality.notes);
  EXPECT_EQ(1, std::ranges::count(job.quality.notes,
                                  "MPI is called inside parallel regions, so "
                                  "messages have room for the clocks of the "
                                  "first 22 regions only"));
}

// The process begins to keep COM for each thread while one of them waits.
TEST(ComOfThreads, AWaitCountsFromTheCallOnOnlyWhatFollowsTheOneThatCame) {
  TwoThreads two;
  two.fork(0);
  barrier_begin(two.worker, two.its_task, 10);
  two.mpi(two.primary, 50, 150);
  barrier_begin(two.primary, two.task, 160);
  barrier_end(two.primary, two.task, 160);
  barrier_end(two.worker, two.its_task, 165);
  two.join(160, 200, 200);
  EXPECT_EQ(50 + 10 + 40, two.global(200).com_ns);
  EXPECT_EQ(200, two.global(200).comp_ns);
}

// As one line, the region's COMP would be 1050, above its ALL.
TEST(ComOfThreads, CompOfAMessageIsThatOfTheThreadThatSends) {
  Rank from;
  from.open("A", 0);
  TwoThreads two;
  two.rank.open("A", 400);
  two.fork(400);
  two.worker.switch_to(State::kMpi, 400);
  two.worker.entered_mpi();
  two.worker.book(500);
  two.worker.merge(from.send(500));
  two.worker.switch_to(State::kUseful, 500);
  two.primary.switch_to(State::kMpi, 550);
  two.primary.entered_mpi();
  ClockMessage message;
  two.primary.store_to(message);
  two.primary.switch_to(State::kUseful, 550);
  two.join(550, 500, 550);
  two.rank.close("A", 550);
  Rank to;
  to.receive(message, 0, 550);
  to.open("A", 550);
  const JobTotals job = combine(from.totals(500), to.totals(1050));
  EXPECT_EQ(650, find(job, "A")->comp_ns);
  EXPECT_EQ(650, find(job, "A")->com_ns);
  EXPECT_EQ(650, find(two.rank.totals(550), "A")->all_ns + 100);
}

}  // namespace
}  // namespace poprt::oracle
