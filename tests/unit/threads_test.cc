// Rows of threads: which are kept, their list, their CSV.
#include "report/threads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "document/render.h"
#include "model/members.h"
#include "model/thread_rows.h"
#include "run_file/reader.h"
#include "run_file/writer.h"
#include "unit/has.h"
#include "unit/test_jobs.h"

namespace poprt {
namespace {

constexpr int64_t kSecond = 1000000000;

// A process of `threads` threads, which thread i of rank r leaves with
// useful_ns(r, i), the rest of 100 s in OpenMP.
template <class Useful>
JobTotals process_of(int64_t rank, int64_t threads, Useful useful_ns) {
  const test::ProcessTimes times =
      test::mpi_process(10 * kSecond, 100 * kSecond);
  JobTotals own = test::job_of(times, {test::region_of("Global", times, {})});
  RegionTotals& global = own.regions.front();
  global.threads = threads;
  for (int64_t i = 0; i < threads; ++i) {
    const int64_t useful = useful_ns(rank, i);
    global.thread_rows.push_back({0, i, useful, 0, 100 * kSecond - useful});
  }
  set_rank(rank, &own);
  add_rows(rank, &own);
  return own;
}

// No two alike, and no order in them.
int64_t scattered(int64_t rank, int64_t thread) {
  return (rank * 4099 + thread) * 7919 % 1000003;
}

std::vector<int64_t> useful_of(const JobTotals& job) {
  std::vector<int64_t> useful;
  for (const ThreadRow& row : job.regions.front().thread_rows) {
    useful.push_back(row.useful_ns);
  }
  std::ranges::sort(useful);
  return useful;
}

TEST(ThreadRows, AreKeptAtBothEndsWhateverTheOrderOfCombining) {
  constexpr int64_t kRanks = 5;
  constexpr int64_t kThreads = kThreadRowsMax / 2;
  std::vector<int64_t> all;
  for (int64_t rank = 0; rank < kRanks; ++rank) {
    for (int64_t i = 0; i < kThreads; ++i) all.push_back(scattered(rank, i));
  }
  std::ranges::sort(all);
  std::vector<int64_t> ends(all.begin(), all.begin() + kThreadRowsMax / 2);
  ends.insert(ends.end(), all.end() - kThreadRowsMax / 2, all.end());

  JobTotals forwards;
  JobTotals backwards;
  for (int64_t rank = 0; rank < kRanks; ++rank) {
    forwards =
        combine(std::move(forwards), process_of(rank, kThreads, scattered));
    backwards =
        combine(process_of(kRanks - 1 - rank, kThreads, scattered), backwards);
  }
  EXPECT_EQ(ends, useful_of(forwards));
  EXPECT_EQ(ends, useful_of(backwards));
  EXPECT_TRUE(lists_sorted(forwards));
}

TEST(ThreadRows, OfAllRegionsShareTheLimit) {
  JobTotals own = process_of(0, kThreadRowsMax, scattered);
  own.regions.push_back(own.regions.front());
  own.regions.back().key = own.regions.front().key + 1;
  limit_thread_rows(&own);
  EXPECT_EQ(kThreadRowsMax / 2, own.regions.front().thread_rows.size());
  EXPECT_EQ(kThreadRowsMax / 2, own.regions.back().thread_rows.size());
}

// Thread i of rank r is useful for 10 r + i seconds.
JobReport report_of(int64_t ranks, int64_t threads) {
  JobTotals job;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    job = combine(std::move(job),
                  process_of(rank, threads, [](int64_t r, int64_t i) {
                    return (10 * r + i) * kSecond;
                  }));
  }
  return make_report({}, std::move(job));
}

TEST(Threads, ListHasTheFiveOfEachEnd) {
  const JobReport report = report_of(4, 3);
  const std::vector<Block> blocks = thread_blocks(report, {});
  ASSERT_EQ(1u, blocks.size());
  const auto& table = std::get<Table>(blocks.front());
  ASSERT_EQ(11u, table.rows.size());
  EXPECT_EQ(3, table.rows.front().cells[0].value);     // rank
  EXPECT_EQ(2, table.rows.front().cells[1].value);     // thread
  EXPECT_EQ(0.32, table.rows.front().cells[4].value);  // useful share
  EXPECT_EQ("and 2 between", table.rows[5].label);
  EXPECT_EQ(0, table.rows.back().cells[0].value);
  EXPECT_EQ(0, table.rows.back().cells[1].value);
}

TEST(Threads, FitTheReportsWidth) {
  JobReport report = report_of(1, 2);
  RegionTotals& global = report.regions.front().totals;
  constexpr int64_t kLongNumber = 123400000;  // "123.4 ms"
  global.thread_rows = {{9998, 0, kLongNumber, 0, 0},
                        {9999, 1, 0, kLongNumber, 0}};
  std::stringstream lines(block_text(thread_blocks(report, {}).front()));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(" (")) break;
    EXPECT_LE(line.size(), kReportWidth) << line;
  }
}

