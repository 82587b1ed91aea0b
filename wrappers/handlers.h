// What a wrapped call does besides the call: one function template for each
// meaning.  The entries that mpi_calls.txt generates call these with a lambda
// that makes the PMPI call, and takes the status to fill where there is one.
//
// The order is always: stamp, publish (clocks of the entry travel before the
// program's message), the program's call, clocks that arrived, stamp.
#ifndef POPRT_WRAPPERS_HANDLERS_H_
#define POPRT_WRAPPERS_HANDLERS_H_

#include "wrappers/clock_exchange.h"
#include "wrappers/comms.h"
#include "wrappers/completion.h"
#include "wrappers/edges.h"
#include "wrappers/posted_receives.h"
#include "wrappers/requests.h"
#include "wrappers/scope.h"

namespace poprt::mpi {

// The communicator of a message that carries clocks, or null.
inline CommInfo* tracked_comm(MpiThread* thread, int peer, int tag,
                              MPI_Comm comm) {
  if (thread == nullptr || peer == MPI_PROC_NULL || tag > job().tag_limit) {
    return nullptr;
  }
  return find_comm(*thread, comm);
}

// Ranks and tags that the call itself will refuse are not used.
inline bool valid_destination(const CommInfo& comm, int dest, int tag) {
  return dest >= 0 && dest < comm.size && tag >= 0;
}

inline bool ignored(const MPI_Status* status) {
  return status == MPI_STATUS_IGNORE || status == MPI_STATUSES_IGNORE;
}

// One call on a communicator.
class CommScope {
 public:
  explicit CommScope(MPI_Comm comm)
      : comm_(scope_.thread() == nullptr ? nullptr
                                         : find_comm(*scope_.thread(), comm)) {}

  // Null: the call carries no clocks.
  CommInfo* comm() const { return comm_; }
  // REQUIRES: comm() is not null.
  MpiThread& thread() const { return *scope_.thread(); }

