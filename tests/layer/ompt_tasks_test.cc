// Tasks, in the orders that LLVM 19 reports them in.
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "layer/fake_team.h"
#include "openmp/tasking.h"

namespace poprt {
namespace {

using Tasks = FakeTeam;

TEST_F(Tasks, TaskgroupWaitsForDescendantsAndIsIdleOnlyInItsWait) {
  Data child{}, grandchild{}, outside{};
  omp.at(0, 5).task_create(a, outside);
  omp.at(0, 10).sync(ompt_sync_region_taskgroup, ompt_scope_begin, &region, a);
  omp.at(0, 20).task_create(a, child);
  omp.at(0, 30).sync_wait(ompt_sync_region_taskgroup, ompt_scope_begin, &region,
                          a);
  omp.at(0, 31).schedule(&a, ompt_task_switch, &child);
  omp.at(0, 35).task_create(child, grandchild);
  omp.at(0, 36).schedule(&child, ompt_task_complete, &a);
  run(1, b, grandchild, 37, 87);
  omp.at(0, 90).sync_wait(ompt_sync_region_taskgroup, ompt_scope_end, &region,
                          a);
  omp.at(0, 90).sync(ompt_sync_region_taskgroup, ompt_scope_end, &region, a);
  // A task outside the group does not delay the primary.
  run(1, b, outside, 90, 95);
  const RegionTotals t = end(100);
  EXPECT_EQ((30 + 5 + 10) + 50 + 5, t.useful_sum_ns);
  EXPECT_EQ((30 + 4) + 50 + 10, t.cue_ns);
}

// A task with its first part on thread 0 and the last on thread 1.  LLVM 19
// reports its end where the last of its parts returns to the runtime, which may
// be an earlier part on another thread.
struct UntiedTasks : FakeTeam {
  UntiedTasks() {
    omp.at(0, 10).task_create(a, task, ompt_task_explicit | ompt_task_untied);
    omp.at(0, 10).sync(kSingle, ompt_scope_begin, &region, a);
    run(0, a, task, 10, 40, ompt_task_switch);
    omp.at(1, 45).schedule(&b, ompt_task_switch, &task);
  }

