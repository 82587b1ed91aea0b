// What holds for the metrics of any job: bounds, undefined values. (Oracle asks
// for the formulas, and so for the parents of metrics, of random programs.)
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

using test::mpi_process;

constexpr int kTries = 300 / kShare;
constexpr Layers kAll;

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
          metric.is_efficiency() && metric.layer != Layer::kDeviceTime &&
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
// mpi_time_test.cc, those of devices in device_rows_test.cc, those of counters
// in other files.
bool has_own_test(const Metric& metric) {
  return metric.model == Model::kComputation || metric.model == Model::kIo ||
         metric.model == Model::kMpiTime || metric.model == Model::kWaiting ||
         metric.layer == Layer::kDeviceTime;
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
          metric.layer != Layer::kDeviceTime &&
          (key.rfind("accelerator_", 0) == 0 || key.rfind("device_", 0) == 0);
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
