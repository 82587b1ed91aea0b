// The program's own threads as cores, with times of the test's own.
#include "modules/threads/program_threads.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "modules/threads/runtime_objects.h"

namespace poprt::modules::threads {
namespace {

// Never destroyed, as in a program: the pools that all processes share outlive
// it. A list knows them all, so they are not lost.
Process& new_process() {
  static auto* const all = new std::vector<Process*>;
  all->push_back(new Process);
  return *all->back();
}

struct ProgramThreadsTest : testing::Test {
  ProgramThreadsTest() { process.region_start(primary, "Global"); }

  RegionTotals totals(int64_t now_ns) {
    const JobTotals job = process.totals(now_ns, "host");
    EXPECT_EQ(0, job.quality.closure_error_ns);
    EXPECT_EQ(1u, job.regions.size());
    return job.regions.front();
  }
  // A thread that `creator` creates at `now_ns` and that begins at once.
  Thread& created_by(Thread& creator, int64_t now_ns) {
    SyncClock created;
    threads.creates(creator, created, now_ns);
    return *threads.begins(process, created, now_ns);
  }
  void end(Thread& core, Lock& ended, int64_t now_ns) {
    threads.ends(core, &ended, now_ns);
    threads.give_back(core);
  }
  void join(Thread& thread, Lock& ended, int64_t begin_ns, int64_t end_ns) {
    const LockWait wait = threads.wait_begins(thread, &ended, begin_ns);
    threads.wait_ends(thread, wait, true, end_ns);
  }

