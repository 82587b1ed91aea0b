/* One kind of work over and over, as in a run of days. In ten parts; after each
 * of them every rank prints a line:
 *
 *   RANK PART memory_kib N program_ns N elapsed_ns N run_time_ns N sum_ns N
 *
 * memory_kib: its resident memory without the pages of files; program_ns: the
 * time in the region "soak" by CLOCK_MONOTONIC; then what poprt says of the
 * region, 0 without it: how long it was open, its run time, and its useful, MPI
 * and OpenMP time less that of all threads, which must be 0.
 *
 *   soak KIND COUNT
 */
#include <mpi.h>
#include <omp.h>
#include <poprt.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

static int g_rank, g_ranks;

/* Two events each. */
static void transitions(long count) {
  for (long i = 0; i < count / 2; ++i) {
    int flag;
    MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  }
}

enum { kBatch = 32, kTags = 20011 };

static void send_batch(int form, int to, int tag) {
  static int values[kBatch];
  MPI_Request requests[kBatch];
  for (int i = 0; i < kBatch; ++i) {
    if (form == 1) {
      MPI_Isend(&values[i], 1, MPI_INT, to, tag, MPI_COMM_WORLD, &requests[i]);
    } else if (form == 2 && i == 0) {
      MPI_Ssend(&values[i], 1, MPI_INT, to, tag, MPI_COMM_WORLD);
    } else {
      MPI_Send(&values[i], 1, MPI_INT, to, tag, MPI_COMM_WORLD);
    }
  }
  if (form == 1) MPI_Waitall(kBatch, requests, MPI_STATUSES_IGNORE);
}

static void receive_batch(int form, int from, int tag) {
  static int values[kBatch];
  MPI_Request requests[kBatch];
  for (int i = 0; i < kBatch; ++i) {
    if (form == 1) {
      MPI_Irecv(&values[i], 1, MPI_INT, from, tag, MPI_COMM_WORLD,
                &requests[i]);
    } else if (form == 3) {
      MPI_Recv(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(&values[i], 1, MPI_INT, from, tag, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    }
  }
  if (form == 1) MPI_Waitall(kBatch, requests, MPI_STATUSES_IGNORE);
}

/* Batches there and back between ranks 0 and 1. */
static void messages(long count) {
  const int other = 1 - g_rank;
  for (long i = 0; i < count / (2 * kBatch); ++i) {
    const int form = (int)(i % 4), tag = (int)(i % kTags);
    if (g_rank == 0) {
      send_batch(form, other, tag);
      receive_batch(form, other, tag);
    } else {
      receive_batch(form, other, tag);
      send_batch(form, other, tag);
    }
  }
}

static void collectives(long count) {
  int value = g_rank, sum;
  for (long i = 0; i < count / 4; ++i) {
    MPI_Request request;
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Bcast(&value, 1, MPI_INT, (int)(i % g_ranks), MPI_COMM_WORLD);
    MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

static void communicators(long count) {
  for (long i = 0; i < count; ++i) {
    int value = g_rank, sum;
    MPI_Comm comm;
    if (i % 2 == 0) {
      MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    } else {
      MPI_Comm_split(MPI_COMM_WORLD, 0, -g_rank, &comm);
    }
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_MAX, comm);
    MPI_Sendrecv_replace(&value, 1, MPI_INT, 1 - g_rank, 1, 1 - g_rank, 1,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
  }
}

static void parallel(long count) {
  for (long i = 0; i < count; ++i) {
#pragma omp parallel
    __asm__ volatile("");
  }
}

static void barriers(long count) {
#pragma omp parallel
  for (long i = 0; i < count; ++i) {
#pragma omp barrier
  }
}

/* Chains, all created by one task. */
static void tasks(long count) {
  static char chain[64];
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < count; ++i) {
#pragma omp task depend(inout : chain[i % 64])
    __asm__ volatile("" : : : "memory");
  }
}

static void visits(long count) {
  const pop_region_t region = pop_region_find("visited");
  for (long i = 0; i < count; ++i) {
    pop_region_enter(region);
    if (i % 16 == 0) parallel(1);
    pop_region_leave(region);
  }
}

static void* probes(void* none) {
  transitions(2);
  return none;
}
/* One after the other. */
static void threads(long count) {
  for (long i = 0; i < count; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, probes, NULL) != 0) abort();
    pthread_join(thread, NULL);
  }
}

static long memory_kib(void) {
  FILE* const file = fopen("/proc/self/status", "r");
  char line[256];
  long sum = 0, kib;
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "RssAnon: %ld", &kib) == 1 ||
        sscanf(line, "RssShmem: %ld", &kib) == 1) {
      sum += kib;
    }
  }
  if (file != NULL) fclose(file);
  return sum;
}

static void print_part(int part, double begin) {
  pop_region_metrics_t now;
  const long memory = memory_kib();
  memset(&now, 0, sizeof now);
  const double program = 1e9 * (bench_seconds() - begin);
  pop_region_metrics("soak", &now);
  printf(
      "%d %d memory_kib %ld program_ns %.0f elapsed_ns %lld run_time_ns "
      "%lld sum_ns %lld\n",
      g_rank, part, memory, program, (long long)now.elapsed_ns,
      (long long)now.run_time_ns,
      (long long)(now.useful_ns + now.mpi_ns + now.openmp_ns -
                  now.threads * now.elapsed_ns));
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*work)(long count);
  } kinds[] = {{"transitions", transitions},
               {"messages", messages},
               {"collectives", collectives},
               {"communicators", communicators},
               {"parallel", parallel},
               {"barriers", barriers},
               {"tasks", tasks},
               {"visits", visits},
               {"threads", threads}};
  enum { kKinds = sizeof kinds / sizeof *kinds, kParts = 10 };
  if (argc != 3) return 2;
  const long count = atol(argv[2]);
  if (strcmp(argv[1], "threads") != 0) {
    MPI_Init(&argc, &argv);
  } else {
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &g_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &g_ranks);
  for (int kind = 0; kind < kKinds; ++kind) {
    if (strcmp(argv[1], kinds[kind].name) != 0) continue;
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = bench_seconds();
    pop_region_start("soak");
    for (int part = 1; part <= kParts; ++part) {
      kinds[kind].work(count * part / kParts - count * (part - 1) / kParts);
      MPI_Barrier(MPI_COMM_WORLD);
      print_part(part, begin);
    }
    pop_region_stop("soak");
  }
  MPI_Finalize();
  return 0;
}