TEST(Threads, LeftOutAreCountedAsBetween) {
  JobReport report = report_of(4, 3);
  RegionTotals& global = report.regions.front().totals;
  global.thread_rows.erase(global.thread_rows.begin() + 6);
  const auto table = std::get<Table>(thread_blocks(report, {}).front());
  EXPECT_EQ("and 2 between", table.rows[5].label);
  ASSERT_EQ(1u, table.notes.size());
  EXPECT_EQ(0u, table.notes.front().find("rows of 11 of 12 threads"))
      << table.notes.front();
}

TEST(Threads, AreReadFromTheRunFileAsTheyWereWritten) {
  const JobReport report = report_of(2, 3);
  std::string complaint;
  const auto read = parse_run_file(to_json(report), "a", &complaint);
  ASSERT_TRUE(read) << complaint;
  EXPECT_EQ(threads_csv(report, "a", {}), threads_csv(*read, "a", {}));
  EXPECT_HAS(threads_csv(report, "a", {}), "a,Global,1,2,12000000000,0,");
}

std::string without_spaces(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

TEST(Threads, SourcesThatAreNotKnownAreNoNumbers) {
  JobReport report = report_of(1, 2);
  ThreadRow& row = report.regions.front().totals.thread_rows.front();
  // Of 100 s.
  row.openmp_imbalance_ns = 20 * kSecond;
  row.openmp_mpi_inside_ns = 4 * kSecond;
  row.openmp_serialised_ns = 3 * kSecond;
  row.openmp_scheduling_ns = 2 * kSecond;
  row.openmp_not_started_ns = 0;
  const std::string file = without_spaces(to_json(report));
  EXPECT_HAS(file, "\"openmp_not_started_ns\":[0,null]");
  std::string complaint;
  const auto read = parse_run_file(file, "a", &complaint);
  ASSERT_TRUE(read) << complaint;
  const std::string csv = threads_csv(*read, "a", {});
  EXPECT_HAS(csv,
             ",20000000000,4000000000,3000000000,"
             "2000000000,0,\n");
  EXPECT_HAS(csv, ",,,,,,\n");

  const auto table = std::get<Table>(thread_blocks(*read, {}).front());
  ASSERT_EQ(2u, table.rows.size());
  // Thread 1 has more useful time.
  for (size_t i = 6; i < table.columns.size(); ++i) {
    EXPECT_TRUE(std::isnan(table.rows[0].cells[i].value)) << i;
  }
  EXPECT_EQ(0.71, table.rows[1].cells[6].value);  // outside
  EXPECT_EQ(0.04, table.rows[1].cells[9].value);  // for MPI
}

TEST(Threads, OutOfOrderAreRefused) {
  JobReport report = report_of(2, 3);
  std::vector<ThreadRow>& rows = report.regions.front().totals.thread_rows;
  std::swap(rows[1], rows[2]);
  std::string complaint;
  EXPECT_FALSE(parse_run_file(to_json(report), "a", &complaint));
  EXPECT_HAS(complaint, "rank and thread are not in ascending order");
}

}  // namespace
}  // namespace poprt
