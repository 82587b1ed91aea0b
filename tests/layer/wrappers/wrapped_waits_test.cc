// What MPI calls waited for late partners, and what is transfer.
#include "model/quantities.h"
#include "wrapped_program.h"
#include "wrappers/calls/handlers.h"
#include "wrappers/edges/own_tags.h"
#include "wrappers/state.h"

namespace {

using poprt::kMpiTransfer;
using poprt::kMpiUnknown;
using poprt::kMpiWaiting;
using poprt::Quantity;
using poprt::RegionTotals;
using poprt::t_fake_now_ns;

// Each test enters its call at 1000.
class WrappedWaits : public WrappedProgram {
 protected:
  void SetUp() override {
    WrappedProgram::SetUp();
    t_fake_now_ns = 1000;
  }

  struct Parts {
    int64_t waiting;
    int64_t transfer;
    int64_t unknown;
    bool operator==(const Parts&) const = default;
  };
  // Of the time in MPI, in a region.
  static Parts parts(const std::string& name = "Global") {
    const RegionTotals region =
        fake::process().totals_of(name, t_fake_now_ns, "node").regions.at(0);
    const Parts result = {amount(region, kMpiWaiting),
                          amount(region, kMpiTransfer),
                          amount(region, kMpiUnknown)};
    EXPECT_EQ(region.mpi_sum_ns,
              result.waiting + result.transfer + result.unknown);
    return result;
  }

  // A receive of 50 ns of a message that was sent at `sent_ns`.
  void receive_from(int64_t sent_ns) {
    fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, sent_ns);
    fake::take_time("Recv", 50);
    MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &status);
  }
};

TEST_F(WrappedWaits, NoCallWaitsLongerThanItTakes) {
  receive_from(5000);
  EXPECT_EQ((Parts{50, 0, 0}), parts());
}

TEST_F(WrappedWaits, TheNextCallKnowsTheLongerPath) {
  receive_from(5000);
  // The thread's path is 5000 now.
  receive_from(5010);
  EXPECT_EQ((Parts{50 + 10, 40, 0}), parts());
}

// One of the receives is timed, and its clocks are merged at once.
TEST_F(WrappedWaits, WaitallCountsATimedReceiveOnce) {
  for (int first : {1, 2}) {
    start(0, 2);
    t_fake_now_ns = 1000;
    poprt::t_thread->cost.messages.turns.left = first;
    MPI_Request requests[] = {receive(1, 3), receive(1, 4)};
    fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, 1020);
    fake::deliver_both(MPI_COMM_WORLD, 1, 4, 1, 1080);
    fake::take_time("Waitall", 100);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    EXPECT_EQ((Parts{80, 20, 0}), parts()) << first;
  }
}

