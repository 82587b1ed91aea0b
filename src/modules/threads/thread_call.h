// What the entries of thread functions have in common.
#ifndef POPRT_MODULES_THREADS_THREAD_CALL_H_
#define POPRT_MODULES_THREADS_THREAD_CALL_H_

#include <atomic>
#include <cerrno>
#include <cstdint>

#include "measure/events.h"
#include "modules/threads/program_threads.h"
#include "openmp/locks.h"

namespace poprt::modules::threads {

extern constinit ProgramThreads g_program_threads;

// Whether a thread is in an event of this module, by its number.  A signal
// handler may call sem_post() then.
inline constexpr uint32_t kBusyThreads = 8192;
extern std::atomic<bool> g_busy[kBusyThreads];

inline std::atomic<bool>& busy(const Thread& thread) {
  return g_busy[thread.number() % kBusyThreads];
}

// The calling thread, if it is measured and in useful code of the program: not
// in MPI, not in the OpenMP runtime, not in this module.
inline Thread* working_thread() {
  Thread* const thread = measured_thread();
  return thread != nullptr && thread->state() == State::kUseful &&
                 !busy(*thread).load(std::memory_order_relaxed)
             ? thread
             : nullptr;
}

// The tool's work at an event.  The program's errno stays as it is.
class ToolWork {
 public:
  explicit ToolWork(const Thread& thread) : busy_(busy(thread)), errno_(errno) {
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

// What is known of a mutex, a condition, a barrier, a semaphore, or of the end
// of a thread: in one table with OpenMP's locks, by address.
inline Lock* lock_of(const volatile void* object) {
  return poprt::lock_of(reinterpret_cast<uint64_t>(object));
}

// A call that waits for others.  `is_over` tells from the result whether it did
// not wait in vain.  Nothing here has a destructor while the call lasts: it may
// be left by the thread's cancellation.
template <class Call, class IsOver>
auto waiting(const volatile void* object, Call call, IsOver is_over) {
  Thread* const thread = working_thread();
  if (thread == nullptr) return call();
  Lock* known = nullptr;
  {
    const ToolWork work(*thread);
    known = lock_of(object);
    g_program_threads.wait_begins(*thread, known, leave_ns());
  }
  const auto result = call();
  if (measuring()) {
    const bool merges = is_over(result);
    const ToolWork work(*thread);
    g_program_threads.wait_ends(*thread, known, merges, now_ns());
  }
  return result;
}

// A call that has not waited depends on those that let the object go.
inline void take(const volatile void* object) {
  Thread* const thread = working_thread();
  if (thread == nullptr) return;
  const ToolWork work(*thread);
  if (Lock* const known = lock_of(object)) {
    g_program_threads.takes(*thread, *known, now_ns());
  }
}

// A call is about to let others go on.  `always`: also those that come later.
inline void let_go(const volatile void* object, bool always = true) {
  Thread* const thread = working_thread();
  if (thread == nullptr) return;
  const ToolWork work(*thread);
  Lock* const known = lock_of(object);
  if (known == nullptr) return;
  if (!always && known->waiting.load(std::memory_order_relaxed) == 0) return;
  g_program_threads.lets_go(*thread, *known, leave_ns());
}

// A mutex is about to be let go.  The thread leaves its clocks there only if
// another one may have an interest in them, as for OpenMP's locks.
inline void leave_mutex(const volatile void* mutex) {
  Thread* const thread = working_thread();
  if (thread == nullptr) return;
  const ToolWork work(*thread);
  Lock* const lock = lock_of(mutex);
  if (lock != nullptr &&
      lock_is_handed_on(*thread, *lock,
                        static_cast<uint32_t>(thread->events()))) {
    lock_handed_on(*thread, *lock, leave_ns());
  }
}

// The object is destroyed: the next one at its address is another one.
inline void forget(const volatile void* object) {
  if (measuring()) forget_lock(reinterpret_cast<uint64_t>(object));
}

}  // namespace poprt::modules::threads

#endif  // POPRT_MODULES_THREADS_THREAD_CALL_H_
