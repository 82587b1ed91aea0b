// Calls of MPI-IO: their time is time in MPI, and a quantity of its own.
#include "model/quantities.h"
#include "wrapped_program.h"
#include "wrappers/calls/handlers.h"

namespace {

using poprt::RegionTotals;
using poprt::t_fake_now_ns;
using WrappedIo = WrappedProgram;

// The wrappers only compare them.
MPI_File file_of(uintptr_t number) {
  return reinterpret_cast<MPI_File>(4096 * number);
}
const MPI_File kFile = file_of(1);

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
  poprt::mpi::io_meeting(kFile, [] { return takes(40); });
  takes(100);  // work
  poprt::mpi::timed([] { return takes(50); });
  const RegionTotals after = global();
  const auto io = [](const RegionTotals& r) {
    return amount(r, poprt::kMpiIo);
  };
  EXPECT_EQ(40, io(after) - io(before));
  // A collective call, with which no clocks travel.
  EXPECT_EQ(40, amount(after, poprt::kMpiUnknown) -
                    amount(before, poprt::kMpiUnknown));
  EXPECT_EQ(30 + 40 + 50, after.mpi_sum_ns - before.mpi_sum_ns);
  EXPECT_EQ(100, after.useful_sum_ns - before.useful_sum_ns);
}

TEST_F(WrappedIo, CountsCallsAndTheBytesOfThoseThatSucceed) {
  const RegionTotals before = global();
  poprt::mpi::io(kFile, [] { return takes(1); });
  poprt::mpi::io_write(kFile, 3, MPI_INT, [] { return takes(1); });
  poprt::mpi::io_write(kFile, 5, MPI_INT, [] { return MPI_ERR_OTHER; });
  poprt::mpi::io_read(kFile, 7, MPI_INT, [] { return takes(1); });
  poprt::mpi::io_read(kFile, 0, MPI_INT, [] { return takes(1); });
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
  poprt::mpi::timed([] {
    return poprt::mpi::io_write(kFile, 3, MPI_INT, [] { return takes(1); });
  });
  EXPECT_EQ(amount(before, poprt::kMpiIoCalls),
            amount(global(), poprt::kMpiIoCalls));
}

class WrappedMeetings : public WrappedIo {
 protected:
  void SetUp() override {
    WrappedIo::SetUp();
    t_fake_now_ns = 1000;
  }

  // Of what passed so far, how much is not known to be waiting or transfer.
  static int64_t unknown() { return amount(global(), poprt::kMpiUnknown); }
  static void open(MPI_Comm comm) {
    MPI_File opened = kFile;
    poprt::mpi::io_open(comm, "/proc/no-such-file", &opened,
                        [] { return takes(100); });
  }
  static void close(int64_t ns) {
    MPI_File file = kFile;
    poprt::mpi::io_close(&file, [&] { return takes(ns); });
  }
};

TEST_F(WrappedMeetings, MayWaitForTheOthersOfTheFile) {
  open(MPI_COMM_WORLD);
  EXPECT_EQ(100, unknown());
  poprt::mpi::io_meeting(kFile, [] { return takes(40); });
  EXPECT_EQ(140, unknown());
  poprt::mpi::io_meeting(kFile, [] {
    takes(5);
    return MPI_ERR_OTHER;
  });
  EXPECT_EQ(140, unknown());
  close(3);
  EXPECT_EQ(143, unknown());
}

TEST_F(WrappedMeetings, OfOneProcessWaitForNobody) {
  open(MPI_COMM_SELF);
  poprt::mpi::io_meeting(kFile, [] { return takes(40); });
  close(3);
  EXPECT_EQ(0, unknown());
  EXPECT_EQ(143, amount(global(), poprt::kMpiTransfer));
}

// Also where it is collective.
TEST_F(WrappedMeetings, DataDependsOnNobody) {
  open(MPI_COMM_WORLD);
  poprt::mpi::io_write(kFile, 3, MPI_INT, [] { return takes(7); });
  poprt::mpi::io_read(kFile, 3, MPI_INT, [] { return takes(7); });
  EXPECT_EQ(100, unknown());
  EXPECT_EQ(14, amount(global(), poprt::kMpiTransfer));
}

// What is done with an open file belongs to the file system of its name.
TEST_F(WrappedIo, IsToldByFileSystem) {
  const auto done = [] {
    return fake::process().totals(t_fake_now_ns, "node").mpi_file_systems;
  };
  const auto open = [](const char* name, MPI_File file) {
    MPI_File opened = nullptr;
    poprt::mpi::io_open(MPI_COMM_WORLD, name, &opened, [&] {
      opened = file;
      return takes(100);
    });
  };
  poprt::mpi::io(MPI_File{}, [] { return takes(1); });
  fake::process().restart_regions(*poprt::t_thread);  // drops what was before
  open("no-such-type:/proc/self/stat", kFile);
  open("/proc/self/no-such-file", file_of(2));
  poprt::mpi::io_write(kFile, 3, MPI_INT, [] { return takes(7); });
  poprt::mpi::io_read(kFile, 5, MPI_INT, [] { return takes(3); });
  poprt::mpi::io_read(file_of(2), 1, MPI_INT, [] { return takes(1); });
  MPI_File file = kFile;
  poprt::mpi::io_close(&file, [] { return takes(10); });
  // The handle is another file's now.
  poprt::mpi::io_write(kFile, 9, MPI_INT, [] { return takes(1); });
  poprt::mpi::io(MPI_File{}, [] { return takes(1); });
  const std::vector<poprt::FileSystem> all = done();
  ASSERT_EQ(2u, all.size());
  EXPECT_EQ("", all[0].mount_point);
  EXPECT_EQ(4, all[0].calls);
  EXPECT_EQ(103, all[0].time_ns);
  EXPECT_EQ(36, all[0].written_bytes);
  EXPECT_EQ(4, all[0].read_bytes);
  EXPECT_EQ("/proc", all[1].mount_point);
  EXPECT_EQ("proc", all[1].type);
  EXPECT_EQ(4, all[1].calls);
  EXPECT_EQ(120, all[1].time_ns);
  EXPECT_EQ(12, all[1].written_bytes);
  EXPECT_EQ(20, all[1].read_bytes);
}

}  // namespace
