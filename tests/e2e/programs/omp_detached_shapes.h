/* Shapes of detached tasks. */
#ifndef POPRT_TESTS_E2E_OMP_DETACHED_SHAPES_H_
#define POPRT_TESTS_E2E_OMP_DETACHED_SHAPES_H_

#include <pthread.h>

#include "omp_task_shapes.h"

static omp_event_handle_t published;
static int is_published;

static void publish(omp_event_handle_t event) {
  published = event;
  __atomic_store_n(&is_published, 1, __ATOMIC_RELEASE);
}

static void fulfil(void) {
  while (!__atomic_load_n(&is_published, __ATOMIC_ACQUIRE)) sched_yield();
  omp_fulfill_event(published);
}

/* The first thread executes the body when it waits, because all others are at
 * work.  The second fulfills the event `before` units after the beginning. */
#define DETACHED(name, body, before, clause, wait) \
  static void name(void) {                         \
    PRAGMA(omp parallel) {                         \
      if (omp_get_thread_num() == 0) {             \
        omp_event_handle_t event;                  \
        PRAGMA(omp task detach(event) clause) {    \
          publish(event);                          \
          work(body);                              \
        }                                          \
        wait;                                      \
        work(2);                                   \
      } else {                                     \
        work(before);                              \
        if (omp_get_thread_num() == 1) fulfil();   \
        work(4 - before);                          \
      }                                            \
    }                                              \
    barrier();                                     \
  }

DETACHED(detach_late, 1, 3, , PRAGMA(omp taskwait))
DETACHED(detach_early, 3, 1, , PRAGMA(omp taskwait))
DETACHED(detach_taskwait_depend, 1, 3,
         depend(out
                : x),
         PRAGMA(omp taskwait depend(in
                                    : x)))
DETACHED(detach_undeferred, 1, 3,
         depend(out
                : x),
         PRAGMA(omp task if (0) depend(in
                                       : x)) work(1))

/* A task group waits for what is fulfilled late, and a barrier too. */
static void detach_group(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
#pragma omp taskgroup
      {
        omp_event_handle_t event;
#pragma omp task detach(event)
        {
          publish(event);
          work(1);
        }
      }
      work(2);
    } else {
      work(3);
      if (omp_get_thread_num() == 1) fulfil();
      work(1);
    }
  }
  barrier();
}

/* The task itself fulfills its event, in the middle of its body. */
static void detach_by_task(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      omp_event_handle_t event;
#pragma omp task detach(event)
      {
        work(1);
        omp_fulfill_event(event);
        work(1);
      }
#pragma omp taskwait
      work(2);
    } else {
      work(4);
    }
  }
  barrier();
}

static void* fulfil_later(void* unused) {
  work(3);
  fulfil();
  return unused;
}

/* A thread that OpenMP does not know fulfills the event; its work is not
 * OpenMP's. */
static void detach_foreign(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      pthread_t foreign;
      omp_event_handle_t event;
      CHECK(pthread_create(&foreign, NULL, fulfil_later, NULL) == 0);
#pragma omp task detach(event)
      {
        publish(event);
        work(1);
      }
#pragma omp taskwait
      work(1);
      CHECK(pthread_join(foreign, NULL) == 0);
    } else {
      work(3);
    }
  }
  barrier();
}

#ifndef PURE_OPENMP

/* The message has arrived: the thread that waited for it fulfills the event. */
static void detach_message(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      omp_event_handle_t event;
#pragma omp task detach(event)
      {
        publish(event);
        work(0.5);
      }
#pragma omp taskwait
      work(2);
    } else {
      work(rank % 2 == 0 ? 1 : 3);
      exchange(1);
      fulfil();
      work(0.5);
    }
  }
  barrier();
}

#endif

#endif /* POPRT_TESTS_E2E_OMP_DETACHED_SHAPES_H_ */
