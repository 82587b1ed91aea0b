// Totals that no run can have: a report is made of them all the same.
#include "model/plausible.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "model/members.h"
#include "model/quantities.h"
#include "noted.h"
#include "report/csv.h"
#include "report/formula_symbols.h"
#include "report/processes.h"
#include "report/table.h"
#include "report/table_options.h"
#include "run_file/reader.h"
#include "run_file/writer.h"
#include "share_of_cases.h"
#include "unit/as_text.h"
#include "unit/has.h"
#include "unit/test_jobs.h"

namespace poprt {
namespace {

const std::vector<Model> kAllModels(std::begin(kModels), std::end(kModels));

// Global and a region of two processes of two threads, with a parallel region,
// a task and rows.
JobTotals job_of_two() {
  JobTotals job;
  for (int64_t rank : {0, 1}) {
    test::ProcessTimes process;
    process.elapsed = 1'000'000'000;
    process.parallel = 600'000'000;
    process.threads = {{300'000'000, 500'000'000, 90'000'000, 0, 1'000'000},
                       {0, 400'000'000, 0, 0, 0}};
    const test::Clocks clocks{800'000'000, 850'000'000, 920'000'000,
                              950'000'000, 1'000'000'000};
    std::vector<RegionTotals> regions = {
        test::region_of("Global", process, clocks),
        test::region_of("solve", process, clocks)};
    std::sort(regions.begin(), regions.end(),
              [](const auto& a, const auto& b) { return a.key < b.key; });
    JobTotals own = test::job_of(process, std::move(regions));
    own.has_mpi = own.has_openmp = true;
    ConstructTotals parallel;
    parallel.module = "/bin/app";
    parallel.offset = 16;
    parallel.visits = 3;
    parallel.useful_ns = 900'000'000;
    parallel.time_ns = 600'000'000;
    parallel.weighted_ns = 1'200'000'000;
    ConstructTotals task;
    task.module = "/bin/app";
    task.offset = 32;
    task.is_task = true;
    task.visits = 7;
    task.useful_ns = 100'000'000;
    own.constructs = {parallel, task};
    add_rows(rank, &own);
    job = combine(std::move(job), own);
  }
  return job;
}

JobReport report_of(const JobTotals& job) {
  RunContext context;
  context.program = "app";
  context.command = {"./app"};
  return make_report(
      context, job, [](const std::vector<ConstructTotals>& constructs) {
        return std::vector<std::string>(constructs.size(), "app.c:1 (main)");
      });
}

// Everything that a person or a program can ask for.
void write_all(const JobReport& report) {
  TableOptions options;
  options.blocks = process_blocks(report, options);
  for (View view : {View::kEfficiency, View::kLoss}) {
    options.view = view;
    EXPECT_NE("", to_text(report, kAllModels, "file.json", options,
                          {.color = view == View::kLoss}));
    EXPECT_NE("", to_markdown(report, kAllModels, "file.json", options));
  }
  to_csv(report, "file.json", kAllModels, options);
  ProcessesCsv().add(report, "file.json", options);
  for (const RegionReport& region : report.regions) {
    for (const Model model : kAllModels) {
      for (const FormulaSymbol& q : formula_symbols_of(region, model))
        with_unit(q);
    }
  }
}

void expect_readable(const JobReport& report) {
  std::string complaint;
  const std::string file = to_json(report);
  const auto back = parse_run_file(file, "run.json", &complaint);
  ASSERT_TRUE(back.has_value()) << complaint;
  // Reading back may find fewer values out of range.
  if (report.totals.quality.notes.empty()) {
    EXPECT_EQ(file, to_json(*back));
  }
  write_all(*back);
}

// Each that is out of its range is in a note, or is one that may be.
void expect_notes(const JobReport& report) {
  std::string notes;
  for (const std::string& note : report.totals.quality.notes) notes += note;
  for (const RegionReport& region : report.regions) {
    for (const Metric& metric : all_metrics()) {
      const Range range = range_of(metric, metric.value(region.metrics));
      if (range != Range::kMistake && range != Range::kOtherThreads) continue;
      EXPECT_HAS(notes, "region " + region.totals.name) << metric.key;
    }
  }
}

using Integers = std::vector<int64_t*>;

template <class Totals, size_t kCount>
void add_members(const Member<Totals> (&members)[kCount], Totals* totals,
                 Integers* integers) {
  for (const Member<Totals>& member : members) {
    integers->push_back(&(totals->*member.value));
  }
}

Integers integers_of(JobTotals* job) {
  Integers integers = {&job->threads_min};
  add_members(kJobMembers, job, &integers);
  add_members(kQualityMembers, &job->quality, &integers);
  for (RegionTotals& region : job->regions) {
    add_members(kRegionMembers, &region, &integers);
    for (NodeShare& node : region.nodes) {
      add_members(kNodeMembers, &node, &integers);
    }
    for (ProcessRow& row : region.rows) {
      add_members(kRowMembers, &row, &integers);
    }
  }
  for (ConstructTotals& construct : job->constructs) {
    add_members(kConstructMembers, &construct, &integers);
  }
  for (HostShare& host : job->hosts) {
    integers.push_back(&host.processes);
    for (NumaMemory& part : host.numa_memory) integers.push_back(&part.bytes);
  }
  for (auto* const list : {&job->file_systems, &job->mpi_file_systems}) {
    for (FileSystem& files : *list) {
      add_members(kFileSystemMembers, &files, &integers);
    }
  }
  for (ProcessPlace& place : job->places) integers.push_back(&place.threads);
  return integers;
}

constexpr int64_t kWild[] = {std::numeric_limits<int64_t>::min(),
                             -(int64_t{1} << 62),
                             -1'000'000'000'000,
                             -1,
                             0,
                             1,
                             1'000'000'000'000,
                             int64_t{1} << 62,
                             std::numeric_limits<int64_t>::max()};

TEST(Plausible, PossibleTotalsStayAsTheyAre) {
  const JobTotals before = job_of_two();
  JobTotals after = before;
  make_plausible(&after);
  EXPECT_TRUE(test::same(before, after));
  const JobReport report = report_of(before);
  EXPECT_NOT_NOTED("impossible", report.totals.quality.notes);
  EXPECT_NOT_NOTED("other_threads", report.totals.quality.notes);
  EXPECT_TRUE(report.totals.quality.notes.empty());
  expect_readable(report);
}

TEST(Plausible, EachIntegerMayBeAnything) {
  JobTotals job = job_of_two();
  const size_t count = integers_of(&job).size();
  size_t number = 0;
  for (size_t i = 0; i < count; ++i) {
    for (const int64_t wild : {kWild[0], kWild[3], kWild[8]}) {
      if (number++ % kShare != 0) continue;
      job = job_of_two();
      *integers_of(&job)[i] = wild;
      const JobReport report = report_of(job);
      expect_readable(report);
      expect_notes(report);
      if (testing::Test::HasFailure()) {
        FAIL() << "integer " << i << " is " << wild;
      }
    }
  }
}

TEST(Plausible, ManyIntegersMayBeAnything) {
  std::mt19937 random(1);
  for (int i = 0; i < 300 / int{kShare}; ++i) {
    JobTotals job = job_of_two();
    for (int64_t* integer : integers_of(&job)) {
      if (random() % 4 == 0) *integer = kWild[random() % std::size(kWild)];
    }
    const JobReport report = report_of(job);
    write_all(report);
    expect_readable(report);
    expect_notes(report);
    if (testing::Test::HasFailure()) FAIL() << "job " << i;
  }
}

// A second root inside a league once led to a negative time, and the report
// ended the program.
TEST(Plausible, NegativeTimeIsNamedWithItsNumber) {
  JobTotals job = job_of_two();
  for (RegionTotals& region : job.regions) {
    if (region.name == "Global")
      region.talp_omp_load_balance_ns = -8'123'456'789;
  }
  const JobReport report = report_of(job);
  ASSERT_FALSE(report.totals.quality.notes.empty());
  EXPECT_EQ(
      "region Global: talp_omp_load_balance_ns = -8123456789 (taken as 0): "
      "please report this with the run file",
      report.totals.quality.notes[0]);
  const std::string text = to_text(report, kAllModels, "");
  EXPECT_HAS(text, "-8123456789");
}

TEST(Plausible, MetricOutOfRangeIsNamedWithItsValue) {
  JobTotals job = job_of_two();
  for (RegionTotals& region : job.regions) {
    if (region.name == "solve") region.cue_ns = 3'000'000'000;
  }
  const std::vector<std::string> notes = report_of(job).totals.quality.notes;
  ASSERT_EQ(1u, notes.size());
  EXPECT_NOTED("impossible", notes);
  EXPECT_NOT_NOTED("uncountable", notes);
  EXPECT_EQ(0u, notes[0].find("region solve: pop transfer_efficiency = 300.0 "
                              "%, critical_path transfer_efficiency = "))
      << notes[0];
}

TEST(Plausible, MetricOutOfRangeByTheClosingOfARegionIsNoMistake) {
  int64_t waited_ns = 0;
  const auto notes_of = [&](int64_t cue_ns) {
    JobTotals job = job_of_two();
    set_amount(kWaitedForCore.name, waited_ns, &job.resources);
    for (RegionTotals& region : job.regions) {
      if (region.name == "solve") {
        region.cue_ns = region.com_ns = region.comp_ns = region.coo_ns = cue_ns;
      }
    }
    return report_of(job).totals.quality.notes;
  };
  EXPECT_NOT_NOTED("impossible", notes_of(1'000'900'000));
  EXPECT_NOTED("impossible", notes_of(1'001'100'000));
  // The thread that has not seen it had no core.
  waited_ns = 200'000;
  EXPECT_NOT_NOTED("impossible", notes_of(1'001'100'000));
}

TEST(Plausible, StatesAreAllOfTheTime) {
  JobTotals job = job_of_two();
  const auto lose = [&](int64_t ns) {
    for (RegionTotals& region : job.regions) {
      if (region.name == "solve") region.elapsed_weighted_ns -= ns;
    }
  };
  lose(1);
  const std::vector<std::string> notes = report_of(job).totals.quality.notes;
  ASSERT_EQ(1u, notes.size());
  EXPECT_EQ(
      "region solve: elapsed_weighted_ns = 3999999999 is not the sum of all "
      "states: please report this with the run file",
      notes[0]);
  job.quality.closure_error_ns = 5;
  lose(19);
  EXPECT_NOT_NOTED("impossible", report_of(job).totals.quality.notes);
  lose(1);
  EXPECT_NOTED("impossible", report_of(job).totals.quality.notes);
}

TEST(Plausible, ThreadsOutsideOfParallelRegionsMayBringValuesOutOfRange) {
  JobTotals job = job_of_two();
  job.constructs[0].useful_ns = 9'000'000'000;
  const std::vector<std::string> notes = report_of(job).totals.quality.notes;
  EXPECT_NOTED("other_threads", notes);
  EXPECT_NOT_NOTED("impossible", notes);
  for (const std::string& note : notes) {
    EXPECT_FALSE(is_of_wrong_values(note));
    EXPECT_TRUE(note.ends_with(reason_of(Range::kOtherThreads))) << note;
  }
}

TEST(Plausible, ClocksOutOfTheirOrderAreNamed) {
  const auto notes_of = [](int64_t RegionTotals::*clock, int64_t ns) {
    JobTotals job = job_of_two();
    for (RegionTotals& region : job.regions) {
      if (region.name == "solve") region.*clock = ns;
    }
    JobReport report = report_of(job);
    report.totals.quality.notes.clear();
    note_order_of_clocks(&report);
    return report.totals.quality.notes;
  };
  using Notes = std::vector<std::string>;
  EXPECT_EQ(Notes(), notes_of(&RegionTotals::cue_ns, 850'000'000));
  EXPECT_EQ(Notes({"region solve: cue_ns = 850000000 above com_ns = 840000000: "
                   "please report this with the run file"}),
            notes_of(&RegionTotals::com_ns, 840'000'000));
  EXPECT_EQ(
      Notes({"region solve: com_ns = 920000000 above comp_ns = 910000000: "
             "please report this with the run file"}),
      notes_of(&RegionTotals::comp_ns, 910'000'000));
  EXPECT_EQ(Notes({"region solve: comp_ns = 1100000000 above all_ns = "
                   "1000000000: please report this with the run file"}),
            notes_of(&RegionTotals::comp_ns, 1'100'000'000));
}

}  // namespace
}  // namespace poprt
