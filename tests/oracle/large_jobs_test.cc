// Jobs of 100000 processes: what combining their totals and their clocks gives,
// in trees of random shapes, against sums that are made one after the other.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "clocks/clock_message.h"
#include "model/job.h"
#include "model/members.h"
#include "model/quantities.h"
#include "noted.h"
#include "share_of_cases.h"

namespace poprt {
namespace {

__extension__ using Wide = __int128;

constexpr int64_t kProcesses = 100'000 / kShare;
constexpr int64_t kSecond = 1'000'000'000;

// A value for each of the processes begin to end: of one from own(process), of
// several from combined(left, right), in a tree of random shape.
template <class Value, class Own, class Combined>
Value in_a_tree(int64_t begin, int64_t end, std::mt19937_64* random,
                const Own& own, const Combined& combined) {
  if (end - begin == 1) return own(begin);
  const int64_t middle =
      std::uniform_int_distribution<int64_t>(begin + 1, end - 1)(*random);
  Value left = in_a_tree<Value>(begin, middle, random, own, combined);
  return combined(std::move(left),
                  in_a_tree<Value>(middle, end, random, own, combined));
}

constexpr char kCycles[] = "counter/cycles";

RegionTotals region_of(const std::string& name, int64_t process,
                       int64_t largest) {
  std::mt19937_64 random(static_cast<uint64_t>(process) * 2 + name.size());
  RegionTotals region;
  region.name = name;
  region.key = text_hash(name.data(), name.size());
  for (const Member<RegionTotals>& member : kRegionMembers) {
    region.*member.value =
        std::uniform_int_distribution<int64_t>(largest / 2, largest)(random);
  }
  region.processes = region.threads = 1;
  region.in_full_tables = 0;
  region.mpi_sum_ns = largest - region.useful_sum_ns;
  region.omp_sum_ns = 0;
  region.nodes = {
      {static_cast<uint64_t>(process / 64), 1, region.talp_not_mpi_max_ns}};
  region.amounts = {{kCycles, 3 * region.useful_sum_ns}};
  return region;
}

JobTotals own_totals(int64_t process, int64_t largest) {
  JobTotals own;
  own.processes = own.threads = own.threads_min = own.threads_max = 1;
  own.has_mpi = true;
  own.hosts = {{"node" + std::to_string(process / 64), 1}};
  own.regions = {region_of(kGlobalRegion, process, largest)};
  // Not all processes enter it.
  if (process % 3 == 0) {
    own.regions.push_back(region_of("solve", process, largest));
  }
  std::ranges::sort(own.regions, {}, &RegionTotals::key);
  return own;
}

JobTotals totals_of_all(int64_t largest, uint64_t seed, bool rows = false) {
  std::mt19937_64 random(seed);
  return in_a_tree<JobTotals>(
      0, kProcesses, &random,
      [&](int64_t process) {
        JobTotals own = own_totals(process, largest);
        if (rows) add_rows(process, &own);
        return own;
      },
      [](JobTotals a, const JobTotals& b) { return combine(std::move(a), b); });
}

const RegionTotals& region_in(const JobTotals& job, const std::string& name) {
  return *std::ranges::find(job.regions, name, &RegionTotals::name);
}

// The sums are made with more bits than the totals have.
TEST(LargeJobs, TotalsAreTheSumsAndMaximaOfAllProcesses) {
  constexpr int64_t kLargest = 100 * kSecond;
  const JobTotals job = totals_of_all(kLargest, 1, true);
  EXPECT_EQ(kProcesses, job.processes);
  EXPECT_EQ(static_cast<size_t>((kProcesses + 63) / 64), job.hosts.size());
  for (const std::string name : {kGlobalRegion, "solve"}) {
    const int64_t each = name == kGlobalRegion ? 1 : 3;
    const RegionTotals& totals = region_in(job, name);
    std::map<std::string, Wide> sums;
    std::map<std::string, int64_t> largest;
    Wide cycles = 0;
    Wide of_nodes = 0;
    for (int64_t process = 0; process < kProcesses; process += each) {
      const RegionTotals own = region_of(name, process, kLargest);
      for (const Member<RegionTotals>& member : kRegionMembers) {
        sums[member.name] += own.*member.value;
        largest[member.name] =
            std::max(largest[member.name], own.*member.value);
      }
      cycles += own.amounts.front().value;
      of_nodes += own.nodes.front().not_mpi_sum_ns;
    }
    for (const Member<RegionTotals>& member : kRegionMembers) {
      const Wide expected = member.how == Combine::kSum
                                ? sums[member.name]
                                : Wide{largest[member.name]};
      EXPECT_TRUE(expected == totals.*member.value) << member.name;
    }
    EXPECT_TRUE(cycles == amount(totals.amounts, kCycles));
    for (const NodeShare& node : totals.nodes) of_nodes -= node.not_mpi_sum_ns;
    EXPECT_TRUE(of_nodes == 0);
    EXPECT_EQ(static_cast<size_t>((kProcesses + each - 1) / each),
              totals.rows.size());
  }
  EXPECT_TRUE(lists_sorted(job));
}

// 100000 processes for three hours, 10^18 ns, are what a sum can have; 300000
// core-hours are less than the limit that the note names.
TEST(LargeJobs, HoursOfAllProcessesAreCounted) {
  const int64_t hours = 3 * static_cast<int64_t>(kShare);
  const JobReport report =
      make_report({}, totals_of_all(hours * 3600 * kSecond, 2));
  EXPECT_NOT_NOTED("uncountable", report.totals.quality.notes);
}

// Beyond, no sum becomes negative, whatever the order, and the report says so.
TEST(LargeJobs, WhatIsTooMuchToCountIsSaidInWords) {
  constexpr int64_t kLargest = int64_t{1} << 52;
  const JobTotals job = totals_of_all(kLargest * kShare, 3);
  const JobTotals other = totals_of_all(kLargest * kShare, 4);
  EXPECT_EQ(std::numeric_limits<int64_t>::max(),
            region_in(job, kGlobalRegion).useful_sum_ns);
  for (const Member<RegionTotals>& member : kRegionMembers) {
    EXPECT_EQ(region_in(job, kGlobalRegion).*member.value,
              region_in(other, kGlobalRegion).*member.value);
  }
  const JobReport report = make_report({}, job);
  EXPECT_NOTED("uncountable", report.totals.quality.notes);
}

// Clocks of Global and of a few of `regions` others.
ClockMessage clocks_of(int64_t process, int regions) {
  std::mt19937_64 random(static_cast<uint64_t>(process));
  ClockMessage message;
  const auto add = [&](uint64_t region) {
    const auto clock = [&] {
      return std::uniform_int_distribution<int64_t>(0, 1000 * kSecond)(random);
    };
    ClockEntry entry;
    entry.region = region;
    entry.cue_ns = clock();
    entry.com_ns = clock();
    entry.coo_ns = clock();
    entry.all_ns = clock();
    message.raise(entry, ClockMessage::kCapacity);
  };
  add(kGlobalKey);
  for (int i = 0; i < 3; ++i) {
    add(static_cast<uint64_t>(
        std::uniform_int_distribution<int>(1, regions)(random)));
  }
  return message;
}

using Clocks = std::map<uint64_t, std::vector<int64_t>>;

void raise(const ClockMessage& message, Clocks* clocks) {
  for (int i = 0; i < message.count; ++i) {
    const ClockEntry& entry = message.entries[i];
    std::vector<int64_t>& mine = (*clocks)[entry.region];
    mine.resize(4);
    const int64_t its[] = {entry.cue_ns, entry.com_ns, entry.coo_ns,
                           entry.all_ns};
    for (size_t k = 0; k < mine.size(); ++k) {
      mine[k] = std::max(mine[k], its[k]);
    }
  }
}

ClockMessage clocks_of_all(int regions, int capacity, uint64_t seed) {
  std::mt19937_64 random(seed);
  return in_a_tree<ClockMessage>(
      0, kProcesses, &random,
      [&](int64_t process) { return clocks_of(process, regions); },
      [&](ClockMessage a, const ClockMessage& b) {
        merge(a, b, capacity);
        return a;
      });
}

// As a reduction does it: which processes it combines first is MPI's choice.
TEST(LargeJobs, AReductionOfClocksGivesTheLatestInAnyOrder) {
  constexpr int kRegions = ClockMessage::kCapacity - 1;
  Clocks expected;
  for (int64_t process = 0; process < kProcesses; ++process) {
    raise(clocks_of(process, kRegions), &expected);
  }
  ASSERT_EQ(size_t{ClockMessage::kCapacity}, expected.size());
  for (uint64_t seed = 0; seed < 2; ++seed) {
    const ClockMessage all =
        clocks_of_all(kRegions, ClockMessage::kCapacity, seed);
    Clocks found;
    raise(all, &found);
    EXPECT_EQ(expected, found);
    EXPECT_EQ(ClockMessage::kCapacity, all.count);
    EXPECT_EQ(0, all.incomplete);
  }
}

// More regions than a message has room for: all processes hear of that.
TEST(LargeJobs, AReductionWithoutRoomForAllRegionsSaysSoInAnyOrder) {
  for (const int capacity : {5, ClockMessage::kCapacity}) {
    const ClockMessage all = clocks_of_all(capacity, capacity, 1);
    EXPECT_EQ(1, all.incomplete);
    EXPECT_EQ(capacity, all.count);
  }
}

}  // namespace
}  // namespace poprt
