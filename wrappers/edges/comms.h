// The tracked communicators and their shadows.
#ifndef POPRT_WRAPPERS_EDGES_COMMS_H_
#define POPRT_WRAPPERS_EDGES_COMMS_H_

#include <functional>

#include "wrappers/state.h"

namespace poprt::mpi {

// The communicator.  Null if its messages carry no clocks: it has only one
// process, has processes of another world, or is unknown.
CommInfo* find_in_table(MpiThread& thread, MPI_Comm comm);
inline CommInfo* find_comm(MpiThread& thread, MPI_Comm comm) {
  if (thread.edges.comm_key == key_of(comm) &&
      thread.edges.comm_generation ==
          job().edges.comms.generation.load(std::memory_order_acquire)) {
    return thread.edges.comm;
  }
  return find_in_table(thread, comm);
}

// A function that makes a shadow.  Collective over the processes of `comm`;
// returns MPI's error code.  like_parent() does not copy attributes, because
// that would call functions of the program.
using MakeShadow = std::function<int(MPI_Comm comm, MPI_Comm* shadow)>;
int like_parent(MPI_Comm comm, MPI_Comm* shadow);

// Adds a new communicator, in the collective call that has made it, and makes
// its shadow: by `where_busy` if some process has other constructors under way.
// If there is no room for another shadow, it shares that of all processes.
// `strangers`: it may contain processes of another world.
void add_comm(MPI_Comm comm, bool strangers,
              const MakeShadow& where_busy = like_parent);
// Like add_comm(), without adding it to the table of handles.  Null if it
// carries no clocks.
CommInfo* new_processes(MPI_Comm comm, bool strangers,
                        const MakeShadow& where_busy = like_parent,
                        bool of_window = false);

// In a program that uses only sessions: if the new communicator has all
// processes, it is used to combine the totals at the end.
void note_everybody(CommInfo& info);

// MPI_Comm_idup: the new communicator shares the parent's shadow.  begin_comm()
// comes before the program's call: as soon as that has begun, other processes
// may complete theirs and send clocks.
CommInfo* begin_comm(CommInfo& parent);
void cancel_comm(CommInfo* info);
void finish_comm(CommInfo* info, MPI_Comm comm);

// The program frees the communicator.  False: it is not known.
bool drop_comm(MPI_Comm comm);

// Its processes have not all taken part in a call of the tool: from now on it
// carries no clocks.  Its shadow stays, because operations are under way there.
void lose_comm(CommInfo& info);

// The communicator that the shadow was made for.
inline CommInfo& owner_of_shadow(CommInfo& comm) {
  return comm.carrier == nullptr ? comm : *comm.carrier;
}

// Changes the number of the shadow's users; returns the new number.
inline int add_user(CommInfo& info, int change) {
  if (job().multiple) return info.edges.users.fetch_add(change) + change;
  const int users = info.edges.users.load(std::memory_order_relaxed) + change;
  info.edges.users.store(users, std::memory_order_relaxed);
  return users;
}
inline void hold_comm(CommInfo& info) { add_user(info, 1); }
void release_comm(CommInfo* info);

// Clocks that no call will take may be under way on the shadow.  It is then not
// freed, because MPI would use its context again for other messages, but kept
// for take_unwanted().
void taint(CommInfo& info);

// At the end of the run, on all processes: takes the clocks that no call has
// taken, of receives that the program has freed or cancelled.  Some transports
// (UCX under MPICH) warn the user of each message that is left.
void take_unwanted();

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EDGES_COMMS_H_
