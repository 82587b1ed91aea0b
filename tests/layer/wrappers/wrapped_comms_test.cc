// Communicators: their shadows, and how long these live.
#include <array>
#include <cstdlib>

#include "base/spawn_words.h"
#include "noted.h"
#include "wrapped_program.h"
#include "wrappers/calls/spawn.h"
#include "wrappers/edges/shared_shadow.h"
#include "wrappers/state.h"

namespace {

using WrappedComms = WrappedProgram;

MPI_Comm duplicate() {
  MPI_Comm comm;
  EXPECT_EQ(MPI_SUCCESS, MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  fake::forget_calls();
  return comm;
}

TEST_F(WrappedComms, NewCommunicatorHasAShadowAndItsMessagesClocks) {
  // The other processes have room for a shadow as well.
  MPI_Comm comm = duplicate();
  ASSERT_TRUE(fake::has_shadow(comm));
  fake::deliver_both(comm, 1, 3, 1, 600);
  MPI_Recv(&value, 1, MPI_INT, 1, 3, comm, MPI_STATUS_IGNORE);
  EXPECT_EQ(600, clock_ns());
  EXPECT_EQ((Names{"Recv", "Irecv*"}), trace(comm));
}

TEST_F(WrappedComms, FreeingFreesTheShadowToo) {
  MPI_Comm comm = duplicate();
  MPI_Comm handle = comm;
  MPI_Comm shadow = fake::shadow_of(comm);
  EXPECT_EQ(MPI_SUCCESS, MPI_Comm_free(&handle));
  EXPECT_EQ(MPI_COMM_NULL, handle);
  EXPECT_TRUE(fake::is_freed(comm));
  EXPECT_TRUE(fake::is_freed(shadow));
}

TEST_F(WrappedComms, FailingConstructorMakesNoShadow) {
  fake::fail("Comm_dup", MPI_ERR_OTHER);
  MPI_Comm comm = MPI_COMM_NULL;
  EXPECT_EQ(MPI_ERR_OTHER, MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  EXPECT_EQ((Names{"Comm_dup"}), trace());
}

TEST_F(WrappedComms, ShadowLivesUntilTheLastReceiveIsComplete) {
  MPI_Comm comm = duplicate();
  MPI_Comm handle = comm;
  MPI_Comm shadow = fake::shadow_of(comm);
  MPI_Request request = receive(1, 3, comm);
  MPI_Comm_free(&handle);
  EXPECT_FALSE(fake::is_freed(shadow));
  const poprt::ClockMessage clocks = fake::clocks(600);
  fake::deliver(shadow, 1, 3, &clocks, clocks.bytes());
  fake::deliver_int(comm, 1, 3, 1);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT_EQ(600, clock_ns());
  EXPECT_TRUE(fake::is_freed(shadow));
  EXPECT_EQ(0, lost());
}

TEST_F(WrappedComms, ShadowLivesUntilTheLastCollectiveIsComplete) {
  start(0, 32);
  MPI_Comm comm = duplicate();
  MPI_Comm handle = comm;
  MPI_Comm shadow = fake::shadow_of(comm);
  fake::hold_collectives(true);
  MPI_Bcast(&value, 1, MPI_INT, 0, comm);  // the root goes on
  MPI_Comm_free(&handle);
  EXPECT_FALSE(fake::is_freed(shadow));
  fake::hold_collectives(false);
  MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  EXPECT_TRUE(fake::is_freed(shadow));
}

TEST_F(WrappedComms, PersistentRequestsOutliveTheCommunicator) {
  MPI_Comm comm = duplicate();
  MPI_Comm handle = comm;
  MPI_Comm shadow = fake::shadow_of(comm);
  MPI_Request request;
  MPI_Recv_init(&value, 1, MPI_INT, 1, 3, comm, &request);
  MPI_Comm_free(&handle);
  MPI_Start(&request);
  const poprt::ClockMessage clocks = fake::clocks(600);
  fake::deliver(shadow, 1, 3, &clocks, clocks.bytes());
  fake::deliver_int(comm, 1, 3, 1);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT_EQ(600, clock_ns());
  EXPECT_FALSE(fake::is_freed(shadow));
  MPI_Request_free(&request);
  EXPECT_TRUE(fake::is_freed(shadow));
}

TEST_F(WrappedComms, ShadowWithClocksThatNobodyTakesIsNeverUsedAgain) {
  start(1, 2);
  MPI_Comm comm = duplicate();
  MPI_Comm handle = comm;
  MPI_Comm shadow = fake::shadow_of(comm);
  MPI_Request request = receive(1, 3, comm);
  MPI_Request_free(&request);
  MPI_Comm_free(&handle);
  EXPECT_FALSE(fake::is_freed(shadow));
  fake::deliver(shadow, 1, 3, &value, sizeof value);
  EXPECT_EQ(1u, fake::unread(shadow));
  finalize();
  EXPECT_EQ(0u, fake::unread(shadow));
}

TEST_F(WrappedComms, MakingShadowsIsTheToolsTime) {
  fake::take_time("Comm_create", 2 * kMs);
  MPI_Comm comm = duplicate();
  EXPECT_LE(2 * kMs, overhead_ns());
  // What freeing waits for others is the program's.
  fake::take_time("Comm_free", 100 * kMs);
  MPI_Comm_free(&comm);
  EXPECT_GT(100 * kMs, overhead_ns());
}

TEST_F(WrappedComms, ShadowOfAStreamWithoutClocksIsNeverUsedAgain) {
  start(1, 2);
  MPI_Comm comm = duplicate();
  MPI_Comm shadow = fake::shadow_of(comm);
  fake::deliver_int(comm, 0, 3, 1);
  MPI_Recv(&value, 1, MPI_INT, 0, 3, comm, MPI_STATUS_IGNORE);
  EXPECT_EQ(1, lost());
  // It is the tool that has waited, and once.
  EXPECT_GE(overhead_ns(), 1'000'000'000);
  EXPECT_LT(overhead_ns(), 1'500'000'000);
  MPI_Comm_free(&comm);
  EXPECT_FALSE(fake::is_freed(shadow));
  // The clocks come after all.
  fake::deliver(shadow, 0, 3, &value, sizeof value);
  finalize();
  EXPECT_EQ(0u, fake::unread(shadow));
}

// By a function that it has looked up in the MPI library.
TEST_F(WrappedComms, WhatOneProcessMakesPastTheToolCarriesNoClocks) {
  fake::hold_collectives(true);
  MPI_Comm comm = MPI_COMM_NULL;
  EXPECT_EQ(MPI_SUCCESS, MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  fake::hold_collectives(false);
  EXPECT_EQ(1, lost());
  EXPECT_FALSE(fake::has_shadow(comm));
  fake::forget_calls();
  MPI_Barrier(comm);
  // Operations of the tool are under way on the shadow.
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ((Names{"Barrier", "Barrier"}), trace());
  EXPECT_FALSE(fake::is_freed(fake::shadow_of(MPI_COMM_WORLD)));
}

// This process has made it, and its next call meets the others'.
TEST_F(WrappedComms, TheCallBehindOnePastTheToolIsTheProgramsOwn) {
  poprt::ClockMessage meeting = fake::clocks(700);
  meeting.incomplete = 1 << 30;
  fake::set_others(meeting);
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ((Names{"Allreduce*", "Iallreduce*", "Barrier"}), trace());
  EXPECT_EQ(1, lost());
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ((Names{"Barrier"}), trace());
}

TEST_F(WrappedComms, HandleThatIsUsedAgainIsANewCommunicator) {
  MPI_Comm comm = duplicate();
  MPI_Comm handle = comm;
  MPI_Send(&value, 1, MPI_INT, 1, 0, comm);
  MPI_Comm_free(&handle);
  fake::forget_calls();
  // A communicator that the tool does not know.
  fake::give_again(comm);
  MPI_Send(&value, 1, MPI_INT, 1, 0, comm);
  EXPECT_EQ((Names{"Send"}), trace());
}

TEST_F(WrappedComms, WorldIsNotForgottenWhenItsFreeingIsRefused) {
  fake::fail("Comm_free", MPI_ERR_COMM);
  MPI_Comm world = MPI_COMM_WORLD;
  EXPECT_EQ(MPI_ERR_COMM, MPI_Comm_free(&world));
  fake::forget_calls();
  MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  EXPECT_EQ((Names{"Isend*", "Send"}), trace());
}

TEST_F(WrappedComms, IdupIsTrackedFromItsCompletionOn) {
  for (bool asked : {false, true}) {
    start(0, 2);
    MPI_Comm comm;
    MPI_Request request;
    MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request);
    EXPECT_EQ((Names{"Comm_idup"}), trace());
    if (asked) {
      int flag = 0;
      MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
    } else {
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    fake::forget_calls();
    MPI_Send(&value, 1, MPI_INT, 1, 0, comm);
    EXPECT_EQ((Names{"Isend*", "Send"}), trace());
    if (asked) MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
    EXPECT_EQ(0u, fake::open_requests() / 2);
  }
}

// No process can make another shadow in MPI_Comm_idup.
TEST_F(WrappedComms, ShadowOfTheParentLivesAsLongAsTheIdup) {
  MPI_Comm parent = duplicate();
  MPI_Comm handle = parent;
  MPI_Comm shadow = fake::shadow_of(parent);
  MPI_Comm comm;
  MPI_Request request;
  MPI_Comm_idup(parent, &comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&handle);
  EXPECT_FALSE(fake::is_freed(shadow));
  MPI_Send(&value, 1, MPI_INT, 1, 0, comm);
  EXPECT_FALSE(fake::is_freed(shadow));
  MPI_Comm_free(&comm);
  EXPECT_TRUE(fake::is_freed(shadow));
}

TEST_F(WrappedComms, RefusedIdupLeavesNothing) {
  MPI_Comm parent = duplicate();
  MPI_Comm shadow = fake::shadow_of(parent);
  MPI_Comm comm;
  MPI_Request request;
  fake::fail("Comm_idup", MPI_ERR_OTHER);
  EXPECT_EQ(MPI_ERR_OTHER, MPI_Comm_idup(parent, &comm, &request));
  MPI_Comm_free(&parent);
  EXPECT_TRUE(fake::is_freed(shadow));
}

TEST_F(WrappedComms, CommunicatorsWithoutAgreementCarryNothing) {
  // Another process refuses: the minimum over all processes is 0.
  fake::refuse_next_shadow(true);
  MPI_Comm comm = duplicate();
  EXPECT_FALSE(fake::has_shadow(comm));
  MPI_Send(&value, 1, MPI_INT, 1, 0, comm);
  EXPECT_EQ((Names{"Send"}), trace());
  EXPECT_EQ(1, lost());  // once for all that happens on it
}

// Communicators for which the library has no shadow left: they share one.
class SharedShadow : public WrappedProgram {
 protected:
  void SetUp() override { start_sharing(MPI_THREAD_SINGLE); }

  void start_sharing(int level, int size = 2) {
    start(0, size, level);
    shadow_ = fake::shadow_of(MPI_COMM_WORLD);
    one_ = shared();
    other_ = shared();
  }
  static MPI_Comm shared() {
    fake::refuse_next_shadow();
    MPI_Comm comm = duplicate();
    EXPECT_FALSE(fake::has_shadow(comm));
    return comm;
  }

  void message_comes(MPI_Comm comm, int tag, int64_t ns) {
    if (comm == MPI_COMM_WORLD) {
      fake::deliver_clocks(comm, 1, tag, ns);
    } else {
      labelled_clocks_come(comm, tag, ns);
    }
    fake::deliver_int(comm, 1, tag, 1);
  }
  void receive_from(MPI_Comm comm, int tag) {
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, tag, comm, MPI_STATUS_IGNORE);
  }

  MPI_Comm shadow_;
  MPI_Comm one_;
  MPI_Comm other_;
};

// Data of which some processes have nothing: there is no operation on a shadow
// that is shared, and the loss is counted by who would have received clocks.
TEST_F(SharedShadow, CallsWithEmptyContributionsLoseTheirClocks) {
  const std::array<int, 2> some = {0, 1};
  const std::array<int, 2> at = {0, 0};
  MPI_Allgatherv(&value, 0, MPI_INT, &value, some.data(), at.data(), MPI_INT,
                 one_);
  EXPECT_EQ((Names{"Allgatherv"}), trace(one_));
  EXPECT_EQ(1, lost());
  const std::array<int, 2> none = {0, 0};
  MPI_Allgatherv(&value, 0, MPI_INT, &value, none.data(), at.data(), MPI_INT,
                 one_);
  EXPECT_EQ(1, lost());
}

TEST_F(SharedShadow, EachMessageHasTheClocksOfItsCommunicator) {
  for (int level : {MPI_THREAD_SINGLE, MPI_THREAD_MULTIPLE}) {
    start_sharing(level);
    // More streams than there are tags for them.
    constexpr int kStreams = 3000;
    message_comes(other_, 3, 300);
    message_comes(MPI_COMM_WORLD, 3, 100);
    message_comes(one_, 3, 200);
    for (int tag = 10; tag < kStreams; ++tag) {
      message_comes(one_, tag, 1000 * tag);
    }
    receive_from(MPI_COMM_WORLD, 3);
    EXPECT_EQ(100, clock_ns());
    receive_from(one_, 3);
    EXPECT_EQ(200, clock_ns());
    receive_from(other_, 3);
    EXPECT_EQ(300, clock_ns());
    for (int tag = 10; tag < kStreams; ++tag) {
      receive_from(one_, tag);
      ASSERT_EQ(1000 * tag, clock_ns());
    }
    EXPECT_EQ(0, lost());
    EXPECT_EQ(0u, fake::unread(shadow_));
  }
}

// Streams whose clocks have the same tag on the shared shadow differ only in
// their label: in the communicator, the program's tag, or both.
TEST_F(SharedShadow, StreamsWithTheSameTagThereAreToldApart) {
  struct Stream {
    MPI_Comm comm;
    int tag;
  };
  const auto tag_there = [](const Stream& stream) {
    using poprt::mpi::key_of;
    return poprt::mpi::shared_tag(
        {poprt::mpi::job().edges.comms.by_handle.find(key_of(stream.comm))->key,
         stream.tag});
  };
  // The first stream of `comm` whose clocks have the tag of the other stream's.
  const auto colliding = [&](MPI_Comm comm, const Stream& other) {
    Stream stream{comm, other.tag + 1};
    while (tag_there(stream) != tag_there(other)) ++stream.tag;
    return stream;
  };
  const auto expect_told_apart = [&](const Stream& first,
                                     const Stream& second) {
    ASSERT_EQ(tag_there(first), tag_there(second));
    // The clocks of the second stream arrive after those of the first one, but
    // are needed before them.
    const int64_t now = clock_ns();
    message_comes(first.comm, first.tag, now + 200);
    message_comes(second.comm, second.tag, now + 100);
    receive_from(second.comm, second.tag);
    EXPECT_EQ(now + 100, clock_ns());
    receive_from(first.comm, first.tag);
    EXPECT_EQ(now + 200, clock_ns());
  };
  for (int level : {MPI_THREAD_SINGLE, MPI_THREAD_MULTIPLE}) {
    start_sharing(level);
    const Stream one{one_, 3};
    expect_told_apart(one, colliding(one_, one));
    expect_told_apart(one, colliding(other_, one));
    int same = 0;
    while (tag_there({one_, same}) != tag_there({other_, same})) {
      if (++same < 100'000) continue;
      other_ = shared();  // these two communicators have no tag in common
      same = 0;
    }
    expect_told_apart({one_, same}, {other_, same});
    EXPECT_EQ(0, lost());
    EXPECT_EQ(0u, fake::unread(shadow_));
  }
}

TEST_F(SharedShadow, IsThatOfItsProcessesAmongAll) {
  start(0, 5);
  fake::place_next_comm({3, 1, 0, 4, 2});
  MPI_Comm comm = shared();
  fake::forget_calls();
  MPI_Send(&value, 1, MPI_INT, 3, 0, comm);
  ASSERT_EQ("Isend", fake::calls().front().name);
  EXPECT_EQ(4, fake::calls().front().peer);
  // Copies of the communicator share the shadow, too.
  MPI_Comm copy;
  MPI_Request request;
  MPI_Comm_idup(comm, &copy, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  fake::forget_calls();
  MPI_Ssend(&value, 1, MPI_INT, 1, 0, copy);
  for (const fake::Call& call : fake::calls()) {
    if (call.name != "Isend" && call.name != "Irecv") continue;
    EXPECT_EQ(fake::shadow_of(MPI_COMM_WORLD), call.comm);
    EXPECT_EQ(1, call.peer);
  }
}

TEST_F(SharedShadow, ClocksOfACommunicatorThatIsGoneAreNobodys) {
  labelled_clocks_come(one_, 3, 900);
  MPI_Comm_free(&one_);
  message_comes(other_, 3, 300);
  receive_from(other_, 3);
  EXPECT_EQ(300, clock_ns());
}

TEST_F(SharedShadow, StreamWithoutClocksIsGivenUpAndNobodyToldSo) {
  fake::deliver_int(one_, 1, 3, 1);
  receive_from(one_, 3);
  EXPECT_EQ(1, lost());
  EXPECT_GE(overhead_ns(), 1'000'000'000);
  // The clocks arrive late, and are taken one for each message.
  labelled_clocks_come(one_, 3, 9000 * kMs);
  fake::forget_calls();
  fake::deliver_int(one_, 1, 3, 1);
  receive_from(one_, 3);
  EXPECT_GT(9000 * kMs, clock_ns());
  EXPECT_EQ(1, lost());
  EXPECT_EQ(0u, fake::unread(shadow_));
  EXPECT_EQ((Names{"Recv", "Improbe*", "Mrecv"}), trace());
}

TEST_F(SharedShadow, CollectivesOfAllAreOnTheProgramsOwn) {
  fake::set_others(fake::clocks(700));
  fake::forget_calls();
  int sum = 0;
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, one_);
  EXPECT_EQ((Names{"Allreduce", "Allreduce"}), trace());
  EXPECT_EQ(700, clock_ns());
}

// Operations that MPI may still execute after the program has freed the
// communicator are not done on it.
TEST_F(SharedShadow, OtherCollectivesGoDirectlyOrHaveNoClocks) {
  start_sharing(MPI_THREAD_SINGLE, 200);
  fake::forget_calls();
  MPI_Bcast(&value, 1, MPI_INT, 0, one_);
  EXPECT_EQ(200u, trace().size());
  MPI_Scan(&value, &value, 1, MPI_INT, MPI_SUM, one_);
  EXPECT_EQ((Names{"Scan"}), trace());
}

TEST_F(SharedShadow, TaintedOnesStayInUse) {
  start(0, 2);
  const int before = poprt::mpi::job().edges.comms.shadows;
  MPI_Comm comm = duplicate();
  MPI_Request request = receive(1, 3, comm);
  MPI_Request_free(&request);
  MPI_Comm_free(&comm);
  EXPECT_EQ(before + 1, poprt::mpi::job().edges.comms.shadows);
}

// MPI's message about a failed call names these arguments.
TEST_F(WrappedComms, ArgumentsOfSpawnStayWithoutPoprtRun) {
  ASSERT_EQ(nullptr, std::getenv(poprt::kSpawnVariable));
  char program[] = "child";
  char* programs[] = {program, program};
  MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
  char** commands = programs;
  char*** argvs = MPI_ARGVS_NULL;
  poprt::mpi::SpawnedCommands spawned;
  spawned.put_in_front(2, &commands, &argvs, infos);
  EXPECT_EQ(programs, commands);
  EXPECT_EQ(MPI_ARGVS_NULL, argvs);
}

// What is noted of a job of these commands that the program has started.
std::vector<std::string> notes_on_spawn(std::vector<std::string> commands) {
  std::vector<char*> words;
  for (std::string& each : commands) words.push_back(each.data());
  std::vector<MPI_Info> infos(words.size(), MPI_INFO_NULL);
  char** programs = words.data();
  char*** argvs = MPI_ARGVS_NULL;
  poprt::mpi::SpawnedCommands spawned;
  spawned.put_in_front(static_cast<int>(words.size()), &programs, &argvs,
                       infos.data());
  spawned.note();
  return fake::process().totals(0, "node").quality.notes;
}

TEST_F(WrappedComms, HowSpawnedProcessesAreMeasuredIsNoted) {
  std::vector<std::string> notes = notes_on_spawn({"/bin/sh"});
  EXPECT_NOTED("spawn_unasked", notes);
  EXPECT_NOT_NOTED("spawn_measured", notes);
  setenv(poprt::kSpawnVariable, "poprt\nrun", 1);
  const std::string nowhere = "/bin/there is none";
  start(0, 2);
  notes = notes_on_spawn({"/bin/sh", "/bin/sh"});
  EXPECT_NOTED("spawn_measured", notes);
  EXPECT_NOT_NOTED("spawn_unasked", notes);
  EXPECT_NOT_NOTED("spawn_some", notes);
  start(0, 2);
  notes = notes_on_spawn({"/bin/sh", nowhere});
  EXPECT_NOTED("spawn_some", notes);
  EXPECT_NOT_NOTED("spawn_measured", notes);
  EXPECT_NOT_NOTED("spawn_not_found", notes);
  start(0, 2);
  notes = notes_on_spawn({nowhere, nowhere});
  EXPECT_NOTED("spawn_not_found", notes);
  EXPECT_NOT_NOTED("spawn_some", notes);
  unsetenv(poprt::kSpawnVariable);
}

}  // namespace
