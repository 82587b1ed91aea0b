// What the MPI layer knows: of the job, of each communicator, of each thread,
// of each request that is under way.
//
// Locks are taken only where the program asked for MPI_THREAD_MULTIPLE, and
// never across a call that may wait for another process; on the way of a
// message none that all threads share.
#ifndef POPRT_WRAPPERS_STATE_H_
#define POPRT_WRAPPERS_STATE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/clock_message.h"
#include "runtime/events.h"
#include "runtime/pool.h"
#include "wrappers/handle_table.h"
#include "wrappers/pmpi.h"
#include "wrappers/stream_set.h"

namespace poprt::mpi {

struct Board;
struct CommInfo;

// A shadow collective under way: the clocks of one call, on their way on the
// shadow communicator.
struct ShadowOp {
  CommInfo* comm = nullptr;
  MPI_Request request;
  bool wanted = false;  // the result is to be merged here
  bool relays = false;  // others may need this process to pass clocks on
  bool reply = false;   // an answer to a synchronous send, not a collective
  // Of a persistent one: it may be under way.  MPICH 4.0 waits for ever for one
  // that was never started.
  bool started = false;
  Moment event;  // where the merge comes late: when it belongs to
  ClockMessage out;
  ClockMessage in;
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

// The partitions of a message that several threads make ready; the last one
// sends the clocks of all.
struct Partitions {
  std::mutex mutex;
  int left = 0;
  ClockMessage clocks;
};

// A request of the program whose completion means something to the clocks.
struct Tracked {
  RequestKind kind = RequestKind::kReceive;
  CommInfo* comm = nullptr;
  MPI_Request request;
  int peer = 0;  // source or destination, as given
  int tag = 0;
  bool active = true;      // persistent: started and not completed
  bool cancelled = false;  // MPI_Cancel was called for it
  bool merged = false;     // MPI_Request_get_status has seen it complete
  // Complete, in a call that is just being evaluated: the handle is not valid
  // any more.  Its message was this one, or none (MPI_PROC_NULL).
  bool finished = false;
  int finished_source = 0;
  int finished_tag = 0;
  // Posted receives of a communicator, in the order of posting.
  Tracked* older = nullptr;
  Tracked* newer = nullptr;
  bool posted = false;
  // Requests that share a handle, the newest first: MPI may give a handle to
  // another thread before the thread that has completed it looks here.
  Tracked* same_handle = nullptr;
  // A thread is in a call that may complete it, or is evaluating it.
  bool claimed = false;
  // kCollective; kPersistentCollective, where its request is persistent too.
  ShadowOp* op = nullptr;
  // kPairwise, kPersistentCollective.
  std::vector<int> sources;
  std::vector<int> targets;  // of a persistent one
  bool contributes = true;
  // kPartitionedSend; kept for the next request.
  int partition_count = 0;
  std::unique_ptr<Partitions> partitions;
  // Receives: the clocks when it was posted, for the sender of a synchronous
  // message.
  std::vector<ClockEntry> posted_clocks;  // never smaller again
  int posted_clock_count = 0;
  // Synchronous sends: where the answer comes, or 0.
  bool synchronous = false;
  int reply_tag = 0;
  CommInfo* created = nullptr;  // kNewComm
  MPI_Comm* created_handle = nullptr;
};

// Clocks that were received for a message whose receive has not completed yet,
// because a later message of the stream completed first.
struct EarlyClocks {
  int source;
  int tag;
  std::unique_ptr<ClockMessage> message;
};

// The boards of a communicator, see node_board.h.
struct BoardsOfComm {
  Board* own;
  std::vector<const Board*> others;
  uint32_t round = 0;       // that all have finished
  bool incomplete = false;  // what this process wrote for the next one
};

// A communicator, or the processes of a window: more than one process, all of
// this world.
struct CommInfo {
  MPI_Comm comm;
  MPI_Comm shadow;  // the tool's own traffic
  // Where the shadow is still being made (MPI_Comm_idup).
  std::atomic<bool> shadow_pending{false};
  MPI_Request shadow_request;
  CommInfo* shadow_parent = nullptr;  // must live until it is made
  int rank = 0;
  int size = 0;  // of the own group
  // Whom messages go to: the remote group of an intercommunicator.
  bool inter = false;
  int peers = 0;
  int self = 0;  // this process among the peers, or -1
  // Clocks of more regions than fit the short message have been seen on this
  // communicator, by all its processes at the same call.  Always on an
  // intercommunicator, whose two groups see different results.
  bool many_regions = false;
  uint32_t pairwise_calls = 0;    // numbers them, the same on all processes
  uint32_t persistent_calls = 0;  // the same for persistent collectives
  // How many partitioned messages have been prepared for each stream, to and
  // from this process.
  StreamCounts partitioned_to;
  StreamCounts partitioned_from;
  std::atomic<uint32_t> replies{0};  // asked for
  // The same on all its processes, and no other of theirs has it; 0: none.
  uint32_t number = 0;
  // Where its processes are among those of this node, see node.h.
  bool places_known = false;
  std::vector<int16_t> places;
  // Where its collectives have their clocks; null: in messages, see
  // node_board.h.
  std::unique_ptr<BoardsOfComm> boards;
  bool neighbors_known = false;
  std::vector<int> in_neighbors;
  std::vector<int> out_neighbors;

