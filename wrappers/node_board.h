// Boards: the clocks of collectives of a communicator whose processes are all
// on this node.
//
// Where every process depends on every other one, each writes its clocks on a
// board of its own, in shared memory, before the program's call; when the call
// returns, all have written, for all have begun it.  Two rounds in turn: who
// writes the next but one has seen all others begin the next, and so done with
// this one.
#ifndef POPRT_WRAPPERS_NODE_BOARD_H_
#define POPRT_WRAPPERS_NODE_BOARD_H_

#include <atomic>
#include <cstdint>

#include "wrappers/packed_clocks.h"
#include "wrappers/state.h"

namespace poprt::mpi {

struct alignas(64) BoardRound {
  std::atomic<uint32_t> number{0};
  // The clocks of the regions that are in `full`, in the line of the number; 0:
  // `full` has them.
  uint32_t is_packed;
  PackedClocks packed;
  struct alignas(64) Full {
    KnownRegions regions;
    alignas(8) unsigned char message[ClockMessage::bytes_for(kShortCapacity)];
  } full;
};

struct Board {
  BoardRound rounds[2];
};

// Each process has so many, and uses each for one communicator, for good: when
// all have read what is on a board nobody knows.
inline constexpr int kBoards = 32;
// Who leaves a collective reads the boards of all others.
inline constexpr int kMostAtBoards = 128;

// Whether the clocks of the next call go this way; the same on all processes.
inline bool on_boards(const CommInfo& comm) {
  return comm.boards != nullptr && !comm.many_regions;
}

// Before the program's call, in which every process depends on every other one,
// and when it has succeeded.
void write_board(MpiThread& thread, CommInfo& comm);
void read_boards(MpiThread& thread, CommInfo& comm);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_NODE_BOARD_H_
