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

TEST(ScalingVotes, TwoOfTwoAreEnough) {
  const Work fewest = {4, 100, 380, kNaN, kNaN, kNaN};
  const ScalingVotes strong =
      scaling_votes(fewest, {36, 15, 400, kNaN, kNaN, kNaN});
  EXPECT_EQ(2u, strong.votes.size());
  EXPECT_EQ(Scaling::kStrong, decided(strong));
  const ScalingVotes weak =
      scaling_votes(fewest, {36, 110, 3600, kNaN, kNaN, kNaN});
  EXPECT_EQ(Scaling::kWeak, decided(weak));
  EXPECT_EQ(
      "from 4 to 36 cores: useful time per core x 1.05, run time x 1.10 "
      "(strong "
      "scaling: x 0.11, weak: x 1.00); 0 votes for strong, 2 for weak",
      evidence(weak));
}

TEST(ScalingVotes, OfWorkCountMoreThanThoseOfRunTime) {
  // A strong scaling study that scales badly: the run time votes for neither,
  // then for weak scaling.
  const Work fewest = {1, 100, 100, kNaN, kNaN, kNaN};
  const ScalingVotes one =
      scaling_votes(fewest, {16, 25, 110, kNaN, kNaN, kNaN});
  ASSERT_EQ(2u, one.votes.size());
  EXPECT_EQ(Scaling::kStrong, one.votes[0].scaling);
  EXPECT_EQ(std::nullopt, one.votes[1].scaling);
  EXPECT_EQ(Scaling::kStrong, decided(one));
  EXPECT_NE(std::string::npos,
            evidence(one).find("1 vote for strong, 0 for weak; the first "
                               "decides, or --scaling"));
  const ScalingVotes tie =
      scaling_votes(fewest, {16, 80, 110, kNaN, kNaN, kNaN});
  EXPECT_EQ(Scaling::kWeak, tie.votes[1].scaling);
  EXPECT_EQ(Scaling::kStrong, decided(tie));
  // With instructions the vote is clear.
  const Work counted = {1, 100, 100, 1000, 500, 100};
  EXPECT_EQ(Scaling::kStrong,
            decided(scaling_votes(counted, {16, 80, 110, 1100, 550, 110})));
}

TEST(ScalingVotes, DecideAStudyOfOneAndTwoCores) {
  const Work one = {1, 100, 95, kNaN, kNaN, kNaN};
  for (const double run_time : {51., 60., 70., 77., 90., 110.}) {
    for (const double useful : {95., 100., 110., 130.}) {
      EXPECT_EQ(
          Scaling::kStrong,
          decided(scaling_votes(one, {2, run_time, useful, kNaN, kNaN, kNaN})))
          << run_time << " " << useful;
    }
    EXPECT_EQ(Scaling::kWeak,
              decided(scaling_votes(one, {2, 105, 190, kNaN, kNaN, kNaN})));
  }
}

TEST(ScalingVotes, AreNotNeededForOneNumberOfCores) {
  const ScalingVotes votes = scaling_votes({4, 100, 380, kNaN, kNaN, kNaN},
                                           {4, 300, 1000, kNaN, kNaN, kNaN});
  EXPECT_EQ(0u, votes.votes.size());
  EXPECT_EQ(Scaling::kStrong, decided(votes));
  EXPECT_EQ("all runs have 4 cores: strong and weak are the same here",
            evidence(votes));
}

// Runs of one command line with the same work per rank, and 16 % more if there
// are several ranks.
RunFile by_ranks(int64_t ranks, int64_t threads) {
  const int64_t useful = ranks * (ranks > 1 ? 1160000 : 1000000);
  RunFile file =
      global_run(ranks, threads, 2 * useful / ranks / threads, useful);
  file.report.regions[0].totals.processes = ranks;
  file.report.context.command = {"./app", "--per-rank", "64"};
  return file;
}

