#include "wrappers/node_board.h"

#include <cstring>

#include "wrappers/clock_exchange.h"
#include "wrappers/exchange_tools.h"

namespace poprt::mpi {

void write_board(MpiThread& thread, CommInfo& comm) {
  ClockMessage& out = thread.scratch;
  contribute(thread, comm, out);
  const uint32_t number = comm.boards->round + 1;
  BoardRound& round = comm.boards->own->rounds[number % 2];
  std::memcpy(round.message, &out, out.bytes());
  round.number.store(number, std::memory_order_release);
}

void read_boards(MpiThread& thread, CommInfo& comm) {
  const Cost cost(thread);
  BoardsOfComm& boards = *comm.boards;
  const uint32_t number = ++boards.round;
  const auto message_of = [number](const Board& board) {
    return reinterpret_cast<const ClockMessage*>(
        board.rounds[number % 2].message);
  };
  bool incomplete = message_of(*boards.own)->incomplete != 0;
  for (const Board* const board : boards.others) {
    if (board->rounds[number % 2].number.load(std::memory_order_acquire) !=
        number) {
      // A process whose call has failed counts otherwise.
      thread.thread.process().lost_clocks.add(1);
      continue;
    }
    add_arrived(thread, *message_of(*board));
    incomplete |= message_of(*board)->incomplete != 0;
  }
  if (!incomplete) return;
  // All have seen it, and none goes this way again.
  comm.many_regions = true;
  ClockMessage out;
  contribute(thread, comm, out);
  exchange_with_all(thread, comm, out);
}

}  // namespace poprt::mpi
