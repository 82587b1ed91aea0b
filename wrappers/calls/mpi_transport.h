// Combines the totals of all processes over MPI, at the end of the run or on
// the program's request.
#ifndef POPRT_WRAPPERS_CALLS_MPI_TRANSPORT_H_
#define POPRT_WRAPPERS_CALLS_MPI_TRANSPORT_H_

#include "base/guard.h"
#include "session/transport.h"
#include "wrappers/state.h"

namespace poprt::mpi {

// In MPI_Finalize, before PMPI_Finalize: completes the tool's messages,
// combines the totals of all processes, and writes the report on rank 0 of
// MPI_COMM_WORLD.
void finish(Thread& thread);

// Totals are sent in pieces of at most this size, because MPI counts in `int`.
inline constexpr int kPieceBytes = 1 << 30;

// For collectives between MPI_Init and MPI_Finalize that the program asks for
// (region metrics of the job).  Never destroyed.
Transport* new_transport(int piece_bytes = kPieceBytes);

// Totals of other processes have been added so to these.
void note_lost(Outcome outcome, JobTotals* totals);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_CALLS_MPI_TRANSPORT_H_
