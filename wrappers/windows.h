// Which windows are tracked.  The processes of a window have a shadow of their
// own: what happens on a window has no order with what happens on the
// communicator that it was made of.
#ifndef POPRT_WRAPPERS_WINDOWS_H_
#define POPRT_WRAPPERS_WINDOWS_H_

#include "wrappers/state.h"

namespace poprt::mpi {

// Tags on a window's shadow.
inline constexpr int kExposureTag = 0;    // MPI_Win_post -> MPI_Win_complete
inline constexpr int kCompletionTag = 1;  // MPI_Win_complete -> MPI_Win_wait

// A new window, in the call that made it on `comm`, which all its processes
// are in.
void add_window(CommInfo& comm, MPI_Win win);
// The window, or null: it carries no clocks.
Window* find_window(MPI_Win win);
// The program frees the window: it is not found any more.
Window* take_window(MPI_Win win);
void put_back_window(MPI_Win win, Window* window);
void drop_window(Window* window);

// The other processes of a group, by their ranks in the window.
void find_partners(const CommInfo& comm, MPI_Group group,
                   std::vector<int>& ranks);
// MPI has refused the call that opens or ends an epoch with `ranks`, whose
// clocks have been sent.
void owe_epoch(CommInfo& comm, const std::vector<int>& ranks, int tag);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_WINDOWS_H_
