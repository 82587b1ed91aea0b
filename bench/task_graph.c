/* A miniature application: sweeps over a grid of blocks, each a task of some
 * 12 us that needs the block above it and the one on its left.  Two sweeps
 * follow one another without a barrier: what orders them are the
 * dependences. */
#include <poprt.h>

#include "timing.h"

enum { kBlocks = 12, kSize = 80, kSide = kBlocks * kSize + 1 };
static double g_grid[kSide][kSide];

static void relax(int block_row, int block_column) {
  const int top = block_row * kSize + 1, left = block_column * kSize + 1;
  for (int i = top; i < top + kSize; ++i) {
    for (int j = left; j < left + kSize; ++j) {
      g_grid[i][j] =
          0.5 * g_grid[i][j] + 0.25 * (g_grid[i - 1][j] + g_grid[i][j - 1]);
    }
  }
}

static void sweep(void) {
  static char done[kBlocks + 1][kBlocks + 1];
  for (int i = 0; i < kBlocks; ++i) {
    for (int j = 0; j < kBlocks; ++j) {
#pragma omp task depend(in                                \
                        : done[i][j + 1], done[i + 1][j]) \
    depend(inout                                          \
           : done[i + 1][j + 1])
      relax(i, j);
    }
  }
}

int main(int argc, char** argv) {
  const int sweeps = 200 / bench_divisor(argc, argv) + 1;
  double sum = 0;
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide; ++j) g_grid[i][j] = (i ^ j) % 11;
  }
  pop_region_start("sweeps");
  const double begin = bench_seconds();
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < sweeps; ++i) sweep();
  const double seconds = bench_seconds() - begin;
  pop_region_stop("sweeps");
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide; ++j) sum += g_grid[i][j];
  }
  bench_print("task graph, a task", seconds / sweeps / (kBlocks * kBlocks));
  bench_result("sum", sum);
  return 0;
}
