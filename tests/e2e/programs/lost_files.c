/* The first process has many messages under way to the second one. Then each
 * process replaces its file descriptors, or changes its user so that others may
 * not access it. Then both go on.
 * usage: lost_files none|files|user PINGPONGS
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { kUnderWay = 20000, kTags = 7, kMostFiles = 1024 };

/* Like a program that chooses descriptor numbers itself, and so replaces
 * poprt's files. */
static void use_numbers_of_others(void) {
  const int null = open("/dev/null", O_RDWR);
  for (int file = 3; file < kMostFiles; ++file) {
    char path[64];
    char what[256];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const ssize_t length = readlink(path, what, sizeof what - 1);
    if (length < 0) continue;
    what[length] = '\0';
    if (strstr(what, "memfd:poprt") != NULL) dup2(null, file);
  }
  close(null);
}

static int lowest_free_file(void) {
  const int file = dup(0);
  close(file);
  return file;
}

static void suffer(const char* fault) {
  if (strcmp(fault, "files") == 0) use_numbers_of_others();
  if (strcmp(fault, "user") == 0) {
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) exit(9);
    prctl(PR_SET_DUMPABLE, 0);
  }
}

int main(int argc, char** argv) {
  static int values[kUnderWay];
  static MPI_Request requests[kUnderWay];
  int rank = 0;
  const int pingpongs = argc > 2 ? atoi(argv[2]) : 0;
  MPI_Init(&argc, &argv);
  const int free_after = lowest_free_file();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    for (int i = 0; i < kUnderWay; ++i) {
      values[i] = i;
      MPI_Isend(&values[i], 1, MPI_INT, 1, i % kTags, MPI_COMM_WORLD,
                &requests[i]);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  suffer(argv[1]);
  MPI_Barrier(MPI_COMM_WORLD);
  long sum = 0;
  if (rank == 0) {
    MPI_Waitall(kUnderWay, requests, MPI_STATUSES_IGNORE);
  } else if (rank == 1) {
    for (int i = 0; i < kUnderWay; ++i) {
      MPI_Recv(&values[i], 1, MPI_INT, 0, i % kTags, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      sum += values[i];
    }
  }
  for (int i = 0; rank < 2 && i < pingpongs; ++i) {
    int value = i;
    if (rank == 0) {
      MPI_Send(&value, 1, MPI_INT, 1, i % kTags, MPI_COMM_WORLD);
      MPI_Recv(&value, 1, MPI_INT, 1, i % kTags, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(&value, 1, MPI_INT, 0, i % kTags, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      MPI_Send(&value, 1, MPI_INT, 0, i % kTags, MPI_COMM_WORLD);
    }
    sum += value;
  }
  if (rank == 1) printf("sum %ld, lowest free file %d\n", sum, free_after);
  fflush(stdout);
  MPI_Finalize();
  return 0;
}
