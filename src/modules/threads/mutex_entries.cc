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

// Filled in by EntrySlots.
constinit Function<int(pthread_mutex_t*)> real_lock, real_trylock, real_unlock,
    real_destroy;
constinit Function<int(pthread_mutex_t*, const timespec*)> real_timedlock;
constinit Function<int(pthread_mutex_t*, clockid_t, const timespec*)>
    real_clocklock;
constinit Function<int(mtx_t*)> real_mtx_lock, real_mtx_trylock,
    real_mtx_unlock;
constinit Function<void(mtx_t*)> real_mtx_destroy;
constinit Function<int(mtx_t*, const timespec*)> real_mtx_timedlock;
constinit Function<int(pthread_rwlock_t*)> real_rdlock, real_tryrdlock,
    real_wrlock, real_trywrlock, real_rwunlock, real_rwdestroy;
constinit Function<int(pthread_rwlock_t*, const timespec*)> real_timedrdlock,
    real_timedwrlock;
constinit Function<int(pthread_rwlock_t*, clockid_t, const timespec*)>
    real_clockrdlock, real_clockwrlock;

// EOWNERDEAD: its holder has died; the thread has it now.
bool is_had(int result) { return result == 0 || result == EOWNERDEAD; }
bool is_mtx_had(int result) { return result == thrd_success; }

// The thread has to wait for the mutex or read-write lock, or may have to: it
// was not `tried`.
template <class Take>
[[gnu::noinline]] int taking(const void* mutex, bool (*is_taken)(int),
                             bool tried, Take take) {
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
    const bool taken = is_taken(result) && (tried || is_answered(wait));
    g_program_threads.mutex_wait_ends(*thread, wait, taken, now_ns());
  }
  return result;
}

template <class Try, class Take>
[[gnu::always_inline]] inline int locking(const void* mutex,
                                          bool (*is_taken)(int), Try attempt,
                                          Take take) {
  if (t_thread == nullptr) return take();
  const int result = attempt();
  return is_taken(result) ? result : taking(mutex, is_taken, true, take);
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

template <class Try>
[[gnu::always_inline]] inline int trying(const void* mutex,
                                         bool (*is_taken)(int), Try attempt) {
  const int result = attempt();
  const Thread* const thread = t_thread;
  if (thread == nullptr) return result;
  const bool taken = is_taken(result);
  if (!taken || calls_of(*thread).polled.since.lock != nullptr)
    polls(mutex, taken);
  return result;
}

// glibc's trylock() leaves a robust mutex locked for ever if it cannot be
// recovered any more, so these are not tried.
template <class Take>
[[gnu::always_inline]] inline int locking_mutex(pthread_mutex_t* mutex,
                                                Take take) {
  constexpr int kRobust = 16;  // PTHREAD_MUTEX_ROBUST_NORMAL_NP
  if ((mutex->__data.__kind & kRobust) != 0) {
    return taking(mutex, is_had, false, take);
  }
  return locking(
      mutex, is_had, [&] { return real_trylock(mutex); }, take);
}

int my_lock(pthread_mutex_t* mutex) {
  return locking_mutex(mutex, [&] { return real_lock(mutex); });
}
int my_trylock(pthread_mutex_t* mutex) {
  return trying(mutex, is_had, [&] { return real_trylock(mutex); });
}
int my_timedlock(pthread_mutex_t* mutex, const timespec* until) {
  return locking_mutex(mutex, [&] { return real_timedlock(mutex, until); });
}
// A wrong clock is an error also if nobody has the mutex.
int my_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                 const timespec* until) {
  return taking(mutex, is_had, false,
                [&] { return real_clocklock(mutex, clock, until); });
}
int my_unlock(pthread_mutex_t* mutex) {
  leave_mutex(mutex);
  return real_unlock(mutex);
}
int my_destroy(pthread_mutex_t* mutex) {
  forget(mutex);
  return real_destroy(mutex);
}

