// Parallel regions, in the orders that LLVM 19 reports them in.
#include <gtest/gtest.h>
#include <unistd.h>

#include <map>
#include <string>
#include <vector>

#include "layer/counted_work.h"
#include "layer/fake_openmp.h"
#include "model/members.h"
#include "model/quantities.h"
#include "noted.h"
#include "ompt/runtime_image.h"

namespace poprt {
namespace {

// LLVM 19 shows `teams` as a league of initial tasks, in each of which the
// region itself and any `parallel` are serialised regions.
TEST(OmptRegions, LeagueOfTeamsJoinsItsInitialTasks) {
  FakeOpenMp omp;
  Data league{}, a{}, b{};
  omp.at(0, 10).parallel_begin(omp.initial, league);
  omp.at(0, 10).implicit_begin(&league, a, 0, ompt_task_initial);
  omp.at(1, 12).thread_begin(ompt_thread_worker);
  omp.at(1, 12).implicit_begin(&league, b, 1, ompt_task_initial);
  Data outer{}, outer_task{}, inner{}, inner_task{};
  omp.at(1, 20).parallel_begin(b, outer);
  omp.at(1, 20).implicit_begin(&outer, outer_task, 0);
  omp.at(1, 20).parallel_begin(outer_task, inner);
  omp.at(1, 20).implicit_begin(&inner, inner_task, 0);
  omp.at(1, 50).implicit_end(inner_task, 0);
  omp.at(1, 50).parallel_end(inner, outer_task);
  omp.at(1, 50).implicit_end(outer_task, 0);
  omp.at(1, 50).parallel_end(outer, b);
  omp.at(0, 30).sync(ompt_sync_region_barrier_teams, ompt_scope_begin, &league,
                     a);
  omp.at(1, 60).sync(ompt_sync_region_barrier_teams, ompt_scope_begin, &league,
                     b);
  omp.at(0, 70).sync(ompt_sync_region_barrier_teams, ompt_scope_end, nullptr,
                     a);
  omp.at(0, 70).implicit_end(a, 0, ompt_task_initial);
  omp.at(0, 70).parallel_end(league, omp.initial);
  omp.at(0, 80).implicit_end(omp.initial, 1, ompt_task_initial);
  omp.at(0, 80).thread_end();
  omp.at(1, 81).sync(ompt_sync_region_barrier_teams, ompt_scope_end, nullptr,
                     b);
  omp.at(1, 81).implicit_end(b, 1, ompt_task_initial);
  omp.at(1, 82).thread_end();
  const RegionTotals t = omp.totals(90);
  EXPECT_EQ(2, t.threads);
  EXPECT_EQ((10 + 20 + 20) + 48, t.useful_sum_ns);
  EXPECT_EQ(10 + 48 + 20, t.cue_ns);
}

// In a league of one team, LLVM 19 begins the initial task with the data word
// of the team that the thread reuses for serialised regions: null, or left over
// from a region that has ended.
TEST(OmptRegions, LeagueOfOneTeamIsTheOneThatTheThreadOpened) {
  FakeOpenMp omp;
  Data serial_team{};
  for (int64_t from : {0, 100}) {
    Data league{}, team{}, outer{}, outer_task{}, inner{}, a{}, b{};
    omp.at(0, from + 10).parallel_begin(omp.initial, league, nullptr, true);
    omp.at(0, from + 11)
        .implicit_begin(&serial_team, team, 0, ompt_task_initial);
    omp.at(0, from + 20).parallel_begin(team, outer);
    serial_team = outer;
    omp.at(0, from + 20).implicit_begin(&serial_team, outer_task, 0);
    omp.fork_new(from + 20, outer_task, inner, a, b);
    omp.at(1, from + 30).join_begin(inner, b);
    omp.at(0, from + 40).join_begin(inner, a);
    omp.at(0, from + 40).primary_end(inner, a, outer_task);
    omp.at(0, from + 50).implicit_end(outer_task, 0);
    omp.at(0, from + 50).parallel_end(outer, team);
    omp.at(0, from + 60).implicit_end(team, 0, ompt_task_initial);
    omp.at(0, from + 62).parallel_end(league, omp.initial);
    omp.at(1, from + 90).worker_late_end(b, 1);
    EXPECT_FALSE(omp.thread(0)->in_parallel());
  }
  const RegionTotals t = omp.totals(200);
  EXPECT_EQ(2, t.threads);
  EXPECT_EQ(2 * (97 + 10), t.useful_sum_ns);
  EXPECT_EQ(2 * 48, t.serial_sum_ns);
  // Of the 52 in a league, the primary was busy for 49.
  EXPECT_EQ(2 * (52 - 49), t.talp_omp_scheduling_ns);
  EXPECT_EQ(2 * (2 * 52 - 59) - 2 * 2 * 3, 2 * t.talp_omp_load_balance_ns);
  EXPECT_EQ(2 * 48, 2 * t.talp_omp_serial_ns);
  int64_t visits = 0;
  int64_t time_ns = 0;
  for (const ConstructTotals& c : omp.job(200).constructs) {
    visits += c.visits;
    time_ns += c.time_ns;
  }
  EXPECT_EQ(2, visits);
  EXPECT_EQ(2 * 52, time_ns);
}

// A thread of the program that uses OpenMP from `begin_ns` on, and works
// for 50.
void use_openmp(FakeOpenMp& omp, int thread, int64_t begin_ns) {
  Data none{}, initial{}, region{}, task{};
  omp.at(thread, begin_ns).thread_begin(ompt_thread_initial);
  omp.at(thread, begin_ns).implicit_begin(&none, initial, 1, ompt_task_initial);
  omp.at(thread, begin_ns).parallel_begin(initial, region);
  omp.at(thread, begin_ns).implicit_begin(&region, task, 0);
  omp.at(thread, begin_ns + 50).implicit_end(task, 0);
  omp.at(thread, begin_ns + 50).parallel_end(region, initial);
  omp.at(thread, begin_ns + 50).implicit_end(initial, 1, ompt_task_initial);
}

TEST(OmptRegions, ThreadThatEndsFreesItsCore) {
  FakeOpenMp omp;
  for (int i = 1; i <= 3; ++i) {
    use_openmp(omp, i, 100 * i);
    omp.at(i, 100 * i + 50).thread_end();
    EXPECT_EQ(nullptr, t_thread);
  }
  // Two at once need two cores.
  use_openmp(omp, 4, 400);
  use_openmp(omp, 5, 400);
  const RegionTotals t = omp.totals(450);
  EXPECT_EQ(3, t.threads);
  EXPECT_EQ(450 + 5 * 50, t.useful_sum_ns);
  EXPECT_EQ(3 * 50 + 50, omp.thread(4)->useful_ns());
}

// The core of a worker, which is in parallel regions only.
TEST(OmptRegions, CoreOfAWorkerIsTakenByAThreadOfTheProgram) {
  FakeOpenMp omp;
  Data region{}, first{}, second{};
  omp.fork_new(0, omp.initial, region, first, second);
  omp.at(1, 10).join_begin(region, second);
  omp.at(0, 20).join_begin(region, first);
  omp.at(0, 20).primary_end(region, first, omp.initial);
  omp.at(1, 30).worker_late_end(second, 1);
  omp.at(1, 30).thread_end();
  use_openmp(omp, 2, 40);
  EXPECT_FALSE(omp.thread(2)->in_parallel());
  EXPECT_EQ(2, omp.totals(90).threads);
  EXPECT_EQ(10 + 50, omp.thread(2)->useful_ns());
}

// `target nowait`: LLVM 19 has one more initial thread, whose team waits for
// such tasks.
struct HiddenHelpers : testing::Test {
  ~HiddenHelpers() override { ompt::set_runtime_image(nullptr); }
  // Thread 5 forks their team, which thread 6 joins.
  void begin(int64_t now_ns) {
    omp.at(5, now_ns).thread_begin(ompt_thread_initial);
    begin_in_thread(now_ns);
  }
  void begin_in_thread(int64_t now_ns) {
    ompt::set_runtime_image(reinterpret_cast<const void*>(getppid));  // in libc
    omp.at(5, now_ns).implicit_begin(&none, initial, 1, ompt_task_initial);
    omp.at(5, now_ns).parallel_begin(initial, helpers,
                                     reinterpret_cast<const void*>(getpid));
    omp.at(6, now_ns).thread_begin(ompt_thread_worker);
    omp.at(6, now_ns).implicit_begin(&helpers, second, 1);
  }

