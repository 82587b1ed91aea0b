// How clocks travel.  With each message of the program go clocks, to the same
// peer with the same tag: through the node's memory, or in a message on the
// shadow communicator (rules R1 to R4 of docs/edges.md).  Those of a collective
// go by a board in the node's memory, in pairs, or in one on the shadow
// communicator.
//
// All functions are called inside a CallScope.  Clocks that arrive are
// collected in the thread's `arrived` and merged when the call ends.
#ifndef POPRT_WRAPPERS_EDGES_CLOCK_EXCHANGE_H_
#define POPRT_WRAPPERS_EDGES_CLOCK_EXCHANGE_H_

#include "wrappers/edges/edges.h"
#include "wrappers/edges/persistent_exchange.h"
#include "wrappers/edges/posted_clocks.h"
#include "wrappers/state.h"

namespace poprt::mpi {

// Makes the tool's datatypes and operations, after PMPI_Init.
bool set_up_exchange();
// Frees them before PMPI_Finalize: MPICH warns the user of each one that is
// left.
void tear_down_exchange();

// Sends the thread's clocks as of its last event, without waiting.  With a
// reply tag, the receiver answers with the clocks that it had when it posted
// the receive.  False: an earlier, refused message has left clocks for this
// one, and nothing is sent (see owe_message()).
bool send_clocks(MpiThread& thread, CommInfo& comm, int dest, int tag,
                 int reply_tag = 0);
// Sends clocks that were stored earlier.
void send_kept_clocks(MpiThread& thread, CommInfo& comm, int dest, int tag,
                      const ClockMessage& clocks);
// Stores the thread's clocks, for a receive that is being posted.
void keep_posted_clocks(MpiThread& thread, PostedClocks& clocks);
// All of them, of a thread of this process.
void read_posted_clocks(const Process& process, const PostedClocks& clocks,
                        ClockMessage* message);

// Takes the clocks of a message that the program has received from `source`
// with `tag`.  `posted`: those that its receive was posted with; null for a
// blocking receive.
void take_clocks(MpiThread& thread, CommInfo& comm, const PostedClocks* posted,
                 int source, int tag);
// Likewise, if so many receives that were posted before have taken or will take
// older messages of this stream (rule R3b).
void take_clocks_behind(int older, MpiThread& thread, CommInfo& comm,
                        const PostedClocks* posted, int source, int tag);

// A blocking call in which every process depends on every other one:
// contribute() stores this process's clocks when the call begins,
// exchange_with_all() makes one reduction and takes the result.  Where the
// reduction is made in place of the program's call, what it takes is no cost of
// the tool.
enum class Reduction { kOfTool, kIsCall };
void contribute(MpiThread& thread, const CommInfo& comm, ClockMessage& out);
bool exchange_with_all(MpiThread& thread, CommInfo& comm, ClockMessage& out,
                       Reduction reduction = Reduction::kOfTool);
// As exchange_with_all(), in a call that makes something of the communicator,
// for which the tool needs all processes once more.  False: one of them has not
// come, because it has made the call past the tool, by a function that it
// looked up in the MPI library.  Then the communicator carries no clocks any
// more.  The same on all that have come.
bool meet_all(MpiThread& thread, CommInfo& comm, ClockMessage& out);
// Any other collective among many processes: the shadow operation is started
// before a blocking call, or after a non-blocking one has been started, and
// finished after it has completed.
ShadowOp* begin_collective(MpiThread& thread, CommInfo& comm, Pattern pattern,
                           int root, const Edges& edges);
void finish_collective(MpiThread& thread, CommInfo& comm, ShadowOp* op);
// Persistent collectives whose clocks do not go pairwise: a persistent
// reduction beside the program's operation.  A plain one would not do, because
// processes may start several persistent collectives in different orders.
ShadowOp* prepare_reduction(MpiThread& thread, CommInfo& comm);
void forget_reduction(MpiThread& thread, ShadowOp* op);
void start_persistent(MpiThread& thread, CommInfo& comm,
                      PersistentExchange& exchange);
void finish_persistent(MpiThread& thread, CommInfo& comm,
                       PersistentExchange& exchange);

// Merges late clocks that have arrived; drain_arrived(): if the first of them
// has.  Never wait.
void drain_late(MpiThread& thread);
void drain_arrived(MpiThread& thread);
// The thread's clocks as of its last event, with the late clocks that have
// arrived.  For every place where clocks are given to others.
inline void store_current(MpiThread& thread, ClockMessage& out,
                          int capacity = ClockMessage::kCapacity) {
  if (!thread.edges.late.empty()) drain_late(thread);
  thread.thread.store_to(out, capacity);
}
// At the end of the run: waits a bounded time for late clocks, then gives them
// up.
void drain_last(MpiThread& thread);
// Gives up the late clocks of a thread.
void forget_late(MpiThread& thread);

// The tag for the messages of one pairwise exchange: of the next one, and of
// the one that was begun last.
int pairwise_tag(CommInfo& comm);
int last_pairwise_tag(const CommInfo& comm);
void send_pairwise(MpiThread& thread, CommInfo& comm,
                   const std::vector<int>& targets, int tag);
// MPI has refused the call: the next pairwise call uses the clocks that were
// sent.
void unsend_pairwise(CommInfo& comm, const std::vector<int>& targets, int tag);
void take_pairwise(MpiThread& thread, CommInfo& comm,
                   const std::vector<int>& sources, int tag);
void take_pairwise(MpiThread& thread, CommInfo& comm, int source, int tag);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EDGES_CLOCK_EXCHANGE_H_