 private:
  const CallScope scope_;
  CommInfo* const comm_;
};

template <class Call>
int timed(Call call) {
  const CallScope scope;
  return call();
}

inline void publish(MpiThread* thread, CommInfo* comm, int dest, int tag) {
  if (comm != nullptr && valid_destination(*comm, dest, tag)) {
    send_clocks(*thread, *comm, dest, tag);
  }
}

// The same for a synchronous send.  Returns the tag of the answer, or 0.
inline int publish_synchronous(MpiThread* thread, CommInfo* comm, int dest,
                               int tag) {
  if (comm == nullptr || !valid_destination(*comm, dest, tag)) return 0;
  const int reply_tag = new_reply_tag(*thread, *comm);
  send_clocks(*thread, *comm, dest, tag, reply_tag);
  return reply_tag;
}

template <class Call>
int send(int dest, int tag, MPI_Comm comm, Call call) {
  const CallScope scope;
  publish(scope.thread(), tracked_comm(scope.thread(), dest, tag, comm), dest,
          tag);
  return call();
}

template <class Call>
int send_synchronously(int dest, int tag, MPI_Comm comm, Call call) {
  const CallScope scope;
  CommInfo* const info = tracked_comm(scope.thread(), dest, tag, comm);
  const int reply_tag = publish_synchronous(scope.thread(), info, dest, tag);
  const int code = call();
  if (reply_tag != 0 && code == MPI_SUCCESS) {
    take_reply(*scope.thread(), *info, dest, reply_tag);
  }
  return code;
}

template <class Call>
int post_synchronous_send(int dest, int tag, MPI_Comm comm,
                          MPI_Request* request, Call call) {
  const CallScope scope;
  CommInfo* const info = tracked_comm(scope.thread(), dest, tag, comm);
  const int reply_tag = publish_synchronous(scope.thread(), info, dest, tag);
  const int code = call();
  if (reply_tag != 0 && code == MPI_SUCCESS) {
    Tracked* const tracked =
        new_tracked(RequestKind::kSynchronousSend, info, dest, tag);
    tracked->reply_tag = reply_tag;
    track(tracked, *request);
  }
  return code;
}

// The clocks of a message that a blocking call has received.
inline void arrived(MpiThread& thread, CommInfo& comm, int code,
                    const MPI_Status& status) {
  if (consumed(code) && status.MPI_SOURCE >= 0 &&
      status.MPI_TAG <= job().tag_limit) {
    take_clocks(thread, comm, nullptr, status.MPI_SOURCE, status.MPI_TAG);
  }
}

// Makes a call that receives a message, with a status to look at; where there
// is a flag it tells whether one came.
template <class Call>
int receive_on(MpiThread* thread, CommInfo* comm, MPI_Status* status, Call call,
               const int* flag = nullptr) {
  if (comm == nullptr) return call(status);
  MPI_Status own;
  MPI_Status* const filled = ignored(status) ? &own : status;
  const int code = call(filled);
  if (flag == nullptr || *flag != 0) arrived(*thread, *comm, code, *filled);
  return code;
}

template <class Call>
int receive(int source, int tag, MPI_Comm comm, MPI_Status* status, Call call) {
  const CallScope scope;
  return receive_on(scope.thread(),
                    tracked_comm(scope.thread(), source, tag, comm), status,
                    call);
}

template <class Call>
int send_receive(int dest, int send_tag, int source, int receive_tag,
                 MPI_Comm comm, MPI_Status* status, Call call) {
  const CallScope scope;
  publish(scope.thread(), tracked_comm(scope.thread(), dest, send_tag, comm),
          dest, send_tag);
  return receive_on(scope.thread(),
                    tracked_comm(scope.thread(), source, receive_tag, comm),
                    status, call);
}

template <class Call>
int post_receive(int source, int tag, MPI_Comm comm, MPI_Request* request,
                 Call call) {
  const CallScope scope;
  CommInfo* const info = tracked_comm(scope.thread(), source, tag, comm);
  const int code = call();
  if (info != nullptr && code == MPI_SUCCESS) {
    Tracked* const tracked =
        new_tracked(RequestKind::kReceive, info, source, tag);
    keep_posted_clocks(*scope.thread(), tracked);
    track(tracked, *request);
    add_posted(*info, tracked);
  }
  return code;
}

template <class Call>
int post_send_receive(int dest, int send_tag, int source, int receive_tag,
                      MPI_Comm comm, MPI_Request* request, Call call) {
  const CallScope scope;
  publish(scope.thread(), tracked_comm(scope.thread(), dest, send_tag, comm),
          dest, send_tag);
  return post_receive(source, receive_tag, comm, request, call);
}

template <class Call>
int prepare_send(int dest, int tag, MPI_Comm comm, bool synchronous,
                 MPI_Request* request, Call call) {
  const CallScope scope;
  CommInfo* const info = tracked_comm(scope.thread(), dest, tag, comm);
  const int code = call();
  if (info != nullptr && code == MPI_SUCCESS) {
    Tracked* const tracked =
        new_tracked(RequestKind::kPersistentSend, info, dest, tag);
    tracked->synchronous = synchronous;
    track(tracked, *request);
  }
  return code;
}

template <class Call>
int prepare_receive(int source, int tag, MPI_Comm comm, MPI_Request* request,
                    Call call) {
  const CallScope scope;
  CommInfo* const info = tracked_comm(scope.thread(), source, tag, comm);
  const int code = call();
  if (info != nullptr && code == MPI_SUCCESS) {
    Tracked* const tracked =
        new_tracked(RequestKind::kPersistentReceive, info, source, tag);
    tracked->active = false;
    track(tracked, *request);
  }
  return code;
}

template <class Call>
int start(int count, const MPI_Request* requests, Call call) {
  const CallScope scope;
  if (scope.thread() == nullptr) return call();
  for (int i = 0; i < count; ++i) {
    Tracked* const tracked = find_tracked(requests[i]);
    if (tracked == nullptr) continue;
    if (tracked->kind == RequestKind::kPersistentSend) {
      if (tracked->synchronous) {
        tracked->reply_tag = publish_synchronous(scope.thread(), tracked->comm,
                                                 tracked->peer, tracked->tag);
      } else {
        publish(scope.thread(), tracked->comm, tracked->peer, tracked->tag);
      }
    } else if (tracked->kind == RequestKind::kPersistentReceive &&
               !tracked->active) {
      tracked->active = true;
      keep_posted_clocks(*scope.thread(), tracked);
      add_posted(*tracked->comm, tracked);
    }
  }
  return call();
}

template <class Call>
int match_probe(MPI_Comm comm, const int* flag, MPI_Status* status, Call call) {
  const CallScope scope;
  // The message is matched here: a later MPI_Mrecv has no edge of its own.
  return receive_on(scope.thread(), tracked_comm(scope.thread(), 0, 0, comm),
                    status, call, flag);
}

template <class Call>
int free_request(const MPI_Request* request, Call call) {
  const CallScope scope;
  Tracked* const tracked =
      scope.thread() == nullptr ? nullptr : find_tracked(*request);
  if (tracked != nullptr) forget_request(*scope.thread(), tracked);
  return call();
}

template <class Call>
int cancel(const MPI_Request* request, Call call) {
  const CallScope scope;
  if (scope.thread() != nullptr) {
    if (Tracked* const tracked = find_tracked(*request)) {
      tracked->cancelled = true;
    }
  }
  return call();
}

template <class Call>
int barrier(MPI_Comm comm, Call call) {
  const CommScope scope(comm);
  CommInfo* const info = scope.comm();
  // A reduction of the clocks over the same processes is a barrier.
  if (info != nullptr && exchange_with_all(scope.thread(), *info)) {
    return MPI_SUCCESS;
  }
  return call();
}

// The clocks of a call in which data moves between pairs of processes, which
// the thread's links tell.
template <class Call>
int between_pairs(MpiThread& thread, CommInfo& comm, Call call) {
  const int tag = pairwise_tag(comm);
  send_pairwise(thread, comm, thread.links, tag);
  const int code = call();
  if (code == MPI_SUCCESS) {
    take_pairwise(thread, comm, thread.links.from, tag);
  }
  return code;
}

template <class Call>
int between_pairs(MpiThread& thread, CommInfo& comm, MPI_Request* request,
                  Call call) {
  const int tag = pairwise_tag(comm);
  send_pairwise(thread, comm, thread.links, tag);
  const int code = call();
  if (code == MPI_SUCCESS && !thread.links.from.empty()) {
    Tracked* const tracked = new_tracked(RequestKind::kPairwise, &comm, 0, tag);
    tracked->sources = thread.links.from;
    track(tracked, *request);
  }
  return code;
}

template <class EdgesOf, class Call>
int collective(Pattern pattern, int root, MPI_Comm comm, EdgesOf edges_of,
               Call call) {
  const CommScope scope(comm);
  CommInfo* const info = scope.comm();
  if (info == nullptr) return call();
  const Edges edges = edges_of(*info);
  if (!edges.any) return call();
  if (pattern == Pattern::kAllToAll && edges.complete) {
    exchange_with_all(scope.thread(), *info);
    return call();
  }
  if (direct(edges, *info)) {
    Links& links = scope.thread().links;
    links.clear();
    direct_links(pattern, root, *info, links);
    return between_pairs(scope.thread(), *info, call);
  }
  ShadowOp* const op =
      begin_collective(scope.thread(), *info, pattern, root, edges);
  const int code = call();
  finish_collective(scope.thread(), *info, op);
  return code;
}

template <class EdgesOf, class Call>
int collective(Pattern pattern, int root, MPI_Comm comm, MPI_Request* request,
               EdgesOf edges_of, Call call) {
  const CommScope scope(comm);
  CommInfo* const info = scope.comm();
  if (info == nullptr) return call();
  const Edges edges = edges_of(*info);
  if (!edges.any) return call();
  if (direct(edges, *info)) {
    Links& links = scope.thread().links;
    links.clear();
    direct_links(pattern, root, *info, links);
    return between_pairs(scope.thread(), *info, request, call);
  }
  ShadowOp* const op =
      begin_collective(scope.thread(), *info, pattern, root, edges);
  const int code = call();
  if (op != nullptr && code == MPI_SUCCESS) {
    Tracked* const tracked =
        new_tracked(RequestKind::kCollective, info, root, 0);
    tracked->op = op;
    track(tracked, *request);
  } else if (op != nullptr) {
    op->wanted = false;
    scope.thread().late.push_back(op);
  }
  return code;
}

template <class LinksOf, class Call>
int pairwise(MPI_Comm comm, LinksOf links_of, Call call) {
  const CommScope scope(comm);
  CommInfo* const info = scope.comm();
  if (info == nullptr) return call();
  find_neighbors(*info);
  Links& links = scope.thread().links;
  links.clear();
  links_of(*info, links);
  return between_pairs(scope.thread(), *info, call);
}

template <class LinksOf, class Call>
int pairwise(MPI_Comm comm, MPI_Request* request, LinksOf links_of, Call call) {
  const CommScope scope(comm);
  CommInfo* const info = scope.comm();
  if (info == nullptr) return call();
  find_neighbors(*info);
  Links& links = scope.thread().links;
  links.clear();
  links_of(*info, links);
  return between_pairs(scope.thread(), *info, request, call);
}

// Constructors are collective over the parent; what they agree on depends on
// every process of it.
template <class Call>
int new_comm(MPI_Comm parent, const MPI_Comm* created, Call call) {
  const CommScope scope(parent);
  CommInfo* const info = scope.comm();
  if (info != nullptr) exchange_with_all(scope.thread(), *info);
  const int code = call();
  if (info != nullptr && code == MPI_SUCCESS && *created != pmpi().comm_null) {
    add_comm(*created, false);
  }
  return code;
}

// Collective over the new communicator only.
template <class Call>
int new_comm_of_strangers(const MPI_Comm* created, Call call) {
  const CallScope scope;
  const int code = call();
  if (scope.thread() != nullptr && code == MPI_SUCCESS &&
      *created != pmpi().comm_null) {
    add_comm(*created, true);
    CommInfo* const info = find_comm(*scope.thread(), *created);
    if (info != nullptr) exchange_with_all(*scope.thread(), *info);
  }
  return code;
}

template <class Call>
int new_comm_later(MPI_Comm parent, MPI_Comm* created, MPI_Request* request,
                   Call call) {
  const CommScope scope(parent);
  CommInfo* const info = scope.comm();
  const int code = call();
  if (info == nullptr || code != MPI_SUCCESS) return code;
  if (CommInfo* const child = begin_comm(*info)) {
    Tracked* const tracked = new_tracked(RequestKind::kNewComm, info, 0, 0);
    tracked->created = child;
    tracked->created_handle = created;
    track(tracked, *request);
  }
  return code;
}

template <class Call>
int free_comm(const MPI_Comm* comm, Call call) {
  const CallScope scope;
  // MPI refuses to free its own.
  if (scope.thread() != nullptr && *comm != pmpi().comm_world) drop_comm(*comm);
  return call();
}

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_HANDLERS_H_
