// Boards: the clocks of collectives on a communicator whose processes are all
// on this node.
//
// Before the program's call each process writes its clocks to its own board in
// shared memory.  When the call returns, all processes have begun it, so all
// boards are written. (Only calls in which every process depends on every other
// one.) A board has two rounds in turn.  A process that writes round n + 2 has
// seen all others begin round n + 1, so they have finished reading round n.
#ifndef POPRT_WRAPPERS_NODE_BOARD_H_
#define POPRT_WRAPPERS_NODE_BOARD_H_

#include <atomic>
#include <cstdint>
#include <vector>

#include "measure/packed_clocks.h"
#include "wrappers/collective_clocks.h"

namespace poprt::mpi {

struct CommInfo;
struct MpiThread;

struct alignas(64) BoardRound {
  std::atomic<uint32_t> number{0};
  // 1: the clocks are in `packed`, in the same line as the number, for the
  // regions that `full` has. 0: the clocks are in `full`.
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

// Boards of each process.  Each is used for one communicator and never freed:
// no process can know when the last reader has finished.
inline constexpr int kBoards = 32;
// A process that leaves a collective reads the boards of all others, so their
// number is limited.
inline constexpr int kMostAtBoards = 128;

// The boards of a communicator.
struct BoardsOfComm {
  Board* own;
  std::vector<const Board*> others;
  uint32_t round = 0;       // number of the last completed round
  bool incomplete = false;  // this process's clocks on the board are incomplete
};

// To be called before the program's call, and after it has succeeded.
void write_board(MpiThread& thread, CommInfo& comm);
void read_boards(MpiThread& thread, CommInfo& comm);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_NODE_BOARD_H_
