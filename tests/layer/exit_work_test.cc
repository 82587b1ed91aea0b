// Ends of processes, each in a child of its own.
#include "session/exit_work.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace poprt {
namespace {

constexpr int64_t kAnHour_ns = int64_t{3'600'000'000'000};
constexpr int kStatus = 3;
constexpr bool kExitIsForOne = __GLIBC_PREREQ(2, 41);  // a thread at a time

// Memory that the processes of a test share.
struct Shared {
  std::atomic<int> in_exit{0};
  std::atomic<bool> begun{false};
  std::atomic<bool> may_end{false};
  std::atomic<int> done{0};
};
Shared* g_shared = nullptr;

class ExitWork : public testing::Test {
 protected:
  void SetUp() override {
    void* const memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(MAP_FAILED, memory);
    g_shared = new (memory) Shared;
  }
  void TearDown() override { munmap(g_shared, sizeof(Shared)); }

  // The exit status of a process with this work.
  template <class Program>
  static int status_of(void (*work)(), int64_t patience_ns, Program program) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      set_exit_work(work, patience_ns);
      program();
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  [[noreturn]] static void exit_in_threads(int threads) {
    for (int i = 1; i < threads; ++i)
      std::thread(exit_once_all_do, threads).detach();
    exit_once_all_do(threads);
  }
  [[noreturn]] static void exit_once_all_do(int threads) {
    g_shared->in_exit.fetch_add(1);
    while (g_shared->in_exit.load() < threads) sched_yield();
    exit(kStatus);
  }
};

void take_long() {
  for (int i = 0; i < 2000; ++i) sched_yield();
  g_shared->done.fetch_add(1);
}

TEST_F(ExitWork, IsDoneOnceWhateverThreadsExitMeanwhile) {
  for (int threads : {1, 2, 3, 16}) {
    for (int round = 0; round < 5; ++round) {
      g_shared->in_exit.store(0);
      g_shared->done.store(0);
      EXPECT_EQ(kStatus, status_of(take_long, kAnHour_ns,
                                   [=] { exit_in_threads(threads); }));
      EXPECT_EQ(1, g_shared->done.load()) << threads << " threads";
    }
  }
}

TEST_F(ExitWork, ThatNeverEndsDoesNotKeepTheProgramFromEnding) {
  // From 2.41 on exit() itself waits for the first thread in it, and nobody
  // else comes to this library.
  if (kExitIsForOne) GTEST_SKIP();
  const auto hang = [] {
    for (;;) pause();
  };
  EXPECT_EQ(kStatus, status_of(hang, 20'000'000, [] { exit_in_threads(3); }));
}

TEST_F(ExitWork, DoesNotWaitForItself) {
  EXPECT_EQ(4, status_of([] { exit(4); }, kAnHour_ns, [] { exit(kStatus); }));
}

void last_until_allowed() {
  g_shared->begun.store(true);
  while (!g_shared->may_end.load()) sched_yield();
  g_shared->done.fetch_add(1);
}

TEST_F(ExitWork, IsNothingToTheChildOfAFork) {
  // The child would wait in exit() for a thread that it does not have.
  if (kExitIsForOne) GTEST_SKIP();
  EXPECT_EQ(kStatus, status_of(last_until_allowed, kAnHour_ns, [] {
              std::thread([] { exit(kStatus); }).detach();
              while (!g_shared->begun.load()) sched_yield();
              const int status = [] {
                const pid_t child = fork();
                if (child == 0) {
                  drop_exit_work();
                  exit(0);
                }
                int result = -1;
                waitpid(child, &result, 0);
                return result;
              }();
              if (status != 0) _exit(1);
              // The other thread ends the process.  The C library's exit() is
              // not for two threads at a time.
              g_shared->may_end.store(true);
              for (;;) pause();
            }));
  EXPECT_EQ(1, g_shared->done.load());
}

}  // namespace
}  // namespace poprt
