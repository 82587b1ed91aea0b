// OpenMP constructs by place (POPRT_CALLS=on): what a thread's time in the
// runtime is booked under, and for whom it waited.
//
// These are the last tests of the program, because constructs are told apart
// from then on. All other tests are run with POPRT_CALLS=on as well.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "code_places/code_address.h"
#include "code_places/data_symbols.h"
#include "layer/fake_team.h"
#include "measure/call_sites.h"
#include "openmp/construct_sites.h"
#include "openmp/lock_names.h"
#include "openmp/tasking.h"

// Locks of a program, and what compilers and LLVM's runtime make of `critical`.
extern "C" {
uint64_t poprt_test_locks[4];
uint64_t poprt_test_other_lock;
uint64_t poprt_test_lock_itself;
uint64_t* poprt_test_indirect_lock = &poprt_test_lock_itself;
extern uint64_t** poprt_test_gate asm(".gomp_critical_user_gate.var");
extern uint64_t* poprt_test_door asm(".gomp_critical_user_door");
extern uint64_t poprt_test_unnamed asm(".gomp_critical_user_.var");
uint64_t** poprt_test_gate = &poprt_test_indirect_lock;
uint64_t* poprt_test_door = poprt_test_locks;
uint64_t poprt_test_unnamed = 7;
}

// Where the program's file begins, by the linker; a symbol without a size.
extern const char __ehdr_start;

namespace poprt {
namespace {

// Places in code that has a file.
const char* place(int number) {
  return reinterpret_cast<const char*>(&code_address) + number;
}

bool all_symbols(const DataSymbol&) { return true; }

using Shares = std::map<int64_t, int64_t>;  // waiting by thread

struct Expected {
  int64_t visits;
  int64_t time_ns;
  int64_t waiting_ns = 0;
  Shares waited_for = {};
  int64_t iterations = 0;
  bool operator==(const Expected&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Expected& e) {
  out << e.visits << " visits, " << e.time_ns << " ns, waiting " << e.waiting_ns
      << ", iterations " << e.iterations << ", for";
  for (const auto& [who, ns] : e.waited_for) out << " " << who << ": " << ns;
  return out;
}

struct OpenMpSites : FakeTeam {
  static void SetUpTestSuite() { want_call_sites(); }

