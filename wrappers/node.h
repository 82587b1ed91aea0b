// The processes of this node: clocks of messages between them go through
// shared memory (clock_ring.h) instead of a second message.
//
// A sender goes this way where the receiver has said, in that memory, that it
// reads there; the receiver looks here first.  Not under MPI_THREAD_MULTIPLE,
// where a ring would have several writers.
#ifndef POPRT_WRAPPERS_NODE_H_
#define POPRT_WRAPPERS_NODE_H_

#include "wrappers/node_channel.h"
#include "wrappers/state.h"

namespace poprt::mpi {

// In MPI_Init; collective over all processes.
void set_up_node(CommInfo& world);

// Bits: which boards (node_board.h) this process could use for `comm`; none
// unless all its processes are on this node.  Local.
uint32_t free_boards(MPI_Comm comm, int size);
// All processes of the communicator have agreed on one.
void use_board(CommInfo& comm, int board);

// The clocks of the next message to `dest`.  Where they must go by message, so
// must the next ones, until the receiver has taken them, because the two ways
// keep no common order.
Sent put_on_node(CommInfo& comm, int dest, int tag, const ClockMessage& clocks);

// The next clocks of a message that has arrived.
Taken take_on_node(CommInfo& comm, int source, int tag, ClockMessage* clocks);
// Then, once they have come by message.
void taken_by_message(CommInfo& comm, int source);
// Nothing more is expected of the stream.  False: the sender cannot be told so
// here.
bool give_up_on_node(CommInfo& comm, int source, int tag);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_NODE_H_
