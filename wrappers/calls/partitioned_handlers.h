// Handlers of partitioned messages (MPI 4.0).  Several threads make the parts
// of one message ready.  It carries the clocks of all of them, sent with the
// last part.
#ifndef POPRT_WRAPPERS_CALLS_PARTITIONED_HANDLERS_H_
#define POPRT_WRAPPERS_CALLS_PARTITIONED_HANDLERS_H_

#include "wrappers/calls/comm_scope.h"
#include "wrappers/edges/clock_exchange.h"
#include "wrappers/edges/own_tags.h"
#include "wrappers/maybe_lock.h"
#include "wrappers/requests/requests.h"

namespace poprt::mpi {

// The tag for the clocks of a new partitioned message.  Partitioned messages
// match in the order of their preparation, apart from all other messages.  With
// more than a thousand streams tags may collide, which only mixes their clocks.
inline int partitioned_tag(CommInfo& comm, int peer, int tag, bool to_peer) {
  const MaybeLock lock(comm.edges.streams.mutex);
  StreamCounts& counts =
      to_peer ? comm.edges.partitioned.to : comm.edges.partitioned.from;
  const auto count = static_cast<uint32_t>(counts.add(peer, tag));
  return own_tag(TagKind::kPartitioned,
                 31 * static_cast<uint32_t>(tag) + count);
}

template <class Call>
int prepare_partitioned_send(int partitions, int dest, int tag, MPI_Comm comm,
                             const MPI_Request* request, Call call) {
  const CallScope scope;
  CommInfo* const info = tracked_comm(scope.thread(), dest, tag, comm);
  const int code = call();
  if (info != nullptr && code == MPI_SUCCESS) {
    auto* const tracked = new_tracked<PartitionedSend>(*scope.thread(), info);
    tracked->dest = dest;
    tracked->tag = partitioned_tag(*info, dest, tag, true);
    tracked->count = partitions;
    track(tracked, *request);
  }
  return code;
}

template <class Call>
int prepare_partitioned_receive(int source, int tag, MPI_Comm comm,
                                const MPI_Request* request, Call call) {
  const CallScope scope;
  CommInfo* const info = tracked_comm(scope.thread(), source, tag, comm);
  const int code = call();
  if (info != nullptr && code == MPI_SUCCESS) {
    auto* const tracked =
        new_tracked<PartitionedReceive>(*scope.thread(), info);
    tracked->source = source;
    tracked->tag = partitioned_tag(*info, source, tag, false);
    track(tracked, *request);
  }
  return code;
}

// `count` more partitions are ready.
template <class Call>
int ready(MPI_Request request, int count, Call call) {
  const CallScope scope;
  Tracked* const tracked =
      // Another thread may be in a call that completes it.
      scope.thread() == nullptr ? nullptr : find_tracked(request, true);
  if (tracked != nullptr && tracked->kind == RequestKind::kPartitionedSend &&
      count > 0) {
    MpiThread& thread = *scope.thread();
    auto& send = *static_cast<PartitionedSend*>(tracked);
    Partitions& partitions = send.partitions;
    const MaybeLock lock(partitions.mutex);
    store_current(thread, thread.edges.scratch);
    merge(partitions.clocks, thread.edges.scratch, ClockMessage::kCapacity);
    partitions.left -= count;
    if (partitions.left == 0) {
      send_kept_clocks(thread, *send.comm, send.dest, send.tag,
                       partitions.clocks);
    }
  }
  return call();
}

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_CALLS_PARTITIONED_HANDLERS_H_
