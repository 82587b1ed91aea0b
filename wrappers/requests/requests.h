// The requests whose completion matters for the clocks: receives, synchronous
// sends, non-blocking collectives, persistent operations.  They are known by
// the value of the program's handle, which is never replaced (rule R7 of
// docs/edges.md).
#ifndef POPRT_WRAPPERS_REQUESTS_REQUESTS_H_
#define POPRT_WRAPPERS_REQUESTS_REQUESTS_H_

#include "wrappers/edges/clock_exchange.h"
#include "wrappers/edges/comms.h"
#include "wrappers/requests/posted_receives.h"
#include "wrappers/state.h"

namespace poprt::mpi {

// Makes an entry, which track() then adds to the table.
template <class Kind>
Kind* new_tracked(MpiThread& thread, CommInfo* comm) {
  Kind* const request = job().requests.pools.take<Kind>(thread.requests.free);
  hold_comm(*comm);
  request->kind = Kind::kKind;
  request->comm = comm;
  request->same_handle = nullptr;
  request->claimer.store(nullptr, std::memory_order_relaxed);
  request->renew();
  return request;
}
void track(Tracked* tracked, MPI_Request request);

// The entry for a call that does not complete the request.  Null if the request
// does not matter for the clocks.  By default entries are skipped that a thread
// has claimed for the call in which it is, because the handle is usually no
// longer theirs.
Tracked* find_tracked(MPI_Request request, bool even_claimed = false);
// The entry of a request that has completed; not with MPI_THREAD_MULTIPLE.
Tracked* completed_tracked(MPI_Request request);
// With MPI_THREAD_MULTIPLE: looks up the requests that a call may complete,
// before the call.  After it, MPI may have given their handles to other
// threads.  No other thread gets the entries until end_claims().
void claim_all(Claims& claims, int count, const MPI_Request* requests);
void end_claims(Claims& claims);
// In a call that completes several requests: marks one of them, before any is
// evaluated.
void note_finished(MPI_Request request, const MPI_Status& status,
                   bool received);
// Removes the entry from the table and recycles it.
void drop_tracked(MpiThread& thread, Tracked* tracked);
// Whether there is no entry, and no other thread can add one.
bool no_requests();

// Evaluates a completed request.  For receives, `received` tells whether a
// message was consumed.
void complete_tracked(MpiThread& thread, Tracked* tracked,
                      const MPI_Status& status, bool received);

// Takes the clocks of a message from `source` with `tag` that has been received
// by `receive`, or by a blocking call (null), behind those of older receives.
inline void take_in_order(MpiThread& thread, CommInfo& comm,
                          const Receive* receive, int source, int tag) {
  const PostedClocks* const posted =
      receive == nullptr ? nullptr : &receive->clocks;
  const int older = older_receives(comm, receive, source, tag);
  if (older == 0) return take_clocks(thread, comm, posted, source, tag);
  take_clocks_behind(older, thread, comm, posted, source, tag);
}

// has_message(): whether a completed receive has got a message with clocks, as
// far as its status tells. take_clocks_of() takes them.
bool has_message(const Receive* receive, const MPI_Status& status);
void take_clocks_of(MpiThread& thread, Receive* receive,
                    const MPI_Status& status);

// A send has completed.  Only a synchronous one has an edge, which counts once.
template <class Send>
void complete_send(MpiThread& thread, Send* send, bool sent) {
  if (send->reply_tag == 0) return;
  if (sent) take_soon(thread, *send->comm, send->dest, send->reply_tag);
  send->reply_tag = 0;
}

int class_of(int code);
// Whether a call that returned `code` has consumed a message.  A message that
// is too long for its buffer is consumed too.
bool consumed_after(int error);
inline bool consumed(int code) {
  return code == MPI_SUCCESS || consumed_after(code);
}
// Whether MPI has refused the call without looking at its requests: a count, a
// request or a pointer is wrong, and other arguments may be wrong too.
bool refused(int code);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_REQUESTS_REQUESTS_H_
