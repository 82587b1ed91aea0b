// What file I/O costs: the model `io`, and Figure 17 of POP2's D8.2.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "exchange/formats.h"
#include "model/metrics.h"
#include "model/present_rows.h"
#include "model/quantities.h"
#include "report/file_io.h"
#include "report/notes.h"
#include "report/table.h"
#include "unit/sentence_pairs.h"
#include "unit/test_jobs.h"

namespace poprt {
namespace {

struct Io {
  int64_t mpi = 0;
  int64_t posix = 0;
};

std::string file_io_warning(const JobReport& report) {
  return test::said_by(notes(), "file_io", report);
}

// Two processes of one thread, in a run of `elapsed`.
RegionTotals with_io(int64_t useful, int64_t elapsed, const Io& io) {
  RegionTotals region = test::combined(
      "Global",
      {test::mpi_process(useful, elapsed), test::mpi_process(useful, elapsed)},
      {useful, useful, useful, elapsed, elapsed});
  set_amount(kMpiIo.name, 2 * io.mpi, &region.amounts);
  set_amount(kPosixIo.name, 2 * io.posix, &region.amounts);
  return region;
}

JobReport report_of(RegionTotals region, bool posix) {
  JobTotals job = test::job_of(test::mpi_process(1, 2), {std::move(region)});
  job.processes = job.threads = 2;
  job.has_mpi = true;
  job.has_posix_io = posix;
  return make_report({}, std::move(job));
}

TEST(FileIo, BothDefinitionsAgree) {
  // 60 of computation, 10 of POSIX I/O, 20 of MPI-IO, 10 of other MPI.
  const Metrics m = metrics_of(with_io(70, 100, {20, 10}), {});
  const double if_lost = 60.0 / (60 + 30);
  const double if_useful = (90.0 - 30) / 90;
  EXPECT_DOUBLE_EQ(if_lost, m.io.file_io_efficiency);
  EXPECT_DOUBLE_EQ(if_useful, m.io.file_io_efficiency);
  EXPECT_DOUBLE_EQ(70.0 / (70 + 20), m.io.mpi_io_efficiency);
  EXPECT_DOUBLE_EQ((70.0 - 10) / 70, m.io.posix_io_efficiency);
  EXPECT_DOUBLE_EQ(0.20, m.io.mpi_io_share);
  EXPECT_DOUBLE_EQ(0.10, m.io.posix_io_share);
}

TEST(FileIo, IsAFactorOfParallelEfficiency) {
  const RegionTotals region = with_io(70, 100, {20, 10});
  const Metrics m = metrics_of(region, {});
  EXPECT_DOUBLE_EQ(0.6, m.io.parallel_efficiency_io_lost);
  EXPECT_DOUBLE_EQ(0.9, m.io.parallel_efficiency_io_useful);
  EXPECT_DOUBLE_EQ(
      m.io.parallel_efficiency_io_lost,
      m.io.parallel_efficiency_io_useful * m.io.file_io_efficiency);
  EXPECT_DOUBLE_EQ(m.io.file_io_efficiency,
                   m.io.mpi_io_efficiency * m.io.posix_io_efficiency);
  // The published metrics do not change.
  EXPECT_DOUBLE_EQ(0.7, m.pop.parallel_efficiency);
  const Metrics lost = losses_of(region, {});
  EXPECT_DOUBLE_EQ(
      lost.io.parallel_efficiency_io_lost,
      lost.io.file_io_efficiency + lost.io.parallel_efficiency_io_useful);
  EXPECT_DOUBLE_EQ(lost.io.file_io_efficiency,
                   lost.io.mpi_io_efficiency + lost.io.posix_io_efficiency);
}

TEST(FileIo, BandwidthIsOfTheTimeInItsCalls) {
  RegionTotals region = with_io(1'000'000'000, 2'000'000'000, {250'000'000, 0});
  set_amount(kMpiIoRead.name, 300, &region.amounts);
  set_amount(kMpiIoWritten.name, 700, &region.amounts);
  set_amount(kMpiIoCalls.name, 5, &region.amounts);
  const Metrics m = metrics_of(region, {});
  EXPECT_DOUBLE_EQ(300, m.io.mpi_io_read_bytes);
  EXPECT_DOUBLE_EQ(700, m.io.mpi_io_written_bytes);
  EXPECT_DOUBLE_EQ(5, m.io.mpi_io_calls);
  EXPECT_DOUBLE_EQ(1000 / 0.5, m.io.mpi_io_bandwidth);
  EXPECT_TRUE(std::isnan(m.io.posix_io_bandwidth));
}

TEST(FileIo, WhatWasNotMeasuredIsUndefined) {
  const RegionTotals region = with_io(70, 100, {20, 10});
  const Metrics mpi = metrics_of(region, {.posix_io = false});
  EXPECT_TRUE(std::isnan(mpi.io.posix_io_efficiency));
  EXPECT_TRUE(std::isnan(mpi.io.posix_io_share));
  EXPECT_FALSE(std::isnan(mpi.io.file_io_efficiency));
  const Metrics posix = metrics_of(region, {.of_program = 0});
  EXPECT_TRUE(std::isnan(posix.io.mpi_io_efficiency));
  EXPECT_FALSE(std::isnan(posix.io.file_io_efficiency));
  const Metrics none = metrics_of(region, {.of_program = 0, .posix_io = false});
  EXPECT_TRUE(std::isnan(none.io.file_io_efficiency));
  EXPECT_TRUE(std::isnan(none.io.parallel_efficiency_io_lost));
}

TEST(FileIo, IsShownWhereThereIsAny) {
  EXPECT_FALSE(has_file_io(report_of(with_io(70, 100, {0, 0}), false)));
  EXPECT_TRUE(has_file_io(report_of(with_io(70, 100, {1, 0}), false)));
  EXPECT_TRUE(has_file_io(report_of(with_io(70, 100, {0, 0}), true)));
}

TEST(FileIo, AWarningNamesTheRegionsThatItDistorts) {
  EXPECT_EQ("", file_io_warning(report_of(with_io(700, 1000, {49, 0}), false)));
  EXPECT_EQ(
      "file I/O takes much of the core time of Global (30.0 %): it is in load "
      "balance, communication and useful time, which may be better or worse "
      "than they are without it. The model io takes it apart.",
      file_io_warning(report_of(with_io(700, 1000, {200, 100}), true)));
}

// NAS BT-IO.  The tool that measured it does not count POSIX I/O as useful, so
// it is added to the useful time here.
TEST(Figure17Io, FollowsFromItsShares) {
  struct Column {
    double parallel, mpi_io, posix_io;  // %, printed
    double printed;                     // I/O Efficiency
    double expected;                    // from the shares
  };
  constexpr Column kColumns[] = {{93.87, 5.17, 0.04, 94.75, 94.74},
                                 {86.21, 11.22, 0.07, 88.40, 88.42},
                                 {82.00, 12.20, 0.14, 86.69, 86.92},
                                 {70.58, 21.90, 0.22, 75.82, 76.14},
                                 {63.45, 29.76, 0.27, 67.42, 67.88}};
  constexpr int64_t kElapsed = 10'000'000;
  const auto ns = [](double percent) {
    return std::llround(percent / 100 * kElapsed);
  };
  for (const Column& c : kColumns) {
    SCOPED_TRACE(c.printed);
    const JobReport report =
        report_of(with_io(ns(c.parallel + c.posix_io), kElapsed,
                          {ns(c.mpi_io), ns(c.posix_io)}),
                  true);
    const IoMetrics& io = global_region(report)->metrics.io;
    EXPECT_NEAR(c.expected, 100 * io.file_io_efficiency, .006);
    EXPECT_NEAR(c.printed, 100 * io.file_io_efficiency, .5);
    EXPECT_EQ(c.mpi_io + c.posix_io < 5, file_io_warning(report).empty());
    EXPECT_NEAR(c.parallel, 100 * io.parallel_efficiency_io_lost, .001);
    // As BasicAnalysis writes them.
    const std::string text =
        basic_analysis_files({report}, Scaling::kStrong).back().text;
    const auto value = [&](const std::string& row) {
      return std::stod(text.substr(text.find(row) + row.size()));
    };
    EXPECT_NEAR(c.mpi_io, value("MPI I/O (%);"), .001);
    EXPECT_NEAR(c.posix_io, value("POSIX I/O (%);"), .001);
    EXPECT_NEAR(c.expected, value("I/O Efficiency (%);"), .006);
  }
}

// One process was in Global for half of the run only.
TEST(BasicAnalysis, SharesOfIoAreOfTheRunTimeOfAllCores) {
  RegionTotals region = test::combined(
      "Global", {test::mpi_process(10, 100), test::mpi_process(10, 50)},
      {10, 10, 10, 100, 100});
  set_amount(kMpiIo.name, 60, &region.amounts);
  set_amount(kPosixIo.name, 10, &region.amounts);
  const std::string text =
      basic_analysis_files({report_of(region, true)}, Scaling::kStrong)
          .back()
          .text;
  EXPECT_NE(text.npos, text.find("\nMPI I/O (%);30.000000\n")) << text;
  EXPECT_NE(text.npos, text.find("\nPOSIX I/O (%);5.000000\n")) << text;
  const std::string without =
      basic_analysis_files({report_of(region, false)}, Scaling::kStrong)
          .back()
          .text;
  EXPECT_NE(without.npos, without.find("\nPOSIX I/O (%);Non-Avail\n"));
}

TEST(FileSystems, AreListedByTime) {
  JobTotals a, b;
  a.processes = b.processes = 1;
  a.file_systems = {{"", "", 1, 0, 0, 100},
                    {"/scratch", "lustre", 4, 10, 20, 700}};
  b.file_systems = {{"/scratch", "lustre", 2, 5, 0, 1000},
                    {"/tmp", "xfs", 7, 0, 9, 200}};
  b.mpi_file_systems = {{"/data", "nfs", 1, 2, 3, 4}};
  const JobTotals both = combine(a, b);
  EXPECT_EQ(1u, both.mpi_file_systems.size());
  const Table table =
      file_system_table(both.file_systems, "POSIX I/O", "file_systems");
  EXPECT_EQ("POSIX I/O by file system", table.title);
  ASSERT_EQ(3u, table.rows.size());
  EXPECT_EQ("/scratch", table.rows[0].label);
  EXPECT_EQ("lustre", table.rows[0].cells[0].text);
  EXPECT_DOUBLE_EQ(1700, table.rows[0].cells[1].value);
  EXPECT_DOUBLE_EQ(0.85, table.rows[0].cells[2].value);
  EXPECT_DOUBLE_EQ(15, table.rows[0].cells[3].value);
  EXPECT_DOUBLE_EQ(20, table.rows[0].cells[4].value);
  EXPECT_DOUBLE_EQ(6, table.rows[0].cells[5].value);
  EXPECT_EQ("/tmp", table.rows[1].label);
  EXPECT_EQ("others", table.rows[2].label);
  EXPECT_TRUE(file_system_table({}, "MPI-IO", "mpi_file_systems").rows.empty());
}

}  // namespace
}  // namespace poprt
