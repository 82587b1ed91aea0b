/* Runs a command, and keeps the time of the job that it starts: of the
 * processes with virtual_clock.c below them.
 *
 *   clock_keeper FILE COMMAND...
 *
 * The time stands still as long as anything happens. When all threads of all
 * processes wait, it becomes the end of the work that is the next to end.
 *
 * A thread waits if it works, if the kernel knows that it waits, or if it has
 * polled in vain. What happens without a sign (a message goes through several
 * processes inside of one call) takes a look of each process on its way. So all
 * have to wait in ROUNDS rounds, one after the other, in each of which each
 * thread that polls has looked again. Then those that poll are stopped until
 * the time has changed. How long that takes depends on the machine, and what
 * comes of it does not. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "virtual_clock.h"

#define ROUNDS 10
#define LOOKS 20 /* in a round */
/* A thread that polls without yielding has waited if it has run for this time
 * in a round. In ROUNDS rounds it is more than any other work takes between two
 * events, such as the end of MPI_Init while another process works already. */
#define SPIN_NS 10000000
/* Of what a thread has run between two looks no more than this counts: where
 * the whole machine has stood still, the kernel takes that for running. */
#define MOST_RUN_NS 3000000
#define PAUSE_NS 100000
#define MOST 8192
#define START_NS 1000000000000LL

static struct clock_page* page;

/* What a thread has done until now. */
struct view {
  int id;
  int is_asleep;
  int is_resting;
  int has_stopped;
  unsigned looks;
  char state; /* of the kernel: R, S, ... */
  long long run_ns;
  long long spun_ns; /* since the round began */
  long long slices;
};

struct views {
  unsigned signs;
  int count;
  struct view of[MOST];
};

static void fail(const char* what) {
  perror(what);
  exit(125);
}

static const struct clock_thread* known(int id) {
  for (int i = LOAD(page->threads_used) - 1; i >= 0; --i) {
    if (LOAD(page->threads[i].id) == id) return &page->threads[i];
  }
  return NULL;
}

/* False if the thread is gone. */
static int read_file(char* text, size_t room, int process, int thread,
                     const char* name) {
  char path[96];
  snprintf(path, sizeof path, "/proc/%d/task/%d/%s", process, thread, name);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t length = read(file, text, room - 1);
  close(file);
  if (length <= 0) return 0;
  text[length] = '\0';
  return 1;
}

static void look_at(struct views* views, int process, int id) {
  if (views->count == MOST) return;
  struct view* const view = &views->of[views->count];
  memset(view, 0, sizeof *view);
  view->id = id;
  const struct clock_thread* const thread = known(id);
  if (thread != NULL) {
    view->looks = LOAD(thread->looks);
    view->is_resting = LOAD(thread->is_resting);
    view->has_stopped = LOAD(thread->has_stopped);
    view->is_asleep = LOAD(thread->is_asleep);
  }
  if (!view->is_asleep) {
    char text[1024];
    if (!read_file(text, sizeof text, process, id, "stat")) return;
    const char* const end = strrchr(text, ')');
    if (end == NULL || end[1] == '\0' || strchr("ZX", end[2]) != NULL) return;
    view->state = end[2];
    if (!read_file(text, sizeof text, process, id, "schedstat")) return;
    long long waited = 0;
    sscanf(text, "%lld %lld %lld", &view->run_ns, &waited, &view->slices);
  }
  ++views->count;
}

static void look(struct views* views) {
  views->signs = LOAD(page->signs);
  views->count = 0;
  for (int i = LOAD(page->processes_used) - 1; i >= 0; --i) {
    const int process = LOAD(page->processes[i]);
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", process);
    DIR* const folder = process == 0 ? NULL : opendir(path);
    if (folder == NULL) continue;
    struct dirent* entry = NULL;
    while ((entry = readdir(folder)) != NULL) {
      const int id = atoi(entry->d_name);
      if (id > 0) look_at(views, process, id);
    }
    closedir(folder);
  }
}

