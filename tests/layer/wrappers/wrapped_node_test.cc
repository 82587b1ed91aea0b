// Clocks of messages and collectives through shared memory.
#include <algorithm>

#include "clocks/packed_clocks.h"
#include "wrapped_program.h"
#include "wrappers/edges/clock_exchange.h"
#include "wrappers/edges/comms.h"
#include "wrappers/edges/own_tags.h"
#include "wrappers/node/node.h"
#include "wrappers/state.h"

namespace {

using poprt::ClockMessage;
using poprt::mpi::CommInfo;
using poprt::mpi::Sent;
using poprt::mpi::Taken;

constexpr int kTag = 3;

// The other process is on this node. Its messages are those that this process
// sends to itself (fake::share_node()).
class WrappedNode : public WrappedProgram {
 protected:
  void SetUp() override {
    fake::reset(0, 2, MPI_THREAD_SINGLE);
    fake::share_node();
    ASSERT_EQ(MPI_SUCCESS, MPI_Init(nullptr, nullptr));
    MPI_Barrier(MPI_COMM_WORLD);  // the thread becomes known
    info_ = poprt::mpi::find_comm(*poprt::mpi::mpi_thread(*poprt::t_thread),
                                  MPI_COMM_WORLD);
    ASSERT_NE(nullptr, info_);
    fake::forget_calls();
  }

  // A message of another process and its clocks.
  void deliver(int tag, int64_t ns, int regions = 1) {
    ASSERT_EQ(Sent::kOnNode, poprt::mpi::put_on_node(
                                 *info_, 0, tag, fake::clocks(ns, regions)));
    fake::deliver_int(MPI_COMM_WORLD, 0, tag, 1);
  }
  int64_t take(int tag) {
    MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return clock_ns();
  }
  // What a message of this process carries.
  ClockMessage sent() {
    MPI_Send(&value, 1, MPI_INT, 0, kTag, MPI_COMM_WORLD);
    ClockMessage clocks;
    EXPECT_EQ(Taken::kYes, poprt::mpi::take_on_node(*info_, 0, kTag, &clocks));
    return clocks;
  }
  static void expect_own(const ClockMessage& clocks) {
    ClockMessage own;
    poprt::t_thread->store_to(own);
    ASSERT_EQ(own.count, clocks.count);
    EXPECT_EQ(0, clocks.incomplete);
    for (int i = 0; i < own.count; ++i) {
      EXPECT_EQ(own.entries[i], clocks.entries[i]);
    }
  }

