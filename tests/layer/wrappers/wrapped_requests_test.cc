// Requests: receives that complete later, in any order, or never.
#include <array>
#include <atomic>
#include <barrier>
#include <thread>
#include <vector>

#include "wrapped_program.h"
#include "wrappers/calls/completion_handlers.h"
#include "wrappers/requests/requests.h"

namespace {

using WrappedRequests = WrappedProgram;
using poprt::mpi::find_tracked;

TEST_F(WrappedRequests, ClocksAreTakenAtCompletionNotAtPosting) {
  MPI_Request request = receive(1, 3);
  EXPECT_EQ((Names{"Irecv"}), trace());
  fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, 900);
  EXPECT_EQ(0, clock_ns());
  EXPECT_EQ(MPI_SUCCESS, MPI_Wait(&request, &status));
  EXPECT_EQ(MPI_REQUEST_NULL, request);
  EXPECT_EQ(1, status.MPI_SOURCE);
  EXPECT_EQ(900, clock_ns());
  EXPECT_EQ((Names{"Wait", "Irecv*"}), trace());
  EXPECT_EQ(0u, fake::open_requests());
}

TEST_F(WrappedRequests, TestThatFindsNothingHasNoEdge) {
  MPI_Request request = receive(1, 3);
  fake::deliver_clocks(MPI_COMM_WORLD, 1, 3, 900);
  int flag = 1;
  MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  EXPECT_EQ(0, flag);
  fake::deliver_int(MPI_COMM_WORLD, 1, 3, 1);
  MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  EXPECT_EQ(1, flag);
  EXPECT_LE(900, clock_ns());
  EXPECT_EQ((Names{"Irecv", "Irecv*"}), trace());
}

TEST_F(WrappedRequests, LaterPostedReceiveThatCompletesFirstGetsItsOwnClocks) {
  for (int tag : {3, MPI_ANY_TAG}) {
    for (int source : {1, MPI_ANY_SOURCE}) {
      SCOPED_TRACE(testing::Message()
                   << "source " << source << ", tag " << tag);
      start(0, 2);
      MPI_Request first = receive(source, tag);
      MPI_Request second = receive(source, tag);
      fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, 100'000);
      fake::deliver_both(MPI_COMM_WORLD, 1, 3, 2, 200'000);
      MPI_Wait(&second, MPI_STATUS_IGNORE);
      EXPECT_EQ(200'000, clock_ns());
      MPI_Wait(&first, MPI_STATUS_IGNORE);
      EXPECT_EQ(200'000, clock_ns());
      EXPECT_EQ(0, lost());
      EXPECT_EQ(0, fake::time_ms());
      EXPECT_EQ(0u, fake::unread(fake::shadow_of(MPI_COMM_WORLD)));
    }
  }
}

TEST_F(WrappedRequests, OlderWildcardOfAnotherStreamIsNotInTheWay) {
  start(0, 3);
  MPI_Request any = receive(MPI_ANY_SOURCE, 3);
  MPI_Request one = receive(1, 3);
  fake::deliver_both(MPI_COMM_WORLD, 2, 3, 1, 100);
  fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, 200);
  MPI_Wait(&one, MPI_STATUS_IGNORE);
  EXPECT_EQ(200, clock_ns());
  MPI_Wait(&any, MPI_STATUS_IGNORE);
  EXPECT_EQ(0, lost());
  EXPECT_EQ(0, fake::time_ms());
}

// When the other receive is evaluated, the handle of the wildcard receive is
// gone.
TEST_F(WrappedRequests, WaitallInAnotherOrderThanPostedWithWildcards) {
  for (int form = 0; form < 3; ++form) {
    SCOPED_TRACE(form);
    start(0, 3);
    std::array<MPI_Request, 3> requests;
    requests[2] = receive(MPI_ANY_SOURCE, MPI_ANY_TAG);
    requests[1] = receive(1, MPI_ANY_TAG);
    requests[0] = receive(1, 3);
    fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, 100);
    fake::deliver_both(MPI_COMM_WORLD, 1, 3, 2, 200);
    fake::deliver_both(MPI_COMM_WORLD, 1, 3, 3, 300);
    int flag = 0;
    int count = 0;
    std::array<int, 3> indices;
    if (form == 0) MPI_Waitall(3, requests.data(), MPI_STATUSES_IGNORE);
    if (form == 1) MPI_Testall(3, requests.data(), &flag, MPI_STATUSES_IGNORE);
    if (form == 2)
      MPI_Waitsome(3, requests.data(), &count, indices.data(),
                   MPI_STATUSES_IGNORE);
    EXPECT_EQ(300, clock_ns());
    EXPECT_EQ(0, lost());
    EXPECT_EQ(0, fake::time_ms());
    EXPECT_EQ(0u, fake::open_requests());
    EXPECT_EQ(0u, fake::unread(fake::shadow_of(MPI_COMM_WORLD)));
  }
}

TEST_F(WrappedRequests, CancelledReceiveTakesNoClocks) {
  MPI_Request request = receive(1, 3);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  int flag = 0;
  PMPI_Test_cancelled(&status, &flag);
  EXPECT_NE(0, flag);
  EXPECT_EQ(0, lost());
  EXPECT_EQ(0, fake::time_ms());
  fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, 900);
  MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT_EQ(900, clock_ns());
}

