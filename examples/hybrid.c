/* The bundled example: a hybrid program whose inefficiencies are known.
 *
 *   OMP_NUM_THREADS=2 poprt run mpirun -n 2 --bind-to none ./hybrid
 *
 * Its work is sleeping, so that the figures are the same on any machine, and
 * it takes about two seconds. Three regions are marked, each with a fault of
 * its own:
 *
 *   setup      Rank 0 reads the input for 0.3 s and broadcasts it; the others
 *              are ready after 0.1 s. No thread but the primary works.
 *   solve      Five steps of a parallel region and an Allreduce. Rank 0 has
 *              1.5 times the work of the others; on every rank the last thread
 *              has two thirds of the work of the first.
 *   exchange   The ranks pass a message from one to the next; each works for
 *              0.1 s between receiving and sending: a serial chain, so
 *              serialisation is 1 / ranks.
 *
 * What the report shows for 4 ranks x 2 threads, in per cent (the test suite
 * holds poprt to these values):
 *
 *                                        Global   setup   solve  exchange
 *   parallel efficiency                    40.9    25.0    62.5      12.5
 *     load balance                         51.6    25.0    62.5      50.0
 *     serialisation efficiency             79.3   100.0   100.0      25.0
 *     transfer efficiency                 100.0   100.0   100.0     100.0
 *   critical path: MPI load balance        70.7    50.0    75.0     100.0
 *     MPI serialisation                    79.3   100.0   100.0      25.0
 *     OpenMP load balance                  73.1    50.0    83.3      50.0
 *   additive: process efficiency           56.0    50.0    75.0      25.0
 *     OpenMP region efficiency             93.5   100.0    87.5     100.0
 *     serial region efficiency             91.4    75.0   100.0      87.5
 */
#include <mpi.h>
#include <omp.h>
#include <poprt.h>
#include <stdio.h>
#include <time.h>

static void work(double seconds) {
  struct timespec left;
  left.tv_sec = (time_t)seconds;
  left.tv_nsec = (long)((seconds - (double)left.tv_sec) * 1e9);
  while (nanosleep(&left, &left) != 0) {
  }
}

static double setup(int rank) {
  double input = 0;
  pop_region_start("setup");
  if (rank == 0) {
    work(0.3);
    input = 42;
  } else {
    work(0.1);
  }
  MPI_Bcast(&input, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  pop_region_stop("setup");
  return input;
}

static double solve(int rank, double value) {
  const double step_seconds = rank == 0 ? 0.15 : 0.10;
  pop_region_start("solve");
  for (int step = 0; step < 5; ++step) {
#pragma omp parallel
    {
      const int last = omp_get_thread_num() == omp_get_num_threads() - 1;
      work(last && omp_get_num_threads() > 1 ? step_seconds * 2 / 3
                                             : step_seconds);
    }
    double sum = 0;
    MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    value = sum / 2;
  }
  pop_region_stop("solve");
  return value;
}

static double exchange(int rank, int size, double value) {
  double token = value;
  pop_region_start("exchange");
  if (rank > 0) {
    MPI_Recv(&token, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  }
  work(0.1);
  token += rank;
  if (rank < size - 1) {
    MPI_Send(&token, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);
  }
  pop_region_stop("exchange");
  return token;
}

int main(int argc, char** argv) {
  int provided, rank, size;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  double value = setup(rank);
  value = solve(rank, value);
  value = exchange(rank, size, value);

  if (rank == size - 1) {
    printf("%d ranks x %d threads: result %g\n", size, omp_get_max_threads(),
           value);
  }
  MPI_Finalize();
  return 0;
}
