/* Programs of known shape for MPI calls other than messages and collectives of
 * one group: windows, intercommunicators, persistent collectives, partitioned
 * messages (see shapes.h). */
#include <mpi.h>
#include <mpi_has.h>

#include "shapes.h"

static int rank, size;
static long sum;
static double high;
static MPI_Win window;
static int memory[4];

static void make_window(void) {
  MPI_Win_create(memory, sizeof memory, sizeof memory[0], MPI_INFO_NULL,
                 MPI_COMM_WORLD, &window);
}

static void fences(void) {
  int value = 10 + rank;
  make_window();
  work(1 + 2 * high);
  MPI_Win_fence(0, window);
  MPI_Put(&value, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window);
  work(3 - 2 * high);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
  sum += memory[0];
  work(1 + high);
  MPI_Win_free(&window);
  work(1);
}

/* Even ranks expose their memory to the odd rank after them. */
static void exposure(void) {
  const int other = rank ^ 1;
  MPI_Group all, partner;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &other, &partner);
  make_window();
  for (int phase = 0; phase < 3; ++phase) {
    if (rank % 2 == 0) {
      work(phase % 2 == 0 ? 4 : 1);
      MPI_Win_post(partner, 0, window);
      /* No work while the other process waits: MPICH's Win_complete needs this
       * process to be in MPI. */
      if (phase == 1) work(1);
      MPI_Win_wait(window);
      sum += memory[1];
    } else {
      int value = rank + phase;
      work(phase % 2 == 0 ? 1 : 4);
      MPI_Win_start(partner, 0, window);
      MPI_Put(&value, 1, MPI_INT, other, 1, 1, MPI_INT, window);
      MPI_Win_complete(window);
    }
  }
  MPI_Group_free(&partner);
  MPI_Group_free(&all);
  MPI_Win_free(&window);
}

/* Locks of windows give no order that a tool can see, so they only take time.
 * The target waits in MPI, because MPICH's unlock needs it there. */
static void passive(void) {
  make_window();
  work(1 + high);
  if (rank > 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Put(&rank, 1, MPI_INT, 0, 2, 1, MPI_INT, window);
    MPI_Win_unlock(0, window);
    work(2 - high);
  }
  MPI_Win_free(&window);
}

/* Even and odd ranks. */
static void two_groups(void) {
  MPI_Comm half, inter, twin;
  const int odd = rank % 2;
  MPI_Comm_split(MPI_COMM_WORLD, odd, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - odd, 7, &inter);
  MPI_Comm_dup(inter, &twin);
  int mine, value = rank, total = 0;
  MPI_Comm_rank(inter, &mine);
  work(odd ? 3 : 1);
  MPI_Barrier(inter);
  work(odd ? 1 : 3);
  MPI_Allreduce(&value, &total, 1, MPI_INT, MPI_SUM, inter);
  sum += total;
  /* From the first odd rank to all even ranks: the early ones wait. */
  work(odd ? 4 : 1);
  MPI_Bcast(&value, 1, MPI_INT,
            !odd        ? 0
            : mine == 0 ? MPI_ROOT
                        : MPI_PROC_NULL,
            twin);
  sum += value;
  /* From all odd ranks to the first even rank. */
  work(odd ? 3 : 1);
  MPI_Reduce(&value, &total, 1, MPI_INT, MPI_SUM,
             odd         ? 0
             : mine == 0 ? MPI_ROOT
                         : MPI_PROC_NULL,
             inter);
  sum += total;
  work(2);
  if (mine == 0 && odd) {
    MPI_Send(&value, 1, MPI_INT, 0, 3, inter);
  } else if (mine == 0) {
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 3, inter, MPI_STATUS_IGNORE);
  }
  sum += value;
  work(1);
  MPI_Comm_free(&twin);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

#if defined(POPRT_HAS_MPI_Allreduce_init)
/* Two persistent collectives, started in different orders. */
static void persistent_collectives(void) {
  MPI_Request requests[2];
  int total[2] = {0, 0};
  MPI_Allreduce_init(&rank, &total[0], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                     MPI_INFO_NULL, &requests[0]);
  MPI_Bcast_init(&total[1], 1, MPI_INT, size - 1, MPI_COMM_WORLD, MPI_INFO_NULL,
                 &requests[1]);
  for (int phase = 0; phase < 3; ++phase) {
    total[1] = rank;
    MPI_Start(&requests[(rank + phase) % 2]);
    work(phase == 1 ? 3 - 2 * high : 1 + 2 * high);
    MPI_Start(&requests[(rank + phase + 1) % 2]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    sum += total[0] + total[1];
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

/* Only one rank works at a time. */
static void persistent_turns(void) {
  MPI_Request request;
  int total = 0;
  MPI_Allreduce_init(&rank, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                     MPI_INFO_NULL, &request);
  for (int turn = 0; turn < 6; ++turn) {
    if (turn % size == rank) work(1);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    sum += total;
  }
  MPI_Request_free(&request);
}
#endif

#if defined(POPRT_HAS_MPI_Psend_init)
static void partitions(void) {
  MPI_Request requests[2];
  double out[3] = {0}, in[3] = {0};
  MPI_Psend_init(out, 3, 1, MPI_DOUBLE, (rank + 1) % size, 4, MPI_COMM_WORLD,
                 MPI_INFO_NULL, &requests[0]);
  MPI_Precv_init(in, 3, 1, MPI_DOUBLE, (rank + size - 1) % size, 4,
                 MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  for (int phase = 0; phase < 2; ++phase) {
    MPI_Startall(2, requests);
    for (int i = 0; i < 3; ++i) {
      work((rank + phase) % 2 == 0 ? 1 : 0.5);
      out[i] = rank + i;
      MPI_Pready(i, requests[0]);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    sum += (long)in[2];
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}
#endif

static const struct shape shapes[] = {
    {"fences", fences},
    {"exposure", exposure},
    {"passive", passive},
    {"two_groups", two_groups},
#if defined(POPRT_HAS_MPI_Allreduce_init)
    {"persistent_collectives", persistent_collectives},
    {"persistent_turns", persistent_turns},
#endif
#if defined(POPRT_HAS_MPI_Psend_init)
    {"partitions", partitions},
#endif
    {NULL, NULL},
};

int main(int argc, char** argv) {
  const struct shape* const shape = choose_shape(shapes, argc, argv);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  high = size > 1 ? (double)rank / (size - 1) : 1;
  shape->run();
  printf("rank %d of %d: %ld\n", rank, size, sum);
  MPI_Finalize();
  return 0;
}
