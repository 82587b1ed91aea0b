// Loops of calls that find nothing: the time that a call takes outside its time
// stamps is not the program's work.
#include "wrapped_program.h"
#include "wrappers/state.h"

namespace {

using poprt::Process;
using poprt::RegionTotals;
using poprt::t_fake_now_ns;

class WrappedPolling : public WrappedProgram {
 protected:
  void SetUp() override {
    WrappedProgram::SetUp();
    request_ = receive(1, 3);
    poprt::g_call_outside_ns = 20;
  }
  void TearDown() override { poprt::g_call_outside_ns = 0; }

  // One call of each kind that polls, `apart_ns` after the one before.
  void poll(int64_t apart_ns) {
    int flag = 0;
    int index = 0;
    const auto later = [&]() { t_fake_now_ns += apart_ns; };
    later();
    MPI_Test(&request_, &flag, MPI_STATUS_IGNORE);
    later();
    MPI_Testany(1, &request_, &index, &flag, MPI_STATUS_IGNORE);
    later();
    MPI_Testall(1, &request_, &flag, MPI_STATUSES_IGNORE);
    later();
    MPI_Request_get_status(request_, &flag, MPI_STATUS_IGNORE);
    later();
    MPI_Iprobe(1, 3, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  }
  static constexpr int kCalls = 5;

  static RegionTotals totals_of(const std::string& name) {
    const poprt::JobTotals job =
        fake::process().totals_of(name, t_fake_now_ns, "node");
    EXPECT_EQ(1u, job.regions.size());
    EXPECT_EQ(0, job.quality.closure_error_ns);
    return job.regions.empty() ? RegionTotals{} : job.regions[0];
  }

  MPI_Request request_ = MPI_REQUEST_NULL;
};

TEST_F(WrappedPolling, NothingButCallsIsNoWork) {
  poll(0);
  const RegionTotals before = totals_of("Global");
  for (int i = 0; i < 10; ++i) poll(15);
  const RegionTotals after = totals_of("Global");
  EXPECT_EQ(before.useful_sum_ns, after.useful_sum_ns);
  EXPECT_EQ(after.useful_sum_ns + after.mpi_sum_ns + after.omp_sum_ns,
            after.elapsed_max_ns);
  EXPECT_LE(before.mpi_sum_ns + 10 * kCalls * 15, after.mpi_sum_ns);
}

TEST_F(WrappedPolling, WorkBetweenCallsIsWorkButForTheCalls) {
  poll(0);
  const RegionTotals before = totals_of("Global");
  poll(100);
  const RegionTotals after = totals_of("Global");
  EXPECT_EQ(before.useful_sum_ns + kCalls * 80, after.useful_sum_ns);
  EXPECT_LE(after.useful_sum_ns, after.cue_ns);
  EXPECT_LE(after.cue_ns, after.coo_ns);
  EXPECT_LE(after.coo_ns, after.all_ns);
}

// Another thread opens a region closer to a call than the call's cost. The
// times in the region still add up.
TEST_F(WrappedPolling, RegionsCloseToCallsAddUp) {
  poprt::Thread& other =
      fake::process().add_thread(poprt::ThreadKind::kForeign, t_fake_now_ns);
  for (int i = 0; i < 3; ++i) {
    t_fake_now_ns += 100;
    other.book(t_fake_now_ns);
    fake::process().region_start(other, "close");
    poll(5);
    t_fake_now_ns += 3;
    other.book(t_fake_now_ns);
    fake::process().region_stop(other, "close");
    poll(7);
  }
  poll(100);
  const RegionTotals close = totals_of("close");
  EXPECT_EQ(close.elapsed_max_ns,
            close.useful_sum_ns + close.mpi_sum_ns + close.omp_sum_ns);
  EXPECT_LE(0, close.useful_sum_ns);
  EXPECT_LE(close.useful_sum_ns, close.cue_ns);
  EXPECT_LE(close.cue_ns, close.coo_ns);
  EXPECT_LE(close.coo_ns, close.all_ns);
}

}  // namespace
