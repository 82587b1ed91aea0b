// Windows, with a shadow of their own and without one.
#include "model/quantities.h"
#include "wrapped_program.h"
#include "wrappers/edges/windows.h"
#include "wrappers/state.h"

namespace {

using poprt::kMpiWaiting;
using poprt::t_fake_now_ns;

class WrappedWindows : public WrappedProgram {
 protected:
  // No process can have another shadow if `refused`.
  void make_window(bool refused) {
    if (refused) fake::refuse_next_shadow(true);
    ASSERT_EQ(MPI_SUCCESS, MPI_Win_create(&value, sizeof value, 1,
                                          MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    fake::forget_calls();
  }

  // A program may end with windows that it has not freed.
  void TearDown() override {
    poprt::mpi::Window* const open = poprt::mpi::take_window(win);
    if (open != nullptr) poprt::mpi::drop_window(open);
  }

  // The other process sends its clocks at the end or the beginning of its
  // epoch.
  void deliver(int tag, int64_t ns) {
    const poprt::ClockMessage message = fake::clocks(ns);
    fake::deliver(poprt::mpi::find_window(win)->comm->shadow, 1, tag, &message,
                  message.bytes());
  }
  static int64_t waiting_ns() {
    return amount(fake::process()
                      .totals_of("Global", t_fake_now_ns, "node")
                      .regions.at(0),
                  kMpiWaiting);
  }

  MPI_Win win{};
};

TEST_F(WrappedWindows, FenceHasTheClocksOfAll) {
  make_window(false);
  fake::set_others(fake::clocks(700));
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
  EXPECT_EQ(0, clock_ns());
  MPI_Win_fence(0, win);
  EXPECT_EQ(700, clock_ns());
  EXPECT_EQ(0, lost());
}

// MPI_Win_start may wait for MPI_Win_post, which is known at the end of the
// epoch.
TEST_F(WrappedWindows, AccessWaitsForExposure) {
  make_window(false);
  t_fake_now_ns = 1000;
  fake::take_time("Win_start", 100);
  MPI_Win_start(fake::new_group({0, 1}), 0, win);
  EXPECT_EQ(0, waiting_ns());
  deliver(poprt::mpi::kExposureTag, 1070);
  MPI_Win_complete(win);
  EXPECT_EQ(70, waiting_ns());
}

TEST_F(WrappedWindows, ExposureWaitsForAccess) {
  make_window(false);
  t_fake_now_ns = 1000;
  MPI_Win_post(fake::new_group({1}), 0, win);
  deliver(poprt::mpi::kCompletionTag, 1040);
  fake::take_time("Win_wait", 60);
  MPI_Win_wait(win);
  EXPECT_EQ(40, waiting_ns());
  // The next epoch has other partners.
  MPI_Win_post(fake::new_group({}), 0, win);
  MPI_Win_wait(win);
  EXPECT_EQ(0, lost());
}

// Each call in which this process has waited for others counts.
TEST_F(WrappedWindows, CallsOnAWindowWithoutAShadowLoseTheirClocks) {
  make_window(true);
  fake::set_others(fake::clocks(700));
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
  EXPECT_EQ(0, lost());
  MPI_Win_fence(0, win);
  EXPECT_EQ(1, lost());
  MPI_Win_post(MPI_Group{}, 0, win);
  MPI_Win_start(MPI_Group{}, 0, win);
  EXPECT_EQ(1, lost());
  MPI_Win_complete(win);
  EXPECT_EQ(2, lost());
  int flag = 1;
  MPI_Win_test(win, &flag);
  EXPECT_EQ(2, lost());
  MPI_Win_test(win, &flag);
  EXPECT_EQ(3, lost());
  MPI_Win_wait(win);
  EXPECT_EQ(4, lost());
  EXPECT_EQ((Names{"Win_fence", "Win_fence", "Win_post", "Win_start",
                   "Win_complete", "Win_test", "Win_test", "Win_wait"}),
            trace());
  EXPECT_EQ(0, clock_ns());
}

TEST_F(WrappedWindows, FreeingOneWithoutAShadowForgetsIt) {
  make_window(true);
  MPI_Win handle = win;
  fake::fail("Win_free", MPI_ERR_WIN);
  EXPECT_EQ(MPI_ERR_WIN, MPI_Win_free(&handle));
  EXPECT_EQ(0, lost());
  EXPECT_EQ(MPI_SUCCESS, MPI_Win_free(&handle));
  EXPECT_EQ(1, lost());
  // The handle is now that of a window that the tool does not know.
  MPI_Win_fence(0, win);
  EXPECT_EQ(1, lost());
}

TEST_F(WrappedWindows, RunEndsWhileOneWithoutAShadowIsOpen) {
  start(1, 2);  // not the process that collects the others' totals
  make_window(true);
  EXPECT_EQ(MPI_SUCCESS, finalize());
}

}  // namespace
