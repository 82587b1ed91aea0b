/* Jobs in which some processes may lack the library.  What a process receives
 * from anyone, and by non-blocking collectives, must be the program's from the
 * first moment on.
 *
 *   roll_call messages|collectives|communicators|windows|past
 *
 * `past`: rank 0 makes a communicator by a function that it looks up in the MPI
 * library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <string.h>

#include "shapes.h"

static int rank, size;

/* From anyone, with any tag; the receives are there before the messages. */
static void messages(void) {
  enum { kMost = 64 };
  MPI_Request requests[2 * kMost];
  MPI_Status statuses[2 * kMost];
  int values[kMost] = {0}, count = 0, sum = 0;
  for (int i = 0; i < size - 1; ++i) {
    MPI_Irecv(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
              MPI_COMM_WORLD, &requests[count++]);
  }
  for (int to = 0; to < size; ++to) {
    if (to == rank) continue;
    MPI_Isend(&rank, 1, MPI_INT, to, 7, MPI_COMM_WORLD, &requests[count++]);
  }
  MPI_Waitall(count, requests, statuses);
  for (int i = 0; i < size - 1; ++i) {
    CHECK(statuses[i].MPI_TAG == 7 && values[i] == statuses[i].MPI_SOURCE);
    sum += values[i];
  }
  CHECK(sum + rank == size * (size - 1) / 2);
}

static void collectives(void) {
  MPI_Request requests[3];
  int sum = 0, root = rank == 0 ? 42 : 0;
  MPI_Ibcast(&root, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                 &requests[1]);
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[2]);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  CHECK(root == 42 && sum == size * (size - 1) / 2);
}

static void communicators(void) {
  MPI_Comm copy, half;
  int sum = 0, many = 0;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_split(copy, rank % 2, -rank, &half);
  MPI_Comm_size(half, &many);
  MPI_Allreduce(&many, &sum, 1, MPI_INT, MPI_SUM, half);
  CHECK(sum == many * many);
  MPI_Comm_free(&half);
  MPI_Comm_free(&copy);
}

static void windows(void) {
  int* memory = NULL;
  MPI_Win window;
  MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL,
                   MPI_COMM_WORLD, &memory, &window);
  MPI_Win_fence(0, window);
  *memory = rank;
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
}

/* The library's own function, behind all that is preloaded. */
static void past(void) {
  int (*dup)(MPI_Comm, MPI_Comm*) = MPI_Comm_dup;
  if (rank == 0) {
    Dl_info info;
    CHECK(dladdr(dlsym(RTLD_DEFAULT, "MPI_Get_version"), &info) != 0);
    void* const library = dlopen(info.dli_fname, RTLD_LAZY);
    void* const c_library = dlopen("libc.so.6", RTLD_LAZY);
    CHECK(library != NULL && c_library != NULL);
    /* Whom the libraries in front do not hear. */
    void* (*look_up)(void*, const char*) = NULL;
    void* const its = dlsym(c_library, "dlsym");
    memcpy(&look_up, &its, sizeof look_up);
    void* const function = look_up(library, "PMPI_Comm_dup");
    memcpy(&dup, &function, sizeof dup);
  }
  MPI_Comm copy;
  int sum = 0;
  CHECK(dup(MPI_COMM_WORLD, &copy) == MPI_SUCCESS);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, copy);
  CHECK(sum == size * (size - 1) / 2);
  MPI_Barrier(MPI_COMM_WORLD);
  messages();
  MPI_Comm_free(&copy);
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(void);
  } kinds[] = {{"messages", messages},
               {"collectives", collectives},
               {"communicators", communicators},
               {"windows", windows},
               {"past", past}};
  CHECK(argc == 2);
  unit_seconds = 0.05;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    if (strcmp(argv[1], kinds[i].name) == 0) kinds[i].run();
  }
  work(1);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  printf("rank %d of %d\n", rank, size);
  return 0;
}
