// Collectives: which clocks travel, and when they are merged.
#include <algorithm>
#include <array>

#include "layer/counted_work.h"
#include "wrapped_program.h"
#include "wrappers/calls/comm_scope.h"
#include "wrappers/edges/edges.h"

namespace {

// of the clocks of collectives that go directly
constexpr int kFirstTag = kFirstOwnTag;
constexpr int kMany = 32;  // more than send their clocks directly
using WrappedCollectives = WrappedProgram;

TEST_F(WrappedCollectives, BarrierIsAReductionOfTheClocks) {
  fake::set_others(fake::clocks(500));
  EXPECT_EQ(MPI_SUCCESS, MPI_Barrier(MPI_COMM_WORLD));
  EXPECT_EQ((Names{"Allreduce*"}), trace());
  EXPECT_EQ(500, clock_ns());
}

TEST_F(WrappedCollectives, WhatABarrierWaitsIsNoCostOfTheTool) {
  fake::take_time("Allreduce", 1'000'000);
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_LT(overhead_ns(), 1'000'000);
  // A reduction behind the program's call is.
  start(0, 2);
  fake::take_time("Allreduce", 1'000'000);
  int values[2];
  MPI_Allgather(&value, 1, MPI_INT, values, 1, MPI_INT, MPI_COMM_WORLD);
  EXPECT_GE(overhead_ns(), 1'000'000);
}

// By each collective, with one process that all others wait for or without, and
// by one in 61 messages.
TEST_F(WrappedCollectives, WorkThatIsDueIsDone) {
  using poprt::work_done_in;
  EXPECT_EQ(1, work_done_in([] { MPI_Barrier(MPI_COMM_WORLD); }));
  start(0, kMany);
  EXPECT_EQ(1, work_done_in([this] {
              MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
            }));
  EXPECT_EQ(1, work_done_in([this] {
              for (int i = 0; i < 61; ++i) {
                MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
              }
            }));
}

TEST_F(WrappedCollectives, BarrierWhoseReductionFailsIsTheProgramsOwn) {
  fake::fail("Allreduce", MPI_ERR_OTHER);
  fake::fail("Barrier", MPI_ERR_COMM);
  EXPECT_EQ(MPI_ERR_COMM, MPI_Barrier(MPI_COMM_WORLD));
  EXPECT_EQ((Names{"Allreduce*", "Barrier"}), trace());
}

TEST_F(WrappedCollectives,
       MoreRegionsThanAShortMessageHoldsAreExchangedAtOnce) {
  fake::set_others(fake::clocks(500, 6));
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ((Names{"Allreduce*", "Allreduce*"}), trace());
  EXPECT_EQ(6, fake::process().region_count());
  // From now on the exchange is one long message.
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ((Names{"Allreduce*"}), trace());
  fake::set_others(fake::clocks(900, 72));
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ((Names{"Allreduce*"}), trace());
  EXPECT_EQ(72, fake::process().region_count());
}

TEST_F(WrappedCollectives, NothingToMoveIsNoEdge) {
  MPI_Allreduce(&value, &value, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Bcast(&value, 0, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Reduce(&value, &value, -1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  EXPECT_EQ((Names{"Allreduce", "Bcast", "Reduce"}), trace());
}

TEST_F(WrappedCollectives, ErrorsAreReturnedUnchanged) {
  fake::fail("Bcast", MPI_ERR_ROOT);
  EXPECT_EQ(MPI_ERR_ROOT, MPI_Bcast(&value, 1, MPI_INT, 7, MPI_COMM_WORLD));
  fake::fail("Scan", MPI_ERR_OP);
  EXPECT_EQ(MPI_ERR_OP,
            MPI_Scan(&value, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
}

TEST_F(WrappedCollectives, FewProcessesSendTheClocksOfARootDirectly) {
  start(0, 3);
  MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  EXPECT_EQ((Names{"Isend*", "Isend*", "Bcast"}), trace());
  MPI_Reduce(&value, &value, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
  EXPECT_EQ((Names{"Isend*", "Reduce"}), trace());
  MPI_Scan(&value, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ((Names{"Isend*", "Isend*", "Scan"}), trace());
}

// A prefix of ranks depends on the ranks below.
TEST_F(WrappedCollectives, ClocksOfAScanGoToHigherRanks) {
  for (const int rank : {0, 1, 2}) {
    start(rank, 3);
    for (int lower = 0; lower < rank; ++lower) {
      fake::deliver_clocks(MPI_COMM_WORLD, lower, kFirstTag, 400);
    }
    MPI_Scan(&value, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(2 - rank, std::ranges::count(trace(), "Isend*")) << rank;
    EXPECT_EQ(0, lost());
  }
}

TEST_F(WrappedCollectives, ManyProcessesUseAShadowCollective) {
  start(3, kMany);
  fake::set_others(fake::clocks(500));
  MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  EXPECT_EQ((Names{"Ibcast*", "Bcast"}), trace());
  EXPECT_EQ(500, clock_ns());
  fake::set_others(fake::clocks(800));
  MPI_Bcast(&value, 1, MPI_INT, 3, MPI_COMM_WORLD);
  MPI_Reduce(&value, &value, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  EXPECT_EQ(500, clock_ns());  // the root of the one, a leaf of the other
  MPI_Reduce(&value, &value, 1, MPI_INT, MPI_SUM, 3, MPI_COMM_WORLD);
  EXPECT_EQ(800, clock_ns());
}

TEST_F(WrappedCollectives, TheFirstProcessOfAnExclusiveScanDependsOnNobody) {
  for (const int rank : {0, 3}) {
    start(rank, kMany);
    fake::set_others(fake::clocks(500));
    MPI_Exscan(&value, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ((Names{"Iexscan*", "Exscan"}), trace());
    EXPECT_EQ(rank == 0, clock_ns() < 500) << rank;
  }
}

TEST_F(WrappedCollectives, WhoDependsOnNobodyDoesNotWait) {
  start(0, kMany);
  fake::hold_collectives(true);
  const int before = fake::time_ms();
  MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  EXPECT_LE(fake::time_ms() - before, 1);
  EXPECT_EQ(1u, fake::open_requests());
  fake::hold_collectives(false);
  MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  EXPECT_LE(fake::open_requests(), 1u);
}

TEST_F(WrappedCollectives, MissingAnswersKeepNoOperationOfARoot) {
  start(0, kMany);
  MPI_Ssend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  fake::hold_collectives(true);
  for (int i = 0; i < 20; ++i) MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  EXPECT_LE(21u, fake::open_requests());
  fake::hold_collectives(false);
  poprt::t_fake_now_ns += 100 * kMs;
  MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  EXPECT_LE(fake::open_requests(), 2u);
}

// The root of a reduction may need the clocks that this process passes on to
// it.
TEST_F(WrappedCollectives, WhoPassesClocksOnStaysForMillisecondsInAll) {
  start(0, kMany);
  fake::hold_collectives(true);
  const auto reduce = [this](int count) {
    const int before = fake::time_ms();
    for (int i = 0; i < count; ++i) {
      MPI_Reduce(&value, &value, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
    }
    return fake::time_ms() - before;
  };
  EXPECT_LE(reduce(4), 16);
  // From now on each call only looks for them, which takes a millisecond.
  EXPECT_LE(reduce(16), 2 * 16);
  EXPECT_EQ(20u, fake::open_requests());
  fake::hold_collectives(false);
  poprt::t_fake_now_ns += 100 * kMs;
  MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  EXPECT_LE(fake::open_requests(), 1u);
}

TEST_F(WrappedCollectives, LateClocksAreMergedAtTheEventTheyBelongTo) {
  start(1, kMany);
  fake::set_others(fake::clocks(100'000 * kMs));
  fake::hold_collectives(true);
  MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  // The last look for the clocks, at the end of the call, took a millisecond.
  const int64_t event_ns = poprt::t_fake_now_ns - kMs;
  EXPECT_LE(fake::time_ms(), 300);
  EXPECT_EQ(event_ns + kMs, clock_ns());
  poprt::t_fake_now_ns = event_ns + 7 * kMs;
  fake::hold_collectives(false);
  MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  EXPECT_EQ(100'000 * kMs + 7 * kMs, clock_ns());
  EXPECT_EQ(0, lost());
}

TEST_F(WrappedCollectives, LateCollectivesDoNotMakeMessagesImpatient) {
  start(1, kMany);
  fake::hold_collectives(true);
  for (int i = 0; i < 12; ++i) MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  EXPECT_LE(fake::time_ms(), 700);
  const int before = fake::time_ms();
  fake::deliver_int(MPI_COMM_WORLD, 2, 3, 1);
  MPI_Recv(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT_GE(fake::time_ms() - before, 990);
}

TEST_F(WrappedCollectives, NonBlockingOnesMergeAtCompletion) {
  start(1, kMany);
  fake::set_others(fake::clocks(500));
  MPI_Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  EXPECT_EQ((Names{"Ibarrier", "Iallreduce*"}), trace());
  EXPECT_EQ(0, clock_ns());
  int flag = 0;
  MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
  EXPECT_EQ(500, clock_ns());
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT_EQ(500, clock_ns());
  EXPECT_EQ(0u, fake::open_requests());
}

TEST_F(WrappedCollectives, NonBlockingOneThatFailsLeavesNothing) {
  start(1, kMany);
  fake::fail("Ibarrier", MPI_ERR_COMM);
  MPI_Request request = MPI_REQUEST_NULL;
  EXPECT_EQ(MPI_ERR_COMM, MPI_Ibarrier(MPI_COMM_WORLD, &request));
  MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  EXPECT_LE(fake::open_requests(), 1u);
}

TEST_F(WrappedCollectives, PairwiseClocksGoWhereDataGoes) {
  start(0, 4);
  const std::array<int, 4> out = {1, 0, 2, 0};
  const std::array<int, 4> in = {1, 0, 0, 5};
  const std::array<int, 4> displs = {};
  fake::deliver_clocks(MPI_COMM_WORLD, 3, kFirstTag, 400);
  MPI_Alltoallv(&value, out.data(), displs.data(), MPI_INT, &value, in.data(),
                displs.data(), MPI_INT, MPI_COMM_WORLD);
  EXPECT_EQ(2, fake::calls()[0].peer);
  EXPECT_EQ((Names{"Isend*", "Alltoallv", "Irecv*"}), trace());
  EXPECT_EQ(400, clock_ns());
  EXPECT_EQ(0, lost());
}

TEST_F(WrappedCollectives, PairwiseThatDependsOnNobodyTracksNoRequest) {
  start(0, 4);
  const std::array<int, 4> none = {};
  MPI_Request request;
  MPI_Ialltoallv(&value, none.data(), none.data(), MPI_INT, &value, none.data(),
                 none.data(), MPI_INT, MPI_COMM_WORLD, &request);
  EXPECT_EQ((Names{"Ialltoallv"}), trace());
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT_EQ(0, lost());
}

TEST_F(WrappedCollectives, NobodyDependsOnWhoGivesNothing) {
  const poprt::mpi::CommScope scope(MPI_COMM_WORLD);
  const auto edges = [&](std::array<int, 2> counts) {
    return poprt::mpi::allgatherv(*scope.comm(), counts[0], MPI_INT,
                                  counts.data(), MPI_INT);
  };
  EXPECT_FALSE(edges({0, 1}).contributes);
  EXPECT_TRUE(edges({0, 1}).receives);
  EXPECT_TRUE(edges({1, 0}).contributes);
}

TEST_F(WrappedCollectives, NullCountsAreLeftToTheCallToRefuse) {
  fake::fail("Allgatherv", MPI_ERR_COUNT);
  EXPECT_EQ(MPI_ERR_COUNT, MPI_Allgatherv(&value, 1, MPI_INT, &value, nullptr,
                                          nullptr, MPI_INT, MPI_COMM_WORLD));
  EXPECT_EQ((Names{"Allgatherv"}), trace());
}

TEST_F(WrappedCollectives, CallsThatTheLibraryMakesItselfAreNotTheProgramsOwn) {
  fake::nest_calls(true);
  start(0, 2);
  fake::nest_calls(true);
  MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  EXPECT_EQ((Names{"Isend*", "Bcast", "Send"}), trace());
  EXPECT_EQ(poprt::State::kUseful, poprt::t_thread->state());
}

}  // namespace
