// The program's requests that matter for the clocks: what is known of each, and
// where they are found.  requests.h works on them.
#ifndef POPRT_WRAPPERS_TRACKED_H_
#define POPRT_WRAPPERS_TRACKED_H_

#include <memory>
#include <mutex>
#include <vector>

#include "base/pool.h"
#include "measure/clock_message.h"
#include "wrappers/handle_table.h"
#include "wrappers/partitioned.h"
#include "wrappers/pmpi.h"

namespace poprt::mpi {

struct CommInfo;
struct ShadowOp;

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

// A request of the program whose completion matters for the clocks.
struct Tracked {
  RequestKind kind = RequestKind::kReceive;
  CommInfo* comm = nullptr;
  MPI_Request request;
  int peer = 0;  // source or destination, as the program gave it
  int tag = 0;
  bool active = true;      // persistent request: started and not completed
  bool cancelled = false;  // MPI_Cancel was called for it
  bool merged = false;     // MPI_Request_get_status has seen it complete
  // Completed in a call that is being evaluated: the handle is no longer valid.
  // The message it has received, or MPI_PROC_NULL for none.
  bool finished = false;
  int finished_source = 0;
  int finished_tag = 0;
  // The neighbours in the list of posted receives of the communicator.
  Tracked* older = nullptr;
  Tracked* newer = nullptr;
  bool posted = false;
  // The next older request with the same handle: MPI may give a handle to
  // another thread before the thread that has completed it looks it up here.
  Tracked* same_handle = nullptr;
  // A thread is in a call that may complete it, or is evaluating that call.
  bool claimed = false;
  // kCollective; kPersistentCollective if its shadow operation is persistent.
  ShadowOp* op = nullptr;
  // kPairwise, kPersistentCollective.
  std::vector<int> sources;
  std::vector<int> targets;  // of a persistent collective
  bool contributes = true;
  // kPartitionedSend; kept for the next request that uses this object.
  int partition_count = 0;
  std::unique_ptr<Partitions> partitions;
  // Receives: the clocks at posting, for the sender of a synchronous message.
  std::vector<ClockEntry> posted_clocks;  // never shrinks
  int posted_clock_count = 0;
  // Synchronous sends: the tag of the answer, or 0.
  bool synchronous = false;
  int reply_tag = 0;
  CommInfo* created = nullptr;  // kNewComm
  MPI_Comm* created_handle = nullptr;
};

struct alignas(64) RequestShard {
  std::mutex mutex;
  HandleTable<Tracked> table;
};

// All of them.  With several threads they are spread over shards, so that
// threads seldom wait for the same one.  With one thread, all are in the first.
struct Requests {
  static constexpr int kShards = 64;

  RequestShard shards[kShards];
  Pool<Tracked> pool;
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_TRACKED_H_
