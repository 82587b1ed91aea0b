/* Programs of known shape: tasks, and what orders them (see openmp_shapes.h).
 *
 * Where a shape determines which thread executes a task, the others are busy
 * meanwhile or the task is undeferred. Elsewhere as many tasks as threads, all
 * of one length, are ready at a time, so that it makes no difference.
 */
#include <pthread.h>

#include "openmp_shapes.h"

/* What dependences are on, and what depend(...) may say of them. */
static int x, y, many[4];

/* --- kinds of tasks ------------------------------------------------------- */

/* Undeferred, final, included and mergeable ones: all of the first thread. */
static void undeferred(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
#pragma omp task if (0)
      work(1);
#pragma omp task final(1) if (0)
      {
#pragma omp task
        work(1);
#pragma omp task mergeable
        work(1);
        work(0.5);
      }
#pragma omp task mergeable if (0)
      work(1);
      work(0.5);
    } else {
      work(4);
    }
  }
  barrier();
}

/* Any thread may resume a task after its taskwait, which has nothing to wait
 * for. At a taskyield it would first execute other tasks, and so delay those
 * that wait for it. */
static void untied(void) {
#pragma omp parallel
  {
#pragma omp masked
    {
      work(1);
      for (int i = 0; i < omp_get_num_threads(); ++i) {
#pragma omp task untied
        {
          work(1);
#pragma omp taskwait
          work(1);
        }
      }
    }
#pragma omp barrier
    work(1);
  }
  barrier();
}

/* Untied tasks that wait for a child. */
static void untied_parents(void) {
#pragma omp parallel
#pragma omp masked
  {
    for (int i = 0; i < omp_get_num_threads(); ++i) {
#pragma omp task untied
      {
        work(1);
#pragma omp task untied
        work(1);
#pragma omp taskwait
        work(1);
      }
    }
  }
  barrier();
}

/* The thread that yields executes its own child: the others are at work. */
static void yielding(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      work(1);
#pragma omp task
      work(2);
#pragma omp taskyield
      work(1);
    } else {
      work(4);
    }
  }
  barrier();
}

static void priorities(void) {
#pragma omp parallel
#pragma omp masked
  {
    const int n = omp_get_num_threads();
    work(1);
    for (int i = 0; i < 2 * n; ++i) {
#pragma omp task priority(i % 4)
      work(1);
    }
#pragma omp taskwait
    work(1);
  }
  barrier();
}

static void task_reductions(void) {
  long inner = 0, whole = 0;
#pragma omp parallel reduction(task, + : whole)
  {
#pragma omp masked
    {
      const int n = omp_get_num_threads();
      work(1);
#pragma omp taskgroup task_reduction(+ : inner)
      for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(+ : inner)
        {
          work(1);
          inner += i;
        }
      }
      for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(+ : whole)
        {
          work(1);
          whole += i;
        }
      }
    }
  }
  CHECK(inner == whole);
  barrier();
}

static void taskloops(void) {
  long total = 0;
#pragma omp parallel
#pragma omp masked
  {
    const unsigned long n = (unsigned long)omp_get_num_threads();
    work(1);
#pragma omp taskloop grainsize(1)
    for (unsigned long i = 0; i < n; ++i) work(1);
    work(1);
#pragma omp taskloop num_tasks(n) reduction(+ : total)
    for (unsigned long i = 0; i < 2 * n; ++i) {
      work(0.5);
      total += (long)i;
    }
#pragma omp taskloop grainsize(1) nogroup
    for (unsigned long i = 0; i < n; ++i) work(1);
  }
  CHECK(total == omp_get_max_threads() * (2 * omp_get_max_threads() - 1));
  barrier();
}

/* Twice as many tasks as threads: half of them have not begun when one of the
 * first half cancels. */
static void cancel_taskgroup(void) {
  CHECK(omp_get_cancellation());
#pragma omp parallel
  {
#pragma omp masked
    {
      const int n = omp_get_num_threads();
      work(1);
#pragma omp taskgroup
      for (int i = 0; i < 2 * n; ++i) {
#pragma omp task
        {
          work(1);
#pragma omp cancel taskgroup
          work(5);
        }
      }
    }
#pragma omp barrier
    work(1);
  }
  barrier();
}

/* --- detached tasks ------------------------------------------------------- */

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

/* --- dependences ---------------------------------------------------------- */

/* A worker executes the first task while the first thread works. Then the first
 * thread encounters an undeferred task, and waits for the first task if the two
 * are ordered. */
