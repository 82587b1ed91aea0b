/* What programs of known shape that use OpenMP have in common: they use MPI
 * too, or, with PURE_OPENMP defined, OpenMP alone.  The number of threads is
 * OMP_NUM_THREADS.
 */
#ifndef POPRT_TESTS_E2E_OPENMP_SHAPES_H_
#define POPRT_TESTS_E2E_OPENMP_SHAPES_H_

#include <omp.h>

#include "shapes.h"

#define PRAGMA(...) _Pragma(#__VA_ARGS__)

static int rank, size = 1;
static long sum; /* printed: must be the same, whichever thread executes what */

#ifdef PURE_OPENMP

static inline void barrier(void) {}

#else

#include <mpi.h>

static inline void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }

/* Sends to and receives from the other rank of the pair. */
static inline void exchange(int tag) {
  const int other = rank ^ 1;
  const int out = 100 * rank + tag;
  int in = -1;
  MPI_Sendrecv(&out, 1, MPI_INT, other, tag, &in, 1, MPI_INT, other, tag,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(in == 100 * other + tag);
}

#endif

/* 0 on the first thread of a team to 1 on the last; 1 when alone. */
static inline double level(void) {
  const int n = omp_get_num_threads();
  return n > 1 ? (double)omp_get_thread_num() / (n - 1) : 1;
}

/* 0 on the first rank to 1 on the last; 1 when alone. */
static inline double rank_level(void) {
  return size > 1 ? (double)rank / (size - 1) : 1;
}

/* The main program. Nothing calls OpenMP before the shape does. */
static inline int run_shapes(const struct shape* shapes, int argc,
                             char** argv) {
  const struct shape* const shape = choose_shape(shapes, argc, argv);
#ifdef PURE_OPENMP
  shape->run();
#else
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  CHECK(provided == MPI_THREAD_MULTIPLE);
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

#endif /* POPRT_TESTS_E2E_OPENMP_SHAPES_H_ */
