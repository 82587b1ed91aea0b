// Runs of days: what is kept in fewer than 64 bits.
#include <cstring>

#include "wrapped_program.h"
#include "wrappers/edges/clock_exchange.h"
#include "wrappers/edges/comms.h"
#include "wrappers/state.h"

namespace {

using poprt::ClockMessage;
using poprt::PackedClocks;
using poprt::t_fake_now_ns;
using poprt::mpi::Board;
using poprt::mpi::BoardRound;
using poprt::mpi::BoardsOfComm;
using poprt::mpi::CommInfo;

constexpr int64_t kThreeDays = int64_t{1} << PackedClocks::kBits;
constexpr int64_t kDay = int64_t{86400} * 1000 * kMs;

// A communicator with boards of two processes; the test writes one of them.
class WrappedDays : public WrappedProgram {
 protected:
  void SetUp() override {
    WrappedProgram::SetUp();
    MPI_Barrier(MPI_COMM_WORLD);  // the thread becomes known
    info_ = poprt::mpi::find_comm(*poprt::mpi::mpi_thread(*poprt::t_thread),
                                  MPI_COMM_WORLD);
    ASSERT_NE(nullptr, info_);
    info_->node.boards = std::make_unique<BoardsOfComm>();
    info_->node.boards->own = &own_;
    info_->node.boards->others = {{&other_}};
  }

  // A collective that the other process comes to with this clock.
  void meet(int64_t other_ns) {
    BoardRound& round = other_.rounds[++number_ % 2];
    const ClockMessage clocks = fake::clocks(other_ns);
    const bool packs =
        poprt::can_pack(clocks) && round.full.regions.are_of(clocks);
    round.form = packs ? BoardRound::kKnown : BoardRound::kFull;
    if (packs) {
      poprt::pack(clocks, &round.packed.two[0]);
    } else {
      round.full.regions.learn(clocks);
      std::memcpy(round.full.message, &clocks, clocks.bytes());
    }
    round.number = number_;
    EXPECT_EQ(MPI_SUCCESS, MPI_Allreduce(&value, &value, 1, MPI_INT, MPI_SUM,
                                         MPI_COMM_WORLD));
  }

  // What this process wrote for the last collective.
  int64_t written_ns() const {
    const BoardRound& round = own_.rounds[number_ % 2];
    EXPECT_EQ(number_, round.number);
    if (round.form == BoardRound::kFull) {
      ClockMessage clocks;
      std::memcpy(static_cast<void*>(&clocks), round.full.message,
                  sizeof round.full.message);
      return clocks.entries[0].all_ns;
    }
    ClockMessage clocks;
    poprt::unpack(round.packed.two[0], round.full.regions, &clocks);
    return clocks.entries[0].all_ns;
  }
  bool is_packed() const {
    return own_.rounds[number_ % 2].form == BoardRound::kKnown;
  }

  CommInfo* info_ = nullptr;
  Board own_;
  Board other_;
  uint32_t number_ = 0;
};

// Neither the own clock nor that of the other process loses a bit where they
// become too large for a packed board, whichever of them is first.
TEST_F(WrappedDays, ClocksOnBoardsGoOnAfterThreeDays) {
  const int64_t before = kThreeDays - 6000;
  for (int64_t i = 0; i < 12; ++i) {
    t_fake_now_ns = before + 1000 * i;
    // The other process is 300 ns ahead each time, which this one takes over.
    const int64_t own_ns = before + 1300 * i;
    meet(own_ns + 300);
    EXPECT_EQ(own_ns, written_ns()) << i;
    EXPECT_EQ(own_ns + 300, clock_ns()) << i;
    // Both rounds have to learn the regions.
    EXPECT_EQ(i >= 2 && own_ns < kThreeDays, is_packed()) << i;
    EXPECT_EQ(0, lost());
  }
}

TEST_F(WrappedDays, TimesOfAYearAddUp) {
  for (int64_t day = 1; day <= 366; ++day) {
    t_fake_now_ns = day * kDay;
    meet(day * kDay + 700);
    EXPECT_EQ(day * kDay + 700, clock_ns());
    poprt::t_thread->book(day * kDay);
  }
  const poprt::JobTotals job = fake::process().totals(366 * kDay + 700, "node");
  EXPECT_EQ(0, job.quality.closure_error_ns);
  const poprt::RegionTotals& global = job.regions.at(0);
  EXPECT_EQ(366 * kDay + 700, global.elapsed_max_ns);
  EXPECT_EQ(global.elapsed_weighted_ns,
            global.useful_sum_ns + global.mpi_sum_ns + global.omp_sum_ns);
}

}  // namespace
