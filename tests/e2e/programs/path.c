// Two ranks of known work, for the longest path.  Rank 1 works longer in
// "assemble", of which a part is in "fill"; then rank 0 works in "solve" with
// threads that have unequal work, and rank 1 waits for its message.
//   path [slow]
// slow: on rank 1 a thread takes long to be created, which is time in OpenMP.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <time.h>

#include "poprt.h"

static void sleep_ms(long ms) {
  const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static int g_slow;

// What the OpenMP runtime calls.
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                   void* (*function)(void*), void* argument) {
  int (*create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  *(void**)&create = dlsym(RTLD_NEXT, "pthread_create");
  if (g_slow) sleep_ms(100);
  return create(thread, attributes, function, argument);
}

// Nothing to do: the time is that of the runtime.
__attribute__((noinline)) static void start_threads(int slow) {
  g_slow = slow;
#pragma omp parallel num_threads(2)
  {}
  g_slow = 0;
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  start_threads(argc > 1 && rank == 1);
  MPI_Barrier(MPI_COMM_WORLD);

  pop_region_start("assemble");
  sleep_ms(rank == 1 ? 100 : 50);
  if (rank == 1) {
    pop_region_start("fill");
    sleep_ms(50);
    pop_region_stop("fill");
  }
  pop_region_stop("assemble");
  MPI_Barrier(MPI_COMM_WORLD);

  if (rank == 0) {
    pop_region_start("solve");
#pragma omp parallel num_threads(2)
    sleep_ms(omp_get_thread_num() == 1 ? 100 : 50);
    pop_region_stop("solve");
    MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    sleep_ms(50);
    int from;
    MPI_Recv(&from, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
