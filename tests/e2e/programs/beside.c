/* A library that is preloaded below poprt's where several jobs run beside each
 * other, so that neither their starts nor their waits disturb the others.
 *
 * - Starting a job takes all cores. A process that has started waits at a gate
 * until all jobs have started, and one that has ended waits before
 * MPI_Finalize. TEST_GATES is the folder with the gates (gates.py).
 * - A thread that waits in MPI or in the OpenMP runtime polls and yields. After
 * many polls it sleeps for a moment instead. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define LOOKS 100
#define MOMENT_NS 50000
#define OTHER_WAIT_NS \
  1000000 /* a longer pause between polls begins a new wait */

/* Reports that this process has arrived, and waits until the gate is opened:
 * opening a named pipe blocks until somebody opens it for writing. */
static void pass(const char* gate) {
  const char* const folder = getenv("TEST_GATES");
  if (folder == NULL) return;
  char path[4096];
  snprintf(path, sizeof path, "%s/arrived", folder);
  const int arrived = open(path, O_WRONLY | O_CLOEXEC);
  if (arrived < 0 || write(arrived, gate, 1) != 1) abort();
  close(arrived);
  snprintf(path, sizeof path, "%s/%s", folder, gate);
  const int opened = open(path, O_RDONLY | O_CLOEXEC);
  if (opened < 0) abort();
  close(opened);
}

static void* next(const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  if (found == NULL) abort();
  return found;
}

static long long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* Whether this thread has polled in vain so often that it slept. */
static int rest(void) {
  static __thread long long last;
  static __thread int looks;
  const long long now = now_ns();
  if (now - last > OTHER_WAIT_NS) looks = 0;
  last = now;
  if (++looks <= LOOKS) return 0;
  const struct timespec moment = {0, MOMENT_NS};
  nanosleep(&moment, NULL);
  last = now_ns();
  return 1;
}

int sched_yield(void) {
  if (rest()) return 0;
  static int (*yield)(void);
  if (yield == NULL) *(void**)&yield = next("sched_yield");
  return yield();
}

#ifdef WITH_MPI
int PMPI_Init(int* argc, char*** argv) {
  int (*init)(int*, char***);
  *(void**)&init = next("PMPI_Init");
  const int code = init(argc, argv);
  pass("start");
  return code;
}

int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  int (*init)(int*, char***, int, int*);
  *(void**)&init = next("PMPI_Init_thread");
  const int code = init(argc, argv, required, provided);
  pass("start");
  return code;
}

int PMPI_Finalize(void) {
  int (*finalize)(void);
  *(void**)&finalize = next("PMPI_Finalize");
  pass("end");
  return finalize();
}

/* MPICH does not yield. It calls this function in each poll instead. */
unsigned ucp_worker_progress(void* worker) {
  static unsigned (*progress)(void*);
  if (progress == NULL) *(void**)&progress = next("ucp_worker_progress");
  const unsigned events = progress(worker);
  if (events == 0) rest();
  return events;
}
#else
__attribute__((constructor)) static void start(void) { pass("start"); }
#endif
