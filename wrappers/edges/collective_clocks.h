// What is kept for the clocks of collectives (clock_exchange.h).
#ifndef POPRT_WRAPPERS_EDGES_COLLECTIVE_CLOCKS_H_
#define POPRT_WRAPPERS_EDGES_COLLECTIVE_CLOCKS_H_

#include <atomic>
#include <cstdint>

#include "wrappers/pmpi.h"

namespace poprt::mpi {

// How many regions fit into a short message: Global and a few.
inline constexpr int kShortCapacity = 5;

// Of a communicator.
struct CollectiveClocks {
  // Clocks of more regions than fit into the short message have been seen.  All
  // processes have seen that in the same call.  Always set on an
  // intercommunicator, whose groups see different results.
  bool many_regions = false;
  // number of pairwise calls so far, the same on all processes
  uint32_t pairwise_calls = 0;
  // number of persistent collectives so far, likewise
  uint32_t persistent_calls = 0;
  // The patience for shadow collectives.  They are late if a process that
  // passes clocks on has left the call; their clocks are not lost but merged
  // later.
  std::atomic<int64_t> patience_ns{250'000'000};
  // The patience of a process that only passes clocks on.
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
