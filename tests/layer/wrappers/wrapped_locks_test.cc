// Locks of several threads in MPI, whose holder is interrupted or leaves by a
// jump.
#include <csetjmp>
#include <csignal>
#include <functional>
#include <utility>

#include "base/mutex.h"
#include "wrapped_program.h"
#include "wrappers/edges/shared_shadow.h"
#include "wrappers/state.h"

namespace {

std::function<void()> g_handler;

// Runs `handler` as a signal from outside would at this place.
void interrupt_by(std::function<void()> handler) {
  g_handler = std::move(handler);
  struct sigaction action = {};
  action.sa_handler = [](int) { g_handler(); };
  sigaction(SIGUSR1, &action, nullptr);
  raise(SIGUSR1);
}

class WrappedLocks : public WrappedProgram {
 protected:
  void SetUp() override { start(0, 2, MPI_THREAD_MULTIPLE); }

  static poprt::mpi::CommInfo& info_of(MPI_Comm comm) {
    return *poprt::mpi::job().edges.comms.by_handle.find(
        poprt::mpi::key_of(comm));
  }
  static void post(int tag) {
    static int number = 7;
    MPI_Request request;
    EXPECT_EQ(MPI_SUCCESS,
              MPI_Isend(&number, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, &request));
    EXPECT_EQ(MPI_SUCCESS, MPI_Wait(&request, MPI_STATUS_IGNORE));
  }
};

TEST_F(WrappedLocks, SendAfterOneThatWasLeft) {
  static std::jmp_buf out;
  if (setjmp(out) == 0) {
    fake::leave("Isend", &out);
    post(3);
  }
  fake::forget_calls();
  post(3);
  EXPECT_EQ((Names{"Isend*", "Isend", "Wait"}), trace());
  EXPECT_EQ(0, lost());
}

TEST_F(WrappedLocks, StreamIsGivenUpWhereItsOrderIsNotKnown) {
  {
    // Stands for another thread that holds the lock and does not run.
    const poprt::MutexLock lock(
        info_of(MPI_COMM_WORLD).edges.streams.send_mutex);
    ASSERT_TRUE(lock.held());
    interrupt_by([] { post(3); });
  }
  EXPECT_EQ((Names{"Isend", "Wait"}), trace());
  EXPECT_EQ(1, lost());
  post(3);
  EXPECT_EQ((Names{"Isend", "Wait"}), trace());
  MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  EXPECT_EQ((Names{"Send"}), trace());
  post(4);
  EXPECT_EQ((Names{"Isend*", "Isend", "Wait"}), trace());
  EXPECT_EQ(1, lost());
}

// A signal handler calls exit(), whose handler calls MPI_Finalize.
TEST_F(WrappedLocks, FinalizeWhileThisThreadLooksAtASharedShadow) {
  start(1, 2, MPI_THREAD_MULTIPLE);  // rank 1: its totals go to rank 0
  fake::refuse_next_shadow();
  MPI_Comm comm;
  ASSERT_EQ(MPI_SUCCESS, MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  fake::forget_calls();
  MPI_Comm shadow = fake::shadow_of(MPI_COMM_WORLD);
  MPI_Ssend(&value, 1, MPI_INT, 0, 3, comm);
  // The answer arrives when only its pending operation still uses the
  // communicator.
  int answer_tag = 0;
  for (const fake::Call& call : fake::calls()) {
    if (call.name == "Irecv" && call.comm == shadow) answer_tag = call.tag;
  }
  ASSERT_NE(0, answer_tag);
  MPI_Comm_free(&comm);
  const poprt::ClockMessage answer = fake::clocks(600);
  fake::deliver(shadow, 0, answer_tag, &answer, answer.bytes());
  EXPECT_EQ(1u, poprt::mpi::job().edges.sharing.by_key.size());
  {
    const poprt::MutexLock lock(poprt::mpi::job().edges.sharing.mutex);
    ASSERT_TRUE(lock.held());
    interrupt_by([] { EXPECT_EQ(MPI_SUCCESS, finalize()); });
  }
  EXPECT_EQ("Finalize", fake::calls().back().name);
  // A table that may be in use is not destroyed.
  EXPECT_EQ(1u, poprt::mpi::job().edges.sharing.by_key.size());
}

}  // namespace
