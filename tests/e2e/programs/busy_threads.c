// Threads that compute for 300 ms of processor time each; with an argument,
// that sleep so long.
#include <omp.h>
#include <time.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

static void compute(void) {
  struct timespec begin, now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  do {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  } while ((now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec -
               begin.tv_nsec <
           300000000);
}

int main(int argc, char** argv) {
  (void)argv;
  const int sleeps = argc > 1;
#ifdef WITH_MPI
  MPI_Init(&argc, &argv);
#endif
#pragma omp parallel
  if (sleeps) {
    nanosleep(&(struct timespec){0, 300000000}, NULL);
  } else {
    compute();
  }
#ifdef WITH_MPI
  MPI_Finalize();
#endif
}
