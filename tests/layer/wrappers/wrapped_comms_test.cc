// Communicators: their shadows, and how long these live.
#include <array>
#include <cstdlib>

#include "runtime/spawn_words.h"
#include "wrapped_program.h"
#include "wrappers/spawn.h"

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
  MPI_Finalize();
  EXPECT_EQ(0u, fake::unread(shadow));
}

TEST_F(WrappedComms, HandleThatIsUsedAgainIsANewCommunicator) {
  MPI_Comm comm = duplicate();
  MPI_Comm handle = comm;
  MPI_Send(&value, 1, MPI_INT, 1, 0, comm);
  MPI_Comm_free(&handle);
  fake::forget_calls();
  // Now one that the tool knows nothing of.
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
    EXPECT_EQ((Names{"Comm_idup", "Comm_idup*"}), trace());
    if (asked) {
      int flag = 0;
      MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
    } else {
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    fake::forget_calls();
    MPI_Send(&value, 1, MPI_INT, 1, 0, comm);
    EXPECT_EQ((Names{"Isend", "Send"}), trace());
    if (asked) MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
    EXPECT_EQ(0u, fake::open_requests() / 2);
  }
}

// Open MPI goes on using the parent until the new communicator is complete.
TEST_F(WrappedComms, ShadowOfTheParentLivesUntilThatOfTheIdupIsMade) {
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
  EXPECT_TRUE(fake::is_freed(shadow));
}

TEST_F(WrappedComms, CommunicatorsWithoutAgreementCarryNothing) {
  // Another process says no: the minimum over all is 0.
  fake::refuse_next_shadow();
  MPI_Comm comm = duplicate();
  EXPECT_FALSE(fake::has_shadow(comm));
  MPI_Send(&value, 1, MPI_INT, 1, 0, comm);
  EXPECT_EQ((Names{"Send"}), trace());
}

// What MPI says of a failed call names these arguments.
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

}  // namespace