TEST(ScalingChoice, OfThreadsAddedToTheSameWorkIsByRanks) {
  const auto configurations = configurations_of(
      {by_ranks(1, 1), by_ranks(1, 4), by_ranks(16, 1), by_ranks(16, 4)});
  // By cores the load would be weak, too, but computation scaling would be
  // nearly four times too good.
  EXPECT_EQ(Scaling::kWeak, decided(scaling_votes(configurations)));
  const ScalingStudy by_cores = {configurations, 0, Scaling::kWeak, {}};
  EXPECT_NEAR(3.45,
              value(scaling_table(by_cores, "Global", Model::kPop),
                    "computation_scaling", 3),
              .01);
  const auto choice = scaling_choice(configurations);
  ASSERT_TRUE(choice);
  EXPECT_EQ(Scaling::kWeak, choice->scaling);
  EXPECT_EQ(Load::By::kRanks, choice->load.by);
  EXPECT_EQ(
      "weak, load by ranks: runs of the same ranks and command line differ in "
      "their threads, so the work does not grow with these; from 1 to 16 "
      "ranks: useful time per rank x 1.16, run time x 1.16 (strong scaling: x "
      "0.06, weak: x 1.00); 0 votes for strong, 2 for weak",
      choice->how);
  const ScalingStudy study = {configurations, 0, choice->scaling, choice->load};
  const auto rows = scaling_table(study, "Global", Model::kPop);
  const double kLoads[] = {1, 1, 16, 16};
  const double kComputation[] = {1, 1, 1 / 1.16, 1 / 1.16};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_DOUBLE_EQ(kLoads[i], value(rows, "load_increase_factor", i));
    EXPECT_NEAR(kComputation[i], value(rows, "computation_scaling", i), 1e-9);
  }
  EXPECT_EQ(Load::By::kRanks, load_choice(configurations).first.by);
}

TEST(ScalingChoice, TakesWhatTheWorkIsNearerTo) {
  const auto choice_of = [](std::vector<RunFile> runs) {
    const auto choice = scaling_choice(configurations_of(std::move(runs)));
    return std::string(name_of(choice->scaling)) + " " + name_of(choice->load);
  };
  // No two runs have the same number of ranks.
  EXPECT_EQ("weak ranks", choice_of({by_ranks(1, 1), by_ranks(16, 4)}));
  EXPECT_EQ("weak ranks", choice_of({by_ranks(1, 1), by_ranks(4, 4)}));
  EXPECT_EQ("weak cores", choice_of({by_ranks(1, 4), by_ranks(16, 4)}));
  EXPECT_EQ("weak cores", choice_of({global_run(1, 1, 100, 90),
                                     global_run(4, 4, 105, 1440)}));
  EXPECT_EQ("strong cores",
            choice_of({global_run(1, 1, 100, 90), global_run(4, 4, 9, 99)}));
  // It is not known whether these runs had the same command line.
  EXPECT_EQ("weak cores",
            choice_of({global_run(1, 1, 100, 90), global_run(1, 4, 105, 360)}));
  EXPECT_EQ(Load::By::kCores,
            load_choice(configurations_of({global_run(1, 1, 100, 90),
                                           global_run(4, 4, 105, 1440)}))
                .first.by);
}

TEST(ScalingChoice, OfThreadsOnlyIsStrongIfMetadataAreTheSameToo) {
  const auto with_size = [](RunFile file, const std::string& size) {
    file.report.totals.metadata = {{"size", size, 0}};
    return file;
  };
  const auto scaling = [](std::vector<RunFile> runs) {
    return scaling_choice(configurations_of(std::move(runs)))->scaling;
  };
  RunFile one = by_ranks(1, 1);
  RunFile four = by_ranks(1, 4);
  four.report.regions[0].totals.useful_sum_ns = 3800000;
  EXPECT_EQ(Scaling::kStrong, scaling({one, four}));
  EXPECT_EQ(Scaling::kStrong,
            scaling({with_size(one, "9"), with_size(four, "9")}));
  EXPECT_EQ(Scaling::kWeak,
            scaling({with_size(one, "9"), with_size(four, "36")}));
}

TEST(ScalingChoice, TakesTheLoadThatTheProgramGave) {
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
  EXPECT_EQ(1, scaling_votes(all).cores_from);
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
  EXPECT_NE(std::string::npos,
            incomparable(idle, true).find("app.poprt.json has no useful time"));
  const auto empty = configurations_of({run(1, 1, {})});
  EXPECT_NE("", incomparable(empty, true));
}

}  // namespace
}  // namespace poprt
