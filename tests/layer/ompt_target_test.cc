// `target` regions: how a thread's time in calls to devices is booked, in the
// order in which LLVM 19 reports their events.
#include <gtest/gtest.h>
#include <unistd.h>

#include "devices/host_calls.h"
#include "layer/fake_team.h"
#include "model/quantities.h"
#include "noted.h"
#include "ompt/runtime_image.h"
#include "openmp/tasking.h"

namespace poprt {
namespace {

constexpr int kBegin = ompt_scope_begin;
constexpr int kEnd = ompt_scope_end;
constexpr int kAlloc = ompt_target_data_alloc;
constexpr int kTo = ompt_target_data_transfer_to_device;
constexpr int kFrom = ompt_target_data_transfer_from_device;
constexpr int kDelete = ompt_target_data_delete;

struct Parts {
  int64_t waiting = 0;
  int64_t copying = 0;
  int64_t launching = 0;
};

void expect_parts(const RegionTotals& t, const Parts& parts) {
  EXPECT_EQ(parts.waiting, amount(t, kAcceleratorWaiting));
  EXPECT_EQ(parts.copying, amount(t, kAcceleratorCopying));
  EXPECT_EQ(parts.launching, amount(t, kAcceleratorLaunching));
  EXPECT_EQ(parts.waiting + parts.copying + parts.launching,
            t.accelerator_sum_ns);
}

class Target : public testing::Test {
 protected:
  Target() {
    g_lifecycle = {};
    omp.device_initialize(0, "generic-64bit");
    omp.device_initialize(1, "generic-64bit");
    omp.device_initialize(2, "sm_90");
  }
  void operation(int thread, int64_t from_ns, int64_t to_ns, int what,
                 Data* in) {
    omp.at(thread, from_ns).data_op(kBegin, in, what, copier);
    omp.at(thread, to_ns).data_op(kEnd, in, what, copier);
  }
  void kernel(int thread, int64_t from_ns, int64_t to_ns) {
    omp.at(thread, from_ns).submit(kBegin, &region);
    omp.at(thread, to_ns).submit(kEnd, &region);
  }
  // Takes 100: copies for 10, a kernel for 60, a copy for 5.
  void blocking_target(int thread, int64_t at_ns, Data* task, int device = 0) {
    copier = device;
    omp.at(thread, at_ns).target(kBegin, region, task, device);
    operation(thread, at_ns + 4, at_ns + 8, kAlloc, &region);
    operation(thread, at_ns + 8, at_ns + 18, kTo, &region);
    kernel(thread, at_ns + 20, at_ns + 80);
    operation(thread, at_ns + 81, at_ns + 86, kFrom, &region);
    operation(thread, at_ns + 86, at_ns + 90, kDelete, &region);
    omp.at(thread, at_ns + 100).target(kEnd, region, task, device);
  }

