/* What the programs of known shape have in common.
 *
 * Work is sleeping: it takes as long as it says on any machine, with any
 * number of ranks and threads on few cores.  All times are in units; the
 * length of a unit is the second argument, in microseconds.  The same shapes
 * stand in tests/e2e/scenarios.py, from which the expected metrics come: a
 * change here needs the same change there.
 */
#ifndef POPRT_TESTS_E2E_SHAPES_H_
#define POPRT_TESTS_E2E_SHAPES_H_

#include <errno.h>
#include <poprt.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

static double unit_seconds = 0.06;

/* Sleeps for `units`, and wakes up on time though other ranks spin: a thread
 * that sleeps has a real-time priority, where the system grants it. */
static inline void work(double units) {
  const struct sched_param first = {1}, usual = {0};
  const double seconds = units * unit_seconds;
  struct timespec left;
  left.tv_sec = (time_t)seconds;
  left.tv_nsec = (long)((seconds - (double)left.tv_sec) * 1e9);
  const int granted = sched_setscheduler(0, SCHED_FIFO, &first) == 0;
  while (nanosleep(&left, &left) == -1 && errno == EINTR) {
  }
  if (granted) sched_setscheduler(0, SCHED_OTHER, &usual);
}

/* Ends the program loudly: a result that is not the one the shape must give. */
#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      abort();                                                                \
    }                                                                         \
  } while (0)

struct shape {
  const char* name;
  void (*run)(void);
};

static inline void begin_shapes(double unit_microseconds) {
  /* Threads inherit the timer slack. Without slack a sleep is as long as it
   * says. */
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  unit_seconds = unit_microseconds * 1e-6;
}

/* Takes the unit from the command line, and the shape by its name. */
static inline const struct shape* choose_shape(const struct shape* shapes,
                                               int argc, char** argv) {
  if (argc == 3) {
    begin_shapes(atof(argv[2]));
    for (const struct shape* shape = shapes; shape->name != NULL; ++shape) {
      if (strcmp(shape->name, argv[1]) == 0) return shape;
    }
  }
  fprintf(stderr, "usage: %s SHAPE UNIT_MICROSECONDS\nshapes:\n", argv[0]);
  for (const struct shape* shape = shapes; shape->name != NULL; ++shape) {
    fprintf(stderr, "  %s\n", shape->name);
  }
  exit(2);
}

#endif /* POPRT_TESTS_E2E_SHAPES_H_ */
