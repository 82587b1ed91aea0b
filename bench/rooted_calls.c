/* Collectives in which only some processes depend on others, on 8 bytes. In a
 * row of them the root, or those that the root waits for, run ahead. */
#include <mpi.h>
#include <poprt.h>

#include "timing.h"

int main(int argc, char** argv) {
  static double all[1024];
  double in = 1, out;
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int count = 40000 / size / bench_divisor(argc, argv) + 1;
  pop_region_start("bench");
#define BENCH(name, operation)                                   \
  BENCH_ALL(rank == 0, name, count, MPI_Barrier(MPI_COMM_WORLD), \
            for (int i = 0; i < count; ++i) operation)
  BENCH("Bcast", MPI_Bcast(&in, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD));
  BENCH("Bcast, another root each time",
        MPI_Bcast(&in, 1, MPI_DOUBLE, i % size, MPI_COMM_WORLD));
  BENCH("Reduce",
        MPI_Reduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD));
  BENCH("Gather",
        MPI_Gather(&in, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD));
  BENCH("Scatter",
        MPI_Scatter(all, 1, MPI_DOUBLE, &in, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD));
  BENCH("Scan", MPI_Scan(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
  pop_region_stop("bench");
  MPI_Finalize();
  return 0;
}
