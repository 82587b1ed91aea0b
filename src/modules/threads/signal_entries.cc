// Conditions, barriers and semaphores.
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

#include "modules/threads/entries.h"
#include "modules/threads/thread_call.h"

namespace poprt::modules::threads {
namespace {

// Filled in by EntrySlots.
constinit Function<int(pthread_cond_t*, pthread_mutex_t*)> real_cond_wait;
constinit Function<int(pthread_cond_t*, pthread_mutex_t*, const timespec*)>
    real_cond_timedwait;
constinit Function<int(pthread_cond_t*, pthread_mutex_t*, clockid_t,
                       const timespec*)>
    real_cond_clockwait;
constinit Function<int(pthread_cond_t*)> real_cond_signal, real_cond_broadcast,
    real_cond_destroy;
constinit Function<int(cnd_t*, mtx_t*)> real_cnd_wait;
constinit Function<int(cnd_t*, mtx_t*, const timespec*)> real_cnd_timedwait;
constinit Function<int(cnd_t*)> real_cnd_signal, real_cnd_broadcast;
constinit Function<void(cnd_t*)> real_cnd_destroy;
constinit Function<int(pthread_barrier_t*)> real_barrier_wait,
    real_barrier_destroy;
constinit Function<int(sem_t*)> real_sem_wait, real_sem_trywait, real_sem_post,
    real_sem_destroy;
constinit Function<int(sem_t*, const timespec*)> real_sem_timedwait;
constinit Function<int(sem_t*, clockid_t, const timespec*)> real_sem_clockwait;

// The mutex is let go while the thread waits, and the thread has it afterwards.
template <class Call>
int conditionally(const void* condition, const void* mutex, Call call) {
  Thread* const thread = working_thread();
  if (thread == nullptr) return call();
  leave_mutex(mutex);
  LockWait for_signal, for_mutex;
  {
    const ToolWork work(*thread);
    if (Lock* const lock = lock_of(mutex)) for_mutex = announce_wait(*lock);
    for_signal = begin_wait(*thread, lock_of(condition), for_mutex);
  }
  const int result = call();
  if (is_in_wait(*thread)) {
    const ToolWork work(*thread);
    wait_is_over(*thread);
    const bool is_signalled = result == 0;  // thrd_success is 0, too
    g_program_threads.wait_ends(*thread, for_signal, is_signalled, now_ns());
    g_program_threads.mutex_is_back(*thread, for_mutex, for_signal);
  }
  return result;
}
static_assert(thrd_success == 0);

int my_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  return conditionally(condition, mutex,
                       [&] { return real_cond_wait(condition, mutex); });
}
int my_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                      const timespec* until) {
  return conditionally(condition, mutex, [&] {
    return real_cond_timedwait(condition, mutex, until);
  });
}
int my_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                      clockid_t clock, const timespec* until) {
  return conditionally(condition, mutex, [&] {
    return real_cond_clockwait(condition, mutex, clock, until);
  });
}
// A signal is nothing to threads that do not wait yet.
int my_cond_signal(pthread_cond_t* condition) {
  let_waiting_go(condition);
  return real_cond_signal(condition);
}
int my_cond_broadcast(pthread_cond_t* condition) {
  let_waiting_go(condition);
  return real_cond_broadcast(condition);
}
int my_cond_destroy(pthread_cond_t* condition) {
  forget(condition);
  return real_cond_destroy(condition);
}

int my_cnd_wait(cnd_t* condition, mtx_t* mutex) {
  return conditionally(condition, mutex,
                       [&] { return real_cnd_wait(condition, mutex); });
}
int my_cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* until) {
  return conditionally(condition, mutex, [&] {
    return real_cnd_timedwait(condition, mutex, until);
  });
}
int my_cnd_signal(cnd_t* condition) {
  let_waiting_go(condition);
  return real_cnd_signal(condition);
}
int my_cnd_broadcast(cnd_t* condition) {
  let_waiting_go(condition);
  return real_cnd_broadcast(condition);
}
void my_cnd_destroy(cnd_t* condition) {
  forget(condition);
  real_cnd_destroy(condition);
}

int my_barrier_wait(pthread_barrier_t* barrier) {
  let_go(barrier);
  return waiting(
      barrier, [&] { return real_barrier_wait(barrier); },
      [](int result) {
        return result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD;
      });
}
int my_barrier_destroy(pthread_barrier_t* barrier) {
  forget(barrier);
  return real_barrier_destroy(barrier);
}

// A wrong time is an error also if the semaphore is not 0.
template <class Call>
int sem_timed(sem_t* semaphore, Call call) {
  return waiting(semaphore, call, [](int result) { return result == 0; });
}
template <class Call>
int sem_waiting(sem_t* semaphore, Call call) {
  if (working_thread() == nullptr) return call();
  pthread_testcancel();  // as the function does, also where it does not wait
  const int saved = errno;
  if (real_sem_trywait(semaphore) == 0) {
    take(semaphore);
    return 0;
  }
  errno = saved;
  return sem_timed(semaphore, call);
}
int my_sem_wait(sem_t* semaphore) {
  return sem_waiting(semaphore, [&] { return real_sem_wait(semaphore); });
}
int my_sem_timedwait(sem_t* semaphore, const timespec* until) {
  return sem_timed(semaphore,
                   [&] { return real_sem_timedwait(semaphore, until); });
}
int my_sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* until) {
  return sem_timed(semaphore,
                   [&] { return real_sem_clockwait(semaphore, clock, until); });
}
int my_sem_trywait(sem_t* semaphore) {
  const int result = real_sem_trywait(semaphore);
  if (result == 0) take(semaphore);
  return result;
}
int my_sem_post(sem_t* semaphore) {
  let_go(semaphore);
  return real_sem_post(semaphore);
}
int my_sem_destroy(sem_t* semaphore) {
  forget(semaphore);
  return real_sem_destroy(semaphore);
}

}  // namespace

std::vector<Entry> signal_entries() {
  return {
      entry("pthread_cond_wait", my_cond_wait, real_cond_wait),
      entry("pthread_cond_timedwait", my_cond_timedwait, real_cond_timedwait),
      entry("pthread_cond_clockwait", my_cond_clockwait, real_cond_clockwait),
      entry("pthread_cond_signal", my_cond_signal, real_cond_signal),
      entry("pthread_cond_broadcast", my_cond_broadcast, real_cond_broadcast),
      entry("pthread_cond_destroy", my_cond_destroy, real_cond_destroy),
      entry("cnd_wait", my_cnd_wait, real_cnd_wait),
      entry("cnd_timedwait", my_cnd_timedwait, real_cnd_timedwait),
      entry("cnd_signal", my_cnd_signal, real_cnd_signal),
      entry("cnd_broadcast", my_cnd_broadcast, real_cnd_broadcast),
      entry("cnd_destroy", my_cnd_destroy, real_cnd_destroy),
      entry("pthread_barrier_wait", my_barrier_wait, real_barrier_wait),
      entry("pthread_barrier_destroy", my_barrier_destroy,
            real_barrier_destroy),
      entry("sem_wait", my_sem_wait, real_sem_wait),
      entry("sem_trywait", my_sem_trywait, real_sem_trywait),
      entry("sem_timedwait", my_sem_timedwait, real_sem_timedwait),
      entry("sem_clockwait", my_sem_clockwait, real_sem_clockwait),
      entry("sem_post", my_sem_post, real_sem_post),
      entry("sem_destroy", my_sem_destroy, real_sem_destroy),
  };
}

}  // namespace poprt::modules::threads
