/* Programs of known shape: tasks, and what orders them (see openmp_shapes.h).

 *
 * Where a shape determines which thread executes a task, the others are busy
 * meanwhile or the task is undeferred. Elsewhere as many tasks as threads, all
 * of one length, are ready at a time, so that it makes no difference.
 */
#include "omp_task_shapes.h"

#include "omp_dependence_shapes.h"
#include "omp_detached_shapes.h"

/* Undeferred, final, included and mergeable ones: all of the first thread. */
static void undeferred(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
#pragma omp task if (0)
      work(1);
#pragma omp task final(1) if (0)
      {
#pragma omp task
        work(1);
#pragma omp task mergeable
        work(1);
        work(0.5);
      }
#pragma omp task mergeable if (0)
      work(1);
      work(0.5);
    } else {
      work(4);
    }
  }
  barrier();
}

/* Any thread may resume a task after its taskwait, which has nothing to wait
 * for. At a taskyield it would first execute other tasks, and so delay those
 * that wait for it. */
static void untied(void) {
#pragma omp parallel
  {
#pragma omp masked
    {
      work(1);
      for (int i = 0; i < omp_get_num_threads(); ++i) {
#pragma omp task untied
        {
          work(1);
#pragma omp taskwait
          work(1);
        }
      }
    }
#pragma omp barrier
    work(1);
  }
  barrier();
}

/* Untied tasks that wait for a child. */
static void untied_parents(void) {
#pragma omp parallel
#pragma omp masked
  {
    for (int i = 0; i < omp_get_num_threads(); ++i) {
#pragma omp task untied
      {
        work(1);
#pragma omp task untied
        work(1);
#pragma omp taskwait
        work(1);
      }
    }
  }
  barrier();
}

/* The thread that yields executes its own child: the others are at work. */
static void yielding(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      work(1);
#pragma omp task
      work(2);
#pragma omp taskyield
      work(1);
    } else {
      work(4);
    }
  }
  barrier();
}

static void priorities(void) {
#pragma omp parallel
#pragma omp masked
  {
    const int n = omp_get_num_threads();
    work(1);
    for (int i = 0; i < 2 * n; ++i) {
#pragma omp task priority(i % 4)
      work(1);
    }
#pragma omp taskwait
    work(1);
  }
  barrier();
}

/* So many that the library does not time each allocation: what it books for
 * the others must not be the work before them. */
static void many_creations(void) {
#pragma omp parallel
#pragma omp masked
  for (int i = 0; i < 4; ++i) {
    work(1);
    for (int j = 0; j < 6; ++j) {
#pragma omp task
      work(0);
    }
    work(1);
#pragma omp task if (0)
    work(0);
  }
  barrier();
}

static void task_reductions(void) {
  long inner = 0, whole = 0;
#pragma omp parallel reduction(task, + : whole)
  {
#pragma omp masked
    {
      const int n = omp_get_num_threads();
      work(1);
#pragma omp taskgroup task_reduction(+ : inner)
      for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(+ : inner)
        {
          work(1);
          inner += i;
        }
      }
      for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(+ : whole)
        {
          work(1);
          whole += i;
        }
      }
    }
  }
  CHECK(inner == whole);
  barrier();
}

static void taskloops(void) {
  long total = 0;
#pragma omp parallel
#pragma omp masked
  {
    const unsigned long n = (unsigned long)omp_get_num_threads();
    work(1);
#pragma omp taskloop grainsize(1)
    for (unsigned long i = 0; i < n; ++i) work(1);
    work(1);
#pragma omp taskloop num_tasks(n) reduction(+ : total)
    for (unsigned long i = 0; i < 2 * n; ++i) {
      work(0.5);
      total += (long)i;
    }
#pragma omp taskloop grainsize(1) nogroup
    for (unsigned long i = 0; i < n; ++i) work(1);
  }
  CHECK(total == omp_get_max_threads() * (2 * omp_get_max_threads() - 1));
  barrier();
}

/* Twice as many tasks as threads: half of them have not begun when one of the
 * first half cancels. */
static void cancel_taskgroup(void) {
  CHECK(omp_get_cancellation());
#pragma omp parallel
  {
#pragma omp masked
    {
      const int n = omp_get_num_threads();
      work(1);
#pragma omp taskgroup
      for (int i = 0; i < 2 * n; ++i) {
#pragma omp task
        {
          work(1);
#pragma omp cancel taskgroup
          work(5);
        }
      }
    }
#pragma omp barrier
    work(1);
  }
  barrier();
}

/* The teams of two threads have tasks of their own. */
static void nested_teams(void) {
#pragma omp parallel num_threads(2)
  {
    const int outer = omp_get_thread_num();
    work(1);
#pragma omp parallel num_threads(2)
    {
#pragma omp masked
      for (int i = 0; i < 2; ++i) {
#pragma omp task
        work(1 + outer);
      }
#pragma omp barrier
      if (omp_get_thread_num() == 1 - outer) work(1);
    }
    work(1);
  }
  barrier();
}

/* Regions that begin while tasks are running: of the path to the first thread,
 * only the part since then counts. */
static void regions(void) {
#pragma omp parallel
  {
    const int thread = omp_get_thread_num();
    if (thread == 0) {
      omp_event_handle_t event;
#pragma omp task depend(out : x)
      work(3);
      work(1);
      pop_region_start("depend");
#pragma omp task if (0) depend(in : x)
      work(1);
      pop_region_stop("depend");
      pop_region_start("detach");
#pragma omp task detach(event)
      publish(event);
#pragma omp taskwait
      work(1);
      pop_region_stop("detach");
    } else if (thread > 1) {
      work(6);
      if (thread == 2) fulfil();
      work(1);
    }
  }
  barrier();
}

#define SHAPE(name) \
  { #name, name }

static const struct shape shapes[] = {
    SHAPE(undeferred),
    SHAPE(untied),
    SHAPE(untied_parents),
    SHAPE(yielding),
    SHAPE(priorities),
    SHAPE(many_creations),
    SHAPE(task_reductions),
    SHAPE(taskloops),
    SHAPE(cancel_taskgroup),
    SHAPE(detach_late),
    SHAPE(detach_early),
    SHAPE(detach_taskwait_depend),
    SHAPE(detach_undeferred),
    SHAPE(detach_group),
    SHAPE(detach_by_task),
    SHAPE(detach_foreign),
    SHAPE(out_in),
    SHAPE(in_out),
    SHAPE(inout_inout),
    SHAPE(in_in),
    SHAPE(out_mutexinoutset),
    SHAPE(mutexinoutset_in),
    SHAPE(in_mutexinoutset),
    SHAPE(inoutset_in),
    SHAPE(in_inoutset),
    SHAPE(inoutset_inoutset),
    SHAPE(inoutset_out),
    SHAPE(out_inoutset),
    SHAPE(mutexinoutset_inoutset),
    SHAPE(other_address),
    SHAPE(second_address),
    SHAPE(out_all_memory),
    SHAPE(inout_all_memory),
    SHAPE(iterators),
    SHAPE(depend_objects),
    SHAPE(taskwait_depend),
    SHAPE(taskwait_depend_two),
    SHAPE(task_chain),
    SHAPE(fan),
    SHAPE(mutexinoutset),
    SHAPE(wavefront),
    SHAPE(other_parents),
    SHAPE(children),
    SHAPE(nested_teams),
    SHAPE(regions),
#ifndef PURE_OPENMP
    SHAPE(detach_message),
    SHAPE(message_depend),
#endif
    {NULL, NULL},
};

int main(int argc, char** argv) { return run_shapes(shapes, argc, argv); }