  Expected site(int64_t now_ns, const std::string& construct, int code,
                const std::string& region_name = "Global") const {
    Expected found{0, 0};
    const uint64_t offset =
        construct.empty() || code < 0 ? 0 : code_address(place(code)).offset;
    for (const ConstructSiteTotals& each : omp.job(now_ns).construct_sites) {
      if (each.region != region_name || each.construct != construct ||
          each.offset != offset) {
        continue;
      }
      found = {each.visits, each.time_ns, each.waiting_ns, {}, each.iterations};
      for (const LateRank& late : each.late.ranks) {
        found.waited_for[late.rank] = late.waiting_ns;
        EXPECT_EQ(0, late.error_ns);
      }
    }
    return found;
  }
  // By the numbers of their places; where it has no name, that of where it was
  // initialised.
  std::map<uint64_t, std::string> lock_names() const {
    std::map<uint64_t, std::string> names;
    const uint64_t first = code_address(place(0)).offset;
    for (const ConstructSiteTotals& each : omp.job(20).construct_sites) {
      std::string& name = names[each.offset - first];
      name = each.lock;
      if (each.lock_offset != 0) {
        name += std::to_string(each.lock_offset - first);
      }
      if (name.empty()) names.erase(each.offset - first);
    }
    return names;
  }
  // Leave the barrier that the worker is in at 0, so that both work from 0 on.
  void both_work() {
    omp.at(0, 0).sync(kSingle, ompt_scope_begin, &region, a, place(99));
    omp.at(1, 0).sync(kSingle, ompt_scope_end, &region, b, place(99));
    omp.at(0, 0).sync(kSingle, ompt_scope_end, &region, a, place(99));
  }
  void barrier(int kind, int64_t first_ns, int64_t last_ns, int64_t left_ns,
               int code) {
    omp.at(1, first_ns).sync(kind, ompt_scope_begin, &region, b, place(code));
    omp.at(0, last_ns).sync(kind, ompt_scope_begin, &region, a, place(code));
    omp.at(1, left_ns).sync(kind, ompt_scope_end, &region, b, place(code));
    omp.at(0, left_ns).sync(kind, ompt_scope_end, &region, a, place(code));
  }
  void work(int kind, int64_t now_ns, int endpoint, int code,
            uint64_t count = 0) {
    omp.at(0, now_ns).work(kind, endpoint, &region, a, count, place(code));
    omp.at(1, now_ns).work(kind, endpoint, &region, b, count, place(code));
  }
};

constexpr int kExplicit = ompt_sync_region_barrier_explicit;

TEST_F(OpenMpSites, ABarrierWaitsForTheThreadThatComesLast) {
  both_work();
  barrier(kExplicit, 10, 110, 120, 1);
  barrier(kExplicit, 130, 140, 141, 2);
  barrier(kExplicit, 150, 160, 160, 1);
  EXPECT_EQ((Expected{4, 110 + 10 + 10, 110, {{0, 110}}}),
            site(200, "barrier", 1));
  EXPECT_EQ((Expected{2, 11 + 1, 10, {{0, 10}}}), site(200, "barrier", 2));
}

TEST_F(OpenMpSites, TheBarrierAfterALoopIsTheLoops) {
  both_work();
  work(ompt_work_loop_dynamic, 10, ompt_scope_begin, 5, 80);
  work(ompt_work_loop_dynamic, 20, ompt_scope_end, 5);
  barrier(kSingle, 20, 50, 51, 6);
  // An explicit barrier behind a loop with `nowait` is none of the loop's.
  work(ompt_work_loop_static, 60, ompt_scope_begin, 7, 30);
  work(ompt_work_loop_static, 70, ompt_scope_end, 7);
  barrier(kExplicit, 70, 80, 80, 6);
  barrier(kSingle, 80, 90, 90, 8);
  EXPECT_EQ((Expected{2, 31 + 1, 30, {{0, 30}}, 80}),
            site(100, "loop dynamic", 5));
  EXPECT_EQ((Expected{2, 0, 0, {}, 30}), site(100, "loop static", 7));
  EXPECT_EQ((Expected{2, 10, 10, {{0, 10}}}), site(100, "barrier", 6));
  EXPECT_EQ((Expected{2, 10, 10, {{0, 10}}}), site(100, "implicit barrier", 8));
}

// In the barrier, where one thread combines, or before it, in useful time.
TEST_F(OpenMpSites, AReductionIsAtTheConstructAroundIt) {
  both_work();
  work(ompt_work_loop_static, 10, ompt_scope_begin, 5, 80);
  work(ompt_work_loop_static, 20, ompt_scope_end, 5);
  omp.at(1, 20).sync(kSingle, ompt_scope_begin, &region, b, place(6));
  omp.at(0, 50).sync(kSingle, ompt_scope_begin, &region, a, place(6));
  omp.at(0, 52).thread(0)->book(52);
  omp.at(0, 52).reduction(ompt_scope_begin, &region, a);
  omp.at(0, 59).thread(0)->book(59);
  omp.at(0, 59).reduction(ompt_scope_end, &region, a);
  omp.at(0, 60).sync(kSingle, ompt_scope_end, &region, a, place(6));
  omp.at(1, 60).sync(kSingle, ompt_scope_end, &region, b, place(6));
  EXPECT_EQ((Expected{1, 7}), site(70, "reduction", 5));
  EXPECT_EQ((Expected{2, 40 + 3, 30, {{0, 30}}, 80}),
            site(70, "loop static", 5));
  omp.at(0, 70).reduction(ompt_scope_begin, &region, a);
  omp.at(0, 75).reduction(ompt_scope_end, &region, a);
  EXPECT_EQ((Expected{1, 0}), site(80, "reduction", -1));
}

// As LLVM's runtime tells of a program built by GCC.
TEST_F(OpenMpSites, ASingleWhoseEndIsNotToldEndsAtItsBarrier) {
  constexpr int kAnyBarrier = ompt_sync_region_barrier_implementation;
  both_work();
  omp.at(0, 10).work(ompt_work_single_executor, ompt_scope_begin, &region, a, 1,
                     place(3));
  barrier(kAnyBarrier, 10, 40, 40, 3);
  barrier(kAnyBarrier, 50, 55, 55, 4);
  EXPECT_EQ((Expected{1, 0}), site(60, "single", 3));
  EXPECT_EQ((Expected{1, 30, 30, {{0, 30}}}), site(60, "barrier", 3));
  EXPECT_EQ((Expected{2, 5, 5, {{0, 5}}}), site(60, "barrier", 4));
}

// Its tasks are created in a `single`, whose barrier is not the taskloop's.
TEST_F(OpenMpSites, ATaskloopIsNoWorksharing) {
  both_work();
  work(ompt_work_single_executor, 10, ompt_scope_begin, 1, 1);
  omp.at(0, 20).work(ompt_work_taskloop, ompt_scope_begin, &region, a, 100,
                     place(2));
  omp.at(0, 30).work(ompt_work_taskloop, ompt_scope_end, &region, a, 100,
                     place(2));
  work(ompt_work_single_executor, 40, ompt_scope_end, 1);
  barrier(kSingle, 40, 70, 70, 3);
  EXPECT_EQ((Expected{2, 30, 30, {{0, 30}}}), site(80, "single", 1));
  EXPECT_EQ((Expected{1, 0, 0, {}, 100}), site(80, "taskloop", 2));
}

TEST_F(OpenMpSites, ALockWaitsForTheOneWhoReleasesIt) {
  both_work();
  omp.at(0, 10).acquire(ompt_mutex_critical, 64, place(1));
  omp.at(0, 12).acquired(ompt_mutex_critical, 64);
  omp.at(1, 20).acquire(ompt_mutex_critical, 64, place(1));
  omp.at(0, 100).released(ompt_mutex_critical, 64);
  omp.at(1, 103).acquired(ompt_mutex_critical, 64);
  omp.at(1, 110).released(ompt_mutex_critical, 64);
  // Nobody has it: what it takes is no waiting.
  omp.at(0, 120).acquire(ompt_mutex_lock, 256, place(2));
  omp.at(0, 125).acquired(ompt_mutex_lock, 256);
  omp.at(0, 130).released(ompt_mutex_lock, 256);
  EXPECT_EQ((Expected{2, 2 + 83, 80, {{0, 80}}}), site(200, "critical", 1));
  // An attempt that follows a failed one (lock_calls.cc).
  omp.at(1, 140).thread(1)->switch_to(State::kOmp, 140);
  omp.at(1, 142).acquire(ompt_mutex_test_lock, 256, place(3));
  omp.at(1, 145).thread(1)->switch_to(State::kUseful, 145);
  omp.at(1, 150).acquire(ompt_mutex_test_lock, 256, place(3));
  omp.at(1, 151).acquired(ompt_mutex_test_lock, 256, place(3));
  omp.at(1, 160).released(ompt_mutex_lock, 256);
  EXPECT_EQ((Expected{1, 5}), site(200, "lock", 2));
  EXPECT_EQ((Expected{1, 5}), site(200, "lock", 3));
  omp.at(0, 200).lock_destroy(64);
  omp.at(0, 200).lock_destroy(256);
}

TEST_F(OpenMpSites, LocksAreCalledAsInTheProgram) {
  const auto take = [&](ompt_mutex_t kind, const void* lock, int code) {
    const auto wait_id = reinterpret_cast<uint64_t>(lock);
    omp.at(0, 10).acquire(kind, wait_id, place(code));
    omp.at(0, 12).acquired(kind, wait_id, place(code));
    omp.at(0, 12).released(kind, wait_id);
    omp.at(0, 12).lock_destroy(wait_id);
  };
  both_work();
  take(ompt_mutex_critical, &poprt_test_lock_itself, 1);
  take(ompt_mutex_critical, poprt_test_locks, 2);
  take(ompt_mutex_critical, &poprt_test_unnamed, 3);
  take(ompt_mutex_critical, &poprt_test_other_lock, 4);
  take(ompt_mutex_lock, &poprt_test_locks[3], 5);
  take(ompt_mutex_lock, &poprt_test_locks[1], 5);
  take(ompt_mutex_nest_lock, &poprt_test_other_lock, 6);
  const int on_the_stack = 0;
  take(ompt_mutex_lock, &on_the_stack, 7);
  take(ompt_mutex_lock, &poprt_test_locks[1], 8);
  take(ompt_mutex_lock, &poprt_test_locks[0] + 1000, 8);
  const std::map<uint64_t, std::string> names = lock_names();
  const std::map<uint64_t, std::string> expected = {
      {1, "gate"},
      {2, "door"},
      {3, "(unnamed)"},
      {5, "poprt_test_locks"},
      {6, "poprt_test_other_lock"},
      {8, "(several)"}};
  EXPECT_EQ(expected, names);
}

TEST_F(OpenMpSites, LocksWithoutANameAreCalledAfterWhereTheyWereInitialised) {
  uint64_t on_the_stack[5] = {};
  const auto take = [&](const uint64_t* lock, int code) {
    const auto wait_id = reinterpret_cast<uint64_t>(lock);
    omp.at(0, 10).acquire(ompt_mutex_lock, wait_id, place(code));
    omp.at(0, 12).acquired(ompt_mutex_lock, wait_id, place(code));
    omp.at(0, 12).released(ompt_mutex_lock, wait_id);
  };
  both_work();
  const int places[] = {11, 11, 12, 13};
  for (int i = 0; i < 4; ++i) {
    omp.lock_init(reinterpret_cast<uint64_t>(&on_the_stack[i]),
                  place(places[i]));
  }
  take(&on_the_stack[0], 1);  // two of one place
  take(&on_the_stack[1], 1);
  take(&on_the_stack[1], 2);  // two of two places
  take(&on_the_stack[2], 2);
  take(&on_the_stack[3], 3);
  take(&on_the_stack[4], 4);  // initialised before anybody looked
  for (const uint64_t& lock : on_the_stack) {
    omp.at(0, 12).lock_destroy(reinterpret_cast<uint64_t>(&lock));
  }
  take(&on_the_stack[3], 5);  // another lock at the same address
  omp.at(0, 12).lock_destroy(reinterpret_cast<uint64_t>(&on_the_stack[3]));
  const std::map<uint64_t, std::string> expected = {
      {1, "11"}, {2, "(several)"}, {3, "13"}};
  EXPECT_EQ(expected, lock_names());
}

// Where there is no symbol, the place in the file, which is the same in each
// process.
TEST_F(OpenMpSites, AVariableWithoutASymbolIsCalledByItsPlace) {
  const char* const unnamed = &__ehdr_start + 1;
  const CodeAddress place = data_address(unnamed);
  ASSERT_NE("", place.module);
  LockNames names;
  const auto address = reinterpret_cast<uint64_t>(unnamed);
  names.want_variable(address);
  names.read();
  std::ostringstream offset;
  offset << "+0x" << std::hex << place.offset;
  EXPECT_EQ(place.module.substr(place.module.rfind('/') + 1) + offset.str(),
            names.variable(address, address));
  EXPECT_EQ("", names.variable(address, address + 8));
  const int local = 0;
  EXPECT_EQ("", data_address(&local).module);
}

// Each process names its own: rank 0 may have been nowhere.
TEST_F(OpenMpSites, EachRankNamesItsLocks) {
  measured_process().set_rank(1);
  const auto wait_id = reinterpret_cast<uint64_t>(&poprt_test_other_lock);
  both_work();
  omp.at(0, 10).acquire(ompt_mutex_lock, wait_id, place(1));
  omp.at(0, 12).acquired(ompt_mutex_lock, wait_id, place(1));
  omp.at(0, 12).released(ompt_mutex_lock, wait_id);
  omp.at(0, 12).lock_destroy(wait_id);
  const std::map<uint64_t, std::string> expected = {
      {1, "poprt_test_other_lock"}};
  EXPECT_EQ(expected, lock_names());
}

TEST_F(OpenMpSites, ATaskwaitWaitsForTheTaskOfAnotherThread) {
  Data task{}, other{};
  omp.at(0, 10).task_create(a, task, ompt_task_explicit, place(1));
  omp.at(0, 10).task_create(a, other, ompt_task_explicit, place(1));
  omp.at(1, 10).schedule(&b, ompt_task_switch, &task);
  omp.at(0, 20).sync(ompt_sync_region_taskwait, ompt_scope_begin, &region, a,
                     place(2));
  // Meanwhile it does one of the tasks itself.
  omp.at(0, 25).schedule(&a, ompt_task_switch, &other);
  omp.at(0, 35).schedule(&other, ompt_task_complete, &a);
  omp.at(1, 60).schedule(&task, ompt_task_complete, &b);
  omp.at(0, 63).sync(ompt_sync_region_taskwait, ompt_scope_end, &region, a,
                     place(2));
  EXPECT_EQ((Expected{1, 5 + 28, 30, {{1, 30}}}), site(70, "taskwait", 2));
  EXPECT_EQ((Expected{2, 0}), site(70, "task", 1));
  // The worker in its barrier has been idle before its task and since.
  EXPECT_EQ((Expected{1, 10 + 10}), site(70, "implicit barrier", -1));
}

TEST_F(OpenMpSites, ATaskgroupWaitsForItsTasks) {
  Data task{};
  omp.at(0, 10).sync(ompt_sync_region_taskgroup, ompt_scope_begin, &region, a);
  omp.at(0, 10).task_create(a, task, ompt_task_explicit, place(1));
  omp.at(1, 10).schedule(&b, ompt_task_switch, &task);
  omp.at(0, 20).sync_wait(ompt_sync_region_taskgroup, ompt_scope_begin, &region,
                          a, place(2));
  omp.at(1, 60).schedule(&task, ompt_task_complete, &b);
  omp.at(0, 63).sync_wait(ompt_sync_region_taskgroup, ompt_scope_end, &region,
                          a, place(2));
  omp.at(0, 63).sync(ompt_sync_region_taskgroup, ompt_scope_end, &region, a);
  EXPECT_EQ((Expected{1, 43, 40, {{1, 40}}}), site(70, "taskgroup", 2));
}

// A worker hears of the end of a region when the next one begins.
TEST(OpenMpSitesOfRegions, AWorkerIsInNoConstructBetweenRegions) {
  want_call_sites();
  FakeOpenMp omp;
  omp.at(1, 0).thread_begin(ompt_thread_worker);
  std::map<std::string, std::tuple<int64_t, int64_t, int64_t>> sites;
  const auto look = [&](int64_t now_ns, const std::string& region) {
    sites.clear();
    for (const ConstructSiteTotals& each : omp.job(now_ns).construct_sites) {
      if (each.region != region) continue;
      sites[each.construct] = {each.visits, each.time_ns, each.waiting_ns};
    }
  };
  const auto run = [&](int64_t begin_ns, int64_t late_ns, int64_t worker_ns,
                       int64_t primary_ns, int64_t end_ns) {
    Data region{}, a{}, b{};
    omp.at(0, begin_ns).parallel_begin(omp.initial, region, place(1));
    omp.at(0, begin_ns).implicit_begin(&region, a, 0);
    omp.at(1, late_ns).implicit_begin(&region, b, 1);
    omp.at(1, worker_ns).join_begin(region, b);
    omp.at(0, primary_ns).join_begin(region, a);
    omp.at(0, end_ns).primary_end(region, a, omp.initial);
  };
  run(100, 107, 110, 150, 153);
  look(200, "Global");
  const auto values = [](int64_t visits, int64_t time, int64_t waiting) {
    return std::make_tuple(visits, time, waiting);
  };
  EXPECT_EQ(values(2, 7, 0), sites["parallel"]);
  EXPECT_EQ(values(2, 3 + 43, 40), sites["parallel end"]);
  EXPECT_EQ(values(0, 100 + 47, 0), sites[""]);
  // A region of the program in serial code does not disturb what came before.
  Process& process = omp.thread(0)->process();
  omp.at(0, 200).thread(0)->book(200);
  process.region_start(*omp.thread(0), "steps");
  run(210, 210, 230, 220, 235);
  omp.at(0, 300).thread(0)->book(300);
  process.region_stop(*omp.thread(0), "steps");
  look(400, "Global");
  EXPECT_EQ(values(4, 7, 0), sites["parallel"]);
  EXPECT_EQ(values(4, 46 + 15 + 5, 40 + 10), sites["parallel end"]);
  look(400, "steps");
  EXPECT_EQ(values(2, 0, 0), sites["parallel"]);
  EXPECT_EQ(values(2, 15 + 5, 10), sites["parallel end"]);
  EXPECT_EQ(values(0, 10 + 65, 0), sites[""]);
}

// Of a construct in which another thread opens a region, the rest counts in no
// region but Global.
TEST_F(OpenMpSites, ARegionThatBeginsInAConstructHasItAmongTheOthers) {
  both_work();
  omp.at(1, 10).sync(kExplicit, ompt_scope_begin, &region, b, place(1));
  omp.at(0, 50).thread(0)->book(50);
  measured_process().region_start(*omp.thread(0), "steps");
  omp.at(0, 100).sync(kExplicit, ompt_scope_begin, &region, a, place(1));
  omp.at(1, 110).sync(kExplicit, ompt_scope_end, &region, b, place(1));
  omp.at(0, 110).sync(kExplicit, ompt_scope_end, &region, a, place(1));
  EXPECT_EQ((Expected{2, 100 + 10, 90, {{0, 90}}}), site(200, "barrier", 1));
  EXPECT_EQ((Expected{1, 10}), site(200, "barrier", 1, "steps"));
  EXPECT_EQ((Expected{0, 60}), site(200, "", 0, "steps"));
}

TEST_F(OpenMpSites, WaitsInsideOfWaitsAreBookedOnce) {
  // More than are kept apart.
  constexpr int kDepth = 200;
  both_work();
  std::vector<Data> tasks(kDepth + 1);
  tasks[0] = a;
  int64_t now_ns = 10;
  for (int i = 0; i < kDepth; ++i) {
    const size_t n = static_cast<size_t>(i);
    omp.at(0, now_ns).task_create(tasks[n], tasks[n + 1]);
    omp.at(0, ++now_ns)
        .sync(ompt_sync_region_taskwait, ompt_scope_begin, &region, tasks[n],
              place(i % 2));
    omp.at(0, ++now_ns).schedule(&tasks[n], ompt_task_switch, &tasks[n + 1]);
  }
  for (int i = kDepth; i-- > 0;) {
    const size_t n = static_cast<size_t>(i);
    omp.at(0, ++now_ns).schedule(&tasks[n + 1], ompt_task_complete, &tasks[n]);
    omp.at(0, ++now_ns)
        .sync(ompt_sync_region_taskwait, ompt_scope_end, &region, tasks[n],
              place(i % 2));
  }
  int64_t visits = 0;
  int64_t time_ns = 0;
  for (int code : {0, 1}) {
    const Expected found = site(now_ns, "taskwait", code);
    visits += found.visits;
    time_ns += found.time_ns;
  }
  EXPECT_EQ(kDepth, visits);
  EXPECT_EQ(2 * kDepth, time_ns);
  // The thread is in no wait any more.
  barrier(kExplicit, now_ns, now_ns + 30, now_ns + 30, 5);
  EXPECT_EQ((Expected{2, 30, 30, {{0, 30}}}), site(now_ns + 40, "barrier", 5));
}

TEST_F(OpenMpSites, ANestedRegionDoesNotEndTheLoopAroundIt) {
  both_work();
  work(ompt_work_loop_dynamic, 10, ompt_scope_begin, 1, 2);
  Data inner{}, c{};
  omp.at(1, 20).parallel_begin(b, inner, place(2));
  omp.at(1, 22).implicit_begin(&inner, c, 0);
  omp.at(1, 30).sync(kExplicit, ompt_scope_begin, &inner, c, place(3));
  omp.at(1, 33).sync(kExplicit, ompt_scope_end, &inner, c, place(3));
  omp.at(1, 40).join_begin(inner, c);
  omp.at(1, 41).primary_end(inner, c, b);
  work(ompt_work_loop_dynamic, 50, ompt_scope_end, 1);
  barrier(kSingle, 50, 60, 60, 4);
  EXPECT_EQ((Expected{2, 10, 10, {{0, 10}}, 2}), site(70, "loop dynamic", 1));
  EXPECT_EQ((Expected{1, 2}), site(70, "parallel", 2));
  EXPECT_EQ((Expected{1, 3}), site(70, "barrier", 3));
  EXPECT_EQ((Expected{1, 1}), site(70, "parallel end", 2));
}

TEST_F(OpenMpSites, WhatHasNoRoomCountsInOneEntry) {
  both_work();
  constexpr int kMost = SiteTable<ConstructSite>::kMostSites;
  int64_t now_ns = 10;
  for (int i = 0; i < kMost + 20; ++i) {
    omp.at(0, now_ns).acquire(ompt_mutex_critical, 64, place(i));
    omp.at(0, ++now_ns).acquired(ompt_mutex_critical, 64);
    omp.at(0, ++now_ns).released(ompt_mutex_critical, 64);
  }
  // The rest is what a process does not pass on, too.
  const Expected rest = site(now_ns, "", 0);
  EXPECT_LT(20, rest.visits);
  int64_t visits = -4;  // the begin and the barrier of both threads
  for (const ConstructSiteTotals& each : omp.job(now_ns).construct_sites) {
    visits += each.visits;
  }
  EXPECT_EQ(kMost + 20, visits);
  omp.at(0, now_ns).lock_destroy(64);
}

// In the first region the primary thread is the last one, in the second the
// worker.
TEST(OpenMpSitesOfRegions, OnTheLongestPathTimeInOpenMpIsThatOfItsConstruct) {
  PathChoice choice;
  choice.regions = choice.constructs = true;
  FakeOpenMp omp({}, choice);
  omp.at(1, 0).thread_begin(ompt_thread_worker);
  Data region{}, a{}, b{};
  omp.at(0, 100).parallel_begin(omp.initial, region, place(1));
  omp.at(0, 104).implicit_begin(&region, a, 0);
  omp.at(1, 107).implicit_begin(&region, b, 1);
  omp.at(1, 110).join_begin(region, b);
  omp.at(0, 120).acquire(ompt_mutex_critical, 64, place(3));
  omp.at(0, 125).acquired(ompt_mutex_critical, 64);
  omp.at(0, 130).released(ompt_mutex_critical, 64);
  omp.at(0, 150).join_begin(region, a);
  omp.at(0, 153).primary_end(region, a, omp.initial);
  Data next{}, c{}, d{};
  omp.at(0, 200).parallel_begin(omp.initial, next, place(2));
  omp.at(0, 200).implicit_begin(&next, c, 0);
  omp.at(1, 210).implicit_begin(&next, d, 1);
  omp.at(0, 220).join_begin(next, c);
  omp.at(1, 230).join_begin(next, d);
  omp.at(0, 235).primary_end(next, c, omp.initial);

  JobTotals job = omp.job(300);
  name_parts(job.regions, &job.path);
  std::map<std::pair<std::string, uint64_t>, int64_t> parts;
  for (const PathShare& part : job.path.parts) {
    const std::string& name =
        part.what == PathShare::kOpenMp ? part.construct : part.what;
    parts[{name, part.offset}] += part.ns;
  }
  const auto offset = [](int code) { return code_address(place(code)).offset; };
  const std::map<std::pair<std::string, uint64_t>, int64_t> expected = {
      {{"useful", 0}, 100 + 16 + 25 + 47 + 20 + 65},
      {{"parallel", offset(1)}, 4},
      {{"critical", offset(3)}, 5},
      {{"parallel end", offset(1)}, 3},
      {{"parallel", offset(2)}, 10},
      {{"parallel end", offset(2)}, 5}};
  EXPECT_EQ(expected, parts);
  EXPECT_EQ(300, job.path.length_ns);
  omp.at(0, 300).lock_destroy(64);
}

TEST(DataSymbols, OfFilesThatAreCutOffAreNotThere) {
  const LoadedModule own = loaded_modules().front();
  const std::vector<DataSymbol> all = data_symbols(own, all_symbols);
  const auto locks = std::ranges::find(all, std::string("poprt_test_locks"),
                                       &DataSymbol::name);
  ASSERT_NE(all.end(), locks);
  EXPECT_EQ(reinterpret_cast<uint64_t>(poprt_test_locks), locks->address);
  // The address sanitizer makes variables larger.
  EXPECT_LE(sizeof poprt_test_locks, locks->size);
  std::ifstream file(own.path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  const std::string path = testing::TempDir() + "poprt_cut_off";
  for (const size_t length : {size_t{0}, size_t{3}, size_t{63}, size_t{64},
                              bytes.size() / 2, bytes.size() / 10 * 9}) {
    std::ofstream(path, std::ios::binary) << bytes.substr(0, length);
    EXPECT_GT(all.size(), data_symbols({path, 0}, all_symbols).size())
        << length;
  }
  std::remove(path.c_str());
  EXPECT_TRUE(data_symbols({path, 0}, all_symbols).empty());
}

TEST(LastOne, KeepsTheLatestAndItsThread) {
  LastOne last;
  EXPECT_EQ(-1, last.get().ns);
  last.raise(100, 3);
  last.raise(50, 4);
  EXPECT_EQ(100, last.get().ns);
  EXPECT_EQ(3, last.get().who);
  last.raise(100, 2);
  EXPECT_EQ(3, last.get().who);
  last.raise(int64_t{1} << 51, 5000);
  EXPECT_EQ(int64_t{1} << 51, last.get().ns);
  EXPECT_EQ(-1, last.get().who);
  last.raise(int64_t{1} << 53, 1);
  EXPECT_EQ(int64_t{1} << 51, last.get().ns);
}

}  // namespace
}  // namespace poprt
