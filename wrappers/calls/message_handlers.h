// Handlers of point-to-point messages: sends, receives, probes.
#ifndef POPRT_WRAPPERS_CALLS_MESSAGE_HANDLERS_H_
#define POPRT_WRAPPERS_CALLS_MESSAGE_HANDLERS_H_

#include <optional>

#include "wrappers/calls/comm_scope.h"
#include "wrappers/edges/clock_exchange.h"
#include "wrappers/requests/posted_receives.h"
#include "wrappers/requests/requests.h"

namespace poprt::mpi {

inline bool ignored(const MPI_Status* status) {
  return status == MPI_STATUS_IGNORE || status == MPI_STATUSES_IGNORE;
}

// The clocks of one message, which are sent by the constructor, before the
// message.
class Publication {
 public:
  // If `comm` is null the message carries no clocks.
  Publication(MpiThread* thread, CommInfo* comm, int dest, int tag,
              bool synchronous = false)
      : thread_(thread), comm_(comm), dest_(dest), tag_(tag) {
    if (comm == nullptr || !valid_destination(*comm, dest, tag)) {
      comm_ = nullptr;
      return;
    }
    if (synchronous) reply_tag_ = new_reply_tag(*thread, *comm);
    if (!send_clocks(*thread, *comm, dest, tag, reply_tag_)) reply_tag_ = 0;
  }

  // To be called with the code that the program's call has returned.
  void settle(int code) {
    if (comm_ == nullptr || consumed(code)) return;
    owe_message(*comm_, dest_, tag_);
    reply_tag_ = 0;
  }

  // Takes the receiver's answer after a synchronous send has completed.
  void take_answer() {
    if (reply_tag_ != 0) take_soon(*thread_, *comm_, dest_, reply_tag_);
  }

  int reply_tag() const { return reply_tag_; }

 private:
  MpiThread* const thread_;
  CommInfo* comm_;
  const int dest_;
  const int tag_;
  int reply_tag_ = 0;
};

template <class Call>
int send(int dest, int tag, MPI_Comm comm, Call call) {
  const CallScope scope;
  Publication clocks(scope.thread(),
                     tracked_comm(scope.thread(), dest, tag, comm), dest, tag);
  const int code = call();
  clocks.settle(code);
  return code;
}

// Held for a non-blocking send and its clocks, so that both have the same order
// among the threads.
class SendOrder {
 public:
  // `comm` may be null.
  SendOrder(MpiThread* thread, CommInfo* comm, int dest, int tag)
      : comm_(comm) {
    if (comm == nullptr || !job().multiple) return;
    lock_.emplace(comm->edges.streams.send_mutex);
    if (lock_->held()) return;
    stop_stream(*thread, *comm, dest, tag);
    comm_ = nullptr;
  }

  // Null if the message carries no clocks.
  CommInfo* comm() const { return comm_; }

