// Conditions, barriers and semaphores.
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

#include "modules/threads/entries.h"
#include "modules/threads/thread_call.h"

namespace poprt::modules::threads {
namespace {

// The mutex is let go while the thread waits, and the thread has it afterwards.
struct WaitsForSignal {
  static int call(const auto& function, auto* condition, auto* mutex,
                  auto... until) {
    Thread* const thread = working_thread();
    if (thread == nullptr) return function(condition, mutex, until...);
    leave_mutex(mutex);
    LockWait for_signal, for_mutex;
    {
      const ToolWork work(*thread);
      if (Lock* const lock = lock_of(mutex)) for_mutex = announce_wait(*lock);
      for_signal = begin_wait(*thread, lock_of(condition), for_mutex);
    }
    const int result = function(condition, mutex, until...);
    if (is_in_wait(*thread)) {
      const ToolWork work(*thread);
      wait_is_over(*thread);
      const bool is_signalled = result == 0;  // thrd_success is 0, too
      g_program_threads.wait_ends(*thread, for_signal, is_signalled, now_ns());
      g_program_threads.mutex_is_back(*thread, for_mutex, for_signal);
    }
    return result;
  }
};
static_assert(thrd_success == 0);

// A signal is nothing to threads that do not wait yet.
struct Signals {
  static int call(const auto& function, auto* condition) {
    let_waiting_go(condition);
    return function(condition);
  }
};

struct WaitsForAll {
  static int call(const auto& function, pthread_barrier_t* barrier) {
    let_go(barrier);
    return waiting(
        barrier, [&] { return function(barrier); },
        [](int result) {
          return result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD;
        });
  }
};

// A wrong time is an error also if the semaphore is not 0.
struct WaitsForPost {
  static int call(const auto& function, sem_t* semaphore, auto... until) {
    return waiting(
        semaphore, [&] { return function(semaphore, until...); },
        [](int result) { return result == 0; });
  }
};
using OfSemaphore = int(sem_t*);
constexpr auto& kTrywait = g_function<"sem_trywait", OfSemaphore>;
struct TakesOrWaits {
  static int call(const auto& function, sem_t* semaphore) {
    if (working_thread() == nullptr) return function(semaphore);
    pthread_testcancel();  // as the function does, also where it does not wait
    const int saved = errno;
    if (kTrywait(semaphore) == 0) {
      take(semaphore);
      return 0;
    }
    errno = saved;
    return WaitsForPost::call(function, semaphore);
  }
};
struct Takes {
  static int call(const auto& function, sem_t* semaphore) {
    const int result = function(semaphore);
    if (result == 0) take(semaphore);
    return result;
  }
};
struct Posts {
  static int call(const auto& function, sem_t* semaphore) {
    let_go(semaphore);
    return function(semaphore);
  }
};

using OfCondition = int(pthread_cond_t*);
using OfCnd = int(cnd_t*);

}  // namespace

std::vector<Entry> signal_entries() {
  return {
      entry<"pthread_cond_wait", int(pthread_cond_t*, pthread_mutex_t*),
            WaitsForSignal>(),
      entry<"pthread_cond_timedwait",
            int(pthread_cond_t*, pthread_mutex_t*, const timespec*),
            WaitsForSignal>(),
      entry<"pthread_cond_clockwait",
            int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*),
            WaitsForSignal>(),
      entry<"pthread_cond_signal", OfCondition, Signals>(),
      entry<"pthread_cond_broadcast", OfCondition, Signals>(),
      entry<"pthread_cond_destroy", OfCondition, Destroys>(),
      entry<"cnd_wait", int(cnd_t*, mtx_t*), WaitsForSignal>(),
      entry<"cnd_timedwait", int(cnd_t*, mtx_t*, const timespec*),
            WaitsForSignal>(),
      entry<"cnd_signal", OfCnd, Signals>(),
      entry<"cnd_broadcast", OfCnd, Signals>(),
      entry<"cnd_destroy", void(cnd_t*), Destroys>(),
      entry<"pthread_barrier_wait", int(pthread_barrier_t*), WaitsForAll>(),
      entry<"pthread_barrier_destroy", int(pthread_barrier_t*), Destroys>(),
      entry<"sem_wait", OfSemaphore, TakesOrWaits>(),
      entry<"sem_trywait", OfSemaphore, Takes>(),
      entry<"sem_timedwait", int(sem_t*, const timespec*), WaitsForPost>(),
      entry<"sem_clockwait", int(sem_t*, clockid_t, const timespec*),
            WaitsForPost>(),
      entry<"sem_post", OfSemaphore, Posts>(),
      entry<"sem_destroy", OfSemaphore, Destroys>(),
  };
}

}  // namespace poprt::modules::threads
