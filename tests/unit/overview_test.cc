// What comes before the tables of a model: five rows with the numbers of the
// bars; and which rows stand together in a table.
#include "report/overview.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "document/shown.h"
#include "model/quantities.h"
#include "report/core_time.h"
#include "report/partitions.h"
#include "report/report_document.h"
#include "report/table.h"
#include "unit/finding_jobs.h"
#include "unit/sample_reports.h"

namespace poprt {
namespace {

using test::clocks_of;
using test::Job;
using test::kMs;
using test::process;
using test::report_of;

std::vector<std::string> rows_of(const Table& table) {
  std::vector<std::string> rows;
  for (const TableRow& row : table.rows) {
    rows.push_back(row.label + " " + shown(row.cells[0]).number);
  }
  return rows;
}

using Rows = std::vector<std::string>;

TEST(Overview, HasWhatTheProgramHas) {
  EXPECT_EQ((Rows{"Parallel Efficiency 52.3", "MPI 6.5",
                  "MPI: threads idle while their rank is in it 19.6",
                  "OpenMP: imbalance in parallel regions 2.8",
                  "OpenMP: idle outside of them (POP: serial), and the rest "
                  "18.7"}),
            rows_of(overview(test::hybrid_report(), {})));
  Job job = {{process(100, 50, 50), process(100, 50, 50)},
             clocks_of(50, 50, 50, 100, 100)};
  job.openmp = false;
  job.waiting_ns = 60 * kMs;
  EXPECT_EQ(
      (Rows{"Parallel Efficiency 50.0", "MPI: waiting for late partners 30.0",
            "MPI: transfer, and MPI itself 20.0"}),
      rows_of(overview(report_of(job), {})));
  JobReport report = report_of(job);
  auto& amounts = report.regions[0].totals.amounts;
  set_amount(kMpiTransfer.name, 30 * kMs, &amounts);
  set_amount(kMpiUnknown.name, 10 * kMs, &amounts);
  EXPECT_EQ(
      (Rows{"Parallel Efficiency 50.0", "MPI: waiting for late partners 30.0",
            "MPI: transfer, and MPI itself 15.0",
            "MPI: one of these, the partner's clock is not known 5.0"}),
      rows_of(overview(report, {})));
  EXPECT_TRUE(overview(JobReport(), {}).rows.empty());
}

// A cause names the rest only where it is most of it.
TEST(Overview, NamesTheRestAfterWhatIsMostOfIt) {
  // The second thread is idle for 100 ms outside of the parallel region.
  test::ProcessTimes each;
  each.elapsed = 1100 * kMs;
  each.parallel = 1000 * kMs;
  each.threads = {{100 * kMs, 1000 * kMs}, {0, 300 * kMs}};
  const auto name_of_rest = [&](int64_t serialised_ms, int64_t scheduling_ms) {
    JobReport report =
        report_of({{each}, clocks_of(1100, 1100, 1100, 1100, 1100)});
    auto& amounts = report.regions[0].totals.amounts;
    for (const Quantity* const none : {&kOpenMpMpiInside, &kOpenMpNotStarted}) {
      set_amount(none->name, 0, &amounts);
    }
    set_amount(kOpenMpSerialised.name, serialised_ms * kMs, &amounts);
    set_amount(kOpenMpScheduling.name, scheduling_ms * kMs, &amounts);
    return overview(report, {}).rows.back().label;
  };
  EXPECT_EQ("OpenMP: idle outside of them (POP: serial), and the rest",
            name_of_rest(40, 40));
  EXPECT_EQ("OpenMP: serialised in them, and the rest", name_of_rest(600, 50));
  EXPECT_EQ("OpenMP: scheduling, and the rest", name_of_rest(50, 600));
  EXPECT_EQ("OpenMP: the rest", name_of_rest(100, 150));
}

// With what was useful, and processes that were not there, they are all time.
TEST(Overview, AddsUpWithTheBars) {
  const JobReport report = test::hybrid_report();
  double sum = 0;
  for (const TableRow& row : overview(report, {}).rows) {
    sum += row.cells[0].value;
  }
  for (const Bar& bar : core_time_bars(report).bars) {
    if (bar.key == "rest") sum += bar.tenths / 1000.0;
  }
  EXPECT_NEAR(1, sum, 0.001);
}

double lost_in(const Table& table, int depth) {
  double sum = 0;
  for (const TableRow& row : table.rows) {
    if (row.depth == depth && row.key != "run_time_ns") {
      sum += row.cells.back().value;
    }
  }
  return sum;
}

// The losses of siblings add up to that of the row above them.
TEST(Partitions, AreTablesOfTheirOwn) {
  const JobReport report = test::hybrid_report();
  for (const Model model : {Model::kCriticalPath, Model::kMultiplicative}) {
    Table table = model_table(report, model, {});
    const Table both = take_both_layers(&table, false);
    const double lost =
        table.rows[1].cells.back().value;  // of the Parallel Efficiency
    EXPECT_NEAR(lost, lost_in(table, 1), 1e-9) << table.title;
    EXPECT_NEAR(lost, lost_in(both, 0), 1e-9) << table.title;
  }
  Table pop = model_table(report, Model::kPop, {});
  const size_t rows = pop.rows.size();
  EXPECT_TRUE(take_both_layers(&pop, false).rows.empty());
  EXPECT_EQ(rows, pop.rows.size());
}

// Whether a list has this title in the report.
bool has_list(const JobReport& report, const std::string& title) {
  const Document document = report_document(report, {Model::kPop}, "", {});
  return std::ranges::any_of(document.blocks, [&](const Block& block) {
    const auto* const table = std::get_if<Table>(&block);
    return table != nullptr && table->title == title;
  });
}

TEST(Lists, OfZerosAreNotShown) {
  constexpr char kSources[] = "What they lost, % of the job's";
  JobReport report = test::hybrid_report();
  ConstructReport loop;
  loop.location = "force.c:120 (calc_force)";
  loop.lost_imbalance = 0.0005;
  report.constructs = {loop};
  EXPECT_TRUE(has_list(report, kSources));
  report.constructs[0].lost_imbalance = 0.0004;
  EXPECT_FALSE(has_list(report, kSources));
}

}  // namespace
}  // namespace poprt