TEST_F(WrappedRequests, CancelledReceiveIsNotInTheWayOfLaterOnes) {
  for (bool freed : {false, true}) {
    start(0, 2);
    MPI_Request first = receive(1, 3);
    MPI_Request second = receive(1, 3);
    MPI_Cancel(&first);
    if (freed) MPI_Request_free(&first);
    fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, 900);
    MPI_Wait(&second, MPI_STATUS_IGNORE);
    EXPECT_EQ(900, clock_ns());
    EXPECT_EQ(0, lost());
    if (!freed) MPI_Wait(&first, MPI_STATUS_IGNORE);
    EXPECT_EQ(0, fake::time_ms());
  }
}

TEST_F(WrappedRequests, CancelThatComesTooLateTakesTheClocks) {
  MPI_Request request = receive(1, 3);
  fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, 900);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  EXPECT_EQ(900, clock_ns());
}

TEST_F(WrappedRequests, FreedReceiveLeavesItsClocksToNobody) {
  MPI_Request first = receive(1, 3);
  MPI_Request second = receive(1, 3);
  fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, 100);
  fake::deliver_both(MPI_COMM_WORLD, 1, 3, 2, 200);
  MPI_Request_free(&first);
  MPI_Wait(&second, MPI_STATUS_IGNORE);
  EXPECT_EQ(200, clock_ns());
  fake::deliver_both(MPI_COMM_WORLD, 1, 3, 3, 300);
  MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT_EQ(300, clock_ns());
  EXPECT_EQ(0, lost());
}

TEST_F(WrappedRequests, PersistentReceiveTakesClocksOncePerStart) {
  MPI_Request request;
  MPI_Recv_init(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);  // inactive
  EXPECT_EQ((Names{"Recv_init", "Wait"}), trace());
  for (int i = 1; i <= 3; ++i) {
    MPI_Start(&request);
    fake::deliver_both(MPI_COMM_WORLD, 1, 3, i, 100 * i);
    MPI_Wait(&request, &status);
    EXPECT_EQ(i, value);
    EXPECT_EQ(100 * i, clock_ns());
    EXPECT_EQ((Names{"Start", "Wait", "Irecv*"}), trace());
    MPI_Wait(&request, &status);
    EXPECT_EQ((Names{"Wait"}), trace());
  }
  MPI_Request_free(&request);
  EXPECT_EQ(0, lost());
  EXPECT_EQ(0u, fake::open_requests());
}

TEST_F(WrappedRequests, PersistentReceiveThatIsCompleteTakesNoMoreMessages) {
  MPI_Request request;
  MPI_Recv_init(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request);
  MPI_Start(&request);
  fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, 100);
  MPI_Wait(&request, &status);
  fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, 200);
  MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT_EQ(200, clock_ns());
  EXPECT_EQ(0, lost());
}

