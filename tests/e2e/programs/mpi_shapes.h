/* What the shapes that use MPI and no OpenMP have in common. */
#ifndef POPRT_TESTS_E2E_MPI_SHAPES_H_
#define POPRT_TESTS_E2E_MPI_SHAPES_H_

#include <mpi.h>

#include "shapes.h"

static int rank, size;
static long sum;    /* of all that was received */
static double high; /* 0 on the first rank to 1 on the last; 1 when alone */
static int left, right;

static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }

static void send_to(int to, int tag) {
  const int value = 100 * rank + tag;
  MPI_Send(&value, 1, MPI_INT, to, tag, MPI_COMM_WORLD);
}

static void receive_from(int from, int tag) {
  int value = -1;
  MPI_Status status;
  MPI_Recv(&value, 1, MPI_INT, from, tag, MPI_COMM_WORLD, &status);
  CHECK(value == 100 * status.MPI_SOURCE + status.MPI_TAG);
  sum += value;
}

#endif /* POPRT_TESTS_E2E_MPI_SHAPES_H_ */
