/* A library that is preloaded below poprt's, so that a program's time is the
 * test's own: work takes as long as it says, and everything else no time at
 * all, whatever the machine does meanwhile.
 *
 * - Work is what the program's own code sleeps. Instead of sleeping, a thread
 *   waits until the keeper of the job's time (clock_keeper.c) has come to the
 * end of its work.
 * - Where poprt asks for the time it is told that of the job. Nobody else is.
 * - A thread that waits in MPI or in the OpenMP runtime polls and yields. Each
 *   time is counted, so that the keeper knows that it waits, and after many it
 *   sleeps for a moment, so that others get the core. There it stops while the
 *   time changes.
 *
 * Without a keeper the time is the machine's, and only MPICH's threads rest. */
#define _GNU_SOURCE
#include "virtual_clock.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LOOKS 100
#define MANY_EVENTS 2000
#define MOMENT_NS 50000
/* Some libraries, too, sleep for a moment where they wait. */
#define LEAST_WORK_NS 1000000

#define NEXT(word) __atomic_fetch_add(&(word), 1, __ATOMIC_SEQ_CST)

static struct clock_page* page; /* NULL: the time is the machine's */
static unsigned long poprt_begin, poprt_end;
static __thread struct clock_thread* self;
static __thread int self_id;

static int is_in_poprt(const void* address) {
  const unsigned long place = (unsigned long)address;
  return poprt_begin <= place && place < poprt_end;
}

static int note_poprt(struct dl_phdr_info* info, size_t size, void* unused) {
  (void)size, (void)unused;
  const char* const slash = strrchr(info->dlpi_name, '/');
  if (slash == NULL || strncmp(slash, "/libpoprt", 9) != 0) return 0;
  poprt_begin = ULONG_MAX;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
    const unsigned long begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    const unsigned long end = begin + info->dlpi_phdr[i].p_memsz;
    if (begin < poprt_begin) poprt_begin = begin;
    if (end > poprt_end) poprt_end = end;
  }
  return 1;
}

/* The program, and libraries that come with it. */
static int is_of_program(const void* address) {
  Dl_info object;
  return !is_in_poprt(address) && dladdr(address, &object) != 0 &&
         strncmp(object.dli_fname, "/usr/", 5) != 0 &&
         strncmp(object.dli_fname, "/lib", 4) != 0;
}

static void join_job(void) {
  STORE(page->processes[NEXT(page->processes_used)], getpid());
}

__attribute__((constructor)) static void start(void) {
  const char* const path = getenv(CLOCK_FILE);
  if (path == NULL) return;
  const int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) abort();
  void* const made =
      mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (made == MAP_FAILED) abort();
  close(file);
  dl_iterate_phdr(note_poprt, NULL);
  page = made;
  join_job();
}

static struct clock_thread* this_thread(void) {
  if (self == NULL || self_id != gettid()) { /* not after a fork */
    self_id = gettid();
    self = &page->threads[NEXT(page->threads_used)];
    STORE(self->id, self_id);
  }
  return self;
}

static void* next(const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  if (found == NULL) abort();
  return found;
}

/* A child works, too, before the keeper has seen its threads. */
pid_t fork(void) {
  static pid_t (*make)(void);
  if (make == NULL) *(void**)&make = next("fork");
  if (page != NULL) NEXT(page->forking);
  const pid_t child = make();
  if (page == NULL || child > 0) return child;
  if (child == 0) join_job();
  __atomic_fetch_sub(&page->forking, 1, __ATOMIC_SEQ_CST);
  return child;
}

static void wait_while(int* word) {
  /* Not by a name that poprt takes as a wait of the program (POPRT_THREADS). */
  static long (*call)(long, ...);
  if (call == NULL) *(void**)&call = next("syscall");
  while (LOAD(*word)) call(SYS_futex, word, FUTEX_WAIT, 1, NULL, NULL, 0);
}

static void work(long long ns) {
  struct clock_thread* const thread = this_thread();
  STORE(thread->until_ns, LOAD(page->now_ns) + ns);
  STORE(thread->is_asleep, 1);
  wait_while(&thread->is_asleep);
}

static int sleep_or_work(const struct timespec* time, struct timespec* left,
                         const void* caller) {
  const long long ns = time->tv_sec * 1000000000LL + time->tv_nsec;
  if (page != NULL && ns >= LEAST_WORK_NS && is_of_program(caller)) {
    work(ns);
    return 0;
  }
  const int code = clock_nanosleep(CLOCK_REALTIME, 0, time, left);
  if (code == 0) return 0;
  errno = code;
  return -1;
}

int nanosleep(const struct timespec* time, struct timespec* left) {
  return sleep_or_work(time, left, __builtin_return_address(0));
}

int usleep(useconds_t us) {
  const struct timespec time = {us / 1000000, us % 1000000 * 1000L};
  return sleep_or_work(&time, NULL, __builtin_return_address(0));
}

/* This thread has polled in vain. */
static void rest(void) {
  const struct timespec moment = {0, MOMENT_NS};
  if (page == NULL) {
    static __thread unsigned looks;
    if (++looks % LOOKS == 0)
      clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, NULL);
    return;
  }
  struct clock_thread* const thread = this_thread();
  while (LOAD(page->is_stopping)) {
    STORE(thread->has_stopped, 1);
    wait_while(&page->is_stopping);
  }
  STORE(thread->has_stopped, 0);
  if (NEXT(thread->looks) % LOOKS != 0) return;
  STORE(thread->is_resting, 1);
  clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, NULL);
  STORE(thread->is_resting, 0);
}

/* poprt asks at each event. A thread with very many events while the time
 * stands still only asks, too, whether a message is there. */
static void note_event(long long now) {
  struct clock_thread* const thread = this_thread();
  if (thread->asked_at_ns != now) thread->asked = 0;
  thread->asked_at_ns = now;
  if (++thread->asked < MANY_EVENTS) NEXT(page->signs);
}

int clock_gettime(clockid_t clock, struct timespec* time) {
  if (clock == CLOCK_MONOTONIC && page != NULL &&
      is_in_poprt(__builtin_return_address(0))) {
    const long long now = LOAD(page->now_ns);
    note_event(now);
    time->tv_sec = now / 1000000000;
    time->tv_nsec = now % 1000000000;
    return 0;
  }
  static int (*gettime)(clockid_t, struct timespec*);
  if (gettime == NULL) *(void**)&gettime = next("clock_gettime");
  return gettime(clock, time);
}

/* poprt does not trust the processor's counter if the kernel does not. */
int open(const char* path, int flags, ...) {
  if (page != NULL && strstr(path, "/current_clocksource") != NULL) {
    errno = ENOENT;
    return -1;
  }
  va_list more;
  va_start(more, flags);
  const mode_t mode =
      (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  return openat(AT_FDCWD, path, flags, mode);
}

/* A thread that yields comes again only when all other programs have had their
 * turn. One that has slept for a moment comes soon. */
int sched_yield(void) {
  if (page != NULL) {
    rest();
    return 0;
  }
  static int (*yield)(void);
  if (yield == NULL) *(void**)&yield = next("sched_yield");
  return yield();
}

#ifdef WITH_MPI
/* MPICH does not yield. It calls this function in each poll instead. */
unsigned ucp_worker_progress(void* worker) {
  static unsigned (*progress)(void*);
  if (progress == NULL) *(void**)&progress = next("ucp_worker_progress");
  const unsigned events = progress(worker);
  if (events == 0) {
    rest();
  } else if (page != NULL) {
    NEXT(page->signs);
  }
  return events;
}
#endif