TEST_F(WrappedRequests, PersistentSendSendsClocksAtEachStart) {
  std::array<MPI_Request, 2> requests;
  MPI_Send_init(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(&value, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD,
                &requests[1]);
  EXPECT_EQ((Names{"Send_init", "Send_init"}), trace());
  for (int i = 0; i < 2; ++i) {
    MPI_Startall(2, requests.data());
    EXPECT_EQ((Names{"Isend*", "Startall"}), trace());
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    EXPECT_EQ((Names{"Waitall"}), trace());
  }
}

TEST_F(WrappedRequests, WaitallReportsAndUsesTheErrorOfEachRequest) {
  std::array<MPI_Request, 3> requests = {receive(1, 1), receive(1, 2),
                                         receive(1, 3)};
  std::array<MPI_Status, 3> statuses{};
  fake::deliver_both(MPI_COMM_WORLD, 1, 1, 1, 100);
  fake::deliver_both(MPI_COMM_WORLD, 1, 2, 1, 200);
  fake::fail_request(1, MPI_ERR_TRUNCATE);
  fake::fail_request(2, MPI_ERR_PENDING);
  EXPECT_EQ(MPI_ERR_IN_STATUS,
            MPI_Waitall(3, requests.data(), statuses.data()));
  EXPECT_EQ(MPI_SUCCESS, statuses[0].MPI_ERROR);
  EXPECT_EQ(MPI_ERR_TRUNCATE, statuses[1].MPI_ERROR);
  EXPECT_EQ(MPI_ERR_PENDING, statuses[2].MPI_ERROR);
  EXPECT_EQ(200, clock_ns());
  // The pending request completes later.
  fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, 300);
  MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
  EXPECT_EQ(300, clock_ns());
  EXPECT_EQ(0, lost());
}

TEST_F(WrappedRequests, UndefinedCountsAndIndicesPassThrough) {
  std::array<MPI_Request, 2> requests = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Request other =
      receive(1, 1);  // a pending request for the tool to look for
  int count = 0;
  int index = 0;
  int flag = 0;
  std::array<int, 2> indices = {5, 5};
  MPI_Waitsome(2, requests.data(), &count, indices.data(), MPI_STATUSES_IGNORE);
  EXPECT_EQ(MPI_UNDEFINED, count);
  MPI_Testsome(2, requests.data(), &count, indices.data(), MPI_STATUSES_IGNORE);
  EXPECT_EQ(MPI_UNDEFINED, count);
  MPI_Testany(2, requests.data(), &index, &flag, MPI_STATUS_IGNORE);
  EXPECT_EQ(MPI_UNDEFINED, index);
  EXPECT_EQ(1, flag);
  MPI_Waitall(0, nullptr, MPI_STATUSES_IGNORE);
  EXPECT_NE(nullptr, find_tracked(other));
  EXPECT_EQ(0, clock_ns());
}

TEST_F(WrappedRequests, WaitanyCompletesOne) {
  std::array<MPI_Request, 2> requests = {receive(1, 1), receive(1, 2)};
  fake::deliver_both(MPI_COMM_WORLD, 1, 2, 1, 200);
  int index = -1;
  MPI_Waitany(2, requests.data(), &index, &status);
  EXPECT_EQ(1, index);
  EXPECT_EQ(2, status.MPI_TAG);
  EXPECT_EQ(200, clock_ns());
  EXPECT_NE(nullptr, find_tracked(requests[0]));
}

TEST_F(WrappedRequests, GetStatusThenWaitTakesTheClocksOnce) {
  MPI_Request request = receive(1, 3);
  MPI_Request next = receive(1, 3);
  fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, 100);
  fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, 200);
  int flag = 0;
  MPI_Request_get_status(request, &flag, &status);
  EXPECT_EQ(1, flag);
  EXPECT_EQ(100, clock_ns());
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT_EQ(100, clock_ns());
  MPI_Wait(&next, MPI_STATUS_IGNORE);
  EXPECT_EQ(200, clock_ns());
  EXPECT_EQ(0, lost());
}

