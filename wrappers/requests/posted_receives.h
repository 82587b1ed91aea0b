// The receives that are posted on a communicator, in the order of posting.  MPI
// gives the messages of a stream (communicator, source, tag) to receives in
// this order, in whatever order they complete (rule R3b of docs/edges.md).
//
// Not kept under MPI_THREAD_MULTIPLE, where the order of posting is not known.
#ifndef POPRT_WRAPPERS_REQUESTS_POSTED_RECEIVES_H_
#define POPRT_WRAPPERS_REQUESTS_POSTED_RECEIVES_H_

namespace poprt::mpi {

struct CommInfo;
struct Receive;

// Of a communicator.
struct PostedReceives {
  Receive* oldest = nullptr;
  Receive* newest = nullptr;
};

void add_posted(CommInfo& comm, Receive* receive);
void remove_posted(CommInfo& comm, Receive* receive);
void replace_posted(CommInfo& comm, Receive* receive, Receive* by);

// How many receives posted before `receive` have taken or will take older
// messages of this stream.  `receive` is null for a blocking receive, which is
// the youngest.
int older_receives(const CommInfo& comm, const Receive* receive, int source,
                   int tag);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_REQUESTS_POSTED_RECEIVES_H_
