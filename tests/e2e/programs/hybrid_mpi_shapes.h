/* Shapes of MPI calls inside parallel regions. */
#ifndef POPRT_TESTS_E2E_HYBRID_MPI_SHAPES_H_
#define POPRT_TESTS_E2E_HYBRID_MPI_SHAPES_H_

#include "openmp_shapes.h"

#ifndef PURE_OPENMP

static void before_init(void) {
#pragma omp parallel
  work(2 + level());
}

static void after_init(void) {
#pragma omp parallel
  work(3 + level());
  barrier();
  work(1);
}

static void mpi_by_primary(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      work(1 + 2 * rank_level());
      barrier();
      work(1);
    } else {
      work(5);
    }
  }
  work(1);
  barrier();
}

static void mpi_by_threads(void) {
#pragma omp parallel
  {
    const int thread = omp_get_thread_num();
    work((rank + thread) % 2 == 0 ? 3 : 1);
    exchange(thread);
    work(2);
  }
  work(1);
  barrier();
}

/* Only the last thread: not the primary, unless it is alone. */
static void mpi_by_last_thread(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == omp_get_num_threads() - 1) {
      work(1 + 2 * (rank % 2));
      exchange(1);
      work(1);
    } else {
      work(4);
    }
  }
  work(1);
}

/* Explicit tasks that communicate, whichever thread executes them. */
static void mpi_in_tasks(void) {
#pragma omp parallel
#pragma omp masked
  {
    const int n = omp_get_num_threads();
    for (int i = 0; i < n; ++i) {
#pragma omp task
      {
        work(rank % 2 == 0 ? 1 : 3);
        exchange(i);
        work(1);
      }
    }
#pragma omp taskwait
    work(1);
  }
  barrier();
}

static double units_in_mpi[2]; /* by thread */

static int sleep_in_mpi(MPI_Comm comm, int key, void* state, void* in,
                        void* out, int* copies) {
  (void)comm, (void)key, (void)state, (void)out;
  work(*(double*)in);
  *copies = 0;
  return MPI_SUCCESS;
}

/* Time in MPI with which no other thread or process has to do: that of a
 * communicator of one process, in the program's own function. */
static void in_mpi(double units) {
  double* const mine = &units_in_mpi[omp_get_thread_num()];
  MPI_Comm self, copy;
  int key;
  *mine = units;
#pragma omp critical(make)
  {
    MPI_Comm_dup(MPI_COMM_SELF, &self);
    MPI_Comm_create_keyval(sleep_in_mpi, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(self, key, mine);
  }
  MPI_Comm_dup(self, &copy);
#pragma omp critical(make)
  {
    MPI_Comm_free_keyval(&key);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&self);
  }
}

/* The second thread finds each lock free. */
static void lock_without_a_wait(void) {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(2)
  {
    const int second = omp_get_thread_num() == 1;
    if (second) in_mpi(3);
    omp_set_lock(&lock);
    work(second ? 1 : 2);
    omp_unset_lock(&lock);
#pragma omp barrier
    if (second) in_mpi(3);
    omp_set_nest_lock(&nest);
    work(second ? 1 : 2);
    omp_unset_nest_lock(&nest);
  }
#pragma omp parallel num_threads(2)
  {
    const int second = omp_get_thread_num() == 1;
    if (second) in_mpi(3);
#pragma omp critical(free)
    work(second ? 1 : 2);
  }
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
  barrier();
}

/* A reduction operation of the program's that uses OpenMP. */
static void operation(void* in, void* out, int* count, MPI_Datatype* type) {
  (void)in, (void)out, (void)count, (void)type;
  work(1);
#pragma omp parallel
  work(omp_get_thread_num() == 0 ? 1 : 3);
  work(2);
}

static void openmp_in_mpi(void) {
  int in = 0, out = 0;
  MPI_Op op;
  MPI_Op_create(operation, 1, &op);
  work(1);
  MPI_Reduce_local(&in, &out, 1, MPI_INT, op);
  work(1);
  MPI_Op_free(&op);
  barrier();
}

/* The second thread waits for what the first one holds in MPI. */
static void lock_in_mpi(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      omp_set_lock(&lock);
      in_mpi(3);
      omp_unset_lock(&lock);
      work(0.5);
    } else {
      work(0.5);
      omp_set_lock(&lock);
      work(1);
      omp_unset_lock(&lock);
    }
  }
  omp_destroy_lock(&lock);
  barrier();
}

#endif

#endif /* POPRT_TESTS_E2E_HYBRID_MPI_SHAPES_H_ */
