// An OpenMP runtime that tells tools nothing, and a program of it: as vendors'
// runtimes, under names of omp_*, __kmpc_* and _mp_*.  The second thread does
// all the work of a parallel region, for 1.2 s of processor time.
#if defined(RUNTIME) || defined(LINKED_IN)
#include <pthread.h>
#include <time.h>

static __thread int number;
static void (*work)(int);

int omp_get_thread_num(void) { return number; }

static void* second(void* unused) {
  struct timespec now;
  number = 1;
  work(number);
  do {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  } while (now.tv_sec * 1000000000L + now.tv_nsec < 1200000000L);
  return unused;
}

void NAME(void (*body)(int)) {
  pthread_t thread;
  work = body;
  if (pthread_create(&thread, 0, second, 0) != 0) return;
  work(number);
  pthread_join(thread, 0);
}
#endif
#ifndef RUNTIME
#include <poprt.h>
#include <stdio.h>
#include <string.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

int omp_get_thread_num(void);
void NAME(void (*body)(int));

static int seen[2];
static void body(int number) { seen[number] += omp_get_thread_num() == number; }

int main(int argc, char** argv) {
#ifdef WITH_MPI
  MPI_Init(&argc, &argv);
#endif
  pop_region_start("all");
  if (argc < 2 || strcmp(argv[1], "serial") != 0) NAME(body);
  pop_region_stop("all");
#ifdef WITH_MPI
  MPI_Finalize();
#endif
  printf("%d %d\n", seen[0], seen[1]);
}
#endif
