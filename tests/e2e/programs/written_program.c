/* Performs a program that is written in a file (tests/sources/real_time.py):
 *
 *   written_program FILE MICROSECONDS_PER_UNIT
 *
 * Work is sleeping, and so is time in MPI: in the query function of a
 * generalized request, which MPI_Wait calls.  A thread begins its part late
 * because a signal handler keeps it.  Who has executed which task is printed.
 */
#include <ctype.h>
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>

#include "shapes.h"

enum { kMost = 64, kMostWords = 20000, kMostThreads = 32 };

/* Lists of operations, each a word and its arguments. */
struct list {
  int first, last; /* in `words` */
};
static struct list lists[1000];
static char* words[kMostWords];
static int word_count;
static int threads;
static omp_lock_t locks[kMost];
static MPI_Comm meetings[kMost];
static char produced[kMost];
static pthread_t thread_of[kMostThreads];
static volatile int late_units;
static volatile sig_atomic_t is_late;
static int task_count[kMostThreads];

static int number(int word) { return atoi(words[word]); }

static int sleep_units(void* units, MPI_Status* status) {
  work(*(const int*)units);
  MPI_Status_set_elements(status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(status, 0);
  return MPI_SUCCESS;
}
static int nothing(void* units) {
  (void)units;
  return MPI_SUCCESS;
}
static int not_cancelled(void* units, int complete) {
  (void)units;
  (void)complete;
  return MPI_SUCCESS;
}

static void in_mpi(int units) {
  MPI_Request request;
  MPI_Grequest_start(sleep_units, nothing, not_cancelled, &units, &request);
  MPI_Grequest_complete(request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void be_late(int signal) {
  (void)signal;
  is_late = 1;
  work(late_units);
}

static void run(int list);

static void run_task(int creator, int number_of_task, int useful, int mpi) {
  printf("task %d %d %d\n", creator, number_of_task, omp_get_thread_num());
  work(useful);
  if (mpi > 0) in_mpi(mpi);
}

static void create_task(int w) {
  const int useful = number(w + 1), mpi = number(w + 2);
  const int name = number(w + 3), after = number(w + 4);
  const int creator = omp_get_thread_num(), n = task_count[creator]++;
  if (name < 0) {
#pragma omp task firstprivate(creator, n, useful, mpi)
    run_task(creator, n, useful, mpi);
  } else if (after < 0) {
#pragma omp task firstprivate(creator, n, useful, mpi) \
    depend(out                                         \
           : produced[name])
    run_task(creator, n, useful, mpi);
  } else {
#pragma omp task firstprivate(creator, n, useful, mpi) \
    depend(out                                         \
           : produced[name]) depend(in                 \
                                    : produced[after])
    run_task(creator, n, useful, mpi);
  }
}

/* par PLACE THREADS LATE... LIST...: parallel regions at different places. */
#define PARALLEL(name)                                       \
  static __attribute__((noinline)) void name(int w) {        \
    const int members = number(w + 2);                       \
    _Pragma("omp parallel num_threads(members)")             \
        run(number(w + 3 + members + omp_get_thread_num())); \
  }
PARALLEL(parallel_0)
PARALLEL(parallel_1)
PARALLEL(parallel_2)
static void (*const parallels[])(int) = {parallel_0, parallel_1, parallel_2};

static void make_late(int w) {
  for (int i = 1; i < number(w + 2); ++i) {
    if (number(w + 3 + i) == 0) continue;
    late_units = number(w + 3 + i);
    is_late = 0;
    pthread_kill(thread_of[i], SIGUSR1);
    while (!is_late) sched_yield();
  }
}

static void in_turn(int w) {
  const int members = omp_get_num_threads();
#pragma omp for ordered schedule(static, 1) nowait
  for (int i = 0; i < members; ++i) {
#pragma omp ordered
    work(number(w + 2));
  }
}

static void chunks(int w) {
#pragma omp for schedule(dynamic, 1) nowait
  for (int i = 0; i < number(w + 1); ++i) work(number(w + 2 + i));
}

/* Which thread comes first is not known before. */
static void run_single(int w) {
  printf("single %d %d\n", number(w + 2), omp_get_thread_num());
  run(number(w + 3));
}

static void single(int w) {
  if (number(w + 1)) {
#pragma omp single nowait
    run_single(w);
  } else {
#pragma omp single
    run_single(w);
  }
}

/* Does one operation; returns the word behind it. */
static int operation(int w) {
  const char* const what = words[w];
  switch (what[0]) {
    case 'w': /* work UNITS */
      work(number(w + 1));
      return w + 2;
    case 'x': /* in MPI */
      in_mpi(number(w + 1));
      return w + 2;
    case 'S': /* send to RANK with TAG */
      MPI_Send(NULL, 0, MPI_BYTE, number(w + 1), number(w + 2), MPI_COMM_WORLD);
      return w + 3;
    case 'R':
      MPI_Recv(NULL, 0, MPI_BYTE, number(w + 1), number(w + 2), MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      return w + 3;
    case 'M': /* meeting NUMBER of all ranks */
      MPI_Barrier(meetings[number(w + 1)]);
      return w + 2;
    case '<':
      pop_region_start(words[w + 1]);
      return w + 2;
    case '>':
      pop_region_stop(words[w + 1]);
      return w + 2;
    case 'b': {
#pragma omp barrier
      return w + 1;
    }
    case 'l':
      omp_set_lock(&locks[number(w + 1)]);
      return w + 2;
    case 'u':
      omp_unset_lock(&locks[number(w + 1)]);
      return w + 2;
    case 'o': /* ordered: turn of each thread, UNITS here */
      in_turn(w);
      return w + 3;
    case 's': /* single NOWAIT SINGLE LIST */
      single(w);
      return w + 4;
    case 'm':
#pragma omp masked
      work(number(w + 1));
      return w + 2;
    case 'd': /* dynamic COUNT UNITS... */
      chunks(w);
      return w + 2 + number(w + 1);
    case 't': /* task UNITS MPI NAME AFTER */
      create_task(w);
      return w + 5;
    case 'T': {
#pragma omp taskwait
      return w + 1;
    }
    case 'p':
      make_late(w);
      parallels[number(w + 1)](w);
      return w + 3 + 2 * number(w + 2);
    default:
      fprintf(stderr, "no such operation: %s\n", what);
      abort();
  }
}

static void run(int list) {
  for (int w = lists[list].first; w < lists[list].last;) w = operation(w);
}

/* Of this rank: "rank N THREADS", then "list N WORDS...". */
static void read_program(const char* path, int rank) {
  static char text[1 << 18];
  FILE* const file = fopen(path, "r");
  CHECK(file != NULL);
  int mine = 0;
  char line[1 << 14];
  size_t used = 0;
  while (fgets(line, sizeof line, file) != NULL) {
    int n = 0, count = 0, at = 0;
    if (sscanf(line, "rank %d %d", &n, &count) == 2) {
      mine = n == rank;
      if (mine) threads = count;
    } else if (mine && sscanf(line, "list %d%n", &n, &at) == 1) {
      CHECK(used + strlen(line) + 1 < sizeof text);
      char* next = strcpy(text + used, line + at);
      used += strlen(next) + 1;
      lists[n].first = word_count;
      for (char* word; (word = strtok(next, " \n")) != NULL; next = NULL) {
        CHECK(word_count < kMostWords);
        words[word_count++] = word;
      }
      lists[n].last = word_count;
    }
  }
  fclose(file);
}

int main(int argc, char** argv) {
  CHECK(argc == 3);
  begin_shapes(atof(argv[2]));
  int provided, rank;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  CHECK(provided == MPI_THREAD_MULTIPLE);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  read_program(argv[1], rank);
  for (int i = 0; i < kMost; ++i) omp_init_lock(&locks[i]);
  for (int i = 0; i < 8; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &meetings[i]);
  signal(SIGUSR1, be_late);
  omp_set_dynamic(0);
  omp_set_max_active_levels(4);
  /* All threads of the process, though the program may use fewer. */
#pragma omp parallel num_threads(threads)
  thread_of[omp_get_thread_num()] = pthread_self();
  MPI_Barrier(MPI_COMM_WORLD);
  pop_region_start("program");
  run(0);
  pop_region_stop("program");
  fflush(stdout);
  MPI_Finalize();
  return 0;
}
