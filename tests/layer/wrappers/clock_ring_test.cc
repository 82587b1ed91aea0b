// Clocks in shared memory: rings.
#include "wrappers/node/clock_ring.h"

#include <gtest/gtest.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <random>
#include <thread>

#include "clock_samples.h"

namespace poprt::mpi {
namespace {

using test::clocks_of;
using test::expect_clocks;
using test::map_ring;

class Ring : public testing::Test {
 protected:
  static constexpr size_t kBytes = 4096;

  Ring() : file_(new_shared_file(kBytes)) {
    ring_ = map_ring(file_, kBytes);
    writer_ = RingWriter(ring_, kBytes);
    reader_ = RingReader(ring_, kBytes);
  }
  ~Ring() override { close(file_); }

  void expect_next(int64_t value, int count) {
    ASSERT_NE(nullptr, reader_.front());
    ClockMessage clocks;
    reader_.take(&clocks);
    expect_clocks(clocks, value, count);
  }

  int file_;
  ClockRing* ring_;
  RingWriter writer_;
  RingReader reader_;
};

TEST_F(Ring, GivesWhatWasPutInOrder) {
  EXPECT_EQ(nullptr, reader_.front());
  EXPECT_TRUE(writer_.put({1, 5}, clocks_of(10)));
  EXPECT_TRUE(writer_.put({1, 6}, clocks_of(20, 3)));
  EXPECT_EQ((StreamKey{1, 5}), reader_.front()->key);
  expect_next(10, 1);
  EXPECT_EQ((StreamKey{1, 6}), reader_.front()->key);
  expect_next(20, 3);
  EXPECT_EQ(nullptr, reader_.front());
}

TEST_F(Ring, RefusesWhatDoesNotFitAndTakesItWhenThereIsRoom) {
  int64_t put = 0;
  while (writer_.put({1, 1}, clocks_of(put, 4))) ++put;
  EXPECT_EQ(static_cast<int64_t>(ClockRing::lines_in(kBytes) / 3), put);
  expect_next(0, 4);
  expect_next(1, 4);
  EXPECT_TRUE(writer_.put({1, 1}, clocks_of(put, 4)));
  for (int64_t i = 2; i <= put; ++i) expect_next(i, 4);
  EXPECT_EQ(nullptr, reader_.front());
}

sigjmp_buf g_way_out;

// Clocks of which only the first ones can be read.
class BrokenClocks {
 public:
  BrokenClocks() {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    memory_ = static_cast<char*>(mmap(nullptr, 2 * page + sizeof(ClockMessage),
                                      PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    bytes_ = 2 * page + sizeof(ClockMessage);
    mprotect(memory_ + page, page, PROT_NONE);
    clocks_ = reinterpret_cast<ClockMessage*>(
        memory_ + page - ClockMessage::bytes_for(kReadable));
    clocks_->count = kReadable + 2;
    clocks_->incomplete = clocks_->reply_tag = 0;
    for (int i = 0; i < kReadable; ++i) {
      clocks_->entries[i] = {7, 7, 7, 7, 7};
    }
  }
  ~BrokenClocks() { munmap(memory_, bytes_); }
  BrokenClocks(const BrokenClocks&) = delete;
  BrokenClocks& operator=(const BrokenClocks&) = delete;
  const ClockMessage& clocks() const { return *clocks_; }

 private:
  static constexpr int kReadable = 6;
  char* memory_;
  size_t bytes_;
  ClockMessage* clocks_;
};

// A signal handler leaves the call that writes the record.
void put_and_leave(RingWriter& writer, const ClockMessage& clocks) {
  if (sigsetjmp(g_way_out, 1) != 0) return;
  writer.put({1, 1}, clocks);
  FAIL() << "the record could be written";
}

TEST_F(Ring, ARecordThatWasLeftIsNotTakenForOne) {
  const BrokenClocks broken;
  struct sigaction leave = {};
  leave.sa_handler = [](int) { siglongjmp(g_way_out, 1); };
  struct sigaction before;
  sigaction(SIGSEGV, &leave, &before);
  constexpr int64_t kRounds = 3;
  for (int64_t i = 0; i < kRounds; ++i) {
    put_and_leave(writer_, broken.clocks());
    EXPECT_TRUE(writer_.put({1, 1}, clocks_of(i, 2)));
  }
  sigaction(SIGSEGV, &before, nullptr);
  for (int64_t i = 0; i < kRounds; ++i) expect_next(i, 2);
  EXPECT_EQ(nullptr, reader_.front());
}

constexpr int64_t kThreeDays = int64_t{1} << 48;

TEST_F(Ring, TwoRegionsTakeOneLineOnceTheyAreKnown) {
  int64_t put = 0;
  while (writer_.put({1, 1}, clocks_of(put, 2))) ++put;
  EXPECT_EQ(static_cast<int64_t>(ClockRing::lines_in(kBytes)) - 1, put);
  for (int64_t i = 0; i < put; ++i) expect_next(i, 2);
}

TEST_F(Ring, ClocksOfDaysTakeTwo) {
  int64_t put = 0;
  while (writer_.put({1, 1}, clocks_of(kThreeDays + put, 2))) ++put;
  EXPECT_EQ(static_cast<int64_t>(ClockRing::lines_in(kBytes)) / 2, put);
  for (int64_t i = 0; i < put; ++i) expect_next(kThreeDays + i, 2);
}

TEST_F(Ring, NoClockLosesABitAfterThreeDays) {
  for (int64_t i = -100; i < 100; ++i) {
    ASSERT_TRUE(writer_.put({1, 1}, clocks_of(kThreeDays + i, 2)));
    expect_next(kThreeDays + i, 2);
  }
}

TEST_F(Ring, RegionsMayChangeFromRecordToRecord) {
  const auto other = [](int64_t value) {
    ClockMessage clocks = clocks_of(value, 2);
    clocks.entries[1].region = 77;
    return clocks;
  };
  const auto take = [&]() {
    ClockMessage clocks;
    EXPECT_NE(nullptr, reader_.front());
    reader_.take(&clocks);
    return clocks;
  };
  for (int64_t i = 0; i < 1000; ++i) {
    ASSERT_TRUE(writer_.put({1, 1}, clocks_of(i, 2)));
    ASSERT_TRUE(writer_.put({1, 1}, clocks_of(i + 1, 2)));
    ASSERT_TRUE(writer_.put({1, 1}, other(i)));
    ASSERT_TRUE(writer_.put({1, 1}, other(i + 1)));
    ClockMessage incomplete = other(i);
    incomplete.incomplete = 1;
    ASSERT_TRUE(writer_.put({1, 1}, incomplete));
    expect_next(i, 2);
    expect_next(i + 1, 2);
    for (int64_t step = 0; step < 2; ++step) {
      const ClockMessage clocks = take();
      EXPECT_EQ(77u, clocks.entries[1].region);
      EXPECT_EQ(i + step + 2, clocks.entries[1].coo_ns);
      EXPECT_EQ(0, clocks.incomplete);
    }
    EXPECT_EQ(1, take().incomplete);
  }
}

TEST(PackedClocks, ComeBackAsTheyWere) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 10000; ++round) {
    ClockMessage clocks = clocks_of(0, 1 + round % 2);
    for (int i = 0; i < clocks.count; ++i) {
      const auto any = [&]() {
        return static_cast<int64_t>(random() >> (16 + random() % 48));
      };
      clocks.entries[i] = {random(), any(), any(), any(), any()};
    }
    KnownRegions regions;
    EXPECT_FALSE(regions.are_of(clocks));
    regions.learn(clocks);
    EXPECT_TRUE(regions.are_of(clocks));
    PackedClocks packed;
    ASSERT_TRUE(can_pack(clocks));
    pack(clocks, &packed);
    ClockMessage back;
    unpack(packed, regions, &back);
    ASSERT_EQ(clocks.count, back.count);
    for (int i = 0; i < clocks.count; ++i) {
      EXPECT_EQ(clocks.entries[i], back.entries[i]);
    }
    clocks.entries[round % clocks.count].all_ns = kThreeDays;
    EXPECT_FALSE(can_pack(clocks));
  }
}

TEST_F(Ring, RecordsOfAllLengthsGoRoundManyTimes) {
  int64_t taken = 0;
  for (int64_t i = 0; i < 20000; ++i) {
    const int count = 1 + static_cast<int>(i * 7 % 33);
    while (!writer_.put({1, 1}, clocks_of(i, count))) {
      ASSERT_LT(taken, i);
      expect_next(taken, 1 + static_cast<int>(taken * 7 % 33));
      ++taken;
    }
  }
}

TEST_F(Ring, OneThreadWritesAnotherReads) {
  constexpr int64_t kRecords = 50000;
  std::thread writing([&] {
    for (int64_t i = 0; i < kRecords; ++i) {
      const ClockMessage clocks = clocks_of(i, 1 + static_cast<int>(i % 5));
      while (!writer_.put({1, 1}, clocks)) std::this_thread::yield();
    }
  });
  for (int64_t i = 0; i < kRecords; ++i) {
    while (reader_.front() == nullptr) std::this_thread::yield();
    expect_next(i, 1 + static_cast<int>(i % 5));
    if (HasFailure()) break;
  }
  if (HasFailure()) std::abort();  // the writer would wait for ever
  writing.join();
}

}  // namespace
}  // namespace poprt::mpi
