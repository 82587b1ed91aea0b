// MPI calls that are told apart by their places (POPRT_CALLS).
#include <string>
#include <string_view>
#include <vector>

#include "measure/call_sites.h"
#include "wrapped_program.h"
#include "wrappers/calls/sited_call.h"
#include "wrappers/edges/own_tags.h"

namespace {

using poprt::CallSite;
using poprt::CallSites;
using poprt::t_fake_now_ns;

// The entries stay told apart for the tests that follow, which must not notice.
class WrappedCalls : public WrappedProgram {
 protected:
  void SetUp() override {
    poprt::want_call_sites();
    WrappedProgram::SetUp();
    t_fake_now_ns = 1000;
  }

  static CallSites& sites() {
    return *poprt::mpi::mpi_thread(*poprt::t_thread)->sites;
  }
  // The only entry of a function.
  static CallSite site(const std::string& function) {
    std::vector<CallSite> found;
    sites().for_each([&](const CallSite& each) {
      if (each.name != nullptr && each.name == function) {
        found.push_back(each);
      }
    });
    EXPECT_EQ(1u, found.size()) << function;
    return found.empty() ? CallSite() : found.front();
  }
  static int64_t mpi_ns() { return poprt::t_thread->mpi_ns(); }

  void send(int count) {
    MPI_Send(buffer, count, MPI_INT, 1, 3, MPI_COMM_WORLD);
  }
  void receive_from(int64_t sent_ns, int64_t takes_ns = 50) {
    fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, sent_ns);
    fake::take_time("Recv", takes_ns);
    MPI_Recv(buffer, 8, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  int buffer[64] = {};
};

TEST_F(WrappedCalls, TheirPlacesAndBytesAreTheToolsTime) {
  const poprt::ToolCost& cost = poprt::t_thread->cost;
  const int64_t places = cost.call_places.turns.count();
  const int64_t contents = cost.call_contents.turns.count();
  for (int i = 0; i < 100; ++i) send(2);
  EXPECT_EQ(100, cost.call_places.turns.count() - places);
  EXPECT_EQ(100, cost.call_contents.turns.count() - contents);
}

TEST_F(WrappedCalls, CallsAndBytesAreCountedWhereTheyAre) {
  for (int i = 0; i < 3; ++i) {
    MPI_Send(buffer, 2, MPI_INT, 1, 3, MPI_COMM_WORLD);
  }
  MPI_Send(buffer, 40, MPI_INT, 1, 3, MPI_COMM_WORLD);
  std::vector<CallSite> found;
  sites().for_each([&](const CallSite& each) { found.push_back(each); });
  ASSERT_EQ(2u, found.size());
  EXPECT_EQ(3, found[0].calls);
  EXPECT_EQ(3 * 8, found[0].sent_bytes);
  EXPECT_EQ(3u, found[0].sizes[4]);  // of 8 to 15 bytes
  EXPECT_EQ(2, found[0].comm_size);
  EXPECT_EQ(1, found[1].calls);
  EXPECT_EQ(160, found[1].sent_bytes);
}

TEST_F(WrappedCalls, TheTimesAreAllTheTimeInMpi) {
  for (int64_t sent_ns : {1030, 900, 5000}) receive_from(sent_ns);
  const CallSite recv = site("MPI_Recv");
  EXPECT_EQ(3, recv.calls);
  EXPECT_EQ(mpi_ns(), recv.time_ns);
  EXPECT_EQ(3 * 4, recv.received_bytes);
  EXPECT_EQ(3u, recv.sizes[3]);  // of 4 to 7 bytes
}

TEST_F(WrappedCalls, AReceiveWaitsAsWithoutPlaces) {
  receive_from(1030);
  const CallSite recv = site("MPI_Recv");
  EXPECT_EQ(50, recv.time_ns);
  EXPECT_EQ(30, recv.waiting_ns);
  EXPECT_EQ(0, recv.unknown_ns);
}

// Of three ranks.
TEST_F(WrappedCalls, WhomACallWaitedForIsTheLastSender) {
  start(0, 3);
  t_fake_now_ns = 1000;
  MPI_Request requests[] = {receive(1, 3), receive(2, 4)};
  fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, 1020);
  fake::deliver_both(MPI_COMM_WORLD, 2, 4, 1, 1080);
  fake::take_time("Waitall", 100);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  // As the messages came: what was waited until the last one was for its rank.
  const CallSite waits = site("MPI_Waitall");
  EXPECT_EQ(80, waits.waiting_ns);
  ASSERT_EQ(1, waits.late.count());
  EXPECT_EQ(2, waits.late[0].rank);
  EXPECT_EQ(80, waits.late[0].waiting_ns);
  EXPECT_EQ(1, waits.late[0].calls);
}

TEST_F(WrappedCalls, AReductionTellsWhoCameLast) {
  poprt::ClockMessage last = fake::clocks(1040);
  last.reply_tag = 1 + 1;  // rank 1
  fake::set_others(last);
  fake::take_time("Allreduce", 60);
  MPI_Barrier(MPI_COMM_WORLD);
  ASSERT_EQ(1, site("MPI_Barrier").late.count());
  EXPECT_EQ(1, site("MPI_Barrier").late[0].rank);
  EXPECT_EQ(40, site("MPI_Barrier").late[0].waiting_ns);
}

TEST_F(WrappedCalls, WhoIsTheLastWaitsForNobody) {
  poprt::ClockMessage others = fake::clocks(900);
  others.reply_tag = 1 + 1;
  fake::set_others(others);
  fake::take_time("Allreduce", 60);
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ(0, site("MPI_Barrier").late.count());
}

TEST_F(WrappedCalls, PollsWaitForTheSender) {
  MPI_Request request = receive(1, 3);
  int flag = 1;
  fake::take_time("Test", 10);
  MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, t_fake_now_ns);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  ASSERT_EQ(1, site("MPI_Test").late.count());
  EXPECT_EQ(1, site("MPI_Test").late[0].rank);
  EXPECT_EQ(site("MPI_Test").waiting_ns, site("MPI_Test").late[0].waiting_ns);
}

