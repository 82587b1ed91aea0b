// What the entries of thread functions have in common.
#ifndef POPRT_MODULES_THREADS_THREAD_CALL_H_
#define POPRT_MODULES_THREADS_THREAD_CALL_H_

#include <atomic>
#include <cerrno>
#include <cstdint>

#include "base/left_frame.h"
#include "measure/events.h"
#include "modules/threads/program_threads.h"
#include "openmp/locks.h"

namespace poprt::modules::threads {

extern constinit ProgramThreads g_program_threads;

struct ThreadCalls {
  // The thread is in an event of this module.  A signal handler that calls
  // sem_post() meanwhile makes no event.
  std::atomic<bool> busy;
  LockPolling polled;  // the last failed attempts to take a mutex
  // The thread is in a call that waits for `awaited`, and then for a mutex.
  std::atomic<bool> waits;
  LockWait awaited;
  LockWait awaited_mutex;
  std::atomic<uintptr_t> frame;  // the stack frame of the entry
};
inline constexpr uint32_t kCallingThreads = 8192;
extern ThreadCalls g_calls[kCallingThreads];

inline ThreadCalls& calls_of(const Thread& thread) {
  return g_calls[thread.number() % kCallingThreads];
}
inline std::atomic<bool>& busy(const Thread& thread) {
  return calls_of(thread).busy;
}

// Ends what a call of this module has begun.  For a call that the program has
// left by siglongjmp() out of a signal handler, or by the thread's end.
[[gnu::cold]] void leave_call(Thread& thread);
// Whether the program has left a call so, by the stack frame `now` of another
// entry.  If so, calls leave_call(), and returns whether the thread is useful.
[[gnu::cold]] bool has_left_call(Thread& thread, uintptr_t now);

// The calling thread, if it is measured and in useful code: not in MPI, not in
// the OpenMP runtime, not in this module.  Else null.
[[gnu::always_inline]] inline Thread* working_thread() {
  Thread* const thread = measured_thread();
  if (thread == nullptr) return nullptr;
  if (thread->state() == State::kUseful &&
      !busy(*thread).load(std::memory_order_relaxed)) {
    return thread;
  }
  return has_left_call(*thread,
                       reinterpret_cast<uintptr_t>(__builtin_frame_address(0)))
             ? thread
             : nullptr;
}

// Exists during the tool's work at an event.  Restores the program's errno.
class ToolWork {
 public:
  [[gnu::always_inline]] explicit ToolWork(const Thread& thread)
      : busy_(busy(thread)), errno_(errno) {
    calls_of(thread).frame.store(
        reinterpret_cast<uintptr_t>(__builtin_frame_address(0)),
        std::memory_order_relaxed);
    busy_.store(true, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~ToolWork() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    busy_.store(false, std::memory_order_relaxed);
    errno = errno_;
  }
  ToolWork(const ToolWork&) = delete;
  ToolWork& operator=(const ToolWork&) = delete;

 private:
  std::atomic<bool>& busy_;
  const int errno_;
};

// The Lock of a mutex, condition, barrier, semaphore, or thread's end, by its
// address, in one table with OpenMP's locks.
inline Lock* lock_of(const volatile void* object) {
  return poprt::lock_of(reinterpret_cast<uint64_t>(object));
}

// The same if a thread has waited for the object, else null.  Only reads, so a
// signal handler may interrupt it.
inline Lock* known_lock(const volatile void* object) {
  return poprt::known_lock(reinterpret_cast<uint64_t>(object));
}

// The event at which a wait for `object`, and then for `mutex`, begins.
inline LockWait begin_wait(Thread& thread, Lock* object,
                           const LockWait& mutex = {}) {
  ThreadCalls& calls = calls_of(thread);
  calls.awaited = {};
  calls.awaited_mutex = mutex;
  calls.waits.store(true, std::memory_order_relaxed);
  calls.awaited = g_program_threads.wait_begins(thread, object, leave_ns());
  return calls.awaited;
}
// To be called when the call has returned.  False: measurement is over, or the
// wait has been ended by leave_call().
inline bool is_in_wait(const Thread& thread) {
  return measuring() && calls_of(thread).waits.load(std::memory_order_relaxed);
}
inline void wait_is_over(const Thread& thread) {
  calls_of(thread).waits.store(false, std::memory_order_relaxed);
}

// Makes a call that waits for others.  `is_over` tells from its result whether
// the wait had success.  Cancellation of the thread may leave the call, so no
// object here has a destructor while the call lasts.
template <class Call, class IsOver>
auto waiting(const volatile void* object, Call call, IsOver is_over) {
  Thread* const thread = working_thread();
  if (thread == nullptr) return call();
  LockWait wait;
  {
    const ToolWork work(*thread);
    wait = begin_wait(*thread, lock_of(object));
  }
  const auto result = call();
  if (is_in_wait(*thread)) {
    const bool merges = is_over(result);
    const ToolWork work(*thread);
    wait_is_over(*thread);
    g_program_threads.wait_ends(*thread, wait, merges, now_ns());
  }
  return result;
}

// A call got the object without a wait: merges the clocks at the object.
inline void take(const volatile void* object) {
  Thread* const thread = working_thread();
  if (thread == nullptr) return;
  const ToolWork work(*thread);
  if (Lock* const known = lock_of(object)) {
    g_program_threads.takes(*thread, *known, now_ns());
  }
}

// A call is about to let others go on: leaves the clocks at the object.
inline void let_go(const volatile void* object) {
  Thread* const thread = working_thread();
  if (thread == nullptr) return;
  const ToolWork work(*thread);
  if (Lock* const known = lock_of(object)) {
    g_program_threads.lets_go(*thread, *known, leave_ns());
  }
}
// As let_go() if threads wait: a signal does nothing to those that come later.
inline void let_waiting_go(const volatile void* object) {
  const Lock* const known = known_lock(object);
  if (known != nullptr && threads_waiting_for(*known) != 0) let_go(object);
}

// A mutex or read-write lock is about to be released: leaves the clocks there
// if another thread waits.
[[gnu::noinline]] void hand_on(Lock& lock);
[[gnu::always_inline]] inline void leave_mutex(const volatile void* mutex) {
  if (t_thread == nullptr) return;
  Lock* const lock = known_lock(mutex);
  if (lock == nullptr) return;
  if (is_awaited(*lock) || calls_of(*t_thread).polled.since.lock == lock) {
    hand_on(*lock);
  }
}

// The object is destroyed, so an object at its address is another one later.
inline void forget(const volatile void* object) {
  if (measuring()) forget_lock(reinterpret_cast<uint64_t>(object));
}
// As the entry of a function.
struct Destroys {
  static auto call(const auto& function, auto* object) {
    forget(object);
    return function(object);
  }
};

}  // namespace poprt::modules::threads

#endif  // POPRT_MODULES_THREADS_THREAD_CALL_H_
