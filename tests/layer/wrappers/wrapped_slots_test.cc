// Rooted and prefix operations among many processes of one node: clocks in
// slots of boards.
#include <algorithm>
#include <array>
#include <cstring>

#include "wrapped_program.h"
#include "wrappers/edges/comms.h"
#include "wrappers/edges/own_tags.h"
#include "wrappers/node/node_board.h"
#include "wrappers/state.h"

namespace {

using poprt::mpi::Board;
using poprt::mpi::BoardSlot;
using poprt::mpi::BoardsOfComm;
using poprt::mpi::CommInfo;

constexpr int kManyRanks = 20;
constexpr int kOthers = kManyRanks - 1;

// The test writes the boards of the other processes.
class WrappedSlots : public WrappedProgram {
 protected:
  void be(int rank) {
    start(rank, kManyRanks);
    MPI_Barrier(MPI_COMM_WORLD);  // the thread becomes known
    info_ = poprt::mpi::find_comm(*poprt::mpi::mpi_thread(*poprt::t_thread),
                                  MPI_COMM_WORLD);
    ASSERT_NE(nullptr, info_);
    info_->node.boards = std::make_unique<BoardsOfComm>();
    info_->node.boards->own = &boards_[rank];
    for (int other = 0; other < kManyRanks; ++other) {
      if (other != rank)
        info_->node.boards->others.push_back({&boards_[other]});
    }
    first_ = info_->edges.collectives.pairwise_calls + 1;
    fake::forget_calls();
  }

