/* Shapes of blocking collectives. */
#ifndef POPRT_TESTS_E2E_MPI_COLLECTIVE_SHAPES_H_
#define POPRT_TESTS_E2E_MPI_COLLECTIVE_SHAPES_H_

#include "mpi_shapes.h"

static void bcast_late_root(void) {
  const int root = size / 2;
  int value = rank;
  work(rank == root ? 5 : 2);
  MPI_Bcast(&value, 1, MPI_INT, root, MPI_COMM_WORLD);
  sum += value;
  work(3);
}

static void bcast_early_root(void) {
  int value = rank;
  work(rank == 0 ? 1 : 7);
  MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  sum += value;
  work(rank == 0 ? 7 : 1);
}

/* The root is many calls ahead of all others. */
static void bcast_far_ahead(void) {
  int value = rank;
  work(rank == 0 ? 1 : 7);
  for (int i = 0; i < 40; ++i) {
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  sum += value;
  work(rank == 0 ? 7 : 1);
}

static void reduce_late_root(void) {
  int total = 0;
  work(rank == 0 ? 5 : 3);
  MPI_Reduce(&rank, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  sum += total;
  work(3);
}

static void reduce_early_root(void) {
  int total = 0;
  work(rank == 0 ? 2 : 5);
  MPI_Reduce(&rank, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  sum += total;
  work(3);
}

static void scan_early(void) {
  int total = 0;
  work(1 + 3 * high);
  MPI_Scan(&rank, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  sum += total;
  work(5 - 3 * high);
}

static void exscan_early(void) {
  int total = 0;
  work(1 + 3 * high);
  MPI_Exscan(&rank, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank > 0) sum += total;
  work(5 - 3 * high);
}

static void alltoall(void) {
  int* const out = calloc(size, sizeof(int));
  int* const in = calloc(size, sizeof(int));
  for (int phase = 0; phase < 2; ++phase) {
    work(phase == 0 ? 2 + 3 * high : 5 - 3 * high);
    for (int i = 0; i < size; ++i) out[i] = 10 * rank + i;
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; ++i) {
      CHECK(in[i] == 10 * i + rank);
      sum += in[i];
    }
  }
  free(out);
  free(in);
}

/* One phase for each call; in each another rank is late. */
static void all_to_all_calls(void) {
  int* const out = calloc(size, sizeof(int));
  int* const in = calloc(size, sizeof(int));
  int* const counts = calloc(size, sizeof(int));
  int* const offsets = calloc(size, sizeof(int));
  int* const byte_offsets = calloc(size, sizeof(int));
  MPI_Datatype* const types = calloc(size, sizeof(MPI_Datatype));
  for (int i = 0; i < size; ++i) {
    counts[i] = 1;
    offsets[i] = i;
    byte_offsets[i] = i * (int)sizeof(int);
    types[i] = MPI_INT;
  }
  for (int phase = 0; phase < 9; ++phase) {
    work(rank == phase % size ? 1 : 0.25);
    for (int i = 0; i < size; ++i) {
      out[i] = 10 * rank + i;
      in[i] = 0;
    }
    switch (phase) {
      case 0:
        MPI_Barrier(MPI_COMM_WORLD);
        break;
      case 1:
        MPI_Allreduce(out, in, size, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        break;
      case 2:
        MPI_Allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
        break;
      case 3:
        MPI_Allgatherv(&rank, 1, MPI_INT, in, counts, offsets, MPI_INT,
                       MPI_COMM_WORLD);
        break;
      case 4:
        MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
        break;
      case 5:
        MPI_Alltoallv(out, counts, offsets, MPI_INT, in, counts, offsets,
                      MPI_INT, MPI_COMM_WORLD);
        break;
      case 6:
        MPI_Alltoallw(out, counts, byte_offsets, types, in, counts,
                      byte_offsets, types, MPI_COMM_WORLD);
        break;
      case 7:
        MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        break;
      case 8:
        MPI_Reduce_scatter_block(out, in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        break;
    }
    for (int i = 0; i < size; ++i) sum += in[i];
  }
  free(out);
  free(in);
  free(counts);
  free(offsets);
  free(byte_offsets);
  free(types);
}

/* The root is late where data flow from it, and early where they flow to it. */
static void rooted_calls(void) {
  int* const all = calloc(size, sizeof(int));
  int* const counts = calloc(size, sizeof(int));
  int* const offsets = calloc(size, sizeof(int));
  for (int i = 0; i < size; ++i) {
    counts[i] = 1;
    offsets[i] = i;
  }
  for (int phase = 0; phase < 6; ++phase) {
    const int root = phase % size;
    const int to_root = phase >= 3;
    int mine = rank;
    work((rank == root) != to_root ? 1.5 : 0.5);
    for (int i = 0; i < size; ++i) all[i] = i + 1;
    switch (phase) {
      case 0:
        MPI_Bcast(all, size, MPI_INT, root, MPI_COMM_WORLD);
        break;
      case 1:
        MPI_Scatter(all, 1, MPI_INT, &mine, 1, MPI_INT, root, MPI_COMM_WORLD);
        break;
      case 2:
        MPI_Scatterv(all, counts, offsets, MPI_INT, &mine, 1, MPI_INT, root,
                     MPI_COMM_WORLD);
        break;
      case 3:
        MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, root, MPI_COMM_WORLD);
        break;
      case 4:
        MPI_Gatherv(&rank, 1, MPI_INT, all, counts, offsets, MPI_INT, root,
                    MPI_COMM_WORLD);
        break;
      case 5:
        MPI_Reduce(&rank, all, 1, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD);
        break;
    }
    sum += mine;
    for (int i = 0; i < size; ++i) sum += all[i];
  }
  free(all);
  free(counts);
  free(offsets);
}

#endif /* POPRT_TESTS_E2E_MPI_COLLECTIVE_SHAPES_H_ */
