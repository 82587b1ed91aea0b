// The receives that are posted on a communicator, in the order of posting.  MPI
// gives the messages of a stream (communicator, source, tag) to receives in
// this order, in whatever order they complete (rule R3b of docs/edges.md).
//
// Not kept under MPI_THREAD_MULTIPLE, where the order of posting is not known,
// and a wrong guess would wait for clocks that were never sent.  So there each
// message takes the next clocks of its stream, which may be too early, never
// too late.
#ifndef POPRT_WRAPPERS_REQUESTS_POSTED_RECEIVES_H_
#define POPRT_WRAPPERS_REQUESTS_POSTED_RECEIVES_H_

#include "wrappers/state.h"

namespace poprt::mpi {

void add_posted(CommInfo& comm, Receive* receive);
void remove_posted(CommInfo& comm, Receive* receive);
void replace_posted(CommInfo& comm, Receive* receive, Receive* by);

int count_older(const CommInfo& comm, const Receive* receive, int source,
                int tag);

// How many receives posted before `receive` have taken or will take older
// messages of this stream.  `receive` is null for a blocking receive, which is
// the youngest.
inline int older_receives(const CommInfo& comm, const Receive* receive,
                          int source, int tag) {
  return comm.posted.oldest == receive
             ? 0
             : count_older(comm, receive, source, tag);
}

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_REQUESTS_POSTED_RECEIVES_H_
