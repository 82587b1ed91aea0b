// The receives that the program has posted on a communicator, in order: MPI
// gives the messages of a stream (communicator, source, tag) to receives in
// the order of posting, in whichever order they complete (R3b).
//
// Not kept under MPI_THREAD_MULTIPLE, where nobody knows that order.
#ifndef POPRT_WRAPPERS_POSTED_RECEIVES_H_
#define POPRT_WRAPPERS_POSTED_RECEIVES_H_

#include "wrappers/state.h"

namespace poprt::mpi {

void add_posted(CommInfo& comm, Tracked* receive);
void remove_posted(CommInfo& comm, Tracked* receive);
void replace_posted(CommInfo& comm, Tracked* receive, Tracked* by);

// How many receives that were posted before `receive` (null: just now) have, or
// will have, messages of this stream that are older than the one that has just
// come.
int older_receives(const CommInfo& comm, const Tracked* receive, int source,
                   int tag);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_POSTED_RECEIVES_H_
