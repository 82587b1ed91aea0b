/* Takes all functions from a handle of the MPI library: by_address LIBRARY
 * deep|plain BARRIER OTHER [PLUGIN]. BARRIER is the name of MPI_Barrier; OTHER
 * is another one, that is looked up only, by the plugin if there is one. Rank 0
 * works 100 ms twice, rank 1 300 ms, and each time they meet. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

int has(void* mpi, const char* name) { return dlsym(mpi, name) != NULL; }

#if !defined(PLUGIN)
#include <string.h>
#include <time.h>

static void* found(void* mpi, const char* name) {
  dlerror();
  void* const function = dlsym(mpi, name);
  const char* const error = dlerror();
  if (error != NULL) printf("%s\n", error);
  return function;
}

static int (*barrier)(void*);

/* The program's own function of that name, which all others find first. */
int MPI_Barrier(void* comm) { return barrier(comm); }

int main(int argc, char** argv) {
  if (argc != 5 && argc != 6) return 64;
  const int deep = strcmp(argv[2], "deep") == 0 ? RTLD_DEEPBIND : 0;
  void* const mpi = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL | deep);
  if (mpi == NULL) {
    puts(dlerror());
    return 1;
  }
  int (*init)(void*, void*);
  int (*comm_rank)(void*, int*);
  int (*finalize)(void);
  *(void**)&init = found(mpi, "MPI_Init");
  *(void**)&comm_rank = found(mpi, "MPI_Comm_rank");
  *(void**)&barrier = found(mpi, argv[3]);
  *(void**)&finalize = found(mpi, "MPI_Finalize");
  if (dlsym(mpi, "MPI_Not_there") != NULL || dlerror() == NULL)
    puts("no error");
  int (*look)(void*, const char*) = has;
  if (argc == 6)
    *(void**)&look = found(dlopen(argv[5], RTLD_NOW | RTLD_LOCAL), "has");
  if (has(RTLD_DEFAULT, argv[4])) puts("found without the handle");
  const int has_other = look(mpi, argv[4]);
  /* Open MPI's handle is an address; MPICH's number has the same register. */
  void* world = dlsym(mpi, "ompi_mpi_comm_world");
  if (world == NULL) world = (void*)0x44000000;
  int rank = -1;
  init(NULL, NULL);
  comm_rank(world, &rank);
  const struct timespec work = {0, rank == 0 ? 100000000 : 300000000};
  for (int i = 0; i < 2; ++i) {
    nanosleep(&work, NULL);
    barrier(world);
  }
  if (rank == 0) puts(has_other ? "done, other found" : "done");
  return finalize();
}
#endif
