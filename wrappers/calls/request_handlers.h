// Handlers of persistent messages, and of calls that start, free and cancel
// requests.  Those that complete them are in completion_handlers.h.
#ifndef POPRT_WRAPPERS_CALLS_REQUEST_HANDLERS_H_
#define POPRT_WRAPPERS_CALLS_REQUEST_HANDLERS_H_

#include "wrappers/calls/comm_scope.h"
#include "wrappers/calls/message_handlers.h"
#include "wrappers/edges/clock_exchange.h"
#include "wrappers/requests/completion.h"
#include "wrappers/requests/posted_receives.h"
#include "wrappers/requests/requests.h"

namespace poprt::mpi {

template <class Call>
int prepare_send(int dest, int tag, MPI_Comm comm, bool synchronous,
                 const MPI_Request* request, Call call) {
  const CallScope scope;
  CommInfo* const info = tracked_comm(scope.thread(), dest, tag, comm);
  const int code = call();
  if (info != nullptr && code == MPI_SUCCESS) {
    auto* const tracked = new_tracked<PersistentSend>(*scope.thread(), info);
    tracked->dest = dest;
    tracked->tag = tag;
    tracked->synchronous = synchronous;
    track(tracked, *request);
  }
  return code;
}

template <class Call>
int prepare_receive(int source, int tag, MPI_Comm comm,
                    const MPI_Request* request, Call call) {
  const CallScope scope;
  CommInfo* const info = tracked_comm(scope.thread(), source, tag, comm);
  if (info == nullptr && source != MPI_PROC_NULL) [[unlikely]] {
    return start_without_clocks(scope.thread(), comm, call);
  }
  const int code = call();
  if (info != nullptr && code == MPI_SUCCESS) {
    auto* const tracked = new_tracked<PersistentReceive>(*scope.thread(), info);
    tracked->source = source;
    tracked->tag = tag;
    track(tracked, *request);
  }
  return code;
}

// Called before a persistent operation is started.
inline void begin_persistent(MpiThread& thread, PersistentSend* send) {
  send->reply_tag =
      Publication(&thread, send->comm, send->dest, send->tag, send->synchronous)
          .reply_tag();
}
inline void begin_persistent(MpiThread& thread, PersistentReceive* receive) {
  if (receive->active) return;
  receive->active = true;
  keep_posted_clocks(thread, receive->clocks);
  add_posted(*receive->comm, receive);
}
inline void begin_persistent(MpiThread& thread,
                             PersistentCollective* collective) {
  collective->active = true;
  start_persistent(thread, *collective->comm, collective->exchange);
}
inline void begin_persistent(MpiThread&, PartitionedSend* send) {
  send->partitions.left = send->count;
  send->partitions.clocks.count = 0;
  send->partitions.clocks.incomplete = 0;
}
inline void begin_persistent(MpiThread&, PartitionedReceive* receive) {
  receive->active = true;
}
inline void begin_persistent(MpiThread&, Tracked*) {}  // not persistent

template <class Call>
int start(int count, const MPI_Request* requests, Call call) {
  const CallScope scope;
  if (scope.thread() != nullptr && requests != nullptr) {
    for (int i = 0; i < count; ++i) {
      if (Tracked* const tracked = find_tracked(requests[i])) {
        visit(tracked,
              [&](auto* one) { begin_persistent(*scope.thread(), one); });
      }
    }
  }
  return call();
}

template <class Call>
int free_request(const MPI_Request* request, Call call) {
  const CallScope scope;
  Tracked* const tracked = scope.thread() == nullptr || request == nullptr
                               ? nullptr
                               : find_tracked(*request);
  if (tracked != nullptr) forget_request(*scope.thread(), tracked);
  return call();
}

template <class Call>
int cancel(const MPI_Request* request, Call call) {
  const CallScope scope;
  if (scope.thread() != nullptr && request != nullptr) {
    // Another thread may be in a call that completes it.
    if (Receive* const receive = as_receive(find_tracked(*request, true))) {
      receive->cancelled = true;
    }
  }
  return call();
}

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_CALLS_REQUEST_HANDLERS_H_
