// What is kept for the clocks of collectives (clock_exchange.h).
#ifndef POPRT_WRAPPERS_EDGES_COLLECTIVE_CLOCKS_H_
#define POPRT_WRAPPERS_EDGES_COLLECTIVE_CLOCKS_H_

#include <atomic>
#include <cstdint>

#include "wrappers/pmpi.h"

namespace poprt::mpi {

// How many regions fit into a short message: Global and a few.
inline constexpr int kShortCapacity = 5;

// For one communicator.
struct CollectiveClocks {
  // A call had clocks of more regions than fit into the short message, which
  // all processes have seen in that call.  Always true on an intercommunicator,
  // because its groups see different results.
  bool many_regions = false;
  // The number of pairwise calls, and of persistent collectives, so far: the
  // same on all processes.
  uint32_t pairwise_calls = 0;
  uint32_t persistent_calls = 0;
  // How long a call waits for its shadow collective, which is late if a process
  // that passes clocks on has left the call.  Late clocks are merged later.
  std::atomic<int64_t> patience_ns{250'000'000};
  // The same for a process that only passes clocks on.
  std::atomic<int64_t> relay_patience_ns{2'000'000};
};

// Datatypes and operations of the tool's reductions.
struct ClockTypes {
  MPI_Datatype short_type;
  MPI_Datatype long_type;
  MPI_Op short_op;
  MPI_Op long_op;
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EDGES_COLLECTIVE_CLOCKS_H_