int my_mtx_lock(mtx_t* mutex) {
  return locking(
      mutex, is_mtx_had, [&] { return real_mtx_trylock(mutex); },
      [&] { return real_mtx_lock(mutex); });
}
int my_mtx_trylock(mtx_t* mutex) {
  return trying(mutex, is_mtx_had, [&] { return real_mtx_trylock(mutex); });
}
int my_mtx_timedlock(mtx_t* mutex, const timespec* until) {
  return locking(
      mutex, is_mtx_had, [&] { return real_mtx_trylock(mutex); },
      [&] { return real_mtx_timedlock(mutex, until); });
}
int my_mtx_unlock(mtx_t* mutex) {
  leave_mutex(mutex);
  return real_mtx_unlock(mutex);
}
void my_mtx_destroy(mtx_t* mutex) {
  forget(mutex);
  real_mtx_destroy(mutex);
}

int my_rdlock(pthread_rwlock_t* lock) {
  return locking(
      lock, is_had, [&] { return real_tryrdlock(lock); },
      [&] { return real_rdlock(lock); });
}
// A wrong time is an error also if nobody has the lock.
int my_timedrdlock(pthread_rwlock_t* lock, const timespec* until) {
  return taking(lock, is_had, false,
                [&] { return real_timedrdlock(lock, until); });
}
int my_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                   const timespec* until) {
  return taking(lock, is_had, false,
                [&] { return real_clockrdlock(lock, clock, until); });
}
int my_wrlock(pthread_rwlock_t* lock) {
  return locking(
      lock, is_had, [&] { return real_trywrlock(lock); },
      [&] { return real_wrlock(lock); });
}
int my_timedwrlock(pthread_rwlock_t* lock, const timespec* until) {
  return taking(lock, is_had, false,
                [&] { return real_timedwrlock(lock, until); });
}
int my_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                   const timespec* until) {
  return taking(lock, is_had, false,
                [&] { return real_clockwrlock(lock, clock, until); });
}
int my_tryrdlock(pthread_rwlock_t* lock) {
  return trying(lock, is_had, [&] { return real_tryrdlock(lock); });
}
int my_trywrlock(pthread_rwlock_t* lock) {
  return trying(lock, is_had, [&] { return real_trywrlock(lock); });
}
int my_rwunlock(pthread_rwlock_t* lock) {
  leave_mutex(lock);
  return real_rwunlock(lock);
}
int my_rwdestroy(pthread_rwlock_t* lock) {
  forget(lock);
  return real_rwdestroy(lock);
}

}  // namespace

std::vector<Entry> mutex_entries() {
  return {
      entry("pthread_mutex_lock", my_lock, real_lock),
      entry("pthread_mutex_trylock", my_trylock, real_trylock),
      entry("pthread_mutex_timedlock", my_timedlock, real_timedlock),
      entry("pthread_mutex_clocklock", my_clocklock, real_clocklock),
      entry("pthread_mutex_unlock", my_unlock, real_unlock),
      entry("pthread_mutex_destroy", my_destroy, real_destroy),
      entry("mtx_lock", my_mtx_lock, real_mtx_lock),
      entry("mtx_trylock", my_mtx_trylock, real_mtx_trylock),
      entry("mtx_timedlock", my_mtx_timedlock, real_mtx_timedlock),
      entry("mtx_unlock", my_mtx_unlock, real_mtx_unlock),
      entry("mtx_destroy", my_mtx_destroy, real_mtx_destroy),
      entry("pthread_rwlock_rdlock", my_rdlock, real_rdlock),
      entry("pthread_rwlock_tryrdlock", my_tryrdlock, real_tryrdlock),
      entry("pthread_rwlock_timedrdlock", my_timedrdlock, real_timedrdlock),
      entry("pthread_rwlock_clockrdlock", my_clockrdlock, real_clockrdlock),
      entry("pthread_rwlock_wrlock", my_wrlock, real_wrlock),
      entry("pthread_rwlock_trywrlock", my_trywrlock, real_trywrlock),
      entry("pthread_rwlock_timedwrlock", my_timedwrlock, real_timedwrlock),
      entry("pthread_rwlock_clockwrlock", my_clockwrlock, real_clockwrlock),
      entry("pthread_rwlock_unlock", my_rwunlock, real_rwunlock),
      entry("pthread_rwlock_destroy", my_rwdestroy, real_rwdestroy),
  };
}

}  // namespace poprt::modules::threads
