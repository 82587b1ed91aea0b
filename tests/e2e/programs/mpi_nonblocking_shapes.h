/* Shapes of non-blocking collectives. */
#ifndef POPRT_TESTS_E2E_MPI_NONBLOCKING_SHAPES_H_
#define POPRT_TESTS_E2E_MPI_NONBLOCKING_SHAPES_H_

#include "mpi_shapes.h"

static void start_collective(int which, int* all, int* mine,
                             MPI_Request* request) {
  const MPI_Comm world = MPI_COMM_WORLD;
  switch (which) {
    case 0:
      MPI_Ibarrier(world, request);
      break;
    case 1:
      MPI_Iallreduce(&rank, mine, 1, MPI_INT, MPI_SUM, world, request);
      break;
    case 2:
      MPI_Ibcast(mine, 1, MPI_INT, 0, world, request);
      break;
    case 3:
      MPI_Ireduce(&rank, mine, 1, MPI_INT, MPI_SUM, size - 1, world, request);
      break;
    case 4:
      MPI_Iallgather(&rank, 1, MPI_INT, all, 1, MPI_INT, world, request);
      break;
    case 5:
      MPI_Ialltoall(all + size, 1, MPI_INT, all, 1, MPI_INT, world, request);
      break;
    case 6:
      MPI_Igather(&rank, 1, MPI_INT, all, 1, MPI_INT, 0, world, request);
      break;
    case 7:
      MPI_Iscatter(all, 1, MPI_INT, mine, 1, MPI_INT, size - 1, world, request);
      break;
    case 8:
      MPI_Iscan(&rank, mine, 1, MPI_INT, MPI_SUM, world, request);
      break;
    case 9:
      MPI_Iexscan(&rank, mine, 1, MPI_INT, MPI_SUM, world, request);
      break;
  }
}

/* Started at different times and waited for at the same time: nobody waits. */
static void nonblocking_collectives(void) {
  int* const all = calloc(2 * size, sizeof(int));
  for (int phase = 0; phase < 10; ++phase) {
    const double before = (rank + phase) % 2 == 0 ? 0.2 : 0.6;
    int mine = rank;
    MPI_Request request;
    for (int i = 0; i < 2 * size; ++i) all[i] = rank + i;
    work(before);
    start_collective(phase, all, &mine, &request);
    work(0.8 - before);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    sum += mine;
    for (int i = 0; i < size; ++i) sum += all[i];
  }
  free(all);
}

/* What the first rank does after it has started the call delays nobody. */
static void nonblocking_early(void) {
  int value = rank;
  for (int phase = 0; phase < 2; ++phase) {
    MPI_Request request;
    if (rank == 0) work(1);
    if (rank > 0) work(2);
    if (phase == 0) MPI_Ibarrier(MPI_COMM_WORLD, &request);
    if (phase == 1) MPI_Ibcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    if (rank == 0) work(3);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank > 0) work(2);
    sum += value;
  }
}

/* Two at once, completed in another order than they were started; blocking
 * ones in between. */
static void nonblocking_overlap(void) {
  int first = -1, second = -1, total = 0;
  MPI_Request requests[2];
  work(2 + 2 * high);
  MPI_Iallreduce(&rank, &first, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                 &requests[0]);
  MPI_Iallreduce(&rank, &second, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD,
                 &requests[1]);
  MPI_Allreduce(&rank, &total, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  work(2);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  work(2);
  sum += first + second + total;
}

#endif /* POPRT_TESTS_E2E_MPI_NONBLOCKING_SHAPES_H_ */
