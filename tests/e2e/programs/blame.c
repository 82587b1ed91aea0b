// A process waits in MPI for another one's OpenMP: both work for 100 ms, then
// all threads of rank 1 wait for 200 ms for an event that comes from outside,
// and rank 0 waits in MPI_Barrier for rank 1.
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <time.h>

static omp_event_handle_t g_event;

static void sleep_ms(long ms) {
  const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static void* fulfill_later(void* unused) {
  sleep_ms(200);
  omp_fulfill_event(g_event);
  return unused;
}

static void wait_in_openmp(void) {
  pthread_t thread;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task detach(event)
    {
      g_event = event;
      pthread_create(&thread, NULL, fulfill_later, NULL);
    }
#pragma omp taskwait
  }
  pthread_join(thread, NULL);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(2)
  {}
  MPI_Barrier(MPI_COMM_WORLD);
  sleep_ms(100);
  if (rank == 1) wait_in_openmp();
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
