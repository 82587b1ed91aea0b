// The program's requests that matter for the clocks: what is known of each, and
// where they are found.  requests.h works on them.
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

// The requests of the last calls of a thread that completed requests, by their
// places in those calls' lists; only with MPI_THREAD_MULTIPLE.  A list that is
// tested again and again is looked up once.
struct Claims {
  struct One {
    MPI_Request request;
    Tracked* tracked;  // null: not tracked when the shard had `added`
    uint32_t added;
    // Nobody else had claimed one of the same handle.
    bool is_certain;
  };

  uint32_t calls = 0;  // how many there were
  // Which of them the thread is in, or is evaluating: what it has claimed for
  // that one is its own.  0: none.
  std::atomic<uint32_t> call{0};
  std::vector<One> list;
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

// A request of the program whose completion matters for the clocks: what all
// kinds have.  Each kind is one of the types below, and objects are used again
// for requests of the same kind: renew() makes them as new, but keeps memory.
struct Tracked {
  RequestKind kind;
  CommInfo* comm;
  MPI_Request request;
  // The next older request with the same handle: MPI may give a handle to
  // another thread before the thread that has completed it looks it up here.
  Tracked* same_handle;
  // The thread that has looked it up last for a call that may complete it, and
  // for which of its calls.
  std::atomic<const Claims*> claimer;
  std::atomic<uint32_t> claimed_in;
};

// Of the kinds that have `merged`: MPI_Request_get_status has seen the request
// complete, and its clocks have been taken.  Of persistent ones, `active`: it
// has been started and is not complete.

struct Receive : Tracked {
  static constexpr RequestKind kKind = RequestKind::kReceive;
  void renew() { cancelled = merged = finished = posted = false; }

  int source;  // as the program gave it
  int tag;
  bool cancelled;  // MPI_Cancel was called for it
  bool merged;
  // Completed in a call that is being evaluated: the handle is no longer valid.
  // The message it has received, or MPI_PROC_NULL for none.
  bool finished;
  int finished_source;
  int finished_tag;
  // The neighbours in the list of posted receives of the communicator.
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
  int reply_tag;  // the tag of the answer, or 0
  int64_t bytes;  // set only where calls are told apart
};

struct SynchronousSend : Tracked {
  static constexpr RequestKind kKind = RequestKind::kSynchronousSend;
  void renew() {}

  int dest;
  int reply_tag;  // the tag of the answer, or 0
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

// Calls call() with the request as what it is.
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

// Null if it is no receive of either kind.  Null for null.
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
  // The lists of one thread.
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

// All requests.  With several threads they are spread over shards, so that
// threads seldom wait for the same one.  With one thread, all are in the first.
struct Requests {
  static constexpr int kShards = 64;

  RequestShard shards[kShards];
  RequestPools pools;
  int posted_wildcards = 0;  // receives; not kept under MPI_THREAD_MULTIPLE
  // There has been a request of which nothing is known here, although it has a
  // partner.
  std::atomic<bool> strangers{false};
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_REQUESTS_TRACKED_H_
