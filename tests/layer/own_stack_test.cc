// Work on a stack of the tool's own.
#include "base/own_stack.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

#include <algorithm>
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
// Enough for GoogleTest and the sanitizers. aarch64 has no thread with less
// than 128 KiB.
const size_t kLittle =
    std::max(size_t{64} << 10, static_cast<size_t>(PTHREAD_STACK_MIN));

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

void on_thread(char* low, size_t bytes, std::function<void()> work) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  ASSERT_EQ(0, pthread_attr_setstack(&attributes, low, bytes));
  ASSERT_EQ(0, pthread_create(&thread, &attributes, call, &work));
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

void on_thread(const Stack& stack, std::function<void()> work) {
  on_thread(stack.low(), stack.bytes() + thread_local_bytes(), std::move(work));
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

// --- how much is left --------------------------------------------------------

Mapping mapping_in(const std::vector<std::string>& lines, size_t here) {
  MappingSearch search(here);
  for (const std::string& line : lines) {
    if (!search.take(line)) break;
  }
  return search.found();
}

TEST(MappingSearch, FindsTheMappingAndWhatIsDirectlyBelow) {
  constexpr size_t kHere = 0x7f0000050000;
  const std::string heap = "7efff0000000-7efff0100000 rw-p 00000000 00:00 0 ";
  const std::string guard = "7f0000000000-7f0000001000 ---p 00000000 00:00 0 ";
  const std::string stack = "7f0000001000-7f0000100000 rw-p 00000000 00:00 0 ";
  const std::string apart = "7f0000002000-7f0000100000 rw-p 00000000 00:00 0 ";
  const Mapping found = mapping_in({heap, guard, stack}, kHere);
  EXPECT_EQ(size_t{0x7f0000001000}, found.begin);
  EXPECT_EQ(size_t{0x7f0000100000}, found.end);
  EXPECT_TRUE(found.behind_guard);
  EXPECT_FALSE(mapping_in({heap, stack}, kHere).behind_guard);
  EXPECT_FALSE(mapping_in({heap, guard, apart}, kHere).behind_guard);
  EXPECT_EQ(size_t{0}, mapping_in({heap}, kHere).end);
  EXPECT_EQ(size_t{0}, mapping_in({heap, guard, stack}, 0x7f0000200000).end);
}

// --- stacks in one mapping ---------------------------------------------------

constexpr size_t kMuch = 1 << 20;

// From low to high: a mapping that cannot be accessed, `gap` bytes without any,
// and one with two stacks, each with `guard` bytes below it.
class TwoStacks {
 public:
  TwoStacks(size_t gap, size_t lower, size_t upper, size_t guard)
      : lower_(lower + thread_local_bytes()),
        upper_(upper + thread_local_bytes()),
        guard_(guard),
        bytes_(3 * kGuard + 2 * guard_ + lower_ + upper_),
        memory_(static_cast<char*>(mmap(nullptr, bytes_, PROT_NONE,
                                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    mprotect(begin(), 2 * guard_ + lower_ + upper_, PROT_READ | PROT_WRITE);
    munmap(begin() - gap, gap);
  }
  ~TwoStacks() { munmap(memory_, bytes_); }
  TwoStacks(const TwoStacks&) = delete;
  TwoStacks& operator=(const TwoStacks&) = delete;

  // False: this kernel has none that are no mapping of their own.
  bool install_guards() {
    constexpr int kInstallGuard = 102;  // MADV_GUARD_INSTALL
    return madvise(begin(), guard_, kInstallGuard) == 0 &&
           madvise(begin() + guard_ + lower_, guard_, kInstallGuard) == 0;
  }
  size_t left_on_lower() { return left_on(begin() + guard_, lower_); }
  size_t left_on_upper() {
    return left_on(begin() + 2 * guard_ + lower_, upper_);
  }

 private:
  char* begin() const { return memory_ + 2 * kGuard; }
  static size_t left_on(char* low, size_t bytes) {
    size_t left = 0;
    on_thread(low, bytes, [&] { left = stack_left(); });
    return left;
  }

  const size_t lower_;
  const size_t upper_;
  const size_t guard_;
  const size_t bytes_;
  char* const memory_;
};

// As threads have them since glibc 2.42.
TEST(StackLeft, IsAboveAGuardThatIsNoMapping) {
  for (const size_t gap : {size_t{0}, kGuard}) {
    TwoStacks stacks(gap, kMuch, kLittle, kGuard);
    if (!stacks.install_guards()) GTEST_SKIP() << "no such guards";
    EXPECT_GE(stacks.left_on_lower(), kRoom);
    EXPECT_GT(stacks.left_on_upper(), size_t{0});
    EXPECT_LT(stacks.left_on_upper(), kRoom);
  }
}

TEST(StackLeft, IsNotKnownWithoutAGuard) {
  TwoStacks stacks(kGuard, kMuch, kMuch, 0);
  EXPECT_EQ(size_t{0}, stacks.left_on_lower());
  EXPECT_EQ(size_t{0}, stacks.left_on_upper());
}

TEST(StackLeft, IsNotKnownOfALowerStackWithoutAGuardAboveIt) {
  TwoStacks stacks(0, kMuch, kMuch, 0);
  EXPECT_EQ(size_t{0}, stacks.left_on_lower());
}

TEST(StackLeft, IsNotKnownOnAFibre) {
  static ucontext_t thread, fibre;
  static size_t left;
  const Stack stack(kMuch);
  left = kMuch;
  std::thread([&] {
    getcontext(&fibre);
    fibre.uc_stack = {stack.low(), 0, stack.bytes()};
    fibre.uc_link = &thread;
    makecontext(
        &fibre, [] { left = stack_left(); }, 0);
    swapcontext(&thread, &fibre);
  }).join();
  EXPECT_EQ(size_t{0}, left);
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
