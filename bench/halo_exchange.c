/* A miniature application: the heat equation on a grid that is split among
 * the ranks.  A step is some 45 us of work, the exchange of an edge row with
 * each neighbour, and every tenth step a reduction. */
#include <mpi.h>
#include <poprt.h>
#include <string.h>

#include "timing.h"

enum { kRows = 96, kColumns = 320 };
typedef double Row[kColumns];
static Row g_grids[2][kRows + 2];

static void exchange_edges(Row* grid, int up, int down) {
  MPI_Request requests[4];
  MPI_Irecv(grid[0], kColumns, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(grid[kRows + 1], kColumns, MPI_DOUBLE, down, 2, MPI_COMM_WORLD,
            &requests[1]);
  MPI_Isend(grid[kRows], kColumns, MPI_DOUBLE, down, 1, MPI_COMM_WORLD,
            &requests[2]);
  MPI_Isend(grid[1], kColumns, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static void smooth(const Row* from, Row* to) {
  for (int i = 1; i <= kRows; ++i) {
    for (int j = 1; j < kColumns - 1; ++j) {
      const double sides =
          from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1];
      const double corners = from[i - 1][j - 1] + from[i - 1][j + 1] +
                             from[i + 1][j - 1] + from[i + 1][j + 1];
      to[i][j] = (4 * sides + corners) / 20;
    }
  }
}

static double total(const Row* grid) {
  double here = 0, everywhere;
  for (int i = 1; i <= kRows; i += 16) {
    for (int j = 0; j < kColumns; j += 16) here += grid[i][j];
  }
  MPI_Allreduce(&here, &everywhere, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return everywhere;
}

int main(int argc, char** argv) {
  int rank, ranks;
  double heat = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int up = rank == 0 ? MPI_PROC_NULL : rank - 1;
  const int down = rank == ranks - 1 ? MPI_PROC_NULL : rank + 1;
  const int steps = 10000 / bench_divisor(argc, argv) + 2;
  for (int i = 0; i < kRows + 2; ++i) {
    for (int j = 0; j < kColumns; ++j) g_grids[0][i][j] = rank + (i ^ j) % 7;
  }
  memcpy(g_grids[1], g_grids[0], sizeof g_grids[1]);
  pop_region_start("solve");
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = bench_seconds();
  for (int step = 0; step < steps; ++step) {
    exchange_edges(g_grids[step % 2], up, down);
    smooth(g_grids[step % 2], g_grids[(step + 1) % 2]);
    if (step % 10 == 0) heat = total(g_grids[(step + 1) % 2]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    bench_print("halo exchange, a step", (bench_seconds() - begin) / steps);
    bench_result("heat", heat);
  }
  pop_region_stop("solve");
  MPI_Finalize();
  return 0;
}
