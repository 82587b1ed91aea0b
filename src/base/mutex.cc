#include "base/mutex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <ctime>

#include "base/left_frame.h"
#include "base/monotonic.h"

namespace poprt {
namespace {

constexpr int64_t kLongestWaitNs = 1'000'000'000;
// For a holder that was already waited for in vain.
constexpr int64_t kShortWaitNs = 100'000;

std::atomic<int64_t> g_gave_way{0};

// A futex has 32 bits: the lower half, which contains kAwaited.
long futex(std::atomic<uintptr_t>* word, int operation, uintptr_t value,
           const timespec* timeout) {
  static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
  return syscall(SYS_futex, word, operation | FUTEX_PRIVATE_FLAG,
                 static_cast<uint32_t>(value), timeout, nullptr, 0);
}

}  // namespace

bool Mutex::was_left(uintptr_t frame) const {
  const uintptr_t held_in = frame_.load(std::memory_order_relaxed);
  return held_in == 0 || is_left(held_in, frame, kLeastSignalFrame);
}

bool Mutex::lock_slowly(uintptr_t self, uintptr_t frame) {
  const int error = errno;
  const int64_t begin = monotonic_ns();
  for (;;) {
    uintptr_t seen = word_.load(std::memory_order_relaxed);
    const uintptr_t holder = seen & ~kAwaited;
    if (holder == self) {
      if (!was_left(frame)) break;
      if (!settle(self, frame)) continue;
      errno = error;
      return true;
    }
    if (holder == 0) {
      // Other threads may wait too.
      if (!word_.compare_exchange_strong(seen, self | kAwaited,
                                         std::memory_order_acquire,
                                         std::memory_order_relaxed)) {
        continue;
      }
      if (!settle(self, frame)) continue;
      errno = error;
      return true;
    }
    const bool lost = lost_.load(std::memory_order_relaxed) == holder;
    const int64_t left =
        (lost ? kShortWaitNs : kLongestWaitNs) - (monotonic_ns() - begin);
    if (left <= 0) {
      lost_.store(holder, std::memory_order_relaxed);
      break;
    }
    if ((seen & kAwaited) == 0 &&
        !word_.compare_exchange_strong(seen, seen | kAwaited,
                                       std::memory_order_relaxed)) {
      continue;
    }
    const timespec timeout = {left / 1'000'000'000, left % 1'000'000'000};
    futex(&word_, FUTEX_WAIT, holder | kAwaited, &timeout);
  }
  errno = error;
  return false;
}

void Mutex::unlock_slowly(uintptr_t seen) {
  if (seen != (own_number() | kAwaited) ||
      !word_.compare_exchange_strong(seen, 0, std::memory_order_release,
                                     std::memory_order_relaxed)) {
    return;
  }
  const int error = errno;
  futex(&word_, FUTEX_WAKE, INT_MAX, nullptr);
  errno = error;
}

void count_call_that_gives_way() {
  g_gave_way.fetch_add(1, std::memory_order_relaxed);
}

int64_t calls_that_gave_way() {
  return g_gave_way.load(std::memory_order_relaxed);
}

}  // namespace poprt
