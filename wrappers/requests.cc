#include "wrappers/requests.h"

#include "wrappers/clock_exchange.h"
#include "wrappers/comms.h"
#include "wrappers/posted_receives.h"

namespace poprt::mpi {
namespace {

// Takes an entry out of the table and recycles it.
void untrack(Tracked* tracked) {
  const uintptr_t key = key_of(tracked->request);
  const MaybeLock lock(job().mutex);
  Tracked* first = job().requests.find(key);
  if (first == tracked) {
    if (tracked->same_handle == nullptr) {
      job().requests.erase(key);
    } else {
      job().requests.insert(key, tracked->same_handle);
    }
  } else {
    for (; first != nullptr; first = first->same_handle) {
      if (first->same_handle != tracked) continue;
      first->same_handle = tracked->same_handle;
      break;
    }
  }
  job().free_requests.push_back(tracked);
}

}  // namespace

bool consumed(int code) {
  if (code == MPI_SUCCESS) return true;
  int error_class = MPI_ERR_OTHER;
  pmpi().Error_class(code, &error_class);
  return error_class == MPI_ERR_TRUNCATE;
}

Tracked* new_tracked(RequestKind kind, CommInfo* comm, int peer, int tag) {
  Tracked* tracked;
  {
    const MaybeLock lock(job().mutex);
    std::vector<Tracked*>& free = job().free_requests;
    if (free.empty()) {
      tracked = new Tracked;
    } else {
      tracked = free.back();
      free.pop_back();
    }
  }
  hold_comm(*comm);
  tracked->kind = kind;
  tracked->comm = comm;
  tracked->peer = peer;
  tracked->tag = tag;
  tracked->active = true;
  tracked->cancelled = tracked->merged = tracked->posted = false;
  tracked->finished = false;
  tracked->same_handle = nullptr;
  tracked->op = nullptr;
  tracked->sources.clear();
  tracked->synchronous = false;
  tracked->reply_tag = 0;
  tracked->created = nullptr;
  return tracked;
}

void track(Tracked* tracked, MPI_Request request) {
  tracked->request = request;
  const uintptr_t key = key_of(request);
  const MaybeLock lock(job().mutex);
  Tracked* last = job().requests.find(key);
  if (last == nullptr) {
    job().requests.insert(key, tracked);
    return;
  }
  while (last->same_handle != nullptr) last = last->same_handle;
  last->same_handle = tracked;
}

void note_finished(MPI_Request request, const MPI_Status& status,
                   bool received) {
  Tracked* tracked = job().requests.find(key_of(request));
  while (tracked != nullptr && tracked->finished) {
    tracked = tracked->same_handle;
  }
  if (tracked == nullptr || !tracked->posted) return;
  int cancelled = 0;
  if (tracked->cancelled) pmpi().Test_cancelled(&status, &cancelled);
  const bool message = received && cancelled == 0;
  tracked->finished = true;
  tracked->finished_source = message ? status.MPI_SOURCE : MPI_PROC_NULL;
  tracked->finished_tag = message ? status.MPI_TAG : 0;
}

Tracked* find_tracked(MPI_Request request) {
  const MaybeLock lock(job().mutex);
  return job().requests.find(key_of(request));
}

void drop_tracked(Tracked* tracked) {
  if (tracked->posted) remove_posted(*tracked->comm, tracked);
  CommInfo* const comm = tracked->comm;
  untrack(tracked);
  release_comm(comm);
}

void complete_send(MpiThread& thread, Tracked* tracked, bool sent) {
  if (tracked->reply_tag == 0) return;
  if (sent) {
    take_reply(thread, *tracked->comm, tracked->peer, tracked->reply_tag);
  }
  tracked->reply_tag = 0;
}

void complete_tracked(MpiThread& thread, Tracked* tracked,
                      const MPI_Status& status, bool received) {
  switch (tracked->kind) {
    case RequestKind::kReceive:
    case RequestKind::kPersistentReceive: {
      if (!tracked->active) return;
      int cancelled = 0;
      // MPICH leaves a valid-looking source in the status of a cancelled one.
      if (tracked->cancelled) pmpi().Test_cancelled(&status, &cancelled);
      if (!tracked->merged && cancelled == 0 && received &&
          status.MPI_SOURCE != MPI_PROC_NULL &&
          status.MPI_TAG <= job().tag_limit) {
        take_clocks(thread, *tracked->comm, tracked, status.MPI_SOURCE,
                    status.MPI_TAG);
      }
      if (tracked->kind == RequestKind::kReceive) break;
      remove_posted(*tracked->comm, tracked);
      tracked->active = tracked->merged = tracked->cancelled = false;
      tracked->finished = false;
      return;
    }
    case RequestKind::kPersistentSend:
      complete_send(thread, tracked, received);
      return;
    case RequestKind::kSynchronousSend:
      complete_send(thread, tracked, received);
      break;
    case RequestKind::kCollective:
      if (tracked->op != nullptr) {
        finish_collective(thread, *tracked->comm, tracked->op);
      }
      break;
    case RequestKind::kPairwise:
      if (!tracked->merged && received) {
        take_pairwise(thread, *tracked->comm, tracked->sources, tracked->tag);
      }
      break;
    case RequestKind::kNewComm:
      if (!tracked->merged && received) {
        finish_comm(tracked->created, *tracked->created_handle);
      }
      break;
  }
  drop_tracked(tracked);
}

}  // namespace poprt::mpi
