// Work on a stack of the tool's own.
#include "base/own_stack.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/guard.h"
#include "base/mutex.h"
#include "base/stack_left.h"

namespace poprt {
namespace {

constexpr size_t kGuard = 64 << 10;
// Enough for GoogleTest and the sanitizers.
constexpr size_t kLittle = 64 << 10;

void* end_at_once(void*) { return nullptr; }

// Thread-local memory lies at the upper end of a thread's stack.  Of
// ThreadSanitizer it is more than these tests leave of it.
size_t thread_local_bytes() {
  static const size_t bytes = [] {
    constexpr size_t kMost = 4 << 20;
    void* const memory = mmap(nullptr, kMost, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    const auto least = static_cast<size_t>(PTHREAD_STACK_MIN);
    size_t size = least;
    while (pthread_attr_setstack(&attributes, memory, size) == 0 &&
           pthread_create(&thread, &attributes, end_at_once, nullptr) != 0 &&
           size < kMost) {
      size += 4096;
    }
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
    munmap(memory, kMost);
    return size - least;
  }();
  return bytes;
}

class Stack {
 public:
  explicit Stack(size_t bytes)
      : bytes_(bytes),
        memory_(static_cast<char*>(mmap(nullptr, mapped_bytes(),
                                        PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    mprotect(memory_, kGuard, PROT_NONE);
  }
  ~Stack() { munmap(memory_, mapped_bytes()); }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;

  char* low() const { return memory_ + kGuard; }
  size_t bytes() const { return bytes_; }

 private:
  size_t mapped_bytes() const { return kGuard + bytes_ + thread_local_bytes(); }

  const size_t bytes_;
  char* const memory_;
};

void* call(void* work) {
  (*static_cast<std::function<void()>*>(work))();
  return nullptr;
}

void on_thread(const Stack& stack, std::function<void()> work) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  ASSERT_EQ(0, pthread_attr_setstack(&attributes, stack.low(),
                                     stack.bytes() + thread_local_bytes()));
  ASSERT_EQ(0, pthread_create(&thread, &attributes, call, &work));
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

std::function<void()> g_handler;

void interrupt_by(std::function<void()> handler) {
  g_handler = std::move(handler);
  struct sigaction action = {};
  action.sa_flags = SA_ONSTACK;
  action.sa_handler = [](int) { g_handler(); };
  sigaction(SIGUSR1, &action, nullptr);
  raise(SIGUSR1);
}

void in_handler(const Stack& stack, std::function<void()> work) {
  const stack_t alternate = {stack.low(), 0, stack.bytes()};
  stack_t before;
  ASSERT_EQ(0, sigaltstack(&alternate, &before));
  interrupt_by(std::move(work));
  sigaltstack(&before, nullptr);
}

bool is_in(const Stack& stack, const void* place) {
  return place >= stack.low() && place < stack.low() + stack.bytes();
}

// Where work with room has its frame.
const void* place_of_work() {
  const void* place = nullptr;
  EXPECT_EQ(Outcome::kDone, outcome_with_room([&] {
              char here;
              place = &here;
              EXPECT_GE(stack_left(), kRoom - 4096);
            }));
  return place;
}

[[gnu::noinline]] void use(size_t bytes) {
  volatile char room[4096];
  room[0] = 1;
  if (bytes > sizeof room) use(bytes - sizeof room);
  room[1] = room[0];
}

TEST(OwnStack, IsNotUsedWhereMuchIsLeft) {
  EXPECT_GE(stack_left(), kRoom);
  char here;
  const auto distance = reinterpret_cast<intptr_t>(&here) -
                        reinterpret_cast<intptr_t>(place_of_work());
  EXPECT_LT(std::abs(distance), 65536);
  std::thread([] {
    EXPECT_GE(stack_left(), kRoom);
    EXPECT_EQ(nullptr, t_own_stack);
    (void)outcome_with_room([] { EXPECT_EQ(nullptr, t_own_stack); });
  }).join();
}

TEST(OwnStack, IsUsedWhereLittleIsLeft) {
  const Stack stack(kLittle);
  on_thread(stack, [&] {
    EXPECT_FALSE(is_in(stack, place_of_work()));
    (void)outcome_with_room([] { use(kRoom - 8192); });
    EXPECT_EQ(nullptr, t_own_stack);
  });
  in_handler(stack, [&] { EXPECT_FALSE(is_in(stack, place_of_work())); });
}

TEST(OwnStack, IsUsedOnceForNestedWork) {
  const Stack stack(kLittle);
  on_thread(stack, [&] {
    (void)outcome_with_room([] {
      const OwnStack* const own = t_own_stack;
      ASSERT_NE(nullptr, own);
      (void)outcome_with_room([&] { EXPECT_EQ(own, t_own_stack); });
      EXPECT_EQ(own, t_own_stack);
    });
  });
}

TEST(OwnStack, WorkOnItEndsInEachWay) {
  const Stack stack(kLittle);
  on_thread(stack, [] {
    EXPECT_EQ(Outcome::kNoMemory,
              outcome_with_room([] { run_out_of_memory(); }));
    EXPECT_EQ(Outcome::kError, outcome_with_room([] {
                const std::vector<int> none;
                std::string text = std::to_string(none.at(5));
              }));
    EXPECT_EQ(nullptr, t_own_stack);
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    EXPECT_EQ(0, sigismember(&blocked, SIGUSR1));
  });
}

TEST(OwnStack, HandlersRunWhenTheWorkIsDone) {
  const Stack stack(kLittle);
  bool done = false;
  bool handled = false;
  g_handler = [&] { handled = done; };
  struct sigaction action = {};
  action.sa_handler = [](int) { g_handler(); };
  sigaction(SIGUSR1, &action, nullptr);
  on_thread(stack, [&] {
    (void)outcome_with_room([&] {
      pthread_kill(pthread_self(), SIGUSR1);
      done = true;
    });
    EXPECT_TRUE(handled);
  });
}

// A holder of a lock that was interrupted has not been left.
TEST(OwnStack, IsNoReasonToTakeOverALock) {
  const Stack stack(kLittle);
  Mutex mutex;
  const auto locks = [&] {
    bool held = true;
    (void)outcome_with_room([&] { held = MutexLock(mutex).held(); });
    return held;
  };
  on_thread(stack, [&] {
    const MutexLock lock(mutex);
    interrupt_by([&] { EXPECT_FALSE(locks()); });
  });
  const MutexLock lock(mutex);
  in_handler(stack, [&] { EXPECT_FALSE(locks()); });
}

// --- the search in /proc/self/maps ------------------------------------------

size_t left_in(const std::vector<std::string>& lines, size_t here,
               size_t thread_pointer) {
  StackSearch search(here, thread_pointer);
  for (const std::string& line : lines) {
    if (!search.take(line)) break;
  }
  return search.left();
}

TEST(StackLeft, OfAThreadIsBetweenItsGuardAndTheFrame) {
  constexpr size_t kHere = 0x7f0000050000;
  constexpr size_t kData = 0x7f00000ff000;
  const std::string heap = "7efff0000000-7efff0100000 rw-p 00000000 00:00 0 ";
  const std::string guard = "7f0000000000-7f0000001000 ---p 00000000 00:00 0 ";
  const std::string stack = "7f0000001000-7f0000100000 rw-p 00000000 00:00 0 ";
  EXPECT_EQ(size_t{0x4f000}, left_in({heap, guard, stack}, kHere, kData));
  // Another stack may be below in the same mapping.
  EXPECT_EQ(size_t{0}, left_in({heap, stack}, kHere, kData));
  // A fibre: glibc's data of the thread is elsewhere.
  EXPECT_EQ(size_t{0}, left_in({heap, guard, stack}, kHere, 0x7f0000200000));
  // Stacks of several threads.
  const std::string large = "7f0000001000-7f0000900000 rw-p 00000000 00:00 0 ";
  EXPECT_EQ(size_t{0}, left_in({heap, guard, large}, kHere, kData));
  EXPECT_EQ(size_t{0}, left_in({heap}, kHere, kData));
}

TEST(StackLeft, OfTheFirstThreadIsWhatTheLimitAllows) {
  rlimit before;
  ASSERT_EQ(0, getrlimit(RLIMIT_STACK, &before));
  rlimit little = before;
  little.rlim_cur = size_t{1} << 20;
  ASSERT_EQ(0, setrlimit(RLIMIT_STACK, &little));
  const size_t left = stack_left();
  setrlimit(RLIMIT_STACK, &before);
  EXPECT_GT(left, size_t{512} << 10);
  EXPECT_LT(left, size_t{1} << 20);
}

}  // namespace
}  // namespace poprt
