// OpenMP Region Efficiency by source: the formulas, and where they are shown.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "model/constructs.h"
#include "model/job.h"
#include "model/quantities.h"
#include "report/advice.h"
#include "report/findings.h"
#include "report/rankings.h"
#include "unit/as_text.h"
#include "unit/has.h"

namespace poprt {
namespace {

void set(const Quantity& quantity, int64_t ns, RegionTotals* region) {
  set_amount(quantity.name, ns, &region->amounts);
}

// One process of two threads, R = 100, all of it in parallel regions. Useful 80
// and 40; of the 80 that are lost, 30 are serialised, 20 in MPI, 8 scheduling,
// 2 not started.
RegionTotals example() {
  RegionTotals r;
  r.name = "Global";
  r.key = text_hash("Global", 6);
  r.processes = 1;
  r.threads = 2;
  r.visits = r.visits_max = 1;
  r.elapsed_max_ns = 100;
  r.elapsed_weighted_ns = 200;
  r.useful_sum_ns = 120;
  r.useful_max_ns = 80;
  r.useful_max_weighted_ns = 160;
  r.mpi_sum_ns = 20;
  r.omp_sum_ns = 60;
  r.openmp_weighted_ns = 200;
  r.outside_mpi_max_ns = 100;
  r.pl_cue_ns = r.cue_ns = 80;
  r.com_ns = r.comp_ns = r.coo_ns = r.all_ns = 100;
  set(kOpenMpSerialised, 30, &r);
  set(kMpiInside, 20, &r);
  set(kOpenMpScheduling, 8, &r);
  set(kOpenMpNotStarted, 2, &r);
  return r;
}

ConstructTotals construct(int64_t offset, int64_t weighted, int64_t useful) {
  ConstructTotals c;
  c.module = "/app";
  c.offset = static_cast<uint64_t>(offset);
  c.visits = 1;
  c.weighted_ns = weighted;
  c.useful_ns = useful;
  return c;
}

JobReport report_of(RegionTotals region,
                    std::vector<ConstructTotals> constructs = {}) {
  JobTotals job;
  job.processes = 1;
  job.threads = job.threads_min = job.threads_max = 2;
  job.has_openmp = true;
  job.regions = {std::move(region)};
  job.constructs = std::move(constructs);
  return make_report({}, std::move(job),
                     [](const std::vector<ConstructTotals>& all) {
                       return std::vector<std::string>(all.size(), "a.c:1");
                     });
}

TEST(OpenMpSources, AddUpToTheInefficiencyOfOpenMpRegion) {
  const AdditiveMetrics m = metrics_of(example(), Layers{}).additive;
  EXPECT_DOUBLE_EQ(1 - 80 / 200.0, m.openmp_region_efficiency);
  EXPECT_DOUBLE_EQ(1 - 20 / 200.0, m.openmp_region_load_balance);
  EXPECT_DOUBLE_EQ(1 - 30 / 200.0, m.openmp_region_serialisation_efficiency);
  EXPECT_DOUBLE_EQ(1 - 20 / 200.0, m.openmp_region_mpi_efficiency);
  EXPECT_DOUBLE_EQ(1 - 8 / 200.0, m.openmp_region_scheduling_efficiency);
  EXPECT_DOUBLE_EQ(1 - 2 / 200.0, m.openmp_region_start_efficiency);
}

TEST(OpenMpSources, AreUndefinedWhereTheyAreNotKnown) {
  RegionTotals imported = example();
  imported.amounts.clear();
  const AdditiveMetrics m = metrics_of(imported, Layers{}).additive;
  EXPECT_DOUBLE_EQ(0.6, m.openmp_region_efficiency);
  for (const double value :
       {m.openmp_region_load_balance, m.openmp_region_serialisation_efficiency,
        m.openmp_region_mpi_efficiency, m.openmp_region_scheduling_efficiency,
        m.openmp_region_start_efficiency}) {
    EXPECT_TRUE(std::isnan(value));
  }
}

TEST(OpenMpSources, OfParallelRegionsAddUpToThoseOfGlobal) {
  ConstructTotals waits = construct(1, 120, 80);
  waits.serialised_ns = 30;
  waits.all_idle_ns = 4;
  ConstructTotals calls = construct(2, 60, 40);
  calls.mpi_ns = 20;
  const JobReport report = report_of(example(), {waits, calls});
  ASSERT_EQ(3u, report.constructs.size());
  double sum[5] = {};
  for (const ConstructReport& c : report.constructs) {
    const double lost[] = {c.lost_imbalance, c.lost_serialised,
                           c.lost_mpi_inside, c.lost_scheduling,
                           c.lost_not_started};
    double all = 0;
    for (int i = 0; i < 5; ++i) {
      sum[i] += lost[i];
      all += lost[i];
    }
    EXPECT_DOUBLE_EQ(c.contribution, all);
  }
  EXPECT_DOUBLE_EQ(0.15, report.constructs[0].lost_serialised);
  EXPECT_DOUBLE_EQ(0.10, report.constructs[1].lost_mpi_inside);
  const double whole[] = {0.10, 0.15, 0.10, 0.04, 0.01};
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(whole[i], sum[i], 1e-12) << i;
}

TEST(OpenMpSources, AreShownForEachParallelRegion) {
  ConstructTotals waits = construct(1, 200, 120);
  waits.serialised_ns = 30;
  waits.mpi_ns = 20;
  const Table table = parallel_region_sources(report_of(example(), {waits}));
  ASSERT_FALSE(table.rows.empty());
  EXPECT_EQ("a.c:1", table.rows[0].label);
  EXPECT_DOUBLE_EQ(0.15, table.rows[0].cells[1].value);
  EXPECT_DOUBLE_EQ(0.10, table.rows[0].cells[2].value);
}

TEST(OpenMpSources, AreWhatTheFindingSays) {
  RegionTotals waits = example();
  waits.mpi_sum_ns = 0;
  waits.omp_sum_ns = 80;
  set(kMpiInside, 0, &waits);
  set(kOpenMpSerialised, 60, &waits);
  const JobReport report = report_of(waits);
  std::string text;
  for (const Finding& finding : main_finding(report)) text += finding.sentence;
  EXPECT_HAS(text,
             "threads wait for locks, in critical or ordered "
             "regions, for dependences, or for one that is in a "
             "single or masked region, which is 75.0 % of what "
             "parallel regions lose");
  const auto cause = main_cause(report, report.regions[0]);
  ASSERT_TRUE(cause.has_value());
  for (const char* const remedy : {"use atomic", "For single and masked"}) {
    EXPECT_HAS(advice(report, report.regions[0], *cause), remedy);
  }
  set(kOpenMpSerialised, 30, &waits);
  EXPECT_LACKS(main_finding(report_of(waits))[1].sentence, "locks");
}

}  // namespace
}  // namespace poprt