#define PAIR(name, first, second)    \
  static void name(void) {           \
    PRAGMA(omp parallel)             \
    PRAGMA(omp masked) {             \
      PRAGMA(omp task first)         \
      work(3);                       \
      work(1);                       \
      PRAGMA(omp task if (0) second) \
      work(2);                       \
    }                                \
    barrier();                       \
  }

PAIR(out_in, depend(out : x), depend(in : x))
PAIR(in_out, depend(in : x), depend(out : x))
PAIR(inout_inout, depend(inout : x), depend(inout : x))
PAIR(in_in, depend(in : x), depend(in : x))
PAIR(out_mutexinoutset, depend(out : x), depend(mutexinoutset : x))
PAIR(mutexinoutset_in, depend(mutexinoutset : x), depend(in : x))
PAIR(in_mutexinoutset, depend(in : x), depend(mutexinoutset : x))
PAIR(inoutset_in, depend(inoutset : x), depend(in : x))
PAIR(in_inoutset, depend(in : x), depend(inoutset : x))
PAIR(inoutset_inoutset, depend(inoutset : x), depend(inoutset : x))
PAIR(inoutset_out, depend(inoutset : x), depend(out : x))
PAIR(out_inoutset, depend(out : x), depend(inoutset : x))
PAIR(mutexinoutset_inoutset, depend(mutexinoutset : x), depend(inoutset : x))
PAIR(other_address, depend(out : x), depend(inout : y))
PAIR(second_address, depend(out : x, y), depend(in : many[0], y))
PAIR(out_all_memory, depend(out : omp_all_memory), depend(in : x))
PAIR(inout_all_memory, depend(in : x), depend(inout : omp_all_memory))
PAIR(iterators,
     depend(iterator(i = 0 : 4), out
            : many[i]),
     depend(in
            : many[2]))

static void depend_objects(void) {
  omp_depend_t object;
#pragma omp depobj(object) depend(inout : x)
#pragma omp parallel
#pragma omp masked
  {
#pragma omp task depend(depobj : object)
    work(3);
    work(1);
#pragma omp depobj(object) update(in)
#pragma omp task if (0) depend(depobj : object)
    work(2);
  }
#pragma omp depobj(object) destroy
  barrier();
}

/* Waits for one of two tasks; the other one need not be complete. */
static void taskwait_depend(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
#pragma omp task depend(out : x)
      work(2);
#pragma omp task depend(out : y)
      work(4);
      work(1);
#pragma omp taskwait depend(in : x)
      work(3);
#pragma omp taskwait
    }
  }
  barrier();
}

/* A worker executes both tasks, and has begun the second when the wait for it
 * begins. */
static void taskwait_depend_two(void) {
#pragma omp parallel
  {
    const int thread = omp_get_thread_num();
    if (thread == 0) {
#pragma omp task depend(out : x)
      work(1);
#pragma omp task depend(inout : x) depend(out : y)
      work(2);
      work(2);
#pragma omp taskwait depend(in : y)
      work(2);
    } else if (thread > 1) {
      work(5);
    }
  }
  barrier();
}

static void task_chain(void) {
#pragma omp parallel
#pragma omp masked
  {
    for (int i = 0; i < 5; ++i) {
#pragma omp task depend(inout : x)
      {
        work(1);
        sum = 2 * sum + i;
      }
    }
#pragma omp taskwait
    work(1);
  }
  barrier();
}

/* One task, then many of unequal length at a time, then one that depends on all
 * of them. */
static void fan(void) {
#pragma omp parallel
#pragma omp masked
  {
    const int n = omp_get_num_threads();
#pragma omp task depend(out : x)
    work(1);
    for (int i = 0; i < n; ++i) {
#pragma omp task depend(in : x)
      work(1 + i % 2);
    }
#pragma omp task depend(inout : x)
    work(1);
  }
  barrier();
}

/* Tasks that exclude each other, in any order; then one that depends on all of
 * them. */
static void mutexinoutset(void) {
#pragma omp parallel
#pragma omp masked
  {
    for (int i = 0; i < 3; ++i) {
#pragma omp task depend(mutexinoutset : x)
      {
        work(1);
        sum += i;
      }
    }
#pragma omp task depend(in : x)
    work(1);
  }
  barrier();
}

/* Two columns of tasks: each depends on the one before it and on its left
 * neighbour. */
