#include "wrappers/edges/streams.h"

#include "wrappers/edges/comms.h"
#include "wrappers/edges/own_tags.h"
#include "wrappers/maybe_lock.h"
#include "wrappers/state.h"

namespace poprt::mpi {
bool Streams::has(const GivenUpStreams& set, int peer, int tag) {
  const MaybeLock lock(mutex);
  return set.has(peer, tag);
}

bool Streams::take_one_owed(int dest, int tag) {
  const MaybeLock lock(mutex);
  return owed.take(dest, tag);
}

void take_stops(CommInfo& comm) {
  // A ClockMessage without entries.
  int32_t stop[ClockMessage::bytes_for(0) / sizeof(int32_t)];
  for (;;) {
    int flag = 0;
    MPI_Message message;
    MPI_Status status;
    if (pmpi().Improbe(MPI_ANY_SOURCE, stop_tag(), comm.shadow, &flag, &message,
                       &status) != MPI_SUCCESS ||
        flag == 0 ||
        pmpi().Mrecv(&stop, sizeof stop, pmpi().byte, &message, &status) !=
            MPI_SUCCESS) {
      return;
    }
    const MaybeLock lock(comm.edges.streams.mutex);
    comm.edges.streams.stopped.add(
        status.MPI_SOURCE,
        stop[offsetof(ClockMessage, reply_tag) / sizeof(int32_t)]);
  }
}

int note_given_up(CommInfo& comm, int source, int tag) {
  taint(comm);
  const MaybeLock lock(comm.edges.streams.mutex);
  return comm.edges.streams.given_up.give_up(source, tag);
}

void owe_message(CommInfo& comm, int dest, int tag) {
  taint(comm);
  const MaybeLock lock(comm.edges.streams.mutex);
  comm.edges.streams.owed.add(dest, tag);
}

void stop_stream(MpiThread& thread, CommInfo& comm, int dest, int tag) {
  thread.thread.process().lost_clocks.add(1);
  const MaybeLock lock(comm.edges.streams.mutex);
  comm.edges.streams.stopped.add(dest, tag);
}

}  // namespace poprt::mpi
