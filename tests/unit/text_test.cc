#include <gtest/gtest.h>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <locale>
#include <sstream>
#include <string>
#include <vector>

#include "document/format.h"
#include "report/csv.h"
#include "report/heading.h"
#include "report/processes.h"
#include "report/rankings.h"
#include "report/table_options.h"
#include "unit/as_text.h"
#include "unit/golden.h"
#include "unit/sample_reports.h"

namespace poprt {
namespace {

const std::vector<Model> kAllModels(std::begin(kModels), std::end(kModels));

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::stringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string line_with(const std::string& text, const std::string& part) {
  for (const std::string& line : lines_of(text)) {
    if (has(line, part)) return line;
  }
  return "";
}

void expect_golden(const std::string& name, const std::string& text) {
  test::expect_golden_of_version(name, text, "poprt ", " ");
}

// One rank's worth of the hybrid job without a layer.
JobReport without(bool mpi, bool openmp, bool unseen = false,
                  const char* runtime = "") {
  JobReport report = test::hybrid_report();
  JobTotals totals = report.totals;
  totals.has_mpi = mpi;
  totals.has_openmp = openmp;
  totals.has_unseen_openmp = unseen;
  for (const RegionReport& region : report.regions) {
    totals.regions.push_back(region.totals);
  }
  if (unseen) report.context.openmp_runtime = runtime;
  return make_report(report.context, totals);
}

TEST(ToText, IsTheGoldenReportInAllModels) {
  expect_golden("hybrid-all.txt",
                to_text(test::hybrid_report(), kAllModels, ""));
}

TEST(ToText, IsTheGoldenReportOfASmallJobWithMpiIo) {
  expect_golden("small.txt",
                to_text(test::small_report(), {Model::kCriticalPath}, ""));
}

TEST(ToText, DoesNotNoticeALocaleWithDecimalCommas) {
  const std::string expected = to_text(test::hybrid_report(), kAllModels, "");
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale old =
      std::locale::global(std::locale(std::locale::classic(), new Comma));
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  const std::string text = to_text(test::hybrid_report(), kAllModels, "");
  std::setlocale(LC_ALL, "C");
  std::locale::global(old);
  EXPECT_EQ(expected, text);
}

TEST(ToText, FitsInEightyColumns) {
  for (const JobReport& report : {test::hybrid_report(), test::small_report(),
                                  without(true, false), without(false, true)}) {
    for (const std::string& line : lines_of(to_text(report, kAllModels, ""))) {
      const auto columns = std::count_if(line.begin(), line.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
      });
      EXPECT_LE(columns, 80) << line;
      EXPECT_TRUE(line.empty() || line.back() != ' ') << '[' << line << ']';
    }
  }
}

TEST(ToText, LeavesOutTheRowsOfOpenMpWithoutOpenMp) {
  const std::string text = to_text(without(true, false), kAllModels, "");
  EXPECT_FALSE(has(text, "OpenMP"));
  EXPECT_FALSE(has(text, "Thread Efficiency"));
  EXPECT_FALSE(has(text, "Serial Region"));
  EXPECT_FALSE(has(text, "mpi_worker_idle"));
  EXPECT_TRUE(has(text, "MPI Parallel Efficiency"));
  EXPECT_TRUE(has(text, "Process Efficiency"));
}

TEST(ToText, SaysThatTheProgramHasEndedOpenMp) {
  const JobReport report = without(true, false, true, "LLVM OMP version: 5.0");
  const std::string text = to_text(report, kAllModels, "");
  EXPECT_TRUE(has(text, "| OpenMP: ended, not measured from then on\n"));
  EXPECT_TRUE(has(text, "the program has ended the OpenMP runtime"));
  EXPECT_TRUE(line_with(text, "OpenMP Parallel").starts_with("   all -["));
  EXPECT_FALSE(has(text, "GCC"));
}

TEST(ToText, SaysThatOpenMpWasNotMeasuredWhereTheProgramHasIt) {
  const std::string text =
      to_text(without(true, false, /*unseen=*/true), kAllModels, "");
  EXPECT_TRUE(has(text, "| OpenMP: not seen\n"));
  EXPECT_TRUE(has(text, "not measured: the program's OpenMP runtime"));
  EXPECT_TRUE(has(text, "% of the measured core time was useful."));
  for (const char* row : {"OpenMP Parallel", "Thread"}) {
    const std::string line = line_with(text, row);
    EXPECT_TRUE(line.starts_with("   all -[")) << line;
  }
  EXPECT_TRUE(has(line_with(text, "MPI Parallel Efficiency"), "."));
}

TEST(ToText, LeavesOutTheRowsOfMpiWithoutMpi) {
  const std::string text = to_text(without(false, true), kAllModels, "");
  EXPECT_FALSE(has(text, "MPI Parallel Efficiency"));
  EXPECT_FALSE(has(text, "Open MPI"));
  EXPECT_FALSE(has(text, "Process Efficiency"));
  EXPECT_TRUE(has(text, "OpenMP Parallel Efficiency"));
  EXPECT_TRUE(has(text, "4 processes x 4 threads"));
}

TEST(ToText, MarksWhatIsPoorAndWhatNeedsAttention) {
  const JobReport report = test::small_report();
  const std::string text = to_text(report, {Model::kPop}, "");
  EXPECT_TRUE(has(text, " Parallel Efficiency                     69.3 !"));
  EXPECT_TRUE(has(line_with(text, "  Load Balance  "), "80.5 "));
  EXPECT_FALSE(has(line_with(text, "  Load Balance  "), "!"));
}

TEST(ToText, SaysWhyANumberIsMissing) {
  const std::string text =
      to_text(test::hybrid_report(), {Model::kCriticalPath}, "");
  EXPECT_TRUE(has(text, "-[1]"));
  EXPECT_TRUE(has(text, "[1] the region's clocks are incomplete: they did"));
  EXPECT_TRUE(
      has(text, "not all messages had room for the clocks of all regions"));
}

TEST(ToText, SaysThatTalpsFactorsDoNotMultiply) {
  const std::string text = to_text(test::hybrid_report(), {Model::kTalp}, "");
  EXPECT_TRUE(has(text, "MPI times OpenMP is not the Parallel Efficiency"));
  EXPECT_TRUE(has(text, "mpi_worker_idle, % lost"));
}

TEST(ToText, ExplainsOpenMpRowsAboveAHundredInsteadOfClampingThem) {
  JobReport report = test::small_report();
  report.regions[0].metrics.multiplicative.openmp_load_balance = 1.042;
  const std::string text = to_text(report, {Model::kMultiplicative}, "");
  EXPECT_TRUE(has(line_with(text, "OpenMP Load Balance"), "104.2[1]"));
  EXPECT_TRUE(has(text, "[1] may exceed 100"));
}

TEST(ToText, CallsAMistakeAMistake) {
  JobReport report = test::small_report();
  report.regions[0].metrics.pop.load_balance = 1.01;
  const std::string text = to_text(report, {Model::kPop}, "");
  EXPECT_TRUE(has(text, "101.0[1]"));
  EXPECT_TRUE(has(text, "please report this"));
}

TEST(ToText, DoesNotCallRoundingAMistake) {
  JobReport report = test::small_report();
  report.regions[0].metrics.pop.load_balance = 1 + 1e-9;
  EXPECT_FALSE(has(to_text(report, {Model::kPop}, ""), "[1]"));
}

TEST(ToText, ShowsNothingThatMovesTheTextAround) {
  const std::string evil = "a\u202eb\u2028c\x1b[31m";
  JobReport report = test::hybrid_report();
  report.context.program = report.context.mpi_library =
      report.context.mpi_thread_level = report.context.openmp_runtime = evil;
  report.context.command = {evil, evil};
  for (RegionReport& region : report.regions) {
    if (region.totals.name != kGlobalRegion) region.totals.name = evil;
  }
  report.constructs.push_back({});
  for (ConstructReport& construct : report.constructs) {
    construct.location = evil;
  }
  report.totals.quality.notes = {evil};
  JobReport imported = report;
  imported.context.imported_from = evil;
  const TableOptions options = {.blocks = process_blocks(report, {})};
  for (const JobReport& each : {report, imported}) {
    for (const std::string& text :
         {to_text(each, kAllModels, evil, options),
          to_markdown(each, kAllModels, evil, options),
          to_csv(each, evil, kAllModels, {})}) {
      EXPECT_TRUE(has(text, "a?b?c?"));
      for (const char* part : {"\u202e", "\u2028", "\x1b"}) {
        EXPECT_FALSE(has(text, part));
      }
    }
  }
}

TEST(ToText, AlignsWideNames) {
  JobReport report = test::hybrid_report();
  report.regions[1].totals.name = "\u8a08\u7b97\u30eb\u30fc\u30d7";
  report.regions[2].totals.name = "e\u0301tape";
  for (const std::string& line : lines_of(block_text(region_ranking(report)))) {
    if (line.empty() || line.front() != ' ' || has(line, "overlap") ||
        has(line, "(longest")) {
      continue;
    }
    EXPECT_EQ(75u, columns(line)) << line;
  }
}

TEST(ToText, OfNothingSaysSo) {
  const std::string text =
      to_text(make_report({}, JobTotals()), kAllModels, "");
  EXPECT_TRUE(has(text, "Nothing was measured"));
}

TEST(Heading, NamesAScriptOnce) {
  RunContext context;
  context.program = "solve.py";
  context.command = {"python3", "-O", "./solve.py", "-n", "8"};
  EXPECT_EQ("solve.py -n 8", command_line(context));
  context.program = "app";
  context.command = {"./app", "app", "8"};
  EXPECT_EQ("app app 8", command_line(context));
  context.command = {"other", "8"};
  EXPECT_EQ("app 8", command_line(context));
}

TEST(Heading, ShapesOfDifferentThreadsHaveDifferentNames) {
  JobTotals totals;
  totals.processes = 3;
  totals.threads = 6;
  totals.threads_min = 1;
  totals.threads_max = 3;
  EXPECT_EQ("3x1-3", file_shape(totals));
  EXPECT_EQ("3x1-3=6", short_shape(totals));
  totals.threads = 9;
  totals.threads_min = 3;
  EXPECT_EQ("3x3", file_shape(totals));
  EXPECT_EQ("3x3", short_shape(totals));
  totals.has_unseen_openmp = true;
  EXPECT_EQ("3xunknown", file_shape(totals));
  EXPECT_EQ("3x?", short_shape(totals));
  totals.has_openmp = true;
  EXPECT_EQ("3x3", short_shape(totals));
}

// Also what a report leaves out, because there is one host, or nothing of it.
TEST(ToCsv, HasAllRowsOfTheLayersThatThereAre) {
  const std::string csv = to_csv(test::hybrid_report(), "f", kAllModels, {});
  for (const char* const key :
       {",pop,load_balance_in,", ",pop,load_balance_out,",
        ",mpi_time,mpi_unknown_share,"}) {
    EXPECT_TRUE(has(csv, key)) << key;
  }
  EXPECT_FALSE(has(to_csv(without(false, true), "f", kAllModels, {}),
                   ",mpi_time,mpi_unknown_share,"));
}

}  // namespace
}  // namespace poprt