 private:
  CommInfo* comm_;
  std::optional<MutexLock> lock_;
};

template <class Call>
int post_send(int dest, int tag, MPI_Comm comm, Call call) {
  const CallScope scope;
  const SendOrder order(
      scope.thread(), tracked_comm(scope.thread(), dest, tag, comm), dest, tag);
  Publication clocks(scope.thread(), order.comm(), dest, tag);
  const int code = call();
  clocks.settle(code);
  return code;
}

template <class Call>
int send_synchronously(int dest, int tag, MPI_Comm comm, Call call) {
  const CallScope scope;
  Publication clocks(scope.thread(),
                     tracked_comm(scope.thread(), dest, tag, comm), dest, tag,
                     true);
  const int code = call();
  clocks.settle(code);
  if (clocks.reply_tag() != 0) {
    clocks.take_answer();
  } else if (dest != MPI_PROC_NULL) {
    lose_partner_on(scope.thread(), comm, code);
  }
  return code;
}

template <class Call>
int post_synchronous_send(int dest, int tag, MPI_Comm comm,
                          const MPI_Request* request, Call call) {
  const CallScope scope;
  const SendOrder order(
      scope.thread(), tracked_comm(scope.thread(), dest, tag, comm), dest, tag);
  Publication clocks(scope.thread(), order.comm(), dest, tag, true);
  const int code = call();
  clocks.settle(code);
  if (clocks.reply_tag() != 0) {
    auto* const tracked =
        new_tracked<SynchronousSend>(*scope.thread(), order.comm());
    tracked->dest = dest;
    tracked->reply_tag = clocks.reply_tag();
    track(tracked, *request);
  }
  return code;
}

// Takes the clocks of a message that a blocking call has received.
inline void arrived(MpiThread& thread, CommInfo& comm, int code,
                    const MPI_Status& status) {
  if (consumed(code) && status.MPI_SOURCE >= 0 && has_clocks(status.MPI_TAG)) {
    take_in_order(thread, comm, nullptr, status.MPI_SOURCE, status.MPI_TAG);
  }
}

// Makes a call that receives a message, always with a status.  `flag`, if not
// null, tells whether a message has come.
template <class Call>
int receive_on(MpiThread* thread, CommInfo* comm, MPI_Status* status, Call call,
               const int* flag = nullptr) {
  if (comm == nullptr) return call(status);
  MPI_Status own;
  // A refused call may leave the status unchanged.
  own.MPI_SOURCE = MPI_PROC_NULL;
  MPI_Status* const filled = ignored(status) ? &own : status;
  const int code = call(filled);
  if (flag == nullptr || (code == MPI_SUCCESS && *flag != 0)) {
    arrived(*thread, *comm, code, *filled);
  }
  return code;
}

template <class Call>
int receive(int source, int tag, MPI_Comm comm, MPI_Status* status, Call call) {
  const CallScope scope;
  CommInfo* const info = tracked_comm(scope.thread(), source, tag, comm);
  if (info == nullptr && source != MPI_PROC_NULL) [[unlikely]] {
    return call_without_clocks(scope.thread(), comm,
                               [&] { return call(status); });
  }
  return receive_on(scope.thread(), info, status, call);
}

template <class Call>
int send_receive(int dest, int send_tag, int source, int receive_tag,
                 MPI_Comm comm, MPI_Status* status, Call call) {
  const CallScope scope;
  Publication clocks(scope.thread(),
                     tracked_comm(scope.thread(), dest, send_tag, comm), dest,
                     send_tag);
  CommInfo* const info =
      tracked_comm(scope.thread(), source, receive_tag, comm);
  const int code = receive_on(scope.thread(), info, status, call);
  clocks.settle(code);
  if (info == nullptr && source != MPI_PROC_NULL) [[unlikely]] {
    lose_partner_on(scope.thread(), comm, code);
  }
  return code;
}

// Tracks a receive that has just been posted.
inline void track_receive(MpiThread& thread, CommInfo* comm, int source,
                          int tag, MPI_Request request) {
  auto* const tracked = new_tracked<Receive>(thread, comm);
  tracked->source = source;
  tracked->tag = tag;
  keep_posted_clocks(thread, tracked->clocks);
  track(tracked, request);
  add_posted(*comm, tracked);
}

template <class Call>
int post_receive(int source, int tag, MPI_Comm comm, const MPI_Request* request,
                 Call call) {
  const CallScope scope;
  CommInfo* const info = tracked_comm(scope.thread(), source, tag, comm);
  if (info == nullptr && source != MPI_PROC_NULL) [[unlikely]] {
    return start_without_clocks(scope.thread(), comm, call);
  }
  const int code = call();
  if (info != nullptr && code == MPI_SUCCESS) {
    track_receive(*scope.thread(), info, source, tag, *request);
  }
  return code;
}

template <class Call>
int post_send_receive(int dest, int send_tag, int source, int receive_tag,
                      MPI_Comm comm, const MPI_Request* request, Call call) {
  const CallScope scope;
  Publication clocks(scope.thread(),
                     tracked_comm(scope.thread(), dest, send_tag, comm), dest,
                     send_tag);
  CommInfo* const info =
      tracked_comm(scope.thread(), source, receive_tag, comm);
  const int code = info == nullptr && source != MPI_PROC_NULL
                       ? start_without_clocks(scope.thread(), comm, call)
                       : call();
  clocks.settle(code);
  if (info != nullptr && code == MPI_SUCCESS) {
    track_receive(*scope.thread(), info, source, receive_tag, *request);
  }
  return code;
}

template <class Call>
int match_probe(MPI_Comm comm, const int* flag, MPI_Status* status, Call call) {
  Poll poll;
  const CallScope scope;
  // Mprobe matches the message, so its clocks are taken here.  MPI_Mrecv has no
  // edge of its own.
  const int code =
      receive_on(scope.thread(), tracked_comm(scope.thread(), 0, 0, comm),
                 status, call, flag);
  if (flag != nullptr && code == MPI_SUCCESS && *flag == 0) {
    poll.found_nothing(scope.thread());
  }
  return code;
}

// The clocks come with the receive that follows, which tells whether a probe
// has waited.
template <class Call>
int probe(Call call) {
  Poll poll;
  const CallScope scope;
  poll.found_nothing(scope.thread());
  return call();
}

template <class Call>
int probe_now(const int* flag, Call call) {
  Poll poll;
  const CallScope scope;
  const int code = call();
  if (code == MPI_SUCCESS && *flag == 0) poll.found_nothing(scope.thread());
  return code;
}

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_CALLS_MESSAGE_HANDLERS_H_
