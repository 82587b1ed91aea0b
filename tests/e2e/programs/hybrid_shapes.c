/* Programs of known shape that use MPI and OpenMP, or, with PURE_OPENMP
 * defined, OpenMP alone (see shapes.h).  The number of threads is
 * OMP_NUM_THREADS.
 */
#include "hybrid_mpi_shapes.h"
#include "hybrid_task_shapes.h"
#include "openmp_shapes.h"

static int threads;

#ifdef PURE_OPENMP
static void bcast(int* value) { (void)value; }
#else
static void bcast(int* value) {
  MPI_Bcast(value, 1, MPI_INT, 0, MPI_COMM_WORLD);
}
#endif

static void balanced(void) {
#pragma omp parallel
  work(3);
  barrier();
#pragma omp parallel
  work(3);
  barrier();
}

static void thread_imbalance(void) {
#pragma omp parallel
  work(1 + 4 * level());
  barrier();
}

static void serial_part(void) {
  work(2);
#pragma omp parallel
  work(3);
  barrier();
  work(1);
#pragma omp parallel
  work(2);
}

static void mpi_between(void) {
  int value = rank;
#pragma omp parallel
  work(rank == 0 ? 3 : 1);
  bcast(&value);
#pragma omp parallel
  work(2);
  if (rank == size - 1) work(1);
  barrier();
#pragma omp parallel
  work(2);
  sum += value;
}

static void both_imbalances(void) {
#pragma omp parallel
  work(2 * (1 + level()) * (1 + rank_level()));
  barrier();
}

/* A heavy rank whose threads are balanced, and light ones with a heavy thread:
 * the slowest threads of all are alike. */
static void hidden_imbalance(void) {
#pragma omp parallel
  work(rank == 0 ? 4 : 1 + 3 * level());
  barrier();
  work(1);
#pragma omp parallel
  work(1 + level());
  barrier();
}

static void critical(void) {
#pragma omp parallel
  {
    work(1);
#pragma omp critical
    work(5.0 / omp_get_num_threads());
  }
  barrier();
}

static void named_criticals(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() % 2 == 0) {
#pragma omp critical(even)
      work(2);
    } else {
#pragma omp critical(odd)
      work(2);
    }
  }
  barrier();
}

static void ordered(void) {
#pragma omp parallel
  {
    const int n = omp_get_num_threads();
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < n; ++i) {
      work(1);
#pragma omp ordered
      work(5.0 / n);
    }
  }
  barrier();
}

static void locks(void) {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      omp_set_lock(&lock);
      work(3);
      omp_unset_lock(&lock);
    } else {
      work(1);
      if (omp_test_lock(&lock))
        omp_unset_lock(&lock); /* never: the lock is held. No wait, no edge */
      work(1);
      omp_set_lock(&lock);
      work(0.5);
      omp_unset_lock(&lock);
    }
#pragma omp barrier
    omp_set_nest_lock(&nest);
    work(0.5);
    omp_set_nest_lock(&nest);
    work(0.5);
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
  }
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
  barrier();
}

#ifndef PURE_OPENMP
static omp_lock_t table_lock;

/* Only the last rank is at these places. */
static void locks_of_one_rank(void) {
  omp_lock_t* const made = malloc(sizeof *made);
  omp_init_lock(&table_lock);
  omp_init_lock(made);
  if (rank == size - 1) {
    omp_set_lock(&table_lock);
    omp_unset_lock(&table_lock);
    omp_set_lock(made);
    omp_unset_lock(made);
#pragma omp parallel
    {
#pragma omp critical(table)
      ++sum;
    }
  }
  omp_destroy_lock(made);
  omp_destroy_lock(&table_lock);
  free(made);
  barrier();
}
#endif

static void barriers(void) {
#pragma omp parallel
  {
    work(1 + 2 * level());
#pragma omp barrier
    work(3 - 2 * level());
#pragma omp barrier
#pragma omp single
    work(1);
    work(1);
  }
  barrier();
}

static void worksharing(void) {
  int total = 0;
#pragma omp parallel
  {
    const int n = omp_get_num_threads();
#pragma omp for schedule(static, 1) reduction(+ : total)
    for (int i = 0; i < 2 * n; ++i) {
      work(i < n ? 1 : 1 + (i == n));
      total += i;
    }
#pragma omp for schedule(static, 1) nowait
    for (int i = 0; i < n; ++i) work(i == 0 ? 1 : 2);
#pragma omp masked
    work(1);
  }
  sum += total;
  barrier();
}

