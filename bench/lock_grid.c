/* The elements of an unstructured grid add to the points that they share, each
 * point under its own lock, as in UA of the NAS benchmarks: very many locks
 * that are hardly ever contended.  And locks taken at random, so that most of
 * them come from another thread. */
#include <omp.h>
#include <poprt.h>

#include "timing.h"

enum { kSide = 96, kPoints = (kSide + 1) * (kSide + 1) };

static omp_lock_t locks[kPoints];
static double values[kPoints];

static void add(int point, double value) {
  omp_set_lock(&locks[point]);
  values[point] += value;
  omp_unset_lock(&locks[point]);
}

/* The contribution of an element to one of its four points. */
static double share(int element, int corner, double scale) {
  double x = element + 0.25 * corner;
  for (int i = 0; i < 8; ++i) x = 0.5 * x + scale;
  return x;
}

static void sweep(double scale) {
#pragma omp parallel for schedule(static)
  for (int element = 0; element < kSide * kSide; ++element) {
    const int row = element / kSide, first = element + row;
    const int corners[4] = {first, first + 1, first + kSide + 1,
                            first + kSide + 2};
    for (int corner = 0; corner < 4; ++corner) {
      add(corners[corner], share(element, corner, scale));
    }
  }
}

static void at_random(int count) {
  enum { kLocks = 4096 };
#pragma omp parallel
  {
    unsigned state = 1 + (unsigned)omp_get_thread_num();
    for (int i = 0; i < count; ++i) {
      state = state * 1664525u + 1013904223u;
      add((int)(state >> 20) % kLocks, 1);
    }
  }
}

int main(int argc, char** argv) {
  const int pairs = 2000000 / bench_divisor(argc, argv) + 1;
  const int sweeps = 200 / bench_divisor(argc, argv) + 1;
  for (int i = 0; i < kPoints; ++i) omp_init_lock(&locks[i]);
  sweep(0);
  pop_region_start("bench");
  BENCH_ALL(1, "grid of locks, an element", sweeps * kSide * kSide, (void)0,
            for (int i = 0; i < sweeps; ++i) sweep(1));
  BENCH_ALL(1, "locks at random, set and unset", pairs, (void)0,
            at_random(pairs));
  pop_region_stop("bench");
  double sum = 0;
  for (int i = 0; i < kPoints; ++i) {
    sum += values[i];
    omp_destroy_lock(&locks[i]);
  }
  /* The order of the additions varies, so only the last digits of the sum
   * differ. In single precision it is always the same. */
  bench_result("sum", (double)(float)sum);
  return 0;
}
