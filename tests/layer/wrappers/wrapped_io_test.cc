// Calls of MPI-IO: their time is time in MPI, and a quantity of its own.
#include "model/quantities.h"
#include "wrapped_program.h"
#include "wrappers/handlers.h"

namespace {

using poprt::RegionTotals;
using poprt::t_fake_now_ns;
using WrappedIo = WrappedProgram;

int takes(int64_t ns) {
  t_fake_now_ns += ns;
  return MPI_SUCCESS;
}

RegionTotals global() {
  return fake::process().totals_of("Global", t_fake_now_ns, "node").regions[0];
}

TEST_F(WrappedIo, IsTimeInMpiAndAQuantity) {
  const RegionTotals before = global();
  poprt::mpi::timed([] { return takes(30); });
  poprt::mpi::io([] { return takes(40); });
  takes(100);  // work
  poprt::mpi::timed([] { return takes(50); });
  const RegionTotals after = global();
  const auto io = [](const RegionTotals& r) {
    return amount(r, poprt::kMpiIo);
  };
  EXPECT_EQ(40, io(after) - io(before));
  EXPECT_EQ(30 + 40 + 50, after.mpi_sum_ns - before.mpi_sum_ns);
  EXPECT_EQ(100, after.useful_sum_ns - before.useful_sum_ns);
}

TEST_F(WrappedIo, CountsCallsAndTheBytesOfThoseThatSucceed) {
  const RegionTotals before = global();
  poprt::mpi::io([] { return takes(1); });
  poprt::mpi::io_write(3, MPI_INT, [] { return takes(1); });
  poprt::mpi::io_write(5, MPI_INT, [] { return MPI_ERR_OTHER; });
  poprt::mpi::io_read(7, MPI_INT, [] { return takes(1); });
  poprt::mpi::io_read(0, MPI_INT, [] { return takes(1); });
  takes(1);
  const RegionTotals after = global();
  const auto counted = [&](const poprt::Quantity& quantity) {
    return amount(after, quantity) - amount(before, quantity);
  };
  EXPECT_EQ(5, counted(poprt::kMpiIoCalls));
  EXPECT_EQ(3 * int64_t{sizeof(int)}, counted(poprt::kMpiIoWritten));
  EXPECT_EQ(7 * int64_t{sizeof(int)}, counted(poprt::kMpiIoRead));
}

TEST_F(WrappedIo, CallsInsideAnMpiCallDoNotCount) {
  const RegionTotals before = global();
  poprt::mpi::timed(
      [] { return poprt::mpi::io_write(3, MPI_INT, [] { return takes(1); }); });
  EXPECT_EQ(amount(before, poprt::kMpiIoCalls),
            amount(global(), poprt::kMpiIoCalls));
}

}  // namespace
