/* How much memory a process takes, and how long MPI_Init and MPI_Finalize take.
 *
 *   footprint REGIONS COMMUNICATORS REQUESTS MESSAGES
 *
 * Opens and closes REGIONS regions, makes COMMUNICATORS communicators, has
 * REQUESTS receives outstanding, and receives MESSAGES messages one after the
 * other; each rank has as many threads as OpenMP gives it. Prints one line per
 * rank:
 *
 *   RANK init_us N finalize_us N KEY KIB...
 */
#include <mpi.h>
#include <omp.h>
#include <poprt.h>
#include <string.h>

#include "timing.h"

/* The values of /proc/self/status that end in kB and begin with Rss or VmHWM.
 */
static void get_memory(char* text, size_t size) {
  FILE* const file = fopen("/proc/self/status", "r");
  char line[256], key[64];
  long kib;
  text[0] = '\0';
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    if (strncmp(line, "Rss", 3) != 0 && strncmp(line, "VmHWM", 5) != 0 &&
        strncmp(line, "VmRSS", 5) != 0) {
      continue;
    }
    if (sscanf(line, "%63[^:]: %ld", key, &kib) == 2) {
      const size_t length = strlen(text);
      snprintf(text + length, size - length, " %s %ld", key, kib);
    }
  }
  if (file != NULL) fclose(file);
}

static void use_regions(int count) {
  char name[32];
  for (int i = 0; i < count; ++i) {
    snprintf(name, sizeof name, "region %d", i);
    pop_region_start(name);
#pragma omp parallel
    __asm__ volatile("");
    pop_region_stop(name);
  }
}

static void pass_around(int rank, int ranks, int tag, MPI_Comm comm) {
  int value = 0;
  MPI_Sendrecv_replace(&value, 1, MPI_INT, (rank + 1) % ranks, tag,
                       (rank + ranks - 1) % ranks, tag, comm,
                       MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  int rank, ranks, counts[4] = {0};
  char memory[512];
  for (int i = 0; i < 4 && i + 1 < argc; ++i) counts[i] = atoi(argv[i + 1]);
  const int communicators = counts[1], requests = counts[2];
  MPI_Comm* const comms = calloc((size_t)communicators + 1, sizeof *comms);
  MPI_Request* const posted = calloc((size_t)requests + 1, sizeof *posted);
  int* const values = calloc((size_t)requests + 1, sizeof *values);

  const double before = bench_seconds();
  MPI_Init(&argc, &argv);
  const double init = bench_seconds() - before;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int next = (rank + 1) % ranks, last = (rank + ranks - 1) % ranks;

  use_regions(counts[0] + 1);
  MPI_Barrier(MPI_COMM_WORLD);
  pass_around(rank, ranks, 1, MPI_COMM_WORLD);
  for (int i = 0; i < communicators; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    pass_around(rank, ranks, 1, comms[i]);
  }
  for (int i = 0; i < counts[3]; ++i) {
    pass_around(rank, ranks, 1, MPI_COMM_WORLD);
  }
  for (int i = 0; i < requests; ++i) {
    MPI_Irecv(&values[i], 1, MPI_INT, last, 2, MPI_COMM_WORLD, &posted[i]);
  }
  get_memory(memory, sizeof memory);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < requests; ++i) {
    MPI_Send(&rank, 1, MPI_INT, next, 2, MPI_COMM_WORLD);
  }
  MPI_Waitall(requests, posted, MPI_STATUSES_IGNORE);
  for (int i = 0; i < communicators; ++i) MPI_Comm_free(&comms[i]);

  MPI_Barrier(MPI_COMM_WORLD);
  const double end = bench_seconds();
  MPI_Finalize();
  const double finalize = bench_seconds() - end;
  printf("%d init_us %.0f finalize_us %.0f%s\n", rank, 1e6 * init,
         1e6 * finalize, memory);
  return 0;
}
