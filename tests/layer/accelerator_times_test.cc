// The time of threads in calls to accelerators, outside and inside of parallel
// regions, and what the threads that wait for them lose.
#include <gtest/gtest.h>

#include "layer/fake_team.h"
#include "measure/accelerator_accounts.h"
#include "measure/process.h"
#include "model/quantities.h"

namespace poprt {
namespace {

constexpr State kAccelerator = State::kAccelerator;

TEST(AcceleratorTimes, AreThreeAmountsAndMpiInsideIsMpi) {
  FakeOpenMp omp;
  Thread& thread = *omp.at(0, 0).thread(0);
  Process& process = measured_process();
  process.set_has_devices();
  const AcceleratorAccounts accounts(thread);
  thread.switch_to(kAccelerator, 10);
  thread.switch_to(State::kMpi, 15);
  thread.switch_to(kAccelerator, 25);
  thread.switch_to(kAccelerator, 30);
  process.region_start(thread, "part");
  thread.switch_to(kAccelerator, 50, accounts.waiting());
  process.region_stop(thread, "part");
  thread.switch_to(State::kUseful, 58, accounts.copying());
  omp.at(0, 70);
  EXPECT_TRUE(omp.job(70).has_devices);
  const RegionTotals all = omp.totals(70);
  EXPECT_EQ(22, all.useful_sum_ns);
  EXPECT_EQ(10, all.mpi_sum_ns);
  EXPECT_EQ(38, all.accelerator_sum_ns);
  EXPECT_EQ(20, amount(all, kAcceleratorWaiting));
  EXPECT_EQ(8, amount(all, kAcceleratorCopying));
  EXPECT_EQ(10, amount(all, kAcceleratorLaunching));
  EXPECT_EQ(0, amount(all, kAcceleratorInside));
  // It is no useful time, and on an ideal network it takes as long.
  EXPECT_EQ(22, all.cue_ns);
  EXPECT_EQ(60, all.com_ns);
  EXPECT_EQ(70, all.coo_ns);
  EXPECT_EQ(70, all.all_ns);
  EXPECT_EQ(60, all.mpi_callers_outside_max_ns);
  EXPECT_EQ(22, amount(all, kCallersOutsideBothMax));
  EXPECT_EQ(0, all.openmp_weighted_ns);
}

TEST(AcceleratorTimes, AreInTheRegionsThatAreOpen) {
  FakeOpenMp omp;
  Thread& thread = *omp.at(0, 0).thread(0);
  Process& process = measured_process();
  const AcceleratorAccounts accounts(thread);
  omp.at(0, 10);
  process.region_start(thread, "part");
  thread.switch_to(kAccelerator, 20);
  thread.switch_to(State::kUseful, 50, accounts.waiting());
  omp.at(0, 60);
  process.region_stop(thread, "part");
  thread.switch_to(kAccelerator, 70);
  thread.switch_to(State::kUseful, 80, accounts.waiting());
  omp.at(0, 90);
  const RegionTotals part = omp.totals(90, "part");
  EXPECT_EQ(50, part.elapsed_max_ns);
  EXPECT_EQ(30, part.accelerator_sum_ns);
  EXPECT_EQ(30, amount(part, kAcceleratorWaiting));
  EXPECT_EQ(40, amount(omp.totals(90), kAcceleratorWaiting));
}

// The primary thread is in a call outside of parallel regions: both of its
// threads are lost.
TEST(AcceleratorTimes, OutsideCostAllThreadsOfTheProcess) {
  FakeOpenMp omp;
  Data region{}, a{}, b{};
  omp.fork_new(0, omp.initial, region, a, b);
  omp.at(1, 10).join_begin(region, b);
  omp.at(0, 10).join_begin(region, a);
  omp.at(0, 10).primary_end(region, a, omp.initial);
  omp.at(1, 10).worker_late_end(b, 1);
  Thread& thread = *omp.thread(0);
  const AcceleratorAccounts accounts(thread);
  thread.switch_to(kAccelerator, 20);
  thread.switch_to(State::kUseful, 50, accounts.copying());
  omp.at(0, 60);
  const RegionTotals all = omp.totals(60);
  EXPECT_EQ(30, amount(all, kAcceleratorCopying));
  EXPECT_EQ(60, amount(all, kLostCopying));
  EXPECT_EQ(0, amount(all, kLostLaunching));
  // Nothing of it is OpenMP's.
  EXPECT_EQ(2 * 10, all.openmp_weighted_ns);
  EXPECT_EQ(0, amount(all, kOpenMpScheduling));
}

struct InTeam : FakeTeam {};

TEST_F(InTeam, OthersThatWaitForACallKnowWhy) {
  Thread& thread = *omp.at(0, 0).thread(0);
  const AcceleratorAccounts accounts(thread);
  thread.switch_to(kAccelerator, 10);
  thread.switch_to(kAccelerator, 15);
  thread.switch_to(State::kUseful, 70, accounts.waiting());
  const RegionTotals t = end(100);
  EXPECT_EQ(60, t.accelerator_sum_ns);
  EXPECT_EQ(60, amount(t, kAcceleratorInside));
  EXPECT_EQ(55, amount(t, kAcceleratorWaiting));
  EXPECT_EQ(5, amount(t, kAcceleratorLaunching));
  EXPECT_EQ(55, amount(t, kLostWaiting));
  EXPECT_EQ(60, amount(t, kOpenMpAcceleratorInside));
  EXPECT_EQ(0, amount(t, kOpenMpScheduling));
  EXPECT_EQ(0, amount(t, kOpenMpSerialised));
  // The rest of what the other thread waits is imbalance.
  EXPECT_EQ(100, t.omp_sum_ns);
}

TEST_F(InTeam, SomebodyInMpiIsNotTakenForOneInACall) {
  Thread& thread = *omp.at(0, 0).thread(0);
  thread.switch_to(kAccelerator, 10);
  thread.switch_to(State::kMpi, 20);
  thread.switch_to(kAccelerator, 50);
  thread.switch_to(State::kUseful, 60);
  const RegionTotals t = end(100);
  EXPECT_EQ(20, amount(t, kOpenMpAcceleratorInside));
  EXPECT_EQ(30, amount(t, kOpenMpMpiInside));
}

}  // namespace
}  // namespace poprt