/* Whether the same threads are there, and no sign of anything else was seen. */
static int is_same(const struct views* before, const struct views* now) {
  if (before->signs != now->signs || before->count != now->count) return 0;
  for (int i = 0; i < now->count; ++i) {
    if (before->of[i].id != now->of[i].id ||
        before->of[i].is_asleep != now->of[i].is_asleep) {
      return 0;
    }
  }
  return 1;
}

static int is_blocked(const struct view* view) {
  return view->state == 'S' && !view->is_resting;
}

static int has_waited(struct view* before, const struct view* now) {
  if (now->is_asleep) return 1;
  const long long run_ns = now->run_ns - before->run_ns;
  before->spun_ns += run_ns < MOST_RUN_NS ? run_ns : MOST_RUN_NS;
  before->run_ns = now->run_ns;
  if (LOAD(page->is_stopping) ? now->has_stopped
                              : now->looks - before->looks >= LOOKS) {
    return 1;
  }
  if (before->spun_ns >= SPIN_NS) return 1;
  return is_blocked(before) && is_blocked(now) && before->slices == now->slices;
}

/* A thread that has been blocked since the round began is looked at again. */
static int all_have_waited(struct views* before, const struct views* now) {
  int all = 1;
  for (int i = 0; i < now->count; ++i) {
    if (has_waited(&before->of[i], &now->of[i])) continue;
    if (is_blocked(&now->of[i])) before->of[i] = now->of[i];
    all = 0;
  }
  return all;
}

static long long next_end_ns(void) {
  long long next_ns = LLONG_MAX;
  for (int i = LOAD(page->threads_used) - 1; i >= 0; --i) {
    struct clock_thread* const thread = &page->threads[i];
    if (LOAD(thread->is_asleep) && LOAD(thread->until_ns) < next_ns) {
      next_ns = LOAD(thread->until_ns);
    }
  }
  return next_ns;
}

static void wake(int* word) {
  STORE(*word, 0);
  syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void go_on_to(long long now_ns) {
  STORE(page->now_ns, now_ns);
  for (int i = LOAD(page->threads_used) - 1; i >= 0; --i) {
    struct clock_thread* const thread = &page->threads[i];
    if (LOAD(thread->is_asleep) && LOAD(thread->until_ns) <= now_ns) {
      wake(&thread->is_asleep);
    }
  }
}

/* To be called again and again. */
static void keep_time(void) {
  static struct views views[2];
  static int current, rounds;
  if (next_end_ns() == LLONG_MAX || LOAD(page->forking) > 0) {
    rounds = 0;
    if (LOAD(page->is_stopping)) wake(&page->is_stopping);
    return;
  }
  struct views* const before = &views[current];
  struct views* const now = &views[1 - current];
  look(now);
  if (!is_same(before, now)) {
    rounds = 0;
  } else if (!all_have_waited(before, now)) {
    return;
  } else if (++rounds == ROUNDS) {
    STORE(page->is_stopping, 1);
  }
  current = 1 - current;
  if (rounds > ROUNDS) {
    go_on_to(next_end_ns());
    rounds = 0;
  }
  if (rounds == 0 && LOAD(page->is_stopping)) wake(&page->is_stopping);
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: clock_keeper FILE COMMAND...\n");
    return 125;
  }
  const int file = open(argv[1], O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0 || ftruncate(file, sizeof *page) != 0) fail(argv[1]);
  void* const made =
      mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (made == MAP_FAILED) fail("mmap");
  page = made;
  STORE(page->now_ns, START_NS);
  const pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    execvp(argv[2], argv + 2);
    fail(argv[2]);
  }
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    keep_time();
    const struct timespec pause = {0, PAUSE_NS};
    nanosleep(&pause, NULL);
  }
  if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
  return WEXITSTATUS(status);
}
