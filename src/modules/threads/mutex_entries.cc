// Mutexes and read-write locks.  Those of C11 are pthreads' under other names,
// but the C library calls its own functions directly.
#include <pthread.h>
#include <threads.h>

#include "modules/threads/entries.h"
#include "modules/threads/thread_call.h"

namespace poprt::modules::threads {

void hand_on(Lock& lock) {
  Thread* const thread = working_thread();
  if (thread == nullptr) return;
  const ToolWork work(*thread);
  LockPolling& polled = calls_of(*thread).polled;
  if (polled.since.lock == &lock) polled = {};
  if (is_awaited(lock)) lock_left(*thread, lock, leave_ns());
}

namespace {

// EOWNERDEAD: its holder has died; the thread has it now.
bool is_had(int result) { return result == 0 || result == EOWNERDEAD; }
static_assert(thrd_success == 0);

// The thread has to wait for the mutex or read-write lock, or may have to: it
// was not `tried`.
template <class Take>
[[gnu::noinline]] int taking(const void* mutex, bool tried, Take take) {
  Thread* const thread = working_thread();
  if (thread == nullptr) return take();
  LockWait wait;
  {
    const ToolWork work(*thread);
    wait = begin_wait(*thread, lock_of(mutex));
  }
  const int result = take();
  if (is_in_wait(*thread)) {
    const ToolWork work(*thread);
    wait_is_over(*thread);
    const bool taken = is_had(result) && (tried || is_answered(wait));
    g_program_threads.mutex_wait_ends(*thread, wait, taken, now_ns());
  }
  return result;
}

// A call that follows one that has failed has waited.
[[gnu::noinline]] void polls(const void* mutex, bool is_taken) {
  Thread* const thread = working_thread();
  if (thread == nullptr) return;
  const ToolWork work(*thread);
  LockPolling& polled = calls_of(*thread).polled;
  if (!is_taken) {
    if (Lock* const lock = lock_of(mutex)) attempt_failed(*lock, &polled);
  } else if (known_lock(mutex) == polled.since.lock) {
    attempt_succeeded(*thread, &polled, now_ns());
  }
}

template <FunctionName kTry>
struct Locks {
  static int call(const auto& function, auto* lock, auto... until) {
    const auto take = [&] { return function(lock, until...); };
    if (t_thread == nullptr) return take();
    const int result = g_function<kTry, int(decltype(lock))>(lock);
    return is_had(result) ? result : taking(lock, true, take);
  }
};
// A wrong time or clock is an error also if nobody has the lock: it is not
// tried.
struct LocksUntil {
  static int call(const auto& function, auto* lock, auto... until) {
    return taking(lock, false, [&] { return function(lock, until...); });
  }
};
// glibc's trylock() leaves a robust mutex locked for ever if it cannot be
// recovered any more, so these are not tried.
struct LocksMutex {
  static int call(const auto& function, pthread_mutex_t* mutex, auto... until) {
    constexpr int kRobust = 16;  // PTHREAD_MUTEX_ROBUST_NORMAL_NP
    return (mutex->__data.__kind & kRobust) != 0
               ? LocksUntil::call(function, mutex, until...)
               : Locks<"pthread_mutex_trylock">::call(function, mutex,
                                                      until...);
  }
};
struct Tries {
  static int call(const auto& function, auto* lock) {
    const int result = function(lock);
    const Thread* const thread = t_thread;
    if (thread == nullptr) return result;
    const bool taken = is_had(result);
    if (!taken || calls_of(*thread).polled.since.lock != nullptr) {
      polls(lock, taken);
    }
    return result;
  }
};
struct Unlocks {
  static int call(const auto& function, auto* lock) {
    leave_mutex(lock);
    return function(lock);
  }
};

using OfMutex = int(pthread_mutex_t*);
using OfMutexUntil = int(pthread_mutex_t*, const timespec*);
using OfMutexByClock = int(pthread_mutex_t*, clockid_t, const timespec*);
using OfMtx = int(mtx_t*);
using OfLock = int(pthread_rwlock_t*);
using OfLockUntil = int(pthread_rwlock_t*, const timespec*);
using OfLockByClock = int(pthread_rwlock_t*, clockid_t, const timespec*);
using LocksMtx = Locks<"mtx_trylock">;
using LocksToRead = Locks<"pthread_rwlock_tryrdlock">;
using LocksToWrite = Locks<"pthread_rwlock_trywrlock">;

}  // namespace

std::vector<Entry> mutex_entries() {
  return {
      entry<"pthread_mutex_lock", OfMutex, LocksMutex>(),
      entry<"pthread_mutex_trylock", OfMutex, Tries>(),
      entry<"pthread_mutex_timedlock", OfMutexUntil, LocksMutex>(),
      entry<"pthread_mutex_clocklock", OfMutexByClock, LocksUntil>(),
      entry<"pthread_mutex_unlock", OfMutex, Unlocks>(),
      entry<"pthread_mutex_destroy", OfMutex, Destroys>(),
      entry<"mtx_lock", OfMtx, LocksMtx>(),
      entry<"mtx_trylock", OfMtx, Tries>(),
      entry<"mtx_timedlock", int(mtx_t*, const timespec*), LocksMtx>(),
      entry<"mtx_unlock", OfMtx, Unlocks>(),
      entry<"mtx_destroy", void(mtx_t*), Destroys>(),
      entry<"pthread_rwlock_rdlock", OfLock, LocksToRead>(),
      entry<"pthread_rwlock_tryrdlock", OfLock, Tries>(),
      entry<"pthread_rwlock_timedrdlock", OfLockUntil, LocksUntil>(),
      entry<"pthread_rwlock_clockrdlock", OfLockByClock, LocksUntil>(),
      entry<"pthread_rwlock_wrlock", OfLock, LocksToWrite>(),
      entry<"pthread_rwlock_trywrlock", OfLock, Tries>(),
      entry<"pthread_rwlock_timedwrlock", OfLockUntil, LocksUntil>(),
      entry<"pthread_rwlock_clockwrlock", OfLockByClock, LocksUntil>(),
      entry<"pthread_rwlock_unlock", OfLock, Unlocks>(),
      entry<"pthread_rwlock_destroy", OfLock, Destroys>(),
  };
}

}  // namespace poprt::modules::threads