  Data task{};
};

TEST_F(UntiedTasks, MayEndOnAThreadThatHadAnEarlierPart) {
  omp.at(0, 65).schedule(&task, ompt_task_complete, &a);
  EXPECT_EQ(State::kOmp, omp.thread(0)->state());
  omp.at(0, 90).sync(kSingle, ompt_scope_end, &region, a);
  omp.at(1, 90).sync(kSingle, ompt_scope_end, &region, b);
  const RegionTotals t = end(95);
  EXPECT_EQ(10 + 30 + 20 + 5 + 5, t.useful_sum_ns);
  EXPECT_EQ(10 + 30 + 20 + 5, t.cue_ns);
}

// The thread with the last part has had an event since then: the task's end
// changes nothing there.
TEST_F(UntiedTasks, LeaveLaterWorkAloneIfTheyEndElsewhere) {
  omp.at(1, 65).sync(kSingle, ompt_scope_end, &region, b);
  omp.at(0, 70).schedule(&task, ompt_task_complete, &a);
  EXPECT_EQ(State::kUseful, omp.thread(1)->state());
  omp.at(0, 90).sync(kSingle, ompt_scope_end, &region, a);
  const RegionTotals t = end(95);
  EXPECT_EQ(10 + 30 + 50 + 5, t.useful_sum_ns);
  EXPECT_EQ(10 + 30 + 50, t.cue_ns);
}

// A call of the runtime that begins with the creation of its task: both are one
// event.
TEST_F(Tasks, ACallThatCreatesATaskDoesSoAtItsBegin) {
  Thread& creator = *omp.thread(0);
  const auto create_in_call = [&](bool creates, int64_t begin_ns) {
    creator.switch_to(State::kOmp, begin_ns);
    omp_thread(creator)->call = {this, true, creates};
    Data task{};
    omp.at(0, begin_ns + 4).task_create(a, task);
    const int64_t created_ns = creator.last_event_ns();
    creator.switch_to(State::kUseful, begin_ns + 10);
    omp_thread(creator)->call = {};
    run(0, a, task, begin_ns + 10, begin_ns + 10);
    return created_ns - begin_ns;
  };
  EXPECT_EQ(0, create_in_call(true, 10));
  EXPECT_EQ(4, create_in_call(false, 20));
  // A task that runs in such a call is in no call itself.
  Data outer{}, inner{};
  omp.at(0, 30).task_create(a, outer);
  creator.switch_to(State::kOmp, 32);
  omp_thread(creator)->call = {this, true, true};
  omp.at(0, 34).schedule(&a, ompt_task_switch, &outer);
  omp.at(0, 36).task_create(outer, inner);
  EXPECT_EQ(36, creator.last_event_ns());
  run(0, outer, inner, 40, 42);
  omp.at(0, 44).schedule(&outer, ompt_task_complete, &a);
  creator.switch_to(State::kUseful, 46);
  omp_thread(creator)->call = {};
  const RegionTotals t = end(60);
  EXPECT_EQ(60 - 10 - 10 - (34 - 32) - (46 - 44), t.useful_sum_ns);
}

// An undeferred task is not created in a call that has an entry.
TEST_F(Tasks, AnUntimedAllocationIsBookedWhereItsTaskIsCreated) {
  Thread& creator = *omp.thread(0);
  UntimedCalls& allocations = omp_thread(creator)->allocations;
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(allocations.take(creator.last_event_ns()));
    allocations.add(5);
  }
  EXPECT_FALSE(allocations.take(creator.last_event_ns()));
  Data task{};
  omp.at(0, 40).task_create(a, task);
  run(0, a, task, 40, 50);
  EXPECT_EQ(60 - 5, end(60).useful_sum_ns);
}

TEST_F(Tasks, UndeferredTaskIsPartOfItsCreator) {
  Data task{};
  omp.at(0, 10).task_create(a, task, ompt_task_explicit | ompt_task_undeferred);
  run(0, a, task, 12, 32);
  EXPECT_EQ(State::kUseful, omp.thread(0)->state());
  EXPECT_EQ(40, end(40).cue_ns);
}

// The runtime reports `12 cancel 3` without `3 switch 12`: a task of a
// cancelled group.
TEST_F(Tasks, DiscardedTaskChangesNothing) {
  Data first{}, second{};
  omp.at(0, 10).task_create(a, first);
  omp.at(0, 10).task_create(a, second);
  omp.at(1, 15).schedule(&first, ompt_task_cancel, &b);
  EXPECT_EQ(State::kOmp, omp.thread(1)->state());
  omp.at(0, 15).sync(ompt_sync_region_taskwait, ompt_scope_begin, &region, a);
  omp.at(0, 20).schedule(&second, ompt_task_cancel, &a);
  EXPECT_EQ(State::kOmp, omp.thread(0)->state());
  omp.at(0, 30).sync(ompt_sync_region_taskwait, ompt_scope_end, &region, a);
  const RegionTotals t = end(40);
  EXPECT_EQ(25, t.useful_sum_ns);
  EXPECT_EQ(25, t.cue_ns);
}

TEST_F(Tasks, InitialAndImplicitTasksAreNotCreatedTwice) {
  Data task{};
  omp.at(0, 10).task_create(a, task, ompt_task_initial);
  omp.at(0, 10).task_create(a, task, ompt_task_implicit);
  EXPECT_EQ(nullptr, task.ptr);
  EXPECT_EQ(20, end(20).useful_sum_ns);
}

// Many teams, tasks that other threads finish, and locks, on real threads: for
// the sanitizers, and to see that memory does not grow.
TEST(Threads, ThatRaceEndWithConsistentTotals) {
  constexpr int kThreads = 4;
  constexpr int kRegions = 200;
  FakeOpenMp omp;
  Thread* const primary = omp.thread(0);
  std::atomic<int> arrived{0};
  const auto wait_for_all = [&arrived](int round) {
    arrived.fetch_add(1);
    while (arrived.load() < round * kThreads) std::this_thread::yield();
  };
  std::mutex critical;
  Data region{}, tasks[kThreads] = {};
  const auto body = [&](int number) {
    int64_t& now = t_fake_now_ns;
    if (number == 0) t_thread = primary;
    int rounds = 0;
    Data own{};
    for (int i = 0; i < kRegions; ++i) {
      now = 100 * i;
      if (number == 0) omp.parallel_begin(omp.initial, region);
      wait_for_all(++rounds);
      if (number != 0 && i > 0) {
        omp.worker_late_end(own, static_cast<unsigned>(number));
      }
      omp.implicit_begin(&region, own, static_cast<unsigned>(number));
      now += 10;
      omp.acquire(ompt_mutex_critical, 95);
      {
        const std::lock_guard<std::mutex> lock(critical);
        omp.acquired(ompt_mutex_critical, 95);
      }
      omp.released(ompt_mutex_critical, 95);
      omp.task_create(own, tasks[number]);
      wait_for_all(++rounds);
      Data& task = tasks[(number + 1) % kThreads];
      omp.sync(kSingle, ompt_scope_begin, &region, own);
      omp.schedule(&own, ompt_task_switch, &task);
      now += 10;
      omp.schedule(&task, ompt_task_complete, &own);
      wait_for_all(++rounds);
      omp.sync(kSingle, ompt_scope_end, &region, own);
      omp.join_begin(region, own);
      wait_for_all(++rounds);
      if (number == 0) omp.primary_end(region, own, omp.initial);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
  const RegionTotals t = omp.totals(100 * kRegions);
  EXPECT_EQ(kThreads, t.threads);
  EXPECT_LE(20 * kRegions, t.cue_ns);
}

}  // namespace
}  // namespace poprt
