#include "wrappers/requests/requests.h"

#include <type_traits>

#include "wrappers/edges/clock_exchange.h"
#include "wrappers/edges/comms.h"
#include "wrappers/edges/own_tags.h"
#include "wrappers/maybe_lock.h"
#include "wrappers/requests/posted_receives.h"

namespace poprt::mpi {
namespace {

inline RequestShard& shard_of(uintptr_t key) {
  RequestShard* const shards = job().requests.shards;
  if (!job().multiple) return shards[0];
  // Handles are addresses or consecutive numbers.
  const uint64_t hash = (key >> 4 ^ key) * uint64_t{0x9E3779B97F4A7C15};
  return shards[(hash >> 32) % Requests::kShards];
}

// Whether a thread has claimed it for the call in which it is.
bool is_claimed(const Tracked& tracked) {
  const Claims* const claimer = tracked.claimer.load(std::memory_order_relaxed);
  if (claimer == nullptr) return false;
  const uint32_t call = claimer->call.load(std::memory_order_acquire);
  return call != 0 &&
         call == tracked.claimed_in.load(std::memory_order_relaxed);
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

template <class Kind>
void drop(MpiThread& thread, Kind* request) {
  CommInfo* const comm = request->comm;
  if constexpr (std::is_base_of_v<Receive, Kind>) {
    if (request->posted) remove_posted(*comm, request);
  }
  untrack(request);
  request->claimer.store(nullptr, std::memory_order_relaxed);
  job().requests.pools.recycle(thread.requests.free, request);
  release_comm(comm);
}

}  // namespace

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

void track(Tracked* tracked, MPI_Request request) {
  tracked->request = request;
  const uintptr_t key = key_of(request);
  RequestShard& shard = shard_of(key);
  const MaybeLock lock(shard.mutex);
  Tracked* const before = tracked->same_handle = shard.table.find(key);
  // Whose completion was not seen: it is not looked for any more.
  if (before != nullptr && !is_claimed(*before)) {
    before->claimer.store(nullptr, std::memory_order_relaxed);
  }
  shard.table.insert(key, tracked);
  shard.added.store(shard.added.load(std::memory_order_relaxed) + 1,
                    std::memory_order_release);
}

void note_finished(MPI_Request request, const MPI_Status& status,
                   bool received) {
  Tracked* tracked = nullptr;
  for (Tracked* one = find_tracked(request); one != nullptr;
       one = one->same_handle) {
    const Receive* const its = as_receive(one);
    if (its == nullptr || !its->finished) tracked = one;
  }
  Receive* const receive = as_receive(tracked);
  if (receive == nullptr || !receive->posted) return;
  int cancelled = 0;
  if (receive->cancelled) pmpi().Test_cancelled(&status, &cancelled);
  const bool message = received && cancelled == 0;
  receive->finished = true;
  receive->finished_source = message ? status.MPI_SOURCE : MPI_PROC_NULL;
  receive->finished_tag = message ? status.MPI_TAG : 0;
}

Tracked* find_tracked(MPI_Request request, bool even_claimed) {
  const uintptr_t key = key_of(request);
  RequestShard& shard = shard_of(key);
  const MaybeLock lock(shard.mutex);
  Tracked* tracked = shard.table.find(key);
  while (tracked != nullptr && !even_claimed && is_claimed(*tracked)) {
    tracked = tracked->same_handle;
  }
  return tracked;
}

Tracked* completed_tracked(MPI_Request request) {
  // Several requests of one call may have the same handle.
  Tracked* oldest = job().requests.shards[0].table.find(key_of(request));
  while (oldest != nullptr && oldest->same_handle != nullptr) {
    oldest = oldest->same_handle;
  }
  return oldest;
}

namespace {

// Whether what was found for the request in an earlier call is its entry still.
bool is_found(const Claims::One& one, const Claims& claims) {
  if (!one.is_certain) return false;
  if (one.tracked == nullptr) {
    return one.added ==
           shard_of(key_of(one.request)).added.load(std::memory_order_acquire);
  }
  // The other fields may be read only if it is.
  return one.tracked->claimer.load(std::memory_order_relaxed) == &claims &&
         one.tracked->request == one.request &&
         one.tracked->claimed_in.load(std::memory_order_relaxed) !=
             claims.calls;
}

void find(Claims& claims, Claims::One& one) {
  const uintptr_t key = key_of(one.request);
  RequestShard& shard = shard_of(key);
  const MaybeLock lock(shard.mutex);
  one.added = shard.added.load(std::memory_order_relaxed);
  // If several threads have had the handle, the newest request owns it.
  one.tracked = shard.table.find(key);
  while (one.tracked != nullptr && is_claimed(*one.tracked)) {
    one.is_certain = false;
    one.tracked = one.tracked->same_handle;
  }
  if (one.tracked != nullptr) {
    one.tracked->claimed_in.store(claims.calls, std::memory_order_relaxed);
    one.tracked->claimer.store(&claims, std::memory_order_relaxed);
  }
}

}  // namespace

void claim_all(Claims& claims, int count, const MPI_Request* requests) {
  if (++claims.calls == 0) ++claims.calls;
  claims.call.store(claims.calls, std::memory_order_relaxed);
  std::vector<Claims::One>& list = claims.list;
  const size_t known = list.size();
  const auto all = static_cast<size_t>(count);
  // Never shorter: the next list may be the one before.
  if (known < all) list.resize(all);
  for (size_t i = 0; i < all; ++i) {
    Claims::One& one = list[i];
    if (i < known && one.request == requests[i] && is_found(one, claims)) {
      if (one.tracked != nullptr) {
        one.tracked->claimed_in.store(claims.calls, std::memory_order_relaxed);
      }
      continue;
    }
    one = {requests[i], nullptr, 0, true};
    if (requests[i] != pmpi().request_null) find(claims, one);
  }
}

void end_claims(Claims& claims) {
  claims.call.store(0, std::memory_order_release);
}

void drop_tracked(MpiThread& thread, Tracked* tracked) {
  visit(tracked, [&](auto* request) { drop(thread, request); });
}

bool has_message(const Receive* receive, const MPI_Status& status) {
  if (receive->source >= 0 && receive->tag >= 0) return true;
  return status.MPI_SOURCE >= 0 && status.MPI_TAG >= 0 &&
         has_clocks(status.MPI_TAG);
}

void take_clocks_of(MpiThread& thread, Receive* receive,
                    const MPI_Status& status) {
  // MPICH's MPI_Isendrecv leaves the status without source and tag.
  const bool any_source = receive->source == MPI_ANY_SOURCE;
  const bool any_tag = receive->tag == MPI_ANY_TAG;
  take_in_order(thread, *receive->comm, receive,
                any_source ? status.MPI_SOURCE : receive->source,
                any_tag ? status.MPI_TAG : receive->tag);
}

namespace {

void take_message(MpiThread& thread, Receive* receive, const MPI_Status& status,
                  bool received) {
  int cancelled = 0;
  // MPICH leaves a valid source in the status of a cancelled receive.
  if (receive->cancelled) pmpi().Test_cancelled(&status, &cancelled);
  if (!receive->merged && cancelled == 0 && received &&
      has_message(receive, status)) {
    take_clocks_of(thread, receive, status);
  }
}

// complete(): evaluates a completed request, and drops it if it is not
// persistent.
void complete(MpiThread& thread, Receive* receive, const MPI_Status& status,
              bool received) {
  take_message(thread, receive, status, received);
  drop(thread, receive);
}

void complete(MpiThread& thread, PersistentReceive* receive,
              const MPI_Status& status, bool received) {
  if (!receive->active) return;
  take_message(thread, receive, status, received);
  remove_posted(*receive->comm, receive);
  receive->renew();
}

void complete(MpiThread& thread, PersistentSend* send, const MPI_Status&,
              bool sent) {
  complete_send(thread, send, sent);
}

void complete(MpiThread& thread, SynchronousSend* send, const MPI_Status&,
              bool sent) {
  complete_send(thread, send, sent);
  drop(thread, send);
}

void complete(MpiThread& thread, Collective* collective, const MPI_Status&,
              bool) {
  finish_collective(thread, *collective->comm, collective->op);
  drop(thread, collective);
}

void complete(MpiThread& thread, Pairwise* exchange, const MPI_Status&,
              bool received) {
  if (!exchange->merged && received) {
    take_pairwise(thread, *exchange->comm, exchange->sources, exchange->tag);
  }
  drop(thread, exchange);
}

void complete(MpiThread& thread, PersistentCollective* collective,
              const MPI_Status&, bool received) {
  if (collective->active && !collective->merged && received) {
    finish_persistent(thread, *collective->comm, collective->exchange);
  }
  collective->active = collective->merged = false;
}

void complete(MpiThread&, PartitionedSend*, const MPI_Status&, bool) {}

void complete(MpiThread& thread, PartitionedReceive* receive, const MPI_Status&,
              bool received) {
  if (receive->active && !receive->merged && received) {
    take_pairwise(thread, *receive->comm, receive->source, receive->tag);
  }
  receive->renew();
}

void complete(MpiThread& thread, NewComm* request, const MPI_Status&,
              bool received) {
  if (!request->merged && received) {
    finish_comm(request->created, *request->handle);
  }
  drop(thread, request);
}

}  // namespace

void complete_tracked(MpiThread& thread, Tracked* tracked,
                      const MPI_Status& status, bool received) {
  visit(tracked,
        [&](auto* request) { complete(thread, request, status, received); });
}

}  // namespace poprt::mpi