/* Two threads that each have a team of two; the inner ones are unbalanced. */
static void nested(void) {
#pragma omp parallel num_threads(2)
  {
    work(1);
#pragma omp parallel num_threads(2)
    work(2 + 2 * omp_get_thread_num());
    work(1);
  }
  barrier();
}

/* The last team is smaller than the first, and then serialised. */
static void smaller_teams(void) {
#pragma omp parallel
  work(2);
#pragma omp parallel num_threads((threads + 1) / 2)
  work(3);
#pragma omp parallel if (0)
  work(1);
  barrier();
}

/* Ranks with different numbers of threads. */
static void unequal_threads(void) {
#pragma omp parallel num_threads(rank % 2 == 0 ? 1 : threads)
  work(3 + level());
  work(1 + rank_level());
  barrier();
}

/* Two imbalances of threads that cancel out. */
static void cancelling_threads(void) {
  pop_region_start("first");
#pragma omp parallel
  work(1 + 3 * level());
  pop_region_stop("first");
  pop_region_start("second");
#pragma omp parallel
  work(4 - 3 * level());
  pop_region_stop("second");
  barrier();
}

static void regions(void) {
  pop_region_start("setup");
  work(1);
#pragma omp parallel
  work(1);
  pop_region_stop("setup");
  for (int i = 0; i < 2; ++i) {
    pop_region_start("solve");
#pragma omp parallel
    work(1 + level());
    work(0.5);
    pop_region_stop("solve");
    pop_region_start("exchange");
    work(0.25 + rank_level());
    barrier();
    pop_region_stop("exchange");
  }
}

/* Opened and closed by the primary thread while the others go on. */
static void region_in_parallel(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      work(2);
      pop_region_start("part");
      work(3);
      pop_region_stop("part");
      work(1);
    } else {
      work(4);
    }
  }
  barrier();
}

/* Most of the region's critical path runs over a worker thread. */
static void region_over_workers(void) {
  pop_region_start("path");
#pragma omp parallel
  {
    work(omp_get_thread_num() == 0 ? 1 : 2);
#pragma omp barrier
    work(omp_get_thread_num() == 0 ? 2 : 1);
  }
  pop_region_stop("path");
  work(2);
  barrier();
}

static const struct shape shapes[] = {
    {"balanced", balanced},
    {"thread_imbalance", thread_imbalance},
    {"serial_part", serial_part},
    {"mpi_between", mpi_between},
    {"both_imbalances", both_imbalances},
    {"hidden_imbalance", hidden_imbalance},
    {"critical", critical},
    {"named_criticals", named_criticals},
    {"ordered", ordered},
    {"locks", locks},
    {"barriers", barriers},
    {"worksharing", worksharing},
    {"taskwait", taskwait},
    {"taskgroup", taskgroup},
    {"barrier_tasks", barrier_tasks},
    {"own_tasks", own_tasks},
    {"nested", nested},
    {"smaller_teams", smaller_teams},
    {"unequal_threads", unequal_threads},
    {"cancelling_threads", cancelling_threads},
    {"regions", regions},
    {"region_in_parallel", region_in_parallel},
    {"region_over_workers", region_over_workers},
#ifndef PURE_OPENMP
    {"before_init", after_init},
    {"locks_of_one_rank", locks_of_one_rank},
    {"mpi_by_primary", mpi_by_primary},
    {"mpi_by_threads", mpi_by_threads},
    {"mpi_by_last_thread", mpi_by_last_thread},
    {"mpi_in_tasks", mpi_in_tasks},
    {"lock_without_a_wait", lock_without_a_wait},
    {"lock_in_mpi", lock_in_mpi},
    {"openmp_in_mpi", openmp_in_mpi},
#endif
    {NULL, NULL},
};

int main(int argc, char** argv) {
  const struct shape* const shape = choose_shape(shapes, argc, argv);
#ifdef PURE_OPENMP
  threads = omp_get_max_threads();
  shape->run();
#else
  if (shape->run == after_init) before_init();
  int wanted = MPI_THREAD_FUNNELED, provided;
  if (shape->run == mpi_by_threads || shape->run == mpi_by_last_thread ||
      shape->run == mpi_in_tasks) {
    wanted = MPI_THREAD_MULTIPLE;
  }
  MPI_Init_thread(&argc, &argv, wanted, &provided);
  CHECK(provided >= wanted);
  threads = omp_get_max_threads();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  shape->run();
#endif
  printf("rank %d of %d: %ld\n", rank, size, sum);
#ifndef PURE_OPENMP
  MPI_Finalize();
#endif
  return 0;
}
