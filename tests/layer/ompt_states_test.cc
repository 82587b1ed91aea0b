// Where a construct ends, the thread is in the state in which it came to it:
// here in MPI, in a reduction operation of the program that uses OpenMP.
#include <gtest/gtest.h>

#include "layer/fake_team.h"
#include "openmp/locks.h"
#include "openmp/tasking.h"

namespace poprt {
namespace {

constexpr int kTaskwaitFlags = 0x48000010;  // as LLVM 19 reports it

class ReturnsToMpi : public testing::Test {
 protected:
  // The call begins at 10 and ends at 100.
  ReturnsToMpi() { omp.at(0, 10).thread(0)->switch_to(State::kMpi, 10); }
  // `useful_ns`, `omp_ns`: of the construct.
  void expect(int64_t useful_ns, int64_t omp_ns) {
    EXPECT_EQ(State::kMpi, omp.thread(0)->state());
    omp.at(0, 100).thread(0)->switch_to(State::kUseful, 100);
    const RegionTotals t = omp.totals(100);
    EXPECT_EQ(10 + useful_ns, t.useful_sum_ns);
    EXPECT_EQ(90 - useful_ns - omp_ns, t.mpi_sum_ns);
    EXPECT_EQ(omp_ns, t.omp_sum_ns);
  }

  FakeOpenMp omp;
};

TEST_F(ReturnsToMpi, FromAParallelRegion) {
  Data region{}, task{};
  omp.at(0, 20).parallel_begin(omp.initial, region);
  omp.at(0, 22).implicit_begin(&region, task, 0, ompt_task_implicit, 1);
  omp.at(0, 30).sync(kSingle, ompt_scope_begin, &region, task);
  omp.at(0, 31).sync(kSingle, ompt_scope_end, &region, task);
  EXPECT_EQ(State::kUseful, omp.thread(0)->state());
  omp.at(0, 40).join_begin(region, task);
  omp.at(0, 43).primary_end(region, task, omp.initial);
  expect(17, 6);
}

TEST_F(ReturnsToMpi, FromABarrier) {
  omp.at(0, 20).sync(kSingle, ompt_scope_begin, &omp.initial, omp.initial);
  omp.at(0, 25).sync(kSingle, ompt_scope_end, &omp.initial, omp.initial);
  expect(0, 5);
}

TEST_F(ReturnsToMpi, FromATaskwaitInWhichATaskRan) {
  Data task{};
  omp.at(0, 20).task_create(omp.initial, task);
  omp.at(0, 20).sync(ompt_sync_region_taskwait, ompt_scope_begin, nullptr,
                     omp.initial);
  omp.at(0, 22).schedule(&omp.initial, ompt_task_switch, &task);
  EXPECT_EQ(State::kUseful, omp.thread(0)->state());
  omp.at(0, 32).schedule(&task, ompt_task_complete, &omp.initial);
  EXPECT_EQ(State::kOmp, omp.thread(0)->state());
  omp.at(0, 33).sync(ompt_sync_region_taskwait, ompt_scope_end, nullptr,
                     omp.initial);
  expect(10, 3);
}

TEST_F(ReturnsToMpi, FromATaskThatWasExecutedAtOnce) {
  Data task{};
  omp.at(0, 20).task_create(omp.initial, task);
  omp.at(0, 20).schedule(&omp.initial, ompt_task_switch, &task);
  omp.at(0, 30).schedule(&task, ompt_task_complete, &omp.initial);
  expect(10, 0);
}

TEST_F(ReturnsToMpi, FromATaskwaitWithDependences) {
  Data task{}, wait{};
  omp.at(0, 20).task_create(omp.initial, task);
  omp.at(0, 20).task_create(omp.initial, wait, kTaskwaitFlags);
  omp.at(0, 20).dependences(wait, {{ompt_dependence_type_in, 1}});
  omp.at(0, 27).schedule(&wait, ompt_taskwait_complete, nullptr);
  expect(0, 7);
}

TEST_F(ReturnsToMpi, FromATaskgroup) {
  omp.at(0, 20).sync(ompt_sync_region_taskgroup, ompt_scope_begin, nullptr,
                     omp.initial);
  omp.at(0, 20).sync_wait(ompt_sync_region_taskgroup, ompt_scope_begin, nullptr,
                          omp.initial);
  omp.at(0, 24).sync_wait(ompt_sync_region_taskgroup, ompt_scope_end, nullptr,
                          omp.initial);
  omp.at(0, 24).sync(ompt_sync_region_taskgroup, ompt_scope_end, nullptr,
                     omp.initial);
  expect(0, 4);
}

TEST_F(ReturnsToMpi, FromALock) {
  omp.at(0, 20).acquire(ompt_mutex_critical, 77);
  omp.at(0, 24).acquired(ompt_mutex_critical, 77);
  omp.at(0, 30).released(ompt_mutex_critical, 77);
  // An attempt has no begin.
  omp.at(0, 40).acquired(ompt_mutex_test_lock, 78);
  expect(0, 4);
}

TEST_F(ReturnsToMpi, FromANestedLock) {
  omp.at(0, 20).acquire(ompt_mutex_nest_lock, 79);
  omp.at(0, 22).nest_lock(ompt_scope_begin, 79);
  expect(0, 2);
}

TEST_F(ReturnsToMpi, FromATurn) {
  omp.at(0, 20).acquire(ompt_mutex_ordered, 80);
  omp.at(0, 23).acquired(ompt_mutex_ordered, 80);
  omp.at(0, 30).released(ompt_mutex_ordered, 80);
  expect(0, 3);
}

TEST(States, AWaitForALockThatWasLeftByAJumpDoesNotLast) {
  FakeOpenMp omp;
  omp.at(0, 10).acquire(ompt_mutex_critical, 77);
  omp.at(0, 20).acquire(ompt_mutex_critical, 78);
  omp.at(0, 30).acquired(ompt_mutex_critical, 78);
  EXPECT_EQ(State::kUseful, omp.thread(0)->state());
  EXPECT_EQ(0u, threads_waiting_for(*lock_of(77)));
}

// Its initial task began before measurement, or the program's MPI calls were
// all that was known of it.
TEST(States, AThreadThatOpenMpHasNotMetComesFromUsefulCode) {
  FakeOpenMp omp;
  Data unheard{};
  omp.at(1, 10).sync(ompt_sync_region_taskwait, ompt_scope_begin, nullptr,
                     unheard);
  EXPECT_EQ(State::kOmp, omp.thread(1)->state());
  omp.at(1, 20).sync(ompt_sync_region_taskwait, ompt_scope_end, nullptr,
                     unheard);
  EXPECT_EQ(State::kUseful, omp.thread(1)->state());
  Data region{}, task{}, no_task{};
  omp.at(2, 20).parallel_begin(no_task, region);
  omp.at(2, 20).implicit_begin(&region, task, 0, ompt_task_implicit, 1);
  omp.at(2, 40).join_begin(region, task);
  omp.at(2, 43).primary_end(region, task, no_task);
  EXPECT_EQ(State::kUseful, omp.thread(2)->state());
  omp.at(3, 50).acquire(ompt_mutex_critical, 81);
  omp.at(3, 60).acquired(ompt_mutex_critical, 81);
  EXPECT_EQ(State::kUseful, omp.thread(3)->state());
}

}  // namespace
}  // namespace poprt
