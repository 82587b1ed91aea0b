/* Shapes in which a construct is cancelled. */
#ifndef POPRT_TESTS_E2E_OMP_CANCEL_SHAPES_H_
#define POPRT_TESTS_E2E_OMP_CANCEL_SHAPES_H_

#include "openmp_shapes.h"

/* While others wait in a barrier, which they leave without passing it. */
static void cancel_parallel(void) {
  CHECK(omp_get_cancellation());
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      work(3);
#pragma omp cancel parallel
      work(5);
    }
    work(1 + level());
#pragma omp barrier
    work(5);
  }
  work(1);
  barrier();
}

/* Others find out at a cancellation point. */
static void cancel_at_points(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      work(1);
#pragma omp cancel parallel
      work(5);
    }
    work(2 + level());
#pragma omp cancellation point parallel
    work(5);
  }
  work(1);
  barrier();
}

static void cancel_for(void) {
#pragma omp parallel
  {
    const int n = omp_get_num_threads();
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 3 * n; ++i) {
      if (i == 0) {
        work(1);
#pragma omp cancel for
        work(5);
      }
      work(2 + level());
#pragma omp cancellation point for
      work(5);
    }
    work(1);
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < 3 * n; ++i) {
      work(1);
#pragma omp cancel for
      work(5);
    }
    work(level());
  }
  barrier();
}

/* Each thread has one section, or two, of which it never begins the second. */
static void cancel_sections(void) {
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      {
        work(1);
#pragma omp cancel sections
        work(5);
      }
#pragma omp section
      {
        work(2);
#pragma omp cancellation point sections
        work(5);
      }
#pragma omp section
      {
        work(2);
#pragma omp cancellation point sections
        work(5);
      }
#pragma omp section
      {
        work(2);
#pragma omp cancellation point sections
        work(5);
      }
    }
    work(1);
  }
  barrier();
}

#endif /* POPRT_TESTS_E2E_OMP_CANCEL_SHAPES_H_ */
