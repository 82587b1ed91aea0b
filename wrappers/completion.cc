#include "wrappers/completion.h"

#include "wrappers/clock_exchange.h"

namespace poprt::mpi {

Completion::Completion(MpiThread* thread, int count,
                       const MPI_Request* requests)
    : thread_(thread) {
  if (thread == nullptr || count <= 0 ||
      (!job().multiple && job().requests.empty())) {
    thread_ = nullptr;
    return;
  }
  thread->handles.assign(requests, requests + count);
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

void Completion::complete(int i, int s, int code) {
  if (thread_ == nullptr) return;
  Tracked* const tracked =
      find_tracked(thread_->handles[static_cast<size_t>(i)]);
  if (tracked == nullptr) return;
  const MPI_Status& status = filled_[s];
  bool received = code == MPI_SUCCESS;
  if (!received) {
    int error_class = MPI_ERR_OTHER;
    pmpi().Error_class(code, &error_class);
    if (error_class == MPI_ERR_IN_STATUS) code = status.MPI_ERROR;
    if (code == MPI_ERR_PENDING) return;
    received = consumed(code);
  }
  complete_tracked(*thread_, tracked, status, received);
}

void Completion::complete_all(int count, int code) {
  if (thread_ == nullptr) return;
  if (code != MPI_SUCCESS) {
    int error_class = MPI_ERR_OTHER;
    pmpi().Error_class(code, &error_class);
    // Nothing is known of the requests after any other error.
    if (error_class != MPI_ERR_IN_STATUS) return;
  }
  for (int i = 0; i < count; ++i) complete(i, i, code);
}

void peek_request(MpiThread& thread, Tracked* tracked,
                  const MPI_Status& status) {
  if (tracked->merged || !tracked->active) return;
  switch (tracked->kind) {
    case RequestKind::kReceive:
    case RequestKind::kPersistentReceive: {
      int cancelled = 0;
      if (tracked->cancelled) pmpi().Test_cancelled(&status, &cancelled);
      if (cancelled == 0 && status.MPI_SOURCE >= 0 &&
          status.MPI_TAG <= job().tag_limit) {
        take_clocks(thread, *tracked->comm, tracked, status.MPI_SOURCE,
                    status.MPI_TAG);
      }
      // Its message has its clocks: it is in nobody's way any more.
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
    case RequestKind::kPersistentSend:
    case RequestKind::kNewComm:
      return;
  }
  tracked->merged = true;
}

void forget_request(MpiThread& thread, Tracked* tracked) {
  const bool receive = tracked->kind == RequestKind::kReceive ||
                       tracked->kind == RequestKind::kPersistentReceive;
  if (tracked->op != nullptr) thread.late.push_back(tracked->op);
  if (receive && tracked->posted && tracked->peer >= 0 && tracked->tag >= 0) {
    // Its message still comes, and the clocks with it: the entry stays in the
    // list, so that later receives of the stream pass over them.
    Tracked* const ghost = new_tracked(RequestKind::kReceive, tracked->comm,
                                       tracked->peer, tracked->tag);
    replace_posted(*tracked->comm, tracked, ghost);
  }
  drop_tracked(tracked);
}

}  // namespace poprt::mpi
