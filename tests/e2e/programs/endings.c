/* Programs that start or end in unusual ways, with no report or exactly one.
 * With -DLIBRARY a library whose destructor ends MPI. */
#include <dlfcn.h>
#include <mpi.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shapes.h"

#ifdef LIBRARY

__attribute__((destructor)) static void finalize(void) { MPI_Finalize(); }

#else

extern char** environ;
static int rank;
static int finalizes_at_end;

extern char** environ;

static void finalize(void) { MPI_Finalize(); }

__attribute__((destructor)) static void at_end(void) {
  if (finalizes_at_end) finalize();
}

static void in_destructor(void) {
  work(50);
  finalizes_at_end = 1;
}

/* The library is beside the program.  Its destructor is called after those of
 * what was loaded before it. */
static void in_library(void) {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 16);
  CHECK(length > 0);
  snprintf(strrchr(path, '/') + 1, 16, "libends.so");
  CHECK(dlopen(path, RTLD_NOW) != NULL);
  work(50);
}

/* Given to atexit() before MPI_Init. */
static void in_exit_handler(void) { work(50); }

/* Nobody can read it any more. */
static void lose_environment(void) {
  environ = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void without_environment(void) {
  work(50);
  lose_environment();
  finalize();
}

static void no_mpi_no_environment(void) {
  work(1);
  lose_environment();
}

/* MPI is linked but never used. */
static void no_mpi(void) { work(1); }

static void abort_job(void) {
  work(1);
  if (rank == 0) MPI_Abort(MPI_COMM_WORLD, 5);
  work(100);
}

/* Rank 0 ends first: MPICH's launcher kills the others when one has gone. */
static void no_finalize(void) {
  work(1);
  if (rank > 0) sleep(1);
}

/* The child leaves by exit() and must write nothing. */
static void fork_child(void) {
  const pid_t child = fork();
  if (child == 0) {
    work(1);
    exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  printf("child: %d\n", status);
  finalize();
}

/* The child becomes another program. */
static void spawn_shell(void) {
  fflush(stdout);
  const int status = system("echo from the shell; exit 7");
  printf("shell: %d\n", WEXITSTATUS(status));
  finalize();
}

static void after_finalize(void) {
  finalize();
  pop_region_start("late");
  work(1);
  pop_region_stop("late");
  int flag = 0;
  MPI_Finalized(&flag);
  printf("finalized: %d\n", flag);
}

/* Errors are returned as without the library. */
static void errors(void) {
  int value = 0, class = 0;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int code = MPI_Send(&value, 1, MPI_INT, 999, 0, MPI_COMM_WORLD);
  MPI_Error_class(code, &class);
  CHECK(class == MPI_ERR_RANK);
  long big[2] = {1, 2};
  MPI_Request request;
  MPI_Isend(big, 2, MPI_LONG, rank, 1, MPI_COMM_WORLD, &request);
  const int truncated =
      MPI_Recv(big, 1, MPI_LONG, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Error_class(truncated, &class);
  CHECK(class == MPI_ERR_TRUNCATE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Status status;
  MPI_Wait(&request, &status);
  int cancelled = 0;
  MPI_Test_cancelled(&status, &cancelled);
  CHECK(cancelled);
  value = 3;
  MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD,
           &status);
  CHECK(value == 3 && status.MPI_SOURCE == MPI_PROC_NULL);
  printf("errors as expected\n");
  finalize();
}

static const struct shape endings[] = {
    {"no_mpi", no_mpi},
    {"abort", abort_job},
    {"no_finalize", no_finalize},
    {"fork", fork_child},
    {"shell", spawn_shell},
    {"after_finalize", after_finalize},
    {"errors", errors},
    {"in_destructor", in_destructor},
    {"in_library", in_library},
    {"in_exit_handler", in_exit_handler},
    {"without_environment", without_environment},
    {"no_mpi_no_environment", no_mpi_no_environment},
    {NULL, NULL},
};

int main(int argc, char** argv) {
  const struct shape* const ending = choose_shape(endings, argc, argv);
  if (ending->run == in_exit_handler) atexit(finalize);
  if (ending->run != no_mpi && ending->run != no_mpi_no_environment) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  }
  ending->run();
  return 0;
}

#endif /* LIBRARY */
