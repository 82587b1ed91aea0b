// What MPI_Init and sessions have in common when measurement begins and ends.
#ifndef POPRT_WRAPPERS_CALLS_START_END_H_
#define POPRT_WRAPPERS_CALLS_START_END_H_

#include <atomic>

namespace poprt::mpi {

// The MPI standard guarantees tags up to this one.
inline constexpr int kLeastTagBound = 32767;

// MPI_Init has been called, so measurement ends in MPI_Finalize.  Otherwise it
// ends with the last session.
extern std::atomic<bool> g_world_model;

// Prepares what does not depend on other processes, after MPI has been
// initialised.
bool set_up();
// Starts measurement, before a call that initialises MPI.  False: nothing
// begins after the call.
bool start_before_init();
// Ends measurement, with a report.
void end();

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_CALLS_START_END_H_
