// Blocking messages: which clocks travel beside them, and which do not.
#include <algorithm>

#include "wrapped_program.h"
#include "wrappers/edges/own_tags.h"
#include "wrappers/state.h"

namespace {

using WrappedMessages = WrappedProgram;

TEST_F(WrappedMessages, ClocksLeaveBeforeTheProgramsMessage) {
  MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  ASSERT_EQ(2u, fake::calls().size());
  EXPECT_EQ(1, fake::calls()[0].peer);
  EXPECT_EQ(3, fake::calls()[0].tag);
  EXPECT_EQ((Names{"Isend*", "Send"}), trace());
}

TEST_F(WrappedMessages, ClocksOfAReceivedMessageAreMerged) {
  fake::deliver_both(MPI_COMM_WORLD, 1, 3, 42, 1000);
  EXPECT_EQ(MPI_SUCCESS,
            MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &status));
  EXPECT_EQ(42, value);
  EXPECT_EQ(1, status.MPI_SOURCE);
  EXPECT_EQ(3, status.MPI_TAG);
  EXPECT_EQ(1000, clock_ns());
  EXPECT_EQ((Names{"Recv", "Irecv*"}), trace());
}

TEST_F(WrappedMessages, WildcardReceiveTakesTheClocksOfTheRealSource) {
  start(0, 4);
  fake::deliver_clocks(MPI_COMM_WORLD, 2, 7, 5000);
  fake::deliver_both(MPI_COMM_WORLD, 3, 9, 1, 1000);
  MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  EXPECT_EQ(1000, clock_ns());
  EXPECT_EQ(1u, fake::unread(fake::shadow_of(MPI_COMM_WORLD)));
}

TEST_F(WrappedMessages, SendrecvSendsBeforeAndTakesAfter) {
  fake::deliver_both(MPI_COMM_WORLD, 1, 4, 5, 700);
  int in = 0;
  MPI_Sendrecv(&value, 1, MPI_INT, 1, 2, &in, 1, MPI_INT, 1, 4, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  EXPECT_EQ(5, in);
  EXPECT_EQ(700, clock_ns());
  EXPECT_EQ((Names{"Isend*", "Sendrecv", "Irecv*"}), trace());
}

// A signal handler has left the call by siglongjmp(). The next call is again
// one of the program's.
TEST_F(WrappedMessages, CallsAreMeasuredBehindOneThatWasLeft) {
  static std::jmp_buf out;
  const auto receive = [&] {
    MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &status);
  };
  fake::leave("Recv", &out);
  if (setjmp(out) == 0) receive();
  fake::forget_calls();
  fake::deliver_both(MPI_COMM_WORLD, 1, 3, 42, 1000);
  receive();
  EXPECT_EQ((Names{"Recv", "Irecv*"}), trace());
  EXPECT_EQ(1000, clock_ns());
  EXPECT_EQ(poprt::State::kUseful, poprt::t_thread->state());
}

TEST_F(WrappedMessages, ErrorsAreReturnedUnchanged) {
  fake::fail("Send", MPI_ERR_BUFFER);
  EXPECT_EQ(MPI_ERR_BUFFER, MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD));
  fake::fail("Recv", MPI_ERR_BUFFER);
  EXPECT_EQ(MPI_ERR_BUFFER,
            MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &status));
  EXPECT_EQ(0, lost());
}

TEST_F(WrappedMessages, ReceiveThatFailedTakesNoClocksButATruncatedOneDoes) {
  fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, 1000);
  fake::fail("Recv", MPI_ERR_OTHER);
  MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT_EQ(0, clock_ns());
  fake::fail("Recv", MPI_ERR_TRUNCATE);
  EXPECT_EQ(MPI_ERR_TRUNCATE, MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD,
                                       MPI_STATUS_IGNORE));
  EXPECT_EQ(1000, clock_ns());
}

TEST_F(WrappedMessages, ProcNullAndInvalidRanksCarryNothing) {
  MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD);
  MPI_Send(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD);
  MPI_Send(&value, 1, MPI_INT, -7, 3, MPI_COMM_WORLD);
  MPI_Send(&value, 1, MPI_INT, 1, -3, MPI_COMM_WORLD);
  MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status);
  EXPECT_EQ(MPI_PROC_NULL, status.MPI_SOURCE);
  EXPECT_EQ((Names{"Send", "Send", "Send", "Send", "Recv"}), trace());
}

