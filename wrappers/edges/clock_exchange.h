// How clocks travel.  For each message of the program, clocks go to the same
// peer with the same tag: through the node's memory, or in a message on the
// shadow communicator (rules R1 to R4 of docs/edges.md).  The clocks of a
// collective go by a board in the node's memory, in pairs, or by an operation
// on the shadow.
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
// Frees these before PMPI_Finalize: MPICH warns the user of each that is left.
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
// Stores the thread's clocks for a receive that is being posted.
void keep_posted_clocks(MpiThread& thread, PostedClocks& clocks);
// Sets `*message` to all clocks that were stored.
void read_posted_clocks(const Process& process, const PostedClocks& clocks,
                        ClockMessage* message);

// Takes the clocks of a message that the program has received from `source`
// with `tag`.  `posted`: the clocks with which the receive was posted; null for
// a blocking receive.
void take_clocks(MpiThread& thread, CommInfo& comm, const PostedClocks* posted,
                 int source, int tag);
// The same, if `older` receives that were posted before have taken or will take
// older messages of this stream (rule R3b).
void take_clocks_behind(int older, MpiThread& thread, CommInfo& comm,
                        const PostedClocks* posted, int source, int tag);

// A blocking call in which every process depends on every other one:
// contribute() stores this process's clocks when the call begins,
// exchange_with_all() makes one reduction and takes the result.  kIsCall: the
// reduction takes the place of the program's call, so it is no cost of the
// tool.
enum class Reduction { kOfTool, kIsCall };
void contribute(MpiThread& thread, const CommInfo& comm, ClockMessage& out);
bool exchange_with_all(MpiThread& thread, CommInfo& comm, ClockMessage& out,
                       Reduction reduction = Reduction::kOfTool);
// As exchange_with_all(), in a call that makes a communicator or window, for
// which the tool needs all processes once more.  False: a process has not come,
// because it called a function past the tool, which it looked up in the MPI
// library.  Then the communicator carries no clocks any more.  All processes
// that have come get the same result.
bool meet_all(MpiThread& thread, CommInfo& comm, ClockMessage& out);
// Any other collective among many processes: the shadow operation is started
// before a blocking call, or after a non-blocking one has been started, and
// finished after it has completed.
ShadowOp* begin_collective(MpiThread& thread, CommInfo& comm, Pattern pattern,
                           int root, const Edges& edges);
void finish_collective(MpiThread& thread, CommInfo& comm, ShadowOp* op);
// For a persistent collective whose clocks do not go pairwise: a persistent
// reduction beside the program's operation.  It is persistent, because
// processes may start several persistent collectives in different orders.
ShadowOp* prepare_reduction(MpiThread& thread, CommInfo& comm);
void forget_reduction(MpiThread& thread, ShadowOp* op);
void start_persistent(MpiThread& thread, CommInfo& comm,
                      PersistentExchange& exchange);
void finish_persistent(MpiThread& thread, CommInfo& comm,
                       PersistentExchange& exchange);

// Merges late clocks that have arrived.  drain_arrived() does so only if the
// first of them have.  Both never wait.
void drain_late(MpiThread& thread);
void drain_arrived(MpiThread& thread);
// Stores the thread's clocks at its last event, with late clocks that have
// arrived.  To be used wherever clocks are given to others.
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

// The tag of the messages of the next pairwise exchange, and of the last one.
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
