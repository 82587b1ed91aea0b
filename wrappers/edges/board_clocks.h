// Clocks of blocking collectives by boards (node_board.h).
#ifndef POPRT_WRAPPERS_EDGES_BOARD_CLOCKS_H_
#define POPRT_WRAPPERS_EDGES_BOARD_CLOCKS_H_

#include "wrappers/edges/edges.h"
#include "wrappers/state.h"

namespace poprt::mpi {

// To be called before the program's call, and after it has succeeded.
void write_board(MpiThread& thread, CommInfo& comm);
void read_boards(MpiThread& thread, CommInfo& comm);

// The same for a rooted or prefix operation in which all data moves.
// write_slot() returns whether the clocks are in the slot; false: this process
// has none to write, or has sent them to each process that depends on it.
bool write_slot(MpiThread& thread, CommInfo& comm, Pattern pattern, int root);
void read_slots(MpiThread& thread, CommInfo& comm, Pattern pattern, int root);
// MPI has refused the call: no process reads what write_slot() has written.
void withdraw_slot(MpiThread& thread, CommInfo& comm, Pattern pattern, int root,
                   bool in_slot);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EDGES_BOARD_CLOCKS_H_