// MPI_Request_get_status_any, _some and _all, which not each MPI has: what they
// have seen.
TEST_F(WrappedRequests, GetStatusOfSeveralTakesTheClocksOnce) {
  std::array<MPI_Request, 3> requests = {receive(1, 1), receive(1, 2),
                                         receive(1, 3)};
  const auto peek = [&](int i, MPI_Status* filled) {
    int is_complete = 0;
    const int code = poprt::mpi::pmpi().Request_get_status(
        requests[static_cast<size_t>(i)], &is_complete, filled);
    EXPECT_EQ(1, is_complete);
    return code;
  };
  int index = MPI_UNDEFINED;
  int flag = 0;
  const auto ask_any = [&](int found) {
    return poprt::mpi::peek_any(3, requests.data(), &index, &flag,
                                MPI_STATUS_IGNORE, [&](MPI_Status* filled) {
                                  flag = found >= 0 ? 1 : 0;
                                  index = found;
                                  return found < 0 ? MPI_SUCCESS
                                                   : peek(found, filled);
                                });
  };
  EXPECT_EQ(MPI_SUCCESS, ask_any(MPI_UNDEFINED));
  fake::deliver_both(MPI_COMM_WORLD, 1, 1, 1, 100);
  fake::deliver_both(MPI_COMM_WORLD, 1, 2, 1, 200);
  EXPECT_EQ(0, clock_ns());
  EXPECT_EQ(MPI_SUCCESS, ask_any(0));
  EXPECT_EQ(100, clock_ns());
  int count = 0;
  std::array<int, 3> indices;
  poprt::mpi::peek_several_of(3, requests.data(), &count, indices.data(),
                              MPI_STATUSES_IGNORE, [&](MPI_Status* filled) {
                                indices = {1, 0, -1};
                                count = 2;
                                peek(1, filled);
                                return peek(0, filled + 1);
                              });
  EXPECT_EQ(200, clock_ns());
  fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, 300);
  std::array<MPI_Status, 3> statuses;
  poprt::mpi::peek_all(3, requests.data(), &flag, statuses.data(),
                       [&](MPI_Status* filled) {
                         EXPECT_EQ(statuses.data(), filled);
                         flag = 1;
                         for (int i = 0; i < 3; ++i) peek(i, filled + i);
                         return MPI_SUCCESS;
                       });
  EXPECT_EQ(300, clock_ns());
  MPI_Waitall(3, requests.data(), MPI_STATUSES_IGNORE);
  EXPECT_EQ(300, clock_ns());
  EXPECT_EQ(0, lost());
}

TEST_F(WrappedRequests, RequestsThatShareAHandleAreCompletedInOrder) {
  MPI_Request first = receive(1, 1);
  fake::share_handle(first);
  MPI_Request second = receive(1, 2);
  ASSERT_EQ(first, second);
  fake::deliver_both(MPI_COMM_WORLD, 1, 1, 1, 100);
  fake::deliver_both(MPI_COMM_WORLD, 1, 2, 1, 200);
  MPI_Wait(&first, MPI_STATUS_IGNORE);
  EXPECT_EQ(100, clock_ns());
  MPI_Wait(&second, MPI_STATUS_IGNORE);
  EXPECT_EQ(200, clock_ns());
  EXPECT_EQ(0, lost());
}

TEST_F(WrappedRequests, ReceiveThatIsNotPostedIsNotTracked) {
  fake::fail("Irecv", MPI_ERR_TAG);
  MPI_Request request = MPI_REQUEST_NULL;
  EXPECT_EQ(MPI_ERR_TAG,
            MPI_Irecv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request));
  EXPECT_EQ(nullptr, find_tracked(request));
}

