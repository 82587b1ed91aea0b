#ifndef POPRT_WRAPPERS_CALLS_SESSIONS_H_
#define POPRT_WRAPPERS_CALLS_SESSIONS_H_

namespace poprt::mpi {

// In MPI_Finalize, before PMPI_Finalize: closes the tool's own session, if no
// session of the program is open.
void close_own_session_at_end();

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_CALLS_SESSIONS_H_
