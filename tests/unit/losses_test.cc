// What each metric lost: losses_of().
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "model/metric_table.h"
#include "unit/test_jobs.h"

namespace poprt {
namespace {

// Which ran kernels, copied, and was idle.
DeviceKnown device(int64_t share_ns, std::mt19937* random) {
  const auto part = [&] {
    return std::uniform_int_distribution<int64_t>(0, share_ns)(*random);
  };
  DeviceKnown known;
  known.time.kernels_ns = 1 + part();
  known.time.copies_ns = part();
  known.time.graphs_ns = part();
  for (int64_t& ns : known.time.idle_ns) ns = part();
  return known;
}

RegionTotals with_devices(RegionTotals region, std::mt19937* random) {
  for (int i = 0; i < 3; ++i) {
    region.devices.push_back(device(region.elapsed_max_ns / 9, random));
  }
  return region;
}

// D8.2's order of removal, by hand: R 100, COO 90, CUE 80, PL 75, max 70,
// mean of maxima 60, mean 50.
TEST(Losses, AreTheStepsFromRunTimeToMeanUsefulTime) {
  test::ProcessTimes two;
  two.elapsed = 100;
  two.parallel = 60;
  two.threads = {{20, 50, 10, 0}, {0, 40, 0, 0}};
  test::ProcessTimes one;
  one.elapsed = 100;
  one.threads = {{40, 0, 60, 0}};
  const PathMetrics loss =
      losses_of(test::combined("Global", {two, one}, {75, 80, 90, 90, 100}),
                Layers())
          .critical_path;
  EXPECT_DOUBLE_EQ(0.5, loss.parallel_efficiency);
  EXPECT_NEAR(0.10, loss.openmp_transfer_efficiency, 1e-12);
  EXPECT_NEAR(0.10, loss.mpi_transfer_efficiency, 1e-12);
  EXPECT_NEAR(0.05, loss.mpi_serialisation_efficiency, 1e-12);
  EXPECT_NEAR(0.05, loss.openmp_serialisation_efficiency, 1e-12);
  EXPECT_NEAR(0.10, loss.mpi_load_balance, 1e-12);
  EXPECT_NEAR(0.10, loss.openmp_load_balance, 1e-12);
}

// The rows below a parent: in the hybrid models the top row splits twice, by
// kind of loss and by layer.
TEST(Losses, OfChildrenAddUpToTheirParents) {
  std::mt19937 random(5);
  const auto table = all_metrics();
  for (int i = 0; i < 300; ++i) {
    const auto processes = test::random_processes(&random);
    const RegionTotals region = with_devices(
        test::combined("r", processes, test::random_clocks(processes, &random)),
        &random);
    const Metrics losses = losses_of(region, Layers());
    for (size_t k = 0; k < table.size(); ++k) {
      double by_kind = 0;
      double by_layer = 0;
      bool has_kinds = false;
      bool has_layers = false;
      for (size_t j = k + 1;
           j < table.size() && table[j].model == table[k].model &&
           table[j].depth > table[k].depth;
           ++j) {
        if (table[j].depth != table[k].depth + 1) continue;
        const bool of_layer = table[j].layer != table[k].layer;
        (of_layer ? has_layers : has_kinds) = true;
        (of_layer ? by_layer : by_kind) += table[j].value(losses);
      }
      const double own = table[k].value(losses);
      if (has_kinds) {
        EXPECT_NEAR(own, by_kind, 1e-9) << table[k].key;
      }
      if (has_layers) {
        EXPECT_NEAR(own, by_layer, 1e-9) << table[k].key;
      }
    }
  }
}

TEST(Losses, OfTheTopRowAreOneMinusParallelEfficiency) {
  std::mt19937 random(6);
  const auto processes = test::random_processes(&random);
  const RegionTotals region = with_devices(
      test::combined("r", processes, test::random_clocks(processes, &random)),
      &random);
  const Metrics losses = losses_of(region, Layers());
  const Metrics metrics = metrics_of(region, Layers());
  const auto table = all_metrics();
  for (size_t k = 0; k < table.size(); ++k) {
    if (table[k].depth > 0 || !table[k].is_efficiency()) continue;
    EXPECT_NEAR(1 - table[k].value(metrics), table[k].value(losses), 1e-12);
  }
}

TEST(Losses, AreUndefinedWhereTheLayerIsAbsentOrTheClocksAreIncomplete) {
  std::mt19937 random(7);
  const auto processes = test::random_processes(&random);
  const RegionTotals region =
      test::combined("r", processes, test::random_clocks(processes, &random));
  Layers layers;
  layers.of_program.reset(static_cast<size_t>(EventLayer::kMpi));
  const Metrics without_mpi = losses_of(region, layers);
  EXPECT_TRUE(std::isnan(without_mpi.critical_path.mpi_load_balance));
  EXPECT_FALSE(std::isnan(without_mpi.critical_path.openmp_load_balance));
  const Metrics incomplete = losses_of(region, {.clocks = false});
  EXPECT_TRUE(std::isnan(incomplete.pop.load_balance));
  EXPECT_FALSE(std::isnan(incomplete.talp.mpi_load_balance));
}

}  // namespace
}  // namespace poprt
