// Locks and critical regions, in the orders that LLVM 19 reports them in.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "layer/fake_team.h"
#include "openmp/locks.h"

namespace poprt {
namespace {

using Locks = FakeTeam;

TEST_F(Locks, LockHandsItsHoldersClockOn) {
  Data task{};
  omp.at(1, 0).schedule(&b, ompt_task_switch, &task);
  omp.at(0, 10).acquire(ompt_mutex_critical, 77);
  omp.at(0, 10).acquired(ompt_mutex_critical, 77);
  omp.at(1, 10).acquire(ompt_mutex_critical, 77);
  omp.at(0, 30).released(ompt_mutex_critical, 77);
  omp.at(0, 30).sync(kSingle, ompt_scope_begin, &region, a);
  omp.at(1, 32).acquired(ompt_mutex_critical, 77);
  omp.at(1, 52).released(ompt_mutex_critical, 77);
  omp.at(1, 52).schedule(&task, ompt_task_complete, &b);
  const RegionTotals t = end_in_barrier(60);
  EXPECT_EQ(30 + 10 + 20, t.useful_sum_ns);
  EXPECT_EQ(30 + 20, t.cue_ns);
  omp.at(0, 60).lock_destroy(77);
}

TEST_F(Locks, DestroyedLockIsForgotten) {
  omp.at(0, 30).acquired(ompt_mutex_lock, 78);
  omp.at(0, 40).released(ompt_mutex_lock, 78);
  omp.at(0, 40).lock_destroy(78);
  omp.at(0, 40).sync(kSingle, ompt_scope_begin, &region, a);
  Data task{};
  omp.at(1, 40).schedule(&b, ompt_task_switch, &task);
  // Another lock at the same address: no edge from the primary.
  omp.at(1, 41).acquired(ompt_mutex_lock, 78);
  omp.at(1, 51).released(ompt_mutex_lock, 78);
  omp.at(1, 51).schedule(&task, ompt_task_complete, &b);
  EXPECT_EQ(40, end_in_barrier(60).cue_ns);
}

TEST_F(Locks, FailedAttemptToLockIsNoTransition) {
  omp.at(0, 10).acquire(ompt_mutex_test_lock, 79);
  EXPECT_EQ(State::kUseful, omp.thread(0)->state());
  omp.at(0, 20).acquire(ompt_mutex_test_nest_lock, 80);
  EXPECT_EQ(State::kUseful, omp.thread(0)->state());
  // The release of a lock that was taken by a test is reported as a lock's.
  omp.at(0, 30).acquire(ompt_mutex_test_lock, 79);
  omp.at(0, 30).acquired(ompt_mutex_test_lock, 79);
  omp.at(0, 40).released(ompt_mutex_lock, 79);
  EXPECT_EQ(50, end(50).useful_sum_ns);
}

TEST_F(Locks, NestedLockThatIsTakenAgainEndsItsWait) {
  omp.at(0, 10).acquire(ompt_mutex_nest_lock, 81);
  omp.at(0, 11).acquired(ompt_mutex_nest_lock, 81);
  omp.at(0, 20).acquire(ompt_mutex_nest_lock, 81);
  omp.at(0, 22).nest_lock(ompt_scope_begin, 81);
  omp.at(0, 30).nest_lock(ompt_scope_end, 81);
  omp.at(0, 40).released(ompt_mutex_nest_lock, 81);
  EXPECT_EQ(50 - 1 - 2, end(50).useful_sum_ns);
}

// The runtime frees a lock before it reports the release, so the report of the
// next holder may come first.
TEST(LockReports, HolderWaitsForTheReportOfTheReleaseBefore) {
  FakeOpenMp omp;
  omp.at(0, 0).acquired(ompt_mutex_lock, 90);
  Data region{}, a{}, b{};
  omp.at(0, 5).parallel_begin(omp.initial, region);
  omp.at(0, 5).implicit_begin(&region, a, 0);
  omp.at(1, 5).implicit_begin(&region, b, 1);
  omp.at(1, 5).acquire(ompt_mutex_lock, 90);
  Thread* const primary = omp.thread(0);
  std::atomic<bool> releases{false};
  std::thread releaser([&] {
    t_thread = primary;
    t_fake_now_ns = 95;
    releases.store(true);
    omp.released(ompt_mutex_lock, 90);
    omp.join_begin(region, a);
  });
  while (!releases.load()) std::this_thread::yield();
  omp.at(1, 100).acquired(ompt_mutex_lock, 90);
  releaser.join();
  EXPECT_EQ(95 + 10, omp.totals(110).cue_ns);
  omp.at(1, 110).lock_destroy(90);
}

TEST(LockReports, ReleaseThatOthersHaveOvertakenTakesNothingBack) {
  FakeOpenMp omp;
  Data region{}, a{}, b{};
  omp.at(0, 0).parallel_begin(omp.initial, region);
  omp.at(0, 0).implicit_begin(&region, a, 0);
  omp.at(1, 0).implicit_begin(&region, b, 1);
  omp.at(1, 0).acquire(ompt_mutex_lock, 92);
  omp.at(0, 0).acquired(ompt_mutex_lock, 92);
  // The primary has released the lock at 10, but lost its core before it
  // reported that.
  omp.at(1, 30).acquired(ompt_mutex_lock, 92);
  Lock& lock = *lock_of(92);
  const int64_t taken_over = lock.released.get(0).ns[0];
  omp.at(0, 40).released(ompt_mutex_lock, 92);
  EXPECT_NE(0, lock.holder.load());
  EXPECT_EQ(taken_over, lock.released.get(0).ns[0]);
  omp.at(1, 60).released(ompt_mutex_lock, 92);
  EXPECT_EQ(0, lock.holder.load());
  const int64_t handed_on = lock.released.get(0).ns[0];
  // The same again, but nobody holds the lock when the report comes.
  omp.at(0, 60).acquired(ompt_mutex_lock, 92);
  omp.at(1, 70).acquired(ompt_mutex_lock, 92);
  omp.at(1, 80).released(ompt_mutex_lock, 92);
  const int64_t before = lock.released.get(0).ns[0];
  EXPECT_GT(before, handed_on);
  omp.at(0, 81).released(ompt_mutex_lock, 92);
  EXPECT_GE(lock.released.get(0).ns[0], before);
  // From then on the events come in the usual order.
  omp.at(0, 90).acquired(ompt_mutex_lock, 92);
  omp.at(0, 95).released(ompt_mutex_lock, 92);
  EXPECT_EQ(0, lock.holder.load());
  EXPECT_EQ(0, lock.overtaken.load());
}

TEST(LockReports, ReleaseThatIsNeverReportedDelaysTheNextHolderOnlyOnce) {
  FakeOpenMp omp;
  omp.at(0, 10).acquired(ompt_mutex_lock, 91);
  omp.at(0, 20).acquired(ompt_mutex_lock, 91);
  omp.at(0, 30).released(ompt_mutex_lock, 91);
  EXPECT_EQ(40, omp.totals(40).useful_sum_ns);
}

}  // namespace
}  // namespace poprt
