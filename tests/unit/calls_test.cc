// MPI calls by place: how lists and summaries of late ranks are added.
#include "model/calls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "model/construct_sites.h"
#include "model/job.h"
#include "model/site_lists.h"
#include "model/site_reports.h"
#include "model/totals.h"
#include "unit/test_jobs.h"

namespace poprt {
namespace {

CallTotals call(const std::string& region, const std::string& function,
                uint64_t offset, int64_t time_ns) {
  CallTotals totals;
  totals.region = region;
  totals.function = function;
  totals.module = "/app";
  totals.offset = offset;
  totals.calls = 1;
  totals.time_ns = time_ns;
  return totals;
}

std::vector<std::string> by_offset(const std::vector<ConstructTotals>& places) {
  std::vector<std::string> names;
  for (const ConstructTotals& c : places) {
    names.push_back("at " + std::to_string(c.offset));
  }
  return names;
}

TEST(Calls, TheSameCallOfTwoProcessesIsOneEntry) {
  CallTotals mine = call("Global", "MPI_Recv", 1, 30);
  mine.waiting_ns = 20;
  mine.sent_bytes = 100;
  mine.comm_size = 4;
  mine.sizes = {{64, 1}, {256, 1}};
  mine.late.ranks = {{2, 1, 20, 0}};
  CallTotals other = mine;
  other.comm_size = 8;
  other.sizes = {{1, 2}, {64, 3}};
  other.late.ranks = {{1, 1, 5, 0}, {2, 1, 15, 0}};
  JobTotals a;
  JobTotals b;
  a.calls = {mine, call("Global", "MPI_Send", 7, 1)};
  b.calls = {other, call("Global", "MPI_Recv", 2, 9)};
  std::ranges::sort(b.calls,
                    [](const auto& x, const auto& y) { return before(x, y); });
  const JobTotals sum = combine(a, b);
  ASSERT_EQ(3u, sum.calls.size());
  const CallTotals& both = sum.calls[0];
  EXPECT_EQ(2, both.calls);
  EXPECT_EQ(60, both.time_ns);
  EXPECT_EQ(40, both.waiting_ns);
  EXPECT_EQ(20, both.transfer_ns());
  EXPECT_EQ(200, both.sent_bytes);
  EXPECT_EQ(8, both.comm_size);
  ASSERT_EQ(3u, both.sizes.size());
  EXPECT_EQ(1, both.sizes[0].below_bytes);
  EXPECT_EQ(4, both.sizes[1].messages);
  EXPECT_EQ(1, both.sizes[2].messages);
  ASSERT_EQ(2u, both.late.ranks.size());
  EXPECT_EQ(35, both.late.ranks[1].waiting_ns);
  EXPECT_EQ(0, both.late.missing_ns);
}

TEST(Calls, ASummaryOfFewLateRanksIsExact) {
  LateRanks sum;
  for (int64_t part = 0; part < 10; ++part) {
    LateRanks one;
    for (int64_t rank = part % 3; rank < 12; rank += 3) {
      one.ranks.push_back({rank, 1, 100 + rank, 0});
    }
    add(&sum, one);
  }
  ASSERT_EQ(12u, sum.ranks.size());
  EXPECT_EQ(0, sum.missing_ns);
  for (const LateRank& each : sum.ranks) {
    const int64_t parts = each.rank % 3 == 0 ? 4 : 3;
    EXPECT_EQ(parts * (100 + each.rank), each.waiting_ns);
    EXPECT_EQ(parts, each.calls);
    EXPECT_EQ(0, each.error_ns);
  }
}

TEST(Calls, ASummaryOfManyLateRanksTellsBounds) {
  std::mt19937 random(17);
  for (int round = 0; round < 50; ++round) {
    std::map<int64_t, int64_t> truth;
    LateRanks sum;
    for (int part = 0; part < 20; ++part) {
      LateRanks one;
      for (int64_t rank = 0; rank < 60; ++rank) {
        if (random() % 4 != 0 || one.ranks.size() == LateRanks::kMost) continue;
        const auto ns = static_cast<int64_t>(1 + random() % (1 + rank * rank));
        one.ranks.push_back({rank, 1, ns, 0});
        truth[rank] += ns;
      }
      add(&sum, one);
    }
    EXPECT_EQ(LateRanks::kMost, sum.ranks.size());
    for (const LateRank& each : sum.ranks) {
      EXPECT_LE(truth[each.rank], each.waiting_ns);
      EXPECT_GE(truth[each.rank], each.waiting_ns - each.error_ns);
      truth.erase(each.rank);
    }
    for (const auto& [rank, ns] : truth) EXPECT_LE(ns, sum.missing_ns);
  }
}

TEST(ConstructSites, AreNamedAfterTheirLocksIfAnyProcessKnowsTheName) {
  const auto of = [](const char* lock) {
    ConstructSiteTotals site;
    site.construct = "critical";
    site.lock = lock;
    return site;
  };
  const auto sum = [&](std::vector<const char*> locks) {
    ConstructSiteTotals all = of(locks[0]);
    for (size_t i = 1; i < locks.size(); ++i) add(&all, of(locks[i]));
    return all.lock;
  };
  EXPECT_EQ("gate", sum({"", "gate", ""}));
  EXPECT_EQ("gate", sum({"gate", "gate"}));
  EXPECT_EQ("(several)", sum({"gate", "door", "", "gate"}));
  ConstructSiteTotals rest;
  add(&rest, of("gate"));
  EXPECT_EQ("", rest.lock);
}

TEST(ConstructSites, TheSameConstructOfTwoProcessesIsOneEntry) {
  ConstructSiteTotals mine;
  mine.region = "Global";
  mine.construct = "loop dynamic";
  mine.module = "/app";
  mine.visits = 4;
  mine.iterations = 20;
  mine.time_ns = 30;
  mine.waiting_ns = 20;
  mine.late.ranks = {{2, 1, 20, 0}};
  ConstructSiteTotals other = mine;
  other.late.ranks = {{1, 1, 5, 0}, {2, 1, 15, 0}};
  ConstructSiteTotals elsewhere = mine;
  elsewhere.offset = 8;
  JobTotals a;
  JobTotals b;
  a.construct_sites = {mine, elsewhere};
  b.construct_sites = {other};
  const JobTotals sum = combine(a, b);
  ASSERT_EQ(2u, sum.construct_sites.size());
  const ConstructSiteTotals& both = sum.construct_sites[0];
  EXPECT_EQ("", both.lock);
  EXPECT_EQ(8, both.visits);
  EXPECT_EQ(40, both.iterations);
  EXPECT_EQ(60, both.time_ns);
  EXPECT_EQ(40, both.waiting_ns);
  ASSERT_EQ(2u, both.late.ranks.size());
  EXPECT_EQ(35, both.late.ranks[1].waiting_ns);
  JobTotals back;
  ASSERT_TRUE(deserialise(serialise(sum), &back));
  EXPECT_EQ(serialise(sum), serialise(back));
  ASSERT_EQ(2u, back.construct_sites.size());
  EXPECT_EQ(8u, back.construct_sites[1].offset);
  EXPECT_EQ(20, back.construct_sites[1].iterations);
}

// Process 1 uses no OpenMP, but its threads have been idle (POPRT_THREADS).
TEST(ConstructSites, HaveTheTimeOfProcessesWithoutConstructs) {
  test::ProcessTimes process;
  process.elapsed = 100;
  process.threads = {{60, 0, 10, 0}, {0, 20, 0, 0}};
  JobTotals with =
      test::job_of(process, {test::region_of("Global", process, {}),
                             test::region_of("solve", process, {})});
  JobTotals without = with;
  ConstructSiteTotals barrier;
  barrier.region = "Global";
  barrier.construct = "barrier";
  barrier.time_ns = 5;
  with.construct_sites = {barrier};
  complete_rest(with.regions, &with.construct_sites);
  JobTotals job = combine(with, without);
  complete_job(&job);
  const JobReport report = make_report({}, std::move(job));
  int64_t global_ns = 0;
  int64_t solve_ns = 0;
  for (const ConstructSiteReport& each : report.construct_sites) {
    (each.totals.region == "Global" ? global_ns : solve_ns) +=
        each.totals.time_ns;
  }
  EXPECT_EQ(2 * (30 + 80), global_ns);
  EXPECT_EQ(2 * (30 + 80), solve_ns);
}

TEST(Calls, OnlyTheHeaviestOfEachRegionAreKept) {
  std::vector<CallTotals> calls;
  calls.push_back(call("A", "", 0, 5));
  calls.back().module.clear();
  for (uint64_t i = 1; i <= 5; ++i) {
    calls.push_back(call("A", "MPI_Send", i, static_cast<int64_t>(10 * i)));
  }
  calls.push_back(call("B", "MPI_Send", 1, 1));
  EXPECT_EQ(3, keep_heaviest(2, &calls));
  ASSERT_EQ(4u, calls.size());
  EXPECT_EQ("", calls[0].function);
  EXPECT_EQ(5 + 10 + 20 + 30, calls[0].time_ns);
  EXPECT_EQ(4, calls[0].calls);
  EXPECT_EQ(4u, calls[1].offset);
  EXPECT_EQ(5u, calls[2].offset);
  EXPECT_EQ("B", calls[3].region);
}

TEST(Calls, AReportHasTheHeaviestFirstAndTheOthersLast) {
  std::vector<CallTotals> calls;
  calls.push_back(call("A", "", 0, 1000));
  calls.back().module.clear();
  calls.push_back(call("A", "MPI_Recv", 3, 5));
  calls.push_back(call("A", "MPI_Send", 1, 7));
  calls.push_back(call("gone", "MPI_Send", 1, 9));
  const std::vector<CallReport> reports =
      site_reports<CallReport>(calls, {"B", "A"}, by_offset);
  ASSERT_EQ(3u, reports.size());
  EXPECT_EQ("at 1", reports[0].location);
  EXPECT_EQ("at 3", reports[1].location);
  EXPECT_EQ("", reports[2].location);
  EXPECT_EQ(1000, reports[2].totals.time_ns);
}

}  // namespace
}  // namespace poprt
