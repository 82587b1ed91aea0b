// Regions of one process, worked out by hand.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <thread>
#include <vector>

#include "model/members.h"
#include "model/quantities.h"
#include "oracle/rank.h"

namespace poprt::oracle {
namespace {

TEST(Regions, AHundredVisitsAddUp) {
  Rank rank;
  int64_t now = 0;
  for (int i = 0; i < 100; ++i) {
    rank.open("step", now += 5);
    rank.thread.switch_to(State::kMpi, now += 3);
    rank.thread.switch_to(State::kUseful, now += 2);
    rank.close("step", now);
  }
  const JobTotals job = rank.totals(now += 7);
  const RegionTotals& step = *find(job, "step");
  EXPECT_EQ(100, step.visits);
  EXPECT_EQ(500, step.elapsed_max_ns);
  EXPECT_EQ(300, step.useful_sum_ns);
  EXPECT_EQ(200, step.mpi_sum_ns);
  EXPECT_EQ(0, step.omp_sum_ns);
  EXPECT_EQ(300, step.cue_ns);
  EXPECT_EQ(300, step.com_ns);
  EXPECT_EQ(500, step.coo_ns);
  EXPECT_EQ(500, step.all_ns);
  EXPECT_EQ(0, job.quality.closure_error_ns);
}

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

// A thread takes its time stamp before it may change a region. In between
// another thread changes one.
TEST(Regions, CountNoTimeTwiceWhenThreadsOpenThemInTurn) {
  Rank rank;
  Thread& other = rank.process.add_thread(ThreadKind::kForeign, 0);
  rank.open("Global", 0);
  other.book(10);
  rank.open("solve", 20);
  rank.close("solve", 30);
  rank.process.region_start(other, "solve");
  other.book(15);
  rank.thread.book(40);
  rank.process.region_stop(rank.thread, "solve");
  rank.open("solve", 50);
  rank.process.region_stop(other, "solve");
  const JobTotals job = rank.totals(60);
  EXPECT_EQ(20, find(job, "solve")->elapsed_max_ns);
  EXPECT_EQ(20, find(job, "solve")->useful_sum_ns);
  EXPECT_EQ(0, job.quality.closure_error_ns);
}

TEST(Regions, ThatAreTooManyForAHandleAreCountedAndNamed) {
  Rank rank;
  for (int i = 0; i < RegionNames::kMost; ++i) {
    EXPECT_EQ(i + 1, rank.process.region_find("r" + std::to_string(i)));
  }
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

TEST(Regions, CanBeLookedAtWhileTheyAreOpen) {
  Rank rank;
  rank.open("Global", 0);
  rank.open("solve", 10);
  rank.thread.switch_to(State::kMpi, 15);
  rank.thread.switch_to(State::kUseful, 25);
  rank.thread.book(30);
  const JobTotals now = rank.process.totals_of("solve", 30, "node");
  ASSERT_EQ(1u, now.regions.size());
  EXPECT_EQ(20, now.regions[0].elapsed_max_ns);
  EXPECT_EQ(10, now.regions[0].useful_sum_ns);
  EXPECT_EQ(1, now.threads);
  EXPECT_TRUE(rank.process.totals_of("sol", 30, "node").regions.empty());
  // The query has changed nothing.
  rank.close("solve", 50);
  const JobTotals job = rank.totals(60);
  EXPECT_EQ(40, find(job, "solve")->elapsed_max_ns);
  EXPECT_EQ(10, find(job, "solve")->mpi_sum_ns);
  EXPECT_EQ(0, job.quality.closure_error_ns);
  const JobTotals later = rank.process.totals_of("solve", 60, "node");
  for (const Member<RegionTotals>& member : kRegionMembers) {
    EXPECT_EQ(find(job, "solve")->*member.value, later.regions[0].*member.value)
        << member.name;
  }
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
  process.set_metadata("", "x");
  process.set_metadata(std::string(128, 'k'), "x");
  process.set_metadata("value", std::string(1024, 'v'));
  process.set_metadata(std::string(127, 'k'), std::string(1023, 'v'));
  for (int i = 0; i < 63; ++i) process.set_metadata(std::to_string(i), "x");
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
}

TEST(Regions, OverlapAndEachCountsItsOwn) {
  Rank rank;
  rank.open("first", 10);
  rank.open("second", 30);
  rank.thread.switch_to(State::kMpi, 35);
  rank.close("first", 40);
  rank.thread.switch_to(State::kUseful, 50);
  rank.close("second", 60);
  const JobTotals job = rank.totals(70);
  const RegionTotals& first = *find(job, "first");
  EXPECT_EQ(30, first.elapsed_max_ns);
  EXPECT_EQ(25, first.useful_sum_ns);
  EXPECT_EQ(5, first.mpi_sum_ns);
  EXPECT_EQ(25, first.com_ns);
  const RegionTotals& second = *find(job, "second");
  EXPECT_EQ(30, second.elapsed_max_ns);
  EXPECT_EQ(15, second.useful_sum_ns);
  EXPECT_EQ(15, second.mpi_sum_ns);
  EXPECT_EQ(30, second.coo_ns);
}

void enter_mpi(Thread& thread, bool io, int64_t now_ns) {
  thread.switch_to(State::kMpi, now_ns);
  if (io) thread.start_timing(thread.process().account_of(kMpiIo));
}

void leave_mpi(Thread& thread, int64_t now_ns) {
  thread.switch_to(State::kUseful, now_ns);
  thread.stop_timing();
}

// A process of two threads in calls of one kind: outside and inside parallel
// regions, while a region opens, and at the end.
RegionTotals totals_with_calls(bool io) {
  Rank rank;
  rank.open("Global", 0);
  enter_mpi(rank.thread, io, 10);
  rank.open("solve", 15);
  leave_mpi(rank.thread, 40);
  Task* const task = initial_task_begin(rank.thread, 40);
  Team* const team = parallel_begin(rank.thread, task, 50);
  Task* const own = implicit_task_begin(rank.thread, team, true, 51);
  Thread& worker = rank.process.add_thread(ThreadKind::kWorker, 51);
  Task* const other = implicit_task_begin(worker, team, false, 52);
  enter_mpi(rank.thread, io, 55);
  leave_mpi(rank.thread, 58);
  enter_mpi(worker, io, 60);
  leave_mpi(worker, 80);
  barrier_begin(worker, other, 90);
  barrier_begin(rank.thread, own, 91);
  implicit_task_end(rank.thread, own, 92);
  parallel_end(rank.thread, team, 93);
  enter_mpi(rank.thread, io, 95);
  const RegionTotals totals = *find(rank.totals(100), "solve");
  delete omp_thread(worker);
  return totals;
}

TEST(Regions, CountMpiIoAsMpiAndKeepItsSumApart) {
  const RegionTotals mpi = totals_with_calls(false);
  const RegionTotals io = totals_with_calls(true);
  EXPECT_EQ(0, amount(mpi, kMpiIo));
  EXPECT_EQ(25 + 20 + 3 + 5, io.mpi_sum_ns);
  EXPECT_EQ(io.mpi_sum_ns, amount(io, kMpiIo));
  for (const Member<RegionTotals>& member : kRegionMembers) {
    EXPECT_EQ(mpi.*member.value, io.*member.value) << member.name;
  }
}

TEST(Regions, TellMpiIoFromOtherCallsOfTheSameThread) {
  Rank rank;
  rank.open("Global", 0);
  enter_mpi(rank.thread, true, 10);
  rank.open("write", 12);
  leave_mpi(rank.thread, 20);
  rank.thread.switch_to(State::kMpi, 25);
  rank.thread.switch_to(State::kUseful, 29);
  rank.close("write", 30);
  enter_mpi(rank.thread, true, 40);
  leave_mpi(rank.thread, 70);
  EXPECT_EQ(10 + 4 + 30, rank.thread.mpi_ns());
  const JobTotals job = rank.totals(100);
  const RegionTotals& global = *find(job, "Global");
  EXPECT_EQ(10 + 4 + 30, global.mpi_sum_ns);
  EXPECT_EQ(10 + 30, amount(global, kMpiIo));
  EXPECT_EQ(56, global.com_ns);
  EXPECT_EQ(56, global.outside_mpi_max_ns);
  EXPECT_EQ(100, global.coo_ns);
  const RegionTotals& write = *find(job, "write");
  EXPECT_EQ(8 + 4, write.mpi_sum_ns);
  EXPECT_EQ(8, amount(write, kMpiIo));
  EXPECT_EQ(6, write.com_ns);
  EXPECT_EQ(0, job.quality.closure_error_ns);
}

TEST(Regions, RecursionIsOneVisitFromTheFirstStartToTheLastStop) {
  Rank rank;
  rank.open("recursive", 10);
  rank.open("recursive", 20);
  rank.close("recursive", 30);
  rank.close("recursive", 50);
  const JobTotals job = rank.totals(60);
  EXPECT_EQ(1, find(job, "recursive")->visits);
  EXPECT_EQ(40, find(job, "recursive")->elapsed_max_ns);
  EXPECT_EQ(0, job.quality.shared_starts);
}

TEST(Regions, AWorkerIsIdleInARegionThatWasThereBeforeIt) {
  Rank rank;
  rank.open("early", 10);
  rank.thread.book(40);
  Thread& worker = rank.process.add_thread(ThreadKind::kWorker, 45);
  worker.set_member();
  worker.switch_to(State::kUseful, 50);
  worker.switch_to(State::kOmp, 53);
  rank.close("early", 60);
  const RegionTotals early = *find(rank.totals(100), "early");
  EXPECT_EQ(2, early.threads);
  EXPECT_EQ(53, early.useful_sum_ns);
  EXPECT_EQ(47, early.omp_sum_ns);
  EXPECT_EQ(100, early.elapsed_weighted_ns);
}

TEST(Regions, RestartDropsWhatWasBefore) {
  Rank rank;
  rank.open("Global", 0);
  rank.open("over", 5);
  rank.open("open", 6);
  rank.close("over", 8);
  rank.thread.book(20);
  rank.process.restart_regions(rank.thread);
  rank.close("open", 30);
  rank.open("open", 40);
  rank.close("open", 45);
  const JobTotals job = rank.totals(50);
  EXPECT_EQ(nullptr, find(job, "over"));
  EXPECT_EQ(30, find(job, "Global")->elapsed_max_ns);
  EXPECT_EQ(30, find(job, "Global")->cue_ns);
  EXPECT_EQ(1, find(job, "Global")->visits);
  EXPECT_EQ(15, find(job, "open")->elapsed_max_ns);
  EXPECT_EQ(15, find(job, "open")->com_ns);
  EXPECT_EQ(2, find(job, "open")->visits);
  EXPECT_EQ(0, job.quality.closure_error_ns);

  ClockMessage message;
  rank.thread.store_to(message);
  EXPECT_EQ(2, message.count);
}

TEST(Regions, RestartKeepsTheDepthOfARecursion) {
  Rank rank;
  rank.open("deep", 0);
  rank.open("deep", 5);
  rank.thread.book(10);
  rank.process.restart_regions(rank.thread);
  rank.close("deep", 20);
  rank.close("deep", 30);
  const JobTotals job = rank.totals(50);
  EXPECT_EQ(20, find(job, "deep")->elapsed_max_ns);
  EXPECT_EQ(0, job.quality.stops_without_start);
}

TEST(Regions, RestartDropsWhatAnIdleWorkerDidBefore) {
  Rank rank;
  rank.open("Global", 0);
  Thread& worker = rank.process.add_thread(ThreadKind::kWorker, 0);
  worker.set_member();
  worker.switch_to(State::kUseful, 2);
  worker.switch_to(State::kOmp, 10);
  rank.thread.book(20);
  rank.process.restart_regions(rank.thread);
  worker.switch_to(State::kUseful, 23);
  worker.switch_to(State::kOmp, 27);
  const RegionTotals global = *find(rank.totals(50), "Global");
  EXPECT_EQ(30 + 4, global.useful_sum_ns);
  EXPECT_EQ(26, global.omp_sum_ns);
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
  EXPECT_EQ(1, find(job, long_name.substr(0, 127))->elapsed_max_ns);
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
