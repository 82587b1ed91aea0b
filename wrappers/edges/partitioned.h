// Partitioned messages (MPI 4.0): what is kept of them.
#ifndef POPRT_WRAPPERS_EDGES_PARTITIONED_H_
#define POPRT_WRAPPERS_EDGES_PARTITIONED_H_

#include <mutex>

#include "clocks/clock_message.h"
#include "wrappers/edges/stream_set.h"

namespace poprt::mpi {

// How many partitioned messages have been prepared in each stream of a
// communicator, to and from this process.  Under the mutex of its Streams.
struct PartitionedStreams {
  StreamCounts to;
  StreamCounts from;
};

// The partitions of a message, which several threads may make ready.  The
// thread that makes the last one ready sends the merged clocks of all.
struct Partitions {
  std::mutex mutex;
  int left = 0;
  ClockMessage clocks;
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EDGES_PARTITIONED_H_
