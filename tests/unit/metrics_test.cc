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

// Two processes of 2 and 1 threads, worked by hand from the equations.
TEST(Metrics, ReproducesTheCriticalPathEquations) {
  ProcessTimes two;
  two.elapsed = 100;
  two.parallel = 60;
  two.threads = {{20, 50, 10, 0}, {0, 40, 0, 0}};
  const ProcessTimes one = mpi_process(40, 100);
  const PathMetrics m =
      metrics_of(test::combined("Global", {two, one}, {75, 80, 90, 90, 100}),
                 kAll)
          .critical_path;
  EXPECT_DOUBLE_EQ(50.0 / 100, m.parallel_efficiency);  // avg useful 150 / 3
  EXPECT_DOUBLE_EQ(50.0 / 70, m.load_balance);
  EXPECT_DOUBLE_EQ(70.0 / 100, m.communication_efficiency);
  EXPECT_DOUBLE_EQ(70.0 / 80, m.serialisation_efficiency);
  EXPECT_DOUBLE_EQ(80.0 / 100, m.transfer_efficiency);
  EXPECT_DOUBLE_EQ(180.0 / 210, m.mpi_load_balance);  // (2*70 + 40) / (3*70)
  EXPECT_DOUBLE_EQ(150.0 / 180, m.openmp_load_balance);
  EXPECT_DOUBLE_EQ(75.0 / 80, m.mpi_serialisation_efficiency);
  EXPECT_DOUBLE_EQ(70.0 / 75, m.openmp_serialisation_efficiency);
  EXPECT_DOUBLE_EQ(80.0 / 90, m.mpi_transfer_efficiency);
  EXPECT_DOUBLE_EQ(90.0 / 100, m.openmp_transfer_efficiency);
  EXPECT_DOUBLE_EQ(75.0 / 90, m.mpi_communication_efficiency);
  EXPECT_DOUBLE_EQ(70.0 / 75 * 0.9, m.openmp_communication_efficiency);
  EXPECT_DOUBLE_EQ(180.0 / 210 * 75 / 90, m.mpi_parallel_efficiency);
  EXPECT_DOUBLE_EQ(150.0 / 180 * 70 / 75 * 0.9, m.openmp_parallel_efficiency);
}

