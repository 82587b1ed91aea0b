// Tables of several runs, and what is made of them.
#include "compare/scaling_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "compare/checks.h"
#include "compare/difference_document.h"
#include "compare/scaling_document.h"
#include "document/render.h"
#include "share_of_cases.h"
#include "unit/has.h"
#include "unit/scaling_rows.h"
#include "unit/test_jobs.h"
#include "unit/test_runs.h"

namespace poprt {
namespace {

using test::global_run;
using test::region;
using test::row;
using test::run;
using test::value;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(ScalingTable, IsOfModelsWithAParallelEfficiency) {
  for (const Model model : kModels) {
    EXPECT_EQ(model != Model::kComputation && model != Model::kMpiTime,
              is_scaled(model))
        << key_of(model);
  }
}

TEST(ScalingTable, HasMedianAndSpreadOfRepeatedRuns) {
  const ScalingStudy study = {
      configurations_of({global_run(1, 1, 100, 100), global_run(1, 1, 110, 100),
                         global_run(1, 1, 90, 100), global_run(2, 1, 60, 100),
                         global_run(2, 1, 50, 125)}),
      0, Scaling::kStrong};
  const auto rows = scaling_table(study, "Global", Model::kPop);
  const Statistics& time = row(rows, "run_time_ns").cells[0].values;
  EXPECT_EQ(3u, time.count);
  EXPECT_DOUBLE_EQ(100, time.median);
  EXPECT_DOUBLE_EQ(90, time.min);
  EXPECT_DOUBLE_EQ(110, time.max);
  EXPECT_DOUBLE_EQ(55, value(rows, "run_time_ns", 1));
  // The speedup of the medians, not the median of 100/60 and 100/50.
  EXPECT_DOUBLE_EQ(100. / 55, value(rows, "speedup", 1));
  EXPECT_DOUBLE_EQ(100. / 60, row(rows, "speedup").cells[1].values.min);
  EXPECT_DOUBLE_EQ(2, row(rows, "speedup").cells[1].values.max);
  EXPECT_DOUBLE_EQ(100 / 112.5, value(rows, "computation_scaling", 1));
  EXPECT_DOUBLE_EQ(value(rows, "parallel_efficiency", 1) *
                       value(rows, "computation_scaling", 1),
                   value(rows, "global_efficiency", 1));
}

TEST(ScalingTable, ReferenceIsOneHoweverItsRunsDiffer) {
  const ScalingStudy study = {
      configurations_of(
          {global_run(1, 1, 1500, 1300), global_run(1, 1, 2110, 1400),
           global_run(2, 1, 1000, 1500), global_run(2, 1, 1554, 1200)}),
      0, Scaling::kStrong};
  const auto rows = scaling_table(study, "Global", Model::kPop);
  for (const char* key :
       {"speedup", "speedup_efficiency", "computation_scaling"}) {
    EXPECT_DOUBLE_EQ(1, value(rows, key, 0)) << key;
  }
  EXPECT_DOUBLE_EQ(value(rows, "parallel_efficiency", 0),
                   value(rows, "global_efficiency", 0));
  EXPECT_DOUBLE_EQ(1805. / 1277, value(rows, "speedup", 1));
}

TEST(ScalingTable, SaysWhyAValueIsMissing) {
  RunFile hybrid = run(2, 2,
                       {region("Global", 4, 50, 100, 50, 50),
                        region("late", 4, 20, 40, 20, 20)});
  RunFile serial = run(1, 1, {region("Global", 1, 100, 100, 100, 100)}, "app",
                       /*mpi=*/false);
  const ScalingStudy study = {configurations_of({serial, hybrid}), 0,
                              Scaling::kStrong};
  const auto global = scaling_table(study, "Global", Model::kCriticalPath);
  EXPECT_EQ("1x1 ran without MPI",
            row(global, "mpi_load_balance").cells[0].reason);
  EXPECT_EQ("1x1 ran without OpenMP",
            row(global, "openmp_load_balance").cells[0].reason);
  EXPECT_EQ("not counted: run with POPRT_COUNTERS=default",
            row(global, "ipc_scaling").cells[1].reason);
  EXPECT_EQ("", row(global, "computation_scaling").cells[1].reason);
  const auto late = scaling_table(study, "late", Model::kCriticalPath);
  EXPECT_EQ("1x1 has no region late", row(late, "run_time_ns").cells[0].reason);
  EXPECT_EQ("1x1 has no region late",
            row(late, "load_balance").cells[0].reason);
  EXPECT_EQ("the reference 1x1 has no region late",
            row(late, "speedup").cells[1].reason);
  EXPECT_DOUBLE_EQ(20, value(late, "run_time_ns", 1));
}

TEST(ScalingTable, TakesTheReferenceItIsGiven) {
  const ScalingStudy study = {configurations_of({global_run(1, 1, 100, 100),
                                                 global_run(4, 1, 50, 160)}),
                              1, Scaling::kWeak};
  const auto rows = scaling_table(study, "Global", Model::kPop);
  EXPECT_DOUBLE_EQ(0.25, value(rows, "load_increase_factor", 0));
  EXPECT_DOUBLE_EQ(0.4, value(rows, "computation_scaling", 0));
  EXPECT_DOUBLE_EQ(1, value(rows, "computation_scaling", 1));
  EXPECT_DOUBLE_EQ(1, value(rows, "speedup_efficiency", 1));
}

TEST(LargestFall, IsAtTheBottomOfTheHierarchy) {
  // Load Balance stays, Serialisation falls more than Transfer.
  const ScalingStudy study = {
      configurations_of({run(1, 1, {region("Global", 1, 100, 100, 100, 100)}),
                         run(2, 1, {region("Global", 2, 100, 100, 50, 80)})}),
      0, Scaling::kStrong};
  const auto rows = scaling_table(study, "Global", Model::kPop);
  const ScalingRow* const fall = largest_fall(rows, 0, 1);
  ASSERT_NE(nullptr, fall);
  EXPECT_EQ("serialisation_efficiency", std::string(fall->metric.key));
  EXPECT_EQ(nullptr, largest_fall(rows, 1, 0));
}

TEST(LargestFall, IsComputationScalingWhereCountersCannotSplitIt) {
  const ScalingStudy study = {
      configurations_of({run(1, 1, {region("Global", 1, 100, 100, 100, 100)}),
                         run(2, 1, {region("Global", 2, 100, 200, 100, 100)})}),
      0, Scaling::kStrong};
  const auto rows = scaling_table(study, "Global", Model::kPop);
  const ScalingRow* const fall = largest_fall(rows, 0, 1);
  ASSERT_NE(nullptr, fall);
  EXPECT_EQ("computation_scaling", std::string(fall->metric.key));
}

// The columns that a line fills on a terminal: without escape sequences.
size_t columns_of(const std::string& line) {
  size_t columns = 0;
  bool escape = false;
  for (const char c : line) {
    if (c == '\x1b') escape = true;
    const bool continues = (static_cast<unsigned char>(c) & 0xc0) == 0x80;
    if (!escape && !continues) ++columns;
    if (c == 'm') escape = false;
  }
  return columns;
}

TEST(ScalingText, HasFurtherTablesForMoreRunsThanFit) {
  std::vector<RunFile> runs;
  for (int64_t ranks = 1; ranks <= 64; ranks *= 2) {
    runs.push_back(run(ranks, 128,
                       {region("Global", ranks * 128, 1000000 / ranks, 90000000,
                               700000 / ranks, 800000 / ranks),
                        region("a \u00e9 region of more than thirty columns",
                               ranks * 128, 500000 / ranks, 30000000)}));
  }
  const ScalingStudy study = {configurations_of(std::move(runs)), 0,
                              Scaling::kStrong};
  const std::vector<std::string> names = region_names(study.configurations);
  const std::string text = render_text(scaling_document(
      study, "given",
      {.models = {std::begin(kModels), std::end(kModels)}, .regions = names}));
  std::stringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_GE(80u, columns_of(line)) << line;
    EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
  }
  EXPECT_HAS(text, " 32x128\n");
  EXPECT_HAS(text, " 64x128\n");
}

TEST(ScalingText, ColoursByTheMarks) {
  const ScalingStudy study = {
      configurations_of({global_run(1, 1, 100, 100), global_run(2, 1, 100, 80),
                         global_run(4, 1, 90, 180)}),
      0, Scaling::kStrong};
  const std::string text = render_text(
      scaling_document(study, "given",
                       {.models = {Model::kPop}, .regions = {"Global"}}),
      {.color = true});
  const size_t row = text.find(" Computation Scaling");
  ASSERT_NE(std::string::npos, row);
  const std::string line = text.substr(row, text.find('\n', row) - row);
  EXPECT_HAS(line, "\x1b[32m100.0\x1b[0m");
  EXPECT_HAS(line, "\x1b[34m125.0 +\x1b[0m");
  EXPECT_HAS(line, "\x1b[31m55.6 x\x1b[0m");
  EXPECT_HAS(text, " + better than the reference\n");
}

// Run files may come from anywhere: any numbers that are not negative.
TEST(SeveralRuns, AreShownWhateverTheirNumbers) {
  std::mt19937 random(1);
  for (int i = 0; i < 50 / int{kShare}; ++i) {
    std::vector<RunFile> runs;
    for (int n = 0; n < 5; ++n) {
      JobTotals totals = test::random_totals(&random);
      for (RegionTotals& r : totals.regions) {
        if (i % 2 == 0) r.useful_sum_ns = r.all_ns = 0;
      }
      runs.push_back({"a.json", make_report({}, std::move(totals))});
    }
    const ScalingStudy study = {configurations_of(std::move(runs)), 1,
                                i % 3 == 0 ? Scaling::kStrong : Scaling::kWeak};
    const std::vector<std::string> names = region_names(study.configurations);
    const std::vector<Model> models(std::begin(kModels), std::end(kModels));
    for (const bool spread : {false, true}) {
      const ScalingOptions options = {models, names, spread};
      const Document document = scaling_document(study, "", options);
      // What percent() makes of NaN.
      EXPECT_LACKS(render_text(document, {.color = true}), "922337203685477");
      EXPECT_NE("", render_markdown(document));
      EXPECT_NE("", scaling_csv(study, options));
      EXPECT_TRUE(nlohmann::json::accept(scaling_json(study, "", options)));
    }
    const Comparison comparison =
        comparison_of({study.configurations[0]}, {study.configurations[1]});
    const DifferenceOptions options = {"a", "b", models, names};
    const Document document = difference_document(comparison, options);
    EXPECT_NE("", render_text(document, {.color = true}));
    EXPECT_NE("", render_markdown(document));
    EXPECT_NE("", difference_csv(comparison, options));
    EXPECT_EQ(2u, check_lists(check_baseline(study.configurations[0],
                                             study.configurations[1], names,
                                             models, 0))
                      .size());
  }
}

TEST(ScalingCsv, HasAllDigitsAndQuotesNames) {
  const ScalingStudy study = {
      configurations_of({run(
          3, 1, {region("a,b", 3, 100, 100), region("Global", 3, 100, 100)})}),
      0, Scaling::kStrong};
  const std::string csv =
      scaling_csv(study, {.models = {Model::kPop}, .regions = {"a,b"}});
  EXPECT_NE(std::string::npos,
            csv.find("\n3,3,1,3x1,strong,\"a,b\",pop,parallel_efficiency,"
                     "0.33333333333333337,0.33333333333333337,"
                     "0.33333333333333337,3x1,amber,,,\n"))
      << csv;
  EXPECT_HAS(csv, "\"a,b\",pop,ipc_scaling,,,,3x1,amber,,,\n");
}

TEST(ScalingJson, HasWhatTheTableHas) {
  const ScalingStudy study = {
      configurations_of({run(
          3, 1, {region("a<\"", 3, 100, 100), region("Global", 3, 100, 100)})}),
      0, Scaling::kWeak};
  const auto json = nlohmann::json::parse(scaling_json(
      study, "why", {.models = {Model::kPop}, .regions = {"a<\""}}));
  EXPECT_EQ("poprt.scaling", json["schema"]);
  EXPECT_EQ("weak", json["scaling"]);
  EXPECT_EQ("why", json["how"]);
  EXPECT_EQ("cores", json["load"]);
  EXPECT_EQ("3x1", json["reference"]);
  ASSERT_EQ(1u, json["configurations"].size());
  EXPECT_EQ(3, json["configurations"][0]["ranks"]);
  EXPECT_EQ(1u, json["configurations"][0]["files"].size());
  ASSERT_EQ(1u, json["tables"].size());
  EXPECT_EQ("a<\"", json["tables"][0]["region"]);
  const auto rows = scaling_table(study, "a<\"", Model::kPop);
  const auto& metrics = json["tables"][0]["metrics"];
  EXPECT_EQ(rows.size(), metrics.size());
  for (const ScalingRow& row : rows) {
    const auto& cell = metrics[row.metric.key][0];
    const Statistics& values = row.cells[0].values;
    if (values.count == 0) {
      EXPECT_TRUE(cell["median"].is_null()) << row.metric.key;
      EXPECT_EQ(row.cells[0].reason, cell.value("reason", ""));
    } else {
      EXPECT_EQ(values.median, cell["median"].get<double>()) << row.metric.key;
      EXPECT_EQ(values.max, cell["max"].get<double>()) << row.metric.key;
    }
  }
}

TEST(Statistics, LeaveOutWhatIsUndefined) {
  const Statistics none = statistics_of({kNaN});
  EXPECT_EQ(0u, none.count);
  EXPECT_TRUE(std::isnan(none.median));
  const Statistics two = statistics_of({4, kNaN, 1});
  EXPECT_EQ(2u, two.count);
  EXPECT_DOUBLE_EQ(2.5, two.median);
  EXPECT_DOUBLE_EQ(4.5, two.square_sum);
}

}  // namespace
}  // namespace poprt
