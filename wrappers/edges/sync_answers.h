// Answers to synchronous sends: the sender depends on the receive having been
// posted, so the receiver answers with the clocks of that moment.
#ifndef POPRT_WRAPPERS_EDGES_SYNC_ANSWERS_H_
#define POPRT_WRAPPERS_EDGES_SYNC_ANSWERS_H_

#include <atomic>
#include <cstdint>

namespace poprt::mpi {

struct CommInfo;
struct MpiThread;
struct PostedClocks;

// What a communicator keeps of its answers.
struct SyncAnswers {
  std::atomic<uint32_t> asked_for{0};
};

// A tag for the answer to a synchronous send, or 0 if too many answers are
// still missing.
int new_reply_tag(MpiThread& thread, CommInfo& comm);
// Answers the sender `source` with the clocks that the receive was posted with;
// null for a blocking receive, which was posted when this call began.
void answer(MpiThread& thread, const CommInfo& comm, const PostedClocks* posted,
            int source, int reply_tag);
// Receives clocks that have most likely arrived already.  If they have not,
// they are merged when they come.  Used for the answer to a completed
// synchronous send, which the receiver may send as late as in its MPI_Wait, and
// for the start of an exposure epoch.
void take_soon(MpiThread& thread, CommInfo& comm, int source, int tag);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EDGES_SYNC_ANSWERS_H_
