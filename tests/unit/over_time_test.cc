// Metrics over time: the windows of several processes, and what the report
// says.
#include "report/over_time.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/window_option.h"
#include "document/shown.h"
#include "model/job.h"
#include "model/quantities.h"
#include "model/windows.h"
#include "report/csv.h"
#include "report/table.h"
#include "report/table_options.h"
#include "run_file/reader.h"
#include "run_file/writer.h"
#include "unit/as_text.h"
#include "unit/has.h"

namespace poprt {
namespace {

using Values = std::vector<double>;
using Places = std::vector<size_t>;

TEST(OverTime, APhaseBeginsWhereTwoWindowsDiffer) {
  EXPECT_EQ(Places{}, phase_begins({}));
  EXPECT_EQ(Places{}, phase_begins({0.9, 0.85, 0.95, 0.9}));
  EXPECT_EQ(Places{3}, phase_begins({0.9, 0.9, 0.9, 0.5, 0.5, 0.5}));
  EXPECT_EQ((Places{2, 4}), phase_begins({0.9, 0.9, 0.7, 0.7, 0.9, 0.9}));
  EXPECT_EQ(Places{1}, phase_begins({0.5, 0.6, 0.6}));
}

TEST(OverTime, ASingleWindowIsNoPhase) {
  EXPECT_EQ(Places{}, phase_begins({0.9, 0.9, 0.1, 0.9, 0.9}));
  EXPECT_EQ(Places{}, phase_begins({0.9, 0.9, 0.1}));
  // Nor are two of which one is better and one worse.
  EXPECT_EQ(Places{}, phase_begins({0.5, 0.5, 0.1, 0.9, 0.5, 0.5}));
}

TEST(OverTime, UnknownValuesBelongToTheirPhase) {
  const double unknown = std::nan("");
  EXPECT_EQ(Places{}, phase_begins({unknown, unknown}));
  EXPECT_EQ(Places{4}, phase_begins({unknown, 0.9, unknown, 0.9, 0.5, 0.5}));
}

TEST(OverTime, ADigitIsATenth) {
  EXPECT_EQ("09951-", sparkline({0.0, 1.0, 0.9, 0.599, 0.1, std::nan("")}, 20));
  // As per cent are shown: 89.96 is 90.0.
  EXPECT_EQ("98", sparkline({0.8996, 0.899}, 20));
  // Out of range.
  EXPECT_EQ("09", sparkline({-0.1, 1.2}, 20));
}

TEST(OverTime, ADigitIsTheLowestOfNeighbours) {
  EXPECT_EQ("943", sparkline({0.95, 0.91, 0.9, 0.45, 0.3}, 3));
  EXPECT_EQ(20u, sparkline(Values(40, 0.5), 20).size());
  EXPECT_EQ(16u, sparkline(Values(64, 0.5), 20).size());
}

TEST(WindowOption, IsARegionOrATime) {
  EXPECT_EQ((WindowSpec{"step", 1, 0}), parse_windows("region:step"));
  EXPECT_EQ((WindowSpec{"step", 20, 0}), parse_windows("region:step/20"));
  EXPECT_EQ((WindowSpec{"a/b", 1, 0}), parse_windows("region:a/b"));
  EXPECT_EQ((WindowSpec{"a/b", 3, 0}), parse_windows("region:a/b/3"));
  EXPECT_EQ((WindowSpec{"", 0, 500'000'000}), parse_windows("500ms"));
  EXPECT_EQ((WindowSpec{"", 0, 1'000'000'000}), parse_windows("1s"));
  EXPECT_EQ((WindowSpec{"", 0, 120'000'000'000}), parse_windows("2min"));
  for (const char* const wrong :
       {"", "region", "region:", "1", "s", "0s", "-1s", "1.5s", "1h", "1441min",
        "99999999999999999999s", "region:/3"}) {
    EXPECT_EQ(std::nullopt, parse_windows(wrong)) << wrong;
  }
}

// Of one process with one thread that worked for a part of the time.
RegionTotals window_of(int level, int64_t index, int64_t elapsed_ns,
                       int64_t useful_ns) {
  RegionTotals w;
  w.key = window_key(level, index);
  w.processes = w.threads = w.visits = w.visits_max = w.mpi_callers = 1;
  w.elapsed_max_ns = w.elapsed_weighted_ns = w.all_ns = elapsed_ns;
  w.useful_sum_ns = w.useful_max_ns = w.useful_max_weighted_ns = useful_ns;
  w.serial_sum_ns = w.serial_weighted_ns = w.outside_mpi_max_ns = useful_ns;
  w.mpi_sum_ns = elapsed_ns - useful_ns;
  w.pl_cue_ns = w.cue_ns = w.com_ns = w.comp_ns = useful_ns;
  w.coo_ns = elapsed_ns;
  w.nodes = {{7, 1, useful_ns, 1, useful_ns, useful_ns, useful_ns, useful_ns}};
  return w;
}

JobTotals job_of(std::vector<RegionTotals> windows) {
  JobTotals job;
  job.processes = job.threads = job.threads_min = job.threads_max = 1;
  job.has_mpi = true;
  RegionTotals global = window_of(0, 0, 1000, 900);
  global.name = "Global";
  global.key = text_hash("Global", 6);
  job.regions = {global};
  job.windows = std::move(windows);
  return job;
}

// A process that ended early has windows of one visit, the others of two.
TEST(Windows, OfProcessesThatEndedEarlyAreMerged) {
  JobTotals job =
      combine(job_of({window_of(0, 0, 10, 9), window_of(0, 1, 20, 8),
                      window_of(0, 2, 5, 5)}),
              job_of({window_of(1, 0, 30, 30), window_of(1, 1, 30, 20),
                      window_of(1, 2, 30, 10)}));
  merge_window_levels(&job);
  ASSERT_EQ(3u, job.windows.size());
  const RegionTotals& first = job.windows[0];
  EXPECT_EQ(window_key(1, 0), first.key);
  EXPECT_EQ(2, first.processes);
  EXPECT_EQ(2, first.threads);
  EXPECT_EQ(3, first.visits);
  EXPECT_EQ(9 + 8 + 30, first.useful_sum_ns);
  EXPECT_EQ(30, first.elapsed_max_ns);
  EXPECT_EQ(60, first.elapsed_weighted_ns);
  ASSERT_EQ(1u, first.nodes.size());
  EXPECT_EQ(2, first.nodes[0].processes);
  EXPECT_EQ(5 + 20, job.windows[1].useful_sum_ns);
  EXPECT_EQ(1, job.windows[2].processes);
}

JobReport report_of(std::vector<RegionTotals> windows) {
  RunContext context;
  context.windows = {"step", 1, 0};
  return make_report(context, job_of(std::move(windows)));
}

TEST(Windows, AreInTheRunFile) {
  const JobReport report =
      report_of({window_of(1, 0, 100, 90), window_of(1, 32, 100, 40)});
  std::string complaint;
  const auto read = parse_run_file(to_json(report), "run", &complaint);
  ASSERT_TRUE(read) << complaint;
  EXPECT_EQ(to_json(report), to_json(*read));
  ASSERT_EQ(2u, read->windows.list.size());
  EXPECT_EQ(1, read->windows.level);
  EXPECT_EQ(32, read->windows.list[1].index);
  EXPECT_EQ("window 33", read->windows.list[1].totals.name);
  EXPECT_TRUE(read->windows.merged(read->windows.list[0]));
  EXPECT_FALSE(read->windows.merged(read->windows.list[1]));
  EXPECT_EQ(report.context.windows, read->context.windows);
}

TEST(Windows, WithLostClocksHaveNone) {
  RegionTotals lost = window_of(0, 0, 100, 90);
  lost.in_full_tables = 1;
  const JobReport report = report_of({lost, window_of(0, 1, 100, 40)});
  EXPECT_TRUE(report.totals.quality.notes.empty());
  EXPECT_FALSE(report.windows.list[0].clocks_complete);
  EXPECT_TRUE(report.windows.list[1].clocks_complete);
  std::string complaint;
  const auto read = parse_run_file(to_json(report), "run", &complaint);
  ASSERT_TRUE(read) << complaint;
  EXPECT_FALSE(read->windows.list[0].clocks_complete);
  EXPECT_TRUE(read->windows.list[1].clocks_complete);
}

// Half of the first window's run time is useful, or more: 60 of 100 to 120 ns,
// on a longest path of 60 to 90.
JobReport report_with_bounds() {
  JobTotals job = job_of({window_of(1, 0, 110, 60), window_of(1, 32, 100, 40)});
  job.window_bounds = {
      {window_key(1, 0), {{"all_ns", 100, 120}, {"cue_ns", 60, 90}}}};
  RunContext context;
  context.windows = {"step", 1, 0};
  return make_report(context, std::move(job));
}

TEST(Windows, ThatWereMeasuredInPartsHaveARange) {
  const JobReport report = report_with_bounds();
  const WindowReport& window = report.windows.list[0];
  EXPECT_DOUBLE_EQ(60.0 / 120, window.range.least.pop.parallel_efficiency);
  EXPECT_DOUBLE_EQ(60.0 / 110, window.metrics.pop.parallel_efficiency);
  EXPECT_DOUBLE_EQ(60.0 / 100, window.range.most.pop.parallel_efficiency);
  EXPECT_DOUBLE_EQ(60.0 / 90, window.range.least.pop.serialisation_efficiency);
  EXPECT_DOUBLE_EQ(60.0 / 120, window.range.least.pop.transfer_efficiency);
  EXPECT_DOUBLE_EQ(90.0 / 100, window.range.most.pop.transfer_efficiency);
  EXPECT_DOUBLE_EQ(1.0, window.range.least.pop.load_balance);
  EXPECT_DOUBLE_EQ(1 - 60.0 / 120,
                   window.losses_range.most.pop.parallel_efficiency);
  EXPECT_TRUE(report.windows.list[1].bounds.empty());
}

TEST(Windows, ThatWereMeasuredInPartsSayWhichRowsAreEstimates) {
  const JobReport report = report_with_bounds();
  const Table over_time = over_time_table(report, Model::kPop, {});
  EXPECT_EQ("~54.5", shown(over_time.rows.front().cells[1]).number);
  EXPECT_EQ("40.0", shown(over_time.rows.front().cells[4]).number);
  TableOptions options;
  options.windows = {0};
  const Table table = model_table(report, Model::kPop, options);
  EXPECT_EQ("~110 ns", shown(table.rows[0].cells[0]).number);
  EXPECT_EQ(1u, table.notes.size());
  const Table range = window_range_table(report, Model::kPop, options);
  ASSERT_FALSE(range.rows.empty());
  EXPECT_EQ("run time", range.rows[0].label);
  EXPECT_EQ("100 ns", shown(range.rows[0].cells[0]).number);
  EXPECT_EQ("120 ns", shown(range.rows[0].cells[1]).number);
  for (const TableRow& row : range.rows) EXPECT_NE("load_balance", row.key);
  options.windows = {32};
  EXPECT_TRUE(window_range_table(report, Model::kPop, options).rows.empty());
  EXPECT_TRUE(model_table(report, Model::kPop, options).notes.empty());
}

TEST(Windows, KeepTheirBoundsInFiles) {
  const JobReport report = report_with_bounds();
  std::string complaint;
  const auto read = parse_run_file(to_json(report), "run", &complaint);
  ASSERT_TRUE(read) << complaint;
  const WindowReport& window = read->windows.list[0];
  ASSERT_EQ(2u, window.bounds.size());
  EXPECT_EQ("all_ns", window.bounds[0].clock);
  EXPECT_EQ(100, window.bounds[0].least_ns);
  EXPECT_EQ(120, window.bounds[0].most_ns);
  EXPECT_EQ(report.windows.list[0].range.most.pop.transfer_efficiency,
            window.range.most.pop.transfer_efficiency);
  TableOptions options;
  options.windows = {0, 32};
  const std::string csv = to_csv(report, "f", {Model::kPop}, options);
  EXPECT_HAS(csv, "parallel_efficiency,0.5454");
  EXPECT_HAS(csv, ",0.5,0.6,poor\n");
  EXPECT_HAS(csv, ",0.4,0.6,,,poor\n");
}

// As a file that somebody has changed may have them.
TEST(Windows, WithImpossibleBoundsAreKeptInThem) {
  JobTotals job = job_of({window_of(1, 0, 110, 60)});
  job.window_bounds = {
      {window_key(1, 0),
       {{"all_ns", 120, 115}, {"all_ns", 1, 2}, {"nothing", 5, 6}}},
      {window_key(1, 7), {{"all_ns", 1, 2}}}};
  const JobReport report = make_report({}, std::move(job));
  ASSERT_EQ(1u, report.windows.list[0].bounds.size());
  EXPECT_LE(report.windows.list[0].bounds[0].least_ns,
            report.windows.list[0].bounds[0].most_ns);
}

// The first process counted 3 in window 1 and the second 5; of window 2, which
// begins behind 6 and 9, the second has no part.
TEST(Windows, HaveTheBoundsThatFollowFromTheirMarks) {
  const auto marks = [](int64_t index, int64_t begin, int64_t end,
                        int64_t least) {
    WindowMarks m;
    m.key = window_key(1, index);
    for (ClockMarks& clock : m.clocks) clock = {least, begin, end};
    m.pl_cue_least_ns = 1;
    m.pl_cue_most_ns = 9;
    return m;
  };
  JobTotals a = job_of({window_of(1, 0, 5, 3), window_of(1, 1, 5, 3)});
  JobTotals b = job_of({window_of(1, 0, 5, 3)});
  a.window_marks = {marks(0, 0, 6, 3), marks(1, 6, 12, 2)};
  b.window_marks = {marks(0, 2, 9, 5)};
  for (const JobTotals& job : {combine(a, b), combine(b, a)}) {
    const std::vector<WindowBounds> list = window_bounds(job, true);
    ASSERT_EQ(2u, list.size());
    // Nothing was before it, and 6 where the next one begins.
    EXPECT_EQ("cue_ns", list[0].clocks[1].clock);
    EXPECT_EQ(6, list[0].clocks[1].least_ns);
    EXPECT_EQ(9, list[0].clocks[1].most_ns);
    // Up to 9 may have been before it.
    EXPECT_EQ(3, list[1].clocks[1].least_ns);
    EXPECT_EQ(5, list[1].clocks[1].most_ns);
  }
}

TEST(Windows, OneAloneIsNoTable) {
  const JobReport report = report_of({window_of(0, 0, 100, 60)});
  const std::string text = to_text(report, {Model::kCriticalPath}, "");
  EXPECT_LACKS(text, "Over time");
  EXPECT_HAS(text, "only one, of 1 visit of step");
}

TEST(Windows, HaveARowForEachMetricThatChanges) {
  std::vector<RegionTotals> windows;
  for (int i = 0; i < 8; ++i) {
    windows.push_back(window_of(0, i, 100, i < 4 ? 100 : 60 + i));
  }
  const Table table =
      over_time_table(report_of(windows), Model::kCriticalPath, {});
  EXPECT_EQ("Over time: 8 windows", table.title);
  ASSERT_FALSE(table.rows.empty());
  const TableRow& row = table.rows.front();
  EXPECT_EQ("99996666", row.cells[0].text);
  EXPECT_DOUBLE_EQ(1.0, row.cells[1].value);
  EXPECT_DOUBLE_EQ(0.64, row.cells[2].value);
  EXPECT_EQ("5", row.cells[3].text);
  EXPECT_DOUBLE_EQ(0.67, row.cells[4].value);
  EXPECT_EQ("5", row.cells[5].text);
  // Rows of 100 % are left out.
  for (const TableRow& each : table.rows) {
    EXPECT_NE("99999999", each.cells[0].text) << each.label;
  }
}

}  // namespace
}  // namespace poprt
