// The requests whose completion means something to the clocks: receives,
// non-blocking collectives, persistent operations (rule R7: handles are never
// replaced; they are known by their value, several of one value in FIFO order).
#ifndef POPRT_WRAPPERS_REQUESTS_H_
#define POPRT_WRAPPERS_REQUESTS_H_

#include "wrappers/state.h"

namespace poprt::mpi {

// A new entry, not tracked yet.
Tracked* new_tracked(MpiThread& thread, RequestKind kind, CommInfo* comm,
                     int peer, int tag);
void track(Tracked* tracked, MPI_Request request);
// Persistent requests outlive their completion.
bool is_persistent(RequestKind kind);

// In a call on a request that stays: null if it means nothing to the clocks.
// Usually what another thread has claimed has lost the handle.
Tracked* find_tracked(MPI_Request request, bool even_claimed = false);
// For a call that may complete it.  Nobody else gets it until it is complete
// (complete_tracked) or unclaimed.  Under MPI_THREAD_MULTIPLE it must be
// claimed before the call: after it, MPI may have given the handle to another
// thread.
Tracked* claim_tracked(MPI_Request request);
void unclaim_tracked(Tracked* tracked);
// In a call that completes several requests: this one is among them.
void note_finished(MPI_Request request, const MPI_Status& status,
                   bool received);
// Takes it out and recycles it.
void drop_tracked(MpiThread& thread, Tracked* tracked);
// No request is known, and no other thread can make one known.
bool no_requests();

// The request is complete, as `status` says; for receives, `received` tells
// whether a message was consumed.
void complete_tracked(MpiThread& thread, Tracked* tracked,
                      const MPI_Status& status, bool received);

// Whether a receive that is complete has received a message with clocks, as
// far as its status tells; and takes them.
bool has_message(const Tracked* receive, const MPI_Status& status);
void take_clocks_of(MpiThread& thread, Tracked* receive,
                    const MPI_Status& status);

// A send is complete; only a synchronous one has an edge, and once.
void complete_send(MpiThread& thread, Tracked* tracked, bool sent);

int class_of(int code);
// Whether a call that returned `code` has consumed a message: a message that
// is too long for its buffer is gone as well.
bool consumed_after(int error);
inline bool consumed(int code) {
  return code == MPI_SUCCESS || consumed_after(code);
}
// Whether MPI has not even looked at the requests of a call: a count, a request
// or a pointer was wrong, and the other arguments may be as well.
bool refused(int code);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_REQUESTS_H_
