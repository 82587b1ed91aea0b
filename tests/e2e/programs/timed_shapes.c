// A program that computes for a known CPU time and touches a known number of
// pages in each region, and prints both:
//
//   RANK REGION THREAD CPU_NS PAGES
//
// It sleeps between, and computes inside of MPI, which is not useful time.
#include <linux/perf_event.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

#include "poprt.h"

enum { kThreads = 3, kPages = 2000 };

static int g_rank;

// The work of one thread in one region.
struct Work {
  long long cpu_ns;
  long long pages;
};
enum { kOutside, kSolve, kLate, kRegions };
static const char* const kNames[] = {"outside", "solve", "late"};
static struct Work g_work[kRegions][kThreads];

// The kernel's own count: where the core of a virtual machine stands still, it
// goes on, unlike the clock of the thread's CPU time.
static long long cpu_ns(void) {
  static __thread int file = -1;
  if (file < 0) {
    struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE,
                                    .size = PERF_ATTR_SIZE_VER0,
                                    .config = PERF_COUNT_SW_TASK_CLOCK,
                                    .exclude_kernel = 1,
                                    .exclude_hv = 1};
    file = (int)syscall(SYS_perf_event_open, &event, 0, -1, -1, 0);
    if (file < 0) exit(3);
  }
  long long now = 0;
  if (read(file, &now, sizeof now) != sizeof now) exit(3);
  return now;
}

// Pages that nobody has touched, for a thread.
static char* g_untouched[kThreads];

static void get_pages(void) {
  const size_t size = (size_t)kPages * (size_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < kThreads; ++i) {
    g_untouched[i] = mmap(NULL, size, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (g_untouched[i] == MAP_FAILED) exit(2);
    // One fault for each page.
    madvise(g_untouched[i], size, MADV_NOHUGEPAGE);
  }
}

static void touch(int thread, int pages) {
  const long size = sysconf(_SC_PAGESIZE);
  for (int i = 0; i < pages; ++i, g_untouched[thread] += size) {
    *(volatile char*)g_untouched[thread] = 1;
  }
}

static void compute(int region, int thread, long long ms, int pages) {
  const long long begin = cpu_ns();
  touch(thread, pages);
  long long now;
  do {
    now = cpu_ns();
  } while (now - begin < ms * 1000000);
  g_work[region][thread].cpu_ns += now - begin;
  g_work[region][thread].pages += pages;
}

static void sleep_ms(int ms) {
  const struct timespec time = {0, ms * 1000000L};
  nanosleep(&time, NULL);
}

static void shape(const char* solve, const char* late, int ms, int pages) {
  compute(kOutside, 0, 2 * ms, 2 * pages);
  sleep_ms(ms);
  pop_region_start(solve);
  compute(kSolve, 0, ms, pages);
#pragma omp parallel num_threads(2)
  {
    const int thread = omp_get_thread_num();
    compute(kSolve, thread, (thread + 1) * ms, (thread + 1) * pages);
    sleep_ms(ms / 2);
  }
  pop_region_stop(solve);
  // Only a thread that has just begun computes here, and only in the region.
  pop_region_start(late);
#pragma omp parallel num_threads(3)
  if (omp_get_thread_num() == 2) compute(kLate, 2, 2 * ms, 3 * pages);
  pop_region_stop(late);
}

static void print(void) {
  for (int region = 0; region < kRegions; ++region) {
    for (int thread = 0; thread < kThreads; ++thread) {
      const struct Work* const work = &g_work[region][thread];
      if (work->cpu_ns == 0) continue;
      printf("%d %s %d %lld %lld\n", g_rank, kNames[region], thread,
             work->cpu_ns, work->pages);
    }
  }
  fflush(stdout);
}

#ifdef WITH_MPI
// Executed inside of MPI: not useful.
static void combine(void* in, void* out, int* length, MPI_Datatype* type) {
  (void)in, (void)out, (void)length, (void)type;
  const long long begin = cpu_ns();
  touch(0, 300);
  while (cpu_ns() - begin < 100000000) {
  }
}
#endif

int main(int argc, char** argv) {
  (void)argc, (void)argv;
#ifdef WITH_MPI
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &g_rank);
  MPI_Op op;
  MPI_Op_create(combine, 1, &op);
#endif
  get_pages();
  // What the code itself needs is loaded before it matters.
  shape("first time", "first time", 1, 1);
  memset(g_work, 0, sizeof g_work);
  shape("solve", "late", 40, 100 * (g_rank + 1));
#ifdef WITH_MPI
  int in = 1, out;
  MPI_Allreduce(&in, &out, 1, MPI_INT, op, MPI_COMM_WORLD);
  MPI_Op_free(&op);
#endif
  print();
#ifdef WITH_MPI
  MPI_Finalize();
#endif
}
