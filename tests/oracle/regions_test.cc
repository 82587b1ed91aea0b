// Regions of one process: what threads do to them at once, looks at open ones,
// and restarts. (Random programs ask for the times in them.)
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/members.h"
#include "model/quantities.h"
#include "noted.h"
#include "oracle/rank.h"

namespace poprt::oracle {
namespace {

// The additive model's process is the primary thread's line: what a thread does
// that begins parallel regions of its own is beside it, also between them.
TEST(Regions, TellTheWorkOfThreadsBesideTheLine) {
  Rank rank;
  Thread& other = rank.process.add_thread(ThreadKind::kProgram, 0);
  other.set_member();
  rank.process.add_thread(ThreadKind::kWorker, 0).set_member();
  rank.open("a", 10);
  other.switch_to(State::kOmp, 70);
  const JobTotals job = rank.totals(100);
  EXPECT_EQ(60, amount(*find(job, "a"), kOpenMpOtherTeams));
  EXPECT_EQ(90, find(job, "a")->serial_sum_ns);
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

TEST(Regions, ThatSeveralThreadsHaveOpenAtATimeHaveANote) {
  Rank rank;
  Thread& other = rank.process.add_thread(ThreadKind::kForeign, 0);
  rank.open("solve", 2);
  rank.close("solve", 4);
  rank.process.region_start(other, "solve");
  rank.process.region_stop(other, "solve");
  EXPECT_NOT_NOTED("region_shared", rank.totals(8).quality.notes);
  rank.open("solve", 10);
  rank.process.region_start(other, "solve");
  rank.process.region_stop(other, "solve");
  rank.close("solve", 30);
  const Quality quality = rank.totals(60).quality;
  EXPECT_EQ(1, quality.shared_starts);
  ASSERT_EQ(1u, quality.notes.size());
  EXPECT_NOTED("region_shared", quality.notes);
  EXPECT_EQ(noted<"region_shared">("solve"), quality.notes[0]);
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

}  // namespace
}  // namespace poprt::oracle
