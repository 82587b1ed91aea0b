/* Runs a single operation for some time. scripts/bench --overhead compares the
 * overhead that the library reports for this run with the overhead measured
 * from outside. The argument names the operation. */
#include <poprt.h>
#include <string.h>

#include "timing.h"

#ifdef WITH_MPI
#include <mpi.h>

static void ping_pong(int count, int rank) {
  char byte = 0;
  for (int i = 0; i < count; ++i) {
    if (rank == 0) MPI_Send(&byte, 1, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
    MPI_Recv(&byte, 1, MPI_CHAR, 1 - rank, 1, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    if (rank != 0) MPI_Send(&byte, 1, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
  }
}

static void iprobe(int count, int rank) {
  int flag;
  for (int i = 0; i < count; ++i) {
    MPI_Iprobe(1 - rank, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  }
}
#else
#include <omp.h>

static void locks(int count, int rank) {
  (void)rank;
#pragma omp parallel
  {
    omp_lock_t lock;
    omp_init_lock(&lock);
    for (int i = 0; i < count; ++i) {
      omp_set_lock(&lock);
      omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
  }
}

static void nothing(void) { __asm__ volatile(""); }

static void tasks(int count, int rank) {
  (void)rank;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < count; ++i) {
#pragma omp task
    nothing();
  }
}
#endif

static const struct {
  const char* name;
  void (*run)(int count, int rank);
  int count;
} operations[] = {
#ifdef WITH_MPI
    {"ping-pong", ping_pong, 400000},
    {"iprobe", iprobe, 10000000},
#else
    {"locks", locks, 10000000},
    {"tasks", tasks, 2000000},
#endif
};

int main(int argc, char** argv) {
  int rank = 0;
#ifdef WITH_MPI
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
  const int divisor = argc > 2 ? atoi(argv[2]) : 1;
  for (size_t i = 0; i < sizeof operations / sizeof *operations; ++i) {
    if (argc < 2 || strcmp(argv[1], operations[i].name) != 0) continue;
    const int count = operations[i].count / (divisor > 0 ? divisor : 1) + 1;
#ifdef WITH_MPI
    MPI_Barrier(MPI_COMM_WORLD);
#endif
    const double begin = bench_seconds();
    operations[i].run(count, rank);
    if (rank == 0) bench_print(argv[1], (bench_seconds() - begin) / count);
  }
#ifdef WITH_MPI
  MPI_Finalize();
#endif
  return 0;
}
