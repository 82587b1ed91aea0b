#include "model/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string_view>
#include <vector>

#include "model/metric_table.h"
#include "model/quantities.h"
#include "unit/test_jobs.h"

namespace poprt {
namespace {

using test::mpi_process;
using test::ProcessTimes;

constexpr Layers kAll;

// The number of digits that the references print.
void expect_percent(double printed, double value, double tolerance = 0.05) {
  EXPECT_NEAR(printed, 100 * value, tolerance);
}

TEST(Metrics, ReproducesTheAdditiveExampleOfTwoProcesses) {
  const RegionTotals region = test::combined(
      "Global", {mpi_process(8, 12), mpi_process(6, 12)}, {9, 9, 9, 12, 12});
  const AdditiveMetrics m = metrics_of(region, kAll).additive;
  expect_percent(58.3, m.process_efficiency);
  expect_percent(66.7, m.process_communication_efficiency);
  expect_percent(91.7, m.process_load_balance);
  expect_percent(75.0, m.process_transfer_efficiency);
  expect_percent(91.7, m.process_serialisation_efficiency);
}

TEST(Metrics, ReproducesTheAdditiveExampleOfThreeThreads) {
  ProcessTimes process;
  process.elapsed = 16;
  process.parallel = 12;
  process.threads = {{4, 9, 0, 0}, {0, 9, 0, 0}, {0, 6, 0, 0}};
  const AdditiveMetrics m =
      metrics_of(test::combined("Global", {process}, {13, 13, 16, 16, 16}),
                 kAll)
          .additive;
  expect_percent(75, m.openmp_region_efficiency, 1e-9);
  expect_percent(83, m.serial_region_efficiency, 0.5);
  EXPECT_DOUBLE_EQ(1, m.process_efficiency);
}

TEST(Metrics, DoesNotKnowWhatThreadsLoseWhereOthersBeginTeams) {
  ProcessTimes process;
  process.elapsed = 16;
  process.parallel = 4;
  process.threads = {{4, 4, 0, 0}, {0, 9, 0, 0}};
  RegionTotals region =
      test::combined("Global", {process}, {13, 13, 16, 16, 16});
  const auto other_teams = [&](int64_t ns) {
    set_amount(kOpenMpOtherTeams.name, ns, &region.amounts);
    return metrics_of(region, kAll).additive;
  };
  EXPECT_FALSE(std::isnan(other_teams(0).openmp_region_efficiency));
  const AdditiveMetrics m = other_teams(5);
  EXPECT_TRUE(std::isnan(m.thread_efficiency));
  EXPECT_TRUE(std::isnan(m.openmp_region_efficiency));
  EXPECT_TRUE(std::isnan(m.openmp_region_load_balance));
  EXPECT_TRUE(std::isnan(m.serial_region_efficiency));
  EXPECT_DOUBLE_EQ(1, m.process_efficiency);
}

TEST(Metrics, ReproducesTheMultiplicativeExampleOfThreeProcesses) {
  const RegionTotals region = test::combined(
      "Global", {mpi_process(10, 12), mpi_process(8, 12), mpi_process(6, 12)},
      {10, 10, 10, 12, 12});
  const MultiplicativeMetrics m = metrics_of(region, kAll).multiplicative;
  expect_percent(66.6, m.mpi_parallel_efficiency, 0.1);  // printed truncated
  expect_percent(80, m.mpi_load_balance);
  expect_percent(83.3, m.mpi_communication_efficiency);
  expect_percent(83.3, m.mpi_transfer_efficiency);
  expect_percent(100, m.mpi_serialisation_efficiency);
}

TEST(Metrics, ReproducesTheMultiplicativeExampleWithASecondThread) {
  std::vector<ProcessTimes> processes;
  for (int64_t useful : {10, 8, 6}) {
    ProcessTimes process;
    process.elapsed = 12;
    process.parallel = useful;
    process.threads = {{0, useful, 12 - useful, 0}, {0, useful - 1, 0, 0}};
    processes.push_back(process);
  }
  const MultiplicativeMetrics m =
      metrics_of(test::combined("Global", processes, {10, 10, 10, 12, 12}),
                 kAll)
          .multiplicative;
  expect_percent(62.5, m.parallel_efficiency);
  expect_percent(75.0, m.load_balance);
  expect_percent(83.3, m.communication_efficiency);
  expect_percent(93.8, m.openmp_parallel_efficiency, 0.051);
  expect_percent(100, m.openmp_communication_efficiency);
  expect_percent(93.8, m.openmp_load_balance, 0.051);
  expect_percent(66.6, m.mpi_parallel_efficiency, 0.1);
}

// D8.2, Figure 17: from three rows of a column the two others, to its digits.
TEST(Metrics, ReproducesTheScalingTableOfBtIo) {
  struct Column {
    int64_t processes;
    double parallel, load_balance, communication, serialisation, transfer;
  };
  constexpr Column kColumns[] = {
      {4, 93.87, 99.37, 94.47, 94.80, 99.65},
      {9, 86.21, 99.23, 86.87, 87.40, 99.40},
      {16, 82.00, 99.02, 82.81, 83.89, 98.71},
      {25, 70.58, 98.81, 71.43, 72.92, 97.96},
      {36, 63.45, 99.06, 64.05, 66.50, 96.32},
  };
  constexpr double kRuntime = 1e12;
  for (const Column& column : kColumns) {
    RegionTotals region;
    region.processes = region.threads = column.processes;
    region.all_ns = static_cast<int64_t>(kRuntime);
    region.useful_max_ns =
        static_cast<int64_t>(kRuntime * column.communication / 100);
    region.cue_ns = static_cast<int64_t>(kRuntime * column.transfer / 100);
    region.useful_sum_ns = static_cast<int64_t>(
        static_cast<double>(region.useful_max_ns * column.processes) *
        column.load_balance / 100);
    const PopMetrics m = metrics_of(region, kAll).pop;
    // Two factors rounded to 0.005 each, and the printed one.
    expect_percent(column.parallel, m.parallel_efficiency, 0.015);
    expect_percent(column.serialisation, m.serialisation_efficiency, 0.015);
    expect_percent(column.load_balance, m.load_balance, 0.005);
    EXPECT_NEAR(m.communication_efficiency,
                m.serialisation_efficiency * m.transfer_efficiency, 1e-12);
  }
}

TEST(Metrics, FollowsTheTextOfTalp) {
  ProcessTimes first;  // on average U 60, C 10, I 30 = serial 20 + lb 5 + sch 5
  first.elapsed = 100;
  first.parallel = 60;
  first.threads = {{20, 55, 20, 0}, {0, 45, 0, 0}};
  ProcessTimes second;  // U 30, C 30, I 40 = serial
  second.elapsed = 100;
  second.parallel = 20;
  second.threads = {{20, 20, 60, 0}, {0, 20, 0, 0}};
  second.host = "node2";
  const RegionTotals region =
      test::combined("Global", {first, second}, {80, 85, 90, 95, 100});
  ASSERT_EQ(60 + 30, region.talp_useful_ns);
  ASSERT_EQ(10 + 30, region.talp_mpi_ns);
  ASSERT_EQ(5, region.talp_omp_scheduling_ns);
  ASSERT_EQ(5, region.talp_omp_load_balance_ns);
  const TalpMetrics m = metrics_of(region, kAll).talp;
  // T = 100, T^C = 20, I_serial = 30, I_lb = I_sch = 2.5 (means over
  // processes).
  EXPECT_DOUBLE_EQ(90.0 / 200, m.parallel_efficiency);
  EXPECT_DOUBLE_EQ(160.0 / 200, m.mpi_parallel_efficiency);
  EXPECT_DOUBLE_EQ(90.0 / 100, m.mpi_communication_efficiency);
  EXPECT_DOUBLE_EQ(80.0 / 90, m.mpi_load_balance);
  EXPECT_DOUBLE_EQ(80.0 / 90, m.mpi_load_balance_out);
  EXPECT_DOUBLE_EQ(1, m.mpi_load_balance_in);
  EXPECT_DOUBLE_EQ(130.0 / 200, m.openmp_parallel_efficiency);
  EXPECT_DOUBLE_EQ(140.0 / 200, m.openmp_serialization_efficiency);
  EXPECT_DOUBLE_EQ(135.0 / 140, m.openmp_load_balance);
  EXPECT_DOUBLE_EQ(130.0 / 135, m.openmp_scheduling_efficiency);
}

// Node a has one process of two threads, node b two of one thread.
std::vector<ProcessTimes> on_two_nodes() {
  ProcessTimes two;
  two.elapsed = 100;
  two.parallel = 60;
  two.threads = {{20, 60, 20, 0}, {0, 40, 0, 0}};
  two.host = "a";
  std::vector<ProcessTimes> processes = {two, mpi_process(90, 100),
                                         mpi_process(10, 100)};
  processes[1].host = processes[2].host = "b";
  return processes;
}

// What the parts of a load balance lost adds up to what it lost.
TEST(Metrics, LosesInAndOutOfNodesWhatTheLoadBalanceLost) {
  const Metrics lost = losses_of(
      test::combined("Global", on_two_nodes(), {90, 90, 90, 90, 100}), kAll);
  EXPECT_DOUBLE_EQ(0.30, lost.critical_path.load_balance_in);
  EXPECT_NEAR(0.05, lost.critical_path.load_balance_out, 1e-12);
  EXPECT_DOUBLE_EQ(0.35, lost.critical_path.load_balance);
  EXPECT_DOUBLE_EQ(0.10, lost.critical_path.mpi_load_balance_in);
  EXPECT_DOUBLE_EQ(0.15, lost.critical_path.mpi_load_balance_out);
  EXPECT_DOUBLE_EQ(0.25, lost.critical_path.mpi_load_balance);
  EXPECT_DOUBLE_EQ(0.10, lost.multiplicative.mpi_load_balance_in);
  EXPECT_DOUBLE_EQ(0.20, lost.multiplicative.mpi_load_balance_out);
  EXPECT_DOUBLE_EQ(0.30, lost.multiplicative.mpi_load_balance);
  EXPECT_DOUBLE_EQ(0.10, lost.additive.process_load_balance_in);
  EXPECT_DOUBLE_EQ(0.15, lost.additive.process_load_balance_out);
}

// A run file may name hosts whose processes never entered the region.
TEST(Metrics, LeavesOutNodesWithoutProcesses) {
  RegionTotals region =
      test::combined("Global", on_two_nodes(), {90, 90, 90, 90, 100});
  const Metrics before = metrics_of(region, kAll);
  region.nodes.emplace_back();
  const Metrics m = metrics_of(region, kAll);
  EXPECT_EQ(before.talp.mpi_load_balance_out, m.talp.mpi_load_balance_out);
  EXPECT_EQ(before.talp.mpi_load_balance_in, m.talp.mpi_load_balance_in);
  EXPECT_EQ(before.pop.load_balance_in, m.pop.load_balance_in);
  EXPECT_EQ(before.pop.load_balance_out, m.pop.load_balance_out);
}

// TALP tells only its own time of a node. One node needs no more.
TEST(Metrics, DoesNotKnowTheNodesOfImportedRuns) {
  for (const bool one_node : {true, false}) {
    std::vector<ProcessTimes> processes = on_two_nodes();
    if (one_node) processes[0].host = "b";
    RegionTotals region =
        test::combined("Global", processes, {90, 90, 90, 90, 100});
    for (NodeShare& node : region.nodes) {
      node = {node.host, node.processes, node.not_mpi_sum_ns};
    }
    const Metrics m = metrics_of(region, kAll);
    for (const double out :
         {m.pop.load_balance_out, m.critical_path.mpi_load_balance_out,
          m.multiplicative.mpi_load_balance_out,
          m.additive.process_load_balance_out}) {
      if (one_node) {
        EXPECT_EQ(1, out);
      } else {
        EXPECT_TRUE(std::isnan(out));
      }
    }
  }
}

// The primary thread waits in OpenMP for a worker that is in MPI: outside MPI
// it is longer than the run would take on an ideal network.
TEST(Metrics, SaysWhyMpiSerialisationExceedsOne) {
  RegionTotals region;
  region.processes = 1;
  region.threads = 2;
  region.mpi_callers = 2;
  region.mpi_callers_outside_sum_ns = 60;
  region.mpi_callers_outside_max_ns = 80;
  region.com_ns = 40;
  region.all_ns = 100;
  const MultiplicativeMetrics m = metrics_of(region, kAll).multiplicative;
  EXPECT_DOUBLE_EQ(2, m.mpi_serialisation_efficiency);
  EXPECT_DOUBLE_EQ(0.4, m.mpi_transfer_efficiency);
  for (const Metric& metric : all_metrics()) {
    if (std::string_view(metric.key) != "mpi_serialisation_efficiency" ||
        metric.model != Model::kMultiplicative) {
      continue;
    }
    EXPECT_EQ(Range::kOpenMpWaits, range_of(metric, 2));
    EXPECT_EQ(Range::kInside, range_of(metric, 1));
  }
}

}  // namespace
}  // namespace poprt
