// Runs in the forms of BasicAnalysis and OTF-CPT; that of TALP: talp_test.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "exchange/formats.h"
#include "unit/sample_reports.h"
#include "unit/test_jobs.h"

namespace poprt {
namespace {

TEST(ExportedFiles, NoProgramNameLeadsOutOfTheFolder) {
  JobReport report = test::small_report();
  for (const char* name : {"../../etc/passwd", "..", "a\nb", ""}) {
    report.context.program = name;
    const std::string path = talp_files({report})[0].path;
    EXPECT_EQ(2, std::count(path.begin(), path.end(), '/')) << path;
    EXPECT_EQ(std::string::npos, path.find('\n')) << path;
    EXPECT_NE('/', path.front()) << path;
    EXPECT_NE('.', path.front()) << path;
  }
}

// --- to BasicAnalysis --------------------------------------------------------

std::string line_of(const std::string& text, const std::string& begin) {
  const size_t at = text.find("\n" + begin);
  if (at == std::string::npos) return "";
  return text.substr(at + 1, text.find('\n', at + 1) - at - 1);
}

// One process of one thread; two such processes do the same work in 60 % of the
// time.
std::vector<JobReport> two_runs() {
  std::vector<JobReport> reports;
  for (int ranks : {2, 1}) {
    JobTotals job;
    const int64_t elapsed = ranks == 1 ? 1000 : 600;
    const int64_t useful = ranks == 1 ? 900 : 500;
    test::Clocks clocks;
    clocks.pl_cue = clocks.cue = clocks.com = useful;
    clocks.coo = clocks.all = elapsed;
    for (int rank = 0; rank < ranks; ++rank) {
      const auto process = test::mpi_process(useful, elapsed);
      job = combine(
          std::move(job),
          test::job_of(process, {test::region_of("Global", process, clocks)}));
    }
    job.has_mpi = true;
    job.has_openmp = false;
    reports.push_back(make_report({}, std::move(job)));
  }
  return reports;
}

TEST(ToBasicAnalysis, ComparesWithTheSmallestRun) {
  const auto strong = basic_analysis_files(two_runs(), Scaling::kStrong);
  const std::string& factors = strong[0].text;
  EXPECT_EQ("\"Number of processes\";1;2",
            factors.substr(0, factors.find('\n')));
  EXPECT_EQ("\"-- Parallel efficiency\";90.000000;83.333333",
            line_of(factors, "\"-- Parallel"));
  EXPECT_EQ("\"-- Computation scalability\";100.000000;90.000000",
            line_of(factors, "\"-- Computation"));
  EXPECT_EQ("\"Global efficiency\";90.000000;75.000000",
            line_of(factors, "\"Global"));
  EXPECT_EQ("Speedup;1.000000;1.666667", line_of(strong[3].text, "Speedup"));
  EXPECT_EQ("Efficiency;1.000000;0.833333",
            line_of(strong[3].text, "Efficiency"));

  const auto weak = basic_analysis_files(two_runs(), Scaling::kWeak);
  EXPECT_EQ("\"-- Computation scalability\",100.00,180.00",
            line_of(weak[1].text, "\"-- Computation"));
  EXPECT_EQ("Speedup;1.000000;3.333333", line_of(weak[3].text, "Speedup"));
}

TEST(ToBasicAnalysis, GlobalEfficiencyNeedsComputationScaling) {
  std::vector<JobReport> reports = two_runs();
  reports[0].regions[0].totals.useful_sum_ns = 0;  // of the larger
  const auto files = basic_analysis_files(reports, Scaling::kStrong);
  EXPECT_EQ("\"-- Computation scalability\",100.00,NaN",
            line_of(files[1].text, "\"-- Computation"));
  EXPECT_EQ("\"Global efficiency\",90.00,NaN",
            line_of(files[1].text, "\"Global"));
  EXPECT_EQ("\"-- Parallel efficiency\",90.00,83.33",
            line_of(files[1].text, "\"-- Parallel"));
}

TEST(ToBasicAnalysis, WhatIsMissingIsNonAvail) {
  const auto files =
      basic_analysis_files({two_runs().front()}, Scaling::kStrong);
  EXPECT_EQ("\"   -- IPC scalability\",Non-Avail",
            line_of(files[1].text, "\"   -- IPC"));
  EXPECT_EQ("\"   -- OpenMP Parallel efficiency\",Non-Avail",
            line_of(files[2].text, "\"   -- OpenMP"));
  // A single run has nothing to scale against.
  EXPECT_EQ("\"-- Computation scalability\",Non-Avail",
            line_of(files[1].text, "\"-- Computation"));
  EXPECT_EQ("\"Global efficiency\",83.33", line_of(files[1].text, "\"Global"));
  EXPECT_EQ("Speedup;Non-Avail", line_of(files[3].text, "Speedup"));
}

// --- to OTF-CPT --------------------------------------------------------------

TEST(ToOtfcpt, RowsOfAnAbsentLayerAreOne) {
  const std::string text = to_otfcpt(two_runs().front());
  EXPECT_EQ("  OMP Parallel Efficiency:          1.000000",
            line_of(text, "  OMP Parallel"));
  EXPECT_EQ("=> Total runtime (in s):         0.000001",
            line_of(text, "=> Total"));
}

}  // namespace
}  // namespace poprt
