/* Times one operation: the least mean of a few rounds, in ns, one line each.
 * scripts/bench compares the lines of a run with poprt to those of one without.
 */
#ifndef POPRT_BENCH_TIMING_H_
#define POPRT_BENCH_TIMING_H_

#include <stdio.h>
#include <time.h>

static double bench_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#define BENCH(print, name, count, operation)                     \
  do {                                                           \
    double least = 1e30;                                         \
    for (int round_ = 0; round_ < 5; ++round_) {                 \
      const double begin_ = bench_seconds();                     \
      for (int i_ = 0; i_ < (count); ++i_) {                     \
        operation;                                               \
      }                                                          \
      const double each_ = (bench_seconds() - begin_) / (count); \
      if (each_ < least) least = each_;                          \
    }                                                            \
    if (print) printf("%s\t%.1f\n", name, 1e9 * least);          \
  } while (0)

#endif /* POPRT_BENCH_TIMING_H_ */
