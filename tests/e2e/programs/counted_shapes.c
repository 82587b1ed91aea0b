// A program that reports what it has executed, in useful time and outside of
// it, so that its counters are known to the last event.  Each piece of work
// takes a millisecond, or as many as the argument says.
#include <omp.h>
#include <stdlib.h>
#include <time.h>

#include "fake_counts.h"
#include "poprt.h"

static int g_ms = 1;

static void work(long long events) {
  const struct timespec time = {0, g_ms * 1000000L};
  count(events);
  nanosleep(&time, NULL);
}

static void shape(void) {
  work(1000);
  pop_region_start("solve");
#pragma omp parallel num_threads(2)
  work(100 * (omp_get_thread_num() + 1));
  pop_region_stop("solve");
  // One more thread, which begins late.
#pragma omp parallel num_threads(3)
  work(10);
  work(1);
}

#ifdef WITH_MPI
#include <mpi.h>

// A reduction operation, executed inside MPI: not useful time.
static void combine(void* in, void* out, int* length, MPI_Datatype* type) {
  (void)in, (void)out, (void)length, (void)type;
  work(5000);
}

int main(int argc, char** argv) {
  if (argc > 1) g_ms = atoi(argv[1]);
  work(70000);
  MPI_Init(&argc, &argv);
  MPI_Op op;
  MPI_Op_create(combine, 1, &op);
  shape();
  int in = 1, out;
  MPI_Allreduce(&in, &out, 1, MPI_INT, op, MPI_COMM_WORLD);
  MPI_Op_free(&op);
  MPI_Finalize();
  work(70000);
}
#else
int main(int argc, char** argv) {
  if (argc > 1) g_ms = atoi(argv[1]);
  omp_get_max_threads();  // starts OpenMP, and with it the measurement
  shape();
}
#endif
