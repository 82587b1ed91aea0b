// Three threads that OpenMP does not know, which compute for 100, 200 and 300
// ms of processor time, beside OpenMP's threads, which compute for 50 ms each.
// "detached": the program ends while they live. "asleep": they only sleep.
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

static int asleep;
static int detached;
static sem_t ready;

static void compute(long ms) {
  struct timespec begin, now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  do {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  } while ((now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec -
               begin.tv_nsec <
           ms * 1000000);
}

static void* work(void* number) {
  const long ms = 100 * (long)number;
  if (asleep) {
    nanosleep(&(struct timespec){0, ms * 1000000}, NULL);
  } else {
    compute(ms);
  }
  sem_post(&ready);
  while (detached) pause();
  return NULL;
}

int main(int argc, char** argv) {
  asleep = argc > 1 && strcmp(argv[1], "asleep") == 0;
  detached = argc > 1 && strcmp(argv[1], "detached") == 0;
  sem_init(&ready, 0, 0);
#ifdef WITH_MPI
  MPI_Init(&argc, &argv);
#endif
#pragma omp parallel
  compute(50);
  pthread_t threads[3];
  for (long i = 0; i < 3; ++i) {
    if (pthread_create(&threads[i], NULL, work, (void*)(i + 1)) != 0) return 1;
  }
  for (int i = 0; i < 3; ++i) sem_wait(&ready);
  for (int i = 0; i < 3 && !detached; ++i) pthread_join(threads[i], NULL);
#ifdef WITH_MPI
  MPI_Finalize();
#endif
}
