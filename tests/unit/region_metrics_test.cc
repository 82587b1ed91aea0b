#include "session/region_metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <string>

#include "model/job.h"
#include "model/metric_table.h"
#include "unit/test_jobs.h"

namespace poprt {
namespace {

// Every efficiency of the struct is that of the table, in its order.
TEST(RegionMetrics, AreThoseOfTheReport) {
  std::mt19937 random(7);
  for (int i = 0; i < 100; ++i) {
    const auto processes = test::random_processes(&random);
    JobTotals totals;
    totals.processes = static_cast<int64_t>(processes.size());
    totals.has_mpi = totals.has_openmp = true;
    totals.regions = {test::combined("solve", processes,
                                     test::random_clocks(processes, &random))};
    const JobReport report = make_report({}, totals);
    ASSERT_EQ(1u, report.regions.size());
    const RegionTotals& sums = report.regions[0].totals;
    pop_region_metrics_t metrics;
    ASSERT_TRUE(region_metrics(totals, &metrics));
    EXPECT_EQ(sums.processes, metrics.processes);
    EXPECT_EQ(sums.threads, metrics.threads);
    EXPECT_EQ(sums.visits, metrics.visits);
    EXPECT_EQ(sums.all_ns, metrics.run_time_ns);
    EXPECT_EQ(sums.elapsed_max_ns, metrics.elapsed_ns);
    EXPECT_EQ(sums.useful_sum_ns, metrics.useful_ns);
    EXPECT_EQ(sums.mpi_sum_ns, metrics.mpi_ns);
    EXPECT_EQ(sums.omp_sum_ns, metrics.openmp_ns);
    const double* value = &metrics.parallel_efficiency;
    for (const Metric& m : metrics_in(Model::kCriticalPath)) {
      if (m.of_nodes) continue;  // only in the report
      const double wanted = m.value(report.regions[0].metrics);
      EXPECT_TRUE(*value == wanted ||
                  (std::isnan(*value) && std::isnan(wanted)))
          << m.key << ": " << *value << ", not " << wanted;
      ++value;
    }
    EXPECT_EQ(static_cast<const void*>(&metrics + 1),
              static_cast<const void*>(value));
  }
}

TEST(RegionMetrics, OfALayerThatIsNotThereAreNotNumbers) {
  JobTotals totals;
  totals.processes = 1;
  totals.has_mpi = true;
  totals.regions = {
      test::region_of("solve", test::mpi_process(6, 10), {6, 6, 6, 10, 10})};
  pop_region_metrics_t metrics;
  ASSERT_TRUE(region_metrics(totals, &metrics));
  EXPECT_DOUBLE_EQ(0.6, metrics.parallel_efficiency);
  EXPECT_TRUE(std::isnan(metrics.openmp_parallel_efficiency));
}

TEST(RegionMetrics, AreLeftAloneWhereNobodyHasBeenInTheRegion) {
  pop_region_metrics_t metrics;
  std::memset(&metrics, 0x55, sizeof metrics);
  const pop_region_metrics_t before = metrics;
  EXPECT_FALSE(region_metrics(JobTotals(), &metrics));
  JobTotals heard_of;
  heard_of.regions.resize(1);
  heard_of.regions[0].all_ns = 5;
  EXPECT_FALSE(region_metrics(heard_of, &metrics));
  EXPECT_EQ(0, std::memcmp(&before, &metrics, sizeof metrics));
}

}  // namespace
}  // namespace poprt
