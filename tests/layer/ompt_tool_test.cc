// How the tool starts, what it does outside measurement, and with what it does
// not know.
#include <gtest/gtest.h>

#include "layer/fake_openmp.h"
#include "measure/call_cost.h"
#include "measure/call_sites.h"
#include "noted.h"
#include "ompt/callbacks.h"

extern "C" ompt_start_tool_result_t* ompt_start_tool(unsigned, const char*);

namespace poprt {
namespace {

TEST(OmptTool, TellsWhichRuntimeStarted) {
  g_lifecycle = {};
  FakeOpenMp omp;
  EXPECT_TRUE(omp.tool_is_active());
  EXPECT_EQ("fake OpenMP 1.0", g_lifecycle.runtime);
  const std::vector<std::string> notes = omp.job(10).quality.notes;
  EXPECT_TRUE(notes.empty());
  EXPECT_NOT_NOTED("openmp_events", notes);
  EXPECT_NOT_NOTED("openmp_no_callbacks", notes);
  EXPECT_NOT_NOTED("openmp_helpers", notes);
  EXPECT_NOT_NOTED("openmp_no_sources", notes);
  EXPECT_NOT_NOTED("openmp_singles", notes);
}

// omp_pause_resource() ends the runtime, and the program goes on.
TEST(OmptTool, GoesOnAfterTheRuntime) {
  g_lifecycle = {};
  FakeOpenMp omp;
  omp.at(0, 10).finalize();
  EXPECT_EQ("", g_lifecycle.runtime);  // lifecycle.h knows that it has ended
  EXPECT_EQ(20, omp.totals(20).useful_sum_ns);
}

TEST(OmptTool, RuntimeThatStartsAgainIsMeasuredOn) {
  g_lifecycle = {};
  FakeOpenMp omp;
  for (int visit = 0; visit < 3; ++visit) {
    const int64_t begin = 100 * visit;
    if (visit > 0) omp.at(0, begin).start_again();
    Data region{}, first{}, second{};
    omp.fork(begin, omp.initial, region, first, second);
    omp.at(1, begin + 80).join_begin(region, second);
    omp.at(0, begin + 100).join_begin(region, first);
    omp.at(0, begin + 100).primary_end(region, first, omp.initial);
    omp.at(1, begin + 100).worker_late_end(second, 1);
    omp.at(1, begin + 100).thread_end();
    omp.at(0, begin + 100).finalize();
  }
  const RegionTotals t = omp.totals(300);
  EXPECT_EQ(2, t.threads);
  EXPECT_EQ(3 * (100 + 80), t.useful_sum_ns);
  EXPECT_EQ(0, t.serial_sum_ns);
}

TEST(OmptTool, IsInactiveWhereMeasurementCannotStart) {
  g_lifecycle = {};
  g_lifecycle.may_start = false;
  FakeOpenMp omp;
  EXPECT_FALSE(omp.tool_is_active());
  g_lifecycle = {};
}

TEST(OmptTool, MissingCallbacksAreOneNoteNotTheEndOfTheProgram) {
  FakeOpenMp omp({ompt_callback_sync_region, ompt_callback_nest_lock});
  EXPECT_TRUE(omp.tool_is_active());
  const std::vector<std::string> notes = omp.job(10).quality.notes;
  ASSERT_EQ(1u, notes.size());
  EXPECT_NOTED("openmp_events", notes);
  EXPECT_EQ(
      "the OpenMP runtime does not report all events; what depends on them is "
      "not measured: sync_region, nest_lock",
      notes[0]);
}

TEST(OmptTool, RuntimeWithoutSetCallbackIsANote) {
  FakeOpenMp omp;
  const ompt_function_lookup_t nothing =
      [](const char*) -> ompt_interface_fn_t { return nullptr; };
  EXPECT_EQ(0, ompt_start_tool(1, nullptr)->initialize(nothing, 0, nullptr));
  const std::vector<std::string> notes = omp.job(10).quality.notes;
  EXPECT_EQ(1u, notes.size());
  EXPECT_NOTED("openmp_no_callbacks", notes);
}

// As LLVM's runtime tells of programs built by GCC, and of its own.
TEST(OmptTool, ASingleWithoutAnEndIsNoted) {
  for (const bool ends : {false, true}) {
    FakeOpenMp omp;
    Data region{}, a{}, b{};
    omp.fork(10, omp.initial, region, a, b);
    omp.at(1, 20).work(ompt_work_single_executor, ompt_scope_begin, &region, b,
                       1);
    if (ends) {
      omp.at(1, 30).work(ompt_work_single_executor, ompt_scope_end, &region, b,
                         1);
    }
    omp.at(1, 40).join_begin(region, b);
    omp.at(0, 50).join_begin(region, a);
    omp.at(0, 50).primary_end(region, a, omp.initial);
    omp.at(1, 50).worker_late_end(b, 1);
    const std::vector<std::string> notes = omp.job(60).quality.notes;
    if (ends) {
      EXPECT_NOT_NOTED("openmp_singles", notes);
    } else {
      EXPECT_NOTED("openmp_singles", notes);
    }
  }
}

// A thread of a team whose others were never told of.
TEST(OmptTool, WaitsForNobodyKnownAreNotedFromOnePercentOn) {
  for (const int64_t wait_ns : {5, 500}) {
    FakeOpenMp omp;
    Data region{}, a{};
    omp.at(0, 10).parallel_begin(omp.initial, region);
    omp.at(0, 10).implicit_begin(&region, a, 0);
    omp.at(0, 10 + wait_ns).join_begin(region, a);
    omp.at(0, 10 + wait_ns).primary_end(region, a, omp.initial);
    const std::vector<std::string> notes = omp.job(1000).quality.notes;
    if (wait_ns == 5) {
      EXPECT_NOT_NOTED("openmp_no_sources", notes);
    } else {
      EXPECT_NOTED("openmp_no_sources", notes);
    }
  }
}

TEST(OmptTool, ProgramWithoutParallelRegionIsUseful) {
  FakeOpenMp omp;
  const RegionTotals t = omp.totals(50);
  EXPECT_EQ(1, t.threads);
  EXPECT_EQ(50, t.useful_sum_ns);
  EXPECT_EQ(50, t.cue_ns);
}

TEST(OmptTool, ControlToolOpensAndClosesPcontrol) {
  FakeOpenMp omp;
  omp.at(0, 10).control_tool(1);
  omp.at(0, 30).control_tool(2);
  omp.at(0, 40).control_tool(1);
  omp.at(0, 45).control_tool(4);
  omp.at(0, 50).control_tool(3);  // flush
  omp.at(0, 50).control_tool(64);
  const RegionTotals t = omp.totals(60, "Pcontrol");
  EXPECT_EQ(2, t.visits);
  EXPECT_EQ(25, t.useful_sum_ns);
}

TEST(OmptTool, NothingIsTouchedOutsideMeasurement) {
  FakeOpenMp omp;
  Data region{}, a{}, b{};
  omp.fork(10, omp.initial, region, a, b);
  omp.at(0, 20).job(20);
  g_phase.store(Phase::kFinished);
  const int64_t last = omp.thread(0)->last_event_ns();
  Data task{};
  omp.at(0, 30).task_create(a, task);
  omp.at(1, 30).join_begin(region, b);
  omp.at(0, 30).schedule(&a, ompt_task_switch, &task);
  omp.at(0, 30).acquired(ompt_mutex_lock, 7);
  omp.at(0, 40).primary_end(region, a, omp.initial);
  omp.at(1, 40).worker_late_end(b, 1);
  omp.at(9, 40).thread_begin(ompt_thread_worker);
  EXPECT_EQ(last, omp.thread(0)->last_event_ns());
  EXPECT_EQ(nullptr, task.ptr);
  EXPECT_EQ(nullptr, omp.thread(9));
}

// Events that began before the measurement leave null pointers.
TEST(OmptTool, MeasurementMayStartInTheMiddleOfARegion) {
  FakeOpenMp omp;
  Data region{}, a{}, b{}, unseen{}, child{};
  omp.at(1, 10).sync(ompt_sync_region_barrier_explicit, ompt_scope_begin,
                     &region, b);
  omp.at(1, 20).sync(ompt_sync_region_barrier_explicit, ompt_scope_end, &region,
                     b);
  omp.at(0, 20).schedule(&a, ompt_task_switch, &unseen);
  omp.at(0, 30).task_create(unseen, child);
  omp.at(0, 40).schedule(&unseen, ompt_task_complete, &a);
  omp.at(0, 40).schedule(&a, ompt_task_switch, &child);
  omp.at(0, 50).schedule(&child, ompt_task_complete, &a);
  omp.at(0, 50).join_begin(region, a);
  omp.at(1, 55).join_begin(region, b);
  omp.at(0, 60).primary_end(region, a, omp.initial);
  omp.at(1, 60).worker_late_end(b, 1);
  Data other{}, task{};
  omp.at(0, 70).implicit_begin(&other, task, 0);
  omp.at(0, 80).implicit_end(task, 0);
  omp.at(0, 80).parallel_end(other, omp.initial);
  const RegionTotals t = omp.totals(100);
  EXPECT_EQ(1, t.threads);
  EXPECT_EQ(50 + 40, t.useful_sum_ns);
  EXPECT_EQ(nullptr, unseen.ptr);
}

// They would come twice in each barrier.
TEST(OmptTool, WaitsAreReportedFromTheFirstTaskGroupOn) {
  FakeOpenMp omp;
  EXPECT_FALSE(omp.reports(ompt_callback_sync_region_wait));
  Data none{};
  omp.at(0, 10).sync(ompt_sync_region_taskgroup, ompt_scope_begin, &none,
                     omp.initial);
  EXPECT_TRUE(omp.reports(ompt_callback_sync_region_wait));
  omp.at(0, 20).sync_wait(ompt_sync_region_taskgroup, ompt_scope_begin, &none,
                          omp.initial);
  omp.at(0, 50).sync_wait(ompt_sync_region_taskgroup, ompt_scope_end, &none,
                          omp.initial);
  omp.at(0, 50).sync(ompt_sync_region_taskgroup, ompt_scope_end, &none,
                     omp.initial);
  EXPECT_EQ(70, omp.totals(100).useful_sum_ns);
}

TEST(OmptTool, LoopsAreNotReportedBeforeTheFirstSingle) {
  FakeOpenMp omp;
  EXPECT_EQ(construct_sites_wanted(), omp.reports(ompt_callback_work));
  EXPECT_TRUE(omp.reports(ompt_callback_masked));
  ompt::want_singles();
  EXPECT_TRUE(omp.reports(ompt_callback_work));
}

TEST(OmptTool, UnknownValuesAreIgnored) {
  FakeOpenMp omp;
  Data region{};
  omp.at(0, 10).sync(15, ompt_scope_begin, &region, omp.initial);
  omp.at(0, 20).sync(ompt_sync_region_reduction, ompt_scope_begin, &region,
                     omp.initial);
  omp.at(0, 30).sync(ompt_sync_region_barrier_explicit, ompt_scope_beginend,
                     &region, omp.initial);
  omp.at(0, 40).sync_wait(15, ompt_scope_begin, &region, omp.initial);
  omp.at(0, 50).schedule(nullptr, 15, nullptr);
  omp.at(0, 50).schedule(&omp.initial, 15, nullptr);
  omp.at(0, 60).nest_lock(ompt_scope_beginend, 5);
  omp.at(0, 60).lock_destroy(12345);
  EXPECT_EQ(100, omp.totals(100).useful_sum_ns);
}

// The work at an event is timed with one of its two time stamps, so what is
// added is the way in and out without any.
TEST(OmptTool, OverheadOfAnEventHasItsTimeStampOnce) {
  g_call_way_ps = 10'000;
  constexpr int kTasks = 10 * Turns::kEach;
  // What is estimated is the work until the last piece that was timed.
  int64_t works = 0;
  const auto overhead_ns = [&works](int tasks) {
    FakeOpenMp omp;
    for (int i = 0; i < tasks; ++i) {
      Data task{};
      omp.at(0, 10).task_create(omp.initial, task);
      omp.at(0, 10).schedule(&omp.initial, ompt_task_switch, &task);
      omp.at(0, 10).schedule(&task, ompt_task_complete, &omp.initial);
    }
    works = omp.thread(0)->cost.works.turns.timed_count();
    return omp.job(20).quality.overhead_ns;
  };
  const int64_t overhead = overhead_ns(kTasks);
  EXPECT_EQ(10 * works, overhead);
  EXPECT_LE(3 * kTasks - Turns::kEach, works);
  g_call_way_ps = 0;
}

}  // namespace
}  // namespace poprt