  // The program's handle, each request and each shadow collective.  The shadow
  // lives as long as any of them: a communicator may be freed while its
  // operations are under way.
  std::atomic<int> users{1};
  std::atomic<bool> tainted{false};  // see taint()

  // Posted receives; not kept under MPI_THREAD_MULTIPLE.
  Tracked* oldest = nullptr;
  Tracked* newest = nullptr;
  std::vector<EarlyClocks> early;

  std::mutex stream_mutex;
  // Where clocks did not come, so that nothing more is expected; and those to
  // other processes, who have said the same.
  GivenUpStreams given_up;
  GivenUpStreams stopped;
  std::atomic<uint32_t> sent_by_message{0};
  // Streams whose last clocks belong to messages that MPI has refused: the next
  // messages have their clocks already.
  StreamCounts owed;
  // Under MPI_THREAD_MULTIPLE: a non-blocking send and its clocks, so that both
  // streams have the same order.
  std::mutex send_mutex;

  // How long to wait for clocks that are late; halved by each loss, so that
  // all waits of a communicator together are bounded.
  std::atomic<int64_t> patience_ns{1'000'000'000};
  // The same for shadow collectives, which are late where a process that
  // passes clocks on has left the call: these are not lost, only merged later.
  std::atomic<int64_t> collective_patience_ns{250'000'000};
  // And for a process that needs nothing itself and only passes clocks on.
  std::atomic<int64_t> relay_patience_ns{2'000'000};
};

// The ranks that this process sends data to and has data from.
struct Links {
  void clear() {
    to.clear();
    from.clear();
  }

  std::vector<int> to;
  std::vector<int> from;
};

// A clock message that is being sent.
struct SendSlot {
  ClockMessage message;
  MPI_Request request;
  bool busy = false;
};

// What the MPI layer hangs on a thread; used by that thread only.
struct MpiThread {
  explicit MpiThread(Thread& t) : thread(t) {}

  Thread& thread;
  State before = State::kUseful;  // the state to return to
  uintptr_t frame = 0;            // that of the call
  // The clocks that came in during this call, merged when it ends.
  ClockMessage arrived;
  ClockMessage scratch;

  // A ring: the slot after the one used last is most likely free.
  std::vector<std::unique_ptr<SendSlot>> slots;
  size_t next_slot = 0;
  std::vector<ShadowOp*> late;  // shadow operations not completed in time
  int late_replies = 0;         // of these, answers to synchronous sends

  // The communicator used last.
  uintptr_t comm_key = 0;
  CommInfo* comm = nullptr;
  uint32_t comm_generation = 0;

