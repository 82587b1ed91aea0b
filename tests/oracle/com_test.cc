// COM and COMP where threads keep them (docs/edges.md): when they begin to, and
// what there is no room for. How long they are is asked of random programs.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "noted.h"
#include "openmp/tasking.h"
#include "oracle/rank.h"

namespace poprt::oracle {
namespace {

// A process of two threads, the second one of which is a worker.
struct TwoThreads {
  TwoThreads() { rank.open("Global", 0); }
  ~TwoThreads() { delete omp_thread(worker); }

  void fork(int64_t now_ns) {
    team = parallel_begin(primary, initial, now_ns);
    task = implicit_task_begin(primary, team, true, now_ns);
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

}  // namespace
}  // namespace poprt::oracle
