// The tool's own memory, also if the system gives none.
#include "base/memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace poprt {
namespace {

TEST(Memory, IsAlignedAndNobodyElses) {
  std::vector<char*> blocks;
  std::vector<size_t> sizes;
  for (size_t size = 0; size < (size_t{5} << 20); size += size / 3 + 1) {
    for (const size_t alignment : {16, 64, 4096}) {
      char* const block = static_cast<char*>(memory::take(size, alignment));
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
    memory::release(blocks[i]);
  }
  memory::release(nullptr);
}

TEST(Memory, IsUsedAgain) {
  void* const first = memory::take(1000);
  memory::release(first);
  EXPECT_EQ(first, memory::take(990));
}

TEST(Memory, OfThreadsDoesNotMix) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([i] {
      std::vector<char*> own;
      for (size_t n = 0; n < 2000; ++n) {
        own.push_back(static_cast<char*>(memory::take(n % 300 + 1)));
        own.back()[0] = static_cast<char>(i);
        if (n % 3 == 0) {
          memory::release(own.back());
          own.pop_back();
        }
      }
      for (char* block : own) {
        EXPECT_EQ(i, block[0]);
        memory::release(block);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Memory, ThatIsTooMuchIsNone) {
  EXPECT_EQ(nullptr, memory::take(SIZE_MAX));
  EXPECT_EQ(nullptr, memory::take(SIZE_MAX / 4));
}

TEST(Memory, ThatIsMissingGivesUpTheInnermostPieceOfWork) {
  const int64_t before = memory::given_up();
  bool inner = true;
  bool behind = false;
  const bool outer = memory::attempt([&] {
    inner = memory::attempt([] { memory::run_out(); });
    behind = true;
  });
  EXPECT_FALSE(inner);
  EXPECT_TRUE(behind);
  EXPECT_TRUE(outer);
  EXPECT_EQ(before + 1, memory::given_up());
  EXPECT_TRUE(memory::attempt([] {}));
}

// Returns what is wrong in a process that gets no more memory from the system;
// 0 if nothing is.
int without_memory() {
  memory::prepare();
  const rlimit none = {0, 0};
  if (setrlimit(RLIMIT_AS, &none) != 0) return 1;
  constexpr size_t kBlock = 10000;
  size_t for_events = 0;
  while (memory::take(kBlock) != nullptr) for_events += kBlock;
  if (for_events < (size_t{3} << 20)) return 2;
  memory::begin_end();
  size_t for_end = 0;
  void* last = nullptr;
  while (void* const block = memory::take(kBlock)) {
    last = block;
    for_end += kBlock;
  }
  if (for_end < (size_t{20} << 20)) return 3;
  memory::release(last);
  if (memory::take(kBlock) != last) return 4;
  return memory::take(size_t{30} << 20) == nullptr ? 0 : 5;
}

TEST(Memory, HasAReserveForEventsAndOneForTheEnd) {
  const pid_t child = fork();
  if (child == 0) _exit(without_memory());
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(0, WEXITSTATUS(status));
}

}  // namespace
}  // namespace poprt