  // For calls in which data moves pairwise.
  Links links;
  Pool<Tracked>::Local free_requests;
  Pool<ShadowOp>::Local free_ops;
  // For calls that complete requests.
  std::vector<MPI_Request> handles;
  std::vector<Tracked*> claimed;  // of these; MPI_THREAD_MULTIPLE only
  std::vector<MPI_Status> statuses;

  uint32_t messages = 0;  // of the tool
};

// A window: its processes, and those of the epochs that are open on it.
struct Window {
  CommInfo* comm = nullptr;
  std::vector<int> targets;  // MPI_Win_start
  std::vector<int> origins;  // MPI_Win_post
};

struct alignas(64) RequestShard {
  std::mutex mutex;
  HandleTable<Tracked> table;
};

struct Job {
  bool multiple = false;  // MPI_THREAD_MULTIPLE
  int tag_limit = 0;      // larger tags are the tool's own, see kOwnTags
  MPI_Group world;        // all processes of this world
  // They all, for the end of the run; null where there is one process, or where
  // a program with sessions has not made such a communicator.
  CommInfo* everybody = nullptr;
  MPI_Datatype short_type;
  MPI_Datatype long_type;
  MPI_Op short_op;
  MPI_Op long_op;

  // Threads that are in MPI at once seldom meet in one shard; all requests are
  // in the first where there is only one thread.
  static constexpr int kRequestShards = 64;
  RequestShard requests[kRequestShards];
  Pool<Tracked> request_pool;
  Pool<ShadowOp> op_pool;

  std::mutex mutex;
  // Under mutex.
  HandleTable<CommInfo> comms;
  HandleTable<Window> windows;
  std::vector<MpiThread*> threads;
  // Whether the program still has the communicator or not: one with a receive
  // that it freed is never released.
  std::vector<MPI_Comm> tainted_shadows;
  std::atomic<uint32_t> comm_generation{0};
  std::atomic<int> shadows{0};
  std::atomic<int> next_comm_number{1};
  std::atomic<int> unfinished_comms{0};  // begun by MPI_Comm_idup
  int posted_wildcards = 0;              // not kept under MPI_THREAD_MULTIPLE
};

// Made when it is first asked for, and never destroyed: threads may still be in
// MPI when main() has returned.
extern constinit std::atomic<Job*> g_job;
Job& new_job();
inline Job& job() {
  Job* const known = g_job.load(std::memory_order_acquire);
  return known != nullptr ? *known : new_job();
}
// Between MPI_Init and MPI_Finalize.
extern std::atomic<bool> g_active;

// Regions in a short message: Global and a few.
inline constexpr int kShortCapacity = 5;
// Tags below the upper bound that the tool keeps for itself, each kind in turn:
// for pairwise exchanges, for answers to synchronous sends, for persistent
// collectives, for partitioned messages; one for streams that are given up, one
// for the end of the run.
inline constexpr int kTagsOfAKind = 1024;
enum class TagKind { kPairwise, kReply, kPersistent, kPartitioned };
inline constexpr int kOwnTags = 4 * kTagsOfAKind + 2;
inline int own_tag(TagKind kind, uint32_t number) {
  return job().tag_limit + 1 + static_cast<int>(kind) * kTagsOfAKind +
         static_cast<int>(number % kTagsOfAKind);
}

inline int stop_tag() { return job().tag_limit + kOwnTags - 1; }

// Locks only where several threads may be in MPI.
class MaybeLock {
 public:
  explicit MaybeLock(std::mutex& mutex)
      : mutex_(job().multiple ? &mutex : nullptr) {
    if (mutex_ != nullptr) mutex_->lock();
  }
  ~MaybeLock() {
    if (mutex_ != nullptr) mutex_->unlock();
  }
  MaybeLock(const MaybeLock&) = delete;
  MaybeLock& operator=(const MaybeLock&) = delete;

 private:
  std::mutex* const mutex_;
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_STATE_H_
