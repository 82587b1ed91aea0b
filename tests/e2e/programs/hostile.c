/* Programs under hostile conditions: no memory, no room in files, no reader,
 * signals at any moment, child processes that the C library does not know. What
 * each prints is the same with and without the library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "poprt.h"

#ifdef WITH_MPI
#include <mpi.h>
static void begin(void) { MPI_Init(NULL, NULL); }
static void end(void) { MPI_Finalize(); }
static void some_events(void) { MPI_Barrier(MPI_COMM_WORLD); }
#else
#include <omp.h>
static void begin(void) {}
static void end(void) {}
static void some_events(void) {
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  sum += 1;
  if (sum == 0) abort();
}

static void many_tasks(int count) {
  int done = 0;
#pragma omp parallel shared(done)
#pragma omp master
  for (int i = 0; i < count; ++i) {
#pragma omp task shared(done)
    {
#pragma omp atomic
      ++done;
    }
  }
  if (done != count) abort();
}
#endif

static void visit(const char* name) {
  pop_region_start(name);
  pop_region_stop(name);
}

static void plain(void) {
  begin();
  visit("solve");
  some_events();
  printf("output\n");
  fflush(stdout);
  end();
}

/* --- floating-point numbers ----------------------------------------------- */

/* As OpenFOAM and gfortran's -ffpe-trap set them, and a rounding mode. */
static void float_traps(void) {
  const int traps = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW;
  pop_region_metrics_t metrics;
  begin();
  feenableexcept(traps);
  fesetround(FE_UPWARD);
  visit("solve");
  some_events();
  pop_region_start("now");
  pop_region_metrics("now", &metrics);
  pop_region_stop("now");
  feclearexcept(FE_ALL_EXCEPT);
  pop_region_metrics("solve", &metrics);
  if (fetestexcept(FE_INVALID) != 0) abort();
  end();
  if (fegetround() != FE_UPWARD || fegetexcept() != traps) abort();
}

/* --- signals ------------------------------------------------------------- */

static volatile sig_atomic_t handled = 0;
static volatile sig_atomic_t ends_after = 0;
static volatile sig_atomic_t jumps = 0;
static sigjmp_buf out;

/* Batch systems end programs by a signal; some programs use regions in the
 * handler. */
static void on_signal(int number) {
  (void)number;
  pop_region_start("in the handler");
  pop_region_stop("in the handler");
  pop_metadata("signal", "seen");
  pop_region_t region = pop_region_find("handle of the handler");
  pop_region_enter(region);
  pop_region_leave(region);
  if (++handled == ends_after) exit(7);
  if (jumps) siglongjmp(out, 1);
}

/* Only on this thread: MPI's own threads are left alone. */
static void block_signals(int how) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  sigprocmask(how, &set, NULL);
}

static void listen_to_signals_each(int us) {
  block_signals(SIG_UNBLOCK);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, NULL);
  const struct itimerval often = {{0, us}, {0, us}};
  setitimer(ITIMER_REAL, &often, NULL);
}
static void listen_to_signals(void) { listen_to_signals_each(200); }

static void no_more_signals(void) {
  const struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &never, NULL);
}

static void many_calls(void) {
  const pop_region_t region = pop_region_find("hot");
  char name[32];
  for (int i = 0; i < 100; ++i) {
    visit("loop");
    pop_region_enter(region);
    pop_region_leave(region);
    snprintf(name, sizeof name, "region %d", i);
    visit(name);
    pop_metadata(name, name);
    pop_region_metrics_t metrics;
    if (i % 50 == 0) pop_region_metrics("loop", &metrics);
  }
}

static void until(int signals) {
  while (handled < signals) many_calls();
}

static void exit_in_handler(void) {
  begin();
  printf("output\n");
  ends_after = 40;
  listen_to_signals();
  until(1 << 30);
}

/* The very first call is interrupted, too. */
static void exit_at_once(void) {
  ends_after = 1;
  listen_to_signals();
  until(1 << 30);
}

/* Without the library each function is looked up until 64 searches were in
 * vain, and a search allocates, which a handler must not do. */
static void regions_in_handler(void) {
  begin();
  for (int i = 0; i <= 64; ++i) many_calls();
  listen_to_signals();
  until(300);
  some_events();
  no_more_signals();
  printf("output\n");
  fflush(stdout);
  end();
}

/* Without poprt the lookup of its functions in the handler may hang. */
static void regions_often_in_handler(void) {
  begin();
  listen_to_signals_each(100);
  while (handled < 600) {
    many_calls();
    some_events();
  }
  no_more_signals();
  printf("output\n");
  fflush(stdout);
  end();
}

static void jumps_out_of_calls(void) {
  begin();
  many_calls();               /* no jump out of the dynamic loader */
  block_signals(SIG_UNBLOCK); /* for the mask that siglongjmp() restores */
  if (sigsetjmp(out, 1) == 0) {
    listen_to_signals();
    jumps = 1;
  }
  while (handled < 300) many_calls();
  jumps = 0;
  no_more_signals();
  visit("behind it all");
  some_events();
  printf("output\n");
  fflush(stdout);
  end();
}

