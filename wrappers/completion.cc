#include "wrappers/completion.h"

#include <utility>

#include "wrappers/clock_exchange.h"
#include "wrappers/comms.h"
#include "wrappers/posted_receives.h"

namespace poprt::mpi {
Completion::Completion(MpiThread* thread, int count,
                       const MPI_Request* requests)
    : thread_(thread) {
  if (thread == nullptr || count <= 0 || requests == nullptr || no_requests()) {
    thread_ = nullptr;
    return;
  }
  thread->handles.assign(requests, requests + count);
  if (!job().multiple) return;
  thread->claimed.clear();
  for (MPI_Request request : thread->handles) {
    thread->claimed.push_back(claim_tracked(request));
  }
}

void forget_call(MpiThread& thread) {
  for (Tracked* const tracked : thread.claimed) {
    if (tracked != nullptr) unclaim_tracked(tracked);
  }
  thread.claimed.clear();
  thread.arrived.count = 0;
  thread.thread.stop_timing();
}

Completion::~Completion() {
  if (thread_ == nullptr) return;
  for (Tracked* const tracked : thread_->claimed) {
    if (tracked != nullptr) unclaim_tracked(tracked);
  }
  thread_->claimed.clear();
}

MPI_Status* Completion::statuses(MPI_Status* given, int count) {
  filled_ = given;
  if (thread_ != nullptr &&
      (given == MPI_STATUS_IGNORE || given == MPI_STATUSES_IGNORE)) {
    std::vector<MPI_Status>& own = thread_->statuses;
    if (own.size() < static_cast<size_t>(count)) {
      own.resize(static_cast<size_t>(count));
    }
    filled_ = own.data();
  }
  return filled_;
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
  Tracked* const tracked = job().multiple
                               ? std::exchange(thread_->claimed[place], nullptr)
                               : claim_tracked(thread_->handles[place]);
  if (tracked == nullptr) return;
  if (is_persistent(tracked->kind)) unclaim_tracked(tracked);
  complete_tracked(*thread_, tracked, filled_[s], result == Outcome::kReceived);
}

void Completion::complete_several(int count, const int* indices, int code) {
  if (thread_ == nullptr) return;
  // After any other error the state of the requests is not known.
  if (code != MPI_SUCCESS && class_of(code) != MPI_ERR_IN_STATUS) return;
  const auto index = [&](int s) { return indices == nullptr ? s : indices[s]; };
  if (count > 1 && job().posted_wildcards > 0) {
    for (int s = 0; s < count; ++s) {
      const Outcome result = outcome(s, code);
      if (result == Outcome::kPending) continue;
      note_finished(thread_->handles[static_cast<size_t>(index(s))], filled_[s],
                    result == Outcome::kReceived);
    }
  }
  for (int s = 0; s < count; ++s) complete(index(s), s, code);
}

void peek_request(MpiThread& thread, Tracked* tracked,
                  const MPI_Status& status) {
  if (tracked->merged || !tracked->active) return;
  switch (tracked->kind) {
    case RequestKind::kReceive:
    case RequestKind::kPersistentReceive: {
      int cancelled = 0;
      if (tracked->cancelled) pmpi().Test_cancelled(&status, &cancelled);
      if (cancelled == 0 && has_message(tracked, status)) {
        take_clocks_of(thread, tracked, status);
      }
      // The clocks of its message have been taken, so it is no longer an older
      // receive for others.
      remove_posted(*tracked->comm, tracked);
      break;
    }
    case RequestKind::kCollective:
      finish_collective(thread, *tracked->comm, tracked->op);
      tracked->op = nullptr;
      break;
    case RequestKind::kPairwise:
      take_pairwise(thread, *tracked->comm, tracked->sources, tracked->tag);
      break;
    case RequestKind::kPersistentCollective:
      finish_persistent(thread, tracked);
      break;
    case RequestKind::kPartitionedReceive:
      tracked->sources.assign(1, tracked->peer);
      take_pairwise(thread, *tracked->comm, tracked->sources, tracked->tag);
      break;
    case RequestKind::kPartitionedSend:
      break;
    case RequestKind::kNewComm:
      finish_comm(tracked->created, *tracked->created_handle);
      break;
    case RequestKind::kPersistentSend:
    case RequestKind::kSynchronousSend:
      return complete_send(thread, tracked, true);
  }
  tracked->merged = true;
}

void forget_request(MpiThread& thread, Tracked* tracked) {
  const bool receive = tracked->kind == RequestKind::kReceive ||
                       tracked->kind == RequestKind::kPersistentReceive;
  if (tracked->kind == RequestKind::kPersistentCollective) {
    if (tracked->op != nullptr) forget_reduction(thread, tracked->op);
  } else if (tracked->op != nullptr) {
    thread.late.push_back(tracked->op);
  }
  // Clocks, or an answer, will arrive that no call takes.
  if ((receive && tracked->active) || tracked->reply_tag != 0) {
    taint(*tracked->comm);
  }
  if (receive && tracked->posted && tracked->peer >= 0 && tracked->tag >= 0 &&
      !tracked->cancelled) {
    // Its message will still come, with clocks.  A placeholder stays in the
    // list, so that later receives of the stream skip these clocks.
    Tracked* const ghost =
        new_tracked(thread, RequestKind::kReceive, tracked->comm, tracked->peer,
                    tracked->tag);
    replace_posted(*tracked->comm, tracked, ghost);
  }
  drop_tracked(thread, tracked);
}

}  // namespace poprt::mpi
