// A team of two threads at work, for tests of tasks and locks.
#ifndef POPRT_TESTS_LAYER_FAKE_TEAM_H_
#define POPRT_TESTS_LAYER_FAKE_TEAM_H_

#include <gtest/gtest.h>

#include "layer/fake_openmp.h"

namespace poprt {

inline constexpr int kSingle = ompt_sync_region_barrier_implicit_workshare;

// A team of two from time 0: the primary's implicit task and the worker's, who
// waits from time 0 in a barrier, as at the end of a `single`.
struct FakeTeam : testing::Test {
  FakeTeam() {
    omp.fork_new(0, omp.initial, region, a, b);
    omp.at(1, 0).sync(kSingle, ompt_scope_begin, &region, b);
  }
  // Both leave the barrier, and the region, at `now_ns`.
  RegionTotals end(int64_t now_ns) {
    omp.at(0, now_ns).sync(kSingle, ompt_scope_begin, &region, a);
    return end_in_barrier(now_ns);
  }
  RegionTotals end_in_barrier(int64_t now_ns) {
    omp.at(1, now_ns).sync(kSingle, ompt_scope_end, &region, b);
    omp.at(0, now_ns).sync(kSingle, ompt_scope_end, &region, a);
    omp.at(1, now_ns).join_begin(region, b);
    omp.at(0, now_ns).join_begin(region, a);
    omp.at(0, now_ns).primary_end(region, a, omp.initial);
    omp.at(1, now_ns).worker_late_end(b, 1);
    return omp.totals(now_ns);
  }
  void run(int thread, Data& in, Data& task, int64_t from_ns, int64_t to_ns,
           int status = ompt_task_complete) {
    omp.at(thread, from_ns).schedule(&in, ompt_task_switch, &task);
    omp.at(thread, to_ns).schedule(&task, status, &in);
  }

  FakeOpenMp omp;
  Data region{}, a{}, b{};
};

}  // namespace poprt

#endif  // POPRT_TESTS_LAYER_FAKE_TEAM_H_
