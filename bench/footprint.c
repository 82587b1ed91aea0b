/* How much memory a process takes, and how long MPI_Init and MPI_Finalize take.
 *
 *   footprint REGIONS COMMUNICATORS REQUESTS MESSAGES TRAFFIC
 *
 * Opens and closes REGIONS regions, makes COMMUNICATORS communicators, has
 * REQUESTS receives outstanding, and receives MESSAGES messages one after the
 * other; each rank has as many threads as OpenMP gives it. TRAFFIC: `halo`
 * (with four neighbours), `pairs` (each rank with each other one) or
 * `collectives`, ROUNDS times. Prints one line per rank:
 *
 *   RANK init_us N init_cpu_us N finalize_us N finalize_cpu_us N KEY KIB...
 *
 * The memory includes PoprtShared, the process's proportional share of the
 * memory that poprt's processes share.
 */
#include <mpi.h>
#include <omp.h>
#include <poprt.h>
#include <string.h>
#include <sys/resource.h>

#include "timing.h"

/* Enough that each ring of clocks has gone round. */
#define ROUNDS 150

static double cpu_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static int is_wanted(const char* line) {
  static const char* const wanted[] = {"Rss",   "VmHWM", "VmRSS",
                                       "VmPTE", "Pss:",  "Pss_"};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i) {
    if (strncmp(line, wanted[i], strlen(wanted[i])) == 0) return 1;
  }
  return 0;
}

/* Appends what the lines `KEY: N kB` of the file say. */
static void get_values(const char* path, char* text, size_t size) {
  FILE* const file = fopen(path, "r");
  char line[256], key[64];
  long kib;
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    if (is_wanted(line) && sscanf(line, "%63[^:]: %ld", key, &kib) == 2) {
      const size_t length = strlen(text);
      snprintf(text + length, size - length, " %s %ld", key, kib);
    }
  }
  if (file != NULL) fclose(file);
}

static long poprt_shared_kib(void) {
  FILE* const file = fopen("/proc/self/smaps", "r");
  char line[512];
  int of_poprt = 0;
  long kib, sum = 0;
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    unsigned long begin, end;
    if (sscanf(line, "%lx-%lx ", &begin, &end) == 2) {
      of_poprt = strstr(line, "/memfd:poprt") != NULL;
    } else if (of_poprt && sscanf(line, "Pss: %ld", &kib) == 1) {
      sum += kib;
    }
  }
  if (file != NULL) fclose(file);
  return sum;
}

static void get_memory(char* text, size_t size) {
  text[0] = '\0';
  get_values("/proc/self/status", text, size);
  get_values("/proc/self/smaps_rollup", text, size);
  const size_t length = strlen(text);
  snprintf(text + length, size - length, " PoprtShared %ld",
           poprt_shared_kib());
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

/* A message to and from each of these ranks. */
static void exchange(int rank, const int* with, int count, int* values,
                     MPI_Request* requests) {
  for (int i = 0; i < count; ++i) {
    MPI_Irecv(&values[i], 1, MPI_INT, with[i], 3, MPI_COMM_WORLD, &requests[i]);
  }
  for (int i = 0; i < count; ++i) {
    MPI_Isend(&rank, 1, MPI_INT, with[i], 3, MPI_COMM_WORLD,
              &requests[count + i]);
  }
  MPI_Waitall(2 * count, requests, MPI_STATUSES_IGNORE);
}

static void have_traffic(const char* pattern, int rank, int ranks) {
  int* const with = calloc((size_t)ranks + 4, sizeof *with);
  int* const values = calloc((size_t)ranks + 4, sizeof *values);
  MPI_Request* const requests = calloc(2 * (size_t)ranks + 8, sizeof *requests);
  int count = 0;
  if (strcmp(pattern, "halo") == 0) {
    int width = 1;
    while (width * width < ranks) ++width;
    const int steps[] = {1, ranks - 1, width, ranks - width};
    for (int i = 0; i < 4; ++i) with[count++] = (rank + steps[i]) % ranks;
  } else if (strcmp(pattern, "pairs") == 0) {
    for (int i = 1; i < ranks; ++i) with[count++] = (rank + i) % ranks;
  }
  for (int i = 0; i < ROUNDS; ++i) {
    if (count > 0) {
      exchange(rank, with, count, values, requests);
    } else {
      int sum;
      MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      MPI_Bcast(&sum, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
  }
  free(with);
  free(values);
  free(requests);
}

int main(int argc, char** argv) {
  int rank, ranks, counts[4] = {0};
  char memory[1024];
  for (int i = 0; i < 4 && i + 1 < argc; ++i) counts[i] = atoi(argv[i + 1]);
  const int communicators = counts[1], requests = counts[2];
  MPI_Comm* const comms = calloc((size_t)communicators + 1, sizeof *comms);
  MPI_Request* const posted = calloc((size_t)requests + 1, sizeof *posted);
  int* const values = calloc((size_t)requests + 1, sizeof *values);

  const double before = bench_seconds(), cpu_before = cpu_seconds();
  MPI_Init(&argc, &argv);
  const double init = bench_seconds() - before;
  const double init_cpu = cpu_seconds() - cpu_before;
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
  if (argc > 5) have_traffic(argv[5], rank, ranks);
  /* All have used what they need, and share it while they look. */
  MPI_Barrier(MPI_COMM_WORLD);
  get_memory(memory, sizeof memory);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < requests; ++i) {
    MPI_Send(&rank, 1, MPI_INT, next, 2, MPI_COMM_WORLD);
  }
  MPI_Waitall(requests, posted, MPI_STATUSES_IGNORE);
  for (int i = 0; i < communicators; ++i) MPI_Comm_free(&comms[i]);

  MPI_Barrier(MPI_COMM_WORLD);
  const double end = bench_seconds(), cpu_end = cpu_seconds();
  MPI_Finalize();
  const double finalize = bench_seconds() - end;
  const double finalize_cpu = cpu_seconds() - cpu_end;
  printf(
      "%d init_us %.0f init_cpu_us %.0f finalize_us %.0f finalize_cpu_us "
      "%.0f%s\n",
      rank, 1e6 * init, 1e6 * init_cpu, 1e6 * finalize, 1e6 * finalize_cpu,
      memory);
  return 0;
}
