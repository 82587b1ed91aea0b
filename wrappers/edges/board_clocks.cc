#include "wrappers/edges/board_clocks.h"

#include <cstring>

#include "base/cache_line.h"
#include "wrappers/edges/clock_exchange.h"
#include "wrappers/edges/exchange_tools.h"

namespace poprt::mpi {

namespace {

// Takes the clocks from a board.  Returns whether some regions are missing
// there.
template <class Record>
bool take(MpiThread& thread, const Record& round) {
  if (round.form == Record::kKnown) {
    ClockMessage& message = place_for_arrival(thread);
    message.incomplete = 0;
    unpack(round.packed.two[0], round.full.regions, &message);
    add_arrived(thread, message);
    return false;
  }
  const auto* const message =
      reinterpret_cast<const ClockMessage*>(round.full.message);
  add_arrived(thread, *message);
  return message->incomplete != 0;
}

// What has changed.  Returns whether that is all that the thread needs.
bool take_changed(MpiThread& thread, const BoardRound& round,
                  const BoardsOfComm::Other& other) {
  ClockMessage& message = place_for_arrival(thread);
  const auto changed = ChangedRegions::of_word(round.form);
  Process& process = thread.thread.process();
  unpack(changed, round.packed.bytes(), &message, [&](int slot) {
    const uint64_t key = other.board->names[slot];
    return NamedRegion{key,
                       static_cast<int16_t>(process.slot_of_key(key, slot))};
  });
  add_arrived(thread, message);
  return other.reader == Follower(thread.thread) &&
         other.read == round.number.load(std::memory_order_relaxed) - 1;
}

// As take(), of a round that has more regions than the usual ones.
[[gnu::noinline]] bool take_many(MpiThread& thread, const BoardRound& round,
                                 BoardsOfComm::Other& other) {
  const bool has_all =
      round.form != BoardRound::kFull && take_changed(thread, round, other);
  other.reader = Follower(thread.thread);
  other.read = round.number.load(std::memory_order_relaxed);
  return !has_all && take(thread, round);
}

// Returns whether some regions are missing.
[[gnu::noinline]] bool write_full(MpiThread& thread, int capacity,
                                  KnownRegions& regions,
                                  unsigned char* message) {
  ClockMessage& out = thread.edges.scratch;
  thread.thread.store_to(out, capacity);
  regions.learn(out);
  std::memcpy(message, &out, out.bytes());
  return out.incomplete != 0;
}

// Returns whether some regions are missing.
template <class Record>
bool write(MpiThread& thread, int capacity, Record& round) {
  const bool packed =
      thread.thread.store_to(&round.packed.two[0], round.full.regions);
  round.form = packed ? Record::kKnown : Record::kFull;
  return !packed &&
         write_full(thread, capacity, round.full.regions, round.full.message);
}

void write_names(const Process& process, BoardsOfComm& boards) {
  const int count = process.regions_to_send();
  for (; boards.named < count; ++boards.named) {
    boards.own->names[boards.named] = process.region(boards.named).key();
  }
}

// Many regions: what has changed, and behind it what rests, where that is not
// there already.  Returns whether some regions are missing.
[[gnu::noinline]] bool write_changed(MpiThread& thread, BoardsOfComm& boards,
                                     uint32_t number, BoardRound& round) {
  const Thread& its = thread.thread;
  boards.pending = its.sent_now();
  write_names(its.process(), boards);
  const ChangedRegions changed = thread.thread.pack_changed(
      boards.sent, ChangedRegions::kMost, round.packed.bytes());
  SentClocks& there = boards.full[number % 2];
  if (changed.count() == 0 || there != boards.pending) {
    there = {};
    if (write_full(thread, boards.capacity, round.full.regions,
                   round.full.message)) {
      round.form = BoardRound::kFull;
      return true;
    }
    there = boards.pending;
  }
  round.form = changed.count() == 0 ? BoardRound::kFull : changed.word();
  return false;
}

// Takes all boards; calls taken(number of the board) behind each.
template <class TakenFrom>
void read_all(MpiThread& thread, CommInfo& comm, TakenFrom taken) {
  BoardsOfComm& boards = *comm.node.boards;
  const uint32_t number = ++boards.round;
  // Nobody reads the round before this one any more.
  will_write(&boards.own->rounds[(number + 1) % 2], kCacheLine);
  if (boards.pending.thread != nullptr) boards.sent = boards.pending;
  bool incomplete = boards.incomplete;
  bool all_there = true;
  for (size_t i = 0; i < boards.others.size(); ++i) {
    BoardsOfComm::Other& other = boards.others[i];
    const BoardRound& round = other.board->rounds[number % 2];
    if (round.number.load(std::memory_order_acquire) == number) {
      incomplete |= round.form == BoardRound::kKnown
                        ? take(thread, round)
                        : take_many(thread, round, other);
      taken(i);
    } else {
      other.reader = {};
      // On a process whose call has failed the numbers of rounds differ.
      all_there = false;
      thread.thread.process().lost_clocks.add(1);
      lose_partner(thread);
    }
  }
  // They have begun this call, so they have ended all before.
  if (all_there) boards.all_finished = comm.edges.collectives.pairwise_calls;
  if (!incomplete) return;
  // All processes have seen this in the same round, and none uses the boards of
  // this communicator again.
  comm.edges.collectives.many_regions = true;
  contribute(thread, comm, thread.edges.outgoing);
  exchange_with_all(thread, comm, thread.edges.outgoing);
}

// The number of the call that write_slot() has begun. Numbers of calls with
// slots are among those of all calls between pairs.
uint32_t slot_number(const CommInfo& comm) {
  return comm.edges.collectives.pairwise_calls;
}

bool is_since(uint32_t number, uint32_t since) {
  return static_cast<int32_t>(number - since) >= 0;
}

const Board& board_of(const CommInfo& comm, int rank) {
  const auto number = static_cast<size_t>(rank);
  return *comm.node.boards->others[rank < comm.rank ? number : number - 1]
              .board;
}

// The call up to which the readers of a slot are known to have finished: that
// of the slowest, or of one that is not at `number` yet.
uint32_t finished_by_all(BoardsOfComm& boards, uint32_t number) {
  const size_t count = boards.others.size();
  uint32_t least = 0;
  for (size_t i = 0, which = boards.slowest; i < count; ++i) {
    const uint32_t finished =
        boards.others[which].board->finished.load(std::memory_order_acquire);
    if (i == 0 || !is_since(finished, least)) least = finished;
    if (!is_since(finished, number)) {
      boards.slowest = which;
      return least;
    }
    if (++which == count) which = 0;
  }
  boards.all_finished = least;
  return least;
}

// Whether this process's slot may be written again.  Where readers are nearly a
// whole turn behind it is not, so that the next look at what they write, which
// takes a cache line from them, is some calls away in any case.
bool is_free(CommInfo& comm, uint32_t number) {
  constexpr uint32_t kBetweenLooks = Board::kSlots / 4;
  BoardsOfComm& boards = *comm.node.boards;
  if (number == boards.refused) return false;
  const uint32_t slot = number % Board::kSlots;
  const uint32_t before =
      boards.own->slots[slot].number.load(std::memory_order_relaxed);
  if (before == 0 || is_since(boards.all_finished, before)) return true;
  if (!is_since(number, boards.next_look)) return false;
  const int reader = boards.readers[slot];
  const uint32_t finished =
      reader < 0
          ? finished_by_all(boards, before + kBetweenLooks)
          : board_of(comm, reader).finished.load(std::memory_order_acquire);
  if (is_since(finished, before + kBetweenLooks)) return true;
  boards.next_look = number + kBetweenLooks;
  return false;
}

// The ranks with which this process exchanges clocks in one direction; it may
// be among them.
struct Ranks {
  int begin;
  int end;

