#include "wrappers/requests/completion.h"

#include <utility>

#include "wrappers/edges/clock_exchange.h"
#include "wrappers/edges/comms.h"
#include "wrappers/edges/exchange_tools.h"
#include "wrappers/requests/posted_receives.h"

namespace poprt::mpi {
namespace {

// Whether a request that is not known may have a partner all the same.
bool strangers() {
  return job().requests.strangers.load(std::memory_order_relaxed);
}

}  // namespace

Completion::Completion(MpiThread* thread, int count,
                       const MPI_Request* requests)
    : thread_(thread) {
  if (thread == nullptr || count <= 0 || requests == nullptr ||
      (no_requests() && !strangers())) {
    thread_ = nullptr;
    return;
  }
  if (job().multiple) {
    claim_all(thread->requests.claims, count, requests);
  } else {
    thread->requests.handles.assign(requests, requests + count);
  }
}

Completion::~Completion() {
  if (thread_ != nullptr && job().multiple)
    end_claims(thread_->requests.claims);
}

MPI_Status* Completion::statuses(MPI_Status* given, int count) {
  filled_ =
      thread_ == nullptr ? given : place_of_statuses(*thread_, given, count);
  return filled_;
}

MPI_Status* place_of_statuses(MpiThread& thread, MPI_Status* given, int count) {
  if (given != MPI_STATUS_IGNORE && given != MPI_STATUSES_IGNORE) return given;
  std::vector<MPI_Status>& own = thread.requests.statuses;
  if (own.size() < static_cast<size_t>(count)) {
    own.resize(static_cast<size_t>(count));
  }
  return own.data();
}

Completion::Outcome Completion::outcome(int s, int code) const {
  if (code == MPI_SUCCESS) return Outcome::kReceived;
  if (class_of(code) == MPI_ERR_IN_STATUS) code = filled_[s].MPI_ERROR;
  if (code == MPI_ERR_PENDING) return Outcome::kPending;
  return consumed(code) ? Outcome::kReceived : Outcome::kFailed;
}

void Completion::complete(int i, int s, int code) {
  if (thread_ == nullptr) return;
  const Outcome result = outcome(s, code);
  if (result == Outcome::kPending) return;
  const auto place = static_cast<size_t>(i);
  RequestsOfThread& own = thread_->requests;
  const MPI_Request request =
      job().multiple ? own.claims.list[place].request : own.handles[place];
  Tracked* const tracked = job().multiple ? own.claims.list[place].tracked
                                          : completed_tracked(request);
  if (tracked == nullptr) {
    if (strangers() && request != pmpi().request_null) lose_partner(*thread_);
    return;
  }
  complete_tracked(*thread_, tracked, filled_[s], result == Outcome::kReceived);
}

void Completion::complete_several(int count, const int* indices, int code) {
  if (thread_ == nullptr) return;
  // After any other error the state of the requests is not known.
  if (code != MPI_SUCCESS && class_of(code) != MPI_ERR_IN_STATUS) return;
  const auto index = [&](int s) { return indices == nullptr ? s : indices[s]; };
  if (count > 1 && job().requests.posted_wildcards > 0) {
    for (int s = 0; s < count; ++s) {
      const Outcome result = outcome(s, code);
      if (result == Outcome::kPending) continue;
      note_finished(thread_->requests.handles[static_cast<size_t>(index(s))],
                    filled_[s], result == Outcome::kReceived);
    }
  }
  for (int s = 0; s < count; ++s) complete(index(s), s, code);
}

namespace {

// peek(): the request is complete, and stays.
void peek(MpiThread& thread, Receive* receive, const MPI_Status& status) {
  if (receive->merged) return;
  int cancelled = 0;
  if (receive->cancelled) pmpi().Test_cancelled(&status, &cancelled);
  if (cancelled == 0 && has_message(receive, status)) {
    take_clocks_of(thread, receive, status);
  }
  // The clocks of its message have been taken, so it is no longer an older
  // receive for others.
  remove_posted(*receive->comm, receive);
  receive->merged = true;
}

void peek(MpiThread& thread, PersistentReceive* receive,
          const MPI_Status& status) {
  if (receive->active) peek(thread, static_cast<Receive*>(receive), status);
}

void peek(MpiThread& thread, PersistentSend* send, const MPI_Status&) {
  complete_send(thread, send, true);
}

void peek(MpiThread& thread, SynchronousSend* send, const MPI_Status&) {
  complete_send(thread, send, true);
}

void peek(MpiThread& thread, Collective* collective, const MPI_Status&) {
  finish_collective(thread, *collective->comm,
                    std::exchange(collective->op, nullptr));
}

void peek(MpiThread& thread, Pairwise* exchange, const MPI_Status&) {
  if (exchange->merged) return;
  take_pairwise(thread, *exchange->comm, exchange->sources, exchange->tag);
  exchange->merged = true;
}

void peek(MpiThread& thread, PersistentCollective* collective,
          const MPI_Status&) {
  if (collective->merged || !collective->active) return;
  finish_persistent(thread, *collective->comm, collective->exchange);
  collective->merged = true;
}

void peek(MpiThread&, PartitionedSend*, const MPI_Status&) {}

void peek(MpiThread& thread, PartitionedReceive* receive, const MPI_Status&) {
  if (receive->merged || !receive->active) return;
  take_pairwise(thread, *receive->comm, receive->source, receive->tag);
  receive->merged = true;
}

void peek(MpiThread&, NewComm* request, const MPI_Status&) {
  if (request->merged) return;
  finish_comm(request->created, *request->handle);
  request->merged = true;
}

// forget(): clocks, or an answer, will arrive that no call takes.
void forget_message(MpiThread& thread, Receive* receive) {
  taint(*receive->comm);
  if (receive->posted && receive->source >= 0 && receive->tag >= 0 &&
      !receive->cancelled) {
    // Its message will still come, with clocks.  A placeholder stays in the
    // list, so that later receives of the stream skip these clocks.
    Receive* const ghost = new_tracked<Receive>(thread, receive->comm);
    ghost->source = receive->source;
    ghost->tag = receive->tag;
    replace_posted(*receive->comm, receive, ghost);
  }
}

void forget(MpiThread& thread, Receive* receive) {
  forget_message(thread, receive);
}

void forget(MpiThread& thread, PersistentReceive* receive) {
  if (receive->active) forget_message(thread, receive);
}

void forget(MpiThread&, PersistentSend* send) {
  if (send->reply_tag != 0) taint(*send->comm);
}

void forget(MpiThread&, SynchronousSend* send) {
  if (send->reply_tag != 0) taint(*send->comm);
}

void forget(MpiThread& thread, Collective* collective) {
  if (collective->op != nullptr) thread.edges.late.push_back(collective->op);
}

void forget(MpiThread& thread, PersistentCollective* collective) {
  ShadowOp* const op = collective->exchange.op;
  if (op != nullptr) forget_reduction(thread, op);
}

void forget(MpiThread&, Tracked*) {}  // the other kinds

}  // namespace

void peek_request(MpiThread& thread, Tracked* tracked,
                  const MPI_Status& status) {
  visit(tracked, [&](auto* request) { peek(thread, request, status); });
}

void peek_several(MpiThread& thread, const MPI_Request* requests, int count,
                  const int* indices, const MPI_Status* statuses) {
  const auto request = [&](int s) {
    return requests[indices == nullptr ? s : indices[s]];
  };
  if (count > 1 && job().requests.posted_wildcards > 0) {
    for (int s = 0; s < count; ++s)
      note_finished(request(s), statuses[s], true);
  }
  for (int s = 0; s < count; ++s) {
    Tracked* const tracked = find_tracked(request(s));
    if (tracked != nullptr) peek_request(thread, tracked, statuses[s]);
  }
}

void forget_request(MpiThread& thread, Tracked* tracked) {
  visit(tracked, [&](auto* request) { forget(thread, request); });
  drop_tracked(thread, tracked);
}

}  // namespace poprt::mpi
