// Eight steps that end in a barrier. In the second half rank 1 works for a
// quarter of the time of rank 0. Each step is a visit of the region "step", and
// of a region of its own. Where a rank works, each of its two threads does.
#include <mpi.h>
#include <poprt.h>
#include <stdio.h>
#include <time.h>

static void sleep_ms(long ms) {
  const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}

int main(int argc, char** argv) {
  enum { kSteps = 8, kStepMs = 80 };
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(2)
  {}
  MPI_Barrier(MPI_COMM_WORLD);
  for (int step = 0; step < kSteps; ++step) {
    char name[16];
    snprintf(name, sizeof name, "step %d", step + 1);
    const long ms = rank == 1 && step >= kSteps / 2 ? kStepMs / 4 : kStepMs;
    pop_region_start(name);
    pop_region_start("step");
#pragma omp parallel num_threads(2)
    sleep_ms(ms);
    MPI_Barrier(MPI_COMM_WORLD);
    pop_region_stop("step");
    pop_region_stop(name);
  }
  MPI_Finalize();
  return 0;
}
