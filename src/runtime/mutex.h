// A lock for code that a signal's handler may interrupt, and in which the
// handler may call the same code again, end the process, or leave by
// siglongjmp().
//
// A thread never waits for itself: whoever finds that the own thread has the
// lock gives way, does without what the lock protects, and is counted.  A
// holder whose stack frame is gone has been left for good, and has the lock no
// more.  Nobody waits longer than a second: another thread may have been left
// with the lock, or ended.
#ifndef POPRT_RUNTIME_MUTEX_H_
#define POPRT_RUNTIME_MUTEX_H_

#include <atomic>
#include <cstdint>

namespace poprt {

class Mutex {
 public:
  constexpr Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  // False: to be done without.  `frame` is an address in the caller's frame.
  bool lock(const void* frame) {
    const uintptr_t self = own_number();
    uintptr_t seen = 0;
    return (word_.compare_exchange_strong(seen, self, std::memory_order_acquire,
                                          std::memory_order_relaxed) &&
            settle(self, reinterpret_cast<uintptr_t>(frame))) ||
           lock_slowly(self, reinterpret_cast<uintptr_t>(frame));
  }
  void unlock() {
    // A handler of this thread sees what was done before, too.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    frame_.store(0, std::memory_order_relaxed);
    uintptr_t seen = own_number();
    // Not if a handler has had the lock just now, and given it back.
    if (!word_.compare_exchange_strong(seen, 0, std::memory_order_release,
                                       std::memory_order_relaxed)) {
      unlock_slowly(seen);
    }
  }

 private:
  static constexpr uintptr_t kAwaited = 1;

  // Different for all threads that live, and even.
  static uintptr_t own_number() {
    return reinterpret_cast<uintptr_t>(__builtin_thread_pointer());
  }
  // The holder has no frame yet, or no more, while nothing that the lock
  // protects is in between: then a handler may have the lock.
  bool settle(uintptr_t self, uintptr_t frame) {
    frame_.store(frame, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    return (word_.load(std::memory_order_relaxed) & ~kAwaited) == self;
  }
  bool lock_slowly(uintptr_t self, uintptr_t frame);
  void unlock_slowly(uintptr_t seen);
  bool was_left(uintptr_t frame) const;

  std::atomic<uintptr_t> word_{0};   // the holder, kAwaited
  std::atomic<uintptr_t> frame_{0};  // the holder's
  std::atomic<uintptr_t> lost_{0};   // the holder that was waited for in vain
};

// Has the lock as long as it lives, if held().
class [[nodiscard]] MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) : mutex_(mutex), held_(mutex.lock(this)) {
    if (!held_) [[unlikely]]
      count();
  }
  ~MutexLock() {
    if (held_) mutex_.unlock();
  }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  bool held() const { return held_; }

 private:
  static void count();

  Mutex& mutex_;
  const bool held_;
};

// How often somebody has given way.
int64_t calls_that_gave_way();

}  // namespace poprt

#endif  // POPRT_RUNTIME_MUTEX_H_
