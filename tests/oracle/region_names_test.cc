// Which regions are measured: names and handles, selection, limits, misuse.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <thread>
#include <vector>

#include "noted.h"
#include "oracle/rank.h"

namespace poprt::oracle {
namespace {

TEST(Regions, AreTheSameByNameAndByHandle) {
  Rank rank;
  const int solve = rank.process.region_find("solve");
  EXPECT_EQ(solve, rank.process.region_find("solve"));
  EXPECT_NE(solve, rank.process.region_find("other"));
  EXPECT_EQ(nullptr, find(rank.totals(1), "solve"));
  rank.enter(solve, 10);
  rank.thread.switch_to(State::kMpi, 15);
  rank.thread.switch_to(State::kUseful, 18);
  rank.leave(solve, 20);
  rank.enter(solve, 30);
  rank.close("solve", 40);
  rank.open("solve", 50);
  rank.open("solve", 60);  // it recurses
  rank.leave(solve, 70);
  rank.leave(solve, 80);
  const JobTotals job = rank.totals(100);
  EXPECT_EQ(3, find(job, "solve")->visits);
  EXPECT_EQ(50, find(job, "solve")->elapsed_max_ns);
  EXPECT_EQ(3, find(job, "solve")->mpi_sum_ns);
  EXPECT_EQ(nullptr, find(job, "other"));
  EXPECT_EQ(0, job.quality.regions_dropped);
  EXPECT_EQ(std::vector<std::string>{}, job.quality.notes);
}

TEST(Regions, HandlesHoldWhateverTheTableDoes) {
  Rank rank;
  const int before = rank.process.region_find("before");
  const int open = rank.process.region_find("open");
  rank.enter(before, 1);
  rank.leave(before, 2);
  rank.enter(open, 3);
  // MPI_Init drops everything except regions that are open.
  rank.thread.book(10);
  rank.process.restart_regions(rank.thread);
  for (int i = 0; i < kMaxRegions; ++i) {
    rank.open(std::to_string(i), 20);
    rank.close(std::to_string(i), 20);
    if (i == 5) {
      rank.enter(before, 30);
      rank.leave(before, 37);
    }
  }
  rank.leave(open, 40);
  rank.enter(before, 50);
  rank.leave(before, 51);
  const JobTotals job = rank.totals(60);
  EXPECT_EQ(8, find(job, "before")->elapsed_max_ns);
  EXPECT_EQ(2, find(job, "before")->visits);
  EXPECT_EQ(30, find(job, "open")->elapsed_max_ns);
  // "before" and "open" are in the table of kMaxRegions twice each.
  EXPECT_EQ(4, job.quality.regions_dropped);
}

TEST(Regions, ThatAreTooManyForAHandleAreCountedAndNamed) {
  Rank rank;
  for (int i = 0; i < RegionNames::kMost; ++i) {
    EXPECT_EQ(i + 1, rank.process.region_find("r" + std::to_string(i)));
  }
  EXPECT_NOT_NOTED("region_handles", rank.totals(5).quality.notes);
  for (const char* name : {"one more", "another"}) {
    EXPECT_EQ(Process::kNoRegion, rank.process.region_find(name));
  }
  EXPECT_EQ(1, rank.process.region_find("r0"));
  rank.enter(Process::kNoRegion, 10);
  rank.leave(Process::kNoRegion, 20);
  const JobTotals job = rank.totals(30);
  EXPECT_TRUE(job.regions.empty());
  EXPECT_EQ(2, job.quality.regions_dropped);
  const std::vector<std::string> notes = {
      "more than 1024 names of regions; the first without a handle is 'one "
      "more'"};
  EXPECT_EQ(notes, job.quality.notes);
  EXPECT_NOTED("region_handles", job.quality.notes);
  // What is left out is entered by no handle, too.
  EXPECT_NOT_NOTED("region_unknown_entered", job.quality.notes);
  EXPECT_NOT_NOTED("region_unknown_left", job.quality.notes);
  EXPECT_EQ(0, job.quality.stops_without_start);
}

TEST(Regions, MisuseOfHandlesIsCountedAndNamed) {
  Rank rank;
  const int known = rank.process.region_find("known");
  for (int handle : {0, known + 1, 4711, -2, 1 << 30}) rank.enter(handle, 10);
  for (int handle : {0, known, known + 1}) rank.leave(handle, 20);
  EXPECT_EQ(Process::kNoRegion, rank.process.region_find(""));
  const Quality quality = rank.totals(30).quality;
  EXPECT_EQ(6, quality.regions_dropped);
  EXPECT_EQ(3, quality.stops_without_start);
  EXPECT_EQ(
      (std::vector<std::string>{
          "a region was entered by a handle that pop_region_find() has not "
          "returned; ignored",
          "a region was left by a handle that pop_region_find() has not "
          "returned; ignored",
          "region 'known' was stopped without a start; ignored",
          "a region without a name was started; ignored"}),
      quality.notes);
  EXPECT_NOTED("region_unknown_entered", quality.notes);
  EXPECT_NOTED("region_unknown_left", quality.notes);
  EXPECT_NOTED("region_stray_stop", quality.notes);
  EXPECT_NOTED("region_without_name", quality.notes);
}

TEST(Regions, HandlesOfManyThreadsAreTheSame) {
  Process process;
  constexpr int kThreads = 4;
  constexpr int kNames = 300;
  std::vector<std::vector<int>> handles(kThreads, std::vector<int>(kNames));
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kNames; ++i) {
        const int name = t % 2 == 0 ? i : kNames - 1 - i;
        handles[t][name] =
            process.region_find("region " + std::to_string(name));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<int> different(handles[0].begin(), handles[0].end());
  EXPECT_EQ(size_t{kNames}, different.size());
  EXPECT_EQ(kNames, *different.rbegin());
  for (int t = 1; t < kThreads; ++t) EXPECT_EQ(handles[0], handles[t]);
}

TEST(Regions, ThatAreNotSelectedHaveNoHandle) {
  RegionSelection selection;
  ASSERT_TRUE(selection.add("exclude:in*"));
  Process process(selection);
  EXPECT_FALSE(process.selects_all_regions());
  EXPECT_EQ(Process::kNoRegion, process.region_find("init"));
  EXPECT_EQ(Process::kNoRegion, process.region_find("init"));
  EXPECT_LT(0, process.region_find("solve"));
}

TEST(Regions, ThatAreNotSelectedTakeNoNameFromOthers) {
  RegionSelection selection;
  ASSERT_TRUE(selection.add("exclude:in*"));
  Process process(selection);
  for (int i = 0; i < 100000; ++i) {
    const std::string name = "in" + std::to_string(i);
    for (int time = 0; time < 2; ++time) {
      ASSERT_EQ(Process::kNoRegion, process.region_find(name)) << name;
    }
  }
  for (int i = 0; i < RegionNames::kMost; ++i) {
    EXPECT_EQ(i + 1, process.region_find("r" + std::to_string(i)));
  }
  EXPECT_EQ(0, process.totals(1, "node").quality.regions_dropped);
}

TEST(Regions, AreSelectedOnceForNamesThatComeAgain) {
  RegionNames names;
  int asked = 0;
  const auto number_of = [&](uint64_t key, bool selected) {
    return names.find_or_add("name", key, [&](std::string_view) {
      ++asked;
      return selected;
    });
  };
  for (int time = 0; time < 3; ++time) {
    EXPECT_EQ(1, number_of(7, true));
    EXPECT_EQ(RegionNames::kNotSelected, number_of(8, false));
    EXPECT_EQ(2, number_of(9, true));
  }
  EXPECT_EQ(3, asked);
}

TEST(Metadata, TheLastValueOfAKeyCountsAndAnEmptyOneTakesItBack) {
  Process process;
  process.set_metadata("solver", "cg");
  process.set_metadata("mesh", "64");
  process.set_metadata("mesh", "512");
  process.set_metadata("git", "abc");
  process.set_metadata("git", "");
  process.set_metadata("nothing", "");
  const JobTotals job = process.totals(0, "node");
  ASSERT_EQ(2u, job.metadata.size());
  EXPECT_EQ("mesh", job.metadata[0].key);
  EXPECT_EQ("512", job.metadata[0].value);
  EXPECT_EQ("solver", job.metadata[1].key);
  EXPECT_TRUE(lists_sorted(job));
  EXPECT_EQ(0, job.quality.metadata_dropped);
}

TEST(Metadata, ThatCannotBeTakenAreCountedAndNamed) {
  Process process;
  process.set_metadata(std::string(127, 'k'), std::string(1023, 'v'));
  for (int i = 0; i < 63; ++i) process.set_metadata(std::to_string(i), "x");
  const std::vector<std::string> before = process.totals(0, "n").quality.notes;
  EXPECT_NOT_NOTED("metadata_without_key", before);
  EXPECT_NOT_NOTED("metadata_too_long", before);
  EXPECT_NOT_NOTED("metadata_limit", before);
  process.set_metadata("", "x");
  process.set_metadata(std::string(128, 'k'), "x");
  process.set_metadata("value", std::string(1024, 'v'));
  process.set_metadata("one too many", "x");
  process.set_metadata("5", "y");
  const JobTotals job = process.totals(0, "node");
  EXPECT_EQ(64u, job.metadata.size());
  EXPECT_EQ(4, job.quality.metadata_dropped);
  EXPECT_EQ(4u, job.quality.notes.size());
  EXPECT_EQ("metadata without a key were given; ignored", job.quality.notes[0]);
  EXPECT_EQ(
      "more than 64 keys of metadata; the first that is ignored is 'one too "
      "many'",
      job.quality.notes[3]);
  EXPECT_NOTED("metadata_without_key", job.quality.notes);
  EXPECT_NOTED("metadata_too_long", job.quality.notes);
  EXPECT_NOTED("metadata_limit", job.quality.notes);
}

// Two regions whose names begin alike, in 127 bytes and more.
TEST(Regions, LongNamesThatDifferAreTwoRegions) {
  const std::string alike(127, 'x');
  Rank rank;
  rank.open(alike, 5);
  rank.close(alike, 6);
  EXPECT_NOT_NOTED("region_name_cut", rank.totals(7).quality.notes);
  rank.open(alike + "one", 10);
  rank.close(alike + "one", 13);
  rank.open(alike + "other", 20);
  rank.close(alike + "other", 25);
  const JobTotals job = rank.totals(30);
  EXPECT_NOTED("region_name_cut", job.quality.notes);
  RoomForName room;
  EXPECT_EQ(
      3, find(job, std::string(cut_name(alike + "one", room)))->elapsed_max_ns);
  EXPECT_EQ(
      5,
      find(job, std::string(cut_name(alike + "other", room)))->elapsed_max_ns);
  // No part of a character is left, in any position.
  for (size_t ascii = 0; ascii < 3; ++ascii) {
    std::string name(ascii, 'a');
    while (name.size() < 200) name += "\u20ac";
    const std::string_view cut = cut_name(name, room);
    EXPECT_LE(cut.size(), kLongestRegionName);
    const size_t mark = cut.rfind('~');
    EXPECT_EQ(ascii, mark % 3) << cut;
    EXPECT_EQ(name.substr(0, mark), cut.substr(0, mark));
  }
}

// Regions 0 to 79 and Global do not fit into a table of 72.
TEST(Regions, MisuseIsCountedAndHarmsNothing) {
  Rank rank;
  Thread& worker = rank.process.add_thread(ThreadKind::kWorker, 0);
  worker.set_member();
  rank.open("good", 10);
  rank.close("never opened", 12);
  rank.open("", 14);
  worker.book(20);
  rank.process.region_start(worker, "good");
  rank.close("good", 25);
  worker.book(30);
  rank.process.region_stop(worker, "good");
  rank.close("good", 35);
  const std::string long_name(200, 'x');
  rank.open(long_name, 40);
  rank.close(long_name, 41);
  rank.open("left open", 50);
  const JobTotals job = rank.totals(60);
  EXPECT_EQ(20, find(job, "good")->elapsed_max_ns);
  EXPECT_EQ(1, find(job, "good")->visits);
  RoomForName room;
  EXPECT_EQ(1,
            find(job, std::string(cut_name(long_name, room)))->elapsed_max_ns);
  EXPECT_EQ(10, find(job, "left open")->elapsed_max_ns);
  EXPECT_EQ(2, job.quality.stops_without_start);
  EXPECT_EQ(1, job.quality.regions_dropped);
  EXPECT_EQ(1, job.quality.shared_starts);
  EXPECT_EQ(1, job.quality.starts_without_stop);
  EXPECT_EQ(0, job.quality.closure_error_ns);
}

TEST(Regions, BeyondTheTableAreRefusedAndCounted) {
  Rank rank;
  for (int i = 0; i < kMaxRegions + 3; ++i) {
    if (i == kMaxRegions) {
      EXPECT_NOT_NOTED("region_limit", rank.totals(i).quality.notes);
    }
    rank.open("r" + std::to_string(i), i);
    rank.close("r" + std::to_string(i), i + 1);
  }
  const JobTotals job = rank.totals(1000);
  EXPECT_EQ(static_cast<size_t>(kMaxRegions), job.regions.size());
  EXPECT_EQ(3, job.quality.regions_dropped);
  EXPECT_EQ(0, job.quality.stops_without_start);
  EXPECT_EQ(1, find(job, "r" + std::to_string(kMaxRegions - 1))->all_ns);
  // Noted once, with the first region.
  const std::vector<std::string> notes = {
      "more than 512 regions; further ones are not measured, the first is "
      "'r512'"};
  EXPECT_EQ(notes, job.quality.notes);
  EXPECT_NOTED("region_limit", job.quality.notes);
  EXPECT_NOT_NOTED("region_without_name", job.quality.notes);
  // Their starts were refused.
  EXPECT_NOT_NOTED("region_stray_stop", job.quality.notes);
}

// So many threads that they share the common list.
TEST(Threads, OneThatOpenMPDoesNotKnowIsKeptApart) {
  Rank rank;
  rank.open("Global", 0);
  Thread& foreign = rank.process.add_thread(ThreadKind::kForeign, 10);
  foreign.switch_to(State::kMpi, 10);
  foreign.switch_to(State::kOmp, 25);
  const JobTotals job = rank.totals(100);
  EXPECT_EQ(1, job.threads);
  EXPECT_EQ(100, find(job, "Global")->elapsed_weighted_ns);
  EXPECT_EQ(0, find(job, "Global")->mpi_sum_ns);
  EXPECT_EQ(1, job.quality.foreign_threads);
  EXPECT_EQ(15, job.quality.foreign_mpi_ns);
}

}  // namespace
}  // namespace poprt::oracle
