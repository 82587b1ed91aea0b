// The end of the run, over MPI: the totals of all processes become one.
#ifndef POPRT_WRAPPERS_MPI_TRANSPORT_H_
#define POPRT_WRAPPERS_MPI_TRANSPORT_H_

#include "runtime/transport.h"
#include "wrappers/state.h"

namespace poprt::mpi {

// In MPI_Finalize, before PMPI_Finalize: completes the tool's messages,
// combines the totals of all processes of the job and writes the report on
// rank 0 of MPI_COMM_WORLD.
void finish(Thread& thread);

// Totals are sent in pieces of at most so many bytes, less than an `int`
// counts.
inline constexpr int kPieceBytes = 1 << 30;

// For collectives of the program's own between MPI_Init and MPI_Finalize, over
// all processes; never destroyed.
Transport* new_transport(int piece_bytes = kPieceBytes);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_MPI_TRANSPORT_H_
