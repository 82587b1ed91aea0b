// tasking.h and locks.h with a process and times of the test's own: situations
// that the callbacks of one runtime do not produce.
#include <gtest/gtest.h>

#include <vector>

#include "measure/process.h"
#include "model/quantities.h"
#include "openmp/doacross.h"
#include "openmp/locks.h"
#include "openmp/tasking.h"

namespace poprt {
namespace {

// Never destroyed: the pools that all processes share outlive them.
Process& new_process() {
  static auto* const all = new std::vector<Process*>;
  all->push_back(new Process);
  return *all->back();
}

struct Tasking : testing::Test {
  Tasking() { process.region_start(primary, "Global"); }
  RegionTotals totals(int64_t now_ns, const std::string& name = "Global") {
    const JobTotals job = process.totals(now_ns, "host");
    EXPECT_EQ(0, job.quality.closure_error_ns);
    for (const RegionTotals& region : job.regions) {
      if (region.name == name) return region;
    }
    ADD_FAILURE() << "no region " << name;
    return {};
  }
  Process& process = new_process();
  Thread& primary = process.add_thread(ThreadKind::kProgram, 0);
  Thread& worker = process.add_thread(ThreadKind::kWorker, 0);
  Task* const initial = initial_task_begin(primary, 0);
};

// All but one of 16 threads wait in a barrier for 100 of MPI.
int64_t waited_for_mpi_after(int64_t hours) {
  constexpr uint32_t kMembers = 16;
  constexpr int64_t kHour = int64_t{3600} * 1'000'000'000;
  Process& process = new_process();
  std::vector<Thread*> threads;
  for (uint32_t i = 0; i < kMembers; ++i) {
    threads.push_back(&process.add_thread(
        i == 0 ? ThreadKind::kProgram : ThreadKind::kWorker, 0));
  }
  process.region_start(*threads[0], "Global");
  Team* const team =
      parallel_begin(*threads[0], initial_task_begin(*threads[0], 0), 0,
                     nullptr, false, kMembers);
  std::vector<Task*> tasks;
  for (uint32_t i = 0; i < kMembers; ++i) {
    tasks.push_back(
        implicit_task_begin(*threads[i], team, Membership{i, kMembers}, 0));
  }
  int64_t now_ns = hours * kHour;
  const auto meet = [&](int64_t last_ns) {
    for (uint32_t i = 0; i < kMembers; ++i) {
      barrier_begin(*threads[i], tasks[i], i == 1 ? last_ns : now_ns);
    }
    for (uint32_t i = 0; i < kMembers; ++i) {
      barrier_end(*threads[i], tasks[i], last_ns);
    }
  };
  meet(now_ns);
  threads[1]->switch_to(State::kMpi, now_ns);
  threads[1]->switch_to(State::kUseful, now_ns + 100);
  meet(now_ns + 100);
  const JobTotals job = process.totals(now_ns + 100, "host");
  EXPECT_EQ(0, job.quality.closure_error_ns);
  return amount(job.regions.at(0), kOpenMpMpiInside);
}

TEST(LongRegion, StillTellsForWhomItsThreadsWait) {
  EXPECT_EQ(15 * 100, waited_for_mpi_after(1));
  // Time in 2^47 ns, and half of what there is room for.
  EXPECT_EQ(15 * 100, waited_for_mpi_after(40));
  EXPECT_EQ(15 * 100, waited_for_mpi_after(300));
}

TEST_F(Tasking, OpenMpThatStartsInsideMpiLeavesTheThreadInMpi) {
  primary.switch_to(State::kMpi, 10);
  initial_task_begin(primary, 20);
  EXPECT_EQ(State::kMpi, primary.state());
}

TEST_F(Tasking, WorkOfTheToolIsTheRuntimesWhateverTheState) {
  const int64_t events = primary.events();
  primary.book(10);
  primary.book_own_work(15);
  EXPECT_EQ(State::kUseful, primary.state());
  EXPECT_EQ(events + 1, primary.events());
  const RegionTotals t = totals(20);
  EXPECT_EQ(15, t.useful_sum_ns);
  EXPECT_EQ(5, t.omp_sum_ns);
  EXPECT_EQ(15, t.cue_ns);
  EXPECT_EQ(20, t.all_ns);
}

// A thread notices a region that another thread has opened meanwhile also when
// it books the tool's own work.
TEST_F(Tasking, WorkOfTheToolIsTheRuntimesInARegionJustOpened) {
  primary.book(10);
  worker.book(12);
  process.region_start(worker, "late");
  primary.book_own_work(15);
  primary.book(30);
  EXPECT_EQ(15, totals(30, "late").useful_sum_ns);
}

TEST_F(Tasking, ParentOutlivesItsChildren) {
  Task* const parent = task_create(primary, initial, false, 0);
  Task* const child = task_create(primary, parent, false, 0);
  task_switch(primary, initial, false, parent, 0);
  task_switch(primary, parent, true, initial, 0);
  // The child still refers to its parent, whose clocks it may raise.
  EXPECT_EQ(1, parent->references.load());
  task_switch(primary, initial, false, child, 0);
  task_switch(primary, child, true, initial, 0);
  // `parent` ended on the thread of its own parent, which needs no count then.
  EXPECT_EQ(Task::kUnfinished, initial->references.load());
  EXPECT_EQ(0, initial->created);
  EXPECT_EQ(parent, task_create(primary, initial, false, 0));
}

TEST_F(Tasking, ChildrenCountWhereverTheyEnd) {
  Task* const parent = task_create(primary, initial, false, 0);
  Task* const here = task_create(primary, parent, false, 0);
  Task* const elsewhere = task_create(primary, parent, false, 0);
  Task* const last = task_create(primary, parent, false, 0);
  task_switch(primary, initial, false, parent, 0);
  task_switch(primary, parent, false, here, 0);
  task_switch(primary, here, true, parent, 0);
  Task* const own = unheard_task(worker);
  task_switch(worker, own, false, elsewhere, 0);
  task_switch(worker, elsewhere, true, own, 0);
  EXPECT_EQ(2, parent->created);
  EXPECT_EQ(Task::kUnfinished - 1, parent->references.load());
  task_switch(primary, parent, true, initial, 0);
  EXPECT_EQ(1, parent->references.load());
  task_switch(primary, initial, false, last, 0);
  task_switch(primary, last, true, initial, 0);
  EXPECT_EQ(parent, task_create(primary, initial, false, 0));
}

// Only what differs is written when an object is used again, so each member
// that few tasks use must have been made as new.
TEST_F(Tasking, AnObjectThatIsUsedAgainIsAsNew) {
  Task* const task = task_create(primary, initial, true, 0);
  task_dependences(primary, task, {{DependenceType::kOut, 64}});
  task_switch(primary, initial, false, task, 0);
  Task* const child = task_create(primary, task, false, 0);
  task_dependences(primary, child, {{DependenceType::kOut, 64}});
  Task* const own = unheard_task(worker);
  task_switch(worker, own, false, child, 0);
  task_switch(worker, child, true, own, 0);
  EXPECT_FALSE(task->children.size().is_empty());
  task_fulfil(primary, task, false, 0);
  // Suspended in a call of the runtime.
  omp_thread(primary)->call = {this, false};
  task_switch(primary, task, false, initial, 0);
  task_switch(primary, initial, false, task, 0);
  task_switch(primary, task, true, initial, 0);

  const auto expect_new = [](const Task& again) {
    EXPECT_EQ(0, again.created);
    EXPECT_EQ(Task::kUnfinished, again.references.load());
    EXPECT_TRUE(again.children.size().is_empty());
    EXPECT_EQ(nullptr, again.edges);
    EXPECT_EQ(nullptr, again.dependences);
    EXPECT_EQ(nullptr, again.fulfilled.load());
    EXPECT_EQ(nullptr, again.runner);
    EXPECT_FALSE(again.started || again.untied || again.ended ||
                 again.in_barrier || again.implicit || again.primary);
    EXPECT_EQ(State::kUseful, again.suspended);
  };
  Task* const again = task_create(primary, initial, false, 0);
  ASSERT_EQ(task, again);
  expect_new(*again);
  EXPECT_EQ(&primary, again->home);
  // The call of the task before is not this one's.
  task_switch(primary, initial, false, again, 0);
  EXPECT_EQ(nullptr, omp_thread(primary)->call.caller);
  task_switch(primary, again, true, initial, 0);
  Task* const implicit = unheard_task(primary);
  ASSERT_EQ(task, implicit);
  EXPECT_EQ(nullptr, implicit->call.caller);
  EXPECT_EQ(0, implicit->created);
}

// One thread may create tasks for days: the number of its children does not fit
// into an int.
TEST_F(Tasking, ATaskOutlivesAnyNumberOfChildren) {
  Task* const own = unheard_task(worker);
  for (const int64_t many : {int64_t{1} << 30, int64_t{1} << 31,
                             int64_t{1} << 32, int64_t{1} << 40}) {
    const int64_t before = many - 1 - initial->created;
    initial->created += before;
    initial->references -= before;
    Task* const child = task_create(primary, initial, false, 0);
    task_switch(worker, own, false, child, 0);
    task_switch(worker, child, true, own, 0);
    EXPECT_EQ(many, initial->created);
    EXPECT_EQ(Task::kUnfinished - many, initial->references.load());
    // It has not been given back.
    Task* const next = task_create(primary, initial, false, 0);
    EXPECT_NE(initial, next);
    task_switch(worker, own, false, next, 0);
    task_switch(worker, next, true, own, 0);
  }
}

// Nor does that of the barriers in a parallel region around a whole run.
TEST_F(Tasking, ARegionMayHaveAnyNumberOfBarriers) {
  for (const uint32_t many : {(1u << 31) - 1, 1u << 31, ~0u - 1, ~0u}) {
    const int64_t begin = primary.last_event_ns();
    Team* const team = parallel_begin(primary, initial, begin + 10);
    Task* const a = implicit_task_begin(primary, team, true, begin + 10);
    Task* const b = implicit_task_begin(worker, team, false, begin + 10);
    a->barriers = b->barriers = many;
    for (const int64_t i : {20, 30, 40}) {
      barrier_begin(primary, a, begin + i);
      barrier_begin(worker, b, begin + i + 5);
      barrier_end(primary, a, begin + i + 5);
      barrier_end(worker, b, begin + i + 5);
    }
    // The worker comes last to the join barrier.
    const int64_t path =
        primary.region_at(0, begin + 45).clocks.ns[kProcessCue];
    barrier_begin(primary, a, begin + 50);
    barrier_begin(worker, b, begin + 70);
    implicit_task_end(primary, a, begin + 75);
    EXPECT_GE(team->join, 0);
    parallel_end(primary, team, begin + 75);
    implicit_task_end(worker, b, begin + 75);
    EXPECT_EQ(path + 25,
              primary.region_at(0, begin + 75).clocks.ns[kProcessCue]);
  }
}

// One thread of a team too large to look at all of its members is in MPI: the
// others wait for it, first in a barrier and then at the join.
TEST_F(Tasking, ALargeTeamFindsTheThreadThatCameLast) {
  constexpr uint32_t kMembers = 20;
  std::vector<Thread*> threads = {&primary, &worker};
  while (threads.size() < kMembers) {
    threads.push_back(&process.add_thread(ThreadKind::kWorker, 0));
  }
  Team* const team =
      parallel_begin(primary, initial, 0, nullptr, false, kMembers);
  std::vector<Task*> tasks;
  for (uint32_t i = 0; i < kMembers; ++i) {
    tasks.push_back(
        implicit_task_begin(*threads[i], team, Membership{i, kMembers}, 0));
  }
  for (const int64_t begin : {0, 300}) {
    threads[13]->switch_to(State::kMpi, begin + 100);
    threads[13]->switch_to(State::kUseful, begin + 300);
    for (uint32_t i = kMembers; i-- > 0;) {
      const int64_t came = begin + (i == 13 ? 300 : 100);
      if (begin == 0) {
        barrier_begin(*threads[i], tasks[i], came);
      } else {
        join_begin(*threads[i], tasks[i], came);
      }
    }
    for (uint32_t i = 0; i < kMembers && begin == 0; ++i) {
      barrier_end(*threads[i], tasks[i], begin + 300);
    }
  }
  implicit_task_end(primary, tasks[0], 600);
  parallel_end(primary, team, 600);
  const RegionTotals t = totals(600);
  EXPECT_EQ(2 * 200, amount(t, kMpiInside));
  EXPECT_EQ(2 * 19 * 200, amount(t, kOpenMpMpiInside));
  EXPECT_EQ(0, amount(t, kOpenMpScheduling));
}

TEST_F(Tasking, TeamsAndTasksAreUsedAgain) {
  Team* const first = parallel_begin(primary, initial, 0);
  Task* const task = implicit_task_begin(primary, first, true, 0);
  const uint32_t instance = first->instance;
  implicit_task_end(primary, task, 10);
  parallel_end(primary, first, 10);
  Team* const second = parallel_begin(primary, initial, 20);
  EXPECT_EQ(first, second);
  EXPECT_NE(instance, second->instance);
  EXPECT_EQ(0, second->busy_max_ns.load());
  EXPECT_EQ(task, implicit_task_begin(primary, second, true, 20));
  EXPECT_EQ(0, task->barriers);
  EXPECT_FALSE(task->in_barrier);
}

TEST_F(Tasking, HelpersAreNoMembersNorAreTheTeamsThatTheyFork) {
  Team* const helpers = parallel_begin(worker, nullptr, 0, nullptr, true);
  Task* const task = implicit_task_begin(worker, helpers, true, 0);
  Team* const nested = parallel_begin(worker, task, 0);
  implicit_task_begin(worker, nested, true, 0);
  EXPECT_FALSE(worker.member());
}

TEST(Locks, AreKnownByTheirNames) {
  Lock& a = *lock_of(0x1000);
  Lock& b = *lock_of(0x2000);
  EXPECT_NE(&a, &b);
  EXPECT_EQ(&a, lock_of(0x1000));
}

TEST(Locks, ForgottenOnesMakeRoomForOthers) {
  Lock* const lock = lock_of(0x3000);
  lock->holder.store(1);
  announce_wait(*lock);
  forget_lock(0x3000);
  EXPECT_EQ(nullptr, known_lock(0x3000));
  Lock& again = *lock_of(0x3000);
  EXPECT_EQ(lock, &again);
  EXPECT_EQ(lock, known_lock(0x3000));
  EXPECT_EQ(0, again.holder.load());
  EXPECT_FALSE(is_awaited(again));
  forget_lock(0x3000);
  forget_lock(0x3000);
}

// A lock whose calls come through poprt's entry points, of two threads at work
// from time 0.  An acquire that does not wait is no call of poprt.
struct HandedLocks : Tasking {
  HandedLocks() {
    Team* const team = parallel_begin(primary, initial, 0);
    implicit_task_begin(primary, team, true, 0);
    implicit_task_begin(worker, team, false, 0);
  }
  ~HandedLocks() override { forget_lock(0x4000); }
  void leave(Thread& thread, int64_t now_ns) {
    if (is_awaited(lock)) lock_left(thread, lock, now_ns);
  }
  static int64_t cue(const Thread& thread, int64_t now_ns) {
    return thread.region_at(0, now_ns).clocks.ns[kProcessCue];
  }
  int64_t lost() { return primary.process().lost_lock_clocks.load(); }
  Lock& lock = *lock_of(0x4000);
};

TEST_F(HandedLocks, WithoutAWaitThereIsNoEventAndNothingIsWritten) {
  const int64_t events = primary.events() + worker.events();
  leave(primary, 100);
  leave(worker, 200);
  EXPECT_EQ(events, primary.events() + worker.events());
  EXPECT_TRUE(lock.released.size().is_empty());
}

// It looked for waits before this one was announced, and then released.
TEST_F(HandedLocks, ReleaserThatLookedTooEarlyGivesNoEdgeAndIsCounted) {
  worker.switch_to(State::kOmp, 0);
  worker.switch_to(State::kUseful, 60);
  const LockWait before = lock_wait_begin(worker, &lock, 60);
  leave(primary, 70);
  lock_wait_end(worker, before, 70);
  const LockWait wait = lock_wait_begin(worker, &lock, 80);
  lock_wait_end(worker, wait, 100);
  EXPECT_EQ(70 + 10, cue(worker, 100));
  EXPECT_EQ(1, lost());
}

TEST_F(HandedLocks, AttemptThatSucceedsAfterItHadFailedHasWaited) {
  LockPolling polled;
  worker.switch_to(State::kOmp, 0);
  worker.switch_to(State::kUseful, 40);
  attempt_failed(lock, &polled);
  attempt_failed(lock, &polled);
  EXPECT_EQ(0u, threads_waiting_for(lock));
  leave(primary, 90);
  EXPECT_FALSE(is_awaited(lock));  // one answer is enough
  // The primary has left its clocks, but the lock is not free yet.
  attempt_failed(lock, &polled);
  EXPECT_TRUE(is_awaited(lock));
  attempt_succeeded(worker, &polled, 95);
  EXPECT_EQ(90, cue(worker, 95));
  EXPECT_EQ(nullptr, polled.since.lock);
  EXPECT_EQ(0, lost());
}

TEST(Samples, WhatLostItsCoreIsInNoMean) {
  Samples samples;
  EXPECT_EQ(0, samples.usual_ps());
  for (int i = 0; i < 100; ++i) samples.add(i % 2 == 0 ? 100 : 120);
  samples.add(4'000'000);
  EXPECT_EQ(101, samples.count());
  EXPECT_EQ(110'000, samples.usual_ps());
}

// Two threads in a doacross loop whose calls come to the library's entries.
struct Doacross : Tasking {
  Doacross() {
    begin_loop();
    worker.switch_to(State::kMpi, 0);
  }
  void begin_loop() {
    for (Thread* const thread : {&primary, &worker}) {
      doacross_loop_begin(*thread, 2);
    }
  }
  static Iteration iteration(const Thread& thread, int64_t i, int64_t j) {
    const int64_t indices[] = {i, j};
    return iteration_of(omp_thread(thread)->doacross, indices);
  }
  IterationMark look(const Thread& thread, int64_t i, int64_t j) {
    return doacross_look(*omp_thread(thread), iteration(thread, i, j));
  }
  // Whether it was an event.
  bool pass(int64_t i, int64_t j, int64_t now_ns) {
    const Iteration source = iteration(primary, i, j);
    if (!doacross_passes(*omp_thread(primary), source)) return false;
    doacross_source(primary, source, now_ns);
    return true;
  }
  // Iterations of 1 ns each, of which the last ones are no events.
  static constexpr int64_t kShortOnes = 40;
  void pass_short_ones() {
    int events = 0;
    for (int64_t j = 0; j < kShortOnes; ++j) events += pass(0, j, 10 + j);
    EXPECT_GT(kShortOnes / 5, events);
  }
  Team* const team = parallel_begin(primary, initial, 0);
  Task* const a = implicit_task_begin(primary, team, true, 0);
  Task* const b = implicit_task_begin(worker, team, false, 0);
};

TEST_F(Doacross, SinkComesAfterALongIterationForWhichItDidNotWait) {
  EXPECT_TRUE(pass(0, 0, 100'000));
  EXPECT_TRUE(pass(0, 1, 200'000));
  EXPECT_TRUE(pass(1, 0, 300'000));
  primary.switch_to(State::kOmp, 300'000);
  worker.switch_to(State::kUseful, 400'000);
  EXPECT_EQ(kLeftClocks, look(worker, 0, 1));
  doacross_sink(worker, iteration(worker, 0, 1), State::kUseful, 400'000);
  worker.switch_to(State::kOmp, 550'000);
  EXPECT_EQ(200'000 + 150'000, totals(550'000).cue_ns);
}

// Iterations that are far apart have the same place.
TEST_F(Doacross, SinkDoesNotComeAfterAnotherIterationOfItsPlace) {
  EXPECT_TRUE(pass(0, 0, 100'000));
  primary.switch_to(State::kOmp, 100'000);
  worker.switch_to(State::kUseful, 100'000);
  const Iteration far = iteration(worker, 0, 1 << 16);
  doacross_source(worker, far, 120'000);
  doacross_sink(worker, far, State::kUseful, 120'000);
  worker.switch_to(State::kOmp, 220'000);
  EXPECT_EQ(20'000 + 100'000, totals(220'000).cue_ns);
}

TEST_F(Doacross, ShortIterationsAreNoEvents) {
  pass_short_ones();
  const int64_t last_ns = primary.last_event_ns();
  EXPECT_FALSE(pass(0, kShortOnes, 1'000'000));
  EXPECT_EQ(kPassed, look(worker, 0, kShortOnes));
  EXPECT_EQ(last_ns, primary.last_event_ns());
}

TEST_F(Doacross, AShortIterationLeavesClocksForWhoWaits) {
  pass_short_ones();
  worker.switch_to(State::kUseful, 60);
  EXPECT_EQ(kAwaited, look(worker, 0, kShortOnes));
  doacross_announce(iteration(worker, 0, kShortOnes));
  worker.switch_to(State::kOmp, 70);
  EXPECT_TRUE(pass(0, kShortOnes, 90));
  primary.switch_to(State::kOmp, 90);
  doacross_sink(worker, iteration(worker, 0, kShortOnes), State::kUseful, 100);
  EXPECT_EQ(State::kUseful, worker.state());
  worker.switch_to(State::kOmp, 150);
  EXPECT_EQ(90 + 50, totals(150).cue_ns);
}

TEST_F(Doacross, WhoPassesBeforeTheWaitIsAnnouncedLeavesNoClocks) {
  pass_short_ones();
  worker.switch_to(State::kUseful, 60);
  const Iteration sink = iteration(worker, 0, kShortOnes);
  EXPECT_EQ(kAwaited, look(worker, 0, kShortOnes));
  EXPECT_FALSE(pass(0, kShortOnes, 60));
  doacross_announce(sink);
  worker.switch_to(State::kOmp, 60);
  doacross_sink(worker, sink, State::kUseful, 61);
  EXPECT_EQ(1, process.lost_lock_clocks.load());
}

TEST_F(Doacross, AnnouncementBehindTheSourceChangesNothing) {
  EXPECT_TRUE(pass(1, 0, 5));
  doacross_announce(iteration(worker, 1, 0));
  EXPECT_EQ(kLeftClocks, look(worker, 1, 0));
  pass_short_ones();
  doacross_announce(iteration(worker, 0, kShortOnes - 1));
  EXPECT_EQ(kPassed, look(worker, 0, kShortOnes - 1));
}

TEST_F(Doacross, SinkOfTheThreadsOwnLastIterationIsNoEvent) {
  EXPECT_TRUE(pass(0, 0, 100'000));
  EXPECT_TRUE(pass(0, 1, 200'000));
  EXPECT_EQ(kPassed, look(primary, 0, 1));
  EXPECT_EQ(kLeftClocks, look(primary, 0, 0));
  EXPECT_EQ(kLeftClocks, look(worker, 0, 1));
}

TEST_F(Doacross, LoopsAreToldApart) {
  EXPECT_TRUE(pass(0, 0, 10));
  EXPECT_EQ(kAwaited, look(worker, 1, 0));
  begin_loop();
  EXPECT_EQ(kAwaited, look(worker, 0, 0));
  EXPECT_TRUE(pass(0, 0, 11));
  // A region inside of an iteration has loops of its own.
  const uint64_t outer = omp_thread(primary)->doacross.name;
  Team* const inner = parallel_begin(primary, a, 20);
  Task* const task = implicit_task_begin(primary, inner, true, 20);
  doacross_loop_begin(primary, 1);
  EXPECT_NE(outer, omp_thread(primary)->doacross.name);
  implicit_task_end(primary, task, 30);
  parallel_end(primary, inner, 30);
  EXPECT_EQ(outer, omp_thread(primary)->doacross.name);
  EXPECT_EQ(2U, omp_thread(primary)->doacross.depth);
}

TEST_F(Tasking, OutsideOfParallelRegionsNobodyWaitsInADoacrossLoop) {
  doacross_loop_begin(primary, 1);
  EXPECT_EQ(0U, omp_thread(primary)->doacross.depth);
}

}  // namespace
}  // namespace poprt
