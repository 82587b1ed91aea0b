/* Shapes with regions. */
#ifndef POPRT_TESTS_E2E_MPI_REGION_SHAPES_H_
#define POPRT_TESTS_E2E_MPI_REGION_SHAPES_H_

#include "mpi_shapes.h"

/* Two imbalances that cancel out. */
static void cancelling_regions(void) {
  pop_region_start("first");
  work(2 + 2 * high);
  barrier();
  pop_region_stop("first");
  pop_region_start("second");
  work(4 - 2 * high);
  pop_region_stop("second");
  barrier();
}

/* The slow rank changes from visit to visit; the region has no MPI. */
static void compute_region(void) {
  for (int visit = 0; visit < 4; ++visit) {
    pop_region_start("compute");
    work((rank + visit) % 2 == 0 ? 2 : 1);
    pop_region_stop("compute");
    barrier();
  }
}

static void half_region(void) {
  const int half = (size + 1) / 2;
  if (rank < half) {
    pop_region_start("half");
    work(1);
    if (rank > 0) receive_from(rank - 1, 1);
    work(2.0 / half);
    if (rank < half - 1) send_to(rank + 1, 1);
    pop_region_stop("half");
  } else {
    work(4);
  }
  barrier();
  work(1);
  if (rank % 2 == 1) {
    pop_region_start("odd");
    work(2);
    pop_region_stop("odd");
  }
}

static void region_100(void) {
  for (int i = 0; i < 100; ++i) {
    pop_region_start("step");
    work(rank == i % size ? 0.06 : 0.03);
    barrier();
    pop_region_stop("step");
    work(0.03);
  }
}

static void overlapping_regions(void) {
  pop_region_start("a");
  work(1 + high);
  pop_region_start("b");
  barrier();
  work(2);
  pop_region_stop("a");
  work(2 - high);
  barrier();
  pop_region_stop("b");
  work(1);
}

static void nested_regions(void) {
  pop_region_start("outer");
  work(1);
  pop_region_start("inner");
  work(1 + high);
  barrier();
  pop_region_start("innermost");
  work(1);
  pop_region_stop("innermost");
  pop_region_stop("inner");
  pop_region_start("outer"); /* again: recursion */
  work(1);
  pop_region_stop("outer");
  work(1);
  pop_region_stop("outer");
  work(1);
}

/* Entered and left at different times, with messages that cross. */
static void shifted_region(void) {
  work(2 * high);
  pop_region_start("shifted");
  work(1);
  if (rank > 0) receive_from(rank - 1, 1);
  work(1);
  if (rank < size - 1) send_to(rank + 1, 1);
  pop_region_stop("shifted");
  work(2 - 2 * high);
  barrier();
}

/* The message leaves inside the sender's region and arrives before the
 * receiver knows of it; a third process only passes the clock on. */
static void region_in_flight(void) {
  if (rank % 4 == 0) {
    work(1);
    pop_region_start("x");
    work(2);
    send_to(rank + 1, 1);
    work(1);
    pop_region_stop("x");
  } else if (rank % 4 == 1) {
    receive_from(rank - 1, 1);
    work(1);
    send_to(rank + 1, 1);
  } else if (rank % 4 == 2) {
    work(1);
    receive_from(rank - 1, 1);
    pop_region_start("x");
    work(2);
    pop_region_stop("x");
  } else {
    work(6);
  }
}

static void pcontrol(void) {
  work(1);
  MPI_Pcontrol(1);
  work(1 + high);
  barrier();
  MPI_Pcontrol(0);
  work(1);
  MPI_Pcontrol(1);
  work(2);
  MPI_Pcontrol(0);
  barrier();
}

/* Every misuse of the region API; none may harm the region "good". */
static void region_misuse(void) {
  char name[300];
  memset(name, 'n', sizeof name - 1);
  name[sizeof name - 1] = 0;
  pop_region_stop("never started");
  pop_region_start("good");
  pop_region_start("");
  pop_region_stop("");
  work(2);
  pop_region_stop("good");
  pop_region_stop("good");
  pop_region_start(name);
  work(2);
  pop_region_stop(name);
  pop_region_start("never stopped");
  work(2);
  barrier();
}

#endif /* POPRT_TESTS_E2E_MPI_REGION_SHAPES_H_ */
