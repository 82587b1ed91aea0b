// The time on a core of threads that are not measured, with real threads and
// their real clocks.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <ctime>
#include <thread>

#include "model/quantities.h"
#include "modules/cores/unknown_threads.h"

namespace poprt::modules::cores {
namespace {

constexpr int64_t kMs = 1'000'000;
// Starting and ending threads takes CPU time, too: more on a busy machine. What
// must not be taken for another amount differs by 20 ms.
constexpr int64_t kNear_ns = 15 * kMs;

// For this long on a core, however busy the machine is.
void compute(int64_t ns) {
  timespec begin = {}, now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  do {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  } while ((now.tv_sec - begin.tv_sec) * 1000 * kMs + now.tv_nsec -
               begin.tv_nsec <
           ns);
}

struct Others {
  int64_t count;
  int64_t cpu_ns;
};

class UnknownThreadsTest : public testing::Test {
 protected:
  Thread& add(ThreadKind kind) {
    Thread& thread = process_.add_thread(kind, 0);
    thread.cpu.start();
    threads_.push_back(&thread);
    return thread;
  }
  Others others() {
    JobTotals job;
    part_.add_to(threads_, thread_times(), &job);
    return {amount(job.resources, kUnknownThreads.name),
            amount(job.resources, kUnknownThreadsCpu.name)};
  }

  Process process_;
  std::vector<Thread*> threads_;
  UnknownThreads part_;
};

TEST_F(UnknownThreadsTest, CountsOnlyThoseThatAreNotMeasured) {
  std::thread([] { compute(50 * kMs); }).join();
  part_.restart({}, thread_times());
  add(ThreadKind::kProgram);
  compute(30 * kMs);
  std::thread([] { compute(100 * kMs); }).join();
  // A worker of OpenMP that has ended, and one that it did not report to end.
  for (const bool reported : {true, false}) {
    std::thread([&] {
      Thread& worker = add(ThreadKind::kWorker);
      compute(40 * kMs);
      worker.switch_to(State::kOmp, 1000 * kMs);
      if (reported) worker.cpu.stop();
    }).join();
    const Others seen = others();
    EXPECT_EQ(0, seen.count);
    EXPECT_EQ(reported, part_.have_worked(threads_));
    if (reported) {
      EXPECT_NEAR(100 * kMs, seen.cpu_ns, kNear_ns);
    } else {
      // It may have had a core all the time.
      EXPECT_EQ(0, seen.cpu_ns);
    }
  }
}

TEST_F(UnknownThreadsTest, CountsThoseThatStillLive) {
  part_.restart({}, thread_times());
  add(ThreadKind::kProgram);
  std::atomic<int> ready{0};
  std::atomic<bool> end{false};
  const auto live = [&](int64_t ns) {
    compute(ns);
    ++ready;
    end.wait(false);
  };
  std::thread busy(live, 60 * kMs);
  std::thread sleeper(live, 0);
  while (ready < 2) std::this_thread::yield();
  const Others seen = others();
  EXPECT_EQ(1, seen.count);
  EXPECT_NEAR(60 * kMs, seen.cpu_ns, kNear_ns);
  end = true;
  end.notify_all();
  busy.join();
  sleeper.join();
}

// A thread that begins parallel regions of its own is measured from then on.
TEST_F(UnknownThreadsTest, CountsAThreadUntilItIsMeasured) {
  part_.restart({}, thread_times());
  add(ThreadKind::kProgram);
  std::thread([&] {
    compute(50 * kMs);
    Thread& member = add(ThreadKind::kForeign);
    member.set_member();
    compute(70 * kMs);
    member.cpu.stop();
  }).join();
  EXPECT_NEAR(50 * kMs, others().cpu_ns, kNear_ns);
}

// What poprt starts before the first event, for instance counters, is no thread
// of somebody else.
TEST_F(UnknownThreadsTest, KnowsTheThreadThatStartsTheMeasurement) {
  part_.restart({}, thread_times());
  compute(50 * kMs);
  add(ThreadKind::kProgram);
  compute(20 * kMs);
  EXPECT_NEAR(0, others().cpu_ns, kNear_ns);
}

// One core has several threads one after the other (POPRT_THREADS=all).
TEST_F(UnknownThreadsTest, ACoreGoesOnWithTheClockOfItsNextThread) {
  part_.restart({}, thread_times());
  add(ThreadKind::kProgram);
  Thread& core = process_.add_thread(ThreadKind::kWorker, 0);
  threads_.push_back(&core);
  for (int i = 0; i < 3; ++i) {
    std::thread([&] {
      compute(20 * kMs);
      core.cpu.start();
      compute(40 * kMs);
      core.cpu.stop();
    }).join();
  }
  EXPECT_NEAR(3 * 20 * kMs, others().cpu_ns, kNear_ns);
  EXPECT_NEAR(3 * 40 * kMs, core.cpu.read() - core.cpu.before_ns(), kNear_ns);
}

// As after MPI_Init.
TEST_F(UnknownThreadsTest, LeavesOutWhatWasBeforeTheRestart) {
  part_.restart({}, thread_times());
  Thread& primary = add(ThreadKind::kProgram);
  compute(30 * kMs);
  std::thread([] { compute(50 * kMs); }).join();
  part_.restart(threads_, thread_times());
  EXPECT_NEAR(0, others().cpu_ns, kNear_ns);
  compute(20 * kMs);
  EXPECT_NEAR(0, others().cpu_ns, kNear_ns);
  EXPECT_EQ(getpid(), primary.cpu.thread_id());
}

}  // namespace
}  // namespace poprt::modules::cores