  FakeOpenMp omp;
  Data region{};
  int copier = 0;  // the device of operation()
};

TEST_F(Target, BlockingIsWaitingCopyingAndLaunching) {
  blocking_target(0, 100, &omp.initial);
  EXPECT_EQ(State::kUseful, omp.thread(0)->state());
  const RegionTotals t = omp.totals(300);
  expect_parts(t, {60, 15, 25});
  EXPECT_EQ(200, t.useful_sum_ns);
  EXPECT_EQ(0, t.omp_sum_ns);
}

const DeviceRegion* region_of(const DeviceTotals& device,
                              const std::string& name) {
  for (const DeviceRegion& each : device.regions) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

// What a device did in a region: kernels, copies, and idle by what the host
// did.
void expect_device(const JobTotals& job, size_t number, const std::string& name,
                   int64_t kernels, int64_t copies, int64_t host_useful,
                   int64_t host_in_calls) {
  ASSERT_LT(number, job.devices.size());
  const DeviceRegion* const in = region_of(job.devices[number], name);
  ASSERT_NE(nullptr, in);
  const DeviceTime time = known_of(*in).time;
  EXPECT_EQ(kernels, time.kernels_ns) << name;
  EXPECT_EQ(copies, time.copies_ns) << name;
  EXPECT_EQ(host_useful, time.idle_ns[0]) << name;
  EXPECT_EQ(0, time.idle_ns[1]) << name;
  EXPECT_EQ(0, time.idle_ns[2]) << name;
  EXPECT_EQ(host_in_calls, time.idle_ns[3]) << name;
  EXPECT_EQ(0, time.idle_ns[4]) << name;
  EXPECT_EQ(in->elapsed_ns, time.elapsed_ns());
}

TEST_F(Target, BlockingIsWorkOfTheDevice) {
  blocking_target(0, 100, &omp.initial);
  const JobTotals job = omp.job(300);
  ASSERT_EQ(1U, job.devices.size());
  EXPECT_EQ("host", job.devices[0].key.host);
  EXPECT_EQ("openmp 0", job.devices[0].key.unit);
  EXPECT_EQ(0, job.devices[0].key.process);
  EXPECT_EQ("generic-64bit", job.devices[0].name);
  EXPECT_EQ(1, job.devices[0].processes);
  // Between its operations the host is in the call, before and after it works.
  expect_device(job, 0, "Global", 60, 15, 200, 25);
  EXPECT_EQ(3, region_of(job.devices[0], "Global")->operations);
  EXPECT_EQ(60, region_of(job.devices[0], "Global")->launched_kernels_ns);
  EXPECT_EQ(0, job.devices[0].unannounced_operations);
}

TEST_F(Target, DevicesAreFollowedInRegions) {
  Thread& thread = *omp.thread(0);
  thread.book(50);
  measured_process().region_start(thread, "before");
  thread.book(90);
  measured_process().region_stop(thread, "before");
  omp.at(0, 100).target(kBegin, region, &omp.initial);
  thread.book(110);
  measured_process().region_start(thread, "launches");
  omp.at(0, 120).submit(kBegin, &region);
  thread.book(140);
  measured_process().region_stop(thread, "launches");
  omp.at(0, 180).submit(kEnd, &region);
  omp.at(0, 180).target(kEnd, region, &omp.initial);
  const JobTotals job = omp.job(200);
  expect_device(job, 0, "Global", 60, 0, 120, 20);
  expect_device(job, 0, "launches", 20, 0, 0, 10);
  expect_device(job, 0, "before", 0, 0, 40, 0);
  EXPECT_EQ(60, region_of(job.devices[0], "launches")->launched_kernels_ns);
  EXPECT_EQ(0, region_of(job.devices[0], "before")->operations);
}

TEST_F(Target, EachDeviceHasItsOwnWork) {
  blocking_target(0, 100, &omp.initial, 1);
  omp.at(0, 300).target(kBegin, region, &omp.initial);
  kernel(0, 310, 330);
  omp.at(0, 340).target(kEnd, region, &omp.initial);
  const JobTotals job = omp.job(400);
  ASSERT_EQ(2U, job.devices.size());
  EXPECT_EQ(20, known_of(*region_of(job.devices[0], "Global")).time.kernels_ns);
  EXPECT_EQ(60, known_of(*region_of(job.devices[1], "Global")).time.kernels_ns);
}

// The library of the device tells what such a device does.
TEST_F(Target, ADeviceThatRunsBesideTheHostTellsNothing) {
  omp.at(0, 0).target(kBegin, region, &omp.initial, 2);
  kernel(0, 5, 6);
  omp.at(0, 70).target(kEnd, region, &omp.initial, 2);
  EXPECT_TRUE(omp.job(100).devices.empty());
}

TEST_F(Target, UnderWayAtTheEndOfTheRunCounts) {
  omp.at(0, 100).target(kBegin, region, &omp.initial);
  omp.at(0, 120).submit(kBegin, &region);
  expect_parts(omp.totals(150), {30, 0, 20});
}

TEST_F(Target, DataRegionsAreTheirOperations) {
  // `target data` around a `target` and an `update`.
  omp.at(0, 10).target(kBegin, region, &omp.initial);
  operation(0, 11, 21, kTo, &region);
  omp.at(0, 25).target(kEnd, region, &omp.initial);
  EXPECT_EQ(State::kUseful, omp.thread(0)->state());
  omp.at(0, 30).target(kBegin, region, &omp.initial);
  kernel(0, 31, 91);
  omp.at(0, 92).target(kEnd, region, &omp.initial);
  omp.at(0, 100).target(kBegin, region, &omp.initial);  // update
  operation(0, 102, 109, kFrom, &region);
  omp.at(0, 110).target(kEnd, region, &omp.initial);
  omp.at(0, 120).target(kBegin, region, &omp.initial);
  operation(0, 121, 124, kFrom, &region);
  operation(0, 124, 126, kDelete, &region);
  omp.at(0, 130).target(kEnd, region, &omp.initial);
  const RegionTotals t = omp.totals(200);
  expect_parts(t, {60, 20, 5 + 2 + 3 + 7});
  EXPECT_EQ(200 - 97, t.useful_sum_ns);
}

// omp_target_alloc(), omp_target_memcpy(), omp_target_free().
TEST_F(Target, OperationsWithoutARegionCount) {
  operation(0, 10, 15, kAlloc, nullptr);
  operation(0, 20, 40, kTo, nullptr);
  operation(0, 50, 51, kDelete, nullptr);
  const RegionTotals t = omp.totals(100);
  expect_parts(t, {0, 20, 6});
  EXPECT_EQ(74, t.useful_sum_ns);
}

// A launch that returns at once: what follows waits for the kernel.
TEST_F(Target, OnADeviceThatRunsBesideTheHostTheRegionWaits) {
  omp.at(0, 0).target(kBegin, region, &omp.initial, 2);
  operation(0, 1, 3, kTo, &region);
  kernel(0, 5, 6);
  operation(0, 7, 9, kFrom, &region);  // begins after the kernel
  omp.at(0, 70).target(kEnd, region, &omp.initial, 2);
  // An update waits for its copies.
  omp.at(0, 100).target(kBegin, region, &omp.initial, 2);
  operation(0, 101, 103, kFrom, &region);
  omp.at(0, 120).target(kEnd, region, &omp.initial, 2);
  expect_parts(omp.totals(200), {1 + 61, 2 + 2 + 2 + 2 + 17, 1 + 1 + 1});
}

// NVHPC, and LLVM up to 17, tell nothing of a device.
TEST_F(Target, OfAnUnknownDeviceLaunchAndWhatFollowsWait) {
  omp.at(0, 0).target(kBegin, region, &omp.initial, 77);
  kernel(0, 10, 30);
  omp.at(0, 50).target(kEnd, region, &omp.initial, 77);
  expect_parts(omp.totals(50), {40, 0, 10});
}

TEST_F(Target, InAParallelRegionIsOfItsThread) {
  Data team{}, a{}, b{}, other{};
  omp.fork_new(0, omp.initial, team, a, b);
  blocking_target(0, 10, &a, 0);
  EXPECT_EQ(State::kUseful, omp.thread(0)->state());
  omp.at(1, 10).target(kBegin, other, &b, 1);
  omp.at(1, 20).submit(kBegin, &other);
  omp.at(1, 50).submit(kEnd, &other);
  omp.at(1, 60).target(kEnd, other, &b, 1);
  omp.at(1, 70).join_begin(team, b);
  omp.at(0, 120).join_begin(team, a);
  omp.at(0, 120).primary_end(team, a, omp.initial);
  omp.at(1, 120).worker_late_end(b, 1);
  const RegionTotals t = omp.totals(150);
  EXPECT_EQ(2, t.threads);
  expect_parts(t, {60 + 30, 15, 25 + 20});
  EXPECT_EQ(150, amount(t, kAcceleratorInside));
  EXPECT_EQ((20 + 30) + (10 + 10), t.useful_sum_ns);
  EXPECT_EQ(50 + 30, t.omp_sum_ns);
}

TEST_F(Target, MpiInsideIsMpi) {
  omp.at(0, 10).target(kBegin, region, &omp.initial);
  omp.at(0, 20).submit(kBegin, &region);
  Thread& thread = *omp.thread(0);
  // As the wrapper of an MPI call does.
  const State before = thread.state();
  thread.switch_to(State::kMpi, 30);
  // MPI moves data of the device.
  operation(0, 35, 45, kTo, nullptr);
  EXPECT_EQ(State::kMpi, thread.state());
  thread.switch_to(before, 50);
  omp.at(0, 80).submit(kEnd, &region);
  omp.at(0, 90).target(kEnd, region, &omp.initial);
  const RegionTotals t = omp.totals(100);
  EXPECT_EQ(20, t.mpi_sum_ns);
  expect_parts(t, {10 + 30, 0, 10 + 10});
}

TEST_F(Target, InsideMpiIsMpi) {
  Thread& thread = *omp.thread(0);
  thread.switch_to(State::kMpi, 10);
  blocking_target(0, 20, &omp.initial);
  EXPECT_EQ(State::kMpi, thread.state());
  thread.switch_to(State::kUseful, 130);
  const RegionTotals t = omp.totals(200);
  EXPECT_EQ(120, t.mpi_sum_ns);
  expect_parts(t, {});
}

TEST_F(Target, RegionsThatOpenAndCloseInsideHaveTheirParts) {
  omp.at(0, 10).target(kBegin, region, &omp.initial);
  omp.at(0, 20).submit(kBegin, &region);
  Thread& thread = *omp.thread(0);
  thread.book(40);
  measured_process().region_start(thread, "opened inside");
  omp.at(0, 70).submit(kEnd, &region);
  operation(0, 75, 80, kFrom, &region);
  thread.book(85);
  measured_process().region_stop(thread, "opened inside");
  omp.at(0, 90).target(kEnd, region, &omp.initial);
  expect_parts(omp.totals(100), {50, 5, 10 + 5 + 10});
  expect_parts(omp.totals(100, "opened inside"), {30, 5, 10});
}

// Another thread opens and closes the region; this one hears of it at its next
// event.
TEST_F(Target, RegionsOfOtherThreadsSplitAWait) {
  Data team{}, a{}, b{};
  omp.fork_new(0, omp.initial, team, a, b);
  omp.at(0, 10).target(kBegin, region, &a);
  omp.at(0, 20).submit(kBegin, &region);
  Thread& other = *omp.thread(1);
  other.book(30);
  measured_process().region_start(other, "part");
  other.book(60);
  measured_process().region_stop(other, "part");
  omp.at(0, 80).submit(kEnd, &region);
  omp.at(0, 80).target(kEnd, region, &a);
  expect_parts(omp.totals(100), {60, 0, 10});
  expect_parts(omp.totals(100, "part"), {30, 0, 0});
}

// The runtime's helpers execute `target nowait`; they are nobody's cores.
class TargetNowait : public Target {
 protected:
  TargetNowait() {
    ompt::set_runtime_image(reinterpret_cast<const void*>(getppid));
    const void* const runtime_code = reinterpret_cast<const void*>(getpid);
    omp.at(5, 0).thread_begin(ompt_thread_initial);
    omp.at(5, 0).implicit_begin(&none, helpers_initial, 1, ompt_task_initial);
    omp.at(5, 0).parallel_begin(helpers_initial, helpers, runtime_code);
    omp.at(6, 0).thread_begin(ompt_thread_worker);
    omp.at(6, 0).implicit_begin(&helpers, helper, 1);
  }
  ~TargetNowait() override { ompt::set_runtime_image(nullptr); }
  // The helper executes a target of 100 from 20 on, while the host works for 60
  // and then waits for it.
  RegionTotals run(Data* encountering, Data* target_task) {
    omp.at(0, 15).task_create(omp.initial, task,
                              ompt_task_target | ompt_task_untied);
    omp.at(6, 20).schedule(&helper, ompt_task_switch, &task);
    omp.at(6, 20).target(kBegin, region, encountering, 0, target_task);
    omp.at(6, 20).submit(kBegin, &region);
    omp.at(0, 75).sync(ompt_sync_region_taskwait, kBegin, nullptr, omp.initial);
    omp.at(6, 120).submit(kEnd, &region);
    omp.at(6, 120).target(kEnd, region, encountering, 0, target_task);
    omp.at(6, 120).schedule(&task, ompt_task_complete, &helper);
    omp.at(0, 121).sync(ompt_sync_region_taskwait, kEnd, nullptr, omp.initial);
    return omp.totals(150);
  }
  void expect_host_went_on(const RegionTotals& t) {
    EXPECT_EQ(1, t.threads);
    EXPECT_EQ(75 + 29, t.useful_sum_ns);
    EXPECT_EQ(46, t.omp_sum_ns);
    expect_parts(t, {});
    EXPECT_EQ(State::kOmp, omp.thread(6)->state());
  }

  Data none{}, helpers_initial{}, helpers{}, helper{}, task{};
};

TEST_F(TargetNowait, WhereTheEncounteringTaskIsTheTargetTask) {
  expect_host_went_on(run(&task, nullptr));
}

TEST_F(TargetNowait, WhereTheEncounteringTaskIsTheGeneratingTask) {
  expect_host_went_on(run(&omp.initial, &task));
}

TEST_F(TargetNowait, WhereTheTargetTaskIsNotTold) {
  Data unset{};
  expect_host_went_on(run(&omp.initial, &unset));
}

// With LIBOMP_USE_HIDDEN_HELPER_TASK=0 it is a task of the team: whoever
// executes it waits for the device.
TEST_F(Target, NowaitOnAThreadOfTheTeamIsOfThatThread) {
  Data task{};
  omp.at(0, 10).task_create(omp.initial, task,
                            ompt_task_target | ompt_task_untied);
  omp.at(0, 20).sync(ompt_sync_region_taskwait, kBegin, nullptr, omp.initial);
  omp.at(0, 22).schedule(&omp.initial, ompt_task_switch, &task);
  blocking_target(0, 22, &task);
  omp.at(0, 122).schedule(&task, ompt_task_complete, &omp.initial);
  EXPECT_EQ(State::kOmp, omp.thread(0)->state());
  omp.at(0, 125).sync(ompt_sync_region_taskwait, kEnd, nullptr, omp.initial);
  const RegionTotals t = omp.totals(130);
  expect_parts(t, {60, 15, 25});
  EXPECT_EQ(20 + 5, t.useful_sum_ns);
  EXPECT_EQ(2 + 3, t.omp_sum_ns);
}

// A device that is the host: the kernel begins teams in this process.
class TargetTeams : public Target {
 protected:
  TargetTeams() {
    omp.at(0, 10).target(kBegin, region, &omp.initial);
    omp.at(0, 20).submit(kBegin, &region);
    omp.at(0, 22).parallel_begin(omp.initial, league, nullptr, true);
    omp.at(0, 23).implicit_begin(&league, first, 0, ompt_task_initial);
    omp.at(1, 23).thread_begin(ompt_thread_worker);
    omp.at(1, 23).implicit_begin(&league, second, 1, ompt_task_initial);
    omp.at(1, 24).parallel_begin(second, inner);
    omp.at(1, 25).implicit_begin(&inner, member, 0, ompt_task_implicit, 1);
    omp.at(1, 26).acquire(ompt_mutex_critical, 77);
    omp.at(1, 30).acquired(ompt_mutex_critical, 77);
    omp.at(1, 35).released(ompt_mutex_critical, 77);
    omp.at(0, 24).acquire(ompt_mutex_critical, 77);
    omp.at(0, 36).acquired(ompt_mutex_critical, 77);
    omp.at(0, 40).released(ompt_mutex_critical, 77);
    Data task{};
    omp.at(1, 40).task_create(member, task);
    omp.at(1, 41).schedule(&member, ompt_task_switch, &task);
    omp.at(1, 42).schedule(&task, ompt_task_complete, &member);
    omp.at(1, 43).sync(kSingle, kBegin, &inner, member);
    omp.at(1, 44).sync(kSingle, kEnd, &inner, member);
    omp.at(1, 50).implicit_end(member, 0);
    omp.at(1, 50).parallel_end(inner, second);
    omp.at(1, 52).sync(ompt_sync_region_barrier_teams, kBegin, &league, second);
    omp.at(0, 60).sync(ompt_sync_region_barrier_teams, kBegin, &league, first);
    omp.at(0, 60).implicit_end(first, 0, ompt_task_initial);
    omp.at(0, 61).parallel_end(league, omp.initial);
    omp.at(0, 80).submit(kEnd, &region);
    omp.at(0, 90).target(kEnd, region, &omp.initial);
  }

  Data league{}, first{}, second{}, inner{}, member{};
};

TEST_F(TargetTeams, OfAKernelAreTheDevices) {
  EXPECT_EQ(State::kUseful, omp.thread(0)->state());
  const JobTotals job = omp.job(100);
  const RegionTotals t = omp.totals(100);
  EXPECT_EQ(1, t.threads);
  expect_parts(t, {60, 0, 20});
  EXPECT_EQ(20, t.useful_sum_ns);
  EXPECT_EQ(0, t.omp_sum_ns);
  EXPECT_EQ(100, t.elapsed_max_ns);
  for (const ConstructTotals& construct : job.constructs) {
    EXPECT_EQ(0, construct.visits);
  }
  EXPECT_TRUE(job.quality.notes.empty());
  EXPECT_NOT_NOTED("openmp_targets", job.quality.notes);
}

TEST_F(TargetTeams, LeaveTheirThreadsToTheProgram) {
  Data team{}, a{}, b{};
  omp.at(0, 100).parallel_begin(omp.initial, team);
  omp.at(0, 100).implicit_begin(&team, a, 0);
  // The end of its task in the kernel comes now.
  omp.at(1, 100).sync(ompt_sync_region_barrier_teams, kEnd, nullptr, second);
  omp.at(1, 100).implicit_end(second, 1, ompt_task_initial);
  EXPECT_FALSE(runs_kernel(*omp.thread(1)));
  omp.at(1, 100).implicit_begin(&team, b, 1);
  omp.at(1, 130).join_begin(team, b);
  omp.at(0, 140).join_begin(team, a);
  omp.at(0, 140).primary_end(team, a, omp.initial);
  omp.at(1, 140).worker_late_end(b, 1);
  const RegionTotals t = omp.totals(150);
  EXPECT_EQ(2, t.threads);
  EXPECT_EQ((20 + 40 + 10) + 30, t.useful_sum_ns);
  expect_parts(t, {60, 0, 20});
}

// The program's own worker is idle while it executes a kernel.
TEST_F(Target, AKernelOnAWorkerLeavesItIdle) {
  Data team{}, a{}, b{}, league{}, first{}, second{};
  omp.fork_new(0, omp.initial, team, a, b);
  omp.at(1, 20).join_begin(team, b);
  omp.at(0, 20).join_begin(team, a);
  omp.at(0, 20).primary_end(team, a, omp.initial);
  Thread* const worker = omp.thread(1);
  omp.at(0, 30).target(kBegin, region, &omp.initial);
  omp.at(0, 30).submit(kBegin, &region);
  omp.at(0, 30).parallel_begin(omp.initial, league, nullptr, true);
  omp.at(0, 30).implicit_begin(&league, first, 0, ompt_task_initial);
  omp.at(1, 30).worker_late_end(b, 1);
  omp.at(1, 30).implicit_begin(&league, second, 1, ompt_task_initial);
  EXPECT_NE(worker, omp.thread(1));
  EXPECT_TRUE(runs_kernel(*omp.thread(1)));
  omp.at(0, 80).implicit_end(first, 0, ompt_task_initial);
  omp.at(0, 80).parallel_end(league, omp.initial);
  omp.at(0, 80).submit(kEnd, &region);
  omp.at(0, 80).target(kEnd, region, &omp.initial);
  omp.at(1, 90).implicit_end(second, 1, ompt_task_initial);
  EXPECT_EQ(worker, omp.thread(1));
  const RegionTotals t = omp.totals(100);
  EXPECT_EQ(2, t.threads);
  expect_parts(t, {50, 0, 0});
  EXPECT_EQ(50 + 20, t.useful_sum_ns);
  EXPECT_EQ(80, t.omp_sum_ns);
}

TEST_F(Target, AMissingEndIsMadeUpAtTheNextBegin) {
  omp.at(0, 10).target(kBegin, region, &omp.initial);
  omp.at(0, 20).submit(kBegin, &region);
  omp.at(0, 50).target(kEnd, region, &omp.initial);  // ends the kernel, too
  EXPECT_EQ(State::kUseful, omp.thread(0)->state());
  omp.at(0, 60).target(kBegin, region, &omp.initial);
  omp.at(0, 70).data_op(kBegin, &region, kTo);
  // Both ends are missing.
  omp.at(0, 80).target(kBegin, region, &omp.initial);
  omp.at(0, 90).target(kEnd, region, &omp.initial);
  EXPECT_EQ(State::kUseful, omp.thread(0)->state());
  const RegionTotals t = omp.totals(100);
  expect_parts(t, {30, 10, 10 + 10 + 10});
}

TEST_F(Target, AnEndWithoutABeginIsNothing) {
  omp.at(0, 10).target(kEnd, region, &omp.initial);
  omp.at(0, 20).submit(kEnd, &region);
  operation(0, 30, 40, kTo, &region);
  omp.at(0, 40).data_op(kEnd, nullptr, kTo);
  omp.at(0, 50).target(3, region, &omp.initial);  // begin and end at once
  EXPECT_EQ(State::kUseful, omp.thread(0)->state());
  expect_parts(omp.totals(100), {0, 10, 0});
}

TEST_F(Target, NoOrderOfEventsKeepsAThreadFromItsTime) {
  Data others[3]{};
  uint32_t random = 1;
  for (int64_t now = 1; now < 20'000; ++now) {
    random = random * 1664525u + 1013904223u;
    Data& other = others[(random >> 24) % 3];
    const int endpoint = 1 + static_cast<int>((random >> 20) % 3);
    omp.at(0, now);
    switch ((random >> 28) % 5) {
      case 0:
        omp.target(endpoint, other, (random & 0x4000) != 0 ? &other : nullptr,
                   static_cast<int>((random >> 10) % 5) - 1);
        break;
      case 1:
      case 2:
        omp.data_op(endpoint, (random & 0x4000) != 0 ? &other : nullptr,
                    static_cast<int>((random >> 10) % 30));
        break;
      default:
        omp.submit(endpoint, (random & 0x4000) != 0 ? &other : nullptr);
    }
  }
  const RegionTotals t = omp.totals(20'000);
  EXPECT_EQ(t.accelerator_sum_ns, amount(t, kAcceleratorWaiting) +
                                      amount(t, kAcceleratorCopying) +
                                      amount(t, kAcceleratorLaunching));
  EXPECT_EQ(20'000, t.useful_sum_ns + t.accelerator_sum_ns);
}

// A thread that OpenMP does not know: it is no core, and breaks nothing.
TEST_F(Target, ThreadsThatOpenMpDoesNotKnowAreNoCores) {
  operation(9, 10, 20, kTo, nullptr);
  const RegionTotals t = omp.totals(100);
  EXPECT_EQ(1, t.threads);
  expect_parts(t, {});
}

TEST(TargetOptions, WithoutDevicesTheEventsAreNotAskedFor) {
  g_lifecycle = {};
  {
    const FakeOpenMp omp;
    EXPECT_TRUE(omp.reports(ompt_callback_target_emi));
    EXPECT_TRUE(omp.reports(ompt_callback_device_initialize));
  }
  g_lifecycle.wants_devices = false;
  const FakeOpenMp omp;
  EXPECT_FALSE(omp.reports(ompt_callback_target_emi));
  EXPECT_FALSE(omp.reports(ompt_callback_device_initialize));
  g_lifecycle = {};
}

TEST(TargetOptions, ARuntimeWithoutTargetEventsIsNoNote) {
  g_lifecycle = {};
  const FakeOpenMp omp(
      {ompt_callback_target_emi, ompt_callback_target_data_op_emi,
       ompt_callback_target_submit_emi, ompt_callback_device_initialize});
  EXPECT_TRUE(omp.job(10).quality.notes.empty());
}

}  // namespace
}  // namespace poprt
