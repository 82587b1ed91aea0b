// What the MPI layer knows about the job, about each communicator, each thread,
// and each request that is under way.
//
// Locks are taken only if the program asked for MPI_THREAD_MULTIPLE, and never
// across a call that may wait for another process.  Sending or receiving a
// message takes no lock that all threads share.
#ifndef POPRT_WRAPPERS_STATE_H_
#define POPRT_WRAPPERS_STATE_H_

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "base/pool.h"
#include "measure/clock_message.h"
#include "measure/events.h"
#include "wrappers/handle_table.h"
#include "wrappers/kept_clocks.h"
#include "wrappers/pmpi.h"
#include "wrappers/stream_set.h"

namespace poprt::mpi {

struct Board;
struct CommInfo;

// An operation of the tool under way on the shadow communicator, with the
// clocks of one call.
struct ShadowOp {
  CommInfo* comm = nullptr;
  MPI_Request request;
  bool wanted = false;  // the result will be merged here
  bool relays = false;  // others may need this process to pass clocks on
  bool reply = false;   // an answer to a synchronous send, not a collective
  // For a persistent one: it may be under way.  MPICH 4.0 waits for ever for
  // one that was never started.
  bool started = false;
  Moment event;  // the event for which a late result is merged
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

// The partitions of a message that several threads make ready.  The last one
// sends the clocks of all.
struct Partitions {
  std::mutex mutex;
  int left = 0;
  ClockMessage clocks;
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

// Clocks of a message whose receive has not completed yet, received early
// because a later message of the stream completed first.
struct EarlyClocks {
  int source;
  int tag;
  std::unique_ptr<ClockMessage> message;
};

// The boards of a communicator (node_board.h).
struct BoardsOfComm {
  Board* own;
  std::vector<const Board*> others;
  uint32_t round = 0;       // number of the last completed round
  bool incomplete = false;  // this process's clocks on the board are incomplete
};

// A communicator, or the processes of a window: more than one process, all of
// this world.
struct CommInfo {
  MPI_Comm comm;
  MPI_Comm shadow;   // for the tool's messages
  MPI_Comm for_all;  // for its collectives: the shadow or the program's own
  // Without a shadow of its own (shared_shadow.h): the communicator that the
  // shadow was made for, this one's ranks there (empty: the same ranks), and
  // clocks that came while those of another communicator were asked for.
  CommInfo* carrier = nullptr;
  std::vector<int> ranks_there;
  KeptClocks kept;
  // The same on all its processes; no other communicator has had it.
  uint64_t key = 0;
  uint32_t idups = 0;  // how many copies MPI_Comm_idup has made
  int rank = 0;
  int size = 0;  // of the own group
  // The processes to which messages go: for an intercommunicator the remote
  // group.
  bool inter = false;
  int peers = 0;
  int self = 0;  // this process's rank among the peers, or -1
  // Clocks of more regions than fit into the short message have been seen on
  // this communicator.  All its processes have seen that in the same call.
  // Always set on an intercommunicator, whose groups see different results.
  bool many_regions = false;
  // number of pairwise calls so far, the same on all processes
  uint32_t pairwise_calls = 0;
  // number of persistent collectives so far, likewise
  uint32_t persistent_calls = 0;
  // How many partitioned messages have been prepared in each stream, to and
  // from this process.
  StreamCounts partitioned_to;
  StreamCounts partitioned_from;
  std::atomic<uint32_t> replies{0};  // number of answers asked for
  // A number that is the same on all its processes, and that no other
  // communicator of theirs has. 0: none.
  uint32_t number = 0;
  // The places of its processes among those of this node (node.h).
  bool places_known = false;
  std::vector<int16_t> places;
  // The boards of its collectives (node_board.h).  Null: their clocks go by
  // message.
  std::unique_ptr<BoardsOfComm> boards;
  bool neighbors_known = false;
  std::vector<int> in_neighbors;
  std::vector<int> out_neighbors;

  // How many users the shadow has: the program's handle, each request and each
  // shadow operation.  The shadow lives as long as any of them, because a
  // communicator may be freed while its operations are under way.
  std::atomic<int> users{1};
  std::atomic<bool> tainted{false};  // see taint()

  // Posted receives; not kept under MPI_THREAD_MULTIPLE.
  Tracked* oldest = nullptr;
  Tracked* newest = nullptr;
  std::vector<EarlyClocks> early;

  std::mutex stream_mutex;
  // Streams on which clocks did not come, so that none are expected any more,
  // and streams that a receiver has given up, so that none are sent.
  GivenUpStreams given_up;
  GivenUpStreams stopped;
  std::atomic<uint32_t> sent_by_message{0};
  // Streams whose last clocks belong to a message that MPI has refused: the
  // next message uses them.
  StreamCounts owed;
  // Under MPI_THREAD_MULTIPLE: held for a non-blocking send and its clocks, so
  // that both streams have the same order.
  Mutex send_mutex;

