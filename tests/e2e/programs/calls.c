// MPI calls at places that are known by their functions, on four processes:
// how many they are, what they move, and who waits for whom.
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "poprt.h"

enum { kRounds = 5, kSmall = 1000, kRing = 4096, kLateMs = 100 };

#define PLACE __attribute__((noinline)) static void

static int rank, size;
static char buffer[kRing], other[kRing];

static void work(int ms) {
  struct timespec left = {0, ms * 1000000L};
  while (nanosleep(&left, &left) != 0) {
  }
}

// Its answer has been sent long before.
PLACE early_receive(void) {
  MPI_Recv(buffer, kRing, MPI_CHAR, 2, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

PLACE late_receive(void) {
  MPI_Recv(buffer, kRing, MPI_CHAR, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

PLACE give(void) { MPI_Send(buffer, kSmall, MPI_CHAR, 0, 7, MPI_COMM_WORLD); }

PLACE meet(void) { MPI_Barrier(MPI_COMM_WORLD); }

PLACE sum(void) {
  double in[10] = {0};
  double out[10];
  MPI_Allreduce(in, out, 10, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

PLACE ring(void) {
  MPI_Request requests[2];
  MPI_Irecv(other, kRing, MPI_CHAR, (rank + size - 1) % size, 8, MPI_COMM_WORLD,
            &requests[0]);
  MPI_Isend(buffer, kRing, MPI_CHAR, (rank + 1) % size, 8, MPI_COMM_WORLD,
            &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  meet();
  if (rank == 1) work(kLateMs);
  if (rank == 1 || rank == 2) give();
  if (rank == 0) late_receive();
  if (rank == 0) early_receive();
  meet();
  pop_region_start("collective");
  for (int i = 0; i < 2; ++i) {
    if (rank == 3) work(kLateMs);
    sum();
  }
  pop_region_stop("collective");
  for (int i = 0; i < kRounds; ++i) ring();
  meet();
  MPI_Finalize();
  return 0;
}
