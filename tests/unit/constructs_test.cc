#include "model/constructs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "model/metrics.h"

namespace poprt {
namespace {

std::vector<std::string> by_offset(
    const std::vector<ConstructTotals>& constructs) {
  std::vector<std::string> names;
  for (const ConstructTotals& c : constructs) {
    names.push_back("at " + std::to_string(c.offset));
  }
  return names;
}

ConstructTotals parallel(uint64_t offset, int64_t weighted, int64_t useful) {
  ConstructTotals c;
  c.module = "/app";
  c.offset = offset;
  c.visits = 1;
  c.time_ns = weighted / 3;
  c.weighted_ns = weighted;
  c.useful_ns = useful;
  return c;
}

// A worked example: one process of three threads, R = 16, serial useful 4,
// OpenMP useful 9, 9 and 6 in 12 s of OpenMP: OpenMP Region Efficiency 75 %.
RegionTotals example() {
  RegionTotals global;
  global.processes = 1;
  global.threads = 3;
  global.all_ns = 16;
  global.openmp_weighted_ns = 36;
  return global;
}

// As make_report() makes them.
std::vector<ConstructReport> reports_of(
    const std::vector<ConstructTotals>& constructs,
    const RegionTotals& region) {
  std::vector<ConstructReport> reports =
      construct_reports(constructs, region, region.threads * region.all_ns);
  locate_constructs(by_offset, &reports);
  return reports;
}

TEST(Constructs, ContributionsAddUpToTheRegionInefficiency) {
  const std::vector<ConstructReport> reports =
      reports_of({parallel(1, 12, 10), parallel(2, 21, 14)}, example());
  ASSERT_EQ(3u, reports.size());
  // The most costly construct comes first; OpenMP's time outside of both comes
  // last.
  EXPECT_EQ("at 2", reports[0].location);
  EXPECT_DOUBLE_EQ(7 / 48.0, reports[0].contribution);
  EXPECT_DOUBLE_EQ(2 / 48.0, reports[1].contribution);
  EXPECT_EQ("", reports[2].location);
  EXPECT_DOUBLE_EQ(3 / 48.0, reports[2].contribution);
  EXPECT_DOUBLE_EQ(1 - 0.75, reports[0].contribution + reports[1].contribution +
                                 reports[2].contribution);
}

TEST(Constructs, LoadBalanceAndSchedulingMultiplyToWhatIsBusy) {
  // Three threads, 12 each: busy 9, 9, 6, so that all are idle for 3.
  ConstructTotals c = parallel(1, 36, 20);
  c.mpi_ns = 4;
  c.scheduling_ns = 3 * 3;
  const std::vector<ConstructReport> reports = reports_of({c}, example());
  ASSERT_EQ(1u, reports.size());
  EXPECT_DOUBLE_EQ((36 - 3) / 36.0, reports[0].load_balance);
  EXPECT_DOUBLE_EQ(24 / 33.0, reports[0].scheduling);
}

TEST(Constructs, TheRestOfManyIsOneRow) {
  std::vector<ConstructTotals> many;
  for (uint64_t i = 1; i <= 50; ++i) {
    many.push_back(parallel(i, 3, 0));
    many.push_back(parallel(i, 0, 2));
    many.back().is_task = true;
  }
  RegionTotals global = example();
  global.openmp_weighted_ns = 150;
  const std::vector<ConstructReport> reports = reports_of(many, global);
  ASSERT_EQ(42u, reports.size());
  EXPECT_EQ("", reports[20].location);
  EXPECT_EQ(30, reports[20].totals.visits);
  EXPECT_EQ(90, reports[20].totals.weighted_ns);
  EXPECT_TRUE(reports[21].totals.is_task);
  EXPECT_TRUE(std::isnan(reports[21].contribution));
  EXPECT_EQ(60, reports[41].totals.useful_ns);
}

TEST(Constructs, OfARegionAreRelativeToIt) {
  ConstructTotals whole = parallel(1, 30, 20);
  ConstructTotals inside = parallel(1, 12, 10);
  inside.region = "solve";
  const std::vector<ConstructTotals> all = {whole, inside};
  RegionTotals solve = example();
  solve.all_ns = 8;
  solve.openmp_weighted_ns = 15;
  solve.useful_sum_ns = 4 + 11;  // 1 of it in no construct
  solve.serial_sum_ns = 4;
  const std::vector<ConstructReport> reports =
      reports_of(constructs_in(all, "solve"), solve);
  ASSERT_EQ(2u, reports.size());
  EXPECT_EQ("solve", reports[0].totals.region);
  EXPECT_DOUBLE_EQ(2 / 24.0, reports[0].contribution);
  // OpenMP in the region, but outside of its parallel regions.
  EXPECT_EQ("solve", reports[1].totals.region);
  EXPECT_DOUBLE_EQ((3 - 1) / 24.0, reports[1].contribution);
  EXPECT_EQ(1u, constructs_in(all, "").size());
}

TEST(Constructs, AreNothingWithoutOpenMp) {
  EXPECT_TRUE(reports_of({}, example()).empty());
}

}  // namespace
}  // namespace poprt
