// The time in MPI and its parts, the model `mpi_time`; and the model `waiting`.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "model/metrics.h"
#include "model/present_rows.h"
#include "model/quantities.h"
#include "model/state_parts.h"
#include "report/core_time.h"
#include "report/reasons.h"
#include "report/table.h"
#include "unit/test_jobs.h"

namespace poprt {
namespace {

struct Parts {
  int64_t waiting;
  int64_t transfer;
  int64_t unknown;
};

// Two processes of one thread with 60 of 100 useful each; the parts are those
// of both.
RegionTotals with_parts(const Parts& parts) {
  RegionTotals region = test::combined(
      "Global", {test::mpi_process(60, 100), test::mpi_process(60, 100)},
      {60, 60, 60, 100, 100});
  set_amount(kMpiWaiting.name, parts.waiting, &region.amounts);
  set_amount(kMpiTransfer.name, parts.transfer, &region.amounts);
  set_amount(kMpiUnknown.name, parts.unknown, &region.amounts);
  return region;
}

JobReport report_of(RegionTotals region) {
  JobTotals job = test::job_of(test::mpi_process(1, 2), {std::move(region)});
  job.processes = job.threads = 2;
  job.has_mpi = true;
  job.has_openmp = false;
  return make_report({}, std::move(job));
}

// "50.0" of a row, "" without the row.
std::string row(const JobReport& report, const std::string& label) {
  for (const TableRow& each : model_table(report, Model::kMpiTime, {}).rows) {
    if (each.label == label) return percent(each.cells.at(0).value);
  }
  return "";
}

// Two processes of work 2 in a run of 10; the second has 8 of OpenMP overhead,
// for which the first one waits in MPI.
RegionTotals with_overhead_behind_a_wait(int64_t coow_ns) {
  RegionTotals region = test::combined(
      "Global", {test::mpi_process(2, 10), test::mpi_process(2, 10)},
      {2, 2, 2, 10, 10});
  region.coow_ns = coow_ns;
  return region;
}

TEST(Waiting, BlamesOpenMpForWhatMpiWaitedFor) {
  const Metrics m = metrics_of(with_overhead_behind_a_wait(2), {});
  EXPECT_DOUBLE_EQ(0.2, m.critical_path.mpi_transfer_efficiency);
  EXPECT_DOUBLE_EQ(1, m.critical_path.openmp_transfer_efficiency);
  EXPECT_DOUBLE_EQ(1, m.waiting.mpi_transfer_efficiency);
  EXPECT_DOUBLE_EQ(0.2, m.waiting.openmp_transfer_efficiency);
}

TEST(Waiting, HasTheCriticalPathsRowsButForTransfer) {
  const RegionTotals region = with_overhead_behind_a_wait(2);
  const Metrics m = metrics_of(region, {});
  const Metrics losses = losses_of(region, {});
  const auto path = metrics_in(Model::kCriticalPath);
  const auto waiting = metrics_in(Model::kWaiting);
  ASSERT_EQ(path.size(), waiting.size());
  for (size_t i = 0; i < path.size(); ++i) {
    const std::string key = path[i].key;
    EXPECT_EQ(key, waiting[i].key);
    EXPECT_STREQ(path[i].label, waiting[i].label);
    const bool differs = key == "mpi_transfer_efficiency" ||
                         key == "mpi_communication_efficiency" ||
                         key == "mpi_parallel_efficiency" ||
                         key == "openmp_transfer_efficiency" ||
                         key == "openmp_communication_efficiency" ||
                         key == "openmp_parallel_efficiency";
    EXPECT_EQ(differs, path[i].value(m) != waiting[i].value(m)) << key;
    EXPECT_EQ(differs, path[i].value(losses) != waiting[i].value(losses))
        << key;
  }
}

TEST(Waiting, IsUndefinedWhereItsClockWasNotKept) {
  const RegionTotals region = with_overhead_behind_a_wait(0);
  const Metrics m = metrics_of(region, {});
  for (const Metric& metric : metrics_in(Model::kWaiting)) {
    EXPECT_TRUE(std::isnan(metric.value(m))) << metric.key;
  }
  const JobReport report = report_of(region);
  const Metric parallel = metrics_in(Model::kWaiting).front();
  EXPECT_NE(std::string(undefined_reason(report.regions[0], parallel))
                .find("POPRT_PATH=waiting"),
            std::string::npos);
}

TEST(MpiTime, PartsAreSharesOfTheCoreTime) {
  const Metrics m = metrics_of(with_parts({50, 29, 1}), {});
  EXPECT_DOUBLE_EQ(0.4, m.mpi_time.mpi_share);
  EXPECT_DOUBLE_EQ(0.25, m.mpi_time.mpi_waiting_share);
  EXPECT_DOUBLE_EQ(0.145, m.mpi_time.mpi_transfer_share);
  EXPECT_DOUBLE_EQ(0.005, m.mpi_time.mpi_unknown_share);
  EXPECT_TRUE(std::isnan(metrics_of(with_parts({50, 29, 1}), {.of_program = 0})
                             .mpi_time.mpi_share));
}

TEST(MpiTime, WhatIsUnknownIsShownAboveOnePercentOfTheTimeInMpi) {
  EXPECT_EQ("",
            row(report_of(with_parts({50, 30, 0})), "Partner's clock unknown"));
  EXPECT_EQ("0.5",
            row(report_of(with_parts({50, 29, 1})), "Partner's clock unknown"));
}

std::string bars_of(const RegionTotals& region) {
  std::string text;
  for (const Bar& bar : core_time_bars(report_of(region)).bars) {
    text += bar.label + " " + std::to_string(bar.tenths) + "; ";
  }
  return text;
}

TEST(MpiTime, BarsTellThePartsOfTheTimeInMpi) {
  EXPECT_EQ("useful 600; waiting in MPI 250; transfer in MPI 150; ",
            bars_of(with_parts({50, 30, 0})));
  EXPECT_EQ(
      "useful 600; waiting in MPI 250; transfer in MPI 145; unknown in MPI 5; ",
      bars_of(with_parts({50, 29, 1})));
  // MPI-IO is transfer, and where it is more than that, unknown.
  RegionTotals region = with_parts({50, 20, 10});
  set_amount(kMpiIo.name, 24, &region.amounts);
  EXPECT_EQ(
      "useful 600; waiting in MPI 250; transfer in MPI 0; unknown in MPI 30; "
      "MPI-IO 120; ",
      bars_of(region));
}

double in_parts(const RegionTotals& region, State state) {
  double sum = 0;
  for (const StatePart& part : kStateParts) {
    const double ns = part.ns(region);
    if (part.state == state && !part.is_of_last && !std::isnan(ns)) sum += ns;
  }
  return sum;
}

// Whatever is known of them.
TEST(StateParts, AddUpToTheTimeInTheState) {
  RegionTotals region = with_parts({50, 29, 1});
  EXPECT_DOUBLE_EQ(80, in_parts(region, State::kMpi));
  set_amount(kMpiWaiting.name, 0, &region.amounts);
  EXPECT_DOUBLE_EQ(80, in_parts(region, State::kMpi));

  region.omp_sum_ns = 40;
  region.talp_omp_serial_ns = 1;
  region.talp_omp_load_balance_ns = 2;
  region.talp_omp_scheduling_ns = 5;
  EXPECT_DOUBLE_EQ(40, in_parts(region, State::kOmp));
  region.openmp_weighted_ns = region.useful_sum_ns - region.serial_sum_ns + 30;
  set_amount(kOpenMpSerialised.name, 7, &region.amounts);
  set_amount(kOpenMpNotStarted.name, 3, &region.amounts);
  EXPECT_DOUBLE_EQ(40, in_parts(region, State::kOmp));
  EXPECT_DOUBLE_EQ(10, state_parts::openmp_serial(region));
  EXPECT_DOUBLE_EQ(20, state_parts::openmp_imbalance(region));
}

TEST(StateParts, AddUpToTheTimeOfAThread) {
  const auto in_thread = [](const ThreadRow& row) {
    double sum = 0;
    for (const StatePart& part : kStateParts) {
      if (part.of_thread != nullptr) sum += part.of_thread(row);
    }
    return sum;
  };
  ThreadRow row{.omp_ns = 100};
  EXPECT_TRUE(std::isnan(in_thread(row)));
  row.openmp_imbalance_ns = 40;
  row.openmp_mpi_inside_ns = 3;
  row.openmp_serialised_ns = 2;
  row.openmp_scheduling_ns = 1;
  row.openmp_not_started_ns = 4;
  row.openmp_accelerator_inside_ns = 0;
  EXPECT_DOUBLE_EQ(100, in_thread(row));
  EXPECT_DOUBLE_EQ(50, state_parts::outside_of_thread(row));
}

}  // namespace
}  // namespace poprt