TEST_F(WrappedWaits, ASynchronousSendWaitsForTheReceive) {
  fake::take_time("Ssend", 60);
  const int tag = poprt::mpi::own_tag(poprt::mpi::TagKind::kReply, 0);
  fake::deliver_clocks(MPI_COMM_WORLD, 1, tag, 1045);
  MPI_Ssend(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  EXPECT_EQ((Parts{45, 15, 0}), parts());
}

// The answer comes after the send has returned and its region is closed.
TEST_F(WrappedWaits, ALateAnswerCountsWhereTheSendWas) {
  poprt::t_thread->book(t_fake_now_ns);
  fake::process().region_start(*poprt::t_thread, "sends");
  fake::take_time("Ssend", 60);
  MPI_Ssend(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  const int64_t left_ns = t_fake_now_ns;
  fake::process().region_stop(*poprt::t_thread, "sends");
  EXPECT_EQ((Parts{0, left_ns - 1000, 0}), parts("sends"));
  t_fake_now_ns += 500;
  const int tag = poprt::mpi::own_tag(poprt::mpi::TagKind::kReply, 0);
  fake::deliver_clocks(MPI_COMM_WORLD, 1, tag, 1045);
  MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  EXPECT_EQ((Parts{45, left_ns - 1045, 0}), parts("sends"));
  EXPECT_EQ((Parts{45, left_ns - 1045, 0}), parts());
}

TEST_F(WrappedWaits, LateAnswersOfOneCallCountOnce) {
  MPI_Request requests[2];
  for (MPI_Request& request : requests) {
    MPI_Issend(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request);
  }
  fake::take_time("Waitall", 60);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  const int64_t all = parts().transfer;
  for (int i : {0, 1}) {
    const int tag = poprt::mpi::own_tag(poprt::mpi::TagKind::kReply,
                                        static_cast<uint32_t>(i));
    fake::deliver_clocks(MPI_COMM_WORLD, 1, tag, i == 0 ? 1030 : 1050);
  }
  MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  EXPECT_EQ((Parts{50, all - 50, 0}), parts());
}

TEST_F(WrappedWaits, PollsWaitIfTheMessageWasSentLater) {
  MPI_Request request = receive(1, 3);
  int flag = 1;
  for (int i = 0; i < 4; ++i) {
    fake::take_time("Test", 10);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    EXPECT_EQ(0, flag);
    t_fake_now_ns += 5;
  }
  const int64_t polled = parts().transfer;
  EXPECT_LE(40, polled);
  fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, t_fake_now_ns);
  MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  EXPECT_EQ(1, flag);
  EXPECT_EQ((Parts{polled, 0, 0}), parts());
}

TEST_F(WrappedWaits, PollsOfAProcessThatOnlyWaitsCostNothing) {
  poprt::g_event_ps = 1000 * kMs;  // 1 ms
  MPI_Request request = receive(1, 3);
  const auto cost_of = [&](int64_t between_ns) {
    int flag = 1;
    const int64_t before = overhead_ns();
    for (int i = 0; i < 10; ++i) {
      t_fake_now_ns += between_ns;
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    }
    return (overhead_ns() - before) / kMs;
  };
  cost_of(5);
  EXPECT_EQ(0, cost_of(5));
  EXPECT_EQ(20, cost_of(2 * kMs));  // a look takes one
  poprt::g_event_ps = 0;
}

TEST_F(WrappedWaits, PollsBehindTheSendAreTransfer) {
  MPI_Request request = receive(1, 3);
  int flag = 1;
  fake::take_time("Test", 10);
  MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  const int64_t polled = parts().transfer;
  fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, 1004);
  MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  EXPECT_EQ((Parts{4, polled - 4, 0}), parts());
}

TEST_F(WrappedWaits, AProbeWaitsAsTheReceiveTells) {
  fake::take_time("Probe", 100);
  fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, 1070);
  MPI_Probe(1, 3, MPI_COMM_WORLD, &status);
  t_fake_now_ns += 500;
  MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &status);
  EXPECT_EQ((Parts{70, 30, 0}), parts());
}

TEST_F(WrappedWaits, PollsBeforeACollectiveWereNotForIt) {
  int flag = 0;
  fake::take_time("Iprobe", 10);
  MPI_Iprobe(1, 3, MPI_COMM_WORLD, &flag, &status);
  fake::set_others(fake::clocks(2000));
  fake::take_time("Allreduce", 20);
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ((Parts{20, 10, 0}), parts());
}

TEST_F(WrappedWaits, WhereClocksDoNotTravelItIsUnknown) {
  const MPI_Comm unknown = fake::new_unknown_comm();
  fake::take_time("Reduce", 30);
  MPI_Reduce(&value, nullptr, 1, MPI_INT, MPI_SUM, 1, unknown);
  EXPECT_EQ((Parts{0, 0, 30}), parts());
  fake::take_time("Reduce", 30);
  MPI_Reduce(&value, nullptr, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_SELF);
  EXPECT_EQ((Parts{0, 30, 30}), parts());
}

