// What the tests of the wrappers have in common: a program, which is rank 0 of
// two processes unless it says otherwise.
#ifndef POPRT_TESTS_WRAPPED_PROGRAM_H_
#define POPRT_TESTS_WRAPPED_PROGRAM_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fake_mpi.h"
#include "measure/events.h"
#include "wrappers/edges/own_tags.h"
#include "wrappers/edges/shared_shadow.h"
#include "wrappers/state.h"

inline constexpr int64_t kMs = 1'000'000;  // ns

// The fake MPI's upper bound of tags, and of them the tool's own.
inline constexpr int kTagBound = 1'000'000;
inline constexpr int kFirstOwnTag = kTagBound / 5 * 3 + 1;
inline constexpr int kLastOwnTag = kFirstOwnTag + poprt::mpi::kOwnTags - 1;

class WrappedProgram : public testing::Test {
 protected:
  void SetUp() override { start(0, 2); }

  static void start(int rank, int size, int level = MPI_THREAD_SINGLE) {
    fake::reset(rank, size, level);
    EXPECT_EQ(MPI_SUCCESS, MPI_Init(nullptr, nullptr));
    fake::forget_calls();
  }

  // The critical path of the thread so far.
  static int64_t clock_ns() {
    poprt::ClockMessage message;
    poprt::t_thread->store_to(message);
    return message.count == 0 ? 0 : message.entries[0].all_ns;
  }
  static int64_t lost() { return fake::process().lost_clocks.get(); }
  static int64_t overhead_ns() {
    return fake::process()
        .totals(poprt::t_fake_now_ns, "node", poprt::Process::Threads::kRunning)
        .quality.overhead_ns;
  }

  // The calls since the last look, the tool's own messages marked with `*`;
  // tests of its own requests are left out.
  static std::vector<std::string> trace(MPI_Comm comm = MPI_COMM_WORLD) {
    std::vector<std::string> list;
    for (const fake::Call& call : fake::calls()) {
      if (call.name == "Test") continue;
      const bool own =
          fake::has_shadow(comm) && call.comm == fake::shadow_of(comm);
      list.push_back(call.name + (own ? "*" : ""));
    }
    fake::forget_calls();
    return list;
  }
  using Names = std::vector<std::string>;

  // Ends the run when the other process of two has nothing left to send.
  static int finalize() {
    const int other = 1 - poprt::mpi::job().everybody.load()->rank;
    fake::deliver(fake::shadow_of(MPI_COMM_WORLD), other, kLastOwnTag, "", 0);
    return MPI_Finalize();
  }

  static MPI_Request receive(int source, int tag,
                             MPI_Comm comm = MPI_COMM_WORLD) {
    static int buffer[64];
    static int next = 0;
    MPI_Request request;
    EXPECT_EQ(MPI_SUCCESS, MPI_Irecv(&buffer[++next % 64], 1, MPI_INT, source,
                                     tag, comm, &request));
    return request;
  }
  // Clocks of rank 1 arrive on a communicator that shares the world's shadow,
  // as this process would send them.
  static void labelled_clocks_come(MPI_Comm comm, int tag, int64_t ns) {
    const MPI_Comm shadow = fake::shadow_of(MPI_COMM_WORLD);
    fake::forget_calls();
    const int sent_value = 0;
    MPI_Send(&sent_value, 1, MPI_INT, 1, tag, comm);
    fake::Call sent{};
    for (const fake::Call& call : fake::calls()) {
      if (call.name == "Isend") sent = call;
    }
    EXPECT_EQ(shadow, sent.comm);
    auto& own = *static_cast<poprt::mpi::LabelledClocks*>(
        const_cast<void*>(sent.buffer));
    poprt::mpi::LabelledClocks labelled;
    labelled.clocks = fake::clocks(ns);
    labelled.put_label(own.label());
    fake::deliver(shadow, sent.peer, sent.tag, &labelled, labelled.bytes());
  }
  int value = 0;
  MPI_Status status{};
};

#endif  // POPRT_TESTS_WRAPPED_PROGRAM_H_
