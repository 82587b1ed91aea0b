/* The main program of the shapes for GCC's OpenMP (gcc_shapes.h): with MPI or,
 * with PURE_OPENMP defined, without.
 */
#include "gcc_shapes.h"
#include "shapes.h"

#ifndef PURE_OPENMP
#include <mpi.h>
#endif

static long result;

#define SHAPE(name) \
  static void run_##name(void) { result = name(); }
SHAPE(schedules)
SHAPE(sections)
SHAPE(singles)
SHAPE(critical)
SHAPE(ordered)
SHAPE(dependences)
SHAPE(taskloop)
SHAPE(reductions)

static const struct shape shapes[] = {
    {"schedules", run_schedules},
    {"sections", run_sections},
    {"singles", run_singles},
    {"critical", run_critical},
    {"ordered", run_ordered},
    {"dependences", run_dependences},
    {"taskloop", run_taskloop},
    {"reductions", run_reductions},
    {NULL, NULL},
};

void shape_work(double units) { work(units); }

int main(int argc, char** argv) {
  const struct shape* const shape = choose_shape(shapes, argc, argv);
  int rank = 0;
#ifndef PURE_OPENMP
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
  shape->run();
#ifndef PURE_OPENMP
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
#endif
  printf("rank %d: %ld\n", rank, result);
  return 0;
}
