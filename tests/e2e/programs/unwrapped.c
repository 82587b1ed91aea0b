/* Refers to a function that its MPI library has beyond the standard, and calls
 * another one where it can. */
#include <mpi.h>

#if defined(OPEN_MPI)
#include <mpi-ext.h>

static int extension(int really) {
  int value = 1, sum = 0;
  MPI_Request request;
  MPIX_Allreduce_init(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                      MPI_INFO_NULL, &request);
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  if (really) {
    MPIX_Bcast_init(&sum, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                    &request);
  }
  return 1;
}
#else
/* Debian's MPICH 4.0 crashes in those that it has. */
static int extension(int really) {
  int flag = 1;
  if (really) MPIX_Comm_agree(MPI_COMM_WORLD, &flag);
  return flag;
}
#endif

/* Named as an MPI function, but of the program. */
int mpi_own_(void) { return 0; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int result = extension(argc > 1);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return result == 0 ? 1 : mpi_own_();
}
