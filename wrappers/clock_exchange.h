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
// receive.
void send_clocks(MpiThread& thread, CommInfo& comm, int dest, int tag,
                 int reply_tag = 0);
// Synchronous sends.  A tag for the answer to one more of them, or 0: too many
// answers are missing already.
int new_reply_tag(MpiThread& thread, CommInfo& comm);
// The send is complete, so the receive has been posted.
void take_reply(MpiThread& thread, CommInfo& comm, int dest, int reply_tag);
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
// one, exchanged in one reduction.
bool exchange_with_all(MpiThread& thread, CommInfo& comm);
// The clocks of any other collective: started before the program's call,
// finished when that is complete.
ShadowOp* begin_collective(MpiThread& thread, CommInfo& comm, Pattern pattern,
                           int root, const Edges& edges);
void finish_collective(MpiThread& thread, CommInfo& comm, ShadowOp* op);

// Merges what has come late; before clocks are given away.  Never waits.
void drain_late(MpiThread& thread);
// The same at the end of the run, with a last chance for what is under way.
void drain_last(MpiThread& thread);

// Where data moves pairwise: the tag of this call.
int pairwise_tag(CommInfo& comm);
void send_pairwise(MpiThread& thread, CommInfo& comm, const Links& links,
                   int tag);
void take_pairwise(MpiThread& thread, CommInfo& comm,
                   const std::vector<int>& sources, int tag);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_CLOCK_EXCHANGE_H_
