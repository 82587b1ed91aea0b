// The tool's own memory, also if the system gives none.
#include "base/memory.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

// The sanitizers have their own mmap().
#ifndef POPRT_OTHER_BUILD
// How often memory was mapped or unmapped, and whether a handler could have run
// meanwhile.
static int g_maps = 0;
static bool g_interruptible = false;

static void look_at_signals() {
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  ++g_maps;
  if (sigismember(&blocked, SIGALRM) == 0) g_interruptible = true;
}

// In place of the C library's.
extern "C" void* mmap(void* at, size_t bytes, int rights, int flags, int file,
                      off_t offset) noexcept {
  look_at_signals();
  return reinterpret_cast<void*>(
      syscall(SYS_mmap, at, bytes, rights, flags, file, offset));
}
extern "C" int munmap(void* at, size_t bytes) noexcept {
  look_at_signals();
  return static_cast<int>(syscall(SYS_munmap, at, bytes));
}
#endif

namespace poprt {
namespace {

TEST(Memory, IsAlignedAndNobodyElses) {
  std::vector<char*> blocks;
  std::vector<size_t> sizes;
  for (size_t size = 0; size < (size_t{5} << 20); size += size / 3 + 1) {
    for (const size_t alignment : {16, 64, 4096}) {
      char* const block = static_cast<char*>(take_memory(size, alignment));
      ASSERT_NE(nullptr, block) << size;
      EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(block) % alignment);
      std::memset(block, static_cast<int>(blocks.size() % 251), size);
      blocks.push_back(block);
      sizes.push_back(size);
    }
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_EQ(std::string(sizes[i], static_cast<char>(i % 251)),
              std::string(blocks[i], sizes[i]));
    release_memory(blocks[i]);
  }
  release_memory(nullptr);
}

TEST(Memory, IsUsedAgain) {
  void* const first = take_memory(1000);
  release_memory(first);
  EXPECT_EQ(first, take_memory(990));
}

TEST(Memory, OfThreadsDoesNotMix) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([i] {
      std::vector<char*> own;
      for (size_t n = 0; n < 2000; ++n) {
        own.push_back(static_cast<char*>(take_memory(n % 300 + 1)));
        own.back()[0] = static_cast<char>(i);
        if (n % 3 == 0) {
          release_memory(own.back());
          own.pop_back();
        }
      }
      for (char* block : own) {
        EXPECT_EQ(i, block[0]);
        release_memory(block);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Memory, ThatIsTooMuchIsNone) {
  EXPECT_EQ(nullptr, take_memory(SIZE_MAX));
  EXPECT_EQ(nullptr, take_memory(SIZE_MAX / 4));
}

TEST(Memory, ThatIsMissingGivesUpTheInnermostPieceOfWork) {
  const int64_t before = work_given_up();
  bool inner = true;
  bool behind = false;
  const bool outer = attempt_with_memory([&] {
    inner = attempt_with_memory([] { run_out_of_memory(); });
    behind = true;
  });
  EXPECT_FALSE(inner);
  EXPECT_TRUE(behind);
  EXPECT_TRUE(outer);
  EXPECT_EQ(before + 1, work_given_up());
  EXPECT_TRUE(attempt_with_memory([] {}));
}

// Returns what is wrong in a process that gets no more memory from the system;
// 0 if nothing is.
int without_memory() {
  reserve_memory();
  const rlimit none = {0, 0};
  if (setrlimit(RLIMIT_AS, &none) != 0) return 1;
  constexpr size_t kBlock = 10000;
  size_t for_events = 0;
  while (take_memory(kBlock) != nullptr) for_events += kBlock;
  if (for_events < (size_t{3} << 20)) return 2;
  open_reserve_for_end();
  size_t for_end = 0;
  void* last = nullptr;
  while (void* const block = take_memory(kBlock)) {
    last = block;
    for_end += kBlock;
  }
  if (for_end < (size_t{20} << 20)) return 3;
  release_memory(last);
  if (take_memory(kBlock) != last) return 4;
  return take_memory(size_t{30} << 20) == nullptr ? 0 : 5;
}

TEST(Memory, HasAReserveForEventsAndOneForTheEnd) {
  const pid_t child = fork();
  if (child == 0) _exit(without_memory());
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(0, WEXITSTATUS(status));
}

#ifndef POPRT_OTHER_BUILD
// A handler that leaves by siglongjmp() must not leave mmap(), which libraries
// intercept, with locks of their own.
TEST(Memory, IsMappedWithoutInterruption) {
  g_maps = 0;
  g_interruptible = false;
  void* const large = take_memory(size_t{5} << 20, 16);
  ASSERT_NE(nullptr, large);
  release_memory(large);
  EXPECT_EQ(2, g_maps);
  EXPECT_FALSE(g_interruptible);
}
#endif

}  // namespace
}  // namespace poprt
