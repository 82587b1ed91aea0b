// Fills what poprt keeps in tables of limited size, by words like regions=72:
//
// - regions: with a barrier, a parallel region and a lock in each
// - handles: names of pop_region_find()
// - sets: combinations of open regions
// - calls: places with MPI calls, each in a region
// - constructs: places with OpenMP constructs, each in a region
// - locks
// - tasks: outside of parallel regions; alone, they are the first of OpenMP
// - metadata: keys of pop_metadata()
// - visits: of the region "step"
// - late: how many times the next thread and rank come last, in turn
//
// Without MPI if it is built so.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "poprt.h"

#ifdef WITH_MPI
#include <mpi.h>
#define BARRIER() MPI_Barrier(MPI_COMM_WORLD)
#define PLACE_OF_CALL() MPI_Barrier(MPI_COMM_SELF)
#else
#define BARRIER() (void)0
#define PLACE_OF_CALL() (void)0
#endif

// `x` at ten places.
#define TEN(x) \
  x;           \
  x;           \
  x;           \
  x;           \
  x;           \
  x;           \
  x;           \
  x;           \
  x;           \
  x

static omp_lock_t lock;

static void sleep_us(long us) {
  const struct timespec time = {0, us * 1000};
  nanosleep(&time, NULL);
}

static void parallel(void) {
#pragma omp parallel num_threads(2)
  sleep_us(20);
}

static void something(void) {
  BARRIER();
  parallel();
  omp_set_lock(&lock);
  omp_unset_lock(&lock);
}

static void regions(int count) {
  char name[32];
  for (int i = 0; i < count; ++i) {
    snprintf(name, sizeof name, "region %d", i);
    pop_region_start(name);
    something();
    pop_region_stop(name);
  }
}

static void handles(int count) {
  char name[32];
  for (int i = 0; i < count; ++i) {
    snprintf(name, sizeof name, "handle %d", i);
    pop_region_find(name);
  }
}

static void sets(int count) {
  enum { kOuter = 24 };
  char outer[32], inner[32];
  for (int i = 0; i < count; ++i) {
    snprintf(outer, sizeof outer, "outer %d", i % kOuter);
    snprintf(inner, sizeof inner, "inner %d", i / kOuter);
    pop_region_start(outer);
    pop_region_start(inner);
    something();
    pop_region_stop(inner);
    pop_region_stop(outer);
  }
}

// Places count in each region apart, so few of them in many regions are as
// many.
static void calls(int count) {
  char name[32];
  for (int i = 0; i < count; i += 10) {
    snprintf(name, sizeof name, "calls %d", i / 10);
    pop_region_start(name);
    TEN(PLACE_OF_CALL());
    pop_region_stop(name);
  }
}

static void constructs(int count) {
  char name[32];
  for (int i = 0; i < count; i += 10) {
    snprintf(name, sizeof name, "constructs %d", i / 10);
    pop_region_start(name);
    TEN(omp_set_lock(&lock); omp_unset_lock(&lock));
    pop_region_stop(name);
  }
}

static void locks(int count) {
  omp_lock_t* const all = malloc(sizeof *all * (size_t)(count + 1));
  for (int i = 0; i < count; ++i) omp_init_lock(&all[i]);
  for (int i = 0; i < count; ++i) {
    omp_set_lock(&all[i]);
    omp_unset_lock(&all[i]);
  }
  for (int i = 0; i < count; ++i) omp_destroy_lock(&all[i]);
  free(all);
}

static void tasks(int count) {
  for (int i = 0; i < count; ++i) {
#pragma omp task
    sleep_us(20);
#pragma omp taskwait
  }
}

static void metadata(int count) {
  char name[32];
  for (int i = 0; i < count; ++i) {
    snprintf(name, sizeof name, "key %d", i);
    pop_metadata(name, "value");
  }
}

static void visits(int count) {
  for (int i = 0; i < count; ++i) {
    pop_region_start("step");
    something();
    pop_region_stop("step");
  }
}

static void late(int count) {
  int rank = 0, ranks = 1;
#ifdef WITH_MPI
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
#endif
  for (int i = 0; i < count; ++i) {
    if (i % ranks == rank) sleep_us(500);
    BARRIER();
#pragma omp parallel num_threads(20)
    if (omp_get_thread_num() == i % 20) sleep_us(500);
  }
}

static const struct {
  const char* name;
  void (*fill)(int count);
} tables[] = {
    {"regions", regions}, {"handles", handles},       {"sets", sets},
    {"calls", calls},     {"constructs", constructs}, {"locks", locks},
    {"tasks", tasks},     {"metadata", metadata},     {"visits", visits},
    {"late", late}};

int main(int argc, char** argv) {
#ifdef WITH_MPI
  MPI_Init(&argc, &argv);
#endif
  omp_init_lock(&lock);
  for (int i = 1; i < argc; ++i) {
    const char* const count = strchr(argv[i], '=') + 1;
    const size_t length = (size_t)(count - argv[i]) - 1;
    for (size_t t = 0; t < sizeof tables / sizeof *tables; ++t) {
      if (strncmp(tables[t].name, argv[i], length) != 0) continue;
      tables[t].fill(atoi(count));
    }
  }
#ifdef WITH_MPI
  MPI_Finalize();
#endif
  puts("end");
  return 0;
}
