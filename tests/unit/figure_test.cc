#include "compare/figure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compare/loss_steps.h"
#include "model/present_rows.h"
#include "model/quantities.h"
#include "report/table.h"
#include "sample_reports.h"
#include "test_runs.h"
#include "unit/has.h"

namespace poprt {
namespace {

ScalingStudy hybrid_study(bool rows = false) {
  std::vector<RunFile> runs;
  runs.emplace_back("hybrid.json", test::hybrid_report(rows));
  return {configurations_of(std::move(runs))};
}

// One run with 4 cores, two with 8 that differ.
ScalingStudy scaling_study() {
  return {configurations_of({test::global_run(4, 1, 1000, 3200),
                             test::global_run(8, 1, 600, 3200),
                             test::global_run(8, 1, 800, 3200)})};
}

ScalingOptions options_of(Model model) { return {{model}, {kGlobalRegion}}; }

Figure figure_of(const char* kind, const ScalingStudy& study,
                 Model model = Model::kPop) {
  return figure_kind(kind)->figure(study, options_of(model));
}

const std::vector<double>& values_of(const Figure& figure,
                                     const std::string& key) {
  for (const Series& series : figure.series) {
    if (series.key == key) return series.values;
  }
  ADD_FAILURE() << "no series " << key;
  static const std::vector<double> kNone;
  return kNone;
}

TEST(Figures, HaveAValueOfEachSeriesForEachName) {
  const ScalingStudy studies[] = {hybrid_study(true), scaling_study()};
  for (const FigureKind& kind : figure_kinds()) {
    for (const ScalingStudy& study : studies) {
      for (const Model model : {Model::kPop, Model::kCriticalPath,
                                Model::kAdditive, Model::kTalp}) {
        const Figure figure = kind.figure(study, options_of(model));
        EXPECT_FALSE(figure.axis.empty()) << kind.key;
        for (const Series& series : figure.series) {
          EXPECT_EQ(figure.names.size(), series.values.size())
              << kind.key << " " << series.key;
        }
        EXPECT_TRUE(!figure.names.empty() || *kind.lacks != '\0') << kind.key;
      }
    }
  }
}

TEST(Figures, AreFoundByName) {
  EXPECT_EQ(nullptr, figure_kind("pie"));
  std::set<std::string> keys;
  for (const FigureKind& kind : figure_kinds()) {
    EXPECT_EQ(&kind, figure_kind(kind.key));
    EXPECT_TRUE(keys.insert(kind.key).second);
  }
}

TEST(Figures, OfSpeedupHaveTheUsersLimit) {
  ScalingOptions options = {{Model::kPop}, {kGlobalRegion}};
  options.thresholds.good = 0.9;
  const Figure figure =
      figure_kind("speedup")->figure(scaling_study(), options);
  EXPECT_EQ((std::vector<double>{0.9, 1.8}), values_of(figure, "limit"));
}

TEST(Figures, OfSpeedupHaveMediansSpreadAndIdeal) {
  const Figure figure = figure_of("speedup", scaling_study());
  EXPECT_EQ((std::vector<std::string>{"4x1", "8x1"}), figure.names);
  EXPECT_EQ((std::vector<double>{4, 8}), values_of(figure, "cores"));
  EXPECT_EQ((std::vector<double>{1, 2}), values_of(figure, "ideal"));
  EXPECT_EQ((std::vector<double>{0.8, 1.6}), values_of(figure, "limit"));
  EXPECT_DOUBLE_EQ(600e-9, values_of(figure, "run_time_min_s")[1]);
  EXPECT_DOUBLE_EQ(700e-9, values_of(figure, "run_time_s")[1]);
  EXPECT_DOUBLE_EQ(800e-9, values_of(figure, "run_time_max_s")[1]);
  EXPECT_DOUBLE_EQ(1000.0 / 700, values_of(figure, "speedup")[1]);
  EXPECT_DOUBLE_EQ(1000.0 / 800, values_of(figure, "speedup_min")[1]);
  EXPECT_DOUBLE_EQ(1000.0 / 700 / 2,
                   values_of(figure, "speedup_efficiency")[1]);
}

// From all core time to what was useful, without a gap.
TEST(Figures, OfLossesEndAtTheParallelEfficiency) {
  const ScalingStudy study = hybrid_study();
  const RegionReport& global =
      study.configurations[0].runs[0].report.regions[0];
  for (const Model model :
       {Model::kPop, Model::kCriticalPath, Model::kMultiplicative,
        Model::kAdditive, Model::kTalp}) {
    const Figure figure = figure_of("waterfall", study, model);
    const std::vector<double>& from = values_of(figure, "from");
    const std::vector<double>& to = values_of(figure, "to");
    ASSERT_LT(3u, from.size()) << key_of(model);
    EXPECT_EQ(1, from[0]);
    for (size_t i = 1; i < from.size(); ++i) {
      EXPECT_DOUBLE_EQ(to[i - 1], from[i]) << figure.names[i];
    }
    EXPECT_EQ("useful", figure.names.back());
    EXPECT_EQ(0, to.back());
    const Metric parallel = metrics_in(model).front();
    EXPECT_NEAR(1 - parallel.value(global.losses), from.back(), 1e-9)
        << key_of(model);
  }
}

TEST(Figures, OfLossesHaveLabelsForDrawings) {
  const Figure figure = figure_of("waterfall", hybrid_study());
  ASSERT_EQ(figure.names.size(), figure.labels.size());
  EXPECT_EQ("Parallel Efficiency", figure.labels.back());
}

// What is there as a whole and by layer counts once.
TEST(LossSteps, AreThoseOfLayersWhereAModelHasThem) {
  const ScalingStudy study = hybrid_study();
  const JobReport& report = study.configurations[0].runs[0].report;
  for (const Model model : {Model::kPop, Model::kCriticalPath}) {
    bool has_whole = false;
    for (const Metric& step :
         loss_steps(shown_metrics(report, model), report.regions[0])) {
      EXPECT_NE(std::string("parallel_efficiency"), step.key);
      has_whole = has_whole || step.layer == Layer::kAny;
    }
    EXPECT_EQ(model == Model::kPop, has_whole) << key_of(model);
  }
}

TEST(LossSteps, NeedAKnownLoss) {
  EXPECT_TRUE(loss_steps({}, RegionReport{}).empty());
  RegionReport undefined = {};
  undefined.losses.pop.parallel_efficiency = std::nan("");
  const auto metrics = metrics_in(Model::kPop);
  EXPECT_TRUE(loss_steps({metrics.begin(), metrics.end()}, undefined).empty());
}

TEST(Figures, AreDrawnOverCoresOnlyIfTheseDiffer) {
  for (const FigureKind& kind : figure_kinds()) {
    const Figure one = kind.figure(hybrid_study(true), options_of(Model::kPop));
    EXPECT_EQ(kind.is_curve, why_not_drawn(kind, one) != nullptr) << kind.key;
    const Figure two = kind.figure(scaling_study(), options_of(Model::kPop));
    EXPECT_EQ(nullptr, why_not_drawn(kind, two)) << kind.key;
  }
}

// As if half of the core time of the run were waits for a core.
JobReport red_hybrid() {
  JobReport report = test::hybrid_report(true);
  set_amount(kWaitedForCore.name, job_core_ns(report) / 2,
             &report.totals.resources);
  return report;
}

TEST(Figures, NameNoLossOfARedRun) {
  std::vector<RunFile> runs;
  runs.emplace_back("red.json", red_hybrid());
  const ScalingStudy study = {configurations_of(std::move(runs))};
  for (const FigureKind& kind : figure_kinds()) {
    const Figure figure = kind.figure(study, options_of(Model::kPop));
    ASSERT_EQ(1u, figure.places.size()) << kind.key;
    EXPECT_TRUE(figure.places.front().is_red) << kind.key;
    EXPECT_EQ(kind.names_losses || kind.is_curve,
              why_not_drawn(kind, figure) != nullptr)
        << kind.key;
  }
  EXPECT_TRUE(figure_kind("waterfall")->names_losses);
}

TEST(Figures, KnowTheShapesOfRuns) {
  const Figure figure = figure_of("speedup", scaling_study());
  ASSERT_EQ(2u, figure.places.size());
  EXPECT_EQ(8, figure.places[1].ranks);
  EXPECT_EQ(1, figure.places[1].threads);
  EXPECT_EQ(8, figure.places[1].cores);
  EXPECT_FALSE(figure.places[1].is_red);
}

TEST(Figures, OfCurvesHaveTheSpreadOfRepeatedRuns) {
  const Figure figure = figure_of("computation", scaling_study());
  EXPECT_EQ("cores", figure.series[0].key);
  const Series& scaling = figure.series[1];
  EXPECT_EQ("Computation Scaling", scaling.label);
  ASSERT_EQ(2u, scaling.least.size());
  EXPECT_LE(scaling.least[1], scaling.values[1]);
  EXPECT_GE(scaling.most[1], scaling.values[1]);
}

TEST(Figures, OfCoreTimeAddUpToAllOfIt) {
  const ScalingStudy study = hybrid_study();
  const Figure figure = figure_of("breakdown", study);
  double sum = 0;
  for (const Series& series : figure.series) sum += series.values[0];
  EXPECT_NEAR(1, sum, 1e-3);
  EXPECT_GT(values_of(figure, "useful")[0], 0.5);
}

TEST(Figures, OfCoreTimeHaveNoZeroForWhatIsNotKnown) {
  ScalingStudy study = hybrid_study();
  Configuration unseen = study.configurations[0];
  JobTotals& totals = unseen.runs[0].report.totals;
  totals.has_openmp = false;
  totals.has_unseen_openmp = true;
  study.configurations.push_back(unseen);
  const Figure figure = figure_of("breakdown", study);
  int count = 0;
  for (const Series& series : figure.series) {
    const bool is_openmp = series.key.starts_with("openmp_");
    count += is_openmp ? 1 : 0;
    EXPECT_FALSE(std::isnan(series.values[0])) << series.key;
    EXPECT_EQ(is_openmp, std::isnan(series.values[1])) << series.key;
  }
  EXPECT_LT(1, count);
}

TEST(Figures, HaveKeysOfWhatTheyColour) {
  const ScalingStudy study = hybrid_study();
  for (const Series& part : figure_of("breakdown", study).series) {
    EXPECT_EQ(std::string::npos,
              part.key.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"))
        << part.key;
    EXPECT_NE("", part.label);
  }
  const Figure losses = figure_of("waterfall", study);
  ASSERT_EQ(losses.names.size(), losses.colours.size());
  for (size_t i = 0; i < losses.names.size(); ++i) {
    const bool is_mpi = losses.names[i].starts_with("mpi_");
    const bool is_openmp = losses.names[i].starts_with("openmp_");
    EXPECT_EQ(is_mpi      ? "mpi"
              : is_openmp ? "openmp"
                          : "rest",
              losses.colours[i]);
  }
}

TEST(Figures, OfRegionsAndProcessesHaveTheNumbersOfTheRun) {
  const ScalingStudy study = hybrid_study(true);
  const JobReport& report = study.configurations[0].runs[0].report;
  const Figure regions = figure_of("regions", study);
  ASSERT_EQ(report.regions.size() - 1, regions.names.size());
  EXPECT_EQ(report.regions[1].totals.name, regions.names[0]);
  EXPECT_DOUBLE_EQ(
      static_cast<double>(lost_core_ns(report.regions[1].totals)) / 1e9,
      values_of(regions, "lost_core_s")[0]);
  const std::vector<ProcessRow>& rows = report.regions[0].totals.rows;
  const Figure processes = figure_of("processes", study);
  ASSERT_EQ(rows.size(), processes.names.size());
  ASSERT_EQ(1u + kStates, processes.series.size());
  for (size_t i = 0; i < kStates; ++i) {
    const StateEntry& state = kStateTable[i];
    const Series& series = processes.series[i + 1];
    EXPECT_EQ(std::string(state.colour) + "_s", series.key);
    EXPECT_EQ(state.name, series.label);
    EXPECT_DOUBLE_EQ(
        static_cast<double>(rows.back().*process_time_of(kAllStates[i])) / 1e9,
        series.values.back());
  }
}

TEST(Figures, OfProcessesDoNotKnowAStateThatTheFileLacks) {
  ScalingStudy study = hybrid_study(true);
  JobReport& report = study.configurations[0].runs[0].report;
  report.totals.unknown_states.set(
      static_cast<size_t>(kAllStates[kStates - 1]));
  const Figure processes = figure_of("processes", study);
  for (size_t i = 0; i < kStates; ++i) {
    EXPECT_EQ(kAllStates[i] == kAllStates[kStates - 1],
              std::isnan(processes.series[i + 1].values.back()));
  }
}

TEST(Figures, OfProcessesAreEmptyWithoutRows) {
  EXPECT_TRUE(figure_of("processes", hybrid_study()).names.empty());
}

TEST(FigureCsv, HasALineForEachNameAndNoFormula) {
  const Figure figure = {
      "region", {"a,b", "=1+1"}, {{"x_s", {0.5, std::nan("")}}, {"y", {1, 2}}}};
  EXPECT_EQ(
      "region,x_s,y\n"
      "\"a,b\",0.5,1\n"
      "'=1+1,,2\n",
      figure_csv(figure));
}

TEST(FigureCsv, HasTheGradesOfARunThatCanBeJudged) {
  ScalingStudy study = hybrid_study();
  const std::string csv = figure_csv(
      figure_kind("table")->figure(study, {{Model::kPop}, {kGlobalRegion}}));
  const std::string name = study.configurations.front().name;
  EXPECT_HAS(csv, "," + name + "_grade");
  EXPECT_HAS(csv, ",attention");
  for (Configuration& each : study.configurations) {
    for (RunFile& run : each.runs) {
      run.report.totals.quality.closure_error_ns = job_core_ns(run.report);
    }
  }
  const std::string red = figure_csv(
      figure_kind("table")->figure(study, {{Model::kPop}, {kGlobalRegion}}));
  EXPECT_HAS(red, "," + name + "_grade");
  EXPECT_LACKS(red, "attention");
  EXPECT_LACKS(red, "poor");
}

}  // namespace
}  // namespace poprt