  bool has_others(int self) const {
    return end - begin > (begin <= self && self < end ? 1 : 0);
  }
};

Ranks dependents(const CommInfo& comm, Pattern pattern, int root) {
  switch (pattern) {
    case Pattern::kRootToAll:
      return {0, root == comm.rank ? comm.size : 0};
    case Pattern::kAllToRoot:
      return {root, root + 1};
    default:
      return {comm.rank + 1, comm.size};
  }
}

Ranks sources(const CommInfo& comm, Pattern pattern, int root) {
  switch (pattern) {
    case Pattern::kRootToAll:
      return {root, root + 1};
    case Pattern::kAllToRoot:
      return {0, root == comm.rank ? comm.size : 0};
    default:
      return {0, comm.rank};
  }
}

template <class Act>
void for_others(const CommInfo& comm, Ranks ranks, Act act) {
  for (int rank = ranks.begin; rank < ranks.end; ++rank) {
    if (rank != comm.rank) act(rank);
  }
}

}  // namespace

void write_board(MpiThread& thread, CommInfo& comm) {
  if (!thread.edges.late.empty()) [[unlikely]]
    drain_late(thread);
  BoardsOfComm& boards = *comm.node.boards;
  const uint32_t number = boards.round + 1;
  BoardRound& round = boards.own->rounds[number % 2];
  if (thread.thread.knows_changes()) {
    boards.incomplete = write_changed(thread, boards, number, round);
  } else {
    if (boards.pending.thread != nullptr) [[unlikely]] {
      boards.sent = boards.pending = boards.full[0] = boards.full[1] = {};
    }
    boards.incomplete = write(thread, boards.capacity, round);
  }
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

bool write_slot(MpiThread& thread, CommInfo& comm, Pattern pattern, int root) {
  const int tag = pairwise_tag(comm);
  const Ranks to = dependents(comm, pattern, root);
  if (!to.has_others(comm.rank)) return false;
  if (!thread.edges.late.empty()) [[unlikely]]
    drain_late(thread);
  const uint32_t number = slot_number(comm);
  const uint32_t slot = number % Board::kSlots;
  if (is_free(comm, number)) {
    const Cost cost(thread);
    BoardSlot& round = comm.node.boards->own->slots[slot];
    if (!write(thread, BoardSlot::kCapacity, round)) {
      const bool one = to.end - to.begin == 1;
      comm.node.boards->readers[slot] =
          static_cast<int16_t>(one ? to.begin : -1);
      round.number.store(number, std::memory_order_release);
      return true;
    }
  }
  for_others(comm, to, [&](int rank) { send_clocks(thread, comm, rank, tag); });
  return false;
}

void read_slots(MpiThread& thread, CommInfo& comm, Pattern pattern, int root) {
  const uint32_t number = slot_number(comm);
  const Ranks from = sources(comm, pattern, root);
  bool all_there = true;
  if (from.has_others(comm.rank)) {
    const Cost cost(thread, comm, -1);
    for_others(comm, from, [&](int rank) {
      const BoardSlot& round =
          board_of(comm, rank).slots[number % Board::kSlots];
      if (round.number.load(std::memory_order_acquire) == number) {
        take(thread, round);
        if (cost.is_rare()) [[unlikely]]
          cost.note(rank);
      } else {
        all_there = false;
      }
    });
  }
  if (!all_there) [[unlikely]] {
    const int tag = last_pairwise_tag(comm);
    for_others(comm, from, [&](int rank) {
      if (board_of(comm, rank)
              .slots[number % Board::kSlots]
              .number.load(std::memory_order_relaxed) != number) {
        take_pairwise(thread, comm, rank, tag);
      }
    });
  }
  comm.node.boards->own->finished.store(number, std::memory_order_release);
}

void withdraw_slot(MpiThread& thread, CommInfo& comm, Pattern pattern, int root,
                   bool in_slot) {
  std::vector<int>& targets = thread.edges.links.to;
  targets.clear();
  const uint32_t number = slot_number(comm);
  if (in_slot) {
    comm.node.boards->own->slots[number % Board::kSlots].number.store(
        0, std::memory_order_relaxed);
  } else {
    comm.node.boards->refused = number;
    for_others(comm, dependents(comm, pattern, root),
               [&](int rank) { targets.push_back(rank); });
  }
  unsend_pairwise(comm, targets, last_pairwise_tag(comm));
}

}  // namespace poprt::mpi
