// What is due every so often, and how soon events look for it.
#include "measure/due_work.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "measure/process.h"
#include "measure/turns.h"
#include "session/checkpoint_times.h"

namespace poprt {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

class Every final : public DueWork {
 public:
  explicit Every(int64_t ns) : ns_(ns) {}
  int64_t work(int64_t now_ns) override {
    ++times;
    return now_ns + ns_;
  }
  int times = 0;

 private:
  const int64_t ns_;
};

TEST(DueWork, EachPieceIsDoneWhenItIsDue) {
  static Every seldom(10);
  static Every often(3);
  do_when_due(seldom, 10);
  do_when_due(often, 3);
  for (int64_t now = 0; now < 30; ++now) look_for_due_work(now);
  EXPECT_EQ(2, seldom.times);
  EXPECT_EQ(9, often.times);
  // Begun anew.
  do_when_due(often, 100);
  for (int64_t now = 30; now < 101; ++now) look_for_due_work(now);
  EXPECT_EQ(10, often.times);
  do_when_due(seldom, INT64_MAX);
  do_when_due(often, INT64_MAX);
  EXPECT_EQ(INT64_MAX, g_due_ns.load());
}

// How many of these pieces of work are timed, and counted in all.
struct Timed {
  int times = 0;
  int64_t count = 0;
};
Timed timed_of(int pieces, int64_t each_ns) {
  Turns turns;
  Timed timed;
  for (int i = 0; i < pieces; ++i) {
    if (!turns.take()) continue;
    ++timed.times;
    turns.next(kSecond + i * each_ns);
  }
  timed.count = turns.count();
  return timed;
}

TEST(Turns, FewOfManyAreTimedAndAllOfThoseThatAreRare) {
  EXPECT_EQ(1000, timed_of(1000, kSecond / 100).times);
  const Timed many = timed_of(100 * Turns::kEach, 100);
  EXPECT_LE(100, many.times);
  EXPECT_GE(107, many.times);
}

TEST(Turns, AllAreCounted) {
  for (const int pieces : {0, 1, 2, 60, 61, 62, 1000}) {
    EXPECT_EQ(pieces, timed_of(pieces, 100).count);
    EXPECT_EQ(pieces, timed_of(pieces, kSecond).count);
  }
}

// As a program does that sends and receives, then computes.
TEST(Turns, OneInEachOfManyBurstsIsTimed) {
  for (const int burst : {2, 3, 10, 100, 1000}) {
    Turns turns;
    int64_t now = kSecond;
    int bursts = 0;
    for (int i = 0; i < 100; ++i, now += kSecond / 100) {
      bool timed = false;
      for (int k = 0; k < burst; ++k, now += 100) {
        if (!turns.take()) continue;
        turns.next(now);
        timed = true;
      }
      bursts += timed ? 1 : 0;
    }
    EXPECT_LE(50, bursts) << burst;
  }
}

// Where each piece is looked at, those that are timed do not depend on times.
TEST(Turns, EachMayBeLookedAt) {
  Turns turns;
  int64_t now = kSecond;
  for (int i = 0; i < 30; ++i, now += 100) {
    if (turns.take()) turns.next(now);
  }
  turns.take_each();
  int timed = 0;
  for (int i = 0; i < 10 * Turns::kEach; ++i, now += kSecond) {
    ASSERT_EQ(30 + i, turns.count());
    ASSERT_TRUE(turns.take());
    if (!turns.is_timed()) continue;
    ++timed;
    turns.next(now);
  }
  EXPECT_EQ(10, timed);
  EXPECT_EQ(30 + 10 * Turns::kEach, turns.timed_count());
}

// A rhythm that becomes slow is noticed after one turn.
TEST(Turns, RareOnesAreTimedSoonAfterManyOnes) {
  Turns turns;
  int64_t now = 0;
  for (int i = 0; i < 1000; ++i, now += 100) {
    if (turns.take()) turns.next(now);
  }
  int missed = 0;
  for (int i = 0; i < 200; ++i, now += kSecond) {
    if (turns.take()) {
      turns.next(now);
    } else {
      ++missed;
    }
  }
  EXPECT_GT(Turns::kEach, missed);
}

constexpr int64_t kInterval = 10 * kSecond;

TEST(CheckpointTimes, NoneIsMadeBeforeTheIntervalHasPassed) {
  EXPECT_EQ(kSecond + kInterval,
            CheckpointTimes(kSecond, kInterval, 0, 1).first_ns());
  // Ranks one after the other.
  EXPECT_EQ(kSecond + kInterval + 20 * kSecond,
            CheckpointTimes(kSecond, kInterval, 1000, 10'000).first_ns());
}

// The length of the fifth interval, if each checkpoint takes so long.
int64_t usual_interval(int64_t took_ns, int64_t ranks) {
  CheckpointTimes times(0, kInterval, 0, ranks);
  int64_t begin_ns = times.first_ns();
  int64_t interval_ns = 0;
  for (int i = 0; i < 5; ++i) {
    const int64_t next_ns = times.next_ns(begin_ns, begin_ns + took_ns);
    interval_ns = next_ns - begin_ns - took_ns;
    begin_ns = next_ns;
  }
  return interval_ns;
}

TEST(CheckpointTimes, TakeASmallPartOfTheJobsTimeTogether) {
  EXPECT_EQ(kInterval, usual_interval(100'000, 2));
  EXPECT_EQ(kInterval, usual_interval(100'000, 500));
  EXPECT_EQ(20 * kSecond, usual_interval(100'000, 1000));
  EXPECT_EQ(200 * kSecond, usual_interval(1'000'000, 1000));
  // Not without end, but that of one process is.
  EXPECT_EQ(60 * kInterval, usual_interval(1'000'000, 100'000));
  EXPECT_EQ(60 * kInterval, usual_interval(kSecond, INT32_MAX));
  EXPECT_EQ(6000 * kSecond, usual_interval(300 * kSecond, 2));
}

TEST(CheckpointTimes, OneThatTakesLongDelaysTheNextOneOnly) {
  CheckpointTimes times(0, kInterval, 0, 100);
  const int64_t took = 10'000;
  times.next_ns(kInterval, kInterval + took);
  const int64_t begin_ns = 2 * kInterval;
  EXPECT_EQ(begin_ns + 21 * kSecond,
            times.next_ns(begin_ns, begin_ns + kSecond));
  EXPECT_EQ(9 * kInterval + took + kInterval,
            times.next_ns(9 * kInterval, 9 * kInterval + took));
}

// While a thread has events as fast as it can, another one reads its times:
// they add up to the elapsed time, as they do at rest.
TEST(RunningThreads, AreReadAtOneOfTheirEvents) {
  Process process;
  Thread& thread = process.add_thread(ThreadKind::kProgram, 0);
  process.region_start(thread, "Global");
  std::atomic<int64_t> now{1};
  std::atomic<bool> ended{false};
  std::thread events([&] {
    while (!ended.load()) {
      thread.switch_to(State::kMpi, now.fetch_add(1'000'000));
      thread.switch_to(State::kUseful, now.fetch_add(1'000'000));
      if (thread.events() % 64 != 0) continue;
      process.region_start(thread, "inside");
      process.region_stop(thread, "inside");
    }
  });
  for (int i = 0; i < 50'000 && !::testing::Test::HasFailure(); ++i) {
    const JobTotals totals =
        process.totals(now.load(), "host", Process::Threads::kRunning);
    EXPECT_EQ(0, totals.quality.closure_error_ns) << i;
    for (const RegionTotals& region : totals.regions) {
      // Until the time that was given, and not a step of the thread twice.
      EXPECT_EQ(region.elapsed_max_ns,
                region.useful_sum_ns + region.mpi_sum_ns + region.omp_sum_ns);
    }
  }
  ended.store(true);
  events.join();
}

}  // namespace
}  // namespace poprt
