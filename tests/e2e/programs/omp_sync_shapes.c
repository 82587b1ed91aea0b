/* Programs of known shape: OpenMP's synchronisation without tasks, and other
 * calls of the runtime (see openmp_shapes.h). */
#include <sys/wait.h>
#include <unistd.h>

#include "openmp_shapes.h"

/* --- doacross loops ------------------------------------------------------- */

static void doacross(void) {
#pragma omp parallel
  {
    const int n = omp_get_num_threads();
#pragma omp for ordered(1) schedule(static, 1)
    for (int i = 0; i < n; ++i) {
      work(1 - 0.5 * level());
#pragma omp ordered depend(sink : i - 1)
      work(4.0 / n);
#pragma omp ordered depend(source)
      work(1);
    }
  }
  barrier();
}

/* Two chains side by side; each thread has two iterations of its chain. */
static void doacross_two(void) {
#pragma omp parallel
  {
    const int n = omp_get_num_threads();
#pragma omp for ordered(1) schedule(static, 1)
    for (int i = 0; i < 2 * n; ++i) {
#pragma omp ordered depend(sink : i - 2)
      work(i % 2 == 0 ? 4.0 / n : 2.0 / n);
#pragma omp ordered depend(source)
    }
  }
  barrier();
}

/* A wavefront: each thread has a row, and needs the left one and the one
 * above. */
static void doacross_grid(void) {
#pragma omp parallel
  {
    const int n = omp_get_num_threads();
#pragma omp for ordered(2) schedule(static, 1)
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < 3; ++j) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
        work(1);
#pragma omp ordered depend(source)
      }
    }
  }
  barrier();
}

/* --- loops ---------------------------------------------------------------- */

/* At any time as many iterations of one length are ready as there are
 * threads. */
static void dynamic_loops(void) {
#pragma omp parallel
  {
    const int n = omp_get_num_threads();
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < 2 * n; ++i) work(1);
#pragma omp for schedule(guided)
    for (int i = 0; i < 2 * n; ++i) work(0.5);
#pragma omp for schedule(dynamic, 1) nowait
    for (int i = 0; i < n; ++i) work(1);
    work(level());
  }
  barrier();
}

static void ordered_dynamic(void) {
#pragma omp parallel
  {
    const int n = omp_get_num_threads();
#pragma omp for ordered schedule(dynamic, 1)
    for (int i = 0; i < n; ++i) {
      work(1);
#pragma omp ordered
      work(4.0 / n);
    }
  }
  barrier();
}

/* The runtime keeps the data of seven loops: a thread that is further ahead
 * waits until the last thread has left the first of them. */
static void loops_ahead(void) {
#pragma omp parallel
  {
    const int n = omp_get_num_threads();
    if (omp_get_thread_num() == n - 1) work(3);
    for (int loop = 0; loop < 8; ++loop) {
#pragma omp for schedule(dynamic, 1) nowait
      for (int i = 0; i < n; ++i) {
#pragma omp atomic
        sum += i;
      }
    }
    work(1);
  }
  barrier();
}

static void singles(void) {
  int value = 0;
  long total = 0;
#pragma omp parallel firstprivate(value)
  {
    work(1 + level());
#pragma omp single copyprivate(value)
    {
      work(1);
      value = 7;
    }
#pragma omp atomic
    total += value;
    work(1);
#pragma omp sections
    {
#pragma omp section
      work(1);
#pragma omp section
      work(1);
    }
#pragma omp masked filter(1)
    work(1);
  }
  CHECK(total % 7 == 0 && total > 0);
  barrier();
}

/* Whichever method of reduction the runtime chooses. */
static void reduction(void) {
  long total = 0;
  double most = 0;
#pragma omp parallel reduction(max : most)
  {
    const int n = omp_get_num_threads();
    work(1 + level());
#pragma omp for schedule(static, 1) reduction(+ : total)
    for (int i = 0; i < n; ++i) {
      work(2 - level());
      total += i;
    }
    work(1 + level());
    most = omp_get_thread_num();
  }
  sum += total + (long)most;
  barrier();
}

static void combine(long* out, const long* in) {
  work(1);
  *out += *in;
}
#pragma omp declare reduction(slow:long : combine(&omp_out, &omp_in))

/* The program's own code combines, one thread at a time. */
static void slow_reduction(void) {
  long total = 0;
#pragma omp parallel reduction(slow : total)
  {
    work(1);
    total = omp_get_thread_num();
  }
  sum += total;
  barrier();
}

/* --- cancellation --------------------------------------------------------- */

/* While others wait in a barrier, which they leave without passing it. */
static void cancel_parallel(void) {
  CHECK(omp_get_cancellation());
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      work(3);
#pragma omp cancel parallel
      work(5);
    }
    work(1 + level());
#pragma omp barrier
    work(5);
  }
  work(1);
  barrier();
}

/* Others find out at a cancellation point. */
static void cancel_at_points(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      work(1);
#pragma omp cancel parallel
      work(5);
    }
    work(2 + level());
