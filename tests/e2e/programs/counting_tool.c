/* A tool of MPI's profiling interface, as a library: it counts the calls that
 * it is given, and says at the end how many that were. */
#include <mpi.h>
#include <stdio.h>

static int calls;

int MPI_Barrier(MPI_Comm comm) {
  ++calls;
  return PMPI_Barrier(comm);
}

int MPI_Send(const void* buffer, int count, MPI_Datatype type, int dest,
             int tag, MPI_Comm comm) {
  ++calls;
  return PMPI_Send(buffer, count, type, dest, tag, comm);
}

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int source, int tag,
             MPI_Comm comm, MPI_Status* status) {
  ++calls;
  return PMPI_Recv(buffer, count, type, source, tag, comm, status);
}

int MPI_Finalize(void) {
  printf("tool: %d calls\n", calls);
  return PMPI_Finalize();
}
