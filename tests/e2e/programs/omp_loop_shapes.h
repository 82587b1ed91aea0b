/* Shapes of loops and other work that a team shares. */
#ifndef POPRT_TESTS_E2E_OMP_LOOP_SHAPES_H_
#define POPRT_TESTS_E2E_OMP_LOOP_SHAPES_H_

#include "openmp_shapes.h"

static void doacross(void) {
#pragma omp parallel
  {
    const int n = omp_get_num_threads();
#pragma omp for ordered(1) schedule(static, 1)
    for (int i = 0; i < n; ++i) {
      work(1 - 0.5 * level());
#pragma omp ordered depend(sink : i - 1)
      work(4.0 / n);
#pragma omp ordered depend(source)
      work(1);
    }
  }
  barrier();
}

/* Two chains side by side; each thread has two iterations of its chain. */
static void doacross_two(void) {
#pragma omp parallel
  {
    const int n = omp_get_num_threads();
#pragma omp for ordered(1) schedule(static, 1)
    for (int i = 0; i < 2 * n; ++i) {
#pragma omp ordered depend(sink : i - 2)
      work(i % 2 == 0 ? 4.0 / n : 2.0 / n);
#pragma omp ordered depend(source)
    }
  }
  barrier();
}

/* A wavefront: each thread has a row, and needs the left one and the one
 * above. */
static void doacross_grid(void) {
#pragma omp parallel
  {
    const int n = omp_get_num_threads();
#pragma omp for ordered(2) schedule(static, 1)
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < 3; ++j) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
        work(1);
#pragma omp ordered depend(source)
      }
    }
  }
  barrier();
}

/* At any time as many iterations of one length are ready as there are
 * threads. */
static void dynamic_loops(void) {
#pragma omp parallel
  {
    const int n = omp_get_num_threads();
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < 2 * n; ++i) work(1);
#pragma omp for schedule(guided)
    for (int i = 0; i < 2 * n; ++i) work(0.5);
#pragma omp for schedule(dynamic, 1) nowait
    for (int i = 0; i < n; ++i) work(1);
    work(level());
  }
  barrier();
}

static void ordered_dynamic(void) {
#pragma omp parallel
  {
    const int n = omp_get_num_threads();
#pragma omp for ordered schedule(dynamic, 1)
    for (int i = 0; i < n; ++i) {
      work(1);
#pragma omp ordered
      work(4.0 / n);
    }
  }
  barrier();
}

/* The runtime keeps the data of seven loops: a thread that is further ahead
 * waits until the last thread has left the first of them. */
static void loops_ahead(void) {
#pragma omp parallel
  {
    const int n = omp_get_num_threads();
    if (omp_get_thread_num() == n - 1) work(3);
    for (int loop = 0; loop < 8; ++loop) {
#pragma omp for schedule(dynamic, 1) nowait
      for (int i = 0; i < n; ++i) {
#pragma omp atomic
        sum += i;
      }
    }
    work(1);
  }
  barrier();
}

static void singles(void) {
  int value = 0;
  long total = 0;
#pragma omp parallel firstprivate(value)
  {
    work(1 + level());
#pragma omp single copyprivate(value)
    {
      work(1);
      value = 7;
    }
#pragma omp atomic
    total += value;
    work(1);
#pragma omp sections
    {
#pragma omp section
      work(1);
#pragma omp section
      work(1);
    }
#pragma omp masked filter(1)
    work(1);
  }
  CHECK(total % 7 == 0 && total > 0);
  barrier();
}

/* Whichever method of reduction the runtime chooses. */
static void reduction(void) {
  long total = 0;
  double most = 0;
#pragma omp parallel reduction(max : most)
  {
    const int n = omp_get_num_threads();
    work(1 + level());
#pragma omp for schedule(static, 1) reduction(+ : total)
    for (int i = 0; i < n; ++i) {
      work(2 - level());
      total += i;
    }
    work(1 + level());
    most = omp_get_thread_num();
  }
  sum += total + (long)most;
  barrier();
}

static void combine(long* out, const long* in) {
  work(1);
  *out += *in;
}
#pragma omp declare reduction(slow:long : combine(&omp_out, &omp_in))

/* The program's own code combines, one thread at a time. */
static void slow_reduction(void) {
  long total = 0;
#pragma omp parallel reduction(slow : total)
  {
    work(1);
    total = omp_get_thread_num();
  }
  sum += total;
  barrier();
}

#endif /* POPRT_TESTS_E2E_OMP_LOOP_SHAPES_H_ */
