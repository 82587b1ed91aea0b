#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "compare/difference_document.h"
#include "compare/placement_difference.h"
#include "document/render.h"
#include "model/quantities.h"
#include "unit/has.h"
#include "unit/sample_reports.h"
#include "unit/test_runs.h"

namespace poprt {
namespace {

using test::global_run;
using test::only;
using test::region;
using test::run;

const Change& change(const std::vector<Change>& all, const std::string& key) {
  for (const Change& each : all) {
    if (each.metric.key == key) return each;
  }
  ADD_FAILURE() << "no row " << key;
  return all.front();
}

TEST(Noise, IsStudentsIntervalOfTheDifference) {
  // s^2 = (2 + 8) / (3 + 3 - 2) = 2.5, t(4) = 4.604: 4.604 sqrt(2.5 x 2/3).
  EXPECT_NEAR(
      5.9437,
      noise_of(statistics_of({9, 10, 11}), statistics_of({18, 20, 22}), 1),
      1e-3);
  // Only one side has repeated runs: s^2 = 2 / 1, t(1) = 63.657, sqrt(2 x 1.5).
  EXPECT_NEAR(63.657 * std::sqrt(3.0),
              noise_of(statistics_of({9, 11}), statistics_of({20}), 1), 1e-9);
  EXPECT_DOUBLE_EQ(0, noise_of(statistics_of({9, 9}), statistics_of({9}), 1));
}

TEST(Noise, HasTheQuantilesThatCanBeComputed) {
  // With one and with two degrees of freedom the distribution has a closed
  // form.
  const double p = 0.99;
  const double one = std::tan(p * std::acos(-1) / 2);
  const double two = p * std::sqrt(2 / (1 - p * p));
  const double s = std::sqrt(2.0 * 1.5);  // of {-1, 1} and {0}
  EXPECT_NEAR(one * s, noise_of(statistics_of({-1, 1}), statistics_of({0}), 1),
              1e-3);
  EXPECT_NEAR(two * std::sqrt(2.0),  // of {-1, 1} twice: s^2 = 4 / 2, 1/2 + 1/2
              noise_of(statistics_of({-1, 1}), statistics_of({-1, 1}), 1),
              1e-3);
  // Many repeats: no less than the normal distribution's 2.576.
  std::vector<double> many;
  for (int i = 0; i < 100; ++i) many.push_back(i % 2 == 0 ? 1 : -1);
  const double noise = noise_of(statistics_of(many), statistics_of(many), 1);
  EXPECT_GT(noise, 2.576 * std::sqrt(200. / 198 * 2 / 100));
  EXPECT_LT(noise, 2.8 * std::sqrt(200. / 198 * 2 / 100));
}

TEST(Noise, IsAssumedWithoutRepeats) {
  EXPECT_DOUBLE_EQ(kAssumedNoise * 50,
                   noise_of(statistics_of({50}), statistics_of({60}), 50));
  EXPECT_TRUE(std::isnan(noise_of(statistics_of({}), statistics_of({60}), 50)));
}

TEST(Changes, AreOfMeansAndOfTimesRelative) {
  const auto all =
      changes(only({global_run(1, 1, 100, 50), global_run(1, 1, 120, 60)}),
              only({global_run(1, 1, 88, 66)}), "Global", Model::kPop);
  const Change& time = change(all, "run_time_ns");
  EXPECT_DOUBLE_EQ(88. / 110 - 1, time.difference);
  // s = sqrt(200), t(1): far more than a fifth.
  EXPECT_NEAR(63.657 * std::sqrt(200 * 1.5) / 110, time.noise, 1e-9);
  EXPECT_FALSE(beyond_noise(time));
  const Change& parallel = change(all, "parallel_efficiency");
  EXPECT_DOUBLE_EQ(0.25, parallel.difference);
  EXPECT_DOUBLE_EQ(0, parallel.noise);
  EXPECT_TRUE(beyond_noise(parallel));
  EXPECT_TRUE(is_better(parallel));
}

TEST(Changes, WithoutRepeatsCountFromTwoPointsOn) {
  const Configuration before = only({global_run(1, 1, 1000, 500)});
  const auto at = [&](int64_t run_ns, int64_t useful_ns, const char* key) {
    return change(changes(before, only({global_run(1, 1, run_ns, useful_ns)}),
                          "Global", Model::kPop),
                  key);
  };
  EXPECT_FALSE(beyond_noise(at(1000, 519, "parallel_efficiency")));
  EXPECT_TRUE(beyond_noise(at(1000, 521, "parallel_efficiency")));
  EXPECT_FALSE(is_better(at(1000, 400, "parallel_efficiency")));
  EXPECT_FALSE(beyond_noise(at(1019, 500, "run_time_ns")));
  EXPECT_TRUE(beyond_noise(at(1021, 500, "run_time_ns")));
  EXPECT_FALSE(is_better(at(1021, 500, "run_time_ns")));
  EXPECT_TRUE(is_better(at(900, 500, "run_time_ns")));
}

TEST(Changes, ThatAreShownAsNothingAreNothing) {
  const Configuration a =
      only({global_run(1, 1, 100000, 50000), global_run(1, 1, 100000, 50000)});
  const auto all = changes(a, only({global_run(1, 1, 100000, 50040)}), "Global",
                           Model::kPop);
  EXPECT_FALSE(beyond_noise(change(all, "parallel_efficiency")));
}

// Four ranks that wait so long in MPI and read so many bytes.
RunFile waiting(int64_t ns, int64_t bytes) {
  RegionTotals global = region("Global", 4, 100, 300);
  global.mpi_sum_ns = 100;
  global.elapsed_weighted_ns = 400;
  set_amount(kMpiWaiting.name, ns, &global.amounts);
  set_amount(kMpiTransfer.name, 100 - ns, &global.amounts);
  set_amount(kMpiIoRead.name, bytes, &global.amounts);
  return run(4, 1, {std::move(global)});
}

TEST(Changes, FromNothingAreChanges) {
  const auto changed = [](Model model, const char* key, const RunFile& a,
                          std::vector<RunFile> b) {
    return change(changes(only({a}), only(std::move(b)), "Global", model), key);
  };
  const RunFile none = waiting(0, 0);
  // A share differs in points.
  const Change share =
      changed(Model::kMpiTime, "mpi_waiting_share", none, {waiting(40, 0)});
  EXPECT_DOUBLE_EQ(0.1, share.difference);
  EXPECT_DOUBLE_EQ(kAssumedNoise, share.noise);
  EXPECT_TRUE(beyond_noise(share));
  EXPECT_FALSE(is_better(share));
  const auto read = [&](std::vector<RunFile> b) {
    return changed(Model::kIo, "mpi_io_read_bytes", none, std::move(b));
  };
  EXPECT_TRUE(std::isinf(read({waiting(0, 7)}).difference));
  EXPECT_TRUE(beyond_noise(read({waiting(0, 7)})));
  EXPECT_TRUE(beyond_noise(read({waiting(0, 7), waiting(0, 7)})));
  EXPECT_FALSE(beyond_noise(read({waiting(0, 7), waiting(0, 0)})));
  EXPECT_EQ(0, read({waiting(0, 0)}).difference);
  EXPECT_FALSE(beyond_noise(read({waiting(0, 0)})));

  const Comparison comparison = comparison_of(
      configurations_of({none}), configurations_of({waiting(40, 7)}));
  const DifferenceOptions options = {
      "a", "b", {Model::kMpiTime, Model::kIo}, {"Global"}};
  const std::string text =
      render_text(difference_document(comparison, options));
  EXPECT_HAS(text, "+10.0        2.0   worse\n");
  EXPECT_HAS(text, "from 0");
}

TEST(Changes, SayWhyASideIsMissing) {
  const auto all = changes(
      only({run(1, 1, {region("Global", 1, 10, 8), region("old", 1, 5, 4)})}),
      only({global_run(2, 1, 10, 8)}), "old", Model::kPop);
  const Change& parallel = change(all, "parallel_efficiency");
  EXPECT_EQ("B: 2x1 has no region old", parallel.reason);
  const Configuration none = only({global_run(2, 1, 10, 8)});
  EXPECT_EQ("2x1 has no region old",
            changes(none, none, "old", Model::kPop)[0].reason);
  EXPECT_EQ(
      "A: 2x1 has no region old; B: 1x1 has no region old",
      changes(none, only({global_run(1, 1, 10, 8)}), "old", Model::kPop)[0]
          .reason);
  EXPECT_EQ(1u, parallel.a.count);
  EXPECT_TRUE(std::isnan(parallel.difference));
  EXPECT_FALSE(beyond_noise(parallel));
}

TEST(Pairs, AreOfOneShapeOrTheOnlyOnes) {
  const auto one = configurations_of({global_run(1, 4, 10, 8)});
  const auto other = configurations_of({global_run(4, 1, 10, 8)});
  const auto both =
      configurations_of({global_run(4, 1, 10, 8), global_run(8, 1, 5, 8)});
  const Comparison only_ones = comparison_of(one, other);
  ASSERT_EQ(1u, only_ones.pairs.size());
  EXPECT_EQ("4x1", only_ones.pairs[0].b.name);
  EXPECT_EQ("", names_of(only_ones.only_a) + names_of(only_ones.only_b));
  const Comparison same = comparison_of(other, both);
  ASSERT_EQ(1u, same.pairs.size());
  EXPECT_EQ("4x1", same.pairs[0].b.name);
  EXPECT_EQ("8x1", names_of(same.only_b));
  const Comparison none = comparison_of(one, both);
  EXPECT_EQ(0u, none.pairs.size());
  EXPECT_EQ("1x4", names_of(none.only_a));
  EXPECT_EQ("4x1, 8x1", names_of(none.only_b));
}

TEST(Pairs, AreOfOneCommandWhereThereAreSeveral) {
  const auto started = [](const std::string& command) {
    RunFile run = global_run(4, 1, 10, 8);
    run.report.context.command = {command};
    return run;
  };
  const auto two = configurations_of({started("v1"), started("v2")});
  const auto one = configurations_of({started("v2"), global_run(8, 1, 5, 8)});
  const auto other = configurations_of({started("v3"), global_run(8, 1, 5, 8)});
  const Comparison same = comparison_of(two, one);
  ASSERT_EQ(1u, same.pairs.size());
  EXPECT_EQ("4x1b", same.pairs[0].a.name);
  EXPECT_EQ("4x1a", names_of(same.only_a));
  EXPECT_EQ("8x1", names_of(same.only_b));
  EXPECT_EQ(1u, comparison_of(one, two).pairs.size());
  // If no run has the same command, the comparison is with each run.
  EXPECT_EQ(2u, comparison_of(two, other).pairs.size());
  EXPECT_EQ(2u, comparison_of(other, two).pairs.size());
  const auto others = configurations_of({started("v4"), started("v5")});
  const Comparison none = comparison_of(two, others);
  EXPECT_EQ(0u, none.pairs.size());
  EXPECT_EQ("4x1a, 4x1b", names_of(none.only_a));
}

TEST(Pairs, AreNotOfRunsWithOtherTotals) {
  RunFile ten = global_run(4, 2, 10, 8);
  ten.report.totals.threads_max = 4;
  ten.report.totals.threads = 10;
  RunFile twelve = ten;
  twelve.report.totals.threads = 12;
  const auto a = configurations_of({ten, global_run(8, 1, 10, 8)});
  const auto b = configurations_of({twelve, ten});
  EXPECT_EQ("8x1, 4x2-4=10", names_of(a));
  EXPECT_EQ("4x2-4=10, 4x2-4=12", names_of(b));
  const Comparison comparison = comparison_of(a, b);
  ASSERT_EQ(1u, comparison.pairs.size());
  EXPECT_EQ("4x2-4=10", comparison.pairs[0].b.name);
  EXPECT_EQ("8x1", names_of(comparison.only_a));
  EXPECT_EQ("4x2-4=12", names_of(comparison.only_b));
}

TEST(DifferenceWriters, LeaveNothingOutSilently) {
  const Comparison comparison = comparison_of(
      configurations_of({global_run(4, 1, 100, 320), global_run(8, 1, 60, 8)}),
      configurations_of({global_run(4, 1, 50, 160)}));
  const DifferenceOptions options = {"old", "new", {Model::kPop}, {"Global"}};
  const Document document = difference_document(comparison, options);
  EXPECT_HAS(render_text(document),
             "\n Note   only A has 8x1: not compared.\n");
  EXPECT_HAS(render_markdown(document),
             "\n- Note: only A has 8x1: not compared.\n");
  EXPECT_HAS(difference_csv(comparison, options),
             "\n8x1,,1,0,Global,pop,run_time_ns,60,,,,,amber,,,,,,,,\n");
}

JobReport placed(std::string_view cpus, int64_t waited, int64_t memory) {
  JobReport report = test::small_report();
  Topology topology;
  EXPECT_TRUE(parse_cpu_set("0-7", &topology.cpus));
  EXPECT_TRUE(parse_cpu_sets("0 1 2 3 4 5 6 7", &topology.cores));
  topology.cpu_model = "CPU";
  topology.id = topology_id(topology);
  report.totals.topologies = {topology};
  for (HostShare& host : report.totals.hosts) {
    host.topology = topology.id;
    EXPECT_TRUE(parse_cpu_set(cpus, &host.cpus));
  }
  const int64_t core_ns = job_core_ns(report);
  set_amount(kWaitedForCore.name, waited * core_ns / 100,
             &report.totals.resources);
  set_amount(kPeakMemoryMax.name, memory, &report.totals.resources);
  return report;
}

TEST(Placement, ShowsWhatDiffers) {
  const JobReport a = placed("0-3", 3, 1000);
  EXPECT_TRUE(placement_difference(a, a).rows.empty());
  // Less than a tenth, and less than a hundredth of the core time.
  EXPECT_TRUE(placement_difference(a, placed("0-3", 3, 1090)).rows.empty());
  const Table table = placement_difference(a, placed("0-1", 20, 2000));
  ASSERT_EQ(3u, table.rows.size());
  EXPECT_EQ("cores that may be used", table.rows[0].label);
  EXPECT_EQ("4", table.rows[0].cells[0].text);
  EXPECT_EQ("2", table.rows[0].cells[1].text);
  EXPECT_EQ("waited for a core, %", table.rows[1].label);
  EXPECT_NEAR(0.03, table.rows[1].cells[0].value, 1e-3);
  EXPECT_NEAR(0.2, table.rows[1].cells[1].value, 1e-3);
  EXPECT_EQ("most of a rank, bytes", table.rows[2].label);
  EXPECT_DOUBLE_EQ(2000, table.rows[2].cells[1].value);
}

TEST(Placement, ThatIsNotKnownIsNotCompared) {
  JobReport unknown = test::small_report();
  unknown.totals.resources.clear();
  EXPECT_TRUE(
      placement_difference(unknown, placed("0-1", 20, 2000)).rows.empty());
}

}  // namespace
}  // namespace poprt