TEST_F(WrappedMessages, OtherCommunicatorsCarryNothing) {
  for (MPI_Comm comm :
       {MPI_COMM_SELF, fake::new_intercomm(), fake::new_unknown_comm()}) {
    fake::deliver_int(comm, 0, 0, 1);
    MPI_Send(&value, 1, MPI_INT, 0, 0, comm);
    MPI_Recv(&value, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
    MPI_Barrier(comm);
    EXPECT_EQ((Names{"Send", "Recv", "Barrier"}), trace());
  }
}

TEST_F(WrappedMessages, NothingBeforeInitAndAfterFinalize) {
  fake::reset(0, 2, MPI_THREAD_SINGLE);
  MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  EXPECT_EQ((Names{"Send"}), trace());
  MPI_Init(nullptr, nullptr);
  // Rank 1 sends totals that cannot be read; that does no harm.
  fake::deliver(fake::shadow_of(MPI_COMM_WORLD), 1, kLastOwnTag,
                "\0\0\0\0\0\0\0\0", 8);
  fake::deliver(fake::shadow_of(MPI_COMM_WORLD), 1, kLastOwnTag, "", 0);
  finalize();
  fake::forget_calls();
  MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ((Names{"Send", "Barrier"}), trace());
}

TEST_F(WrappedMessages, SenderWithoutClocksCostsABoundedTimeOnce) {
  fake::deliver_int(MPI_COMM_WORLD, 1, 3, 1);
  fake::deliver_int(MPI_COMM_WORLD, 1, 3, 2);
  MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT_EQ(1, lost());
  EXPECT_LE(fake::time_ms(), 1010);
  const int waited = fake::time_ms();
  MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT_EQ(2, value);
  EXPECT_EQ(waited, fake::time_ms());
  EXPECT_EQ(1, lost());
  // Each further stream waits for half as long as the one before.
  for (int tag = 4; tag < 40; ++tag) {
    fake::deliver_int(MPI_COMM_WORLD, 1, tag, 1);
    MPI_Recv(&value, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  EXPECT_LE(fake::time_ms(), 2100);
  // Streams that have clocks still work.
  fake::deliver_both(MPI_COMM_WORLD, 1, 77, 1, 50'000'000'000);
  MPI_Recv(&value, 1, MPI_INT, 1, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT_EQ(50'000'000'000, clock_ns());
}

// The clocks of a stream came too late: they are still taken as they arrive,
// one for each message, so that MPI never has a long queue to search. The
// sender is told to send no more.
TEST_F(WrappedMessages, OfAStreamThatIsGivenUpNothingPilesUp) {
  const MPI_Comm shadow = fake::shadow_of(MPI_COMM_WORLD);
  fake::deliver_int(MPI_COMM_WORLD, 1, 3, 1);
  MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT_EQ(1, lost());
  const fake::Call& told = fake::calls().back();
  EXPECT_EQ("Isend", told.name);
  EXPECT_EQ(1, told.peer);
  EXPECT_EQ(poprt::mpi::stop_tag(), told.tag);
  constexpr int64_t kTooLate_ns = 50'000'000'000;
  for (int i = 0; i < 100; ++i) {
    fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, kTooLate_ns);
    MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    ASSERT_EQ(0u, fake::unread(shadow));
  }
  EXPECT_LT(clock_ns(), kTooLate_ns);
  EXPECT_EQ(1, lost());
}

// The tool does not see the sender, so one stream after another has no clocks.
// What is kept about them stays bounded.
TEST_F(WrappedMessages, OfManyStreamsThatAreGivenUpThePeerIs) {
  for (int tag = 0; tag < 200; ++tag) {
    fake::deliver_int(MPI_COMM_WORLD, 1, tag, 1);
    MPI_Recv(&value, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  EXPECT_LT(lost(), 70);
}

TEST_F(WrappedMessages, NothingIsSentOfAStreamThatTheReceiverHasGivenUp) {
  const MPI_Comm shadow = fake::shadow_of(MPI_COMM_WORLD);
  poprt::ClockMessage stop = fake::clocks(0, 0);
  stop.reply_tag = 3;
  fake::deliver(shadow, 1, poprt::mpi::stop_tag(), &stop, stop.bytes());
  for (int i = 0; i < 64; ++i)
    MPI_Send(&value, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
  fake::forget_calls();
  MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  EXPECT_EQ((Names{"Send"}), trace());
  MPI_Send(&value, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
  EXPECT_EQ((Names{"Isend*", "Send"}), trace());
  // Now all streams are given up.
  stop.reply_tag = poprt::mpi::GivenUpStreams::kAllTags;
  fake::deliver(shadow, 1, poprt::mpi::stop_tag(), &stop, stop.bytes());
  for (int i = 0; i < 64; ++i)
    MPI_Send(&value, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
  fake::forget_calls();
  MPI_Send(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
  EXPECT_EQ((Names{"Send"}), trace());
}

TEST_F(WrappedMessages, SendsNeverWaitForTheToolsMessages) {
  fake::hold_sends(true);
  for (int i = 0; i < 1000; ++i)
    MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  EXPECT_EQ(1000u, fake::open_requests());
  // No buffer is used twice while it is being sent.
  std::vector<const void*> buffers;
  for (const fake::Call& call : fake::calls()) {
    if (call.name == "Isend") buffers.push_back(call.buffer);
  }
  std::sort(buffers.begin(), buffers.end());
  EXPECT_EQ(buffers.end(), std::adjacent_find(buffers.begin(), buffers.end()));
  fake::hold_sends(false);
  for (int i = 0; i < 5000; ++i)
    MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  EXPECT_LE(fake::open_requests(), 1001u);
}

TEST_F(WrappedMessages, OneMessageThatNobodyTakesDoesNotHoldUpTheRing) {
  fake::hold_sends(true);
  MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  const void* const stuck = fake::calls()[0].buffer;
  // Later sends complete at once; this one does not.
  fake::forget_calls();
  fake::hold_new_sends(false);
  std::vector<const void*> buffers;
  for (int i = 0; i < 1000; ++i) {
    MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    buffers.push_back(fake::calls()[0].buffer);
    fake::forget_calls();
  }
  std::sort(buffers.begin(), buffers.end());
  buffers.erase(std::unique(buffers.begin(), buffers.end()), buffers.end());
  EXPECT_LE(buffers.size(), 8u);
  EXPECT_EQ(0, std::count(buffers.begin(), buffers.end(), stuck));
}

TEST_F(WrappedMessages, ClocksOfManyRegionsTravelInOneMessage) {
  for (int regions : {5, 6, 72}) {
    fake::deliver_clocks(MPI_COMM_WORLD, 1, regions, 1000 * regions, regions);
    fake::deliver_int(MPI_COMM_WORLD, 1, regions, 1);
    MPI_Recv(&value, 1, MPI_INT, 1, regions, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT_EQ(1000 * regions, clock_ns());
    EXPECT_EQ(regions, fake::process().region_count());
    poprt::ClockMessage message;
    poprt::t_thread->store_to(message);
    EXPECT_EQ(regions, message.count);
    EXPECT_EQ(0, message.incomplete);
  }
}

TEST_F(WrappedMessages, MatchedProbeTakesTheClocksAndItsReceiveDoesNot) {
  fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, 800);
  MPI_Message message;
  MPI_Mprobe(1, MPI_ANY_TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  EXPECT_EQ(800, clock_ns());
  trace();
  MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  EXPECT_EQ((Names{"Mrecv"}), trace());
}

TEST_F(WrappedMessages, TimeInACallIsMpiAndTheStateBeforeComesBack) {
  int flag = 0;
  MPI_Iprobe(1, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  EXPECT_EQ(poprt::State::kUseful, poprt::t_thread->state());
  EXPECT_EQ((Names{"Iprobe"}), trace());
}

TEST_F(WrappedMessages, TagsOfTheToolsOwnCarryNothing) {
  for (const int tag : {kFirstOwnTag, kLastOwnTag, kTagBound + 1}) {
    MPI_Send(&value, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
    fake::deliver_int(MPI_COMM_WORLD, 1, tag, 1);
    MPI_Recv(&value, 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    EXPECT_EQ((Names{"Send", "Recv"}), trace()) << tag;
  }
  EXPECT_EQ(0, lost());
}

// PETSc's begin with the bound.
TEST_F(WrappedMessages, AllOtherTagsHaveClocks) {
  for (const int tag : {0, kFirstOwnTag - 1, kLastOwnTag + 1, kTagBound}) {
    fake::deliver_both(MPI_COMM_WORLD, 1, tag, 42, 1000);
    MPI_Send(&value, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    EXPECT_EQ((Names{"Isend*", "Send", "Recv", "Irecv*"}), trace()) << tag;
  }
  EXPECT_EQ(0, lost());
}

TEST_F(WrappedMessages, RefusedSendLeavesItsClocksToTheNextOne) {
  fake::fail("Send", MPI_ERR_COUNT);
  EXPECT_EQ(MPI_ERR_COUNT, MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD));
  EXPECT_EQ((Names{"Isend*", "Send"}), trace());
  MPI_Send(&value, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
  EXPECT_EQ((Names{"Isend*", "Send"}), trace());
  MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  EXPECT_EQ((Names{"Send"}), trace());
  MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  EXPECT_EQ((Names{"Isend*", "Send"}), trace());
}

// The first answer of a communicator comes with this tag.
constexpr int kFirstReply = kFirstOwnTag + poprt::mpi::kTagsOfAKind;

TEST_F(WrappedMessages, SynchronousSendMergesTheAnswer) {
  fake::deliver_clocks(MPI_COMM_WORLD, 1, kFirstReply, 900);
  EXPECT_EQ(MPI_SUCCESS, MPI_Ssend(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD));
  EXPECT_EQ((Names{"Isend*", "Ssend", "Irecv*"}), trace());
  EXPECT_EQ(900, clock_ns());
  EXPECT_EQ(0u, fake::unread(fake::shadow_of(MPI_COMM_WORLD)));
}

// When a synchronous send was complete that has just returned without its
// answer: before its last look for the answer, which took a millisecond.
int64_t end_of_send_ns() { return poprt::t_thread->last_event_ns() - kMs; }

TEST_F(WrappedMessages, AnswerThatComesLateBelongsToTheEndOfTheSend) {
  MPI_Ssend(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  const int64_t event_ns = end_of_send_ns();
  poprt::t_fake_now_ns += 7 * kMs;
  fake::deliver_clocks(MPI_COMM_WORLD, 1, kFirstReply, 5000 * kMs);
  MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  EXPECT_EQ(5000 * kMs + poprt::t_thread->last_event_ns() - event_ns,
            clock_ns());
  EXPECT_EQ(0, lost());
}

TEST_F(WrappedMessages, LateAnswerIsThereAfterAnyCall) {
  MPI_Ssend(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  const int64_t event_ns = end_of_send_ns();
  poprt::t_fake_now_ns += 7 * kMs;
  fake::deliver_clocks(MPI_COMM_WORLD, 1, kFirstReply, 5000 * kMs);
  int flag = 0;
  MPI_Iprobe(1, 3, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  EXPECT_EQ(5000 * kMs + poprt::t_thread->last_event_ns() - event_ns,
            clock_ns());
}

TEST_F(WrappedMessages, MissingAnswersAreBounded) {
  for (int i = 0; i < 200; ++i)
    MPI_Ssend(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  size_t receives = 0;
  for (const fake::Call& call : fake::calls())
    receives += call.name == "Irecv" ? 1 : 0;
  EXPECT_EQ(64u, receives);
}

// Each look takes a millisecond here, as on a machine whose cores are full.
TEST_F(WrappedMessages, MissingAnswersAreLookedForRarely) {
  MPI_Ssend(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  const int before = fake::time_ms();
  for (int i = 0; i < 1000; ++i) {
    MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  }
  EXPECT_LE(fake::time_ms() - before, 5);
}

TEST_F(WrappedMessages, ReceiverAnswersWithTheClocksOfPosting) {
  poprt::ClockMessage message = fake::clocks(1000);
  message.reply_tag = 77;
  fake::deliver(fake::shadow_of(MPI_COMM_WORLD), 1, 3, &message,
                message.bytes());
  fake::deliver_int(MPI_COMM_WORLD, 1, 3, 42);
  const int64_t posted_ns = clock_ns();
  MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT_EQ(1000, clock_ns());
  const fake::Call answer = fake::calls().back();
  EXPECT_EQ("Isend", answer.name);
  EXPECT_EQ(1, answer.peer);
  EXPECT_EQ(77, answer.tag);
  const auto* const sent =
      static_cast<const poprt::ClockMessage*>(answer.buffer);
  EXPECT_EQ(posted_ns, sent->count == 0 ? 0 : sent->entries[0].all_ns);
}

TEST_F(WrappedMessages, AnswerHasWhatCameLateBefore) {
  MPI_Ssend(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  const int64_t event_ns = end_of_send_ns();
  poprt::t_fake_now_ns += 7 * kMs;
  fake::deliver_clocks(MPI_COMM_WORLD, 1, kFirstReply, 5000 * kMs);
  const auto answered_with_ns = [](MPI_Request request) {
    poprt::ClockMessage message = fake::clocks(1000);
    message.reply_tag = 77;
    fake::deliver(fake::shadow_of(MPI_COMM_WORLD), 1, 3, &message,
                  message.bytes());
    fake::deliver_int(MPI_COMM_WORLD, 1, 3, 42);
    int received = 0;
    if (request == MPI_REQUEST_NULL) {
      MPI_Recv(&received, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    const fake::Call answer = fake::calls().back();
    EXPECT_EQ(77, answer.tag);
    const auto* const sent =
        static_cast<const poprt::ClockMessage*>(answer.buffer);
    return sent->count == 0 ? 0 : sent->entries[0].all_ns;
  };
  const int64_t began_ns = poprt::t_fake_now_ns;
  EXPECT_EQ(5000 * kMs + began_ns - event_ns,
            answered_with_ns(MPI_REQUEST_NULL));
  // The second answer, and a receive that is posted before the tool looks for
  // the answer.
  MPI_Ssend(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  const int64_t second_ns = end_of_send_ns();
  poprt::t_fake_now_ns += 7 * kMs;
  fake::deliver_clocks(MPI_COMM_WORLD, 1, kFirstReply + 1, 9000 * kMs);
  const int64_t posted_ns = poprt::t_fake_now_ns;
  EXPECT_EQ(9000 * kMs + posted_ns - second_ns,
            answered_with_ns(receive(1, 3)));
}

TEST_F(WrappedMessages, PostedReceiveAnswersWithItsOwnClocks) {
  MPI_Request request = receive(1, 3);
  const int64_t posted_ns = clock_ns();
  // Another message raises the clocks before this one arrives.
  fake::deliver_both(MPI_COMM_WORLD, 1, 4, 1, 5000);
  MPI_Recv(&value, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT_EQ(5000, clock_ns());
  poprt::ClockMessage message = fake::clocks(1000);
  message.reply_tag = 77;
  fake::deliver(fake::shadow_of(MPI_COMM_WORLD), 1, 3, &message,
                message.bytes());
  fake::deliver_int(MPI_COMM_WORLD, 1, 3, 42);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  const fake::Call answer = fake::calls().back();
  EXPECT_EQ(77, answer.tag);
  const auto* const sent =
      static_cast<const poprt::ClockMessage*>(answer.buffer);
  EXPECT_EQ(posted_ns, sent->count == 0 ? 0 : sent->entries[0].all_ns);
}

// In the first work of sending or taking clocks, which is timed; not where
// calls are told apart, as they are once the tests of these have run.
TEST_F(WrappedMessages, AWaitInVainIsTheToolsTimeOnce) {
  start(1, 2);
  fake::deliver_int(MPI_COMM_WORLD, 0, 3, 1);
  MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT_EQ(1, lost());
  EXPECT_GE(overhead_ns(), 1'000'000'000);
  EXPECT_LT(overhead_ns(), 1'500'000'000);
}

}  // namespace