#pragma omp cancellation point parallel
    work(5);
  }
  work(1);
  barrier();
}

static void cancel_for(void) {
#pragma omp parallel
  {
    const int n = omp_get_num_threads();
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 3 * n; ++i) {
      if (i == 0) {
        work(1);
#pragma omp cancel for
        work(5);
      }
      work(2 + level());
#pragma omp cancellation point for
      work(5);
    }
    work(1);
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < 3 * n; ++i) {
      work(1);
#pragma omp cancel for
      work(5);
    }
    work(level());
  }
  barrier();
}

/* Each thread has one section, or two, of which it never begins the second. */
static void cancel_sections(void) {
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      {
        work(1);
#pragma omp cancel sections
        work(5);
      }
#pragma omp section
      {
        work(2);
#pragma omp cancellation point sections
        work(5);
      }
#pragma omp section
      {
        work(2);
#pragma omp cancellation point sections
        work(5);
      }
#pragma omp section
      {
        work(2);
#pragma omp cancellation point sections
        work(5);
      }
    }
    work(1);
  }
  barrier();
}

/* --- locks ---------------------------------------------------------------- */

/* For any kind of lock: the first thread holds it, the others wait. */
static void lock_shape(omp_sync_hint_t hint) {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock_with_hint(&lock, hint);
  omp_init_nest_lock_with_hint(&nest, hint);
#pragma omp parallel
  {
    const int n = omp_get_num_threads();
    if (omp_get_thread_num() == 0) {
      omp_set_lock(&lock);
      work(2);
      omp_unset_lock(&lock);
      work(1);
    } else {
      work(1);
      /* The lock is held, so the test fails: no wait, no edge. */
      if (omp_test_lock(&lock)) omp_unset_lock(&lock);
      omp_set_lock(&lock);
      work(2.0 / (n - 1));
      omp_unset_lock(&lock);
    }
#pragma omp barrier
    if (omp_get_thread_num() == 0) {
      while (omp_test_nest_lock(&nest) != 1) sched_yield(); /* it is free */
      work(0.5);
      CHECK(omp_test_nest_lock(&nest) == 2);
      omp_set_nest_lock(&nest);
      work(1);
      omp_unset_nest_lock(&nest);
      omp_unset_nest_lock(&nest);
      work(0.5);
      omp_unset_nest_lock(&nest);
    } else {
      work(1);
      if (omp_test_nest_lock(&nest) == 1) omp_unset_nest_lock(&nest);
      omp_set_nest_lock(&nest);
      work(1.0 / (n - 1));
      omp_unset_nest_lock(&nest);
    }
  }
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
  barrier();
}

static void lock_kind(void) { lock_shape(omp_sync_hint_none); }
static void lock_uncontended(void) { lock_shape(omp_sync_hint_uncontended); }
static void lock_contended(void) { lock_shape(omp_sync_hint_contended); }

/* Tests the lock again and again until it succeeds. */
static void polled_lock(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      while (!omp_test_lock(&lock)) sched_yield(); /* it is free */
      work(2.5);
      omp_unset_lock(&lock);
    } else {
      work(1);
      while (!omp_test_lock(&lock)) work(1);
      omp_unset_lock(&lock);
      work(1);
    }
  }
  omp_destroy_lock(&lock);
  barrier();
}

/* First only tests the locks; then takes the lock many times without
 * contention. */
static void spinning_lock(void) {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      omp_set_lock(&lock);
      omp_set_nest_lock(&nest);
    }
#pragma omp barrier
    if (omp_get_thread_num() == 0) {
      work(2);
      omp_unset_lock(&lock);
      work(2);
      omp_unset_nest_lock(&nest);
    } else {
      while (!omp_test_lock(&lock))
        ;
      omp_unset_lock(&lock);
      while (!omp_test_nest_lock(&nest))
        ;
      omp_unset_nest_lock(&nest);
      for (int i = 0; i < 1000; ++i) {
        omp_set_lock(&lock);
        omp_unset_lock(&lock);
      }
      work(1);
      /* The lock belongs to this thread by now; the other thread waits for
       * it. */
      omp_set_lock(&lock);
    }
#pragma omp barrier
    if (omp_get_thread_num() == 0) {
      omp_set_lock(&lock);
      work(1);
      omp_unset_lock(&lock);
    } else {
      work(2);
      omp_unset_lock(&lock);
    }
  }
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
  barrier();
}

static void hinted_critical(void) {
#pragma omp parallel
  {
    const double share = 4.0 / omp_get_num_threads();
    work(1);
#pragma omp critical(contended) hint(omp_sync_hint_contended)
    work(share);
#pragma omp critical(uncontended) hint(omp_sync_hint_uncontended)
    sum += 1;
  }
  barrier();
}

/* --- teams ---------------------------------------------------------------- */

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

/* --- target regions, on the host ------------------------------------------ */

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

/* --- the runtime itself --------------------------------------------------- */

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
