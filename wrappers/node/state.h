// What clocks through the memory of a node keep of the job and of each
// communicator.
#ifndef POPRT_WRAPPERS_NODE_STATE_H_
#define POPRT_WRAPPERS_NODE_STATE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "wrappers/node/node_board.h"
#include "wrappers/node/roll_call.h"

namespace poprt::mpi {

struct NodeOfJob {
  // Whether all processes have this library.  kSome: no clocks travel, and the
  // tool sends nothing.
  std::atomic<Roll> roll{Roll::kUndecided};
};

struct NodeOfComm {
  // A number that is the same on all its processes, and that no other
  // communicator of theirs has. 0: none.
  uint32_t number = 0;
  // The places of its processes among those of this node.
  bool places_known = false;
  std::vector<int16_t> places;
  // Null: the clocks of its collectives go by message.
  std::unique_ptr<BoardsOfComm> boards;
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_NODE_STATE_H_