TEST_F(WrappedCalls, WhereClocksDoNotComeItIsUnknown) {
  fake::deliver_int(MPI_COMM_WORLD, 1, 3, 1);
  fake::take_time("Recv", 50);
  MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &status);
  const CallSite recv = site("MPI_Recv");
  EXPECT_EQ(0, recv.waiting_ns);
  EXPECT_LE(50, recv.unknown_ns);
  EXPECT_GE(recv.time_ns, recv.unknown_ns);
}

TEST_F(WrappedCalls, WhatWasReceivedBelongsToTheCallThatCompletesIt) {
  MPI_Request requests[] = {receive(1, 3), MPI_REQUEST_NULL, receive(1, 4)};
  MPI_Isend(buffer, 5, MPI_INT, 1, 3, MPI_COMM_WORLD, &requests[1]);
  fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, 900);
  fake::deliver_both(MPI_COMM_WORLD, 1, 4, 1, 900);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  EXPECT_EQ(2 * 4, site("MPI_Waitall").received_bytes);
  EXPECT_EQ(0, site("MPI_Irecv").received_bytes);
  EXPECT_EQ(20, site("MPI_Isend").sent_bytes);
}

TEST_F(WrappedCalls, APersistentSendCountsWhenItIsStarted) {
  MPI_Request request;
  MPI_Send_init(buffer, 6, MPI_INT, 1, 3, MPI_COMM_WORLD, &request);
  for (int i = 0; i < 2; ++i) {
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  EXPECT_EQ(0, site("MPI_Send_init").sent_bytes);
  EXPECT_EQ(2 * 24, site("MPI_Start").sent_bytes);
  MPI_Request_free(&request);
}

TEST_F(WrappedCalls, CollectivesCountWhatThisProcessPassesAndGets) {
  MPI_Bcast(buffer, 2, MPI_INT, 0, MPI_COMM_WORLD);
  EXPECT_EQ(8, site("MPI_Bcast").sent_bytes);
  EXPECT_EQ(0, site("MPI_Bcast").received_bytes);
  fake::set_others(fake::clocks(1040));
  MPI_Allreduce(buffer, buffer + 8, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(12, site("MPI_Allreduce").sent_bytes);
  EXPECT_EQ(12, site("MPI_Allreduce").received_bytes);
  EXPECT_EQ(1u, site("MPI_Allreduce").sizes[4]);
}

TEST_F(WrappedCalls, PollsWaitWhereTheyAre) {
  MPI_Request request = receive(1, 3);
  int flag = 1;
  for (int i = 0; i < 4; ++i) {
    fake::take_time("Test", 10);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    EXPECT_EQ(0, flag);
  }
  EXPECT_EQ(0, site("MPI_Test").waiting_ns);
  const int64_t polled = site("MPI_Test").time_ns;
  fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, t_fake_now_ns - 7);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT_EQ(polled - 7, site("MPI_Test").waiting_ns);
  EXPECT_EQ(0, site("MPI_Wait").waiting_ns);
}

TEST_F(WrappedCalls, PollsBeforeACollectiveWereNotForIt) {
  int flag = 0;
  fake::take_time("Iprobe", 10);
  MPI_Iprobe(1, 3, MPI_COMM_WORLD, &flag, &status);
  fake::set_others(fake::clocks(2000));
  fake::take_time("Allreduce", 20);
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ(0, site("MPI_Iprobe").waiting_ns);
  EXPECT_EQ(20, site("MPI_Barrier").waiting_ns);
}

TEST_F(WrappedCalls, ALateAnswerCountsWhereTheSendWas) {
  fake::take_time("Ssend", 60);
  MPI_Ssend(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  EXPECT_EQ(0, site("MPI_Ssend").waiting_ns);
  const int tag = poprt::mpi::own_tag(poprt::mpi::TagKind::kReply, 0);
  fake::deliver_clocks(MPI_COMM_WORLD, 1, tag, 1045);
  send(1);
  EXPECT_EQ(45, site("MPI_Ssend").waiting_ns);
  EXPECT_EQ(0, site("MPI_Send").waiting_ns);
}

TEST_F(WrappedCalls, CallsWithOtherRegionsOpenAreOtherEntries) {
  for (const char* name : {"", "a", "a"}) {
    poprt::t_thread->book(t_fake_now_ns);
    if (*name != '\0') fake::process().region_start(*poprt::t_thread, name);
    fake::take_time("Send", 10);
    send(1);
    poprt::t_thread->book(t_fake_now_ns);
    if (*name != '\0') fake::process().region_stop(*poprt::t_thread, name);
  }
  std::vector<CallSite> found;
  sites().for_each([&](const CallSite& each) { found.push_back(each); });
  ASSERT_EQ(2u, found.size());
  EXPECT_EQ(1, found[0].calls);
  EXPECT_EQ(2, found[1].calls);
  EXPECT_EQ(1u, sites().sets()[found[0].regions].count());
  EXPECT_EQ(2u, sites().sets()[found[1].regions].count());
}

// Another thread opens a region while this one is in a call.
TEST_F(WrappedCalls, ACallThatIsOnlyPartlyInARegionCountsOutside) {
  poprt::Thread& other =
      fake::process().add_thread(poprt::ThreadKind::kForeign, t_fake_now_ns);
  send(1);
  sites().begin("MPI_Recv", &other);
  other.book(t_fake_now_ns);
  fake::process().region_start(other, "opened");
  sites().end();
  EXPECT_EQ(1u, sites().sets()[site("MPI_Recv").regions].count());
  EXPECT_EQ(1, site("MPI_Recv").calls);
}

// ... and what it has waited, and for whom, counts where the call does.
TEST_F(WrappedCalls, ACallInWhichARegionEndsHasNothingInIt) {
  poprt::Thread& other =
      fake::process().add_thread(poprt::ThreadKind::kForeign, t_fake_now_ns);
  fake::process().region_start(other, "ends");
  send(1);
  sites().begin("MPI_Recv", &other);
  sites().note_latest(1, 1);
  sites().add_waiting(5);
  other.book(t_fake_now_ns);
  fake::process().region_stop(other, "ends");
  sites().end();
  int entries = 0;
  sites().for_each([&](const CallSite& each) {
    if (std::string_view(each.name) != "MPI_Recv") return;
    ++entries;
    EXPECT_EQ(each.calls, each.late.count());
    EXPECT_EQ(5 * each.calls, each.waiting_ns);
  });
  EXPECT_EQ(2, entries);
}

// The program has freed the communicator when its message comes.
TEST_F(WrappedCalls, WhoWasLateIsNotAskedOfAFreedCommunicator) {
  for (const bool has_own_shadow : {true, false}) {
    if (!has_own_shadow) fake::refuse_next_shadow();
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const MPI_Comm handle = comm;
    const int64_t sent_ns = t_fake_now_ns + 1'000'000;
    if (has_own_shadow) {
      fake::deliver_clocks(comm, 1, 3, sent_ns);
    } else {
      labelled_clocks_come(comm, 3, sent_ns);
    }
    MPI_Request request;
    MPI_Irecv(buffer, 1, MPI_INT, 1, 3, comm, &request);
    MPI_Comm_free(&comm);
    fake::deliver_int(handle, 1, 3, 1);
    fake::take_time("Wait", 2'000'000);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  EXPECT_EQ(2, site("MPI_Wait").calls);
  EXPECT_EQ(2 * 2'000'000, site("MPI_Wait").time_ns);
  EXPECT_EQ(1, site("MPI_Wait").late.count());  // rank 1
  EXPECT_LT(1'000'000, site("MPI_Wait").waiting_ns);
}

TEST_F(WrappedCalls, CallsThatMpiMakesItselfAreNotThePrograms) {
  fake::nest_calls(true);
  MPI_Bcast(buffer, 1, MPI_INT, 0, MPI_COMM_WORLD);
  fake::nest_calls(false);
  EXPECT_EQ(1, site("MPI_Bcast").calls);
  sites().for_each(
      [&](const CallSite& each) { EXPECT_STREQ("MPI_Bcast", each.name); });
}

TEST_F(WrappedCalls, WhatHasNoRoomIsCountedTogether) {
  send(1);
  const int most = CallSites::kMostSites;
  for (int i = 0; i < most + 9; ++i) {
    sites().begin("MPI_Recv", buffer + i);
    sites().end();
  }
  int64_t all = 0;
  int64_t others = 0;
  sites().for_each([&](const CallSite& each) {
    all += each.calls;
    if (each.name == nullptr) others += each.calls;
  });
  EXPECT_EQ(1 + most + 9, all);
  EXPECT_EQ(10, others);
}

TEST(LateRankCounters, AreExactForFewRanks) {
  poprt::LateRankCounters counters;
  for (int i = 0; i < 80; ++i) counters.add(i % 8, 1 + i % 8);
  ASSERT_EQ(8, counters.count());
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(10 * (1 + counters[i].rank), counters[i].waiting_ns);
    EXPECT_EQ(10, counters[i].calls);
    EXPECT_EQ(0, counters[i].error_ns);
  }
  EXPECT_EQ(0, counters.missing_ns());
}

TEST(LateRankCounters, KeepTheLongestOfManyRanksWithBounds) {
  poprt::LateRankCounters counters;
  std::vector<int64_t> truth(41);
  for (int i = 0; i < 4000; ++i) {
    const int rank = i % 2 == 0 ? 40 : (i / 2) % 40;
    counters.add(rank, 10);
    truth[static_cast<size_t>(rank)] += 10;
  }
  bool has_longest = false;
  for (int i = 0; i < counters.count(); ++i) {
    const auto& each = counters[i];
    int64_t& exact = truth[static_cast<size_t>(each.rank)];
    EXPECT_LE(exact, each.waiting_ns);
    EXPECT_GE(exact, each.waiting_ns - each.error_ns);
    has_longest = has_longest || each.rank == 40;
    exact = 0;
  }
  EXPECT_TRUE(has_longest);
  for (int64_t ns : truth) EXPECT_LE(ns, counters.missing_ns());
}

}  // namespace
