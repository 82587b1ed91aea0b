// Counters of one process, worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "measure/counter_readings.h"
#include "measure/windows.h"
#include "model/quantities.h"
#include "noted.h"
#include "oracle/rank.h"

namespace poprt::oracle {
namespace {

// Two counters whose values the test sets.
class TestCounters : public CounterSource {
 public:
  int size() const override { return 2; }
  const char* name(int i) const override { return i == 0 ? "INS" : "CYC"; }
  void* begin() override { return begins ? this : nullptr; }
  void end(void*) override { ++ended; }
  bool read(void*, int64_t* values) override {
    values[0] = instructions;
    values[1] = 2 * instructions;
    if (interrupt != nullptr) std::exchange(interrupt, nullptr)();
    return reads;
  }

  // Called once in the middle of the next event.
  std::function<void()> interrupt;
  int64_t instructions = 1000;
  bool begins = true;
  bool reads = true;
  int ended = 0;
};

struct CountingRank {
  explicit CountingRank(bool begins = true) {
    counters.begins = begins;
    EXPECT_TRUE(rank.process.count_with(counters));
    rank.thread.start_counting(*rank.process.counting());
  }
  // At `now` the thread enters state `next`, after this many instructions.
  void go(State next, int64_t now, int64_t instructions) {
    counters.instructions += instructions;
    rank.thread.switch_to(next, now);
  }
  static int64_t in(const JobTotals& job, const char* region,
                    std::string_view counter) {
    return amount(find(job, region)->amounts, counter_amount(counter));
  }

