// Tracked: what is known of one request of the program whose completion matters
// for the clocks, with a type for each kind.  Requests: all of them.
// requests.h has the functions for both.
#ifndef POPRT_WRAPPERS_REQUESTS_TRACKED_H_
#define POPRT_WRAPPERS_REQUESTS_TRACKED_H_

#include <atomic>
#include <cstdint>
#include <mutex>
#include <tuple>
#include <vector>

#include "base/pool.h"
#include "wrappers/edges/partitioned.h"
#include "wrappers/edges/persistent_exchange.h"
#include "wrappers/edges/posted_clocks.h"
#include "wrappers/handle_table.h"
#include "wrappers/pmpi.h"

namespace poprt::mpi {

struct CommInfo;
struct ShadowOp;

struct Tracked;

// With MPI_THREAD_MULTIPLE: the requests that a thread has claimed (rule R7 of
// docs/edges.md).  A call that has the same requests as the call before finds
// their entries here.
struct Claims {
  struct One {
    MPI_Request request;
    // Null: when the shard had added `added` entries, none was this request's.
    Tracked* tracked;
    uint32_t added;
    // No other thread had claimed an entry of the same handle.
    bool is_certain;
  };

  uint32_t calls = 0;  // the number of the last such call
  // The number of the call that the thread is in or evaluates; 0: none.  No
  // other thread gets what was claimed for this call.
  std::atomic<uint32_t> call{0};
  std::vector<One> list;  // by place in the call's list of requests
};

enum class RequestKind {
  kReceive,
  kPersistentReceive,
  kPersistentSend,
  kSynchronousSend,
  kCollective,
  kPairwise,
  kPersistentCollective,
  kPartitionedSend,
  kPartitionedReceive,
  kNewComm,
};

// What all kinds have.  An object is used again for another request of its
// kind: renew() sets it back, and vectors keep their memory.
struct Tracked {
  RequestKind kind;
  CommInfo* comm;
  MPI_Request request;
  // The next older request with the same handle, or null.  MPI may give a
  // handle to another thread before its completion is evaluated here.
  Tracked* same_handle;
  // The thread that has claimed the request last, and the number of its call.
  std::atomic<const Claims*> claimer;
  std::atomic<uint32_t> claimed_in;
};

// Below, `merged`: MPI_Request_get_status has seen the request complete, and
// its clocks have been taken.  `active`: a persistent request has been started
// and is not complete.  `reply_tag`: of the answer to a synchronous send, or 0.

struct Receive : Tracked {
  static constexpr RequestKind kKind = RequestKind::kReceive;
  void renew() { cancelled = merged = finished = posted = false; }

  int source;  // as the program gave it
  int tag;
  bool cancelled;  // MPI_Cancel was called for it
  bool merged;
  // The call that is evaluated has completed the receive, so its handle is not
  // valid.  The message's source and tag, or MPI_PROC_NULL for no message.
  bool finished;
  int finished_source;
  int finished_tag;
  // Whether it is in the list of posted receives; its neighbours there.
  bool posted;
  Receive* older;
  Receive* newer;
  PostedClocks clocks;
};

struct PersistentReceive : Receive {
  static constexpr RequestKind kKind = RequestKind::kPersistentReceive;
  void renew() {
    Receive::renew();
    active = false;
  }

  bool active;
};

struct PersistentSend : Tracked {
  static constexpr RequestKind kKind = RequestKind::kPersistentSend;
  void renew() { reply_tag = 0; }

  int dest;
  int tag;
  bool synchronous;
  int reply_tag;
  int64_t bytes;  // set only with POPRT_CALLS=on
};

struct SynchronousSend : Tracked {
  static constexpr RequestKind kKind = RequestKind::kSynchronousSend;
  void renew() {}

  int dest;
  int reply_tag;
};

struct Collective : Tracked {
  static constexpr RequestKind kKind = RequestKind::kCollective;
  void renew() { merged = false; }

  ShadowOp* op;  // null once its result has been taken
  bool merged;
};

struct Pairwise : Tracked {
  static constexpr RequestKind kKind = RequestKind::kPairwise;
  void renew() { merged = false; }

