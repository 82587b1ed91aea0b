// Mutexes and read-write locks.  Those of C11 are pthreads' under other names,
// but the C library calls its own functions directly.
#include <pthread.h>
#include <threads.h>

#include "modules/threads/entries.h"
#include "modules/threads/thread_call.h"

namespace poprt::modules::threads {

void had(const volatile void* mutex) {
  Thread* const thread = working_thread();
  if (thread == nullptr) return;
  const ToolWork work(*thread);
  Lock* const lock = lock_of(mutex);
  if (lock != nullptr && lock_changes_hands(*thread, *lock)) {
    lock_taken(*thread, *lock, now_ns());
  }
}

namespace {

// Finds the lock that is let go, and whether the thread leaves its clocks
// there.
template <class Leave>
void leave_clocks(const volatile void* mutex, uint32_t count, Leave leave) {
  Thread* const thread = working_thread();
  if (thread == nullptr) return;
  const ToolWork work(*thread);
  Lock* const lock = lock_of(mutex);
  if (lock != nullptr && lock_is_handed_on(*thread, *lock, count)) {
    leave(*thread, *lock, leave_ns());
  }
}

}  // namespace

void hand_on(const volatile void* mutex, uint32_t count) {
  leave_clocks(mutex, count, lock_handed_on);
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

// The thread has to wait for the mutex, if it is one that is measured.
template <class Take>
[[gnu::noinline]] int taking(const void* mutex, bool (*is_taken)(int),
                             Take take) {
  Thread* const thread = working_thread();
  if (thread == nullptr) return take();
  Lock* lock = nullptr;
  {
    const ToolWork work(*thread);
    lock = lock_of(mutex);
    g_program_threads.wait_begins(*thread, lock, leave_ns());
  }
  const int result = take();
  if (measuring()) {
    const ToolWork work(*thread);
    if (lock != nullptr) {
      g_program_threads.mutex_wait_ends(*thread, *lock, is_taken(result),
                                        now_ns());
    } else {
      g_program_threads.wait_ends(*thread, nullptr, false, now_ns());
    }
  }
  return result;
}

// After a call that has taken the mutex without a wait.
[[gnu::always_inline]] inline void note_taken(const void* mutex) {
  const Thread* const thread = t_thread;
  if (thread != nullptr && !is_own(*thread, mutex)) had(mutex);
}

template <class Try, class Take>
[[gnu::always_inline]] inline int locking(const void* mutex,
                                          bool (*is_taken)(int), Try attempt,
                                          Take take) {
  if (t_thread == nullptr) return take();
  const int result = attempt();
  if (!is_taken(result)) return taking(mutex, is_taken, take);
  note_taken(mutex);
  return result;
}

template <class Try>
[[gnu::always_inline]] inline int trying(const void* mutex,
                                         bool (*is_taken)(int), Try attempt) {
  const int result = attempt();
  if (is_taken(result)) note_taken(mutex);
  return result;
}

int my_lock(pthread_mutex_t* mutex) {
  return locking(
      mutex, is_had, [&] { return real_trylock(mutex); },
      [&] { return real_lock(mutex); });
}
int my_trylock(pthread_mutex_t* mutex) {
  return trying(mutex, is_had, [&] { return real_trylock(mutex); });
}
int my_timedlock(pthread_mutex_t* mutex, const timespec* until) {
  return locking(
      mutex, is_had, [&] { return real_trylock(mutex); },
      [&] { return real_timedlock(mutex, until); });
}
// A wrong clock is an error also if nobody has the mutex.
int my_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                 const timespec* until) {
  return locking(
      mutex, is_had, [] { return EBUSY; },
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

template <class Call>
int rw_waiting(const void* rwlock, Call call) {
  return waiting(rwlock, call, [](int error) { return error == 0; });
}
// Several threads may have it at once: who takes it depends on all that had it
// since.
template <class Try, class Take>
int rw_locking(const void* rwlock, Try attempt, Take take) {
  const int result = attempt();
  if (result != 0) return rw_waiting(rwlock, take);
  note_taken(rwlock);
  return result;
}

int my_rdlock(pthread_rwlock_t* lock) {
  return rw_locking(
      lock, [&] { return real_tryrdlock(lock); },
      [&] { return real_rdlock(lock); });
}
// A wrong time is an error also if nobody has the lock.
int my_timedrdlock(pthread_rwlock_t* lock, const timespec* until) {
  return rw_waiting(lock, [&] { return real_timedrdlock(lock, until); });
}
int my_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                   const timespec* until) {
  return rw_waiting(lock, [&] { return real_clockrdlock(lock, clock, until); });
}
int my_wrlock(pthread_rwlock_t* lock) {
  return rw_locking(
      lock, [&] { return real_trywrlock(lock); },
      [&] { return real_wrlock(lock); });
}
int my_timedwrlock(pthread_rwlock_t* lock, const timespec* until) {
  return rw_waiting(lock, [&] { return real_timedwrlock(lock, until); });
}
int my_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                   const timespec* until) {
  return rw_waiting(lock, [&] { return real_clockwrlock(lock, clock, until); });
}
int my_tryrdlock(pthread_rwlock_t* lock) {
  const int result = real_tryrdlock(lock);
  if (result == 0) note_taken(lock);
  return result;
}
int my_trywrlock(pthread_rwlock_t* lock) {
  const int result = real_trywrlock(lock);
  if (result == 0) note_taken(lock);
  return result;
}
// Its clocks are added to those of others that have it, too.
[[gnu::noinline]] void rw_hand_on(const void* rwlock, uint32_t count) {
  leave_clocks(rwlock, count, [](Thread& thread, Lock& lock, int64_t now) {
    g_program_threads.lets_go(thread, lock, now);
  });
}
int my_rwunlock(pthread_rwlock_t* lock) {
  leaving(lock, rw_hand_on);
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
