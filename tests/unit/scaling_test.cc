// Formulas against a reference run, and which runs are compared how.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "compare/difference.h"
#include "compare/scaling_kind.h"
#include "compare/scaling_table.h"
#include "compare/variants.h"
#include "unit/has.h"
#include "unit/scaling_rows.h"
#include "unit/test_jobs.h"
#include "unit/test_runs.h"

namespace poprt {
namespace {

using test::global_run;
using test::region;
using test::run;
using test::value;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(ScalingOf, StrongComparesTotals) {
  const Work reference = {4, 100, 360, 720, 900, 360};
  const Work work = {16, 40, 450, 750, 1000, 450};
  const ScalingMetrics m = scaling_of(work, reference, Scaling::kStrong);
  EXPECT_DOUBLE_EQ(1, m.load_increase_factor);
  EXPECT_DOUBLE_EQ(2.5, m.speedup);  // (14)
  EXPECT_DOUBLE_EQ(0.625, m.speedup_efficiency);
  EXPECT_DOUBLE_EQ(0.8, m.computation_scaling);                          // (15)
  EXPECT_DOUBLE_EQ(0.96, m.instruction_scaling);                         // (16)
  EXPECT_DOUBLE_EQ(0.75 / 0.8, m.ipc_scaling);                           // (12)
  EXPECT_DOUBLE_EQ((1000. / 450) / 2.5, m.frequency_scaling);            // (13)
  EXPECT_DOUBLE_EQ(0.4, global_efficiency(0.5, m.computation_scaling));  // (11)
}

TEST(ScalingOf, WeakTakesTheLoadIncreaseIntoAccount) {
  const Work reference = {4, 100, 360, 720, 900, 360, /*load=*/4};
  const Work work = {16, 125, 1600, 3000, 4000, 1600, /*load=*/16};
  const ScalingMetrics m = scaling_of(work, reference, Scaling::kWeak);
  EXPECT_DOUBLE_EQ(4, m.load_increase_factor);  // (17)
  EXPECT_DOUBLE_EQ(3.2, m.speedup);             // (18)
  EXPECT_DOUBLE_EQ(0.8, m.speedup_efficiency);
  EXPECT_DOUBLE_EQ(0.9, m.computation_scaling);   // (19)
  EXPECT_DOUBLE_EQ(0.96, m.instruction_scaling);  // (20)
}

TEST(ScalingOf, WhatIsUnknownIsUndefined) {
  const Work counted = {4, 100, 360, 720, 900, 360};
  const Work uncounted = {8, 60, 400, kNaN, kNaN, kNaN};
  const ScalingMetrics m = scaling_of(uncounted, counted, Scaling::kStrong);
  EXPECT_DOUBLE_EQ(0.9, m.computation_scaling);
  EXPECT_TRUE(std::isnan(m.instruction_scaling));
  EXPECT_TRUE(std::isnan(m.ipc_scaling));
  EXPECT_TRUE(std::isnan(m.frequency_scaling));
  const Work idle = {8, 60, 0, kNaN, kNaN, kNaN};
  EXPECT_TRUE(std::isnan(
      scaling_of(idle, counted, Scaling::kStrong).computation_scaling));
  RunFile incomplete = global_run(4, 1, 100, 360);
  incomplete.report.regions[0].clocks_complete = false;
  const Work unknown_time = work_of(incomplete.report);
  EXPECT_TRUE(
      std::isnan(scaling_of(counted, unknown_time, Scaling::kWeak).speedup));
  EXPECT_DOUBLE_EQ(360, unknown_time.useful_ns);
}

TEST(ScalingOf, TheTimeOfAnImportedRunIsKnown) {
  RunFile imported = global_run(4, 1, 100, 360);
  imported.report.regions[0].clocks_complete = false;
  imported.report.context.imported_from = "TALP 3.5.3";
  EXPECT_DOUBLE_EQ(100, work_of(imported.report).run_time_ns);
  const auto change =
      changes({"4x1", {imported}}, {"4x1", {imported}}, "Global", Model::kTalp);
  EXPECT_STREQ("run_time_ns", change[0].metric.key);
  EXPECT_DOUBLE_EQ(100, change[0].a.mean);
}

TEST(UsualModels, AreWhatAllRunsHave) {
  const RunFile own = global_run(1, 1, 10, 8);
  RunFile imported = global_run(2, 1, 10, 8);
  imported.report.context.imported_from = "TALP 3.5.3";
  EXPECT_EQ(std::vector{Model::kCriticalPath},
            usual_models(configurations_of({own, own})));
  EXPECT_EQ(std::vector{Model::kTalp},
            usual_models(configurations_of({own, imported})));
}

TEST(ScalingOf, TakesTheLoadThatTheProgramGave) {
  RunFile small = global_run(2, 1, 100, 180);
  RunFile large = global_run(2, 4, 130, 720);
  small.report.totals.metadata = {{"size", "1e3", 0}};
  large.report.totals.metadata = {{"size", "3000", 0}};
  const Load by_size = {Load::By::kMetadata, "size"};
  EXPECT_EQ("metadata size", name_of(by_size));
  const ScalingStudy study = {configurations_of({small, large}), 0,
                              Scaling::kWeak, by_size};
  const auto rows = scaling_table(study, "Global", Model::kPop);
  EXPECT_DOUBLE_EQ(3, value(rows, "load_increase_factor", 1));
  EXPECT_DOUBLE_EQ(.75, value(rows, "computation_scaling", 1));
  EXPECT_DOUBLE_EQ(3 / 1.3, value(rows, "speedup", 1));
  for (const char* const text : {"", "0", "-1", "1 MB", "inf", "nan", "x"}) {
    small.report.totals.metadata[0].value = text;
    EXPECT_TRUE(std::isnan(metadata_number(small.report, "size"))) << text;
  }
  EXPECT_TRUE(std::isnan(metadata_number(large.report, "length")));
}

TEST(Configurations, AreSortedByCoresThenThreadsAndHoldRepetitions) {
  RunFile unequal = global_run(2, 3, 10, 10);
  unequal.report.totals.threads_min = 2;
  unequal.report.totals.threads_max = 4;
  const auto all = configurations_of(
      {global_run(2, 4, 10, 10), unequal, global_run(8, 1, 10, 10),
       global_run(1, 2, 10, 10), global_run(2, 4, 11, 11)});
  std::string names;
  for (const Configuration& c : all) {
    names += c.name + ":" + std::to_string(c.runs.size()) + " ";
  }
  EXPECT_EQ("1x2:1 2x2-4=6:1 8x1:1 2x4:2 ", names);
}

RunFile started(RunFile run, const std::string& command,
                const std::string& version = "") {
  run.path = command + version + ".poprt.json";
  run.report.context.command = {command, "-x"};
  if (!version.empty()) {
    run.report.totals.metadata.push_back({"version", version, 0});
  }
  return run;
}

TEST(Configurations, OfOtherCommandsOrMetadataAreNotRepetitions) {
  const auto all =
      configurations_of({started(global_run(2, 1, 10, 18), "./new/app"),
                         started(global_run(2, 1, 10, 9), "./old/app"),
                         started(global_run(1, 1, 20, 18), "./old/app"),
                         started(global_run(2, 1, 11, 9), "./old/app")});
  EXPECT_EQ("1x1b, 2x1a, 2x1b", names_of(all));
  EXPECT_EQ(2u, all[2].runs.size());
  EXPECT_EQ((std::vector<std::string>{"a: ./new/app -x", "b: ./old/app -x"}),
            letter_notes(all));
  // From one core to two cores of the same version.
  EXPECT_EQ(2u, largest_like(all, 0));
  const auto versions =
      configurations_of({started(global_run(2, 1, 10, 18), "app", "1"),
                         started(global_run(2, 1, 10, 9), "app", "2"),
                         started(global_run(2, 1, 10, 9), "app")});
  EXPECT_EQ("2x1a, 2x1b, 2x1c", names_of(versions));
  EXPECT_EQ((std::vector<std::string>{"a: no version", "b: version=1",
                                      "c: version=2"}),
            letter_notes(versions));
  EXPECT_EQ(2u, largest_like(versions, 0));
}

TEST(Configurations, OfOtherMpisOrToolsAreNotRepetitions) {
  RunFile open_mpi = global_run(2, 1, 10, 18);
  open_mpi.report.context.mpi_library = "Open MPI 4";
  RunFile mpich = open_mpi;
  mpich.report.context.mpi_library = "MPICH 4";
  RunFile imported = global_run(2, 1, 10, 18);
  imported.report.context.imported_from = "TALP 3.5.3";
  EXPECT_EQ(3u, configurations_of({open_mpi, mpich, imported}).size());
}

TEST(Configurations, OfOtherShapesMayHaveOtherCommands) {
  const auto all =
      configurations_of({started(global_run(1, 1, 20, 18), "small"),
                         started(global_run(2, 1, 10, 18), "large", "2")});
  EXPECT_EQ("1x1, 2x1", names_of(all));
  EXPECT_EQ((std::vector<std::string>{
                "amber light, to be judged with care: 1x1, 2x1 (poprt report "
                "says why).",
                "2x1 was started as: large -x", "2x1 has version=2"}),
            variant_notes(all, 0));
  EXPECT_EQ((std::vector<std::string>{}), letter_notes(all));
}

TEST(Configurations, HaveCounterparts) {
  const auto both =
      configurations_of({started(global_run(2, 1, 10, 18), "x", "1"),
                         started(global_run(2, 1, 10, 18), "y", "1")});
  const auto next =
      configurations_of({started(global_run(2, 1, 10, 18), "x", "2"),
                         started(global_run(2, 1, 10, 18), "y", "2")});
  const auto one =
      configurations_of({started(global_run(2, 1, 10, 18), "z", "2"),
                         started(global_run(4, 1, 10, 18), "z", "2")});
  EXPECT_EQ(&next[1], counterpart_of(both[1], next));
  EXPECT_EQ(&both[0], counterpart_of(both[0], both));
  EXPECT_EQ(&one[0], counterpart_of(both[1], one));
  EXPECT_EQ(nullptr, counterpart_of(one[0], both));
  EXPECT_TRUE(have_shape_of(one[0], both));
  EXPECT_FALSE(have_shape_of(one[1], both));
}

TEST(Letters, GoOnAfterZ) {
  EXPECT_EQ("a", letter_of(0));
  EXPECT_EQ("z", letter_of(25));
  EXPECT_EQ("aa", letter_of(26));
  EXPECT_EQ("zz", letter_of(701));
  EXPECT_EQ("aaa", letter_of(702));
}

TEST(Incomparable, AreProgramsOfDifferentNamesAndRunsWithoutUsefulTime) {
  const auto programs =
      configurations_of({run(1, 1, {region("Global", 1, 10, 8)}, "bt.A"),
                         run(2, 1, {region("Global", 2, 5, 8)}, "bt.B")});
  EXPECT_EQ(
      "runs of different programs: bt.A in bt.A.poprt.json, bt.B in "
      "bt.B.poprt.json. --any-program compares them.",
      incomparable(programs, false));
  EXPECT_EQ("", incomparable(programs, true));
  // TALP's file does not name the program that it measured.
  RunFile imported = run(1, 1, {region("Global", 1, 10, 8)}, "talp_1x1");
  imported.report.context.imported_from = "TALP 3.5.3";
  EXPECT_EQ("",
            incomparable(configurations_of({imported, global_run(2, 1, 5, 8)}),
                         false));
  const auto idle = configurations_of({global_run(1, 1, 10, 0)});
  EXPECT_HAS(incomparable(idle, true), "app.poprt.json has no useful time");
  const auto empty = configurations_of({run(1, 1, {})});
  EXPECT_NE("", incomparable(empty, true));
}

}  // namespace
}  // namespace poprt
