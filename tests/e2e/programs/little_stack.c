/* Programs that have little stack: a thread, a fibre or a signal handler on an
 * alternate stack, of so many KiB.
 *
 *   little_stack exit|finalize thread|fibre|handler KIB [US]
 *
 * There it has events of all kinds for 40 ms, and then calls exit(3), or
 * MPI_Finalize.  Below each stack nothing can be accessed.  US: a signal comes
 * each time so many microseconds have passed. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "poprt.h"

#ifdef WITH_MPI
#include <mpi.h>
static void begin(void) {
  int level;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
}
static void end(void) { MPI_Finalize(); }
static void events(void) {
  int flag;
  MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}
#else
#include <omp.h>
static omp_lock_t lock;
static void begin(void) { omp_init_lock(&lock); }
static void end(void) { exit(3); }
static void events(void) {
  omp_set_lock(&lock);
  omp_unset_lock(&lock);
#pragma omp critical
  {}
}
#endif

enum { GUARD = 64 << 10 };
static size_t size;
static int ends;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static ucontext_t program;

static char* new_stack(void) {
  char* const memory = mmap(NULL, GUARD + size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, GUARD, PROT_NONE) != 0) abort();
  return memory + GUARD;
}

static void say(const char* text) {
  (void)!write(STDOUT_FILENO, text, strlen(text));
}

static void rest(long us) {
  struct timespec left = {0, us * 1000};
  while (nanosleep(&left, &left) != 0) {
  }
}

static void work(void) {
  pop_region_t region = pop_region_find("handle");
  for (int i = 0; i < 40; ++i) {
    pop_region_start(i % 2 == 0 ? "even" : "odd");
    pop_region_enter(region);
    pthread_mutex_lock(&mutex);
    rest(1000);
    pthread_mutex_unlock(&mutex);
    events();
    const int file = open("/proc/self/comm", O_RDONLY);
    char name[16];
    if (file >= 0) {
      (void)!read(file, name, sizeof name);
      close(file);
    }
    pop_region_leave(region);
    pop_region_stop(i % 2 == 0 ? "even" : "odd");
  }
  pop_region_metrics_t metrics;
  pop_metadata("seen", "here");
  if (pop_region_metrics("even", &metrics) && metrics.visits != 20) abort();
  say("output\n");
  if (ends) end();
  if (!ends) exit(3);
}

static volatile sig_atomic_t ticks;

static void tick(int number) {
  (void)number;
  ++ticks;
}

static void send_ticks(long us) {
  struct sigaction action = {.sa_flags = SA_ONSTACK | SA_RESTART};
  action.sa_handler = tick;
  sigaction(SIGALRM, &action, NULL);
  const struct itimerval often = {{0, us}, {0, us}};
  setitimer(ITIMER_REAL, &often, NULL);
}

static void* run(void* unused) {
  work();
  return unused;
}

static void handle(int number) {
  (void)number;
  work();
}

static void on_thread(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  if (pthread_attr_setstack(&attributes, new_stack(), size) != 0 ||
      pthread_create(&thread, &attributes, run, NULL) != 0) {
    abort();
  }
  pthread_join(thread, NULL);
}

static void on_fibre(void) {
  static ucontext_t fibre;
  getcontext(&fibre);
  fibre.uc_stack.ss_sp = new_stack();
  fibre.uc_stack.ss_size = size;
  fibre.uc_link = &program;
  makecontext(&fibre, work, 0);
  swapcontext(&program, &fibre);
}

static void in_handler(void) {
  const stack_t stack = {.ss_sp = new_stack(), .ss_size = size};
  struct sigaction action = {.sa_flags = SA_ONSTACK};
  action.sa_handler = handle;
  if (sigaltstack(&stack, NULL) != 0) abort();
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
}

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  ends = strcmp(argv[1], "finalize") == 0;
  size = (size_t)atoi(argv[3]) << 10;
  begin();
  if (argc > 4) send_ticks(atol(argv[4]));
  if (strcmp(argv[2], "thread") == 0) on_thread();
  if (strcmp(argv[2], "fibre") == 0) on_fibre();
  if (strcmp(argv[2], "handler") == 0) in_handler();
  return 0;
}