  // How long to wait for late clocks.  Halved by each wait in vain, so that all
  // waits of a communicator together are bounded.
  std::atomic<int64_t> patience_ns{1'000'000'000};
  // The patience for shadow collectives.  They are late if a process that
  // passes clocks on has left the call; their clocks are not lost but merged
  // later.
  std::atomic<int64_t> collective_patience_ns{250'000'000};
  // The patience of a process that only passes clocks on.
  std::atomic<int64_t> relay_patience_ns{2'000'000};
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

// On a shared shadow: which communicator and which of its tags clocks belong
// to.
struct Label {
  bool operator==(const Label&) const = default;

  uint64_t key;
  int64_t tag;
};
// The label comes directly after the clocks that are there.
struct LabelledClocks {
  size_t bytes() const { return clocks.bytes() + sizeof(Label); }
  void put_label(const Label& label) {
    std::memcpy(end(), &label, sizeof label);
  }
  Label label() {
    Label label;
    std::memcpy(&label, end(), sizeof label);
    return label;
  }

  ClockMessage clocks;
  unsigned char room[sizeof(Label)];

 private:
  char* end() { return reinterpret_cast<char*>(this) + clocks.bytes(); }
};

// A message with clocks that is being sent.
struct SendSlot {
  LabelledClocks labelled;
  MPI_Request request;
  bool busy = false;
};

// The MPI layer's data of a thread, used by that thread only.
struct MpiThread : LayerState {
  explicit MpiThread(Thread& t) : thread(t) {}

  Thread& thread;
  MpiThread* next = nullptr;      // in the list of all threads
  State before = State::kUseful;  // the state to return to after the call
  uintptr_t frame = 0;            // stack frame of the call
  // Clocks that have arrived in this call.  They are merged when it ends.
  ClockMessage arrived;
  ClockMessage scratch;

  // A ring: the slot after the last one used is most likely free.
  std::vector<std::unique_ptr<SendSlot>> slots;
  size_t next_slot = 0;
  // shadow operations that have not completed in time
  std::vector<ShadowOp*> late;
  int late_replies = 0;  // how many of these are answers to synchronous sends

  // Cache of the communicator that was used last.
  uintptr_t comm_key = 0;
  CommInfo* comm = nullptr;
  uint32_t comm_generation = 0;

  // For calls in which data moves pairwise.
  Links links;
  Pool<Tracked>::Local free_requests;
  Pool<ShadowOp>::Local free_ops;
  // Memory for calls that complete requests.
  std::vector<MPI_Request> handles;
  // the requests' entries; only with MPI_THREAD_MULTIPLE
  std::vector<Tracked*> claimed;
  std::vector<MPI_Status> statuses;

  uint32_t messages = 0;  // number of messages of the tool
};

// Null if the thread has not been in MPI.
inline MpiThread* mpi_thread(const Thread& thread) {
  return static_cast<MpiThread*>(thread.layer(EventLayer::kMpi));
}

// A window: its processes, and the partners in its open epochs.
struct Window {
  CommInfo* comm = nullptr;
  std::vector<int> targets;  // of MPI_Win_start
  std::vector<int> origins;  // of MPI_Win_post
};

struct alignas(64) RequestShard {
  std::mutex mutex;
  HandleTable<Tracked> table;
};

struct Job {
  bool multiple = false;  // MPI_THREAD_MULTIPLE
  int tag_limit = 0;      // larger tags are the tool's, see kOwnTags
  MPI_Group world;        // all processes of this world
  // A communicator of all processes, for the end of the run.  Null for a single
  // process, or if a program with sessions has not made one.
  std::atomic<CommInfo*> everybody{nullptr};
  MPI_Datatype short_type;
  MPI_Datatype long_type;
  MPI_Op short_op;
  MPI_Op long_op;

  // With several threads, requests are spread over shards, so that threads
  // seldom wait for the same one.  With one thread, all are in the first.
  static constexpr int kRequestShards = 64;
  RequestShard requests[kRequestShards];
  Pool<Tracked> request_pool;
  Pool<ShadowOp> op_pool;

  // All threads that have been in MPI, the latest one first.
  std::atomic<MpiThread*> threads{nullptr};

  std::mutex mutex;
  // Protected by the mutex.
  HandleTable<CommInfo> comms;
  HandleTable<Window> windows;
  // Also of communicators that the program still has.
  std::vector<MPI_Comm> tainted_shadows;
  std::atomic<uint32_t> comm_generation{0};
  std::atomic<int> shadows{0};
  std::atomic<int> next_comm_number{1};
  std::atomic<int> keys{0};  // given by this process
  // made by MPI_Comm_idup and not complete yet
  std::atomic<int> unfinished_comms{0};
  int posted_wildcards = 0;  // not kept under MPI_THREAD_MULTIPLE

  Mutex sharing_mutex;
  // Under sharing_mutex, like their `kept`: communicators without a shadow of
  // their own, by their keys.
  std::unordered_map<uint64_t, CommInfo*> sharing;
};

// Made on first use and never destroyed, because threads may still be in MPI
// when main() has returned.
extern constinit std::atomic<Job*> g_job;
Job& new_job();
inline Job& job() {
  Job* const known = g_job.load(std::memory_order_acquire);
  return known != nullptr ? *known : new_job();
}
// Whether calls are measured: between MPI_Init and MPI_Finalize.
extern std::atomic<bool> g_active;

// How many regions fit into a short message: Global and a few.
inline constexpr int kShortCapacity = 5;
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
