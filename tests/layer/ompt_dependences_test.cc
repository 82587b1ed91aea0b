// Dependences, detached tasks and doacross loops, in the orders that LLVM 19
// reports them in.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "layer/fake_team.h"

namespace poprt {
namespace {

constexpr int kIn = ompt_dependence_type_in;
constexpr int kOut = ompt_dependence_type_out;
constexpr int kInout = ompt_dependence_type_inout;
constexpr int kMutexinoutset = ompt_dependence_type_mutexinoutset;
constexpr int kInoutset = ompt_dependence_type_inoutset;
constexpr int kAllMemory = ompt_dependence_type_inout_all_memory;

struct Dependences : FakeTeam {
  void create(Data& task, const std::vector<std::pair<int, uint64_t>>& of) {
    omp.at(0, 0).task_create(a, task);
    omp.at(0, 0).dependences(task, of);
  }
  // Two tasks of 30 ns that depend on one address, in parallel by the fake
  // time: the critical path shows whether the second one comes after the first.
  void expect(bool edge, int first_type, int second_type) {
    SCOPED_TRACE(std::to_string(first_type) + " " +
                 std::to_string(second_type));
    FakeOpenMp other;
    Data team{}, primary{}, first{}, second{};
    other.at(0, 0).parallel_begin(other.initial, team);
    other.at(0, 0).implicit_begin(&team, primary, 0);
    other.at(0, 0).task_create(primary, first);
    other.at(0, 0).dependences(first, {{first_type, 7}});
    other.at(0, 0).task_create(primary, second);
    other.at(0, 0).dependences(second, {{second_type, 7}});
    Data worker[2] = {};
    for (int i = 0; i < 2; ++i) {
      other.at(1 + i, 0).thread_begin(ompt_thread_worker);
      other.at(1 + i, 0).implicit_begin(&team, worker[i], 1u + i);
      other.at(1 + i, 0).sync(kSingle, ompt_scope_begin, &team, worker[i]);
    }
    other.at(1, 0).schedule(&worker[0], ompt_task_switch, &first);
    other.at(1, 30).schedule(&first, ompt_task_complete, &worker[0]);
    other.at(2, 30).schedule(&worker[1], ompt_task_switch, &second);
    other.at(2, 60).schedule(&second, ompt_task_complete, &worker[1]);
    other.at(0, 0).sync(kSingle, ompt_scope_begin, &team, primary);
    other.at(0, 60).sync(kSingle, ompt_scope_end, &team, primary);
    EXPECT_EQ(edge ? 60 : 30, other.totals(60).cue_ns);
  }
};

TEST_F(Dependences, OfEveryPairOfTypes) {
  expect(false, kIn, kIn);
  expect(true, kIn, kOut);
  expect(true, kIn, kInout);
  expect(true, kIn, kMutexinoutset);
  expect(true, kIn, kInoutset);
  for (const int writer : {kOut, kInout, kMutexinoutset}) {
    for (const int next : {kIn, kOut, kInout, kMutexinoutset, kInoutset}) {
      expect(true, writer, next);
    }
  }
  expect(true, kInoutset, kIn);
  expect(true, kInoutset, kOut);
  expect(true, kInoutset, kMutexinoutset);
  expect(false, kInoutset, kInoutset);
  for (const int type : {kIn, kOut, kInoutset, kAllMemory}) {
    expect(true, kAllMemory, type);
    expect(true, type, kAllMemory);
  }
  expect(false, 99, kOut);  // no type that anybody knows
}

TEST_F(Dependences, AreOfOneAddressAndOneParent) {
  Data other_address{}, parent{}, child{}, first{};
  create(first, {{kOut, 1}});
  create(other_address, {{kInout, 2}});
  create(parent, {});
  run(1, b, first, 0, 30);
  run(1, b, other_address, 30, 60);
  // A child of another task may use the same address.
  omp.at(0, 0).schedule(&a, ompt_task_switch, &parent);
  omp.at(0, 0).task_create(parent, child);
  omp.at(0, 0).dependences(child, {{kInout, 1}});
  run(0, parent, child, 0, 40);
  omp.at(0, 40).schedule(&parent, ompt_task_complete, &a);
  // Thread 1 executed both tasks, one after the other: 60. Thread 0 worked 40.
  EXPECT_EQ(60, end(60).cue_ns);
}

TEST_F(Dependences, MembersOfAMutexinoutsetAreOrderedAsTheyRun) {
  Data first{}, second{};
  create(first, {{kMutexinoutset, 7}});
  create(second, {{kMutexinoutset, 7}});
  omp.at(0, 0).sync(kSingle, ompt_scope_begin, &region, a);
  run(1, b, second, 0, 30);
  run(0, a, first, 30, 70);
  EXPECT_EQ(30 + 40, end_in_barrier(70).cue_ns);
}

TEST_F(Dependences, ATaskMayHaveManyAndATableGrows) {
  constexpr int kTasks = 100;
  std::vector<Data> tasks(kTasks);
  Data last{};
  std::vector<std::pair<int, uint64_t>> all;
  for (int i = 0; i < kTasks; ++i) {
    const uint64_t address = 0x1000u + 8u * static_cast<unsigned>(i);
    create(tasks[i], {{kOut, address}});
    all.push_back({kIn, address});
  }
  create(last, all);
  for (int i = 0; i < kTasks; ++i) run(1, b, tasks[i], i, i + 1);
  run(0, a, last, 100, 110);
  EXPECT_EQ(100 + 10, end(110).cue_ns);
}

// `taskwait depend` has no sync region: only a creation, dependences, other
// tasks, and "complete" of a task whose data word must stay null.
TEST_F(Dependences, TaskwaitWaitsForThoseThatItNames) {
  Data wanted{}, other{}, wait{};
  create(wanted, {{kOut, 1}});
  create(other, {{kOut, 2}});
  omp.at(0, 5).task_create(a, wait, 0x48000010);
  EXPECT_EQ(nullptr, wait.ptr);
  omp.at(0, 5).dependences(wait, {{kIn, 1}, {77, 3}});
  EXPECT_EQ(nullptr, wait.ptr);
  EXPECT_EQ(State::kOmp, omp.thread(0)->state());
  run(1, b, wanted, 5, 25);
  run(0, a, other, 5, 15);
  EXPECT_EQ(State::kOmp, omp.thread(0)->state());
  omp.at(0, 25).schedule(&wait, ompt_taskwait_complete, nullptr);
  EXPECT_EQ(State::kUseful, omp.thread(0)->state());
  const RegionTotals t = end(35);
  EXPECT_EQ((5 + 10 + 10) + 20, t.useful_sum_ns);
  EXPECT_EQ(20 + 10, t.cue_ns);
}

TEST_F(Dependences, TaskwaitInsideATaskThatRunsInATaskwait) {
  Data inner{}, wait{};
  create(inner, {{kOut, 1}});
  omp.at(0, 5).task_create(a, wait, 0x48000010);
  omp.at(0, 5).dependences(wait, {{kIn, 1}});
  omp.at(0, 6).schedule(&a, ompt_task_switch, &inner);
  omp.at(0, 10).task_create(inner, wait, 0x48000010);
  omp.at(0, 10).dependences(wait, {{kIn, 1}});
  omp.at(0, 12).schedule(&wait, ompt_taskwait_complete, nullptr);
  EXPECT_EQ(State::kUseful, omp.thread(0)->state());
  omp.at(0, 20).schedule(&inner, ompt_task_complete, &a);
  EXPECT_EQ(State::kOmp, omp.thread(0)->state());
  omp.at(0, 22).schedule(&wait, ompt_taskwait_complete, nullptr);
  EXPECT_EQ(5 + 4 + 8 + 8, end(30).useful_sum_ns);
}

// The event is fulfilled after the body, so the completion has the clocks of
// both.
TEST_F(Dependences, ATaskFulfilledLateIsCompleteThen) {
  for (const int64_t body_ns : {10, 50}) {
    FakeOpenMp other;
    Data team{}, primary{}, worker{}, task{};
    other.at(0, 0).parallel_begin(other.initial, team);
    other.at(0, 0).implicit_begin(&team, primary, 0);
    other.at(1, 0).thread_begin(ompt_thread_worker);
    other.at(1, 0).implicit_begin(&team, worker, 1);
    other.at(0, 0).task_create(primary, task);
    other.at(0, 0).sync(ompt_sync_region_taskwait, ompt_scope_begin, &team,
                        primary);
    other.at(0, 0).schedule(&primary, ompt_task_switch, &task);
    other.at(0, body_ns).schedule(&task, ompt_task_detach, &primary);
    EXPECT_EQ(State::kOmp, other.thread(0)->state());
    // The worker was at work meanwhile, and still is.
    other.at(1, 30 + body_ns).schedule(&task, ompt_task_late_fulfill, nullptr);
    EXPECT_EQ(State::kUseful, other.thread(1)->state());
    EXPECT_EQ(nullptr, task.ptr);
    other.at(0, 30 + body_ns)
        .sync(ompt_sync_region_taskwait, ompt_scope_end, &team, primary);
    EXPECT_EQ(30 + body_ns + 5, other.totals(30 + body_ns + 5).cue_ns);
  }
}

TEST_F(Dependences, ATaskFulfilledWhileItRunsIsCompleteAtItsEnd) {
  Data task{}, next{};
  create(task, {{kOut, 1}});
  create(next, {{kIn, 1}});
  omp.at(1, 0).schedule(&b, ompt_task_switch, &task);
  omp.at(1, 5).sync(ompt_sync_region_taskwait, ompt_scope_begin, &region, task);
  omp.at(0, 40).schedule(&task, ompt_task_early_fulfill, nullptr);
  EXPECT_EQ(State::kUseful, omp.thread(0)->state());
  omp.at(0, 40).sync(kSingle, ompt_scope_begin, &region, a);
  omp.at(1, 42).sync(ompt_sync_region_taskwait, ompt_scope_end, &region, task);
  omp.at(1, 45).schedule(&task, ompt_task_complete, &b);
  run(1, b, next, 45, 65);
  EXPECT_EQ(40 + 20, end_in_barrier(65).cue_ns);
}

TEST_F(Dependences, AnyThreadMayFulfil) {
  Data early{}, late{};
  omp.at(0, 10).task_create(a, early);
  omp.at(0, 10).task_create(a, late);
  omp.at(1, 10).schedule(&b, ompt_task_switch, &early);
  omp.at(8, 12).schedule(&early, ompt_task_early_fulfill, nullptr);
  EXPECT_FALSE(omp.thread(8)->member());
  omp.at(1, 20).schedule(&early, ompt_task_complete, &b);
  run(1, b, late, 20, 30, ompt_task_detach);
  omp.at(9, 35).schedule(&late, ompt_task_late_fulfill, nullptr);
  const RegionTotals t = end(40);
  EXPECT_EQ(2, t.threads);
  EXPECT_EQ(40 + 20, t.useful_sum_ns);
}

TEST_F(Dependences, DoacrossSinkComesAfterItsSource) {
  using Deps = std::vector<std::pair<int, uint64_t>>;
  constexpr int kSource = ompt_dependence_type_source;
  constexpr int kSink = ompt_dependence_type_sink;
  omp.at(1, 25).sync(kSingle, ompt_scope_end, &region, b);
  omp.at(0, 30).dependences(a, Deps{{kSource, 3}, {kSource, 1}});
  omp.at(1, 30).dependences(b,
                            Deps{{kSink, 2}, {kSink, 1}});  // no such iteration
  EXPECT_EQ(30, omp.totals(30).cue_ns);
  omp.at(0, 30).sync(kSingle, ompt_scope_begin, &region, a);
  omp.at(1, 40).dependences(b, Deps{{kSink, 3}, {kSink, 1}});
  omp.at(1, 60).sync(kSingle, ompt_scope_begin, &region, b);
  EXPECT_EQ(30 + 20, omp.totals(60).cue_ns);
}

// The thread depends on it anyway.
TEST_F(Dependences, DoacrossSinkOfTheThreadsOwnLastIterationIsNoEvent) {
  using Deps = std::vector<std::pair<int, uint64_t>>;
  omp.at(0, 30).dependences(a, Deps{{ompt_dependence_type_source, 3}});
  omp.at(0, 40).dependences(a, Deps{{ompt_dependence_type_sink, 3}});
  EXPECT_EQ(30, omp.thread(0)->last_event_ns());
  omp.at(0, 50).dependences(a, Deps{{ompt_dependence_type_sink, 2}});
  EXPECT_EQ(50, omp.thread(0)->last_event_ns());
}

// Of iterations that are far apart, the later one takes the place of the other.
TEST_F(Dependences, DoacrossSinkDoesNotComeAfterAnotherIteration) {
  using Deps = std::vector<std::pair<int, uint64_t>>;
  constexpr uint64_t kPlaces = 4096;
  omp.at(1, 25).sync(kSingle, ompt_scope_end, &region, b);
  omp.at(0, 30).dependences(a, Deps{{ompt_dependence_type_source, 1}});
  omp.at(0, 30).sync(kSingle, ompt_scope_begin, &region, a);
  omp.at(1, 40).dependences(b,
                            Deps{{ompt_dependence_type_source, 1 + kPlaces}});
  omp.at(1, 40).dependences(b, Deps{{ompt_dependence_type_sink, 1 + kPlaces}});
  omp.at(1, 60).sync(kSingle, ompt_scope_begin, &region, b);
  EXPECT_EQ(60 - 25, omp.totals(60).cue_ns);
}

}  // namespace
}  // namespace poprt
