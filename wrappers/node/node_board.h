// Boards: the clocks of blocking collectives on a communicator whose processes
// are all on this node.
//
// Before the program's call each process writes its clocks to its own board in
// shared memory.  When the call returns, all processes that this one depends on
// have begun it, so their boards are written.
//
// For calls in which every process depends on every other one a board has two
// rounds in turn.  A process that writes round n + 2 has seen all others begin
// round n + 1, so they have finished reading round n.  Of many regions a round
// has what has changed since the one before (changed_clocks.h) in its first
// lines, and all that rests behind them, for a reader that has not read the one
// before.
//
// In rooted and prefix operations a process may be many calls ahead of those
// that depend on it.  For these a board has slots, used in turn.  One is
// written again only when those that depend on it have finished reading; until
// then clocks go to each of them directly.  A reader finds out by the number of
// the call in the slot.
#ifndef POPRT_WRAPPERS_NODE_NODE_BOARD_H_
#define POPRT_WRAPPERS_NODE_NODE_BOARD_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "clocks/changed_clocks.h"
#include "clocks/packed_clocks.h"
#include "measure/sent_clocks.h"

namespace poprt::mpi {

// The clocks of one call, with room for `kRoom` regions, or `kPacked` packed
// ones.
template <int kRoom, int kPacked>
struct alignas(64) BoardRecord {
  static constexpr int kCapacity = kRoom;
  static constexpr uint32_t kFull = 0;
  static constexpr uint32_t kKnown = ~uint32_t{0};

  std::atomic<uint32_t> number{0};
  // kFull: all clocks are in `full`.  kKnown: all clocks are in `packed`, for
  // the regions in `full`.  Else a ChangedRegions::word(), whose clocks are in
  // `packed`; the resting ones are also in `full`.
  uint32_t form;
  PackedRoom<kPacked> packed;
  struct alignas(64) Full {
    KnownRegions regions;
    alignas(8) unsigned char message[ClockMessage::bytes_for(kRoom)];
  } full;
};
using BoardRound = BoardRecord<ClockMessage::kCapacity, ChangedRegions::kMost>;
using BoardSlot = BoardRecord<8, KnownRegions::kMost>;

struct alignas(128) Board {
  static constexpr uint32_t kSlots = 32;

  BoardRound rounds[2];
  // The keys of the process's regions.  Constant once a round names the slot.
  uint64_t names[kTravellingRegions];
  // The number of the last call with slots in which this process has read what
  // it needs.
  alignas(64) std::atomic<uint32_t> finished{0};
  BoardSlot slots[kSlots];
};

// Boards of each process.  Each is used for one communicator and never freed:
// no process can know when the last reader has finished.
inline constexpr int kBoards = 32;
// A process that leaves a collective reads the boards of all others, so their
// number is limited.
inline constexpr int kMostAtBoards = 128;

// For how many regions a round always has room: Global and a few.
inline constexpr int kLeastAtBoards = 5;
// How many regions go by boards in a call among all of `size` processes. Each
// of them reads the boards of all, a cache line for one or two regions; with
// more than so many in all a reduction takes no longer.
constexpr int regions_at_boards(int size) {
  constexpr int kMostInAll = 640;
  return std::clamp(kMostInAll / size, kLeastAtBoards, BoardRound::kCapacity);
}

// The boards of a communicator.
struct BoardsOfComm {
  // Another process's board, and the thread that has read it up to round
  // `read`.
  struct Other {
    const Board* board = nullptr;
    Follower reader{};
    uint32_t read = 0;
  };

  Board* own;
  std::vector<Other> others;
  int capacity = kLeastAtBoards;  // in regions, of a round
  uint32_t round = 0;             // number of the last completed round
  bool incomplete = false;  // this process's clocks on the board are incomplete
  // Which clocks the readers of the last completed round know, and those of the
  // next round will know; and which are in `full` of each round.
  SentClocks sent;
  SentClocks pending;
  SentClocks full[2];
  int named = 0;  // names on the own board
  // All processes have read what they need of the calls up to this one.
  uint32_t all_finished = 0;
  // The process that was last found not to have done so.
  size_t slowest = 0;
  // Before this call no process is asked again.
  uint32_t next_look = 0;
  // A call that MPI refused after its clocks had been sent; the next call has
  // the same number.
  uint32_t refused = 0;
  // The rank of the only reader of a slot, or -1.
  std::array<int16_t, Board::kSlots> readers{};
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_NODE_NODE_BOARD_H_
