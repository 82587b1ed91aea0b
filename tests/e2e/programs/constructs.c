// OpenMP constructs at places that are known by their functions, on four
// threads: how often each is visited, and who waits for whom.
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "poprt.h"

enum { kLateMs = 100, kShortMs = 50 };

#define PLACE __attribute__((noinline)) static void

static atomic_int started;
static omp_lock_t contended, uncontended;
static omp_lock_t* of_grid[2];
static volatile int points = 2;  // so that a loop keeps to one call
static int me;
// Written behind calls of the runtime, so that none of them becomes a jump.
static volatile int passed;
#pragma omp threadprivate(me, passed)

static void work(int ms) {
  struct timespec left = {0, ms * 1000000L};
  while (nanosleep(&left, &left) != 0) {
  }
}

PLACE meet(void) {
  if (me == 1) work(kLateMs);
#pragma omp barrier
  ++passed;
}

PLACE share(int i) {
#pragma omp for schedule(static)
  for (i = 0; i < 4; ++i) {
    if (i == 3) work(kLateMs);
  }
  ++passed;
}

// Who takes the long iteration is not known before.
PLACE deal(int i) {
#pragma omp for schedule(dynamic)
  for (i = 0; i < 20; ++i) {
    if (i == 0) work(kLateMs);
  }
  ++passed;
}

// The second one comes 50 ms later and waits for 100 ms.
PLACE enter(void) {
  if (me == 3) work(kShortMs);
#pragma omp critical(gate)
  if (me == 2) work(kShortMs + kLateMs);
  ++passed;
}

PLACE take_contended(void) {
  if (me == 1) work(kShortMs);
  omp_set_lock(&contended);
  if (me == 0) work(kShortMs + kLateMs);
  omp_unset_lock(&contended);
  ++passed;
}

PLACE take_uncontended(void) {
  omp_set_lock(&uncontended);
  omp_unset_lock(&uncontended);
  ++passed;
}

// Locks that are no variables of a file: only where they were initialised tells
// them apart.
PLACE make_grid(void) {
  for (int i = 0; i < points; ++i) {
    of_grid[i] = malloc(sizeof *of_grid[i]);
    omp_init_lock(of_grid[i]);
    ++passed;
  }
}

PLACE take_grid(void) {
  for (int i = 0; i < points; ++i) {
    omp_set_lock(of_grid[i]);
    omp_unset_lock(of_grid[i]);
    ++passed;
  }
}

PLACE make_local(omp_lock_t* lock) {
  omp_init_lock(lock);
  ++passed;
}

PLACE take_local(omp_lock_t* lock) {
  omp_set_lock(lock);
  omp_unset_lock(lock);
  ++passed;
}

PLACE spawn(void) {
#pragma omp task
  {
    atomic_store(&started, 1);
    work(kLateMs);
  }
  ++passed;
}

PLACE wait_for_child(void) {
#pragma omp taskwait
  ++passed;
}

// Another thread executes the task that thread 0 waits for: thread 1, or one
// that waits in a barrier.
PLACE delegate(void) {
  if (me == 0) {
    spawn();
    while (!atomic_load(&started)) work(1);
    wait_for_child();
  }
  if (me == 1) {
    while (!atomic_load(&started)) {
#pragma omp taskyield
      work(1);
    }
  }
  ++passed;
}

PLACE alone(void) {
#pragma omp single
  work(kLateMs);
  ++passed;
}

PLACE gather(void) {
#pragma omp parallel num_threads(4)
  {
    me = omp_get_thread_num();
    meet();
    meet();
    share(0);
    deal(0);
    if (me == 2) work(kLateMs);
  }
  ++passed;
}

PLACE exclude(void) {
  omp_lock_t local;
  make_local(&local);
#pragma omp parallel num_threads(4)
  {
    me = omp_get_thread_num();
    if (me >= 2) enter();
    if (me < 2) take_contended();
    if (me == 3) {
      for (int i = 0; i < 10; ++i) take_uncontended();
      take_grid();
      take_local(&local);
    }
    delegate();
    alone();
  }
  omp_destroy_lock(&local);
  ++passed;
}

int main(void) {
  omp_init_lock(&contended);
  omp_init_lock(&uncontended);
  make_grid();
  gather();
  work(kShortMs);  // the others are in no construct
  pop_region_start("exclude");
  exclude();
  pop_region_stop("exclude");
  omp_destroy_lock(&contended);
  omp_destroy_lock(&uncontended);
  for (int i = 0; i < points; ++i) {
    omp_destroy_lock(of_grid[i]);
    free(of_grid[i]);
  }
  puts("constructs: done");
  return 0;
}
