/* Shapes of tasks with dependences. */
#ifndef POPRT_TESTS_E2E_OMP_DEPENDENCE_SHAPES_H_
#define POPRT_TESTS_E2E_OMP_DEPENDENCE_SHAPES_H_

#include "omp_task_shapes.h"

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

#ifndef PURE_OPENMP

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

#endif /* POPRT_TESTS_E2E_OMP_DEPENDENCE_SHAPES_H_ */