// Whether it waits for the others is not known.
TEST_F(WrappedWaits, ACommunicatorsEndIsUnknown) {
  MPI_Comm first, second;
  MPI_Comm_dup(MPI_COMM_WORLD, &first);
  MPI_Comm_dup(MPI_COMM_WORLD, &second);
  const Parts before = parts();
  fake::take_time("Comm_free", 60);
  MPI_Comm_free(&first);
  fake::take_time("Comm_disconnect", 30);
  MPI_Comm_disconnect(&second);
  EXPECT_EQ((Parts{before.waiting, before.transfer, before.unknown + 90}),
            parts());
}

TEST_F(WrappedWaits, TheEndOfAnUnknownCommunicatorIsUnknownToo) {
  MPI_Comm strangers = fake::new_unknown_comm();
  fake::take_time("Comm_disconnect", 30);
  MPI_Comm_disconnect(&strangers);
  EXPECT_EQ((Parts{0, 0, 30}), parts());
}

TEST_F(WrappedWaits, TheEndOfACommunicatorOfOneIsTransfer) {
  start(0, 1);
  t_fake_now_ns = 1000;
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  fake::take_time("Comm_free", 60);
  MPI_Comm_free(&copy);
  EXPECT_EQ((Parts{0, 60, 0}), parts());
}

TEST_F(WrappedWaits, LocalCallsAreTransfer) {
  char form[] = "external32";
  char from[8] = {}, to[8] = {};
  int place = 0;
  MPI_Aint at = 0;
  void* memory = nullptr;
  for (const char* call : {"Pack", "Unpack", "Pack_external", "Unpack_external",
                           "Reduce_local", "Alloc_mem", "Free_mem"}) {
    fake::take_time(call, 10);
  }
  MPI_Pack(from, 1, MPI_INT, to, 8, &place, MPI_COMM_WORLD);
  MPI_Unpack(from, 8, &place, to, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Pack_external(form, from, 1, MPI_INT, to, 8, &at);
  MPI_Unpack_external(form, from, 8, &at, to, 1, MPI_INT);
  MPI_Reduce_local(from, to, 1, MPI_INT, MPI_SUM);
  MPI_Alloc_mem(8, MPI_INFO_NULL, static_cast<void*>(&memory));
  MPI_Free_mem(memory);
  EXPECT_EQ((Parts{0, 70, 0}), parts());
}

TEST_F(WrappedWaits, AReceiveWithoutClocksIsUnknown) {
  fake::deliver_int(MPI_COMM_WORLD, 1, 3, 1);
  fake::take_time("Recv", 50);
  MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &status);
  EXPECT_EQ(1, lost());
  EXPECT_EQ(0, parts().waiting);
  EXPECT_EQ(0, parts().transfer);
  EXPECT_LE(50, parts().unknown);
}

TEST_F(WrappedWaits, ARequestWithoutClocksIsUnknown) {
  const MPI_Comm unknown = fake::new_unknown_comm();
  MPI_Request request = receive(1, 3, unknown);
  fake::deliver_int(unknown, 1, 3, 1);
  fake::take_time("Wait", 50);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT_EQ((Parts{0, 0, 50}), parts());
}

// Another thread opens a region while this one is in a call.
TEST_F(WrappedWaits, InNoRegionIsMoreThanItsTimeInMpi) {
  poprt::Thread& other =
      fake::process().add_thread(poprt::ThreadKind::kForeign, t_fake_now_ns);
  fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, 1090);
  poprt::mpi::receive(1, 3, MPI_COMM_WORLD, &status, [&](MPI_Status* filled) {
    other.book(1060);
    fake::process().region_start(other, "opened");
    t_fake_now_ns = 1100;
    return PMPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, filled);
  });
  EXPECT_EQ((Parts{40, 0, 0}), parts("opened"));
  EXPECT_EQ((Parts{90, 10, 0}), parts());
}

}  // namespace
