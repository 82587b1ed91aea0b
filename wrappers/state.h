// What the MPI layer knows about the job, about each communicator and each
// thread: put together of what each part of the layer keeps there.
//
// Locks are taken only if the program asked for MPI_THREAD_MULTIPLE, and never
// across a call that may wait for another process.  Sending or receiving a
// message takes no lock that all threads share.
#ifndef POPRT_WRAPPERS_STATE_H_
#define POPRT_WRAPPERS_STATE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/own_frames.h"
#include "base/pool.h"
#include "clocks/clock_message.h"
#include "measure/events.h"
#include "measure/mpi_waits.h"
#include "wrappers/edges/collective_clocks.h"
#include "wrappers/edges/comm_table.h"
#include "wrappers/edges/neighbors.h"
#include "wrappers/edges/partitioned.h"
#include "wrappers/edges/send_slots.h"
#include "wrappers/edges/shadow_op.h"
#include "wrappers/edges/shared_shadow.h"
#include "wrappers/edges/streams.h"
#include "wrappers/edges/sync_answers.h"
#include "wrappers/edges/windows.h"
#include "wrappers/node/node.h"
#include "wrappers/node/node_board.h"
#include "wrappers/node/roll_call.h"
#include "wrappers/pmpi.h"
#include "wrappers/requests/posted_receives.h"
#include "wrappers/requests/tracked.h"

namespace poprt::mpi {

// The ranks of a communicator's peers in MPI_COMM_WORLD, where someone has
// asked for them.
struct WorldRanks {
  WorldRanks() = default;
  ~WorldRanks() { delete list.load(); }
  WorldRanks(const WorldRanks&) = delete;
  WorldRanks& operator=(const WorldRanks&) = delete;

  std::atomic<std::vector<int>*> list{nullptr};
};

// A communicator, or the processes of a window: more than one process, all of
// this world.  What belongs to one part of the layer is declared there.
struct CommInfo {
  MPI_Comm comm;
  MPI_Comm shadow;   // for the tool's messages
  MPI_Comm for_all;  // for its collectives: the shadow or the program's own
  // The same on all its processes; no other communicator has had it.
  uint64_t key = 0;
  int rank = 0;
  int size = 0;  // of the own group
  // The processes to which messages go: for an intercommunicator the remote
  // group.
  bool inter = false;
  int peers = 0;
  int self = 0;        // this process's rank among the peers, or -1
  uint32_t idups = 0;  // how many copies MPI_Comm_idup has made

  // How many users the shadow has: the program's handle, each request and each
  // shadow operation.  The shadow lives as long as any of them, because a
  // communicator may be freed while its operations are under way.
  std::atomic<int> users{1};
  std::atomic<bool> tainted{false};  // see taint()

  SharedShadow shared;
  PlacesOnNode node;
  // Null: the clocks of its collectives go by message.
  std::unique_ptr<BoardsOfComm> boards;
  CollectiveClocks collectives;
  Neighbors neighbors;
  Streams streams;
  PostedReceives posted;
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

// The MPI layer's data of a thread, used by that thread only.
struct MpiThread : LayerState {
  explicit MpiThread(Thread& t) : thread(t), waits(t) {}

  Thread& thread;
  MpiThread* next = nullptr;      // in the list of all threads
  State before = State::kUseful;  // the state to return to after the call
  uintptr_t frame = 0;            // stack frame of the call
  MpiWaits waits;
  // Clocks that have arrived in this call.  They are merged when it ends.
  ClockMessage arrived;
  // What goes to all processes of a communicator in this call.
  ClockMessage outgoing;
  ClockMessage scratch;

  // Its clocks at some receive that it has posted; null if there was none with
  // many regions.
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
  RequestPools::Local free_requests;
  Pool<ShadowOp>::Local free_ops;
  // Memory for calls that complete requests.
  std::vector<MPI_Request> handles;
  // the requests' entries; only with MPI_THREAD_MULTIPLE
  std::vector<Tracked*> claimed;
  std::vector<MPI_Status> statuses;

  // Only where calls are told apart (sited_call.h).
  CallSites* sites = nullptr;
  std::vector<MPI_Status> site_statuses;
  std::unique_ptr<OwnFrames> own_frames;  // null: no library passes calls on
  std::vector<bool> expected_receives;
};

// Null if the thread has not been in MPI.
inline MpiThread* mpi_thread(const Thread& thread) {
  return static_cast<MpiThread*>(thread.layer(EventLayer::kMpi));
}

struct Job {
  bool multiple = false;  // MPI_THREAD_MULTIPLE
  int tag_limit = 0;      // larger tags are the tool's, see kOwnTags
  MPI_Group world;        // all processes of this world
  // Whether all of them have this library.  kSome: no clocks travel, and the
  // tool sends nothing.
  std::atomic<Roll> roll{Roll::kUndecided};
  // A communicator of all processes, for the end of the run.  Null for a single
  // process, or if a program with sessions has not made one.
  std::atomic<CommInfo*> everybody{nullptr};
  // All threads that have been in MPI, the latest one first.
  std::atomic<MpiThread*> threads{nullptr};

  ClockTypes types;
  Requests requests;
  int posted_wildcards = 0;  // receives; not kept under MPI_THREAD_MULTIPLE
  Pool<ShadowOp> op_pool;
  CommTable comms;
  WindowTable windows;
  Sharing sharing;
};

// Made on first use and never destroyed, because threads may still be in MPI
// when main() has returned.
extern constinit std::atomic<Job*> g_job;
Job& new_job();
[[gnu::always_inline]] inline Job& job() {
  Job* const known = g_job.load(std::memory_order_acquire);
  if (known == nullptr) [[unlikely]]
    return new_job();
  return *known;
}
// Whether there is a process that a call could wait for.
inline bool has_other_processes() {
  return job().everybody.load(std::memory_order_relaxed) != nullptr ||
         job().roll.load(std::memory_order_relaxed) == Roll::kSome;
}

// Whether calls are measured: between MPI_Init and MPI_Finalize.
extern std::atomic<bool> g_active;

// The tags below MPI's upper bound that the tool keeps for itself: a range for
// pairwise exchanges, for answers to synchronous sends, for persistent
// collectives, for partitioned messages, and for clocks on shared shadows; one
// tag for streams that are given up, and one for the end of the run.
inline constexpr int kTagsOfAKind = 1024;
enum class TagKind { kPairwise, kReply, kPersistent, kPartitioned, kShared };
inline constexpr int kOwnTags = 5 * kTagsOfAKind + 2;
inline int own_tag(TagKind kind, uint32_t number) {
  return job().tag_limit + 1 + static_cast<int>(kind) * kTagsOfAKind +
         static_cast<int>(number % kTagsOfAKind);
}

inline int stop_tag() { return job().tag_limit + kOwnTags - 1; }

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_STATE_H_