static void wavefront(void) {
  static int cell[2][4];
#pragma omp parallel
#pragma omp masked
  {
    for (int row = 0; row < 2; ++row) {
      for (int column = 0; column < 4; ++column) {
        const int left = column > 0 ? column - 1 : 0;
#pragma omp task depend(in                                  \
                        : cell[0][column], cell[row][left]) \
    depend(inout                                            \
           : cell[row][column])
        work(1);
      }
    }
  }
  barrier();
}

/* Dependences order siblings only: not the children of another parent on the
 * same address. */
static void other_parents(void) {
#pragma omp parallel
  {
#pragma omp task depend(inout : x)
    work(2);
#pragma omp task depend(inout : x) if (0)
    work(1);
  }
  barrier();
}

/* A task can be complete before its children: tasks that depend on it do not
 * wait for them. */
static void children(void) {
#pragma omp parallel
#pragma omp masked
  {
#pragma omp task depend(out : x)
    {
      work(1);
#pragma omp task depend(inout : y)
      work(4);
    }
#pragma omp task depend(in : x) depend(inout : y)
    work(2);
    work(0.5);
  }
  barrier();
}

/* The teams of two threads have tasks of their own. */
static void nested_teams(void) {
#pragma omp parallel num_threads(2)
  {
    const int outer = omp_get_thread_num();
    work(1);
#pragma omp parallel num_threads(2)
    {
#pragma omp masked
      for (int i = 0; i < 2; ++i) {
#pragma omp task
        work(1 + outer);
      }
#pragma omp barrier
      if (omp_get_thread_num() == 1 - outer) work(1);
    }
    work(1);
  }
  barrier();
}

/* Regions that begin while tasks are running: of the path to the first thread,
 * only the part since then counts. */
static void regions(void) {
#pragma omp parallel
  {
    const int thread = omp_get_thread_num();
    if (thread == 0) {
      omp_event_handle_t event;
#pragma omp task depend(out : x)
      work(3);
      work(1);
      pop_region_start("depend");
#pragma omp task if (0) depend(in : x)
      work(1);
      pop_region_stop("depend");
      pop_region_start("detach");
#pragma omp task detach(event)
      publish(event);
#pragma omp taskwait
      work(1);
      pop_region_stop("detach");
    } else if (thread > 1) {
      work(6);
      if (thread == 2) fulfil();
      work(1);
    }
  }
  barrier();
}

/* --- MPI in tasks --------------------------------------------------------- */

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

/* The task that needs the message depends on the one that receives it. */
static void message_depend(void) {
#pragma omp parallel
#pragma omp masked
  {
#pragma omp task depend(out : x)
    {
      work(rank % 2 == 0 ? 1 : 3);
      exchange(1);
    }
    work(0.5);
#pragma omp task if (0) depend(in : x)
    work(2);
  }
  barrier();
}

#endif

#define SHAPE(name) \
  { #name, name }

static const struct shape shapes[] = {
    SHAPE(undeferred),
    SHAPE(untied),
    SHAPE(untied_parents),
    SHAPE(yielding),
    SHAPE(priorities),
    SHAPE(task_reductions),
    SHAPE(taskloops),
    SHAPE(cancel_taskgroup),
    SHAPE(detach_late),
    SHAPE(detach_early),
    SHAPE(detach_taskwait_depend),
    SHAPE(detach_undeferred),
    SHAPE(detach_group),
    SHAPE(detach_by_task),
    SHAPE(detach_foreign),
    SHAPE(out_in),
    SHAPE(in_out),
    SHAPE(inout_inout),
    SHAPE(in_in),
    SHAPE(out_mutexinoutset),
    SHAPE(mutexinoutset_in),
    SHAPE(in_mutexinoutset),
    SHAPE(inoutset_in),
    SHAPE(in_inoutset),
    SHAPE(inoutset_inoutset),
    SHAPE(inoutset_out),
    SHAPE(out_inoutset),
    SHAPE(mutexinoutset_inoutset),
    SHAPE(other_address),
    SHAPE(second_address),
    SHAPE(out_all_memory),
    SHAPE(inout_all_memory),
    SHAPE(iterators),
    SHAPE(depend_objects),
    SHAPE(taskwait_depend),
    SHAPE(taskwait_depend_two),
    SHAPE(task_chain),
    SHAPE(fan),
    SHAPE(mutexinoutset),
    SHAPE(wavefront),
    SHAPE(other_parents),
    SHAPE(children),
    SHAPE(nested_teams),
    SHAPE(regions),
#ifndef PURE_OPENMP
    SHAPE(detach_message),
    SHAPE(message_depend),
#endif
    {NULL, NULL},
};

int main(int argc, char** argv) { return run_shapes(shapes, argc, argv); }
