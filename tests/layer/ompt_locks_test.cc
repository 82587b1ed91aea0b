// Locks and critical regions, in the orders that LLVM 19 reports them in.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "layer/fake_team.h"
#include "openmp/locks.h"
#include "openmp/tasking.h"

namespace poprt {
namespace {

using Locks = FakeTeam;

TEST_F(Locks, DestroyedLockIsForgotten) {
  omp.at(0, 30).acquired(ompt_mutex_lock, 78);
  omp.at(0, 40).released(ompt_mutex_lock, 78);
  omp.at(0, 40).lock_destroy(78);
  omp.at(0, 40).sync(kSingle, ompt_scope_begin, &region, a);
  Data task{};
  omp.at(1, 40).schedule(&b, ompt_task_switch, &task);
  // Another lock at the same address: no edge from the primary.
  omp.at(1, 40).acquire(ompt_mutex_lock, 78);
  omp.at(1, 41).acquired(ompt_mutex_lock, 78);
  omp.at(1, 51).released(ompt_mutex_lock, 78);
  omp.at(1, 51).schedule(&task, ompt_task_complete, &b);
  EXPECT_EQ(40, end_in_barrier(60).cue_ns);
}

// How long an acquire takes tells whether it has waited.  One that took long
// for another reason finds no clocks that were left since it began.
TEST_F(Locks, SlowAcquireWithoutAReleaseMeanwhileDependsOnNobody) {
  Data task{};
  omp.at(0, 0).acquire(ompt_mutex_critical, 77);
  omp.at(0, 0).acquired(ompt_mutex_critical, 77);
  omp.at(1, 0).schedule(&b, ompt_task_switch, &task);
  omp.at(1, 0).acquire(ompt_mutex_critical, 77);
  omp.at(0, 200).released(ompt_mutex_critical, 77);
  omp.at(1, 200).acquired(ompt_mutex_critical, 77);
  EXPECT_EQ(200, omp.thread(1)->region_at(0, 200).clocks.ns[kProcessCue]);
  EXPECT_EQ(0u, threads_waiting_for(*lock_of(77)));
  omp.at(1, 210).released(ompt_mutex_critical, 77);
  // The primary's clocks are still there.
  omp.at(2, 300).thread_begin(ompt_thread_worker);
  omp.at(2, 300).acquire(ompt_mutex_critical, 77);
  omp.at(2, 350).acquired(ompt_mutex_critical, 77);
  EXPECT_EQ(0, omp.thread(2)->region_at(0, 350).clocks.ns[kProcessCue]);
  EXPECT_EQ(0, omp.job(350).quality.lost_lock_clocks);
}

// All ordered loops of a team have one name in the runtime.
struct OrderedLoops : FakeTeam {
  void begin_loop(int thread) {
    omp_thread(*omp.thread(thread))->loops += kLoopStep;
  }
  void turn(int thread, int64_t from_ns, int64_t begin_ns, int64_t end_ns) {
    omp.at(thread, from_ns).acquire(ompt_mutex_ordered, 0x5000);
    omp.at(thread, begin_ns).acquired(ompt_mutex_ordered, 0x5000);
    omp.at(thread, end_ns).released(ompt_mutex_ordered, 0x5000);
  }
  void wait_till(int64_t end_ns) {
    omp.at(1, 0).sync(kSingle, ompt_scope_end, &region, b);
    omp.at(1, 0).acquire(ompt_mutex_critical, 77);
    omp.at(1, end_ns).acquired(ompt_mutex_critical, 77);
    omp.at(1, end_ns).released(ompt_mutex_critical, 77);
  }
  RegionTotals join(int64_t now_ns) {
    omp.at(1, now_ns).join_begin(region, b);
    omp.at(0, now_ns).join_begin(region, a);
    omp.at(0, now_ns).primary_end(region, a, omp.initial);
    omp.at(1, now_ns).worker_late_end(b, 1);
    return omp.totals(now_ns);
  }
};

TEST_F(OrderedLoops, EdgeOfALaterLoopIsNotThatOfAnEarlierOne) {
  begin_loop(0);
  turn(0, 0, 0, 100);
  begin_loop(0);
  turn(0, 100, 100, 200);
  omp.at(0, 200).acquire(ompt_mutex_critical, 78);
  wait_till(250);
  begin_loop(1);
  turn(1, 250, 250, 300);
  begin_loop(1);
  turn(1, 300, 300, 350);
  EXPECT_EQ(250, join(350).cue_ns);
}

TEST_F(OrderedLoops, EdgeIsNotLostByAnEarlierLoop) {
  begin_loop(0);
  turn(0, 0, 0, 50);
  begin_loop(0);
  omp.at(0, 50).acquire(ompt_mutex_ordered, 0x5000);
  omp.at(0, 50).acquired(ompt_mutex_ordered, 0x5000);
  wait_till(150);
  begin_loop(1);
  omp.at(1, 150).acquire(ompt_mutex_ordered, 0x5000);
  omp.at(1, 150).acquired(ompt_mutex_ordered, 0x5000);
  omp.at(0, 300).released(ompt_mutex_ordered, 0x5000);
  omp.at(0, 300).acquire(ompt_mutex_critical, 78);
  omp.at(1, 350).released(ompt_mutex_ordered, 0x5000);
  begin_loop(1);
  turn(1, 350, 350, 400);
  EXPECT_EQ(350, join(400).cue_ns);
}

// The object of a team may have been that of another one.
TEST_F(OrderedLoops, AnotherTeamsLoopIsAnotherOne) {
  begin_loop(0);
  turn(0, 0, 0, 100);
  omp.at(1, 100).sync(kSingle, ompt_scope_end, &region, b);
  Data inner{}, first{};
  omp.at(1, 100).parallel_begin(b, inner);
  omp.at(1, 100).implicit_begin(&inner, first, 0);
  begin_loop(1);
  turn(1, 100, 100, 110);
  EXPECT_EQ(10, omp.thread(1)->region_at(0, 110).clocks.ns[kProcessCue]);
  omp.at(1, 110).primary_end(inner, first, b);
  EXPECT_EQ(110, join(110).cue_ns);
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
  omp.fork(5, omp.initial, region, a, b);
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
  omp.fork(0, omp.initial, region, a, b);
  omp.at(1, 0).acquire(ompt_mutex_lock, 92);
  omp.at(0, 0).acquired(ompt_mutex_lock, 92);
  // The primary has released the lock at 10, but lost its core before it
  // reported that.  So the wait has no edge.
  omp.at(1, 30).acquired(ompt_mutex_lock, 92);
  EXPECT_EQ(0, omp.thread(1)->region_at(0, 30).clocks.ns[kProcessCue]);
  EXPECT_EQ(1, omp.job(30).quality.lost_lock_clocks);
  Lock& lock = *lock_of(92);
  omp.at(0, 40).released(ompt_mutex_lock, 92);
  EXPECT_EQ(lock_name_of(*omp.thread(1)), lock.holder.load());
  // From then on the events come in the usual order.
  omp.at(0, 50).acquire(ompt_mutex_lock, 92);
  omp.at(1, 90).released(ompt_mutex_lock, 92);
  omp.at(0, 90).acquired(ompt_mutex_lock, 92);
  EXPECT_EQ(60, omp.thread(0)->region_at(0, 90).clocks.ns[kProcessCue]);
  omp.at(0, 95).released(ompt_mutex_lock, 92);
  EXPECT_EQ(0, lock.holder.load());
  EXPECT_FALSE(is_awaited(lock));
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
