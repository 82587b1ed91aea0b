// What this folder keeps of the job, of each communicator and of each thread.
#ifndef POPRT_WRAPPERS_EDGES_STATE_H_
#define POPRT_WRAPPERS_EDGES_STATE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/pool.h"
#include "clocks/clock_message.h"
#include "wrappers/edges/collective_clocks.h"
#include "wrappers/edges/comm_table.h"
#include "wrappers/edges/neighbors.h"
#include "wrappers/edges/partitioned.h"
#include "wrappers/edges/posted_clocks.h"
#include "wrappers/edges/send_slots.h"
#include "wrappers/edges/shadow_op.h"
#include "wrappers/edges/shared_shadow.h"
#include "wrappers/edges/streams.h"
#include "wrappers/edges/sync_answers.h"
#include "wrappers/edges/windows.h"
#include "wrappers/node/kept_clocks.h"

namespace poprt::mpi {

struct EdgesOfJob {
  ClockTypes types;
  Pool<ShadowOp> op_pool;
  CommTable comms;
  WindowTable windows;
  Sharing sharing;
};

// The ranks of a communicator's peers in MPI_COMM_WORLD.  Null until needed.
struct WorldRanks {
  WorldRanks() = default;
  ~WorldRanks() { delete list.load(); }
  WorldRanks(const WorldRanks&) = delete;
  WorldRanks& operator=(const WorldRanks&) = delete;

  std::atomic<std::vector<int>*> list{nullptr};
};

struct EdgesOfComm {
  // How many users the shadow has: the program's handle, each request and each
  // shadow operation.  The shadow lives as long as any of them, because a
  // communicator may be freed while its operations are under way.
  std::atomic<int> users{1};
  std::atomic<bool> tainted{false};  // see taint()
  uint32_t idups = 0;                // how many copies MPI_Comm_idup has made

  // On a shared shadow: clocks of this communicator that came while a process
  // took those of another one.
  KeptClocks kept;
  CollectiveClocks collectives;
  Neighbors neighbors;
  Streams streams;
  SyncAnswers answers;
  PartitionedStreams partitioned;
  WorldRanks world_ranks;
};

// The ranks to which this process sends data in a call, and from which it
// receives data.
struct Links {
  void clear() {
    to.clear();
    from.clear();
  }

  std::vector<int> to;
  std::vector<int> from;
};

struct EdgesOfThread {
  // Clocks that have arrived in the present call, which merges them at its end.
  ClockMessage arrived;
  // Clocks that the present call sends to all processes of a communicator.
  ClockMessage outgoing;
  ClockMessage scratch;

  // The thread's clocks when it posted some receive (PostedClocks::before), or
  // null.
  std::shared_ptr<const AllClocks> all_clocks;

  SendSlots slots;
  // shadow operations that have not completed in time
  std::vector<ShadowOp*> late;
  int late_replies = 0;  // how many of these are answers to synchronous sends

  // Cache of the communicator that was used last.
  uintptr_t comm_key = 0;
  CommInfo* comm = nullptr;
  uint32_t comm_generation = 0;

  // For calls in which data moves pairwise.
  Links links;
  Pool<ShadowOp>::Local free_ops;
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EDGES_STATE_H_
