/* Programs of known shape: OpenMP's synchronisation without tasks, and other
 * calls of the runtime (see openmp_shapes.h). */
#include <sys/wait.h>
#include <unistd.h>

#include "omp_cancel_shapes.h"
#include "omp_lock_shapes.h"
#include "omp_loop_shapes.h"
#include "openmp_shapes.h"

static void changing_teams(void) {
  const int n = omp_get_max_threads();
#pragma omp parallel num_threads(2)
  work(1 + level());
#pragma omp parallel num_threads(n)
  work(1 + level());
#pragma omp parallel num_threads(1)
  work(1);
#pragma omp parallel num_threads(n / 2)
  work(1);
#pragma omp parallel num_threads(n)
  work(2 - level());
  barrier();
}

/* Parallel regions inside another one. They have one thread, because nested
 * regions are not active. */
static void serialised(void) {
#pragma omp parallel
  {
    work(0.5);
#pragma omp parallel num_threads(2)
    {
      work(1 + omp_get_ancestor_thread_num(1) % 2);
#pragma omp barrier
      work(0.5);
    }
#pragma omp barrier
#pragma omp parallel if (0)
    {
#pragma omp parallel
#pragma omp single
      work(1);
    }
    work(level());
  }
  barrier();
}

/* Two threads with teams of their own, of unequal sizes, twice. */
static void nested_teams(void) {
#pragma omp parallel num_threads(2)
  {
    const int outer = omp_get_thread_num();
    for (int i = 0; i < 2; ++i) {
#pragma omp parallel num_threads(3 - 2 * outer)
      work(1 + omp_get_thread_num() / 2.0);
      work(1);
    }
  }
  barrier();
}

/* A league of two teams of two threads; nothing orders the teams before the
 * league ends. */
static void league(void) {
#pragma omp teams num_teams(2) thread_limit(2)
  {
    work(1);
#pragma omp parallel num_threads(2)
    work(1 + 2 * omp_get_thread_num());
    work(omp_get_team_num());
  }
  work(1);
  barrier();
}

static void target(void) {
  int value = 1;
  CHECK(omp_get_max_threads() > 1); /* OpenMP begins here */
  work(1);
#pragma omp target map(tofrom : value)
  {
    work(1);
#pragma omp parallel reduction(+ : value)
    {
      work(1 + level());
      value += 1;
    }
  }
  sum += value;
  barrier();
}

/* A thread of the runtime executes the task; it is no member of the process. */
static void target_nowait(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
#pragma omp target nowait
      work(3);
      work(1);
#pragma omp taskwait
      work(1);
    } else {
      work(2);
    }
  }
  barrier();
}

/* Two ordered target tasks, and one that waits for the second. */
static void target_depend(void) {
  static int x;
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
#pragma omp target nowait depend(out : x)
      work(1);
#pragma omp target nowait depend(inout : x)
      work(1);
      work(1);
#pragma omp task if (0) depend(in : x)
      work(1);
    } else {
      work(2);
    }
  }
  barrier();
}

/* Before the runtime has started, no tool would be told of the call. */
static void control_tool(void) {
#pragma omp parallel
  work(1);
  omp_control_tool(omp_control_tool_start, 0, NULL);
#pragma omp parallel
  work(1 + level());
  omp_control_tool(omp_control_tool_pause, 0, NULL);
  work(1);
  omp_control_tool(omp_control_tool_flush, 0, NULL);
  omp_control_tool(omp_control_tool_start, 0, NULL);
  work(1);
#pragma omp parallel
  work(2 - level());
  omp_control_tool(omp_control_tool_end, 0, NULL);
#pragma omp parallel
  work(1);
  barrier();
}

/* Measurement begins when OpenMP starts. */
static void late_start(void) {
  work(3);
#pragma omp parallel
  work(1 + level());
  work(1);
}

/* Measurement begins with the first region, before OpenMP starts. */
static void region_first(void) {
  work(3);
  pop_region_start("first");
  work(1);
#pragma omp parallel
  work(1 + level());
  pop_region_stop("first");
}

static void pause_with(omp_pause_resource_t kind) {
#pragma omp parallel
  work(1 + level());
  CHECK(omp_pause_resource_all(kind) == 0);
  work(1);
#pragma omp parallel
  work(2 - level());
  work(1);
  barrier();
}

static void soft_pause(void) { pause_with(omp_pause_soft); }
static void hard_pause(void) { pause_with(omp_pause_hard); }

/* The child is a process of its own, which is not measured. */
static void forked(void) {
#pragma omp parallel
  work(1 + level());
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
#pragma omp parallel
    work(1);
    exit(omp_get_max_threads());
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == omp_get_max_threads());
  work(1);
#pragma omp parallel
  work(2 - level());
  barrier();
}

#define SHAPE(name) \
  { #name, name }

static const struct shape shapes[] = {
    SHAPE(doacross),
    SHAPE(doacross_two),
    SHAPE(doacross_grid),
    SHAPE(dynamic_loops),
    SHAPE(ordered_dynamic),
    SHAPE(loops_ahead),
    SHAPE(singles),
    SHAPE(reduction),
    {"reduction_tree", reduction},
    {"reduction_critical", reduction},
    {"reduction_atomic", reduction},
    SHAPE(slow_reduction),
    SHAPE(cancel_parallel),
    SHAPE(cancel_at_points),
    SHAPE(cancel_for),
    SHAPE(cancel_sections),
    {"lock_tas", lock_kind},
    {"lock_futex", lock_kind},
    {"lock_ticket", lock_kind},
    {"lock_queuing", lock_kind},
    {"lock_drdpa", lock_kind},
    SHAPE(lock_uncontended),
    SHAPE(lock_contended),
    SHAPE(polled_lock),
    SHAPE(spinning_lock),
    SHAPE(hinted_critical),
    SHAPE(changing_teams),
    SHAPE(serialised),
    SHAPE(nested_teams),
    SHAPE(league),
    SHAPE(target),
    SHAPE(target_nowait),
    SHAPE(target_depend),
    SHAPE(control_tool),
    SHAPE(late_start),
    SHAPE(region_first),
    SHAPE(soft_pause),
    SHAPE(hard_pause),
    SHAPE(forked),
    {NULL, NULL},
};

int main(int argc, char** argv) { return run_shapes(shapes, argc, argv); }
