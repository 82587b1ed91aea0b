#include "measure/thread_windows.h"

#include <gtest/gtest.h>

#include <memory>

namespace poprt {
namespace {

constexpr int kAccount = 0;

// A thread in Global, with windows of 100 ns, without a process.
class ThreadWindowsTest : public testing::Test {
 protected:
  ThreadWindowsTest() {
    accounts_.obtain_further();
    regions_.add("Global", kGlobalKey);
    regions_.set_open(regions_.at(0), true, 0, {0, 0});
    event(0, State::kUseful);
  }

  // As Thread::catch_up().  Returns whether the thread has followed.
  bool event(int64_t now_ns, State next) {
    Timeline& timeline = clocks_.timeline();
    if (process_.is_due(now_ns)) process_.change(now_ns);
    Step step;
    step.ns = timeline.passed_ns(now_ns);
    if (timeline.state() == State::kMpi) {
      step.timed = kAccount;
      step.timed_ns = step.ns;
    }
    const bool follows = windows_->follow(step, {}, 1);
    if (follows) convert(now_ns, step);
    if (step.timed == kAccount) accounts_.add(kAccount, step.ns);
    timeline.book(timeline.since(), now_ns, 1);
    timeline.turn_to(next);
    return follows;
  }
  void convert(int64_t now_ns, Step step) {
    clocks_.records().need(regions_.count());
    OwnClocks own = clocks_.all_own();
    for (int kind = 0; kind < kClockKinds; ++kind) {
      own.ns[kind] += clocks_.counted_ns(kind, step.ns, {});
    }
    for (int slot = 0; slot < regions_.count(); ++slot) {
      RegionRecord& r = clocks_.records().at(slot);
      const Elapsed elapsed = regions_.at(slot).elapsed();
      const bool was_open = r.is_open();
      if (elapsed.open == was_open && elapsed.ns == r.known().ns) continue;
      step.inside_ns = clocks_.inside_ns(slot, elapsed, now_ns);
      step.inside_at_end = elapsed.open;
      step.timed_inside_ns = step.inside_ns;
      accounts_.convert(slot, was_open, elapsed.open, step, 1);
      clocks_.convert(r, elapsed, now_ns, own, {});
    }
  }
  int64_t useful_ns(const WindowTable& table, int i) const {
    return table.kept[i].time_ns[time_index(false, State::kUseful)];
  }
  int64_t mpi_ns(const WindowTable& table, int i) const {
    return table.kept[i].time_ns[time_index(false, State::kMpi)];
  }

  Regions regions_{8, false};
  ThreadList threads_;
  Windows process_{{"", 0, 100}, regions_, threads_};
  ThreadClocks clocks_{/*in_team=*/true};
  Accounts accounts_;
  const std::unique_ptr<ThreadWindows> windows_ =
      std::make_unique<ThreadWindows>(process_, clocks_, accounts_);
};

TEST_F(ThreadWindowsTest, AWindowThatIsOverIsKeptWithItsPartOfTheStretch) {
  event(60, State::kMpi);
  event(250, State::kUseful);
  event(320, State::kUseful);
  const WindowTable& table = windows_->table();
  EXPECT_EQ(60, useful_ns(table, 0));
  EXPECT_EQ(40, mpi_ns(table, 0));
  EXPECT_EQ(100, mpi_ns(table, 1));
  EXPECT_EQ(50, mpi_ns(table, 2));
  EXPECT_EQ(50, useful_ns(table, 2));
  EXPECT_EQ(60, table.kept[0].clock[kGlobalCue]);
  EXPECT_EQ(100, table.kept[1].clock[kGlobalCoo]);
  EXPECT_EQ(40, table.kept[0].amount[kAccount]);
  EXPECT_EQ(100, table.kept[1].amount[kAccount]);
  // The one of now is not over.
  EXPECT_EQ(0, table.kept[3].elapsed_ns);
}

// Each third window has the same one.
TEST_F(ThreadWindowsTest, OfTheWindowBeforeNothingIsLeftInItsRegion) {
  event(20, State::kMpi);
  event(50, State::kUseful);
  for (int64_t ns = 150; ns < 800; ns += 100) event(ns, State::kUseful);
  const WindowTable& table = windows_->table();
  EXPECT_EQ(30, table.kept[0].amount[kAccount]);
  for (int i = 1; i < 7; ++i) {
    EXPECT_EQ(0, table.kept[i].amount[kAccount]);
    EXPECT_EQ(100, useful_ns(table, i));
  }
}

TEST_F(ThreadWindowsTest, ItsRecordsAreThoseOfThePresentWindows) {
  event(130, State::kUseful);
  Elapsed open;
  EXPECT_EQ(1, windows_->open_window(&open));
  EXPECT_EQ(30, open.at(130));
  event(230, State::kUseful);
  EXPECT_EQ(2, windows_->open_window(&open));
  EXPECT_EQ(30, open.at(230));
}

TEST_F(ThreadWindowsTest, ItChangesNothingWhileItHoldsThem) {
  {
    const ThreadWindows::Hold hold(windows_.get());
    EXPECT_TRUE(windows_->waits());
    EXPECT_FALSE(event(150, State::kUseful));
    EXPECT_EQ(0, windows_->table().kept[0].elapsed_ns);
  }
  EXPECT_FALSE(windows_->waits());
  EXPECT_TRUE(event(160, State::kUseful));
  EXPECT_EQ(100, useful_ns(windows_->table(), 0));
}

TEST_F(ThreadWindowsTest, CanBeLookedAtBetweenEvents) {
  event(60, State::kMpi);
  const auto of_process = std::make_unique<WindowsOfProcess>(process_);
  of_process->kept[0].add(process_.until(90));
  const auto table = std::make_unique<WindowTable>();
  windows_->values_at(*of_process, 90, {}, 1, kAccount, kNoAccount,
                      table.get());
  EXPECT_EQ(60, useful_ns(*table, 0));
  EXPECT_EQ(30, mpi_ns(*table, 0));
  EXPECT_EQ(30, table->kept[0].amount[kAccount]);
  EXPECT_EQ(0, useful_ns(windows_->table(), 0));
}

}  // namespace
}  // namespace poprt
