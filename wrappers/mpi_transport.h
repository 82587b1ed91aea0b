// The end of the run, over MPI: the totals of all processes become one.
#ifndef POPRT_WRAPPERS_MPI_TRANSPORT_H_
#define POPRT_WRAPPERS_MPI_TRANSPORT_H_

#include "wrappers/state.h"

namespace poprt::mpi {

// In MPI_Finalize, before PMPI_Finalize: completes the tool's messages,
// combines the totals of all processes of the job and writes the report on
// rank 0 of MPI_COMM_WORLD.
void finish(Thread& thread);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_MPI_TRANSPORT_H_