  CommInfo* info_ = nullptr;
};

TEST_F(WrappedNode, ClocksOfEachMessageAreMerged) {
  for (int64_t ns = 1000; ns < 6000; ns += 1000) {
    deliver(kTag, ns);
    EXPECT_EQ(ns, take(kTag));
  }
  EXPECT_EQ((Names{"Recv", "Recv", "Recv", "Recv", "Recv"}), trace());
  EXPECT_EQ(0, lost());
}

TEST_F(WrappedNode, MessagesCarryTheThreadsClocks) {
  poprt::Process& process = fake::process();
  for (int i = 0; i < 300; ++i) {
    poprt::t_fake_now_ns += 700;
    if (i == 100) process.region_start(*poprt::t_thread, "region1");
    if (i == 200) process.region_start(*poprt::t_thread, "region2");
    if (i == 250) process.region_stop(*poprt::t_thread, "region2");
    expect_own(sent());
  }
  EXPECT_EQ(0, lost());
}

// Nothing travels of a region in which nothing has happened yet.
TEST_F(WrappedNode, ARegionTravelsFromItsFirstTimeOn) {
  poprt::t_fake_now_ns += 100;
  poprt::Process& process = fake::process();
  expect_own(sent());
  poprt::t_thread->book(poprt::t_fake_now_ns);
  process.region_start(*poprt::t_thread, "region1");
  process.region_stop(*poprt::t_thread, "region1");
  const ClockMessage empty = sent();
  EXPECT_EQ(1, empty.count);
  expect_own(empty);
  process.region_start(*poprt::t_thread, "region1");
  poprt::t_fake_now_ns += 100;
  const ClockMessage both = sent();
  EXPECT_EQ(2, both.count);
  expect_own(both);
  expect_own(sent());
}

TEST_F(WrappedNode, OnlyKnownRegionsThatTravelArePacked) {
  poprt::t_fake_now_ns += 100;
  poprt::t_thread->book(poprt::t_fake_now_ns);
  fake::process().region_start(*poprt::t_thread, "region1");
  poprt::PackedClocks packed;
  const auto packs = [&](uint64_t second) {
    ClockMessage clocks;
    poprt::t_thread->store_to(clocks);
    clocks.entries[1].region = second;
    clocks.count = 2;
    poprt::KnownRegions regions;
    regions.learn(clocks);
    return poprt::t_thread->store_to(&packed, regions);
  };
  const uint64_t key = fake::process().region(1).key();
  EXPECT_FALSE(packs(key));  // no time has passed in it
  poprt::t_fake_now_ns += 100;
  poprt::t_thread->book(poprt::t_fake_now_ns);
  EXPECT_TRUE(packs(key));
  EXPECT_FALSE(packs(key + 1));
}

TEST_F(WrappedNode, ClocksOfAnotherStreamAreKept) {
  deliver(1, 1000);
  deliver(2, 5000);
  deliver(1, 2000);
  deliver(2, 6000);
  EXPECT_EQ(1000, take(1));
  EXPECT_EQ(2000, take(1));
  EXPECT_EQ(5000, take(2));
  EXPECT_EQ(6000, take(2));
}

TEST_F(WrappedNode, MessagesWaitInFullRings) {
  constexpr int kMessages = 1000;
  for (int i = 1; i <= kMessages; ++i) {
    poprt::t_fake_now_ns += 10;
    MPI_Send(&value, 1, MPI_INT, 0, kTag, MPI_COMM_WORLD);
  }
  int64_t last = 0;
  for (int i = 1; i <= kMessages; ++i) {
    ClockMessage clocks;
    ASSERT_EQ(Taken::kYes, poprt::mpi::take_on_node(*info_, 0, kTag, &clocks));
    EXPECT_LT(last, clocks.entries[0].all_ns);
    last = clocks.entries[0].all_ns;
  }
}

// The answer to a synchronous send has the clocks of the receive's posting, in
// whatever form they are kept.
TEST_F(WrappedNode, AnswersHaveTheClocksOfThePosting) {
  for (const int64_t step : {int64_t{1000}, int64_t{2000}, int64_t{1} << 48}) {
    poprt::t_fake_now_ns += step;
    MPI_Request request = receive(0, kTag);
    const int64_t posted_ns = clock_ns();
    poprt::t_fake_now_ns += 500;
    ClockMessage clocks = fake::clocks(posted_ns + 100);
    clocks.reply_tag = poprt::mpi::own_tag(poprt::mpi::TagKind::kReply, 1);
    ASSERT_EQ(Sent::kOnNode, poprt::mpi::put_on_node(*info_, 0, kTag, clocks));
    fake::deliver_int(MPI_COMM_WORLD, 0, kTag, 1);
    fake::forget_calls();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    const auto answer = [&]() -> const ClockMessage* {
      for (const fake::Call& call : fake::calls()) {
        if (call.name == "Isend" && call.tag == clocks.reply_tag) {
          return static_cast<const ClockMessage*>(call.buffer);
        }
      }
      return nullptr;
    }();
    ASSERT_NE(nullptr, answer);
    EXPECT_EQ(1, answer->count);
    EXPECT_EQ(posted_ns, answer->entries[0].all_ns);
  }
}

// Of many regions only those that run are kept with each receive.
TEST_F(WrappedNode, KeptClocksOfManyRegionsAreThoseOfThePosting) {
  poprt::Thread& thread = *poprt::t_thread;
  const auto go = [&](bool start, const char* region) {
    poprt::t_fake_now_ns += 100;
    thread.book(poprt::t_fake_now_ns);
    if (start) {
      fake::process().region_start(thread, region);
    } else {
      fake::process().region_stop(thread, region);
    }
    poprt::t_fake_now_ns += 10;
    thread.book(poprt::t_fake_now_ns);
  };
  const char* const names[] = {"a", "b", "c", "d", "e", "f"};
  poprt::mpi::MpiThread& mpi = *poprt::mpi::mpi_thread(thread);
  poprt::mpi::Receive receives[40];
  ClockMessage posted[40];
  for (int i = 0; i < 40; ++i) {
    go(i % 3 != 2, names[i * 7 % 6]);
    if (i % 5 == 4) {
      ClockMessage heard;
      thread.store_to(heard);
      heard.entries[i % heard.count].coo_ns += 1000 * i;
      heard.entries[i % heard.count].all_ns += 1000 * i;
      thread.merge(heard);
    }
    poprt::mpi::keep_posted_clocks(mpi, receives[i].clocks);
    thread.store_to(posted[i]);
  }
  for (int i = 0; i < 40; ++i) {
    ClockMessage kept;
    poprt::mpi::read_posted_clocks(fake::process(), receives[i].clocks, &kept);
    ASSERT_EQ(posted[i].count, kept.count) << i;
    for (int e = 0; e < kept.count; ++e) {
      ClockMessage raised = posted[i];
      raised.raise(kept.entries[e], ClockMessage::kCapacity);
      EXPECT_TRUE(std::equal(raised.entries, raised.entries + raised.count,
                             posted[i].entries))
          << i;
      raised = kept;
      raised.raise(posted[i].entries[e], ClockMessage::kCapacity);
      EXPECT_TRUE(std::equal(raised.entries, raised.entries + raised.count,
                             kept.entries))
          << i;
    }
  }
}

TEST_F(WrappedNode, TheRootsClocksReachTheOthers) {
  const uint32_t calls = info_->edges.collectives.pairwise_calls;
  const int tag =
      poprt::mpi::own_tag(poprt::mpi::TagKind::kPairwise, calls + 1);
  // A root waits for nobody.
  MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  EXPECT_EQ(0, clock_ns());
  ASSERT_EQ(Sent::kOnNode,
            poprt::mpi::put_on_node(*info_, 0, tag, fake::clocks(4000)));
  MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD);
  EXPECT_EQ(4000, clock_ns());
  EXPECT_EQ(0, lost());
  // The next call uses the tag of one that MPI has refused.
  fake::fail("Bcast", MPI_ERR_COUNT);
  EXPECT_EQ(MPI_ERR_COUNT, MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD));
  EXPECT_EQ(calls + 2, info_->edges.collectives.pairwise_calls);
}

}  // namespace