#ifndef WITH_MPI
/* Each lock is used for the first time, in the program and in its handler, so
 * the library does not know it yet. */
enum { kLocks = 400000, kForHandler = 400 };
static omp_lock_t locks[kLocks];

static void on_signal_take_lock(int number) {
  (void)number;
  omp_lock_t* const lock = &locks[handled++];
  omp_set_lock(lock);
  omp_unset_lock(lock);
}

static void locks_in_handler(void) {
  for (int i = 0; i < kLocks; ++i) omp_init_lock(&locks[i]);
  some_events();
  block_signals(SIG_UNBLOCK);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal_take_lock;
  sigaction(SIGALRM, &action, NULL);
  const struct itimerval often = {{0, 100}, {0, 100}};
  setitimer(ITIMER_REAL, &often, NULL);
  for (int i = kForHandler; i < kLocks && handled < kForHandler - 1; ++i) {
    omp_set_lock(&locks[i]);
    omp_unset_lock(&locks[i]);
  }
  no_more_signals();
  some_events();
  printf("output\n");
}
#endif

#ifdef WITH_MPI
/* Both of two ranks. Each ends in its own handler, whatever the other does. */
static void exit_in_mpi(void (*calls)(int peer)) {
  int level;
  int rank;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  printf("output\n");
  ends_after = 40;
  listen_to_signals();
  for (;;) calls(1 - rank);
}

static void exchange(int peer) {
  enum { kMessages = 8 };
  int out[kMessages] = {0};
  int in[kMessages];
  MPI_Request requests[2 * kMessages];
  for (int i = 0; i < kMessages; ++i) {
    MPI_Irecv(&in[i], 1, MPI_INT, peer, i, MPI_COMM_WORLD, &requests[2 * i]);
    MPI_Isend(&out[i], 1, MPI_INT, peer, i, MPI_COMM_WORLD,
              &requests[2 * i + 1]);
  }
  MPI_Waitall(2 * kMessages, requests, MPI_STATUSES_IGNORE);
}
static void exit_in_messages(void) { exit_in_mpi(exchange); }

static void duplicate(int peer) {
  (void)peer;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_free(&comm);
}
static void exit_in_dups(void) { exit_in_mpi(duplicate); }

/* The handler interrupts the very first MPI call. */
static void abort_in_handler(int number) {
  (void)number;
  MPI_Abort(MPI_COMM_WORLD, 7);
}
static void abort_at_once(void) {
  block_signals(SIG_UNBLOCK);
  signal(SIGALRM, abort_in_handler);
  const char* const delay = getenv("DELAY_US");
  const struct itimerval once = {{0, 0},
                                 {0, delay == NULL ? 200 : atoi(delay)}};
  setitimer(ITIMER_REAL, &once, NULL);
  begin();
  for (;;) some_events();
}
#endif

/* --- memory -------------------------------------------------------------- */

/* Takes all the memory that there is, and goes on. */
static void without_memory(void) {
  begin();
  visit("before");
  some_events();
#ifndef WITH_MPI
  many_tasks(10);
#endif
  /* In the heap, below what comes later. */
  static void* kept[512];
  for (int i = 0; i < 512; ++i) kept[i] = malloc(4096);
  struct rlimit limit;
  getrlimit(RLIMIT_AS, &limit);
  FILE* const file = fopen("/proc/self/statm", "r");
  unsigned long pages = 0;
  if (fscanf(file, "%lu", &pages) != 1) abort();
  fclose(file);
  const rlim_t before = limit.rlim_cur;
  limit.rlim_cur = pages * 4096 + (1 << 20);
  setrlimit(RLIMIT_AS, &limit);
  for (size_t size = 1 << 20; size >= 8; size /= 2) {
    for (;;) {
      void* volatile taken = malloc(size);
      if (taken == NULL) break;
    }
  }
  static char key[4][1000];
  for (int i = 0; i < 4; ++i) memset(key[i], 'a' + i, sizeof key[i] - 1);
  for (int i = 0; i < 600; ++i) {
    char name[120];
    memset(name, 'r', sizeof name);
    snprintf(name, sizeof name, "region %d", i);
    name[strlen(name)] = ' ';
    name[sizeof name - 1] = '\0';
    visit(name);
    pop_region_find(name);
    name[100] = '\0';
    pop_metadata(name, key[i % 4]);
    pop_region_metrics_t metrics;
    if (i % 100 == 0) pop_region_metrics(name, &metrics);
  }
  /* LLVM's runtime itself needs memory for tasks that wait in its queue: it
   * gets some in the heap, where the tool has none. With dependences it would
   * not survive, nor would an MPI with outstanding receives. */
  for (int i = 0; i < 512; ++i) free(kept[i]);
#ifndef WITH_MPI
  many_tasks(100000);
#endif
#ifdef WITH_MPI
  /* MPI itself needs some memory to end. */
  limit.rlim_cur = before;
  setrlimit(RLIMIT_AS, &limit);
#else
  (void)before;
#endif
  (void)!write(STDOUT_FILENO, "output\n", 7);
  end();
}