  TestCounters counters;
  Rank rank;
};

TEST(Counters, CountInUsefulTimeOnly) {
  CountingRank r;
  r.rank.open("a", 0);
  r.go(State::kMpi, 10, 7);
  r.go(State::kUseful, 20, 100);
  r.go(State::kOmp, 50, 5);
  r.go(State::kUseful, 60, 1000);
  r.counters.instructions += 3;
  r.rank.close("a", 70);
  r.go(State::kMpi, 90, 50);
  const JobTotals job = r.rank.totals(100);
  EXPECT_EQ(7 + 5 + 3, r.in(job, "a", "INS"));
  EXPECT_EQ(2 * (7 + 5 + 3), r.in(job, "a", "CYC"));
  EXPECT_EQ(10 + 30 + 10, r.in(job, "a", kCountedUseful));
  EXPECT_EQ(find(job, "a")->useful_sum_ns, r.in(job, "a", kCountedUseful));
  EXPECT_EQ(0, job.quality.closure_error_ns);
  EXPECT_NOT_NOTED("counters_of_threads", job.quality.notes);
  EXPECT_NOT_NOTED("counters_unread", job.quality.notes);
  EXPECT_NOT_NOTED("counter_still", job.quality.notes);
}

// A signal handler may interrupt an event at any place, and have events of its
// own: what it takes is part of that event.
TEST(Events, InAHandlerThatHasInterruptedAnEventCountNoTimeTwice) {
  CountingRank r;
  Thread& thread = r.rank.thread;
  r.rank.open("a", 0);
  r.counters.interrupt = [&] {
    for (int i = 0; i < 10; ++i) {
      thread.switch_to(State::kMpi, 11 + i);
      r.rank.process.region_start(thread, "b");
      r.rank.process.region_stop(thread, "b");
    }
  };
  r.go(State::kOmp, 10, 7);
  r.go(State::kUseful, 200, 7);
  r.rank.close("a", 220);
  const JobTotals job = r.rank.totals(300);
  const RegionTotals& a = *find(job, "a");
  EXPECT_EQ(10 + 20, a.useful_sum_ns);
  EXPECT_EQ(0, a.mpi_sum_ns);
  EXPECT_EQ(190, a.omp_sum_ns);
  EXPECT_EQ(0, job.quality.closure_error_ns);
  EXPECT_NOTED("calls_left_out", job.quality.notes);
}

TEST(Counters, OfEachVisitAddUp) {
  CountingRank r;
  int64_t now = 0;
  for (int i = 0; i < 100; ++i) {
    r.counters.instructions += 1;
    r.rank.open("step", now += 5);
    r.go(State::kMpi, now += 3, 10);
    r.go(State::kUseful, now += 2, 100);
    r.counters.instructions += 20;
    r.rank.close("step", now += 1);
  }
  const JobTotals job = r.rank.totals(now);
  EXPECT_EQ(100 * (10 + 20), r.in(job, "step", "INS"));
}

// A region that another thread opens in the middle of a stretch has a share of
// the count, because a counter does not tell when it counted.
TEST(Counters, OfARegionThatAnotherThreadOpensAreShared) {
  CountingRank r;
  Thread& other = r.rank.process.add_thread(ThreadKind::kWorker, 0);
  r.rank.thread.book(100);
  other.book(140);
  r.rank.process.region_start(other, "a");
  r.go(State::kMpi, 200, 1000);
  const JobTotals job = r.rank.totals(200);
  EXPECT_EQ(600, r.in(job, "a", "INS"));
  EXPECT_EQ(60, r.in(job, "a", kCountedUseful));
}

// The thread's last event was later than that at which another thread has
// closed the region, and its next event is at the same time.
TEST(Counters, OfNoTimeAreNotShared) {
  CountingRank r;
  Thread& other = r.rank.process.add_thread(ThreadKind::kWorker, 0);
  r.rank.process.region_start(other, "a");
  r.counters.instructions += 10;
  r.rank.thread.book(100);
  other.book(90);
  r.rank.process.region_stop(other, "a");
  r.rank.thread.book(100);
  const JobTotals job = r.rank.totals(200);
  EXPECT_EQ(10, r.in(job, "a", "INS"));
  EXPECT_EQ(90, r.in(job, "a", kCountedUseful));
}

// Windows begin in the middle of a stretch, and each has a share of its count:
// the shares are the count.
TEST(Counters, OfWindowsAddUp) {
  TestCounters counters;
  Process process(RegionSelection(), PathChoice(), WindowSpec{"", 0, 10});
  ASSERT_TRUE(process.count_with(counters));
  Thread& thread = process.add_thread(ThreadKind::kProgram, 0);
  thread.start_counting(*process.counting());
  process.region_start(thread, "Global");
  int64_t now_ns = 0;
  for (int64_t i = 0; i < 200; ++i) {
    counters.instructions += 1 + 2 * (i % 3);
    thread.switch_to(State::kUseful, now_ns += 5 + 7 * (i % 5));
  }
  process.region_stop(thread, "Global");
  const JobTotals job = process.totals(now_ns, "node");
  ASSERT_LT(1u, job.windows.size());
  for (const char* const counter : {"INS", "CYC"}) {
    int64_t in_windows = 0;
    for (const RegionTotals& window : job.windows) {
      in_windows += amount(window.amounts, counter_amount(counter));
    }
    EXPECT_EQ(CountingRank::in(job, "Global", counter), in_windows) << counter;
  }
}

TEST(Counters, OfACallOutsideItsEventsAreTheTools) {
  CountingRank r;
  const int64_t outside[] = {5, 11};
  r.rank.process.set_outside_counts(outside);
  r.rank.open("a", 0);
  r.go(State::kMpi, 10, 100);
  r.go(State::kUseful, 20, 0);
  r.go(State::kMpi, 21, 4);  // less than the tool's own: not below 0
  const JobTotals job = r.rank.totals(30);
  EXPECT_EQ(95, r.in(job, "a", "INS"));
  EXPECT_EQ(200 - 11, r.in(job, "a", "CYC"));
}

TEST(Counters, ThatCannotBeReadAreLeftOutAndNoted) {
  CountingRank r;
  r.rank.open("a", 0);
  r.go(State::kMpi, 10, 100);
  r.go(State::kUseful, 20, 0);
  r.counters.reads = false;
  r.go(State::kMpi, 30, 100);
  r.counters.reads = true;
  r.go(State::kUseful, 40, 0);
  r.go(State::kMpi, 50, -50);  // it has gone back
  const JobTotals job = r.rank.totals(60);
  EXPECT_EQ(100, r.in(job, "a", "INS"));
  EXPECT_EQ(10, r.in(job, "a", kCountedUseful));
  EXPECT_EQ(1,
            std::ranges::count(job.quality.notes, noted<"counters_unread">(2)));
  EXPECT_NOTED("counters_unread", job.quality.notes);
}

TEST(Counters, ThatDoNotBeginAreNoted) {
  CountingRank r(/*begins=*/false);
  r.rank.open("a", 0);
  r.go(State::kMpi, 10, 100);
  const JobTotals job = r.rank.totals(60);
  EXPECT_EQ(0, r.in(job, "a", "INS"));
  EXPECT_FALSE(has_counters(find(job, "a")->amounts));
  EXPECT_EQ(1, std::ranges::count(job.quality.notes,
                                  noted<"counters_of_threads">(1)));
  EXPECT_NOTED("counters_of_threads", job.quality.notes);
}

TEST(Counters, ThatStandStillAreNoted) {
  CountingRank r;
  r.go(State::kMpi, 99'999'999, 0);
  EXPECT_NOT_NOTED("counter_still", r.rank.totals(99'999'999).quality.notes);
  r.go(State::kUseful, 100'000'000, 0);
  r.go(State::kMpi, 200'000'000, 0);
  const JobTotals job = r.rank.totals(200'000'000);
  EXPECT_NOTED("counter_still", job.quality.notes);
  for (const char* name : {"INS", "CYC"}) {
    EXPECT_EQ(
        1, std::ranges::count(job.quality.notes, noted<"counter_still">(name)));
  }
}

TEST(Counters, OfAThreadThatEndedStay) {
  CountingRank r;
  r.rank.open("a", 0);
  r.go(State::kOmp, 10, 100);
  r.rank.thread.stop_counting();
  EXPECT_EQ(1, r.counters.ended);
  r.go(State::kUseful, 20, 100);
  r.go(State::kMpi, 30, 100);
  EXPECT_EQ(100, r.in(r.rank.totals(40), "a", "INS"));
}

// Timed calls (MPI-IO) and counters at once.
TEST(Counters, GoWithOtherQuantities) {
  CountingRank r;
  r.rank.open("a", 0);
  const int io = r.rank.process.account_of(kMpiIo);
  r.go(State::kMpi, 10, 100);
  r.rank.thread.start_timing(State::kMpi, io);
  r.go(State::kUseful, 25, 1000);
  r.rank.thread.stop_timing(State::kMpi);
  r.go(State::kMpi, 30, 10);
  const JobTotals job = r.rank.totals(40);
  EXPECT_EQ(15, amount(*find(job, "a"), kMpiIo));
  EXPECT_EQ(110, r.in(job, "a", "INS"));
}

TEST(Counters, DifferencesKnowWhereACounterEnds) {
  EXPECT_EQ(5, counted_between(10, 15));
  EXPECT_EQ(0, counted_between(10, 10));
  const int64_t end48 = int64_t{1} << 48;
  EXPECT_EQ(7, counted_between(end48 - 4, 3));
  const int64_t end32 = int64_t{1} << 32;
  EXPECT_EQ(7, counted_between(end32 - 4, 3));
  EXPECT_EQ(-1, counted_between(1000, 999));
  EXPECT_EQ(-1, counted_between(end48 + 5, 3));
}

}  // namespace
}  // namespace poprt::oracle
