// The processes of this node.  Clocks of messages between them go through
// shared memory (clock_ring.h) instead of a second message.
//
// A sender uses shared memory if the receiver has said there that it reads it;
// the receiver looks there first.  Not used under MPI_THREAD_MULTIPLE, where a
// ring would have several writers, nor on intercommunicators, on windows, and
// on communicators of MPI_Comm_idup, which have no number on which their
// processes have agreed.
#ifndef POPRT_WRAPPERS_NODE_NODE_H_
#define POPRT_WRAPPERS_NODE_NODE_H_

#include <cstdint>

#include "wrappers/node/node_channel.h"
#include "wrappers/pmpi.h"

namespace poprt::mpi {

struct CommInfo;

// Called in MPI_Init; collective over all processes.  Returns a random number
// that is the same on all of them; 0 if there is none.
uint64_t set_up_node(CommInfo& world);

// A bit for each board (node_board.h) that this process could use for `comm`. 0
// unless all processes of `comm` are on this node.  A local function.
uint32_t free_boards(MPI_Comm comm, int size);
// All processes of the communicator have agreed on this board.
void use_board(CommInfo& comm, int board);

// Sends the clocks of the next message to `dest`.  If they must go by message,
// so must later ones until the receiver has taken all of them, because the two
// ways have no common order.
// `all`: the clocks are all of a thread's as of its last event; or null.
Sent put_on_node(CommInfo& comm, int dest, int tag, const ClockMessage& clocks,
                 const SentClocks* all = nullptr);
// The same with the thread's clocks as of its last event, where that takes few
// instructions.  False: nothing was sent.
bool put_packed_on_node(CommInfo& comm, int dest, int tag, Thread& thread,
                        int reply_tag);

// Takes the clocks of a message that has arrived: all, whenever they are
// merged.
Taken take_on_node(CommInfo& comm, int source, int tag, ClockMessage* clocks);
// The same where that takes few instructions, for a thread that merges them
// before any others of this source.  False: nothing was taken.
bool take_packed_on_node(CommInfo& comm, int source, int tag,
                         ClockMessage* clocks, const Thread& thread);
// To be called after clocks have been taken by message.
void taken_by_message(CommInfo& comm, int source);
// No more clocks of this stream are expected.  False: the sender cannot be told
// through shared memory.
bool give_up_on_node(CommInfo& comm, int source, int tag);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_NODE_NODE_H_
