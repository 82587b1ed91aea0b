/* A miniature application: an explicit method on a domain that is far too
 * small for its threads.  A step is 30 parallel loops of 10 to 50 us each on
 * two threads, as a hydrodynamics code has them: updates, gathers, divisions
 * and square roots, reductions. */
#include <math.h>
#include <poprt.h>

#include "timing.h"

enum { kMost = 60000, kRounds = 5 };
static double x[kMost], v[kMost], f[kMost], e[kMost];
static int neighbour[kMost];

static void force(int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) f[i] = sqrt(1 + e[neighbour[i]]) - e[i] * v[i];
}

static void accelerate(int n, double dt) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) v[i] = (v[i] + dt * f[i]) / sqrt(1 + v[i] * v[i]);
}

static void move(int n, double dt) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) x[i] = (x[i] + dt * v[i]) / sqrt(1 + x[i] * x[i]);
}

static void state(int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) e[i] = sqrt(1 + x[i] * x[i]) / (2 + e[i]);
}

static double fastest(int n) {
  double most = 0;
#pragma omp parallel for reduction(max : most)
  for (int i = 0; i < n; ++i) most = fmax(most, fabs(v[i]));
  return most;
}

static double energy(int n) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += sqrt(e[i] * e[i] + v[i] * v[i]);
  return sum;
}

int main(int argc, char** argv) {
  const int steps = 1000 / bench_divisor(argc, argv) + 1;
  double sum = 0, dt = 1e-3;
  for (int i = 0; i < kMost; ++i) {
    x[i] = 1e-3 * (i % 1000);
    e[i] = 1;
    neighbour[i] = (int)((i * 17L + 5) % kMost);
  }
  pop_region_start("steps");
  energy(kMost); /* creates the threads */
  const double begin = bench_seconds();
  for (int step = 0; step < steps; ++step) {
    for (int round = 1; round <= kRounds; ++round) {
      /* Lengths are chosen by the cost of an iteration. */
      force(8000 * round);
      accelerate(10000 * round, dt);
      move(10000 * round, dt);
      state(11000 * round);
      dt = 1e-3 / (1 + fastest(9000 * round));
      sum = energy(9000 * round);
    }
  }
  bench_print("fine-grained loops, a step", (bench_seconds() - begin) / steps);
  pop_region_stop("steps");
  bench_result("energy", sum);
  return 0;
}
