#include "model/totals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "model/quantities.h"
#include "noted.h"
#include "share_of_cases.h"
#include "unit/test_jobs.h"

namespace poprt {
namespace {

constexpr int kTries = 300 / kShare;

TEST(RegionKey, IsFnv1a) {
  EXPECT_EQ(0xcbf29ce484222325u, text_hash("", 0));
  EXPECT_EQ(0xaf63dc4c8601ec8cu, text_hash("a", 1));
  EXPECT_EQ(0x85944171f73967e8u, text_hash("foobar", 6));
}

TEST(Combine, DoesNotDependOnTheOrderOfTwo) {
  std::mt19937 random(1);
  for (int i = 0; i < kTries; ++i) {
    const JobTotals a = test::random_totals(&random);
    const JobTotals b = test::random_totals(&random);
    EXPECT_TRUE(test::same(combine(a, b), combine(b, a)));
  }
}

TEST(Combine, DoesNotDependOnTheGroupingOfThree) {
  std::mt19937 random(2);
  for (int i = 0; i < kTries; ++i) {
    const JobTotals a = test::random_totals(&random);
    const JobTotals b = test::random_totals(&random);
    const JobTotals c = test::random_totals(&random);
    EXPECT_TRUE(
        test::same(combine(combine(a, b), c), combine(a, combine(b, c))));
  }
}

TEST(Combine, LeavesTotalsAloneWhenTheOtherIsEmpty) {
  std::mt19937 random(3);
  for (int i = 0; i < kTries; ++i) {
    JobTotals a = test::random_totals(&random);
    // More notes than are kept would be cut.
    a.quality.notes.resize(std::min<size_t>(a.quality.notes.size(), 50));
    EXPECT_TRUE(test::same(a, combine(a, JobTotals())));
    EXPECT_TRUE(test::same(a, combine(JobTotals(), a)));
  }
}

TEST(Combine, TakesMetadataOfTheFirstProcessThatHasThem) {
  JobTotals a;
  JobTotals b;
  a.metadata = {{"mesh", "512", 3}, {"solver", "cg", 3}};
  b.metadata = {{"mesh", "64", 1}, {"steps", "10", 1}};
  const JobTotals job = combine(a, b);
  ASSERT_EQ(3u, job.metadata.size());
  EXPECT_EQ("64", job.metadata[0].value);
  EXPECT_EQ("cg", job.metadata[1].value);
  EXPECT_EQ("10", job.metadata[2].value);
}

// A process with 64 keys of its own and one key that all processes have.
JobTotals process_with_metadata(int64_t rank) {
  JobTotals job;
  job.processes = 1;
  job.metadata = {{"all", std::to_string(rank), rank}};
  for (int i = 0; i < 64; ++i) {
    job.metadata.push_back(
        {"rank " + std::to_string(100000 + rank) + "." + std::to_string(10 + i),
         "x", rank});
  }
  return job;
}

const std::string kTooManyKeys =
    "more than 1024 keys of metadata in the job; those of the lowest ranks are "
    "kept";

TEST(Combine, KeepsMetadataOfTheLowestRanksWhereThereAreTooMany) {
  // The ranks come in an arbitrary order.
  JobTotals job;
  size_t most = 0;
  constexpr int64_t kRanks = 10000 / kShare;
  for (int64_t i = 0; i < kRanks; ++i) {
    job = combine(std::move(job), process_with_metadata(i * 3001 % kRanks));
    most = std::max(most, job.metadata.size());
  }
  EXPECT_EQ(1024u, most);
  EXPECT_EQ(kRanks, job.processes);
  ASSERT_EQ(1024u, job.metadata.size());
  EXPECT_EQ("all", job.metadata[0].key);
  EXPECT_EQ("0", job.metadata[0].value);
  // 15 whole processes, and the first keys of the next.
  EXPECT_EQ("rank 100000.10", job.metadata[1].key);
  EXPECT_EQ("rank 100015.72", job.metadata[1023].key);
  EXPECT_EQ(1u, job.quality.notes.size());
  EXPECT_NOTED("metadata_of_job", job.quality.notes);
}

TEST(Combine, KeepsMetadataWhereThereAreJustEnough) {
  JobTotals a = process_with_metadata(0);
  JobTotals b = process_with_metadata(1);
  b.metadata.resize(1);
  for (int i = 0; i < 1024 - 65; ++i) {
    b.metadata.push_back({"z" + std::to_string(10000 + i), "x", 1});
  }
  const JobTotals job = combine(a, b);
  EXPECT_EQ(1024u, job.metadata.size());
  EXPECT_TRUE(job.quality.notes.empty());
  EXPECT_NOT_NOTED("metadata_of_job", job.quality.notes);
}

TEST(Combine, CutsMetadataTheSameInAnyGrouping) {
  std::mt19937 random(5);
  const auto some = [&] {
    JobTotals job;
    for (int key = 10000; key < 11500; ++key) {
      if (random() % 2 == 0) continue;
      job.metadata.push_back({std::to_string(key), std::to_string(random() % 3),
                              static_cast<int64_t>(random() % 5)});
    }
    return job;
  };
  for (int i = 0; i < 30; ++i) {
    const JobTotals a = some();
    const JobTotals b = some();
    const JobTotals c = some();
    const JobTotals job = combine(combine(a, b), c);
    EXPECT_EQ(1024u, job.metadata.size());
    EXPECT_TRUE(test::same(job, combine(a, combine(b, c))));
    EXPECT_TRUE(test::same(job, combine(combine(c, a), b)));
  }
}

// Of what processes have in their regions LargeJobs asks (tests/oracle).
TEST(Combine, AddsSumsAndTakesMaximaAndTheMinimum) {
  JobTotals a;
  a.processes = 1;
  a.threads = a.threads_min = a.threads_max = 4;
  a.quality.closure_error_ns = 3;
  a.quality.events = 10;
  RegionTotals region;
  region.name = "solve";
  region.amounts = {{"ipc_max", 7}, {kMpiIo.name, 25}};
  a.regions = {region};
  JobTotals b = a;
  b.threads = b.threads_min = b.threads_max = 2;
  b.quality.closure_error_ns = 2;
  b.regions[0].amounts = {{"flops_sum", 3}, {"ipc_max", 4}, {kMpiIo.name, 5}};

  const JobTotals sum = combine(a, b);
  EXPECT_EQ(2, sum.processes);
  EXPECT_EQ(6, sum.threads);
  EXPECT_EQ(2, sum.threads_min);
  EXPECT_EQ(4, sum.threads_max);
  EXPECT_EQ(3, sum.quality.closure_error_ns);
  EXPECT_EQ(20, sum.quality.events);
  ASSERT_EQ(1u, sum.regions.size());
  EXPECT_EQ((std::vector<Amount>{
                {"flops_sum", 3}, {"ipc_max", 7}, {kMpiIo.name, 30}}),
            sum.regions[0].amounts);
}

// Three processes, of which the second has not entered "solve".
JobTotals process_with_rows(int64_t rank) {
  const test::ProcessTimes times = {
      100 + rank, 40, {{10, 30, 20, 5, 7}, {0, 20, 0, 0}}, "node", 2};
  RegionTotals global = test::region_of("Global", times, {});
  RegionTotals solve = test::region_of("solve", times, {});
  if (rank == 1) solve.processes = 0;
  JobTotals job = test::job_of(times, {global, solve});
  add_rows(rank, &job);
  return job;
}

TEST(AddRows, GivesAProcessARowInEachRegionThatItEntered) {
  const JobTotals own = process_with_rows(1);
  ASSERT_EQ(1u, own.places.size());
  EXPECT_EQ(1, own.places[0].rank);
  EXPECT_EQ(text_hash("node", 4), own.places[0].host);
  EXPECT_EQ(2, own.places[0].threads);
  for (const RegionTotals& region : own.regions) {
    ASSERT_EQ(region.name == "solve" ? 0u : 1u, region.rows.size());
    if (region.rows.empty()) continue;
    const ProcessRow& row = region.rows[0];
    EXPECT_EQ(1, row.rank);
    EXPECT_EQ(2, row.visits);
    EXPECT_EQ(101, row.elapsed_ns);
    EXPECT_EQ(60, row.useful_ns);
    EXPECT_EQ(25, row.mpi_ns);
    EXPECT_EQ(7, amount(row.amounts, kMpiIo.name));
    EXPECT_EQ(2 * 101 - 60 - 25, row.omp_ns);
    EXPECT_EQ(40, row.useful_max_ns);
    EXPECT_EQ(10, row.serial_ns);
    EXPECT_EQ(101 - 20, row.outside_mpi_ns);
  }
}

TEST(Combine, KeepsEveryRowInTheOrderOfRanks) {
  const auto ranks_of = [](const auto& list) {
    std::vector<int64_t> ranks;
    for (const auto& item : list) ranks.push_back(item.rank);
    return ranks;
  };
  const JobTotals a = process_with_rows(0);
  const JobTotals b = process_with_rows(1);
  const JobTotals c = process_with_rows(2);
  const JobTotals sum = combine(combine(c, a), b);
  EXPECT_TRUE(test::same(sum, combine(a, combine(b, c))));
  EXPECT_EQ((std::vector<int64_t>{0, 1, 2}), ranks_of(sum.places));
  for (const RegionTotals& region : sum.regions) {
    EXPECT_EQ(region.name == "solve" ? (std::vector<int64_t>{0, 2})
                                     : (std::vector<int64_t>{0, 1, 2}),
              ranks_of(region.rows));
    EXPECT_EQ(102, region.rows.back().elapsed_ns);
  }
}

class CombineResource : public testing::TestWithParam<const Resource*> {};
INSTANTIATE_TEST_SUITE_P(All, CombineResource,
                         testing::Values(&kWaitedForCore, &kMemorySum,
                                         &kUnknownThreads));

TEST_P(CombineResource, IsKnownOnlyIfEachProcessTells) {
  const char* const name = GetParam()->name;
  JobTotals tells;
  tells.processes = 1;
  set_amount(name, 5, &tells.resources);
  JobTotals tells_not;
  tells_not.processes = 1;
  set_amount(kUserTime.name, 7, &tells_not.resources);
  const auto known = [&](const JobTotals& job) {
    return known_amount(job.resources, name);
  };
  EXPECT_EQ(10, known(combine(tells, tells)));
  EXPECT_TRUE(std::isnan(known(combine(tells, tells_not))));
  EXPECT_TRUE(std::isnan(known(combine(combine(tells_not, tells), tells))));
  EXPECT_EQ(5, known(combine(tells, JobTotals())));
}

TEST(Combine, LearnsTheNameOfARegionOfWhichOnlyTheKeyWasKnown) {
  JobTotals heard;
  heard.processes = 1;
  heard.regions.resize(1);
  heard.regions[0].key = 7;
  JobTotals named = heard;
  named.regions[0].name = "solve";
  EXPECT_EQ("solve", combine(heard, named).regions[0].name);
  EXPECT_EQ("solve", combine(named, heard).regions[0].name);
}

TEST(Combine, GivesRegionsThatShareAKeyTheSameNameInAnyOrder) {
  JobTotals a;
  a.regions.resize(1);
  a.regions[0].name = "solve";
  JobTotals b = a;
  b.regions[0].name = "dump";
  EXPECT_EQ("dump", combine(a, b).regions[0].name);
  EXPECT_EQ("dump", combine(b, a).regions[0].name);
}

TEST(Combine, SaysANoteOnceAndNoMoreThanFifty) {
  JobTotals a;
  JobTotals b;
  for (int i = 10; i < 60; ++i) {
    a.quality.notes.push_back("a" + std::to_string(i));
    b.quality.notes.push_back("a" + std::to_string(i + 20));
  }
  const std::vector<std::string> notes = combine(a, b).quality.notes;
  ASSERT_EQ(50u, notes.size());
  EXPECT_EQ("a10", notes.front());
  EXPECT_EQ("a59", notes.back());
}

TEST(CompleteClocksOfOneProcess, AreThoseOfAllItsRegions) {
  JobTotals job =
      test::job_of(test::mpi_process(5, 10),
                   {test::region_of("first", test::mpi_process(5, 10), {}),
                    test::region_of("late", test::mpi_process(5, 10), {})});
  job.full_tables = 1;
  job.regions[0].in_full_tables = 1;
  JobTotals two = combine(job, job);
  complete_job(&two);
  EXPECT_TRUE(clocks_complete(two, two.regions[0]));
  EXPECT_FALSE(clocks_complete(two, two.regions[1]));
  complete_job(&job);
  EXPECT_TRUE(clocks_complete(job, job.regions[0]));
  EXPECT_TRUE(clocks_complete(job, job.regions[1]));
}

}  // namespace
}  // namespace poprt
