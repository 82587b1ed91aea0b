#include "wrappers/node_board.h"

#include <cstring>

#include "wrappers/clock_exchange.h"
#include "wrappers/exchange_tools.h"

namespace poprt::mpi {

namespace {

// Takes the clocks from a board.  Returns whether some regions are missing
// there.
bool take(MpiThread& thread, const BoardRound& round) {
  if (round.is_packed != 0) {
    ClockMessage& message =
        thread.arrived.count == 0 ? thread.arrived : thread.scratch;
    message.incomplete = 0;
    unpack(round.packed, round.full.regions, &message);
    if (&message != &thread.arrived) add_arrived(thread, message);
    return false;
  }
  const auto* const message =
      reinterpret_cast<const ClockMessage*>(round.full.message);
  add_arrived(thread, *message);
  return message->incomplete != 0;
}

[[gnu::noinline]] void write_full(MpiThread& thread, BoardsOfComm& boards,
                                  BoardRound::Full& full) {
  ClockMessage& out = thread.scratch;
  thread.thread.store_to(out, kShortCapacity);
  boards.incomplete = out.incomplete != 0;
  full.regions.learn(out);
  std::memcpy(full.message, &out, out.bytes());
}

// Takes all boards; calls taken(number of the board) behind each.
template <class TakenFrom>
void read_all(MpiThread& thread, CommInfo& comm, TakenFrom taken) {
  BoardsOfComm& boards = *comm.boards;
  const uint32_t number = ++boards.round;
  bool incomplete = boards.incomplete;
  for (size_t i = 0; i < boards.others.size(); ++i) {
    const BoardRound& round = boards.others[i]->rounds[number % 2];
    if (round.number.load(std::memory_order_acquire) == number) {
      incomplete |= take(thread, round);
      taken(i);
    } else {
      // On a process whose call has failed the numbers of rounds differ.
      thread.thread.process().lost_clocks.add(1);
      lose_partner(thread);
    }
  }
  if (!incomplete) return;
  // All processes have seen this in the same round, and none uses the boards of
  // this communicator again.
  comm.collectives.many_regions = true;
  ClockMessage out;
  contribute(thread, comm, out);
  exchange_with_all(thread, comm, out);
}

}  // namespace

void write_board(MpiThread& thread, CommInfo& comm) {
  if (!thread.late.empty()) [[unlikely]]
    drain_late(thread);
  BoardsOfComm& boards = *comm.boards;
  const uint32_t number = boards.round + 1;
  BoardRound& round = boards.own->rounds[number % 2];
  boards.incomplete = false;
  round.is_packed =
      thread.thread.store_to(&round.packed, round.full.regions) ? 1 : 0;
  if (round.is_packed == 0) write_full(thread, boards, round.full);
  round.number.store(number, std::memory_order_release);
}

void read_boards(MpiThread& thread, CommInfo& comm) {
  look_for_due_work(thread.thread.last_event_ns());
  const Cost cost(thread, comm, -1);
  if (cost.is_rare()) [[unlikely]] {
    read_all(thread, comm, [&](size_t i) {
      // They are in the order of ranks, without this process.
      const int rank = static_cast<int>(i);
      cost.note(rank < comm.rank ? rank : rank + 1);
    });
  } else {
    read_all(thread, comm, [](size_t) {});
  }
}

}  // namespace poprt::mpi
