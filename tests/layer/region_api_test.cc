// include/poprt.h as a program uses it, with the library's functions in the
// same executable, where the header finds them as in a preloaded library.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/memory.h"
#include "layer/counted_work.h"
#include "measure/events.h"
#include "noted.h"
#include "oracle/rank.h"
#include "poprt.h"
#include "session/output.h"

namespace poprt {
namespace {

using oracle::find;

JobTotals totals() { return measured_process().totals(now_ns(), "node"); }

int64_t visits(const std::string& name) {
  const JobTotals job = totals();
  const RegionTotals* const region = find(job, name);
  return region == nullptr ? 0 : region->visits;
}

std::vector<std::string> noted_so_far() { return totals().quality.notes; }

void in_function() {
  POP_REGION_FUNCTION();
  POP_REGION_SCOPE("first of two");
  POP_REGION_SCOPE("second of two");
  pop_region_metrics_t metrics;
  EXPECT_EQ(1, pop_region_metrics("second of two", &metrics));
}

// Has to be the first: nothing is measured yet.
TEST(RegionApi, AHandleStartsNoMeasurement) {
  EXPECT_LT(0, pop_region_find("early"));
  pop_metadata("early", "value");
  pop_region_metrics_t metrics;
  EXPECT_EQ(0, pop_region_metrics("early", &metrics));
  EXPECT_EQ(0, pop_region_metrics_job("early", &metrics));
  EXPECT_FALSE(measuring());
  pop_region_enter(pop_region_find("early"));
  EXPECT_TRUE(measuring());
  pop_region_leave(pop_region_find("early"));
  EXPECT_EQ(1, visits("early"));
  EXPECT_EQ("value", totals().metadata[0].value);
  EXPECT_NOT_NOTED("calls_left_out", noted_so_far());
}

TEST(RegionApi, AScopeEndsWithItsBlock) {
  for (int i = 0; i < 3; ++i) in_function();
  for (const char* name : {"in_function", "first of two", "second of two"}) {
    EXPECT_EQ(3, visits(name)) << name;
    EXPECT_EQ(0, std::ranges::count(noted_so_far(),
                                    noted<"region_still_open">(name)));
  }
  {
    // The text may be gone before the block ends.
    POP_REGION_SCOPE(std::string("made up").c_str());
    EXPECT_EQ(1, std::ranges::count(noted_so_far(),
                                    noted<"region_still_open">("made up")));
    EXPECT_NOTED("region_still_open", noted_so_far());
  }
  EXPECT_NOT_NOTED("region_still_open", noted_so_far());
  EXPECT_EQ(0, totals().quality.stops_without_start);
}

TEST(RegionApi, AHandleIsForAllThreads) {
  const pop_region_t region = pop_region_find("threads");
  for (int i = 0; i < 4; ++i) {
    std::thread([=] {
      pop_region_enter(region);
      pop_region_leave(region);
    }).join();
  }
  EXPECT_EQ(4, visits("threads"));
  std::vector<std::thread> together;
  for (int i = 0; i < 4; ++i) {
    together.emplace_back([=] {
      for (int k = 0; k < 1000; ++k) {
        pop_region_enter(region);
        pop_region_leave(region);
      }
    });
  }
  for (std::thread& thread : together) thread.join();
  EXPECT_EQ(0, totals().quality.stops_without_start);
  EXPECT_EQ(0, totals().quality.closure_error_ns);
}

TEST(RegionApi, MetricsAreThoseOfTheProcessSoFar) {
  pop_region_start("looked at");
  pop_region_metrics_t first;
  ASSERT_EQ(1, pop_region_metrics("looked at", &first));
  EXPECT_EQ(1, first.processes);
  EXPECT_EQ(1, first.visits);
  EXPECT_EQ(first.elapsed_ns, first.useful_ns);
  EXPECT_EQ(0, first.mpi_ns);
  // Without MPI and OpenMP all time is useful.
  EXPECT_EQ(1, first.parallel_efficiency);
  EXPECT_TRUE(std::isnan(first.mpi_parallel_efficiency));
  pop_region_metrics_t later;
  ASSERT_EQ(1, pop_region_metrics_job("looked at", &later));
  EXPECT_LT(first.elapsed_ns, later.elapsed_ns);
  pop_region_stop("looked at");
  ASSERT_EQ(1, pop_region_metrics("looked at", &first));
  ASSERT_EQ(1, pop_region_metrics("looked at", &later));
  EXPECT_EQ(first.elapsed_ns, later.elapsed_ns);
  ASSERT_EQ(1, pop_region_metrics("Global", &first));
  EXPECT_LT(later.elapsed_ns, first.elapsed_ns);
  EXPECT_EQ(0, pop_region_metrics("nobody was here", &first));
}

TEST(RegionApi, ToAskForMetricsIsTheToolsTime) {
  pop_region_start("asked for");
  const Cell& cost = t_thread->cost.rare_ns;
  pop_region_metrics_t metrics;
  for (const auto get : {pop_region_metrics, pop_region_metrics_job}) {
    const int64_t before_ns = cost.get();
    EXPECT_EQ(1, get("asked for", &metrics));
    EXPECT_LT(before_ns, cost.get());
  }
  pop_region_stop("asked for");
}

extern "C" int pop_region_metrics_of_size(const char*, void*,
                                          size_t) __asm__("pop_region_metrics");
extern "C" int pop_region_metrics_job_of_size(
    const char*, void*, size_t) __asm__("pop_region_metrics_job");

// The struct of a program whose header had three members.
struct OlderMetrics {
  int64_t processes;
  int64_t threads;
  int64_t visits;
  int64_t not_of_the_struct;
};

TEST(RegionApi, AnOlderHeadersStructGetsWhatItHas) {
  pop_region_start("short");
  pop_region_stop("short");
  for (const auto get :
       {pop_region_metrics_of_size, pop_region_metrics_job_of_size}) {
    OlderMetrics metrics = {0, 0, 0, 4711};
    EXPECT_EQ(
        1, get("short", &metrics, offsetof(OlderMetrics, not_of_the_struct)));
    EXPECT_EQ(1, metrics.processes);
    EXPECT_EQ(1, metrics.threads);
    EXPECT_EQ(1, metrics.visits);
    EXPECT_EQ(4711, metrics.not_of_the_struct);
  }
}

// The struct of a program whose header has more members.
struct NewerMetrics {
  pop_region_metrics_t known;
  double new_efficiency;
  int64_t new_time_ns;
  int64_t not_of_the_struct;
};

TEST(RegionApi, ANewerHeadersStructSaysWhatIsNotKnown) {
  pop_region_start("long");
  pop_region_stop("long");
  NewerMetrics metrics = {{}, 0.5, 10, 4711};
  EXPECT_EQ(
      1, pop_region_metrics_of_size("long", &metrics,
                                    offsetof(NewerMetrics, not_of_the_struct)));
  EXPECT_EQ(1, metrics.known.visits);
  EXPECT_TRUE(std::isnan(metrics.new_efficiency));
  EXPECT_EQ(-1, metrics.new_time_ns);
  EXPECT_EQ(4711, metrics.not_of_the_struct);
}

// Programs are compiled with these offsets: members are only added at the end.
TEST(RegionApi, MembersOfTheStructStayWhereTheyAre) {
  using M = pop_region_metrics_t;
  const size_t offsets[] = {
      offsetof(M, processes),
      offsetof(M, threads),
      offsetof(M, visits),
      offsetof(M, run_time_ns),
      offsetof(M, elapsed_ns),
      offsetof(M, useful_ns),
      offsetof(M, mpi_ns),
      offsetof(M, openmp_ns),
      offsetof(M, parallel_efficiency),
      offsetof(M, load_balance),
      offsetof(M, communication_efficiency),
      offsetof(M, serialisation_efficiency),
      offsetof(M, transfer_efficiency),
      offsetof(M, mpi_parallel_efficiency),
      offsetof(M, mpi_load_balance),
      offsetof(M, mpi_communication_efficiency),
      offsetof(M, mpi_serialisation_efficiency),
      offsetof(M, mpi_transfer_efficiency),
      offsetof(M, openmp_parallel_efficiency),
      offsetof(M, openmp_load_balance),
      offsetof(M, openmp_communication_efficiency),
      offsetof(M, openmp_serialisation_efficiency),
      offsetof(M, openmp_transfer_efficiency),
  };
  for (size_t i = 0; i < std::size(offsets); ++i) EXPECT_EQ(8 * i, offsets[i]);
  EXPECT_EQ(8 * std::size(offsets), sizeof(M));
}

TEST(RegionApi, MisuseIsCountedAndNamed) {
  const Quality before = totals().quality;
  EXPECT_NOT_NOTED("region_reserved", before.notes);
  pop_region_start(nullptr);
  pop_region_stop(nullptr);
  EXPECT_EQ(-1, pop_region_find(nullptr));
  EXPECT_EQ(-1, pop_region_find("Global"));
  pop_region_enter(0);
  pop_region_leave(1 << 20);
  pop_region_enter(-1);  // a region that is not measured
  pop_metadata(nullptr, "value");
  pop_metadata("key", nullptr);  // removes the key
  EXPECT_EQ(0, pop_region_metrics(nullptr, nullptr));
  EXPECT_NOT_NOTED("metrics_without_place", noted_so_far());
  EXPECT_EQ(0, pop_region_metrics("Global", nullptr));
  const Quality after = totals().quality;
  EXPECT_EQ(before.regions_dropped + 3, after.regions_dropped);
  EXPECT_EQ(before.stops_without_start + 2, after.stops_without_start);
  EXPECT_EQ(before.metadata_dropped + 1, after.metadata_dropped);
  EXPECT_NOTED("region_reserved", after.notes);
  EXPECT_NOTED("metrics_without_place", after.notes);
}

TEST(RegionApi, WorkGivenUpForLackOfMemoryIsNoted) {
  EXPECT_NOT_NOTED("memory_given_up", noted_so_far());
  EXPECT_FALSE(attempt_with_memory([] { run_out_of_memory(); }));
  EXPECT_NOTED("memory_given_up", noted_so_far());
}

TEST(RegionApi, HasAVersion) {
  EXPECT_STREQ(POPRT_VERSION, pop_version());
  EXPECT_LE(0x010100, POPRT_API_VERSION);
}

TEST(RegionApi, DoesNothingInTheChildOfAFork) {
  const pid_t child = fork();
  if (child == 0) {
    pop_region_metrics_t metrics;
    const bool silent = pop_region_find("in the child") < 0 &&
                        pop_region_metrics("Global", &metrics) == 0 &&
                        pop_region_metrics_job("Global", &metrics) == 0;
    pop_region_enter(1);
    pop_region_leave(1);
    pop_metadata("child", "value");
    _exit(silent ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(0, status);
}

TEST(RegionApi, WorkThatIsDueIsDone) {
  EXPECT_EQ(1, work_done_in([] { pop_region_start("due"); }));
  EXPECT_EQ(1, work_done_in([] { pop_region_stop("due"); }));
}

// However many regions there are: no clocks had to travel.
TEST(WrittenReport, OfOneProcessHasTheClocksOfAllItsRegions) {
  oracle::Rank rank;
  rank.open("Global", 0);
  for (int i = 0; i < kTravellingRegions; ++i) {
    rank.open("r" + std::to_string(i), 0);
  }
  JobTotals job = rank.totals(20);
  ASSERT_EQ(1, job.full_tables);
  Settings settings;
  settings.options.text = false;
  settings.options.output = testing::TempDir() + "poprt-" +
                            std::to_string(getpid()) + "-one-process.json";
  write_report(settings, {}, std::move(job));
  std::ifstream file(settings.options.output);
  const std::string written{std::istreambuf_iterator<char>(file), {}};
  std::remove(settings.options.output.c_str());
  EXPECT_NE(std::string::npos, written.find("\"in_full_tables\": 0"));
  EXPECT_EQ(std::string::npos, written.find("\"in_full_tables\": 1"));
}

TEST(RegionApi, CallsAreTheToolsTime) {
  pop_region_start("timed");  // the thread is known then
  const Turns& turns = t_thread->cost.region_calls.turns;
  const int64_t before = turns.count();
  const int64_t events = t_thread->events();
  for (int i = 0; i < 1000; ++i) {
    pop_region_start("timed");
    pop_region_stop("timed");
  }
  EXPECT_EQ(2000, turns.count() - before);
  // As ToolCost takes it.
  EXPECT_EQ(4000, t_thread->events() - events);
  EXPECT_LT(0, t_thread->cost.region_calls.all_ps());
  pop_region_stop("timed");
}

// Memory follows how many of them live at once.
TEST(RegionApi, ThreadsThatOpenMpDoesNotKnowTakeThePlaceOfEndedOnes) {
  const auto marks = [] {
    pop_region_start("of threads");
    pop_region_stop("of threads");
  };
  const auto two_at_once = [&] {
    std::thread([&] {
      marks();
      std::thread(marks).join();
    }).join();
  };
  two_at_once();
  two_at_once();  // the first thread of all may be the primary one
  const Process& process = measured_process();
  const size_t known = process.threads().all().size();
  const int64_t again = process.threads().foreign_again();
  for (int i = 0; i < 20; ++i) std::thread(marks).join();
  two_at_once();
  EXPECT_EQ(known, process.threads().all().size());
  EXPECT_EQ(22, process.threads().foreign_again() - again);
}

TEST(RegionApi, ThePlaceOfAnEndedThreadDoesNotBecomeAMembers) {
  const auto marks = [] {
    pop_region_start("before OpenMP");
    pop_region_stop("before OpenMP");
  };
  for (int i = 0; i < 2; ++i) std::thread(marks).join();
  std::thread([&] {
    marks();
    Thread* const place = t_thread;
    ASSERT_TRUE(place->was_anothers);
    place->book(now_ns());
    const Thread& core = register_on_core(ThreadKind::kProgram, now_ns());
    EXPECT_NE(place, &core);
    EXPECT_EQ(&core, t_thread);
    EXPECT_FALSE(core.was_anothers);
  }).join();
}

}  // namespace
}  // namespace poprt
