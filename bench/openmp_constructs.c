/* Single OpenMP constructs on two threads. A second argument is a number of
 * regions that have been open before. */
#include <omp.h>
#include <poprt.h>

#include "timing.h"

static void nothing(void) { __asm__ volatile(""); }

static void parallels(int count) {
  for (int i = 0; i < count; ++i) {
#pragma omp parallel
    nothing();
  }
}

static void barriers(int count) {
#pragma omp parallel
  for (int i = 0; i < count; ++i) {
#pragma omp barrier
  }
}

static void static_loops(int count) {
#pragma omp parallel
  for (int i = 0; i < count; ++i) {
#pragma omp for schedule(static)
    for (int j = 0; j < 8; ++j) nothing();
  }
}

static void dynamic_loops(int count) {
#pragma omp parallel
  for (int i = 0; i < count; ++i) {
#pragma omp for schedule(dynamic, 1)
    for (int j = 0; j < 8; ++j) nothing();
  }
}

static void tasks(int count) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < count; ++i) {
#pragma omp task
    nothing();
  }
}

static void task_chain(int count) {
  int link;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < count; ++i) {
#pragma omp task depend(inout : link)
    nothing();
  }
}

static void criticals(int count) {
#pragma omp parallel
  for (int i = 0; i < count; ++i) {
#pragma omp critical
    nothing();
  }
}

/* Each thread has a lock of its own. */
static void locks(int count) {
#pragma omp parallel
  {
    omp_lock_t lock;
    omp_init_lock(&lock);
    for (int i = 0; i < count; ++i) {
      omp_set_lock(&lock);
      omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
  }
}

/* The lock is never free, so each attempt fails. */
static void attempts(int count) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  omp_set_lock(&lock);
#pragma omp parallel
  for (int i = 0; i < count; ++i) {
    if (omp_test_lock(&lock)) abort();
  }
  omp_unset_lock(&lock);
  omp_destroy_lock(&lock);
}

int main(int argc, char** argv) {
  const int count = 50000 / bench_divisor(argc, argv) + 1;
  parallels(1);
  for (int i = argc > 2 ? atoi(argv[2]) : 0; i > 0; --i) {
    char name[24];
    snprintf(name, sizeof name, "before %d", i);
    pop_region_start(name);
    parallels(1);
    pop_region_stop(name);
  }
  pop_region_start("bench");
#define BENCH(name, operations) \
  BENCH_ALL(1, name, count, nothing(), operations(count))
  BENCH("parallel, empty", parallels);
  BENCH("barrier", barriers);
  BENCH("for, static", static_loops);
  BENCH("for, dynamic,1, 8 iterations", dynamic_loops);
  BENCH("task, empty", tasks);
  BENCH("task, depend(inout) chain", task_chain);
  /* Locks come before critical regions, which the runtime reports as locks,
   * too. */
  BENCH("set_lock, unset_lock, uncontended", locks);
  BENCH("test_lock that fails", attempts);
  BENCH("critical", criticals);
  pop_region_stop("bench");
  return 0;
}
