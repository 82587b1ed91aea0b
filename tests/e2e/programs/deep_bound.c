/* A library that calls MPI, and that is opened so that it finds the MPI library
 * before all others: deep_bound LIBRARY [closes OTHER]. Rank 0 waits in it for
 * rank 1. The library is closed again, and the function OTHER is looked up. */
#define _GNU_SOURCE
#include <mpi.h>

#if defined(PLUGIN)
#include <time.h>

#ifndef BARRIER
#define BARRIER MPI_Barrier
#endif

/* Its own MPI_COMM_WORLD may be another copy of that variable. */
int meet(int rank, MPI_Comm comm) {
  const struct timespec work = {0, rank == 0 ? 50000000 : 200000000};
  nanosleep(&work, NULL);
  return BARRIER(comm);
}
#else
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  void* const library =
      argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_DEEPBIND) : NULL;
  int (*meet)(int, MPI_Comm) = NULL;
  if (library != NULL) *(void**)&meet = dlsym(library, "meet");
  if (meet == NULL) {
    fprintf(stderr, "no library: %s\n", dlerror());
    return 1;
  }
  const int result = meet(rank, MPI_COMM_WORLD);
  if (argc > 3) {
    if (dlclose(library) != 0 ||
        dlopen(argv[1], RTLD_LAZY | RTLD_NOLOAD) != NULL)
      return 2;
    if (dlsym(RTLD_DEFAULT, argv[3]) == NULL) return 3;
  }
  MPI_Finalize();
  return result;
}
#endif