TEST_F(WrappedRequests, SeveralThreadsNeverWaitForAGuessedOrder) {
  start(0, 2, MPI_THREAD_MULTIPLE);
  MPI_Request first = receive(1, 3);
  MPI_Request second = receive(1, 3);
  (void)first;
  // Inside MPI, `second` was posted first.
  fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, 100);
  std::swap(first, second);
  MPI_Wait(&second, MPI_STATUS_IGNORE);
  EXPECT_EQ(100, clock_ns());
  EXPECT_EQ(0, lost());
  EXPECT_EQ(0, fake::time_ms());
}

// Of the only request of a list; 0 if it is not found.
int tag_of_claimed(poprt::mpi::Claims& claims, MPI_Request request) {
  poprt::mpi::claim_all(claims, 1, &request);
  poprt::mpi::Tracked* const found = claims.list[0].tracked;
  return found == nullptr ? 0 : poprt::mpi::as_receive(found)->tag;
}

TEST_F(WrappedRequests, HandleThatAnotherThreadGotAgainIsNotMixedUp) {
  start(0, 2, MPI_THREAD_MULTIPLE);
  const MPI_Request old = receive(1, 1);
  // A thread is in a call that completes the request. Before the wrapper looks
  // it up, MPI gives the handle to another thread.
  poprt::mpi::Claims one;
  EXPECT_EQ(1, tag_of_claimed(one, old));
  EXPECT_EQ(nullptr, find_tracked(old));
  poprt::mpi::Claims other;
  EXPECT_EQ(0, tag_of_claimed(other, old));
  end_claims(other);
  fake::share_handle(old);
  ASSERT_EQ(old, receive(1, 2));
  EXPECT_EQ(2, tag_of_claimed(other, old));
  end_claims(other);
  EXPECT_EQ(2, poprt::mpi::as_receive(find_tracked(old))->tag);
  EXPECT_EQ(1, poprt::mpi::as_receive(one.list[0].tracked)->tag);
}

// The thread that completed the older request has not looked it up yet.
TEST_F(WrappedRequests, HandleOfTwoRequestsIsTheNewersAmongSeveralThreads) {
  start(0, 2, MPI_THREAD_MULTIPLE);
  const MPI_Request handle = receive(1, 1);
  fake::share_handle(handle);
  ASSERT_EQ(handle, receive(1, 2));
  poprt::mpi::Claims claims;
  EXPECT_EQ(2, tag_of_claimed(claims, handle));
}

// What was found for an earlier call is right for this one, or is looked up.
TEST_F(WrappedRequests, ListThatIsTestedAgainIsThatOfItsRequests) {
  start(0, 2, MPI_THREAD_MULTIPLE);
  const MPI_Request first = receive(1, 1);
  const MPI_Request second = receive(1, 2);
  MPI_Request list[] = {first, second, MPI_REQUEST_NULL};
  poprt::mpi::Claims claims;
  const auto tags = [&] {
    poprt::mpi::claim_all(claims, 3, list);
    end_claims(claims);
    std::vector<int> found;
    for (const auto& one : claims.list) {
      const auto* const receive = poprt::mpi::as_receive(one.tracked);
      found.push_back(receive == nullptr ? 0 : receive->tag);
    }
    return found;
  };
  using Tags = std::vector<int>;
  EXPECT_EQ((Tags{1, 2, 0}), tags());
  EXPECT_EQ((Tags{1, 2, 0}), tags());
  std::swap(list[0], list[1]);
  EXPECT_EQ((Tags{2, 1, 0}), tags());
  // Another thread tests the list in between.
  poprt::mpi::Claims other;
  poprt::mpi::claim_all(other, 2, list);
  EXPECT_EQ((Tags{0, 0, 0}), tags());  // as long as it does
  end_claims(other);
  EXPECT_EQ((Tags{2, 1, 0}), tags());
  // The program gives one back, and gets its handle again.
  MPI_Request freed = first;
  MPI_Cancel(&freed);
  MPI_Request_free(&freed);
  EXPECT_EQ((Tags{2, 0, 0}), tags());
  EXPECT_EQ((Tags{2, 0, 0}), tags());
  fake::share_handle(first);
  ASSERT_EQ(first, receive(1, 3));
  EXPECT_EQ((Tags{2, 3, 0}), tags());
  // The completion of one was not seen, and its handle is another's.
  fake::share_handle(second);
  ASSERT_EQ(second, receive(1, 4));
  EXPECT_EQ((Tags{4, 3, 0}), tags());
}

