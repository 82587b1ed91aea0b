// Threads that compute for 300 ms of processor time each; with a number as the
// argument for 100 ms, so many times, with a barrier of all ranks after each.
// With the argument "sleep" they sleep for 300 ms; with "steps" they sleep for
// a second, with barriers every 50 ms.  With "child" the process then forks one
// that computes for 300 ms, and waits for it.
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

static void compute(long ms) {
  struct timespec begin, now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  do {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  } while ((now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec -
               begin.tv_nsec <
           ms * 1000000);
}

int main(int argc, char** argv) {
  const char* const what = argc > 1 ? argv[1] : "";
  const long rounds = atol(what);
#ifdef WITH_MPI
  MPI_Init(&argc, &argv);
#endif
  for (long round = 0; round < rounds || round == 0; ++round) {
#pragma omp parallel
    if (strcmp(what, "sleep") == 0) {
      nanosleep(&(struct timespec){0, 300000000}, NULL);
    } else if (strcmp(what, "steps") == 0) {
      for (int step = 0; step < 20; ++step) {
        nanosleep(&(struct timespec){0, 50000000}, NULL);
        for (int i = 0; i < 40; ++i) {
#pragma omp barrier
        }
      }
    } else {
      compute(rounds > 0 ? 100 : 300);
    }
    if (strcmp(what, "child") == 0) {
      if (fork() == 0) {
        compute(300);
        _exit(0);
      }
      wait(NULL);
    }
#ifdef WITH_MPI
    if (rounds > 0) MPI_Barrier(MPI_COMM_WORLD);
#endif
  }
#ifdef WITH_MPI
  MPI_Finalize();
#endif
}
