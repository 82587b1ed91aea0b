#include "wrappers/requests.h"

#include "wrappers/clock_exchange.h"
#include "wrappers/comms.h"
#include "wrappers/maybe_lock.h"
#include "wrappers/posted_receives.h"

namespace poprt::mpi {
namespace {

RequestShard& shard_of(uintptr_t key) {
  if (!job().multiple) return job().requests.shards[0];
  // Handles are addresses or consecutive numbers.
  const uint64_t hash = (key >> 4 ^ key) * uint64_t{0x9E3779B97F4A7C15};
  return job().requests.shards[(hash >> 32) % Requests::kShards];
}

void untrack(Tracked* tracked) {
  const uintptr_t key = key_of(tracked->request);
  RequestShard& shard = shard_of(key);
  const MaybeLock lock(shard.mutex);
  Tracked* first = shard.table.find(key);
  if (first == tracked) {
    if (tracked->same_handle == nullptr) {
      shard.table.erase(key);
    } else {
      shard.table.insert(key, tracked->same_handle);
    }
    return;
  }
  for (; first != nullptr; first = first->same_handle) {
    if (first->same_handle != tracked) continue;
    first->same_handle = tracked->same_handle;
    break;
  }
}

}  // namespace

bool is_persistent(RequestKind kind) {
  return kind == RequestKind::kPersistentReceive ||
         kind == RequestKind::kPersistentSend ||
         kind == RequestKind::kPersistentCollective ||
         kind == RequestKind::kPartitionedSend ||
         kind == RequestKind::kPartitionedReceive;
}

bool no_requests() {
  return !job().multiple && job().requests.shards[0].table.empty();
}

int class_of(int code) {
  int error_class = MPI_ERR_OTHER;
  pmpi().Error_class(code, &error_class);
  return error_class;
}

bool consumed_after(int error) { return class_of(error) == MPI_ERR_TRUNCATE; }

bool refused(int code) {
  if (code == MPI_SUCCESS) return false;
  const int error_class = class_of(code);
  return error_class == MPI_ERR_ARG || error_class == MPI_ERR_COUNT ||
         error_class == MPI_ERR_REQUEST;
}

Tracked* new_tracked(MpiThread& thread, RequestKind kind, CommInfo* comm,
                     int peer, int tag) {
  Tracked* const tracked = job().requests.pool.take(thread.free_requests);
  hold_comm(*comm);
  tracked->kind = kind;
  tracked->comm = comm;
  tracked->peer = peer;
  tracked->tag = tag;
  tracked->active = true;
  tracked->cancelled = tracked->merged = tracked->posted = false;
  tracked->finished = tracked->claimed = false;
  tracked->same_handle = nullptr;
  tracked->op = nullptr;
  tracked->sources.clear();
  tracked->targets.clear();
  tracked->contributes = true;
  tracked->synchronous = false;
  tracked->reply_tag = 0;
  tracked->created = nullptr;
  return tracked;
}

void track(Tracked* tracked, MPI_Request request) {
  tracked->request = request;
  const uintptr_t key = key_of(request);
  RequestShard& shard = shard_of(key);
  const MaybeLock lock(shard.mutex);
  tracked->same_handle = shard.table.find(key);
  shard.table.insert(key, tracked);
}

void note_finished(MPI_Request request, const MPI_Status& status,
                   bool received) {
  Tracked* tracked = nullptr;
  for (Tracked* one = find_tracked(request); one != nullptr;
       one = one->same_handle) {
    if (!one->finished) tracked = one;
  }
  if (tracked == nullptr || !tracked->posted) return;
  int cancelled = 0;
  if (tracked->cancelled) pmpi().Test_cancelled(&status, &cancelled);
  const bool message = received && cancelled == 0;
  tracked->finished = true;
  tracked->finished_source = message ? status.MPI_SOURCE : MPI_PROC_NULL;
  tracked->finished_tag = message ? status.MPI_TAG : 0;
}

Tracked* find_tracked(MPI_Request request, bool even_claimed) {
  const uintptr_t key = key_of(request);
  RequestShard& shard = shard_of(key);
  const MaybeLock lock(shard.mutex);
  Tracked* tracked = shard.table.find(key);
  while (tracked != nullptr && tracked->claimed && !even_claimed) {
    tracked = tracked->same_handle;
  }
  return tracked;
}

Tracked* claim_tracked(MPI_Request request) {
  const uintptr_t key = key_of(request);
  RequestShard& shard = shard_of(key);
  const MaybeLock lock(shard.mutex);
  Tracked* found = nullptr;
  for (Tracked* one = shard.table.find(key); one != nullptr;
       one = one->same_handle) {
    if (one->claimed) continue;
    found = one;
    // If several threads have had the handle, the newest request owns it.
    if (job().multiple) break;
  }
  if (found != nullptr) found->claimed = true;
  return found;
}

void unclaim_tracked(Tracked* tracked) {
  RequestShard& shard = shard_of(key_of(tracked->request));
  const MaybeLock lock(shard.mutex);
  tracked->claimed = false;
}

void drop_tracked(MpiThread& thread, Tracked* tracked) {
  if (tracked->posted) remove_posted(*tracked->comm, tracked);
  CommInfo* const comm = tracked->comm;
  untrack(tracked);
  job().requests.pool.recycle(thread.free_requests, tracked);
  release_comm(comm);
}

void complete_send(MpiThread& thread, Tracked* tracked, bool sent) {
  if (tracked->reply_tag == 0) return;
  if (sent) {
    take_soon(thread, *tracked->comm, tracked->peer, tracked->reply_tag);
  }
  tracked->reply_tag = 0;
}

bool has_message(const Tracked* receive, const MPI_Status& status) {
  if (receive->peer >= 0 && receive->tag >= 0) return true;
  return status.MPI_SOURCE >= 0 && status.MPI_TAG >= 0 &&
         status.MPI_TAG <= job().tag_limit;
}

void take_clocks_of(MpiThread& thread, Tracked* receive,
                    const MPI_Status& status) {
  // MPICH's MPI_Isendrecv leaves the status without source and tag.
  const bool any_source = receive->peer == MPI_ANY_SOURCE;
  const bool any_tag = receive->tag == MPI_ANY_TAG;
  take_clocks(thread, *receive->comm, receive,
              any_source ? status.MPI_SOURCE : receive->peer,
              any_tag ? status.MPI_TAG : receive->tag);
}

void complete_tracked(MpiThread& thread, Tracked* tracked,
                      const MPI_Status& status, bool received) {
  switch (tracked->kind) {
    case RequestKind::kReceive:
    case RequestKind::kPersistentReceive: {
      if (!tracked->active) return;
      int cancelled = 0;
      // MPICH leaves a valid source in the status of a cancelled receive.
      if (tracked->cancelled) pmpi().Test_cancelled(&status, &cancelled);
      if (!tracked->merged && cancelled == 0 && received &&
          has_message(tracked, status)) {
        take_clocks_of(thread, tracked, status);
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
    case RequestKind::kPersistentCollective:
      if (tracked->active && !tracked->merged && received) {
        finish_persistent(thread, tracked);
      }
      tracked->active = tracked->merged = false;
      return;
    case RequestKind::kPartitionedReceive:
      if (tracked->active && !tracked->merged && received) {
        tracked->sources.assign(1, tracked->peer);
        take_pairwise(thread, *tracked->comm, tracked->sources, tracked->tag);
      }
      tracked->active = tracked->merged = false;
      return;
    case RequestKind::kPartitionedSend:
      return;
    case RequestKind::kNewComm:
      if (!tracked->merged && received) {
        finish_comm(tracked->created, *tracked->created_handle);
      }
      break;
  }
  drop_tracked(thread, tracked);
}

}  // namespace poprt::mpi
