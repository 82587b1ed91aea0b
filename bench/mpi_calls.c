/* Single MPI operations between two ranks. A second argument is a number of
 * regions that have been open before. */
#include <mpi.h>
#include <poprt.h>

#include "timing.h"

static void ping_pong(int rank, char* buffer, int bytes) {
  if (rank == 0) {
    MPI_Send(buffer, bytes, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
    MPI_Recv(buffer, bytes, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(buffer, bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(buffer, bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
  }
}

static void ping_pong_any(int rank, char* buffer) {
  if (rank == 0) MPI_Send(buffer, 8, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
  MPI_Recv(buffer, 8, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  if (rank != 0) MPI_Send(buffer, 8, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
}

static void exchange(int other, char* buffer) {
  MPI_Request requests[4];
  MPI_Irecv(buffer, 8, MPI_CHAR, other, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(buffer + 8, 8, MPI_CHAR, other, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(buffer + 16, 8, MPI_CHAR, other, 1, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(buffer + 24, 8, MPI_CHAR, other, 2, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv) {
  static char buffer[65536];
  int rank, flag, value;
  MPI_Request request;
  double in = 1, out;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int few = 1000 / bench_divisor(argc, argv) + 1;
  const int some = 20 * few, many = 100 * few;
  for (int i = argc > 2 ? atoi(argv[2]) : 0; i > 0; --i) {
    char name[24];
    snprintf(name, sizeof name, "before %d", i);
    pop_region_start(name);
    MPI_Barrier(MPI_COMM_WORLD);
    pop_region_stop(name);
  }
  pop_region_start("bench");
#define BENCH(name, count, operation)                            \
  BENCH_ALL(rank == 0, name, count, MPI_Barrier(MPI_COMM_WORLD), \
            for (int i = 0; i < (count); ++i) operation)
  BENCH("ping-pong, 8 B", some, ping_pong(rank, buffer, 8));
  BENCH("the same, any source, any tag", some, ping_pong_any(rank, buffer));
  BENCH("ping-pong, 64 KiB", few, ping_pong(rank, buffer, 65536));
  BENCH("2 Irecv, 2 Isend, Waitall", some, exchange(1 - rank, buffer));
  BENCH("Barrier", some, MPI_Barrier(MPI_COMM_WORLD));
  BENCH("Allreduce, 8 B", some,
        MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
  BENCH("Bcast, 8 B", some, MPI_Bcast(&in, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD));
  BENCH(
      "Iprobe that finds nothing", many,
      MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
  MPI_Irecv(&value, 1, MPI_INT, 1 - rank, 98, MPI_COMM_WORLD, &request);
  BENCH("Test that finds nothing", many,
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
  MPI_Send(&rank, 1, MPI_INT, 1 - rank, 98, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  pop_region_stop("bench");
  MPI_Finalize();
  return 0;
}
