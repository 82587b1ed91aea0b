/* A miniature application: a hydrodynamics code on a domain that is far too
 * small for its threads. A step is some 200 parallel loops over several fields,
 * of about 3, 7 or 20 us each on two threads: gathers from the nodes of an
 * element, sums into nodes, updates, and an equation of state in many short
 * loops. */
#include <math.h>
#include <poprt.h>

#include "timing.h"

enum { kMost = 32768, kMaterials = 11 };
static double x[kMost], v[kMost], a[kMost], force[kMost], mass[kMost];
static double energy[kMost], pressure[kMost], viscosity[kMost], volume[kMost];
static double change[kMost], work[kMost], half[kMost], speed[kMost];
static int node[kMost][4];

/* One loop on all threads; `body` uses i. */
#define LOOP(n, body)                                                     \
  do {                                                                    \
    _Pragma("omp parallel for schedule(static)") for (int i = 0; i < (n); \
                                                      ++i) {              \
      body;                                                               \
    }                                                                     \
  } while (0)

/* Forces of the elements, and what they do to the nodes: 8 loops. */
static void move_nodes(int n, double dt) {
  LOOP(n, force[i] = 1e-3 / sqrt(1 + v[i] * v[i]));
  LOOP(n, change[i] = 0.25 * (x[node[i][0]] + x[node[i][1]] - x[node[i][2]] -
                              x[node[i][3]]));
  LOOP(n, work[i] = (pressure[i] + viscosity[i]) * change[i] /
                    sqrt(1 + change[i] * change[i]));
  LOOP(n, force[i] += work[node[i][0]] - work[node[i][1]]);
  LOOP(n, a[i] = force[i] / mass[i]);
  LOOP(n, v[i] = v[i] / sqrt(1 + 1e-4 * v[i] * v[i]));
  LOOP(n, v[i] += dt * a[i]);
  LOOP(n, x[i] += dt * v[i]);
}

/* Volumes and artificial viscosity of the elements: 5 loops. */
static void change_elements(int n, double dt) {
  LOOP(n, half[i] = 0.5 * (v[node[i][1]] - v[node[i][3]]));
  LOOP(n, volume[i] = fmax(0.5, volume[i] + dt * half[i]));
  LOOP(n, speed[i] = sqrt(1.4 * fabs(pressure[i]) / (1 + volume[i])));
  LOOP(n, viscosity[i] = half[i] < 0 ? half[i] * (half[i] - speed[i]) : 0);
  LOOP(n, change[i] = half[i] / volume[i]);
}

/* The equation of state, again for each material: 17 loops. */
static void state(int n, double dt) {
  LOOP(n, half[i] =
              energy[i] - 0.5 * dt * change[i] * (pressure[i] + viscosity[i]));
  for (int iteration = 0; iteration < 5; ++iteration) {
    LOOP(n, work[i] = 0.4 * half[i] / sqrt(volume[i] * half[i]));
    LOOP(n, speed[i] = sqrt(1.4 * work[i] / (1 + volume[i])));
    LOOP(n, half[i] = fmax(
                1e-9, half[i] - 1e-3 * dt * change[i] / sqrt(1 + work[i])));
  }
  LOOP(n, pressure[i] = work[i]; energy[i] = half[i]);
}

/* The longest step that is stable: a reduction. */
static double time_step(int n) {
  double fastest = 0;
#pragma omp parallel for schedule(static) reduction(max : fastest)
  for (int i = 0; i < n; ++i) fastest = fmax(fastest, speed[i] + fabs(v[i]));
  return 1e-3 / (1 + fastest);
}

static double measure(const char* name, int n, int steps) {
  double dt = 1e-4;
  for (int i = 0; i < kMost; ++i) {
    x[i] = i * 1e-3;
    v[i] = 1e-2 * ((i * 7) % 13 - 6);
    mass[i] = volume[i] = energy[i] = 1;
    pressure[i] = 0.4;
    viscosity[i] = speed[i] = 0;
    for (int corner = 0; corner < 4; ++corner)
      node[i][corner] = (i + corner * (corner + 1)) % n;
  }
  const double begin = bench_seconds();
  for (int step = 0; step < steps; ++step) {
    move_nodes(n, dt);
    change_elements(n, dt);
    for (int material = 0; material < kMaterials; ++material) state(n, dt);
    dt = time_step(n);
  }
  bench_print(name, (bench_seconds() - begin) / steps);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] + energy[i];
  return sum;
}

int main(int argc, char** argv) {
  const int divisor = bench_divisor(argc, argv);
  double sum = 0;
  LOOP(kMost, x[i] = 0); /* creates the threads */
  pop_region_start("steps");
  sum += measure("a step of loops of 3 us", 3300, 600 / divisor + 1);
  sum += measure("a step of loops of 7 us", 10200, 400 / divisor + 1);
  sum += measure("a step of loops of 20 us", 31500, 200 / divisor + 1);
  pop_region_stop("steps");
  bench_result("sum", sum);
  return 0;
}