  // The rank has these clocks in the slot of the call with this number.
  void write(int rank, uint32_t number, int64_t ns) {
    BoardSlot& slot = boards_[rank].slots[number % Board::kSlots];
    const poprt::ClockMessage clocks = fake::clocks(ns);
    slot.form = BoardSlot::kFull;
    slot.full.regions.learn(clocks);
    std::memcpy(slot.full.message, &clocks, clocks.bytes());
    slot.number = number;
  }
  // The others have read what they need of all calls up to this one.
  void finish(uint32_t number) {
    for (Board& board : boards_) board.finished = number;
  }
  void bcast(int root) { MPI_Bcast(&value, 1, MPI_INT, root, MPI_COMM_WORLD); }
  void reduce(int root) {
    MPI_Reduce(&value, &value, 1, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
  }
  uint32_t number_in(int rank, uint32_t number) {
    return boards_[rank].slots[number % Board::kSlots].number;
  }
  int64_t sent() { return std::ranges::count(trace(), "Isend*"); }

  CommInfo* info_ = nullptr;
  std::array<Board, kManyRanks> boards_;
  uint32_t first_ = 0;
};

TEST_F(WrappedSlots, TheRootWritesOnceForAll) {
  be(0);
  bcast(0);
  EXPECT_EQ((Names{"Bcast"}), trace());
  EXPECT_EQ(first_, number_in(0, first_));
}

TEST_F(WrappedSlots, WhoDependsOnTheRootTakesItsClocks) {
  be(3);
  write(7, first_, 500);
  bcast(7);
  EXPECT_EQ((Names{"Bcast"}), trace());
  EXPECT_EQ(500, clock_ns());
  EXPECT_EQ(first_, boards_[3].finished);
  EXPECT_EQ(0u, number_in(3, first_));
  EXPECT_EQ(0, lost());
}

TEST_F(WrappedSlots, TheRootOfAReductionTakesTheClocksOfAll) {
  be(3);
  for (int rank = 0; rank < kManyRanks; ++rank) write(rank, first_, 100 * rank);
  reduce(3);
  EXPECT_EQ(100 * kOthers, clock_ns());
  EXPECT_EQ(0, lost());
}

TEST_F(WrappedSlots, APrefixDependsOnLowerRanks) {
  be(3);
  for (int rank = 0; rank < kManyRanks; ++rank) write(rank, first_, 100 * rank);
  boards_[3].slots[first_ % Board::kSlots].number = 0;
  MPI_Scan(&value, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(200, clock_ns());
  EXPECT_EQ(first_, number_in(3, first_));
  EXPECT_EQ((Names{"Scan"}), trace());
}

// A root that is a whole turn ahead sends its clocks to each process, until all
// have read enough.
TEST_F(WrappedSlots, WhatIsNotReadIsNotOverwritten) {
  be(0);
  for (uint32_t i = 0; i < Board::kSlots; ++i) bcast(0);
  EXPECT_EQ(0, sent());
  finish(first_ + Board::kSlots / 2);
  boards_[kManyRanks - 1].finished = 0;
  bcast(0);
  EXPECT_EQ(kOthers, sent());
  EXPECT_EQ(first_, number_in(0, first_));
  // It does not look again in each call.
  finish(first_ + Board::kSlots);
  uint32_t calls = 0;
  for (bcast(0); sent() != 0; bcast(0)) ++calls;
  EXPECT_LE(calls, Board::kSlots / 4);
  EXPECT_EQ(0, lost());
}

// Its reader finds another call's number in the slot.
TEST_F(WrappedSlots, ClocksThatAreNotInTheSlotHaveBeenSent) {
  be(3);
  const int tag = poprt::mpi::own_tag(poprt::mpi::TagKind::kPairwise,
                                      info_->edges.collectives.pairwise_calls);
  write(7, first_ + Board::kSlots, 900);
  fake::deliver_clocks(MPI_COMM_WORLD, 7, tag, 500);
  bcast(7);
  EXPECT_EQ(500, clock_ns());
  EXPECT_EQ(0, lost());
}

// Only the root of a reduction reads what this process has written for it.
TEST_F(WrappedSlots, ASlotWithOneReaderWaitsForNoOther) {
  be(0);
  for (uint32_t i = 0; i < Board::kSlots; ++i) reduce(4);
  boards_[4].finished = first_ + Board::kSlots - 1;
  reduce(4);
  EXPECT_EQ(0, sent());
  EXPECT_EQ(first_ + Board::kSlots, number_in(0, first_));
}

// After a call among all processes they have finished with all calls before.
TEST_F(WrappedSlots, ACallAmongAllFreesTheSlots) {
  be(0);
  for (uint32_t i = 0; i < Board::kSlots; ++i) bcast(0);
  for (Board& board : boards_) board.rounds[1].number = 1;
  MPI_Barrier(MPI_COMM_WORLD);
  trace();
  bcast(0);
  EXPECT_EQ(0, sent());
}

// A process whose call has failed is not in the round, and may still read.
TEST_F(WrappedSlots, ACallThatFailsSomewhereFreesNoSlots) {
  be(0);
  for (uint32_t i = 0; i < Board::kSlots; ++i) bcast(0);
  for (Board& board : boards_) board.rounds[1].number = 1;
  boards_[4].rounds[1].number = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  trace();
  bcast(0);
  EXPECT_EQ(kOthers, sent());
}

// One process has more regions than boards have room for: all see that, and all
// use reductions from then on.
TEST_F(WrappedSlots, MoreRegionsThanBoardsHaveRoomForAreReduced) {
  be(0);
  poprt::ClockMessage clocks = fake::clocks(500);
  for (Board& board : boards_) {
    board.rounds[1].form = poprt::mpi::BoardRound::kFull;
    clocks.incomplete = &board == &boards_[kOthers] ? 1 : 0;
    std::memcpy(board.rounds[1].full.message, &clocks, clocks.bytes());
    board.rounds[1].number = 1;
  }
  fake::set_others(fake::clocks(800));
  MPI_Allreduce(&value, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ((Names{"Allreduce", "Allreduce*"}), trace());
  EXPECT_EQ(800, clock_ns());
  bcast(0);
  EXPECT_EQ((Names{"Ibcast*", "Bcast"}), trace());
}

TEST(Boards, HaveRoomForFewerRegionsWhereManyAreRead) {
  EXPECT_EQ(poprt::ClockMessage::kCapacity, poprt::mpi::regions_at_boards(2));
  EXPECT_EQ(40, poprt::mpi::regions_at_boards(16));
  EXPECT_EQ(poprt::mpi::kLeastAtBoards,
            poprt::mpi::regions_at_boards(poprt::mpi::kMostAtBoards));
}

TEST_F(WrappedSlots, ARefusedCallLeavesNothing) {
  be(0);
  fake::fail("Bcast", MPI_ERR_COUNT);
  bcast(0);
  EXPECT_EQ(0u, number_in(0, first_));
  bcast(0);
  EXPECT_EQ(first_, number_in(0, first_));
  EXPECT_EQ(0, sent());
}

// The next call uses the clocks that were sent for one that MPI has refused.
TEST_F(WrappedSlots, ARefusedCallOwesWhatItHasSent) {
  be(0);
  for (uint32_t i = 0; i < Board::kSlots; ++i) bcast(0);
  fake::fail("Bcast", MPI_ERR_COUNT);
  bcast(0);
  EXPECT_EQ(kOthers, sent());
  // Even if there is room now.
  info_->node.boards->all_finished = first_ + Board::kSlots;
  bcast(0);
  EXPECT_EQ(0, sent());
  EXPECT_EQ(first_, number_in(0, first_));
  bcast(0);
  EXPECT_EQ(0, sent());
  EXPECT_EQ(first_ + Board::kSlots + 1, number_in(0, first_ + 1));
}

}  // namespace