TEST(Metrics, WeighsAProcessByItsThreadsInTheAdditiveModel) {
  ProcessTimes three;
  three.elapsed = 100;
  three.parallel = 50;
  three.threads = {{30, 50, 20, 0}, {0, 40, 0, 0}, {0, 30, 0, 0}};
  const ProcessTimes one = mpi_process(60, 100);
  const AdditiveMetrics m =
      metrics_of(test::combined("Global", {three, one}, {80, 85, 90, 95, 100}),
                 kAll)
          .additive;
  // avg(openmp + serial) = (3 * 80 + 60) / 4 = 75; avg(useful) = 210 / 4.
  EXPECT_DOUBLE_EQ(0.525, m.parallel_efficiency);
  EXPECT_DOUBLE_EQ(0.75, m.process_efficiency);
  EXPECT_DOUBLE_EQ(0.95, m.process_load_balance);  // max is 80
  EXPECT_DOUBLE_EQ(0.80, m.process_communication_efficiency);
  EXPECT_DOUBLE_EQ(0.90, m.process_transfer_efficiency);
  EXPECT_DOUBLE_EQ(0.90, m.process_serialisation_efficiency);
  EXPECT_DOUBLE_EQ(1 - 0.225, m.thread_efficiency);
  EXPECT_DOUBLE_EQ(1 - 30 * 2 / 4.0 / 100, m.serial_region_efficiency);
  EXPECT_DOUBLE_EQ(1 - (150 - 120) / 4.0 / 100, m.openmp_region_efficiency);
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

TEST(Metrics, SplitsTalpsLoadBalanceInAndOutOfNodes) {
  const auto on = [](const char* host, int64_t useful) {
    ProcessTimes process = mpi_process(useful, 100);
    process.host = host;
    return process;
  };
  const TalpMetrics m =
      metrics_of(
          test::combined("Global",
                         {on("a", 90), on("a", 70), on("b", 50), on("b", 30)},
                         {90, 90, 90, 90, 100}),
          kAll)
          .talp;
  EXPECT_DOUBLE_EQ(60.0 / 90, m.mpi_load_balance);
  EXPECT_DOUBLE_EQ((80.0 + 40) / 2 / 80, m.mpi_load_balance_out);
  EXPECT_DOUBLE_EQ(80.0 / 90, m.mpi_load_balance_in);
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

TEST(Metrics, SplitsLoadBalanceInAndOutOfNodes) {
  const Metrics m = metrics_of(
      test::combined("Global", on_two_nodes(), {90, 90, 90, 90, 100}), kAll);
  // Useful: a 80 and 40, b 90 and 10, so on average 60 and 50; all 55.
  EXPECT_DOUBLE_EQ(55.0 / 90, m.pop.load_balance);
  EXPECT_DOUBLE_EQ(60.0 / 90, m.pop.load_balance_in);
  EXPECT_DOUBLE_EQ(55.0 / 60, m.pop.load_balance_out);
  EXPECT_DOUBLE_EQ(60.0 / 90, m.critical_path.load_balance_in);
  EXPECT_DOUBLE_EQ(55.0 / 60, m.critical_path.load_balance_out);
  EXPECT_DOUBLE_EQ(60.0 / 90, m.multiplicative.load_balance_in);
  EXPECT_DOUBLE_EQ(55.0 / 60, m.multiplicative.load_balance_out);
  // The busiest thread of a process, which weighs as much as its threads: a 80,
  // b 90 and 10, on average 50; all 65.
  EXPECT_DOUBLE_EQ(65.0 / 90, m.critical_path.mpi_load_balance);
  EXPECT_DOUBLE_EQ(80.0 / 90, m.critical_path.mpi_load_balance_in);
  EXPECT_DOUBLE_EQ(65.0 / 80, m.critical_path.mpi_load_balance_out);
  // Outside MPI: a 80, b 90 and 10. Each process counts once.
  EXPECT_DOUBLE_EQ(60.0 / 90, m.multiplicative.mpi_load_balance);
  EXPECT_DOUBLE_EQ(80.0 / 90, m.multiplicative.mpi_load_balance_in);
  EXPECT_DOUBLE_EQ(60.0 / 80, m.multiplicative.mpi_load_balance_out);
  // Weighted by threads: all 65.
  EXPECT_DOUBLE_EQ(1 - 0.25, m.additive.process_load_balance);
  EXPECT_DOUBLE_EQ(1 - 0.10, m.additive.process_load_balance_in);
  EXPECT_DOUBLE_EQ(1 - 0.15, m.additive.process_load_balance_out);
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

TEST(Metrics, TakesThreadsThatCallMpiAsPopulationOfTheMpiRows) {
  RegionTotals region;
  region.processes = 1;
  region.threads = 2;
  region.mpi_callers = 2;
  region.mpi_callers_outside_sum_ns = 70;
  region.mpi_callers_outside_max_ns = 80;
  region.outside_mpi_max_ns = 100;
  region.com_ns = 90;
  region.all_ns = 100;
  const MultiplicativeMetrics m = metrics_of(region, kAll).multiplicative;
  EXPECT_DOUBLE_EQ(0.7, m.mpi_parallel_efficiency);
  EXPECT_DOUBLE_EQ(70.0 / 80, m.mpi_load_balance);
  EXPECT_DOUBLE_EQ(80.0 / 90, m.mpi_serialisation_efficiency);
}

// A mean over processes divides by their number.
TEST(Metrics, CountsProcessesAlikeInTheMpiRowsOfTheMultiplicativeModel) {
  ProcessTimes three = mpi_process(996, 1000);
  three.threads.resize(3);
  const RegionTotals region = test::combined(
      "Global", {three, mpi_process(252, 1000)}, {996, 996, 996, 996, 1000});
  const Metrics m = metrics_of(region, kAll);
  EXPECT_DOUBLE_EQ(0.624, m.multiplicative.mpi_parallel_efficiency);
  EXPECT_DOUBLE_EQ(0.81, m.additive.process_efficiency);
}

// The primary's MPI inside parallel regions is MPI to the multiplicative model
// and OpenMP Region to the additive one; each has an ideal run time of its own.
TEST(Metrics, TellsMpiInsideParallelRegionsApart) {
  ProcessTimes process;
  process.elapsed = 100;
  process.parallel = 100;
  test::ThreadTimes primary;
  primary.useful_inside = 60;
  primary.mpi_inside = 34;
  process.threads.push_back(primary);
  RegionTotals region =
      test::combined("Global", {process}, {60, 60, 66, 100, 100});
  region.comp_ns = 100;
  const Metrics m = metrics_of(region, kAll);
  EXPECT_DOUBLE_EQ(0.66, m.multiplicative.mpi_parallel_efficiency);
  EXPECT_DOUBLE_EQ(0.66, m.multiplicative.mpi_transfer_efficiency);
  EXPECT_DOUBLE_EQ(1, m.multiplicative.mpi_serialisation_efficiency);
  EXPECT_DOUBLE_EQ(1, m.additive.process_efficiency);
  EXPECT_DOUBLE_EQ(1, m.additive.process_transfer_efficiency);
  EXPECT_DOUBLE_EQ(0.6, m.additive.openmp_region_efficiency);
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
