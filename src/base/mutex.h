// A lock for code that a signal handler may interrupt, and in which the handler
// may call the same code again, end the process, or leave by siglongjmp().
//
// A thread never waits for itself: if it finds that it holds the lock already,
// lock() fails, the caller does without what the lock protects, and that is
// counted.  If the holder's stack frame is gone, siglongjmp() has left it, and
// the lock is taken over.  No thread waits longer than a second, because
// another thread may have ended, or left its frame, while it held the lock.
#ifndef POPRT_BASE_MUTEX_H_
#define POPRT_BASE_MUTEX_H_

#include <atomic>
#include <cstdint>

namespace poprt {

class Mutex {
 public:
  constexpr Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  // False: the caller must do without the lock.  `frame` is an address in the
  // caller's stack frame.
  bool lock(const void* frame) {
    const uintptr_t self = own_number();
    uintptr_t seen = 0;
    return (word_.compare_exchange_strong(seen, self, std::memory_order_acquire,
                                          std::memory_order_relaxed) &&
            settle(self, reinterpret_cast<uintptr_t>(frame))) ||
           lock_slowly(self, reinterpret_cast<uintptr_t>(frame));
  }
  void unlock() {
    // A handler on this thread must see what was done before.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    frame_.store(0, std::memory_order_relaxed);
    uintptr_t seen = own_number();
    // Fails if a handler has held and released the lock just now.
    if (!word_.compare_exchange_strong(seen, 0, std::memory_order_release,
                                       std::memory_order_relaxed)) {
      unlock_slowly(seen);
    }
  }

 private:
  static constexpr uintptr_t kAwaited = 1;

  // An even number that differs between all living threads.
  static uintptr_t own_number() {
    return reinterpret_cast<uintptr_t>(__builtin_thread_pointer());
  }
  // A holder has no frame for a moment after it has taken the lock and before
  // it releases it.  Nothing that the lock protects is touched then, so a
  // handler may have the lock.
  bool settle(uintptr_t self, uintptr_t frame) {
    frame_.store(frame, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    return (word_.load(std::memory_order_relaxed) & ~kAwaited) == self;
  }
  bool lock_slowly(uintptr_t self, uintptr_t frame);
  void unlock_slowly(uintptr_t seen);
  bool was_left(uintptr_t frame) const;

  std::atomic<uintptr_t> word_{0};   // the holder, and kAwaited
  std::atomic<uintptr_t> frame_{0};  // the holder's frame
  std::atomic<uintptr_t> lost_{0};   // a holder that was waited for in vain
};

void count_call_that_gives_way();

// Holds the lock during its lifetime, if held().
class [[nodiscard]] MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) : mutex_(mutex), held_(mutex.lock(this)) {
    if (!held_) [[unlikely]]
      count_call_that_gives_way();
  }
  ~MutexLock() {
    if (held_) mutex_.unlock();
  }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  bool held() const { return held_; }

 private:
  Mutex& mutex_;
  const bool held_;
};

// How often a call had to do without a lock, or without an event.
int64_t calls_that_gave_way();

}  // namespace poprt

#endif  // POPRT_BASE_MUTEX_H_
