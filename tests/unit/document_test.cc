// What the documents of reports are made of: values, not how they look.
#include "document/document.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "document/render.h"
#include "model/judge.h"
#include "model/quantities.h"
#include "report/core_time.h"
#include "report/csv.h"
#include "report/findings.h"
#include "report/heading.h"
#include "report/mpi_calls.h"
#include "report/notes.h"
#include "report/places_csv.h"
#include "report/rankings.h"
#include "report/report_document.h"
#include "report/site_tables.h"
#include "report/table.h"
#include "unit/has.h"
#include "unit/sample_reports.h"
#include "unit/test_runs.h"

namespace poprt {
namespace {

const TableRow* row_of(const Table& table, const std::string& key) {
  for (const TableRow& row : table.rows) {
    if (row.key == key) return &row;
  }
  return nullptr;
}

// A part's percentage in tenths; -1 if there is no such part.
int tenths_of(const JobReport& report, const std::string& label) {
  for (const Bar& bar : core_time_bars(report).bars) {
    if (bar.label == label) return bar.tenths;
  }
  return -1;
}

bool has_note(const JobReport& report, const std::string& part) {
  const std::vector<std::string> notes = quality_notes(report);
  return std::any_of(notes.begin(), notes.end(), [&](const std::string& note) {
    return note.find(part) != std::string::npos;
  });
}

TEST(ModelTable, HasTheValuesOfTheReport) {
  const JobReport report = test::hybrid_report();
  const Table table = model_table(report, Model::kCriticalPath, {});
  EXPECT_EQ("critical_path", table.model);
  ASSERT_EQ(6u, table.columns.size());
  EXPECT_EQ("Global", table.columns[0].name);
  EXPECT_TRUE(table.last_is_apart);
  for (const TableRow& row : table.rows) EXPECT_EQ(6u, row.cells.size());
  const TableRow* const row = row_of(table, "load_balance");
  ASSERT_NE(nullptr, row);
  EXPECT_EQ("Load Balance", row->label);
  EXPECT_EQ(1, row->depth);
  EXPECT_EQ(report.regions[0].metrics.critical_path.load_balance,
            row->cells[0].value);
  EXPECT_EQ(CellUnit::kPercent, row->cells[0].unit);
  EXPECT_EQ(Grade::kAttention, row->cells[0].grade);
  EXPECT_EQ(report.regions[0].losses.critical_path.load_balance,
            row->cells[5].value);
}

TEST(ModelTable, SaysWhyAValueIsUnknown) {
  const Table table =
      model_table(test::hybrid_report(), Model::kCriticalPath, {});
  ASSERT_EQ("setup", table.columns[2].name);
  const TableCell& cell = row_of(table, "parallel_efficiency")->cells[2];
  EXPECT_TRUE(std::isnan(cell.value));
  EXPECT_EQ(Grade::kNone, cell.grade);
  EXPECT_HAS(cell.reason, "did not travel with all");
}

TEST(ModelTable, OfLossesGradesWhatTheyLeave) {
  const Table table =
      model_table(test::small_report(), Model::kPop,
                  {.view = View::kLoss, .thresholds = {0.7, 0.8}});
  EXPECT_FALSE(table.last_is_apart);
  const TableCell& cell = row_of(table, "parallel_efficiency")->cells[0];
  EXPECT_EQ(CellUnit::kPercent, cell.unit);
  EXPECT_NEAR(0.3075, cell.value, 1e-9);
  EXPECT_EQ(Grade::kPoor, cell.grade);
}

TEST(ModelTable, HasAllRegionsThatAreNamed) {
  TableOptions options;
  for (const RegionReport& region : test::hybrid_report().regions) {
    options.regions.push_back(region.totals.name);
  }
  const Table table = model_table(test::hybrid_report(), Model::kPop, options);
  EXPECT_EQ(options.regions.size() + 1, table.columns.size());
}

TEST(CoreTime, SharesAddUpToAHundred) {
  for (const JobReport& report :
       {test::hybrid_report(), test::small_report()}) {
    int tenths = 0;
    double parts = 0;
    for (const Bar& bar : core_time_bars(report).bars) {
      tenths += bar.tenths;
      parts += bar.part;
    }
    EXPECT_EQ(1000, tenths);
    EXPECT_NEAR(1, parts, 0.001);
    EXPECT_EQ(
        std::lround(1000 * report.regions[0].metrics.pop.parallel_efficiency),
        tenths_of(report, "useful"));
  }
}

TEST(UnknownOpenMp, HasNoNumberOfThreadsAndCores) {
  JobReport report = test::hybrid_report();
  EXPECT_EQ(0u, core_time_bars(report).title.find("Where 16 cores x "))
      << core_time_bars(report).title;
  report.totals.has_openmp = false;
  report.totals.has_unseen_openmp = true;
  EXPECT_EQ("4 ranks x ? threads, 2 hosts", shape(report.totals));
  EXPECT_EQ("Where the measured " + core_seconds(job_core_ns(report)) + " went",
            core_time_bars(report).title);
  const std::string csv = to_csv(report, "a.json", {}, {});
  EXPECT_EQ(0u, csv.find("a.json,4,,Global,")) << csv.substr(0, 40);
}

TEST(CoreTime, OfARegionIsWhatItsEfficiencySays) {
  const JobReport report = test::hybrid_report();
  for (const RegionReport& region : report.regions) {
    const Bars bars = core_time_bars(report, region.totals);
    int tenths = 0;
    for (const Bar& bar : bars.bars) tenths += bar.tenths;
    EXPECT_EQ(1000, tenths) << region.totals.name;
    const double useful = static_cast<double>(region.totals.useful_sum_ns) /
                          static_cast<double>(core_ns(region.totals));
    EXPECT_NEAR(useful, bars.bars[0].part, 1e-12);
    EXPECT_HAS(bars.title, core_seconds(core_ns(region.totals)));
    const double efficiency = region.metrics.pop.parallel_efficiency;
    if (!std::isfinite(efficiency)) continue;
    EXPECT_NEAR(efficiency, useful, 0.001);
  }
}

TEST(CoreTime, ShowsMpiIoApartWhereThereIsAny) {
  JobReport report = test::small_report();
  EXPECT_EQ(85, tenths_of(report, "MPI"));
  EXPECT_EQ(15, tenths_of(report, "MPI-IO"));
  RegionTotals& totals = report.regions[0].totals;
  // 0.05 % of 4 s, and less than that.
  set_amount(kMpiIo.name, 2000000, &totals.amounts);
  EXPECT_NE(-1, tenths_of(report, "MPI-IO"));
  set_amount(kMpiIo.name, 1999999, &totals.amounts);
  EXPECT_EQ(-1, tenths_of(report, "MPI-IO"));
  EXPECT_EQ(100, tenths_of(report, "MPI"));
  // All of the time in MPI is MPI-IO.
  set_amount(kMpiIo.name, totals.mpi_sum_ns, &totals.amounts);
  EXPECT_EQ(0, tenths_of(report, "MPI"));
  EXPECT_EQ(100, tenths_of(report, "MPI-IO"));
}

TEST(Rankings, OfRegionsAreByCoreTimeLost) {
  const Table table = region_ranking(test::hybrid_report());
  ASSERT_LE(3u, table.rows.size());
  EXPECT_EQ("CommSBN", table.rows[0].label);
  EXPECT_EQ("CalcForce", table.rows[2].label);
  // Three idle threads during serial code and four during MPI, over all ranks,
  // plus 1 ms of each thread: 3 * 60 * 4.6 + 4 * 340 * 3.1 + 16.
  EXPECT_EQ(5060e6, table.rows[0].cells[2].value);
}

// Of 10 ms on two cores of one job of 20 ms: useful time of 10 and 6 ms.
TEST(Rankings, OfRegionsTellOfWaitsOutside) {
  const auto noted = [](int64_t useful_ns) {
    RegionTotals phase =
        test::region("phase", 2, 10'000'000, useful_ns, 10'000'000);
    RegionTotals global =
        test::region("Global", 2, 20'000'000, useful_ns + 20'000'000);
    global.mpi_sum_ns = 20'000'000 - useful_ns;
    global.elapsed_weighted_ns += global.mpi_sum_ns;
    const Table table = region_ranking(
        test::run(2, 1, {std::move(global), std::move(phase)}).report);
    EXPECT_EQ(0, table.rows[0].cells[2].value);
    return table.notes;
  };
  EXPECT_EQ(
      std::vector<std::string>{
          "phase: its ranks were not all in it for all of its run time; what "
          "they waited for elsewhere is at most 10.0 % of the job, and not in "
          "its row"},
      noted(16'000'000));
  EXPECT_EQ(std::vector<std::string>{}, noted(20'000'000));
}

// Where no loss may be named they are by time.
TEST(Rankings, OfARedRunNameNoLoss) {
  JobReport report = test::hybrid_report();
  ConstructReport construct;
  for (const int64_t ns : {1000, 2000}) {
    construct.totals.time_ns = ns;
    construct.location = ns == 1000 ? "a.c:1" : "b.c:2";
    construct.lost_imbalance = 0.1;
    report.constructs.push_back(construct);
  }
  const auto first = [&] {
    return region_ranking(report).rows[0].label + " " +
           parallel_region_ranking(report).rows[0].label;
  };
  EXPECT_EQ("CommSBN a.c:1", first());
  EXPECT_FALSE(parallel_region_sources(report).rows.empty());
  set_amount(kWaitedForCore.name, job_core_ns(report) / 2,
             &report.totals.resources);
  ASSERT_TRUE(is_red(report));
  EXPECT_EQ("CalcForce b.c:2", first());
  EXPECT_TRUE(parallel_region_sources(report).rows.empty());
  for (const Table& table :
       {region_ranking(report), parallel_region_ranking(report)}) {
    EXPECT_LACKS(table.title, "lost");
    for (const TableColumn& column : table.columns) {
      EXPECT_LACKS(column.name, "lost");
    }
  }
}

TEST(Rankings, AreNoneWithoutRegionsOrConstructs) {
  JobReport report = test::small_report();
  report.constructs.clear();
  EXPECT_TRUE(region_ranking(report).rows.empty());
  EXPECT_TRUE(parallel_region_ranking(report).rows.empty());
  EXPECT_TRUE(task_ranking(report).rows.empty());
}

TEST(Rankings, CountWhatTheyLeaveOut) {
  JobReport report = test::hybrid_report();
  while (report.regions.size() < 15) {
    report.regions.push_back(report.regions.back());
  }
  const Table table = region_ranking(report);
  EXPECT_EQ(10u, table.rows.size());
  EXPECT_EQ("and 4 more in the run file", table.more);
  EXPECT_EQ(1u, table.notes.size());  // they overlap
}

TEST(MainFinding, IsTheMetricThatLostMostWithItsNumbers) {
  const std::vector<Finding> findings = main_finding(test::small_report());
  ASSERT_EQ(3u, findings.size());
  EXPECT_NEAR(0.6925, findings[0].value, 1e-9);
  EXPECT_EQ("", findings[0].metric);
  EXPECT_EQ("critical_path.mpi_load_balance", findings[1].metric);
  EXPECT_EQ("Global", findings[1].region);
  const JobReport report = test::small_report();
  EXPECT_EQ(report.regions[0].metrics.critical_path.mpi_load_balance,
            findings[1].value);
  EXPECT_EQ(report.regions[0].losses.critical_path.mpi_load_balance,
            findings[1].lost);
}

TEST(MainFinding, NamesTheRegionThatLostMost) {
  const std::vector<Finding> findings = main_finding(test::hybrid_report());
  ASSERT_EQ(4u, findings.size());
  EXPECT_EQ("CommSBN", findings[3].region);
  EXPECT_EQ("critical_path.mpi_transfer_efficiency", findings[3].metric);
}

TEST(MainFinding, IsNoMetricWhereNothingIsLost) {
  const std::vector<Finding> findings =
      main_finding(test::report_without_loss());
  ASSERT_EQ(2u, findings.size());
  EXPECT_EQ("", findings[1].metric);
  EXPECT_HAS(findings[1].sentence, "faster code on each core");
}

TEST(Notes, AreOneLineEach) {
  JobReport report = test::small_report();
  EXPECT_TRUE(quality_notes(report).empty());
  report.totals.quality.notes = {"something\nodd"};
  report.totals.quality.starts_without_stop = 1;
  EXPECT_TRUE(has_note(report, "something?odd"));
  EXPECT_TRUE(has_note(report, "1 region still open"));
}

TEST(Notes, SayWhereDebugSymbolsWouldHelp) {
  JobReport report = test::small_report();
  const auto add = [&](const char* module, const char* location) {
    ConstructReport construct = {};
    construct.totals.module = module;
    construct.location = location;
    report.constructs.push_back(construct);
  };
  add("/opt/solver", "solve.c:12 (solve)");
  add("/opt/solver", "solve+0x1a");
  add("", "unknown+0x7f00");
  EXPECT_TRUE(quality_notes(report).empty());
  add("/usr/lib/libfoo.so.1", "near foo_begin+0x1a3f");
  add("/usr/lib/libfoo.so.1", "near foo_begin+0x2000");
  add("/opt/app", "app+0x1234");
  EXPECT_TRUE(
      has_note(report, "no names of functions in libfoo.so.1, app: install"));
}

TEST(Notes, SayEachThingOnceWithACount) {
  JobReport report = test::small_report();
  std::vector<std::string>& notes = report.totals.quality.notes;
  notes = {"region 'a' was stopped without a start; ignored", "something else"};
  for (int i = 0; i < 10; ++i) {
    notes.push_back(
        "more than 512 regions; further ones are not measured, "
        "the first is 'r" +
        std::to_string(i) + "'");
  }
  EXPECT_EQ(3u, quality_notes(report).size());
  EXPECT_TRUE(has_note(report, "the first is 'r0' (and 9 more of this kind)"));
}

TEST(ReportDocument, NamesTheRunFileWhereThereIsOne) {
  const auto last_list = [](const Document& document) {
    return std::get<FactList>(document.blocks.back());
  };
  const JobReport report = test::small_report();
  const Document with = report_document(report, {Model::kPop}, "a.json");
  EXPECT_EQ("hybrid --size 45", with.title);
  ASSERT_EQ(1u, last_list(with).facts.size());
  EXPECT_EQ("a.json", last_list(with).facts[0].text);
  EXPECT_TRUE(
      last_list(report_document(report, {Model::kPop}, "")).facts.empty());
}

TEST(ReportDocument, HasTheVersionsInOneLine) {
  JobReport report = test::hybrid_report();
  report.context.mpi_library = "MPICH Version:\t4.0.2\nMPICH Release date: x";
  report.context.mpi_thread_level = "MPI_THREAD_SERIALIZED";
  report.context.openmp_runtime = "LLVM OMP version: 5.0.20140926";
  const Document document = report_document(report, {Model::kPop}, "");
  ASSERT_EQ(1u, document.lines.at(1).size());
  // Narrow enough for 80 columns.
  EXPECT_EQ("MPICH 4.0.2, MPI_THREAD_SERIALIZED | OpenMP: LLVM's runtime",
            document.lines.at(1).at(0));
}

TEST(ReportDocument, OfNothingHasNoTable) {
  const Document document =
      report_document(make_report({}, JobTotals()), {Model::kPop}, "");
  for (const Block& block : document.blocks) {
    EXPECT_FALSE(std::holds_alternative<Table>(block));
    EXPECT_FALSE(std::holds_alternative<Bars>(block));
  }
}

JobReport report_with_places() {
  JobReport report = test::small_report();
  CallReport call;
  call.totals.region = kGlobalRegion;
  call.totals.function = "MPI_Recv";
  call.totals.time_ns = 1000;
  call.totals.waiting_ns = 800;
  call.totals.late.ranks = {{1, 1, 600, 0}, {3, 1, 220, 20}};
  report.calls.push_back(call);
  ConstructSiteReport site;
  site.totals.region = kGlobalRegion;
  site.totals.construct = "loop dynamic";
  site.totals.lock = "gate";
  site.totals.iterations = 20;
  site.totals.time_ns = 1000;
  site.totals.waiting_ns = 500;
  site.totals.late.ranks = {{0, 3, 400, 0}, {2, 1, 100, 0}};
  report.construct_sites.push_back(site);
  return report;
}

// On a page of the usual width the names of those waited for have room.
TEST(SiteTables, SayForWhomItWaited) {
  TableOptions options;
  options.all_places = true;
  const std::string text = render_text(
      report_document(report_with_places(), {Model::kPop}, "", options));
  for (const char* line :
       {"\n Recv ", "1 75 %, 3 > 25 %\n", "\n loop dynamic(gate) ",
        "500 ns  0 80 %, 2 20 %\n"}) {
    EXPECT_HAS(text, line) << line << text;
  }
}

// Nobody is named who is one of many.
TEST(SiteTables, NameNobodyAmongEquals) {
  const auto named = [](LateRanks late) {
    return latest_cell(late, 1000, 2000).text;
  };
  EXPECT_EQ("3 60 %", named({{{1, 9, 400, 0}, {3, 9, 600, 0}}, 0}));
  EXPECT_EQ("2 alike", named({{{1, 9, 480, 0}, {3, 9, 520, 0}}, 0}));
  // There may be more.
  EXPECT_EQ("2+ alike", named({{{1, 9, 480, 0}, {3, 9, 500, 0}}, 20}));
  EXPECT_EQ("-", named({}));
}

// Rows of one name say in which region they are, or where in the code.
TEST(SiteTables, HaveNoTwoRowsThatLookAlike) {
  JobReport report = report_with_places();
  report.calls.clear();
  const auto call = [&](const char* region, uint64_t offset) {
    CallReport each;
    each.totals.region = region;
    each.totals.function = "MPI_Recv";
    each.totals.offset = offset;
    each.location = "halo.c:12 (swap)";
    report.calls.push_back(each);
  };
  const auto labels = [&] {
    std::vector<std::string> all;
    for (const TableRow& row : call_times(report, kGlobalRegion, 9).rows) {
      all.push_back(row.label);
    }
    return all;
  };
  call(kGlobalRegion, 16);
  EXPECT_EQ((std::vector<std::string>{"Recv halo.c:12 (swap)"}), labels());
  call(kGlobalRegion, 32);
  call("CommSBN", 16);
  EXPECT_EQ((std::vector<std::string>{"Recv halo.c:12 (swap) in CommSBN",
                                      "Recv halo.c:12 (swap) +0x20"}),
            labels());
}

// Unless somebody asks for all places.
TEST(SiteTables, OfConstructsAreThoseOfTeams) {
  JobReport report = report_with_places();
  const auto has_constructs = [&](bool all_places) {
    TableOptions options;
    options.all_places = all_places;
    return render_text(report_document(report, {Model::kPop}, "", options))
               .find("loop dynamic") != std::string::npos;
  };
  report.totals.threads = report.totals.processes + 1;
  EXPECT_TRUE(has_constructs(false));
  report.totals.threads = report.totals.processes;
  EXPECT_FALSE(has_constructs(false));
  EXPECT_TRUE(has_constructs(true));
}

TEST(SiteTables, AreCompleteInCsv) {
  JobReport report = report_with_places();
  CallReport call = report.calls.front();
  call.totals.region = "solve";
  call.totals.module = "/app/a,b";
  call.totals.offset = 0x1234;
  call.totals.calls = 3;
  call.totals.collectives = 2;
  call.totals.unknown_ns = 100;
  call.totals.sent_bytes = 64;
  call.totals.received_bytes = 65;
  call.totals.comm_size = 4;
  call.location = "solver.c:80 (solve)";
  report.calls.push_back(call);
  EXPECT_EQ(
      "file,region,layer,name,lock,location,module,offset,time_ns,waiting_ns,"
      "late,"
      "late_waiting_ns,late_error_ns,calls,collectives,unknown_ns,sent_bytes,"
      "received_bytes,comm_size,visits,iterations\n",
      places_csv_heading());
  const std::string global =
      "f,Global,mpi,MPI_Recv,,,,,1000,800,1,600,0,0,0,0,0,0,0,,\n";
  const std::string solve =
      "f,solve,mpi,MPI_Recv,,solver.c:80 (solve),\"/app/a,b\",4660,1000,800,1,"
      "600,0,3,2,100,64,65,4,,\n";
  const std::string loop =
      "f,Global,openmp,loop dynamic,gate,,,,1000,500,0,400,0,,,,,,,0,20\n";
  EXPECT_EQ(global + solve + loop, places_csv(report, "f", {}));
  TableOptions options;
  options.regions = {"solve"};
  EXPECT_EQ(solve, places_csv(report, "f", options));
  EXPECT_TRUE(has_places(report));
  EXPECT_FALSE(has_places(test::small_report()));
}

}  // namespace
}  // namespace poprt
