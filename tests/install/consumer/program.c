/* A user's program: a marked region, with MPI and OpenMP where compiled so. */
#include <poprt.h>
#include <stdio.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
#ifdef WITH_MPI
  MPI_Init(&argc, &argv);
#endif
  pop_region_start("solve");
  int threads = 0;
#pragma omp parallel reduction(+ : threads)
  threads += 1;
  pop_region_stop("solve");
#ifdef WITH_MPI
  MPI_Finalize();
#endif
  printf("%d\n", threads > 0);
  return 0;
}
