// Partitioned messages (MPI 4.0): what is kept of them.
#ifndef POPRT_WRAPPERS_EDGES_PARTITIONED_H_
#define POPRT_WRAPPERS_EDGES_PARTITIONED_H_

#include <mutex>

#include "clocks/clock_message.h"
#include "wrappers/edges/stream_set.h"

namespace poprt::mpi {

// Of a communicator: how many have been prepared in each stream, to and from
// this process.  Protected by the mutex of its streams.
struct PartitionedStreams {
  StreamCounts to;
  StreamCounts from;
};

// The partitions of a message that several threads make ready.  The last one
// sends the clocks of all.
struct Partitions {
  std::mutex mutex;
  int left = 0;
  ClockMessage clocks;
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EDGES_PARTITIONED_H_
