// What holds for the metrics of any job: the formulas from the threads
// themselves, hierarchies, bounds, undefined values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "model/metric_table.h"
#include "model/metrics.h"
#include "share_of_cases.h"
#include "unit/test_jobs.h"

namespace poprt {
namespace {

using test::Clocks;
using test::mpi_process;
using test::ProcessTimes;
using test::ThreadTimes;

constexpr int kTries = 300 / kShare;
constexpr Layers kAll;

// The formulas of docs/metrics.md, from the threads themselves.
TEST(Metrics, AgreesWithTheThreadsOfRandomJobs) {
  std::mt19937 random(1);
  for (int i = 0; i < kTries; ++i) {
    const std::vector<ProcessTimes> processes = test::random_processes(&random);
    const Clocks c = test::random_clocks(processes, &random);
    const double all = static_cast<double>(c.all);
    double threads = 0, useful = 0, useful_max = 0, max_of_processes = 0;
    double outside = 0, amdahl = 0, omp_lost = 0;
    double callers = 0, callers_max = 0;
    for (const ProcessTimes& p : processes) {
      const double t_p = static_cast<double>(p.size());
      double max = 0;
      const double openmp =
          static_cast<double>(p.outside_mpi() - p.threads[0].useful_outside);
      for (const ThreadTimes& thread : p.threads) {
        useful += static_cast<double>(thread.useful());
        max = std::max(max, static_cast<double>(thread.useful()));
        omp_lost += openmp - static_cast<double>(thread.useful_inside);
      }
      threads += t_p;
      useful_max = std::max(useful_max, max);
      max_of_processes += t_p * max;
      outside += t_p * static_cast<double>(p.outside_mpi());
      const double caller =
          static_cast<double>(p.outside_mpi() - p.threads[0].mpi_inside);
      callers += caller / static_cast<double>(processes.size());
      callers_max = std::max(callers_max, caller);
      amdahl += static_cast<double>(p.threads[0].useful_outside) * (t_p - 1);
    }
    const double avg = useful / threads;
    const double tolerance = 1e-12;
    const Metrics m = metrics_of(test::combined("r", processes, c), kAll);
    EXPECT_NEAR(avg / all, m.pop.parallel_efficiency, tolerance);
    EXPECT_NEAR(avg / useful_max, m.pop.load_balance, tolerance);
    EXPECT_NEAR(useful_max / static_cast<double>(c.cue),
                m.pop.serialisation_efficiency, tolerance);
    EXPECT_NEAR(useful / max_of_processes, m.critical_path.openmp_load_balance,
                tolerance);
    EXPECT_NEAR(max_of_processes / (threads * useful_max),
                m.critical_path.mpi_load_balance, tolerance);
    EXPECT_NEAR(callers / all, m.multiplicative.mpi_parallel_efficiency,
                tolerance);
    EXPECT_NEAR(callers_max / static_cast<double>(c.com),
                m.multiplicative.mpi_serialisation_efficiency, tolerance);
    EXPECT_NEAR(avg / callers, m.multiplicative.openmp_parallel_efficiency,
                tolerance);
    EXPECT_NEAR(outside / threads / all, m.additive.process_efficiency,
                tolerance);
    EXPECT_NEAR(1 - amdahl / threads / all, m.additive.serial_region_efficiency,
                tolerance);
    EXPECT_NEAR(1 - omp_lost / threads / all,
                m.additive.openmp_region_efficiency, tolerance);
  }
}

TEST(Metrics, ChildrenMultiplyToTheirParent) {
  std::mt19937 random(2);
  const auto expect_product = [](double parent, double a, double b) {
    EXPECT_NEAR(parent, a * b, 1e-12);
  };
  for (int i = 0; i < kTries; ++i) {
    const auto processes = test::random_processes(&random);
    const Metrics metrics = metrics_of(
        test::combined("r", processes, test::random_clocks(processes, &random)),
        kAll);
    const PopMetrics& p = metrics.pop;
    expect_product(p.parallel_efficiency, p.load_balance,
                   p.communication_efficiency);
    expect_product(p.communication_efficiency, p.serialisation_efficiency,
                   p.transfer_efficiency);
    expect_product(p.load_balance, p.load_balance_in, p.load_balance_out);
    const PathMetrics& c = metrics.critical_path;
    expect_product(c.load_balance, c.load_balance_in, c.load_balance_out);
    expect_product(c.mpi_load_balance, c.mpi_load_balance_in,
                   c.mpi_load_balance_out);
    expect_product(c.parallel_efficiency, c.mpi_parallel_efficiency,
                   c.openmp_parallel_efficiency);
    expect_product(c.load_balance, c.mpi_load_balance, c.openmp_load_balance);
    expect_product(c.communication_efficiency, c.mpi_communication_efficiency,
                   c.openmp_communication_efficiency);
    expect_product(c.serialisation_efficiency, c.mpi_serialisation_efficiency,
                   c.openmp_serialisation_efficiency);
    expect_product(c.transfer_efficiency, c.mpi_transfer_efficiency,
                   c.openmp_transfer_efficiency);
    const MultiplicativeMetrics& m = metrics.multiplicative;
    expect_product(m.load_balance, m.load_balance_in, m.load_balance_out);
    expect_product(m.mpi_load_balance, m.mpi_load_balance_in,
                   m.mpi_load_balance_out);
    expect_product(m.parallel_efficiency, m.mpi_parallel_efficiency,
                   m.openmp_parallel_efficiency);
    expect_product(m.load_balance, m.mpi_load_balance, m.openmp_load_balance);
    expect_product(m.openmp_parallel_efficiency, m.openmp_load_balance,
                   m.openmp_communication_efficiency);
    expect_product(m.mpi_parallel_efficiency, m.mpi_load_balance,
                   m.mpi_communication_efficiency);
    expect_product(m.mpi_communication_efficiency,
                   m.mpi_serialisation_efficiency, m.mpi_transfer_efficiency);
    const TalpMetrics& t = metrics.talp;
    expect_product(t.mpi_parallel_efficiency, t.mpi_communication_efficiency,
                   t.mpi_load_balance);
    expect_product(t.mpi_load_balance, t.mpi_load_balance_in,
                   t.mpi_load_balance_out);
    expect_product(t.openmp_parallel_efficiency,
                   t.openmp_serialization_efficiency,
                   t.openmp_load_balance * t.openmp_scheduling_efficiency);
  }
}

TEST(Metrics, InefficienciesAddUpInTheAdditiveModel) {
  std::mt19937 random(3);
  for (int i = 0; i < kTries; ++i) {
    const auto processes = test::random_processes(&random);
    const AdditiveMetrics m =
        metrics_of(test::combined("r", processes,
                                  test::random_clocks(processes, &random)),
                   kAll)
            .additive;
    EXPECT_NEAR(m.parallel_efficiency,
                m.process_efficiency + m.thread_efficiency - 1, 1e-12);
    EXPECT_NEAR(m.process_efficiency,
                m.process_load_balance + m.process_communication_efficiency - 1,
                1e-12);
    EXPECT_NEAR(m.process_load_balance,
                m.process_load_balance_in + m.process_load_balance_out - 1,
                1e-12);
    EXPECT_NEAR(
        m.process_communication_efficiency,
        m.process_transfer_efficiency + m.process_serialisation_efficiency - 1,
        1e-12);
    EXPECT_NEAR(m.thread_efficiency,
                m.openmp_region_efficiency + m.serial_region_efficiency - 1,
                1e-12);
  }
}

// Metrics that may exceed 1: multiplicative's OpenMP rows, and TALP's rows that
// compare a maximum with a mean where elapsed times or nodes are unequal.
TEST(Metrics, StaysBetweenZeroAndOneWhereTheTheorySaysSo) {
  std::mt19937 random(4);
  for (int i = 0; i < kTries; ++i) {
    const auto processes = test::random_processes(&random);
    const Metrics metrics = metrics_of(
        test::combined("r", processes, test::random_clocks(processes, &random)),
        kAll);
    for (const Metric& metric : all_metrics()) {
      const bool bounded =
          metric.is_efficiency() &&
          !(metric.model == Model::kMultiplicative &&
            metric.layer == Layer::kOpenMp) &&
          !(metric.model == Model::kTalp && metric.layer == Layer::kMpi);
      if (!bounded) continue;
      const double value = metric.value(metrics);
      EXPECT_GE(value, 0) << key_of(metric.model) << metric.key;
      EXPECT_LE(value, 1 + 1e-12) << key_of(metric.model) << metric.key;
    }
  }
}

TEST(Metrics, EmptyRegionIsUndefinedNotZero) {
  const Metrics metrics = metrics_of(RegionTotals(), kAll);
  for (const Metric& metric : all_metrics()) {
    EXPECT_TRUE(std::isnan(metric.value(metrics))) << metric.key;
  }
}

TEST(Metrics, NothingUsefulIsZeroEfficiencyButUndefinedBalance) {
  const RegionTotals region = test::combined(
      "wait", {mpi_process(0, 100), mpi_process(0, 100)}, {0, 0, 0, 100, 100});
  const Metrics m = metrics_of(region, kAll);
  EXPECT_EQ(0, m.pop.parallel_efficiency);
  EXPECT_EQ(0, m.pop.transfer_efficiency);
  EXPECT_TRUE(std::isnan(m.pop.load_balance));
  EXPECT_TRUE(std::isnan(m.pop.serialisation_efficiency));
  EXPECT_TRUE(std::isnan(m.multiplicative.openmp_parallel_efficiency));
}

// Those of I/O are in io_test.cc, those of time in MPI and of waiting in
// mpi_time_test.cc, those of counters in other files.
bool has_own_test(const Metric& metric) {
  return metric.model == Model::kComputation || metric.model == Model::kIo ||
         metric.model == Model::kMpiTime || metric.model == Model::kWaiting;
}

// Metrics that are NaN under `layers` although they have a value with all
// layers.
std::vector<std::string> hidden(const Layers& layers) {
  const RegionTotals region =
      test::combined("r", {mpi_process(8, 12)}, {8, 9, 10, 11, 12});
  const Metrics with = metrics_of(region, kAll);
  const Metrics without = metrics_of(region, layers);
  std::vector<std::string> keys;
  for (const Metric& metric : all_metrics()) {
    if (has_own_test(metric)) continue;
    EXPECT_FALSE(std::isnan(metric.value(with)));
    if (std::isnan(metric.value(without))) {
      keys.push_back(std::string(key_of(metric.model)) + "." + metric.key);
    } else {
      EXPECT_EQ(metric.value(with), metric.value(without));
    }
  }
  return keys;
}

TEST(Metrics, RowsOfAnAbsentLayerAreUndefinedAndNoOthers) {
  for (const Layer layer : {Layer::kMpi, Layer::kOpenMp, Layer::kDevices}) {
    std::vector<std::string> expected;
    for (const Metric& metric : all_metrics()) {
      if (metric.model != Model::kComputation && has_own_test(metric)) continue;
      const std::string key = metric.key;
      const bool mpi =
          key.rfind("mpi_", 0) == 0 || key.rfind("process_", 0) == 0;
      const bool openmp = key.rfind("openmp_", 0) == 0 ||
                          key.rfind("thread_", 0) == 0 ||
                          key.rfind("serial_region", 0) == 0;
      const bool devices =
          key.rfind("accelerator_", 0) == 0 || key.rfind("device_", 0) == 0;
      EXPECT_EQ(mpi, metric.layer == Layer::kMpi) << key;
      EXPECT_EQ(devices, metric.layer == Layer::kDevices) << key;
      EXPECT_EQ(openmp, metric.layer == Layer::kOpenMp) << key;
      if (metric.layer == layer) {
        expected.push_back(std::string(key_of(metric.model)) + "." + key);
      }
    }
    Layers layers;
    layers.of_program.reset(static_cast<size_t>(event_layer(layer)));
    EXPECT_EQ(expected, hidden(layers));
  }
}

TEST(Metrics, IncompleteClocksLeaveOnlyWhatNeedsNone) {
  Layers layers;
  layers.clocks = false;
  const std::vector<std::string> rows = hidden(layers);
  const std::vector<std::string> kNeedNone = {
      "pop.load_balance",
      "pop.load_balance_in",
      "pop.load_balance_out",
      "critical_path.load_balance",
      "critical_path.load_balance_in",
      "critical_path.load_balance_out",
      "critical_path.mpi_load_balance",
      "critical_path.mpi_load_balance_in",
      "critical_path.mpi_load_balance_out",
      "critical_path.openmp_load_balance",
      "critical_path.openmp_serialisation_efficiency",  // PL-CUE
      "multiplicative.load_balance",
      "multiplicative.load_balance_in",
      "multiplicative.load_balance_out",
      "multiplicative.mpi_load_balance",
      "multiplicative.mpi_load_balance_in",
      "multiplicative.mpi_load_balance_out",
      "multiplicative.accelerator_parallel_efficiency",
      "multiplicative.accelerator_load_balance",
      "multiplicative.accelerator_communication_efficiency",
      "multiplicative.openmp_load_balance",
  };
  for (const Metric& metric : all_metrics()) {
    const std::string key =
        std::string(key_of(metric.model)) + "." + metric.key;
    if (has_own_test(metric)) continue;
    const bool needs_none =
        metric.model == Model::kTalp ||
        std::find(kNeedNone.begin(), kNeedNone.end(), key) != kNeedNone.end();
    EXPECT_EQ(!needs_none,
              std::find(rows.begin(), rows.end(), key) != rows.end())
        << key;
  }
}

}  // namespace
}  // namespace poprt