  std::vector<int> sources;
  int tag;
  bool merged;
};

struct PersistentCollective : Tracked {
  static constexpr RequestKind kKind = RequestKind::kPersistentCollective;
  void renew() {
    active = merged = false;
    exchange.renew();
  }

  PersistentExchange exchange;
  bool active;
  bool merged;
};

struct PartitionedSend : Tracked {
  static constexpr RequestKind kKind = RequestKind::kPartitionedSend;
  void renew() {}

  int dest;
  int tag;
  int count;  // of partitions
  Partitions partitions;
};

struct PartitionedReceive : Tracked {
  static constexpr RequestKind kKind = RequestKind::kPartitionedReceive;
  void renew() { active = merged = false; }

  int source;
  int tag;
  bool active;
  bool merged;
};

// A communicator of MPI_Comm_idup.
struct NewComm : Tracked {
  static constexpr RequestKind kKind = RequestKind::kNewComm;
  void renew() { merged = false; }

  CommInfo* created;
  MPI_Comm* handle;
  bool merged;
};

// Calls call() with the request as a pointer to its own type.
template <class Call>
auto visit(Tracked* request, Call call) {
  switch (request->kind) {
    case RequestKind::kReceive:
      return call(static_cast<Receive*>(request));
    case RequestKind::kPersistentReceive:
      return call(static_cast<PersistentReceive*>(request));
    case RequestKind::kPersistentSend:
      return call(static_cast<PersistentSend*>(request));
    case RequestKind::kSynchronousSend:
      return call(static_cast<SynchronousSend*>(request));
    case RequestKind::kCollective:
      return call(static_cast<Collective*>(request));
    case RequestKind::kPairwise:
      return call(static_cast<Pairwise*>(request));
    case RequestKind::kPersistentCollective:
      return call(static_cast<PersistentCollective*>(request));
    case RequestKind::kPartitionedSend:
      return call(static_cast<PartitionedSend*>(request));
    case RequestKind::kPartitionedReceive:
      return call(static_cast<PartitionedReceive*>(request));
    case RequestKind::kNewComm:
      break;
  }
  return call(static_cast<NewComm*>(request));
}

// The request as a receive, persistent or not.  Null for another kind or null.
inline Receive* as_receive(Tracked* request) {
  const bool is_one =
      request != nullptr && (request->kind == RequestKind::kReceive ||
                             request->kind == RequestKind::kPersistentReceive);
  return is_one ? static_cast<Receive*>(request) : nullptr;
}

struct alignas(64) RequestShard {
  std::mutex mutex;
  HandleTable<Tracked> table;
  std::atomic<uint32_t> added{0};  // how many requests have been tracked
};

template <class... Kinds>
struct PoolsOf {
  // Of one thread.
  using Local = std::tuple<typename Pool<Kinds>::Local...>;

  template <class Kind>
  Kind* take(Local& local) {
    return std::get<Pool<Kind>>(pools).take(
        std::get<typename Pool<Kind>::Local>(local));
  }
  template <class Kind>
  void recycle(Local& local, Kind* request) {
    std::get<Pool<Kind>>(pools).recycle(
        std::get<typename Pool<Kind>::Local>(local), request);
  }

  std::tuple<Pool<Kinds>...> pools;
};
using RequestPools =
    PoolsOf<Receive, PersistentReceive, PersistentSend, SynchronousSend,
            Collective, Pairwise, PersistentCollective, PartitionedSend,
            PartitionedReceive, NewComm>;

// The tracked requests of the process.  With MPI_THREAD_MULTIPLE the handle
// chooses the shard, so that threads seldom wait for the same mutex.  Else all
// are in the first shard, and the mutex is not used.
struct Requests {
  static constexpr int kShards = 64;

  RequestShard shards[kShards];
  RequestPools pools;
  // How many posted receives have wildcards; 0 with MPI_THREAD_MULTIPLE.
  int posted_wildcards = 0;
  // Whether there has been a request that has a partner but is not tracked.
  std::atomic<bool> strangers{false};
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_REQUESTS_TRACKED_H_
