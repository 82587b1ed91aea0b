// The tracked windows.  The processes of a window have a shadow communicator of
// their own, because calls on the window are not ordered with calls on the
// communicator that it was made of.
#ifndef POPRT_WRAPPERS_EDGES_WINDOWS_H_
#define POPRT_WRAPPERS_EDGES_WINDOWS_H_

#include <mutex>
#include <vector>

#include "measure/mpi_waits.h"
#include "wrappers/handle_table.h"
#include "wrappers/pmpi.h"

namespace poprt::mpi {

struct CommInfo;

// A window: its processes, and the partners in its open epochs.
struct Window {
  // Null: no shadow was left for it (rule R9 of docs/edges.md).  Its calls are
  // counted as those whose clocks are lost.
  CommInfo* comm = nullptr;
  std::vector<int> targets;  // of MPI_Win_start
  LateWait start;  // that call, which may have waited for MPI_Win_post
  std::vector<int> origins;  // of MPI_Win_post
};

// All of them.  Protected by the mutex.
struct WindowTable {
  std::mutex mutex;
  HandleTable<Window> by_handle;
};

// Tags on a window's shadow.
inline constexpr int kExposureTag = 0;    // MPI_Win_post -> MPI_Win_complete
inline constexpr int kCompletionTag = 1;  // MPI_Win_complete -> MPI_Win_wait

// Adds a new window, in the collective call that has made it on `comm`.
void add_window(CommInfo& comm, MPI_Win win);
// Null if the tool does not know it.
Window* find_window(MPI_Win win);
// Removes the window from the table, in the call that frees it.
Window* take_window(MPI_Win win);
void put_back_window(MPI_Win win, Window* window);
void drop_window(Window* window);

// The ranks in the window of a group's processes, except this one.
void find_partners(const CommInfo& comm, MPI_Group group,
                   std::vector<int>& ranks);
// MPI has refused the call that opens or ends an epoch with `ranks`, after the
// clocks have been sent.
void owe_epoch(CommInfo& comm, const std::vector<int>& ranks, int tag);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EDGES_WINDOWS_H_
