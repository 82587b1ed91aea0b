/* Single OpenMP constructs on two threads. */
#include <omp.h>
#include <poprt.h>

#include "timing.h"

static void barriers(int count) {
#pragma omp parallel
  for (int i = 0; i < count; ++i) {
#pragma omp barrier
  }
}

static void loops(int count) {
#pragma omp parallel
  for (int i = 0; i < count; ++i) {
#pragma omp for schedule(static)
    for (int j = 0; j < 8; ++j) __asm__ volatile("");
  }
}

static void tasks(int count) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < count; ++i) {
#pragma omp task
    __asm__ volatile("");
  }
}

static void criticals(int count) {
#pragma omp parallel
  for (int i = 0; i < count; ++i) {
#pragma omp critical
    __asm__ volatile("");
  }
}

/* `operation` does its work `inner` times. */
#define BENCH_INNER(name, inner, operation)                      \
  do {                                                           \
    double least = 1e30;                                         \
    for (int round_ = 0; round_ < 5; ++round_) {                 \
      const double begin_ = bench_seconds();                     \
      operation(inner);                                          \
      const double each_ = (bench_seconds() - begin_) / (inner); \
      if (each_ < least) least = each_;                          \
    }                                                            \
    printf("%s\t%.1f\n", name, 1e9 * least);                     \
  } while (0)

static void parallel_empty(void) {
#pragma omp parallel
  __asm__ volatile("");
}

int main(void) {
  parallel_empty();
  pop_region_start("bench");
  BENCH(1, "parallel, empty", 20000, parallel_empty());
  BENCH_INNER("barrier", 50000, barriers);
  BENCH_INNER("for, static", 50000, loops);
  BENCH_INNER("task, empty", 50000, tasks);
  BENCH_INNER("critical", 50000, criticals);
  pop_region_stop("bench");
  return 0;
}
