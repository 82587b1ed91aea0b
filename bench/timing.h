/* Times one operation: the smallest mean of a few rounds, in ns, one line each.
 * scripts/bench compares the lines of runs with and without poprt.
 *
 * A program's only argument divides the number of repetitions, for a quick
 * check whether it works. */
#ifndef POPRT_BENCH_TIMING_H_
#define POPRT_BENCH_TIMING_H_

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double bench_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline int bench_divisor(int argc, char** argv) {
  const int divisor = argc > 1 ? atoi(argv[1]) : 1;
  return divisor > 0 ? divisor : 1;
}

static inline void bench_print(const char* name, double seconds) {
  printf("%s\t%.1f\n", name, 1e9 * seconds);
}

/* Prints a result that must be the same with and without poprt. */
static inline void bench_result(const char* name, double value) {
  printf("%s\t= %.12g\n", name, value);
}

/* `operations` does the operation `count` times; `meet` synchronises the
 * processes before and after. */
#define BENCH_ALL(print, name, count, meet, operations) \
  do {                                                  \
    double least_ = 1e30;                               \
    for (int round_ = 0; round_ < 5; ++round_) {        \
      meet;                                             \
      const double begin_ = bench_seconds();            \
      operations;                                       \
      meet;                                             \
      const double took_ = bench_seconds() - begin_;    \
      if (took_ < least_) least_ = took_;               \
    }                                                   \
    if (print) bench_print(name, least_ / (count));     \
  } while (0)

#endif /* POPRT_BENCH_TIMING_H_ */
