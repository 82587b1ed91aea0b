// How clocks travel: beside each message of the program one of the tool's, on
// the shadow communicator, with the same peer and tag (rules R1 to R4 of
// mpi-edges.md); beside each collective one on the shadow communicator.
//
// All functions are called inside a CallScope.  What arrives is collected in
// the thread's `arrived` and merged when the call ends.
#ifndef POPRT_WRAPPERS_CLOCK_EXCHANGE_H_
#define POPRT_WRAPPERS_CLOCK_EXCHANGE_H_

#include "wrappers/edges.h"
#include "wrappers/state.h"

namespace poprt::mpi {

// Types and operations of the tool; after PMPI_Init.
bool set_up_exchange();
// Before PMPI_Finalize: MPICH tells the user of every type that is left.
void tear_down_exchange();

// Sends the thread's clocks as of its last event.  Never waits.  With a reply
// tag, the receiver answers with the clocks that it had when it posted the
// receive.  False: the message has clocks already, see owe_message().
bool send_clocks(MpiThread& thread, CommInfo& comm, int dest, int tag,
                 int reply_tag = 0);
// The same with clocks of before.
void send_kept_clocks(MpiThread& thread, CommInfo& comm, int dest, int tag,
                      const ClockMessage& clocks);
// MPI has refused the message whose clocks were sent last: the next one of the
// stream has them already.
void owe_message(CommInfo& comm, int dest, int tag);
// Synchronous sends.  A tag for the answer to one more of them, or 0: too many
// answers are missing already.
int new_reply_tag(MpiThread& thread, CommInfo& comm);
// Takes clocks that are most likely here, and else merges them when they come:
// the answer to a synchronous send that is complete, which the receiver may
// give as late as in its Wait; the start of an exposure epoch.
void take_soon(MpiThread& thread, CommInfo& comm, int source, int tag);
// A receive is being posted.
void keep_posted_clocks(MpiThread& thread, Tracked* receive);
// At the end of the run: gives up what is still being sent.
void forget_sends(MpiThread& thread);

// A message of the program has arrived from `source` with `tag`, for the
// posted receive `receive`, or for one that was posted just now (null): takes
// its clocks.
void take_clocks(MpiThread& thread, CommInfo& comm, const Tracked* receive,
                 int source, int tag);

// The clocks of a blocking call in which every process depends on every other
// one: what this process contributes, when the call begins; and the exchange,
// in one reduction, when it is complete.
void contribute(MpiThread& thread, const CommInfo& comm, ClockMessage& out);
bool exchange_with_all(MpiThread& thread, CommInfo& comm, ClockMessage& out);
// The clocks of any other collective of many processes: started when the
// program's call has been started, finished when that is complete.
ShadowOp* begin_collective(MpiThread& thread, CommInfo& comm, Pattern pattern,
                           int root, const Edges& edges);
void finish_collective(MpiThread& thread, CommInfo& comm, ShadowOp* op);
// Persistent collectives: where clocks do not go pairwise, in a persistent
// reduction beside it, because processes may start several in different orders.
ShadowOp* prepare_reduction(MpiThread& thread, CommInfo& comm);
void forget_reduction(MpiThread& thread, ShadowOp* op);
void start_persistent(MpiThread& thread, Tracked* collective);
void finish_persistent(MpiThread& thread, Tracked* collective);

// Merges what has come late, without a wait.
void drain_late(MpiThread& thread);
// The thread's clocks as of its last event, to be given to others: with what
// has come late until now.
inline void store_current(MpiThread& thread, ClockMessage& out,
                          int capacity = ClockMessage::kCapacity) {
  if (!thread.late.empty()) drain_late(thread);
  thread.thread.store_to(out, capacity);
}
// The same at the end of the run, with a last chance for what is under way.
void drain_last(MpiThread& thread);
// What another thread has left under way is given up.
void forget_late(MpiThread& thread);

// Where data moves pairwise: the tag of this call.
int pairwise_tag(CommInfo& comm);
void send_pairwise(MpiThread& thread, CommInfo& comm,
                   const std::vector<int>& targets, int tag);
// MPI has refused the call.
void unsend_pairwise(CommInfo& comm, const std::vector<int>& targets, int tag);
void take_pairwise(MpiThread& thread, CommInfo& comm,
                   const std::vector<int>& sources, int tag);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_CLOCK_EXCHANGE_H_
