// A lock whose holder is interrupted by a signal handler that needs the lock.
#include "base/mutex.h"

#include <gtest/gtest.h>

#include <csetjmp>
#include <csignal>
#include <functional>
#include <thread>
#include <vector>

namespace poprt {
namespace {

Mutex g_mutex;
std::function<void()> g_handler;
sigjmp_buf g_out;

// Runs `handler` as a signal from outside would at this place.
void interrupt_by(std::function<void()> handler, int flags = 0) {
  g_handler = std::move(handler);
  struct sigaction action = {};
  action.sa_handler = [](int) { g_handler(); };
  action.sa_flags = flags;
  sigaction(SIGUSR1, &action, nullptr);
  raise(SIGUSR1);
}

bool can_be_had() { return MutexLock(g_mutex).held(); }

TEST(Mutex, IsHadByOneAtATime) {
  int count = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 10000; ++n) {
        const MutexLock lock(g_mutex);
        if (lock.held()) ++count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(40000, count);
}

TEST(Mutex, IsNotWaitedForByItsHoldersHandler) {
  const int64_t before = calls_that_gave_way();
  {
    const MutexLock lock(g_mutex);
    ASSERT_TRUE(lock.held());
    interrupt_by([] {
      EXPECT_FALSE(can_be_had());
      EXPECT_FALSE(can_be_had());
    });
  }
  EXPECT_EQ(before + 2, calls_that_gave_way());
  EXPECT_TRUE(can_be_had());
  interrupt_by([] { EXPECT_TRUE(can_be_had()); });
}

TEST(Mutex, IsNotTakenForLeftByAHandlerOnAStackOfItsOwn) {
  std::vector<char> memory(1 << 16);
  stack_t stack = {};
  stack.ss_sp = memory.data();
  stack.ss_size = memory.size();
  stack_t before;
  ASSERT_EQ(0, sigaltstack(&stack, &before));
  {
    const MutexLock lock(g_mutex);
    interrupt_by([] { EXPECT_FALSE(can_be_had()); }, SA_ONSTACK);
  }
  sigaltstack(&before, nullptr);
  EXPECT_TRUE(can_be_had());
}

[[gnu::noinline]] void leave_with_the_lock() {
  const MutexLock lock(g_mutex);
  ASSERT_TRUE(lock.held());
  interrupt_by([] { siglongjmp(g_out, 1); });
}

TEST(Mutex, IsFreeWhenItsHolderHasBeenLeft) {
  for (int round = 0; round < 3; ++round) {
    if (sigsetjmp(g_out, 1) == 0) leave_with_the_lock();
    EXPECT_TRUE(can_be_had());
    std::thread other([] { EXPECT_TRUE(can_be_had()); });
    other.join();
  }
}

}  // namespace
}  // namespace poprt
