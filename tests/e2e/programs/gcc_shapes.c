#include "gcc_shapes.h"

#include <omp.h>

/* 0 on the first thread of a team to 1 on the last. */
static double level(void) {
  return (double)omp_get_thread_num() / (omp_get_num_threads() - 1);
}

/* One iteration per thread, with each schedule. */
#define PRAGMA(text) _Pragma(#text)
#define LOOP(type, clauses)            \
  PRAGMA(omp for clauses)              \
  for (type i = 0; i < (type)n; ++i) { \
    shape_work(1);                     \
    total += (long)i + 1;              \
  }
#define PARALLEL_LOOP(clauses)                          \
  PRAGMA(omp parallel for clauses reduction(+ : total)) \
  for (int i = 0; i < n; ++i) {                         \
    shape_work(1);                                      \
    total += i + 1;                                     \
  }

long schedules(void) {
  const int n = omp_get_max_threads();
  long total = 0;
#pragma omp parallel reduction(+ : total)
  {
    shape_work(1 + 2 * level());
#pragma omp barrier
    LOOP(int, schedule(static))
    LOOP(int, schedule(static, 1))
    LOOP(int, schedule(dynamic))
    LOOP(int, schedule(monotonic : dynamic, 1))
    LOOP(int, schedule(guided))
    LOOP(int, schedule(auto))
    LOOP(int, schedule(runtime))
    LOOP(unsigned long long, schedule(dynamic))
  }
  PARALLEL_LOOP(schedule(static))
  PARALLEL_LOOP(schedule(dynamic))
  PARALLEL_LOOP(schedule(guided))
  PARALLEL_LOOP(schedule(runtime))
  return total;
}

long sections(void) {
  long total = 0;
#pragma omp parallel reduction(+ : total)
  {
#pragma omp sections
      {
#pragma omp section
          {shape_work(1);
  total += 1;
}
#pragma omp section
{
  shape_work(1);
  total += 2;
}
#pragma omp section
{
  shape_work(1);
  total += 3;
}
#pragma omp section
{
  shape_work(1);
  total += 4;
}
}
}
#pragma omp parallel sections reduction(+ : total)
{
#pragma omp section
  {
    shape_work(2);
    total += 10;
  }
#pragma omp section
  {
    shape_work(1);
    total += 20;
  }
}
return total;
}

/* The first thread arrives first, and so executes what only one thread does. */
long singles(void) {
  long total = 0;
#pragma omp parallel reduction(+ : total)
  {
    int value = 0;
    shape_work(1 + 3 * level());
#pragma omp single
    {
      shape_work(2);
      total += 1;
    }
    shape_work(1 + 3 * level());
#pragma omp single copyprivate(value)
    {
      shape_work(2);
      value = 7;
    }
    total += value;
    shape_work(1 + 3 * level());
#pragma omp single nowait
    shape_work(1);
    shape_work(1);
  }
  return total;
}

long critical(void) {
  long total = 0;
#pragma omp parallel
  {
    shape_work(1);
#pragma omp critical(one_at_a_time)
    {
      shape_work(5.0 / omp_get_num_threads());
      total += 3;
    }
  }
  return total;
}

long ordered(void) {
  const int n = omp_get_max_threads();
  long total = 0;
#pragma omp parallel for ordered schedule(static, 1)
  for (int i = 0; i < n; ++i) {
    shape_work(1);
#pragma omp ordered
    {
      shape_work(5.0 / n);
      total = 10 * total + i;
    }
  }
  return total;
}

struct pair {
  long a, b;
};

/* The task gets a copy of the parameter; it is undeferred. */
static long sum_of(struct pair pair) {
  long total = 0;
#pragma omp task if (0) firstprivate(pair) shared(total)
  {
    pair.a += pair.b;
    total = pair.a;
  }
  return total + pair.a;
}

/* A chain of tasks beside a thread that has more to do. */
long dependences(void) {
  long first = 0, second = 0, third = 0;
#pragma omp parallel
#pragma omp master
  {
    shape_work(1);
#pragma omp task depend(out : first)
    {
      shape_work(2);
      first = 5;
    }
#pragma omp task depend(in : first) depend(out : second)
    {
      shape_work(2);
      second = 10 * first;
    }
#pragma omp task depend(inout : second)
    {
      shape_work(1);
      third = second + 1;
    }
    shape_work(7);
#pragma omp taskwait
    shape_work(1);
    third += sum_of((struct pair){100, 1000});
  }
  return third;
}

long taskloop(void) {
  long total = 0;
#pragma omp parallel
#pragma omp master
  {
    const int n = omp_get_num_threads();
    shape_work(1);
#pragma omp taskloop num_tasks(2 * n)
    for (int i = 0; i < 2 * n; ++i) {
      shape_work(1.5);
#pragma omp atomic
      total += i;
    }
    shape_work(1);
  }
  return total;
}

long reductions(void) {
  const int n = omp_get_max_threads();
  long total = 0, most = 0, tasks = 0;
#pragma omp parallel reduction(+ : total)
  {
    shape_work(2 + 4 * level());
    total += omp_get_thread_num();
  }
#pragma omp parallel for schedule(static) reduction(max : most)
  for (int i = 0; i < n; ++i) {
    shape_work(2);
    if (i > most) most = i;
  }
#pragma omp parallel reduction(task, + : tasks)
  {
    shape_work(2);
#pragma omp task in_reduction(+ : tasks)
    tasks += 4;
  }
  return total + 100 * most + 1000 * tasks;
}
