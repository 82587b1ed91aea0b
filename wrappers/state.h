// What the MPI layer knows about the job, about each communicator and each
// thread: what all of its rooms know, and what each room keeps there, which is
// declared in the room's own state.h.
//
// Locks are taken only if the program asked for MPI_THREAD_MULTIPLE, and never
// across a call that may wait for another process.  Sending or receiving a
// message takes no lock that all threads share.
#ifndef POPRT_WRAPPERS_STATE_H_
#define POPRT_WRAPPERS_STATE_H_

#include <atomic>
#include <cstdint>
#include <vector>

#include "measure/call_sites.h"
#include "measure/events.h"
#include "measure/mpi_waits.h"
#include "wrappers/calls/state.h"
#include "wrappers/edges/state.h"
#include "wrappers/node/state.h"
#include "wrappers/pmpi.h"
#include "wrappers/requests/state.h"

namespace poprt::mpi {

// A communicator, or the processes of a window: more than one process, all of
// this world.
struct CommInfo {
  // The rank on the shadow of the process that has this rank here.
  int rank_there(int here) const {
    return ranks_there.empty() ? here : ranks_there[static_cast<size_t>(here)];
  }

  MPI_Comm comm;
  MPI_Comm shadow;   // for the tool's messages
  MPI_Comm for_all;  // for its collectives: the shadow or the program's own
  // The communicator that the shadow was made for; null if it is this one's
  // own.
  CommInfo* carrier = nullptr;
  // This one's ranks there; empty: the same ranks.
  std::vector<int> ranks_there;
  // The same on all its processes; no other communicator has had it.
  uint64_t key = 0;
  int rank = 0;
  int size = 0;  // of the own group
  // The processes to which messages go: for an intercommunicator the remote
  // group.
  bool inter = false;
  int peers = 0;
  int self = 0;  // this process's rank among the peers, or -1

  NodeOfComm node;
  EdgesOfComm edges;
  PostedReceives posted;
};

// The MPI layer's data of a thread, used by that thread only.
struct MpiThread : LayerState {
  explicit MpiThread(Thread& t) : thread(t), waits(t) {}

  Thread& thread;
  MpiThread* next = nullptr;   // in the list of all threads
  CallSites* sites = nullptr;  // null: calls are not told apart
  CallsOfThread call;
  MpiWaits waits;
  EdgesOfThread edges;
  RequestsOfThread requests;
};

// Null if the thread has not been in MPI.
inline MpiThread* mpi_thread(const Thread& thread) {
  return static_cast<MpiThread*>(thread.layer(EventLayer::kMpi));
}

// Registers a thread that calls MPI for the first time.
MpiThread* new_mpi_thread();

struct Job {
  bool multiple = false;    // MPI_THREAD_MULTIPLE
  int tag_bound = 0;        // the largest tag of a message with clocks
  int before_own_tags = 0;  // the tags behind it are the tool's (own_tags.h)
  MPI_Group world;          // all processes of this world
  // A communicator of all processes, for the end of the run.  Null for a single
  // process, or if a program with sessions has not made one.
  std::atomic<CommInfo*> everybody{nullptr};
  // All threads that have been in MPI, the latest one first.
  std::atomic<MpiThread*> threads{nullptr};

  NodeOfJob node;
  EdgesOfJob edges;
  Requests requests;
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
         job().node.roll.load(std::memory_order_relaxed) == Roll::kSome;
}

// Whether calls are measured: between MPI_Init and MPI_Finalize.
extern std::atomic<bool> g_active;

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_STATE_H_
