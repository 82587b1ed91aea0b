// What a report shows to those who ask for all of it.
#include "report/details.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <variant>

#include "model/quantities.h"
#include "report/core_time.h"
#include "report/report_document.h"
#include "sample_reports.h"

namespace poprt {
namespace {

std::string text_of(const FactList& list, const std::string& label) {
  const auto found = std::ranges::find(list.facts, label, &Fact::label);
  return found == list.facts.end() ? "nothing" : found->text;
}

TEST(Details, CoreTimeOfARegionIsThatOfItsBars) {
  JobReport report = test::hybrid_report();
  // Only one region has MPI-IO.
  RegionTotals& last = report.regions.back().totals;
  last.mpi_sum_ns += core_ns(last) / 10;
  last.useful_sum_ns -= core_ns(last) / 10;
  set_amount(kMpiIo.name, core_ns(last) / 20, &last.amounts);
  TableOptions options;
  for (const RegionReport& region : report.regions) {
    options.regions.push_back(region.totals.name);
  }
  const Table table = core_time_table(report, options);
  ASSERT_EQ(report.regions.size(), table.columns.size());
  for (size_t i = 0; i < report.regions.size(); ++i) {
    const RegionTotals& totals = report.regions[i].totals;
    EXPECT_EQ(totals.name, table.columns[i].name);
    EXPECT_EQ(core_ns(totals), table.rows[0].cells[i].value);
    double sum = 0;
    for (const TableRow& row : table.rows) {
      ASSERT_EQ(table.columns.size(), row.cells.size());
      if (&row != table.rows.data()) sum += row.cells[i].value;
    }
    EXPECT_NEAR(1, sum, 1e-9);
    for (const Bar& bar : core_time_bars(report, totals).bars) {
      const auto row =
          std::ranges::find(table.rows, bar.label, &TableRow::label);
      ASSERT_NE(table.rows.end(), row);
      EXPECT_EQ(bar.tenths / 1000.0, row->cells[i].value) << bar.label;
    }
  }
  // In the order of the bars.
  EXPECT_EQ("waiting in MPI", table.rows[2].label);
  EXPECT_EQ("transfer in MPI", table.rows[3].label);
  EXPECT_EQ("MPI", table.rows[4].label);
  EXPECT_EQ("MPI-IO", table.rows[5].label);
  EXPECT_EQ("not started or ended", table.rows.back().label);
}

TEST(Details, HostsHaveTheirCores) {
  JobReport report = test::hybrid_report();
  EXPECT_TRUE(
      std::ranges::none_of(host_table(report).columns, &TableColumn::is_text));
  report.totals.hosts[1].cpus.add(2);
  report.totals.hosts[1].cpus.add(3);
  const Table table = host_table(report);
  EXPECT_EQ("cores", table.columns.back().name);
  EXPECT_EQ("-", table.rows[0].cells.back().text);
  EXPECT_EQ("2-3", table.rows[1].cells.back().text);
}

TEST(Details, QualityAndProvenanceAreFacts) {
  JobReport report = test::hybrid_report();
  report.context.mpi_library = "MPICH Version:\t4.0\n  Options: --x\n";
  report.totals.metadata = {{"mesh", "512"}};
  const FactList quality = quality_facts(report);
  EXPECT_EQ("28.00 core-ms, 0.1 % of the core time",
            text_of(quality, "overhead"));
  EXPECT_EQ("48000 measured", text_of(quality, "events"));
  const FactList facts = provenance_facts(report, "a.json");
  EXPECT_EQ("a.json", text_of(facts, "run file"));
  EXPECT_EQ("./hybrid --size 45", text_of(facts, "command"));
  EXPECT_EQ("MPICH Version: 4.0 Options: --x, MPI_THREAD_FUNNELED",
            text_of(facts, "MPI"));
  EXPECT_EQ("OMP_NUM_THREADS=4", text_of(facts, "environment"));
  EXPECT_EQ("0123456789abcdef0123456789abcdef01234567, main",
            text_of(facts, "git"));
  EXPECT_EQ("poprt 0.1.0", text_of(facts, "measured by"));
  EXPECT_EQ("nothing", text_of(facts, "batch job"));
  EXPECT_EQ("512", text_of(facts, "mesh"));
  report.context.job.system = "Slurm";
  report.context.job.id = "7";
  report.context.job.queue = "all";
  EXPECT_EQ("Slurm 7, queue all",
            text_of(provenance_facts(report, ""), "batch job"));
}

TEST(Details, OfAnImportedRunTellNothingOfAMeasurementOfOurs) {
  JobReport report = test::hybrid_report();
  report.context.imported_from = "TALP 3.5";
  EXPECT_TRUE(quality_facts(report).facts.empty());
  EXPECT_TRUE(host_table(report).rows.empty());
  for (const Block& block : details(report, "", {})) {
    const auto* const section = std::get_if<Section>(&block);
    EXPECT_FALSE(section != nullptr && section->title == "Machine");
  }
}

TEST(Details, HaveAllRowsOfLists) {
  JobReport report = test::hybrid_report();
  for (int i = 0; i < 20; ++i) {
    report.regions.push_back(report.regions.back());
    report.regions.back().totals.name = "more " + std::to_string(i);
  }
  const auto rows = [&](bool all) {
    TableOptions options;
    options.all_rows = all;
    for (const Block& block : report_document(report, {}, "", options).blocks) {
      const auto* const table = std::get_if<Table>(&block);
      if (table != nullptr && table->title == "Regions by core time lost") {
        EXPECT_EQ(all, table->more.empty());
        return table->rows.size();
      }
    }
    return size_t{0};
  };
  EXPECT_EQ(10u, rows(false));
  EXPECT_EQ(25u, rows(true));
}

}  // namespace
}  // namespace poprt
