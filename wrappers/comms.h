// Which communicators are tracked, and their shadows.
#ifndef POPRT_WRAPPERS_COMMS_H_
#define POPRT_WRAPPERS_COMMS_H_

#include <functional>

#include "wrappers/state.h"

namespace poprt::mpi {

// The communicator, or null: its messages carry no clocks (one process only,
// processes of another world, not known).
CommInfo* find_comm(MpiThread& thread, MPI_Comm comm);

// How a shadow is made, collective over the processes of `comm`.  Returns MPI's
// code.  `like_parent` copies no attributes: those are the program's functions.
using MakeShadow = std::function<int(MPI_Comm comm, MPI_Comm* shadow)>;
int like_parent(MPI_Comm comm, MPI_Comm* shadow);

// A new communicator, in the call that made it, which all its processes are
// in.  Makes the shadow; by `where_busy`, if some process has other
// constructors under way.  `strangers`: it may hold processes of another world.
void add_comm(MPI_Comm comm, bool strangers,
              const MakeShadow& where_busy = like_parent);
// The same without a handle to find it by; null where there are no clocks.
CommInfo* new_processes(MPI_Comm comm, bool strangers,
                        const MakeShadow& where_busy = like_parent,
                        bool with_board = false);

// A program with sessions only has made a communicator: if it holds all
// processes, the totals can be added up over it at the end.
void note_everybody(CommInfo& info);

// MPI_Comm_idup: the shadow is made by a call of its own, started here on the
// parent's shadow.
CommInfo* begin_comm(CommInfo& parent);
void finish_comm(CommInfo* info, MPI_Comm comm);

// The program frees the communicator.
void drop_comm(MPI_Comm comm);

// Something begins, or ends, to use the shadow.
inline int add_user(CommInfo& info, int change) {
  if (job().multiple) return info.users.fetch_add(change) + change;
  const int users = info.users.load(std::memory_order_relaxed) + change;
  info.users.store(users, std::memory_order_relaxed);
  return users;
}
inline void hold_comm(CommInfo& info) { add_user(info, 1); }
void release_comm(CommInfo* info);

// Clocks that nobody will take may be under way on the shadow: it is kept, for
// take_unwanted(), because MPI would use its context again, for other messages.
void taint(CommInfo& info);

// At the end of the run, when all processes are there: takes the clocks that
// nobody has asked for, of receives that the program has freed or cancelled.
// Some transports (UCX under MPICH) tell the user of every message that is
// left.
void take_unwanted();

// The ranks that a neighbourhood collective reaches, in the order of the
// standard; MPI_PROC_NULL where there is none.
void find_neighbors(CommInfo& info);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_COMMS_H_
