/* The simplest shapes of tasks. */
#ifndef POPRT_TESTS_E2E_HYBRID_TASK_SHAPES_H_
#define POPRT_TESTS_E2E_HYBRID_TASK_SHAPES_H_

#include "openmp_shapes.h"

static void taskwait(void) {
#pragma omp parallel
  {
    const int n = omp_get_num_threads();
#pragma omp masked
    {
      work(1);
      for (int i = 0; i < 2 * n; ++i) {
#pragma omp task
        work(1.5);
      }
#pragma omp taskwait
      work(1);
    }
  }
  barrier();
}

static void taskgroup(void) {
#pragma omp parallel
  {
    const int n = omp_get_num_threads();
#pragma omp masked
    {
#pragma omp taskgroup
      for (int i = 0; i < n; ++i) {
#pragma omp task
        {
#pragma omp task
          work(1.5);
          work(1.5);
        }
      }
      work(2);
    }
  }
  barrier();
}

/* Tasks that only the barrier waits for. */
static void barrier_tasks(void) {
#pragma omp parallel
  {
    const int n = omp_get_num_threads();
    work(1);
#pragma omp masked
    for (int i = 0; i < n; ++i) {
#pragma omp task
      work(2);
    }
#pragma omp barrier
    work(1);
  }
  barrier();
}

/* Each thread creates its own tasks and waits for them: undeferred, included in
 * a final task, with taskyield. */
static void own_tasks(void) {
#pragma omp parallel
  {
#pragma omp task if (0)
    work(1);
#pragma omp task final(1)
    {
#pragma omp task
      work(1);
#pragma omp taskwait
      work(1);
    }
#pragma omp taskwait
#pragma omp taskyield
    work(1 + level());
  }
  barrier();
}

#endif /* POPRT_TESTS_E2E_HYBRID_TASK_SHAPES_H_ */
