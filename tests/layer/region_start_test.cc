// Measurement starts with a region, and several threads come first.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "measure/events.h"
#include "oracle/rank.h"
#include "poprt.h"

namespace poprt {
namespace {

constexpr int kThreads = 4;

void start_together(std::atomic<int>* missing) {
  pop_region_metrics_t metrics;
  missing->fetch_sub(1);
  while (missing->load() > 0) {
  }
  pop_region_metrics("Global", &metrics);
  pop_region_start("first");
  pop_region_metrics("Global", &metrics);
  pop_region_stop("first");
}

// Returns what is wrong in a process of its own, which measures nothing yet; 0
// if nothing is.
int first_region_of_several_threads() {
  std::atomic<int> missing{kThreads};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back(start_together, &missing);
  }
  for (std::thread& thread : threads) thread.join();
  const JobTotals job = measured_process().totals(now_ns(), "node");
  const RegionTotals* const global = oracle::find(job, "Global");
  const RegionTotals* const first = oracle::find(job, "first");
  if (global == nullptr || first == nullptr) return 1;
  if (global->visits != 1) return 2;
  if (measured_process().region(0).key() != global->key) return 3;
  if (global->elapsed_max_ns < first->elapsed_max_ns) return 6;
  if (job.quality.closure_error_ns != 0) return 4;
  for (const std::string& note : job.quality.notes) {
    if (note.find("Global") != note.npos) return 5;
  }
  return 0;
}

TEST(RegionStart, OfSeveralThreadsAtOnceOpensGlobalFirstAndOnce) {
  for (int round = 0; round < 50; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      const int wrong = first_region_of_several_threads();
      // Without the end of measurement, but with the end of a sanitizer.
      g_phase.store(Phase::kFinished);
      exit(wrong);
    }
    int status = -1;
    waitpid(child, &status, 0);
    ASSERT_EQ(0, status) << "round " << round;
  }
}

}  // namespace
}  // namespace poprt
