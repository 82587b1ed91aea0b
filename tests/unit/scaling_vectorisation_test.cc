// Operations per cycle and vectorisation in scaling tables: D8.2's Figure 18,
// and runs of one configuration that counted different things.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "compare/checks.h"
#include "compare/difference.h"
#include "compare/scaling_document.h"
#include "document/render.h"
#include "model/quantities.h"
#include "unit/has.h"
#include "unit/scaling_rows.h"
#include "unit/test_runs.h"

namespace poprt {
namespace {

using test::region;
using test::row;
using test::run;
using test::value;

struct Count {
  std::string counter;
  double value;
};
using Counts = std::vector<Count>;

RunFile counting_run(int64_t threads, const Counts& counts) {
  RegionTotals global = region("Global", threads, 100, 80);
  for (const Count& each : counts) {
    set_amount(counter_amount(each.counter), std::llround(each.value),
               &global.amounts);
  }
  return run(1, threads, {std::move(global)});
}

ScalingStudy study_of(std::vector<RunFile> runs) {
  return {configurations_of(std::move(runs)), 0, Scaling::kStrong};
}

// The eight counters; those that are not named are 0.
Counts with_all_eight(Counts counts) {
  for (const FloatCounter& each : kFloatCounters) {
    const std::string name = each.name;
    const bool is_one_of_eight =
        (name.starts_with("fp_scalar_") || name.starts_with("fp_packed_"));
    const bool is_named = std::ranges::any_of(
        counts, [&](const Count& count) { return count.counter == name; });
    if (is_one_of_eight && !is_named) counts.push_back({name, 0});
  }
  return counts;
}

// ONE View, 1 process with 1, 2 and 4 threads.  It weighs instructions that no
// counter counts, so no single set of counts has all three rows: here one set
// has OPC and Vectorisation Intensity, another Vectorisation Efficiency.
struct Figure18 {
  int64_t threads;
  double ipc, opc, efficiency, intensity;
  double opc_scaling, efficiency_scaling, intensity_scaling;
};
constexpr Figure18 kFigure18[] = {
    {1, 2.0323, 2.7202, 35.1582, 19.6958, 100, 100, 100},
    {2, 2.0040, 2.7098, 35.1164, 19.7369, 99.62, 99.88, 100.21},
    {4, 1.8959, 2.5464, 34.4605, 19.6134, 93.61, 98.02, 99.58},
};

TEST(Figure18, OperationsPerCycleAndIntensityScale) {
  std::vector<RunFile> runs;
  constexpr double kInstructions = 1e15;
  for (const Figure18& f : kFigure18) {
    // Vectors of two and of eight numbers.
    const double packed = f.intensity / 100;
    const double more = f.opc / f.ipc - 1;  // operations than instructions
    const double of_eight = (more - packed) / 6;
    runs.push_back(counting_run(
        f.threads,
        with_all_eight(
            {{"PAPI_TOT_INS", kInstructions},
             {"PAPI_TOT_CYC", kInstructions / f.ipc},
             {"fp_packed_128_double", kInstructions * (packed - of_eight)},
             {"fp_packed_512_double", kInstructions * of_eight}})));
  }
  const ScalingStudy study = study_of(std::move(runs));
  const auto rows = scaling_table(study, "Global", Model::kPop);
  for (size_t i = 0; i < std::size(kFigure18); ++i) {
    const Figure18& f = kFigure18[i];
    EXPECT_NEAR(f.ipc, value(rows, "average_ipc", i), 1e-9);
    EXPECT_NEAR(f.opc, value(rows, "average_opc", i), 1e-9);
    EXPECT_NEAR(f.intensity, 100 * value(rows, "vectorisation_intensity", i),
                1e-9);
    EXPECT_NEAR(f.opc_scaling, 100 * value(rows, "opc_scaling", i), .005);
    EXPECT_NEAR(f.intensity_scaling,
                100 * value(rows, "vectorisation_intensity_scaling", i), .005);
    // They are no part of it.
    EXPECT_EQ(0, row(rows, "opc_scaling").metric.depth);
    EXPECT_NEAR(1, value(rows, "computation_scaling", i), 1e-9);
  }
}

TEST(Figure18, VectorisationEfficiencyScales) {
  std::vector<RunFile> runs;
  for (const Figure18& f : kFigure18) {
    // An eighth for scalars, 1 for full vectors.
    const double full = (f.efficiency / 100 - 0.125) / 0.875;
    runs.push_back(counting_run(
        f.threads, with_all_eight({{"fp_scalar_double", 1e15 * (1 - full)},
                                   {"fp_packed_512_double", 1e15 * full}})));
  }
  const ScalingStudy study = study_of(std::move(runs));
  const auto rows = scaling_table(study, "Global", Model::kPop);
  for (size_t i = 0; i < std::size(kFigure18); ++i) {
    const Figure18& f = kFigure18[i];
    EXPECT_NEAR(f.efficiency, 100 * value(rows, "vectorisation_efficiency", i),
                1e-9);
    EXPECT_NEAR(f.efficiency_scaling,
                100 * value(rows, "vectorisation_efficiency_scaling", i), .005);
  }
}

// One run counts instructions, one single and one double precision.
std::vector<RunFile> runs_with_three_sets(int64_t threads, double scale) {
  const auto part = [&](const std::string& end, double first) {
    Counts counts;
    for (const char* const width :
         {"fp_scalar_", "fp_packed_128_", "fp_packed_256_", "fp_packed_512_"}) {
      counts.push_back({width + end, scale * (first += 100)});
    }
    return counts;
  };
  return {counting_run(threads, {{"PAPI_TOT_INS", 90000},
                                 {"PAPI_TOT_CYC", 30000 / scale},
                                 {"useful_ns", 10000}}),
          counting_run(threads, part("single", 0)),
          counting_run(threads, part("double", 1000))};
}

TEST(ScalingTable, TakesEachCounterFromTheRunsThatHaveIt) {
  std::vector<RunFile> runs = runs_with_three_sets(1, 1);
  for (RunFile& each : runs_with_three_sets(4, 2)) {
    runs.push_back(std::move(each));
  }
  const ScalingStudy study = study_of(std::move(runs));
  ASSERT_EQ(2u, study.configurations.size());
  const auto rows = scaling_table(study, "Global", Model::kPop);
  const double operations = 90000 + 3 * 200 + 7 * 300 + 15 * 400 +  // single
                            1 * 1200 + 3 * 1300 + 7 * 1400;
  EXPECT_DOUBLE_EQ(operations / 30000, value(rows, "average_opc", 0));
  EXPECT_DOUBLE_EQ(3, value(rows, "average_frequency", 0));
  EXPECT_DOUBLE_EQ((2 * operations - 90000) / 15000,
                   value(rows, "average_opc", 1));
  EXPECT_DOUBLE_EQ(1, value(rows, "vectorisation_efficiency_scaling", 1));
  EXPECT_DOUBLE_EQ(2, value(rows, "vectorisation_intensity_scaling", 1));
  EXPECT_DOUBLE_EQ(2, value(rows, "ipc_scaling", 1));
  EXPECT_EQ("", row(rows, "average_opc").cells[0].reason);
}

TEST(ScalingTable, SaysWhichCountersAreMissing) {
  std::vector<RunFile> runs = runs_with_three_sets(1, 1);
  runs.push_back(counting_run(4, {{"PAPI_TOT_INS", 90000}}));
  const ScalingStudy study = study_of(std::move(runs));
  const auto rows = scaling_table(study, "Global", Model::kPop);
  EXPECT_HAS(row(rows, "opc_scaling").cells[1].reason, "all-sets");
  // Without any such counter there is no such row.
  const ScalingStudy without =
      study_of({counting_run(1, {{"PAPI_TOT_INS", 90000}}),
                counting_run(2, {{"PAPI_TOT_INS", 90000}})});
  for (const ScalingRow& each : scaling_table(without, "Global", Model::kPop)) {
    EXPECT_LACKS(std::string(each.metric.key), "vectorisation");
  }
}

TEST(Changes, TakeEachCounterFromTheRunsThatHaveIt) {
  const std::vector<Change> rows = changes(
      test::only(runs_with_three_sets(2, 1)),
      test::only(runs_with_three_sets(2, 2)), "Global", Model::kComputation);
  const auto change = [&](const std::string& key) {
    const auto found = std::ranges::find_if(
        rows, [&](const Change& each) { return each.metric.key == key; });
    EXPECT_NE(rows.end(), found) << key;
    return *found;
  };
  // Twice the floating-point instructions among as many in half the cycles.
  EXPECT_DOUBLE_EQ(3, change("ipc").a.mean);
  EXPECT_DOUBLE_EQ(change("vectorisation_intensity").a.mean,
                   change("vectorisation_intensity").difference);
  EXPECT_DOUBLE_EQ(0, change("vectorisation_efficiency").difference);
  EXPECT_GT(change("opc").difference, 1);
  EXPECT_EQ("", change("opc").reason);
}

TEST(CheckThresholds, TakeEachCounterFromTheRunsThatHaveIt) {
  const auto metrics = metrics_in(Model::kComputation);
  const auto opc = std::ranges::find_if(metrics, [](const Metric& each) {
    return std::string(each.key) == "opc";
  });
  const std::vector<Check> checks = check_thresholds(
      test::only(runs_with_three_sets(2, 1)), {{"Global", *opc, 3}});
  ASSERT_EQ(1u, checks.size());
  EXPECT_GT(checks[0].value, 3);
  EXPECT_TRUE(passed(checks[0]));
}

TEST(ScalingText, HasVectorisationInAllFormats) {
  std::vector<RunFile> runs = runs_with_three_sets(1, 1);
  for (RunFile& each : runs_with_three_sets(4, 2)) {
    runs.push_back(std::move(each));
  }
  const ScalingStudy study = study_of(std::move(runs));
  const ScalingOptions options = {{Model::kPop}, {"Global"}, false};
  const Document document = scaling_document(study, "strong", options);
  for (const std::string& text :
       {render_text(document, {}), render_markdown(document)}) {
    EXPECT_HAS(text, "OPC Scaling");
    EXPECT_HAS(text, "Vectorisation Intensity");
  }
  const std::string csv = scaling_csv(study, options);
  EXPECT_HAS(csv, ",opc_scaling,");
  EXPECT_HAS(csv, ",vectorisation_efficiency,");
}

}  // namespace
}  // namespace poprt