  Process& process = new_process();
  Thread& primary = process.add_thread(ThreadKind::kProgram, 0);
  std::unique_ptr<ProgramThreads> owner = std::make_unique<ProgramThreads>();
  ProgramThreads& threads = *owner;
  Lock ends[3];
};

TEST_F(ProgramThreadsTest, UnequalThreads) {
  Thread& one = created_by(primary, 10);
  Thread& two = created_by(primary, 10);
  EXPECT_EQ(State::kUseful, one.state());
  end(one, ends[0], 110);
  const LockWait wait = threads.wait_begins(primary, &ends[0], 10);
  end(two, ends[1], 210);
  threads.wait_ends(primary, wait, true, 210);
  join(primary, ends[1], 210, 210);
  const RegionTotals all = totals(220);
  EXPECT_EQ(3, all.threads);
  EXPECT_EQ(100 + 200 + 20, all.useful_sum_ns);
  EXPECT_EQ(20, all.serial_sum_ns);  // before and after
  EXPECT_EQ(220, all.cue_ns);
  EXPECT_EQ(220, all.all_ns);
  EXPECT_EQ(2, threads.begun());
  EXPECT_EQ(2, threads.cores());
}

// While others live the primary thread is inside a parallel region.
TEST_F(ProgramThreadsTest, WorkBesideOthersIsNotSerial) {
  Thread& other = created_by(primary, 50);
  EXPECT_TRUE(primary.in_parallel());
  end(other, ends[0], 150);
  EXPECT_TRUE(primary.in_parallel());  // it has not heard of it
  join(primary, ends[0], 150, 150);
  EXPECT_FALSE(primary.in_parallel());
  const RegionTotals all = totals(200);
  EXPECT_EQ(100, all.serial_sum_ns);
  EXPECT_EQ(2 * (200 - 100), all.openmp_weighted_ns);
}

TEST_F(ProgramThreadsTest, AThreadThatCouldNotBeCreated) {
  SyncClock created;
  threads.creates(primary, created, 10);
  threads.not_created(primary, 20);
  EXPECT_FALSE(primary.in_parallel());
  EXPECT_EQ(0, threads.cores());
  EXPECT_EQ(1, totals(30).threads);
}

TEST_F(ProgramThreadsTest, AWaitInVainHandsNothingOn) {
  Lock condition;
  Thread& waiter = created_by(primary, 0);
  const LockWait wait = threads.wait_begins(waiter, &condition, 0);
  threads.lets_go(primary, condition, 100);
  threads.wait_ends(waiter, wait, false, 100);  // timed out
  threads.ends(waiter, nullptr, 150);
  EXPECT_EQ(150, totals(150).all_ns);
  EXPECT_EQ(100 + 50, totals(150).cue_ns);  // the primary's own
  EXPECT_EQ(50, waiter.useful_ns());
}

// Between the time stamp with which a wait ends and its merge, others may leave
// later clocks.
TEST_F(ProgramThreadsTest, AWaitEndsNotBeforeTheClocksThatItMerges) {
  Lock semaphore, mutex;
  Thread& waiter = created_by(primary, 0);
  const LockWait wait = threads.wait_begins(waiter, &semaphore, 0);
  threads.lets_go(primary, semaphore, 100);
  threads.lets_go(primary, semaphore, 130);
  threads.wait_ends(waiter, wait, true, 110);
  EXPECT_EQ(130, waiter.last_event_ns());
  threads.lets_go(primary, semaphore, 160);
  threads.takes(waiter, semaphore, 150);
  EXPECT_EQ(20, waiter.useful_ns());
  const LockWait for_mutex = threads.wait_begins(waiter, &mutex, 170);
  lock_left(primary, mutex, 190);
  threads.mutex_wait_ends(waiter, for_mutex, true, 180);
  end(waiter, ends[0], 200);
  join(primary, ends[0], 200, 200);
  EXPECT_EQ(200, totals(200).all_ns);
}

TEST_F(ProgramThreadsTest, AMutexWaitIsAWaitForALock) {
  Lock mutex;
  Thread& one = created_by(primary, 0);
  Thread& two = created_by(primary, 0);
  const LockWait wait = threads.wait_begins(two, &mutex, 0);
  lock_left(one, mutex, 100);
  threads.mutex_wait_ends(two, wait, true, 100);
  const LockWait join = threads.wait_begins(primary, nullptr, 0);
  threads.ends(one, nullptr, 100);
  threads.ends(two, nullptr, 200);
  threads.wait_ends(primary, join, false, 200);
  const RegionTotals all = totals(200);
  EXPECT_EQ(100, amount(all, kOpenMpSerialised));
  EXPECT_EQ(200, all.cue_ns);
  EXPECT_EQ(100, all.useful_max_ns);
}

// The mutex of a condition: who signals may keep it after the signal, or have
// let it go before.
TEST_F(ProgramThreadsTest, AWaiterDependsOnWhoLetTheMutexGoAfterTheSignal) {
  Lock condition, mutex;
  Thread& one = created_by(primary, 0);
  Thread& two = created_by(primary, 0);
  const LockWait for_mutex = announce_wait(mutex);
  const LockWait for_signal = threads.wait_begins(two, &condition, 0);
  lock_left(one, mutex, 50);
  threads.lets_go(primary, condition, 60);
  one.switch_to(State::kOmp, 50);
  threads.wait_ends(two, for_signal, false, 60);
  threads.mutex_is_back(two, for_mutex, for_signal);
  EXPECT_EQ(0, two.region_at(0, 60).clocks.ns[kProcessCue]);
  const LockWait again = announce_wait(mutex);
  const LockWait next = threads.wait_begins(two, &condition, 60);
  threads.lets_go(primary, condition, 70);
  lock_left(primary, mutex, 100);
  threads.wait_ends(two, next, false, 100);
  threads.mutex_is_back(two, again, next);
  EXPECT_EQ(100, two.region_at(0, 100).clocks.ns[kProcessCue]);
}

TEST_F(ProgramThreadsTest, MoreThreadsThanFitAreNotMeasured) {
  for (int i = 0; i < ProgramThreads::kMostCores; ++i) created_by(primary, 10);
  SyncClock created;
  threads.creates(primary, created, 20);
  EXPECT_EQ(nullptr, threads.begins(process, created, 20));
  EXPECT_EQ(ProgramThreads::kMostCores, threads.cores());
  EXPECT_EQ(1 + ProgramThreads::kMostCores, totals(30).threads);
}

// The program, its libraries, and what they are linked to.
std::vector<bool> left_out(std::vector<LoadedObject> objects) {
  return runtimes_among(objects);
}

TEST(RuntimeObjects, ThoseOfMpiAndOpenMpAndWhatOnlyTheyNeed) {
  EXPECT_EQ(
      (std::vector<bool>{false, true, true, true, false, true, false, true}),
      left_out({{"", {"libmpi.so.40", "libstdc++.so.6", "libz.so.1"}},
                {"libmpi.so.40", {"libopen-pal.so.40", "libz.so.1"}},
                {"libopen-pal.so.40", {"libevent_core-2.1.so.7"}},
                {"libevent_core-2.1.so.7", {}},
                {"libstdc++.so.6", {}},
                {"mca_btl_tcp.so", {"libopen-pal.so.40"}},
                {"libz.so.1", {}},
                {"libomp.so.5", {}}}));
}

TEST(RuntimeObjects, WhatTheProgramNeedsOrLoadsIsIts) {
  EXPECT_EQ((std::vector<bool>{false, false, true, false, false}),
            left_out({{"", {}},
                      {"MPI.cpython-311.so", {"libmpi.so.12", "libtbb.so.12"}},
                      {"libmpi.so.12", {"libhwloc.so.15"}},
                      {"libtbb.so.12", {"libhwloc.so.15"}},
                      {"libhwloc.so.15", {}}}));
}

TEST(RuntimeObjects, Names) {
  for (const char* name :
       {"libmpich.so.12", "libucs.so.0", "libpsm2-fi.so", "libgomp.so.1",
        "libiomp5.so", "libpmix.so.2", "libefa-fi.so", "librt.so.1",
        "libOpenCL.so.1", "libpocl-devices-pthread.so"}) {
    EXPECT_TRUE(is_runtime(name)) << name;
  }
  for (const char* name : {"libopenblas.so.0", "libtbb.so.12", "libz.so.1",
                           "libc++.so.1", "libompress.so", "program"}) {
    EXPECT_FALSE(is_runtime(name)) << name;
  }
}

}  // namespace
}  // namespace poprt::modules::threads