  FakeOpenMp omp;
  Data none{}, initial{}, helpers{}, first{}, second{}, task{};
};

TEST_F(HiddenHelpers, DoNotKeepTheCoreOfAThreadThatHasEnded) {
  use_openmp(omp, 1, 0);
  Thread* const core = omp.thread(1);
  omp.at(1, 50).thread_end();
  omp.at(5, 100).thread_begin(ompt_thread_initial);
  EXPECT_EQ(core, t_thread);
  begin_in_thread(100);
  EXPECT_NE(core, t_thread);
  omp.at(5, 100).implicit_begin(&helpers, first, 0);
  EXPECT_NE(core, t_thread);
  use_openmp(omp, 2, 200);
  EXPECT_EQ(core, omp.thread(2));
  EXPECT_EQ(2, omp.totals(250).threads);
}

TEST_F(HiddenHelpers, AreNoMembers) {
  begin(10);
  omp.at(5, 12).implicit_begin(&helpers, first, 0);
  omp.at(6, 14).join_begin(helpers, second);
  omp.at(0, 20).task_create(omp.initial, task, ompt_task_target);
  omp.at(6, 21).schedule(&second, ompt_task_switch, &task);
  omp.at(6, 31).schedule(&task, ompt_task_complete, &second);
  omp.at(0, 22).sync(ompt_sync_region_taskwait, ompt_scope_begin, &none,
                     omp.initial);
  omp.at(0, 32).sync(ompt_sync_region_taskwait, ompt_scope_end, &none,
                     omp.initial);
  RegionTotals t = omp.totals(40);
  EXPECT_EQ(1, t.threads);
  EXPECT_EQ(22 + 8, t.useful_sum_ns);
  EXPECT_EQ(20 + 10 + 8, t.cue_ns);

  // A thread of the program that uses OpenMP for itself is a member.
  Data own_initial{}, own{}, own_task{};
  omp.at(7, 50).thread_begin(ompt_thread_initial);
  omp.at(7, 50).implicit_begin(&none, own_initial, 1, ompt_task_initial);
  omp.at(7, 60).parallel_begin(own_initial, own);
  omp.at(7, 60).implicit_begin(&own, own_task, 0);
  t = omp.totals(70);
  EXPECT_EQ(2, t.threads);
  EXPECT_EQ(60 + 20, t.useful_sum_ns);
}

// A parallel region inside `target nowait` belongs to the helper thread that
// executes it. Like the task itself, it is not on the program's threads.
TEST_F(HiddenHelpers, BeginRegionsThatAreNotTheProgram) {
  begin(0);
  // Until all helpers have arrived.
  omp.at(6, 50'000'000).join_begin(helpers, second);
  omp.at(5, 50'000'000).implicit_begin(&helpers, first, 0);
  const int64_t begin = 100'000'000;
  omp.at(0, begin).task_create(omp.initial, task, ompt_task_target);
  omp.at(6, begin).schedule(&second, ompt_task_switch, &task);
  Data league{}, team{}, region{}, a{}, b{};
  omp.at(6, begin).parallel_begin(task, league, nullptr, true);
  omp.at(6, begin).implicit_begin(&none, team, 0, ompt_task_initial);
  omp.at(6, begin).parallel_begin(team, region);
  omp.at(6, begin).implicit_begin(&region, a, 0);
  omp.at(1, begin).thread_begin(ompt_thread_worker);
  omp.at(1, begin).implicit_begin(&region, b, 1);
  omp.at(1, begin + 3'000'000).join_begin(region, b);
  omp.at(6, begin + 5'000'000).join_begin(region, a);
  omp.at(6, begin + 5'000'000).primary_end(region, a, team);
  omp.at(6, begin + 5'000'000).implicit_end(team, 0, ompt_task_initial);
  omp.at(6, begin + 5'000'000).parallel_end(league, task);
  omp.at(6, begin + 5'000'000).schedule(&task, ompt_task_complete, &second);
  const RegionTotals t = omp.totals(200'000'000);
  EXPECT_EQ(1, t.threads);
  EXPECT_EQ(200'000'000, t.useful_sum_ns);
  EXPECT_EQ(0, t.talp_omp_load_balance_ns);
  const std::vector<std::string> notes = omp.job(200'000'000).quality.notes;
  ASSERT_EQ(1u, notes.size());
  EXPECT_NOTED("openmp_helpers", notes);
  EXPECT_EQ(
      "helper threads of the OpenMP runtime executed 8 ms of `target nowait`, "
      "which is in no figure here",
      notes[0]);
}

// Threads of the program have parallel regions of their own, while the primary
// thread is serial and while it is in one.
TEST(OmptRegions, RegionsOfOtherThreadsLeaveEachTimeInItsRange) {
  FakeOpenMp omp({}, {}, /*thread_rows=*/true);
  Data none{}, initial{}, own{}, a{}, b{};
  omp.at(7, 0).thread_begin(ompt_thread_initial);
  omp.at(7, 0).implicit_begin(&none, initial, 1, ompt_task_initial);
  omp.at(7, 10).parallel_begin(initial, own);
  omp.at(7, 10).implicit_begin(&own, a, 0);
  omp.at(8, 10).thread_begin(ompt_thread_worker);
  omp.at(8, 10).implicit_begin(&own, b, 1);
  Data region{}, c{}, d{};
  omp.fork_new(60, omp.initial, region, c, d);
  omp.at(0, 70).join_begin(region, c);
  omp.at(1, 70).join_begin(region, d);
  omp.at(0, 80).primary_end(region, c, omp.initial);
  omp.at(8, 90).join_begin(own, b);
  omp.at(7, 90).join_begin(own, a);
  omp.at(7, 90).primary_end(own, a, initial);
  const JobTotals job = omp.job(100);
  const RegionTotals t = omp.totals(100);
  EXPECT_EQ(4, t.threads);
  EXPECT_EQ((60 + 10 + 20) + 10 + 100 + 80, t.useful_sum_ns);
  // On the process's time line the region takes 20. The primary and its worker
  // are idle for 10 of it, threads 7 and 8 never.
  EXPECT_EQ(20 / 4, t.talp_omp_scheduling_ns);
  EXPECT_EQ(0, t.talp_omp_load_balance_ns);
  EXPECT_EQ((t.omp_sum_ns - 20) / 4, t.talp_omp_serial_ns);
  // With what thread 7 does outside of parallel regions.
  EXPECT_EQ(80 + 80 + 20, amount(t, kOpenMpOtherTeams));
  // What each thread loses is not known then.
  ASSERT_EQ(4u, t.thread_rows.size());
  for (const ThreadRow& row : t.thread_rows) {
    for (const Member<ThreadRow>& source : kThreadSourceMembers) {
      EXPECT_EQ(ThreadRow::kNotKnown, row.*source.value) << source.name;
    }
  }
  // The work of threads 7 and 8 is in no construct's time. So it is in the
  // account of the rest, with what thread 7 does outside of regions.
  int64_t useful_ns = 0;
  int64_t time_ns = 0;
  for (const ConstructTotals& construct : job.constructs) {
    useful_ns += construct.useful_ns;
    time_ns += construct.time_ns;
  }
  EXPECT_EQ(20, time_ns);
  EXPECT_EQ(20 + 80 + 80 + 20, useful_ns);
  EXPECT_EQ(t.useful_sum_ns - t.serial_sum_ns, useful_ns);
}

// exit() inside a parallel region: the time until then counts as a region.
TEST(OmptRegions, OpenRegionHasTheTimeThatItHasTaken) {
  FakeOpenMp omp;
  Data region{}, a{}, b{};
  const void* const code = reinterpret_cast<const void*>(getppid);
  omp.fork_new(10, omp.initial, region, a, b, code);
  omp.at(1, 30).join_begin(region, b);
  const JobTotals job = omp.job(100);
  ASSERT_EQ(1u, job.constructs.size());
  const ConstructTotals& construct = job.constructs[0];
  EXPECT_EQ(1, construct.visits);
  EXPECT_EQ(90, construct.time_ns);
  EXPECT_EQ(180, construct.weighted_ns);
  EXPECT_EQ(90 + 20, construct.useful_ns);
}

// Each of the program's regions has what began in it, the job all of it.
// Other threads go on while the report is made as of a moment before.
TEST(OmptRegions, EndsWithTheReportWhoeverWorksOn) {
  FakeOpenMp omp;
  Data region{}, primary{}, worker{};
  const void* const code = reinterpret_cast<const void*>(getppid);
  omp.fork(0, omp.initial, region, primary, worker, code);
  omp.at(1, 60).join_begin(region, worker);

  const JobTotals job = omp.job(50);
  EXPECT_EQ(50 + 50, job.regions[0].useful_sum_ns);
  ASSERT_EQ(1u, job.constructs.size());
  EXPECT_EQ(50 + 50, job.constructs[0].useful_ns);
}

TEST(OmptRegions, CountInEachRegionThatIsOpen) {
  FakeOpenMp omp;
  Process& process = measured_process();
  const void* const code = reinterpret_cast<const void*>(getppid);
  int64_t now = 0;
  const auto run = [&](int64_t useful_ns) {
    Data region{}, a{}, b{};
    omp.fork(now, omp.initial, region, a, b, code);
    omp.at(1, now).join_begin(region, b);
    now += useful_ns;
    omp.at(0, now).join_begin(region, a);
    omp.at(0, now).primary_end(region, a, omp.initial);
    omp.at(1, now).worker_late_end(b, 1);
  };
  omp.at(1, 0).thread_begin(ompt_thread_worker);
  run(10);
  process.region_start(*omp.thread(0), "outer");
  run(20);
  process.region_start(*omp.thread(0), "inner");
  run(40);
  run(80);
  process.region_stop(*omp.thread(0), "inner");
  process.region_stop(*omp.thread(0), "outer");
  process.region_start(*omp.thread(0), "inner");
  run(160);
  process.region_stop(*omp.thread(0), "inner");

  std::map<std::string, std::vector<int64_t>> found;
  for (const ConstructTotals& c : omp.job(now).constructs) {
    if (c.module.empty()) continue;
    EXPECT_EQ(c.time_ns, c.useful_ns);
    EXPECT_EQ(2 * c.time_ns, c.weighted_ns);
    found[c.region] = {c.visits, c.time_ns};
  }
  const std::map<std::string, std::vector<int64_t>> expected = {
      {"", {5, 310}}, {"outer", {3, 140}}, {"inner", {3, 280}}};
  EXPECT_EQ(expected, found);
}

// The join barrier ends with the region, also for a runtime that reports the
// ends of both.
TEST(OmptRegions, JoinThatIsReportedInFullIsTheSameJoin) {
  FakeOpenMp omp;
  Data region{}, a{}, b{};
  constexpr int kJoin = ompt_sync_region_barrier_implicit_parallel;
  omp.fork(0, omp.initial, region, a, b);
  omp.at(0, 10).sync(kJoin, ompt_scope_begin, &region, a);
  omp.at(1, 30).sync(kJoin, ompt_scope_begin, &region, b);
  omp.at(1, 32).sync(kJoin, ompt_scope_end, &region, b);
  omp.at(1, 33).implicit_end(b, 1);
  omp.at(0, 35).sync(kJoin, ompt_scope_end, &region, a);
  omp.at(0, 36).implicit_end(a, 0);
  omp.at(0, 40).parallel_end(region, omp.initial);
  const RegionTotals t = omp.totals(50);
  EXPECT_EQ(10 + 30 + 10, t.useful_sum_ns);
  EXPECT_EQ(30 + 10, t.cue_ns);
}

// By one in 61 events.
TEST(OmptRegions, WorkThatIsDueIsDone) {
  FakeOpenMp omp;
  EXPECT_EQ(
      1, work_done_in([&] {
        for (int i = 0; i < 31; ++i) {
          Data region{}, primary{};
          omp.at(0, 10 + 10 * i).parallel_begin(omp.initial, region);
          omp.at(0, 12 + 10 * i).implicit_begin(&region, primary, 0);
          omp.at(0, 14 + 10 * i).join_begin(region, primary);
          omp.at(0, 16 + 10 * i).primary_end(region, primary, omp.initial);
        }
      }));
}

// LLVM 19 may tell the end of the worker's task before that of the region.
TEST(OmptRegions, LosesTheSameWhenAWorkersEndIsToldEarly) {
  const auto mpi_inside_ns = [](bool early) {
    FakeOpenMp omp;
    Process& process = measured_process();
    Data region{}, a{}, b{}, task{};
    omp.at(0, 0).parallel_begin(omp.initial, region);
    omp.at(0, 0).implicit_begin(&region, a, 0);
    omp.at(0, 0).task_create(a, task);
    omp.at(1, 0).thread_begin(ompt_thread_worker);
    omp.at(1, 0).implicit_begin(&region, b, 1);
    omp.at(1, 20).join_begin(region, b);
    omp.thread(0)->switch_to(State::kMpi, 20);
    omp.thread(0)->book(50);
    process.region_start(*omp.thread(0), "part");
    omp.at(1, 60).schedule(&b, ompt_task_switch, &task);
    omp.at(1, 70).schedule(&task, ompt_task_complete, &b);
    omp.thread(0)->switch_to(State::kUseful, 90);
    process.region_stop(*omp.thread(0), "part");
    omp.at(0, 100).join_begin(region, a);
    if (early) omp.at(1, 100).worker_late_end(b, 1);
    omp.at(0, 100).primary_end(region, a, omp.initial);
    if (!early) omp.at(1, 100).worker_late_end(b, 1);
    omp.fork(110, omp.initial, region, a, b);
    omp.at(1, 120).join_begin(region, b);
    omp.at(0, 120).join_begin(region, a);
    omp.at(0, 120).primary_end(region, a, omp.initial);
    return amount(omp.totals(120, "part"), kOpenMpMpiInside);
  };
  EXPECT_LT(0, mpi_inside_ns(false));
  EXPECT_EQ(mpi_inside_ns(false), mpi_inside_ns(true));
}

}  // namespace
}  // namespace poprt