/* --- standard files --------------------------------------------------------
 */

/* Puts a file of the program at the number of an open one, in some way. */
static void replace_file(const char* how, int number) {
  const int flags = O_RDWR | O_CREAT | O_TRUNC;
  const int spare = 100;
  int data = number;
  if (strcmp(how, "close") == 0) {
    close(number);
    data = open("data.bin", flags, 0600);
  } else if (strcmp(how, "range") == 0) {
    syscall(SYS_close_range, number, number, 0);
    data = open("data.bin", flags, 0600);
  } else if (strcmp(how, "reused") == 0) { /* perhaps with the inode's number */
    unlink("log");
    close(number);
    data = open("data.bin", flags, 0600);
  } else if (strcmp(how, "dup2") == 0) {
    const int file = open("data.bin", flags, 0600);
    dup2(file, number);
    close(file);
  } else if (strcmp(how, "stream") == 0) {
    data = fileno(freopen("data.bin", "w", number == 1 ? stdout : stderr));
  } else if (strcmp(how, "swap") == 0) { /* with another standard file */
    dup2(number, spare);
    dup2(3 - number, number);
    dup2(spare, 3 - number);
    close(spare);
  } else if (strcmp(how, "gone") == 0) {
    close(number);
    return;
  } else if (strcmp(how, "back") == 0) { /* the same file in the end */
    dup2(number, spare);
    close(number);
    data = open("data.bin", flags, 0600);
    if (write(data, "data", 4) != 4) abort();
    dup2(spare, number);
    close(spare);
    return;
  } else if (strcmp(how, "rename") == 0) { /* still the same file */
    if (rename("log", "data.bin") != 0) abort();
  }
  if (data != number || write(data, "data", 4) != 4) abort();
}

static void replaced_file(void) {
  const char* const how = getenv("HOW");
  const int number = atoi(getenv("NUMBER"));
  const int early = getenv("EARLY") != NULL;
  if (early) replace_file(how, number);
  begin();
  visit("solve");
  some_events();
  if (!early) replace_file(how, number);
  end();
}

/* --- children ------------------------------------------------------------ */

static void unknown_children(void) {
  begin();
  visit("solve");
  fflush(stdout);
  int status = 0;
  const pid_t child = (pid_t)syscall(SYS_fork);
  if (child == 0) exit(3);
  waitpid(child, &status, 0);
  printf("fork: %d\n", WEXITSTATUS(status));
  const pid_t second = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (second == 0) exit(4);
  waitpid(second, &status, 0);
  printf("clone: %d\n", WEXITSTATUS(status));
  const pid_t third = vfork();
  if (third == 0) _exit(5);
  waitpid(third, &status, 0);
  printf("vfork: %d\n", WEXITSTATUS(status));
  /* Only now: OpenMP's runtime does not survive a child's exit(). */
  some_events();
  fflush(stdout);
  end();
}

/* --- MPI that comes late -------------------------------------------------- */

#ifndef WITH_MPI
static void private_mpi(int unload) {
  void* const mpi = dlopen(getenv("MPI_LIBRARY"), RTLD_NOW | RTLD_LOCAL);
  if (mpi == NULL) {
    printf("%s\n", dlerror());
    exit(1);
  }
  int (*init)(int*, char***);
  int (*finalize)(void);
  *(void**)&init = dlsym(mpi, "MPI_Init");
  *(void**)&finalize = dlsym(mpi, "MPI_Finalize");
  if (!unload) some_events();
  init(NULL, NULL);
  some_events();
  visit("solve");
  finalize();
  if (unload) dlclose(mpi);
  printf("output\n");
}
static void dlopened(void) { private_mpi(0); }
static void dlclosed(void) { private_mpi(1); }
#endif

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(void);
  } kinds[] = {
      {"plain", plain},
      {"float_traps", float_traps},
      {"exit_in_handler", exit_in_handler},
      {"exit_at_once", exit_at_once},
      {"regions_in_handler", regions_in_handler},
      {"regions_often_in_handler", regions_often_in_handler},
      {"jumps", jumps_out_of_calls},
#ifdef WITH_MPI
      {"exit_in_messages", exit_in_messages},
      {"exit_in_dups", exit_in_dups},
      {"abort_at_once", abort_at_once},
#endif
      {"memory", without_memory},
      {"replaced_file", replaced_file},
      {"children", unknown_children},
#ifndef WITH_MPI
      {"locks_in_handler", locks_in_handler},
      {"dlopened", dlopened},
      {"dlclosed", dlclosed},
#endif
  };
  block_signals(SIG_BLOCK);
  for (size_t i = 0; argc > 1 && i < sizeof kinds / sizeof *kinds; ++i) {
    if (strcmp(kinds[i].name, argv[1]) == 0) {
      kinds[i].run();
      return 0;
    }
  }
  return 64;
}
