#include "model/job.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "model/metric_table.h"

namespace poprt {
namespace {

RegionTotals region(const char* name, int64_t mpi_ns, int64_t omp_ns) {
  RegionTotals r;
  r.name = name;
  r.processes = r.threads = 1;
  r.elapsed_weighted_ns = 100;
  r.mpi_sum_ns = mpi_ns;
  r.omp_sum_ns = omp_ns;
  r.useful_sum_ns = r.useful_max_ns = 100 - mpi_ns - omp_ns;
  r.all_ns = 100;
  r.cue_ns = r.useful_sum_ns;
  return r;
}

TEST(LostCoreTime, IsAllThatWasNotUseful) {
  EXPECT_EQ(30, lost_core_ns(region("a", 10, 20)));
}

TEST(MakeReport, PutsGlobalFirstAndThenWhatLostMost) {
  JobTotals totals;
  totals.regions = {region("small", 1, 1), region("large", 10, 60),
                    region("Global", 0, 1), region("b", 5, 5),
                    region("a", 10, 0)};
  const JobReport report = make_report({}, totals);
  std::string order;
  for (const RegionReport& r : report.regions) order += r.totals.name + " ";
  EXPECT_EQ("Global large a b small ", order);
  EXPECT_TRUE(report.totals.regions.empty());
  EXPECT_EQ(&report.regions[0], global_region(report));
}

TEST(MakeReport, LeavesOutRegionsWithoutANameAndThoseThatNobodyEntered) {
  JobTotals totals;
  totals.regions = {region("Global", 1, 1), region("", 1, 1),
                    region("elsewhere", 1, 1)};
  totals.regions[2].processes = 0;
  EXPECT_EQ(1u, make_report({}, totals).regions.size());
}

TEST(MakeReport, KnowsWhichClocksAreComplete) {
  JobTotals totals;
  totals.full_tables = 2;
  totals.regions = {region("Global", 1, 1), region("late", 5, 5)};
  totals.regions[0].in_full_tables = 2;
  totals.regions[1].in_full_tables = 1;
  const JobReport report = make_report({}, totals);
  EXPECT_TRUE(report.regions[0].clocks_complete);
  EXPECT_DOUBLE_EQ(0.98, report.regions[0].metrics.pop.parallel_efficiency);
  EXPECT_FALSE(report.regions[1].clocks_complete);
  EXPECT_TRUE(std::isnan(report.regions[1].metrics.pop.parallel_efficiency));
  EXPECT_DOUBLE_EQ(1, report.regions[1].metrics.pop.load_balance);
}

// Some processes of the job ran without the library.
TEST(MakeReport, KnowsNoClocksIfSomeProcessesAreNotMeasured) {
  JobTotals totals;
  totals.processes = totals.unmeasured_processes = 1;
  totals.regions = {region("Global", 1, 1)};
  complete_job(&totals);
  const JobReport report = make_report({}, totals);
  EXPECT_EQ(1, report.totals.unmeasured_processes);
  EXPECT_FALSE(report.regions[0].clocks_complete);
  EXPECT_TRUE(std::isnan(report.regions[0].metrics.pop.parallel_efficiency));
}

TEST(MakeReport, HidesTheRowsOfLayersThatTheJobDoesNotHave) {
  JobTotals totals;
  totals.has_mpi = true;
  totals.regions = {region("Global", 10, 0)};
  const Metrics metrics = make_report({}, totals).regions[0].metrics;
  EXPECT_FALSE(std::isnan(metrics.critical_path.mpi_load_balance) &&
               std::isnan(metrics.additive.process_efficiency));
  EXPECT_TRUE(std::isnan(metrics.additive.thread_efficiency));
}

// A value, or the reason why there is none: never both, never neither.
TEST(MakeReport, SaysWhyAValueIsMissing) {
  const auto missing = [](const JobReport& report, const char* key) {
    for (const Metric& metric : all_metrics()) {
      if (key_of(metric.model) + std::string(".") + metric.key != key) continue;
      return report.regions[0].missing.metrics[metric.place];
    }
    ADD_FAILURE() << key;
    return Missing::kNothing;
  };
  JobTotals totals;
  totals.has_mpi = true;
  totals.regions = {region("Global", 10, 0)};
  complete_job(&totals);
  const JobReport report = make_report({}, totals);
  EXPECT_EQ(Missing::kLayer,
            missing(report, "additive.openmp_region_load_balance"));
  EXPECT_EQ(Missing::kNotCounted, missing(report, "computation.ipc"));
  EXPECT_EQ(Missing::kIoNotMeasured, missing(report, "io.posix_io_efficiency"));
  EXPECT_EQ(Missing::kCoow, missing(report, "waiting.parallel_efficiency"));
  EXPECT_EQ(Missing::kNothing,
            missing(report, "critical_path.parallel_efficiency"));
  totals.unmeasured_processes = 1;
  EXPECT_EQ(Missing::kUnmeasured, missing(make_report({}, totals),
                                          "critical_path.parallel_efficiency"));
  EXPECT_EQ(Missing::kUnmeasured,
            make_report({}, totals).regions[0].missing.run_time);
  EXPECT_EQ(Missing::kNothing, report.regions[0].missing.run_time);
  RunContext imported;
  imported.imported_from = "TALP";
  EXPECT_EQ(Missing::kNothing,
            make_report(imported, totals).regions[0].missing.run_time);
  EXPECT_EQ(Missing::kImported, missing(make_report(imported, totals),
                                        "critical_path.parallel_efficiency"));
  totals.has_unseen_openmp = true;
  EXPECT_EQ(
      Missing::kUnseenOpenMp,
      missing(make_report({}, totals), "additive.openmp_region_load_balance"));
  // Nor is it known what all threads did; MPI is known.
  EXPECT_EQ(Missing::kUnseenOpenMp,
            missing(make_report({}, totals), "pop.parallel_efficiency"));
  EXPECT_EQ(Missing::kUnseenOpenMp,
            missing(make_report({}, totals), "critical_path.load_balance"));
  RunContext ended;
  ended.openmp_runtime = "LLVM";
  EXPECT_EQ(Missing::kOpenMpEnded,
            missing(make_report(ended, totals),
                    "additive.openmp_region_load_balance"));
  for (const RegionReport& each : report.regions) {
    for (const Metric& metric : all_metrics()) {
      EXPECT_EQ(std::isnan(metric.value(each.metrics)) ||
                    std::isnan(metric.value(each.losses)),
                each.missing.metrics[metric.place] != Missing::kNothing)
          << metric.key;
    }
  }
}

TEST(MakeReport, OfNothingIsEmpty) {
  const JobReport report = make_report({}, JobTotals());
  EXPECT_EQ(nullptr, global_region(report));
  EXPECT_EQ(0, job_core_ns(report));
}

}  // namespace
}  // namespace poprt
