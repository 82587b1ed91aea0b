// Leagues of teams, `target` on the host and threads with parallel regions of
// their own: what OpenMP 5 programs do beside `parallel`.
#include <omp.h>
#include <poprt.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void work(int ms) {
  const struct timespec length = {0, ms * 1000000L};
  nanosleep(&length, NULL);
}

static int target_loop(void) {
  int sum = 0;
#pragma omp target teams distribute parallel for map(tofrom : sum) \
    reduction(+ : sum)
  for (int i = 0; i < 8; ++i) {
    work(1);
    sum += i;
  }
  return sum;
}

static int one_team(void) {
  int sum = 0;
#pragma omp teams num_teams(1) reduction(+ : sum)
  {
    work(2);
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
      work(4);
      ++sum;
    }
  }
  return sum;
}

static int teams_loop(void) {
  int array[64];
#pragma omp target teams loop map(from : array)
  for (int i = 0; i < 64; ++i) array[i] = i;
  return array[63];
}

static int teams_of_one(void) {
  int count = 0;
  for (int round = 0; round < 3; ++round) {
#pragma omp teams num_teams(2) thread_limit(1)
    {
#pragma omp parallel
      {
#pragma omp atomic
        ++count;
      }
      work(2);
    }
#pragma omp teams num_teams(1)
    work(1);
  }
  return count > 0;
}

static int in_parallel(void) {
  int count = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp target teams num_teams(1)
    {
#pragma omp parallel num_threads(2)
      {
        work(2);
#pragma omp atomic
        ++count;
      }
    }
  }
  return count > 0;
}

static int deferred(void) {
  int count = 0;
#pragma omp target teams distribute parallel for nowait map(tofrom : count)
  for (int i = 0; i < 8; ++i) {
    work(1);
#pragma omp atomic
    ++count;
  }
  work(3);
#pragma omp taskwait
  return count;
}

static void* own_regions(void* unused) {
  for (int i = 0; i < 3; ++i) {
#pragma omp parallel num_threads(2)
    work(2);
  }
  return unused;
}

// While the primary thread is serial.
static int other_threads(void) {
  pthread_t thread;
  for (int i = 0; i < 2; ++i) {
    pthread_create(&thread, NULL, own_regions, NULL);
    pthread_join(thread, NULL);
  }
  own_regions(NULL);
  return 0;
}

static void* short_work(void* unused) {
#pragma omp parallel num_threads(1)
  work(10);
  return unused;
}

/* 48 threads that use OpenMP, never more than 3 at once. */
static int short_threads(void) {
#pragma omp parallel num_threads(2)
  work(10);
  for (int i = 0; i < 16; ++i) {
    pthread_t threads[3];
    for (int t = 0; t < 3; ++t) {
      pthread_create(&threads[t], NULL, short_work, NULL);
    }
    for (int t = 0; t < 3; ++t) pthread_join(threads[t], NULL);
  }
  return 0;
}

/* The runtime ends after the first of 5 visits.  LLVM 19 takes the next
 * `num_threads` clause for an error then. */
static int paused(void) {
  for (int i = 0; i < 5; ++i) {
    pop_region_start("visit");
#pragma omp parallel
    work(omp_get_thread_num() == 0 ? 100 : 80);
    pop_region_stop("visit");
    if (i == 0) omp_pause_resource_all(omp_pause_hard);
  }
  return 0;
}

static int leave_inside(void) {
#pragma omp teams num_teams(1)
  {
#pragma omp parallel num_threads(2)
    {
      work(5);
#pragma omp master
      {
        printf("leave_inside\n");
        exit(3);
      }
      work(100);
    }
  }
  return 0;
}

static const struct {
  const char* name;
  int (*run)(void);
} kCases[] = {{"target_loop", target_loop},
              {"one_team", one_team},
              {"teams_loop", teams_loop},
              {"teams_of_one", teams_of_one},
              {"in_parallel", in_parallel},
              {"deferred", deferred},
              {"other_threads", other_threads},
              {"short_threads", short_threads},
              {"paused", paused},
              {"leave_inside", leave_inside}};

int main(int argc, char** argv) {
  for (size_t i = 0; i < sizeof kCases / sizeof *kCases; ++i) {
    if (argc > 1 && strcmp(argv[1], kCases[i].name) != 0) continue;
    const int result = kCases[i].run();
    printf("%s %d\n", kCases[i].name, result);
  }
  return 0;
}