// A thread that has tested a request is in a call for another one: the first is
// everybody's.
TEST_F(WrappedRequests, RequestsOfEarlierCallsAreNotClaimed) {
  start(0, 2, MPI_THREAD_MULTIPLE);
  const MPI_Request first = receive(1, 1);
  const MPI_Request second = receive(1, 2);
  poprt::mpi::Claims waits;
  EXPECT_EQ(1, tag_of_claimed(waits, first));
  end_claims(waits);
  EXPECT_EQ(2, tag_of_claimed(waits, second));
  EXPECT_EQ(1, poprt::mpi::as_receive(find_tracked(first))->tag);
  EXPECT_EQ(nullptr, find_tracked(second));
  poprt::mpi::Claims other;
  EXPECT_EQ(1, tag_of_claimed(other, first));
  // What the one that waits has found is not found again as its own.
  end_claims(waits);
  EXPECT_EQ(0, tag_of_claimed(waits, first));
}

// Threads that test lists at the same time, and each other's after they met.
TEST_F(WrappedRequests, ListsOfSeveralThreadsAreEachTheirOwn) {
  start(0, 2, MPI_THREAD_MULTIPLE);
  constexpr int kThreads = 2;
  constexpr int kRequests = 16;
  std::vector<MPI_Request> lists[kThreads];
  for (int i = 0; i < kThreads * kRequests; ++i) {
    lists[i / kRequests].push_back(receive(1, 1 + i));
  }
  std::barrier meet(kThreads);
  std::atomic<int> wrong{0};
  const auto test = [&](int which) {
    poprt::mpi::Claims claims;
    for (int round = 0; round < 20; ++round, which = 1 - which) {
      for (int again = 0; again < 50; ++again) {
        poprt::mpi::claim_all(claims, kRequests, lists[which].data());
        for (int i = 0; i < kRequests; ++i) {
          const auto* const found = poprt::mpi::as_receive(
              claims.list[static_cast<size_t>(i)].tracked);
          if (found == nullptr || found->tag != 1 + which * kRequests + i)
            ++wrong;
        }
        end_claims(claims);
      }
      meet.arrive_and_wait();
    }
  };
  std::thread other(test, 1);
  test(0);
  other.join();
  EXPECT_EQ(0, wrong);
}

// Handles of what is complete at once may all be the same.
TEST_F(WrappedRequests, RequestsOfOneHandleAreEachFoundOnce) {
  start(0, 2, MPI_THREAD_MULTIPLE);
  const MPI_Request handle = receive(1, 1);
  fake::share_handle(handle);
  ASSERT_EQ(handle, receive(1, 2));
  poprt::mpi::Claims claims;
  for (int again = 0; again < 2; ++again) {
    const MPI_Request list[] = {handle, handle};
    poprt::mpi::claim_all(claims, 2, list);
    end_claims(claims);
    EXPECT_EQ(2, poprt::mpi::as_receive(claims.list[0].tracked)->tag);
    EXPECT_EQ(1, poprt::mpi::as_receive(claims.list[1].tracked)->tag);
  }
}

TEST_F(WrappedRequests, CallThatCompletesNothingClaimsNothing) {
  start(0, 2, MPI_THREAD_MULTIPLE);
  MPI_Request request = receive(1, 1);
  int flag = 1;
  MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  EXPECT_EQ(0, flag);
  EXPECT_NE(nullptr, find_tracked(request));
  fake::deliver_both(MPI_COMM_WORLD, 1, 1, 1, 5'000'000);
  MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  EXPECT_EQ(1, flag);
  EXPECT_EQ(5'000'000, clock_ns());
  EXPECT_EQ(0, lost());
}

}  // namespace
