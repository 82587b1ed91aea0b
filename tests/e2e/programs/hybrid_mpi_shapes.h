/* Shapes of MPI calls inside parallel regions. */
#ifndef POPRT_TESTS_E2E_HYBRID_MPI_SHAPES_H_
#define POPRT_TESTS_E2E_HYBRID_MPI_SHAPES_H_

#include "openmp_shapes.h"

#ifndef PURE_OPENMP

static void before_init(void) {
#pragma omp parallel
  work(2 + level());
}

static void after_init(void) {
#pragma omp parallel
  work(3 + level());
  barrier();
  work(1);
}

static void mpi_by_primary(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      work(1 + 2 * rank_level());
      barrier();
      work(1);
    } else {
      work(5);
    }
  }
  work(1);
  barrier();
}

static void mpi_by_threads(void) {
#pragma omp parallel
  {
    const int thread = omp_get_thread_num();
    work((rank + thread) % 2 == 0 ? 3 : 1);
    exchange(thread);
    work(2);
  }
  work(1);
  barrier();
}

/* Only the last thread: not the primary, unless it is alone. */
static void mpi_by_last_thread(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == omp_get_num_threads() - 1) {
      work(1 + 2 * (rank % 2));
      exchange(1);
      work(1);
    } else {
      work(4);
    }
  }
  work(1);
}

/* Explicit tasks that communicate, whichever thread executes them. */
static void mpi_in_tasks(void) {
#pragma omp parallel
#pragma omp masked
  {
    const int n = omp_get_num_threads();
    for (int i = 0; i < n; ++i) {
#pragma omp task
      {
        work(rank % 2 == 0 ? 1 : 3);
        exchange(i);
        work(1);
      }
    }
#pragma omp taskwait
    work(1);
  }
  barrier();
}

#endif

#endif /* POPRT_TESTS_E2E_HYBRID_MPI_SHAPES_H_ */
