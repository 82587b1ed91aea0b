#include "model/totals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "unit/test_jobs.h"

namespace poprt {
namespace {

constexpr int kTries = 300;

TEST(RegionKey, IsFnv1a) {
  EXPECT_EQ(0xcbf29ce484222325u, region_key("", 0));
  EXPECT_EQ(0xaf63dc4c8601ec8cu, region_key("a", 1));
  EXPECT_EQ(0x85944171f73967e8u, region_key("foobar", 6));
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

TEST(Combine, AddsSumsAndTakesMaximaAndTheMinimum) {
  JobTotals a;
  a.processes = 1;
  a.threads = a.threads_min = a.threads_max = 4;
  a.quality.closure_error_ns = 3;
  a.quality.events = 10;
  RegionTotals region;
  region.name = "solve";
  region.key = 7;
  region.useful_sum_ns = 100;
  region.mpi_sum_ns = 40;
  region.mpi_io_sum_ns = 25;
  region.useful_max_ns = 60;
  region.all_ns = 80;
  region.talp_not_mpi_max_ns = 50;
  region.nodes = {{1, 1, 50}};
  a.regions = {region};
  JobTotals b = a;
  b.threads = b.threads_min = b.threads_max = 2;
  b.quality.closure_error_ns = 2;
  b.regions[0].useful_sum_ns = 30;
  b.regions[0].mpi_io_sum_ns = 5;
  b.regions[0].useful_max_ns = 30;
  b.regions[0].all_ns = 90;
  b.regions[0].talp_not_mpi_max_ns = 70;
  b.regions[0].nodes = {{1, 1, 20}, {2, 1, 30}};

  const JobTotals sum = combine(a, b);
  EXPECT_EQ(2, sum.processes);
  EXPECT_EQ(6, sum.threads);
  EXPECT_EQ(2, sum.threads_min);
  EXPECT_EQ(4, sum.threads_max);
  EXPECT_EQ(3, sum.quality.closure_error_ns);
  EXPECT_EQ(20, sum.quality.events);
  ASSERT_EQ(1u, sum.regions.size());
  EXPECT_EQ(130, sum.regions[0].useful_sum_ns);
  EXPECT_EQ(80, sum.regions[0].mpi_sum_ns);
  EXPECT_EQ(30, sum.regions[0].mpi_io_sum_ns);
  EXPECT_EQ(60, sum.regions[0].useful_max_ns);
  EXPECT_EQ(90, sum.regions[0].all_ns);
  EXPECT_EQ(70, sum.regions[0].talp_not_mpi_max_ns);
  ASSERT_EQ(2u, sum.regions[0].nodes.size());
  EXPECT_EQ(70, sum.regions[0].nodes[0].not_mpi_sum_ns);
  EXPECT_EQ(2, sum.regions[0].nodes[0].processes);
  EXPECT_EQ(30, sum.regions[0].nodes[1].not_mpi_sum_ns);
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

}  // namespace
}  // namespace poprt
