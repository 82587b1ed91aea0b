// Clocks in shared memory: rings, their growth, and streams that are taken in
// another order than they were put.
#include "wrappers/clock_ring.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <memory>
#include <random>
#include <thread>

#include "wrappers/node_channel.h"

namespace {

using poprt::ClockMessage;
using poprt::mpi::ClockRing;
using poprt::mpi::IncomingChannel;
using poprt::mpi::kFirstRingBytes;
using poprt::mpi::OutgoingChannel;
using poprt::mpi::RingReader;
using poprt::mpi::RingWriter;
using poprt::mpi::StreamKey;

ClockMessage clocks_of(int64_t value, int count = 1) {
  ClockMessage clocks;
  clocks.count = count;
  clocks.incomplete = 0;
  clocks.reply_tag = static_cast<int32_t>(value % 7);
  for (int i = 0; i < count; ++i) {
    clocks.entries[i] = {static_cast<uint64_t>(i) + 1, value, value + 1,
                         value + 2, value + i};
  }
  return clocks;
}

void expect_clocks(const ClockMessage& clocks, int64_t value, int count = 1) {
  ASSERT_EQ(count, clocks.count);
  EXPECT_EQ(value % 7, clocks.reply_tag);
  EXPECT_EQ(0, clocks.incomplete);
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ(static_cast<uint64_t>(i) + 1, clocks.entries[i].region);
    EXPECT_EQ(value, clocks.entries[i].cue_ns);
    EXPECT_EQ(value + 1, clocks.entries[i].com_ns);
    EXPECT_EQ(value + 2, clocks.entries[i].coo_ns);
    EXPECT_EQ(value + i, clocks.entries[i].all_ns);
  }
}

class Ring : public testing::Test {
 protected:
  static constexpr size_t kBytes = 4096;

  Ring() : file_(poprt::mpi::new_shared_file(kBytes)) {
    ring_ = poprt::mpi::map_ring(file_, 0, kBytes);
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
    poprt::mpi::KnownRegions regions;
    EXPECT_FALSE(regions.are_of(clocks));
    regions.learn(clocks);
    EXPECT_TRUE(regions.are_of(clocks));
    poprt::mpi::PackedClocks packed;
    ASSERT_TRUE(poprt::mpi::can_pack(clocks));
    poprt::mpi::pack(clocks, &packed);
    ClockMessage back;
    poprt::mpi::unpack(packed, regions, &back);
    ASSERT_EQ(clocks.count, back.count);
    for (int i = 0; i < clocks.count; ++i) {
      EXPECT_EQ(clocks.entries[i].region, back.entries[i].region);
      EXPECT_EQ(clocks.entries[i].cue_ns, back.entries[i].cue_ns);
      EXPECT_EQ(clocks.entries[i].com_ns, back.entries[i].com_ns);
      EXPECT_EQ(clocks.entries[i].coo_ns, back.entries[i].coo_ns);
      EXPECT_EQ(clocks.entries[i].all_ns, back.entries[i].all_ns);
    }
    clocks.entries[round % clocks.count].all_ns = kThreeDays;
    EXPECT_FALSE(poprt::mpi::can_pack(clocks));
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

class Channel : public testing::Test {
 protected:
  Channel() : file_(poprt::mpi::new_shared_file(kFirstRingBytes)) {
    ClockRing* const ring = poprt::mpi::map_ring(file_, 0, kFirstRingBytes);
    to_ = std::make_unique<OutgoingChannel>(ring);
    from_ = std::make_unique<IncomingChannel>(ring, getpid());
  }
  ~Channel() override { close(file_); }

  void expect_taken(StreamKey key, int64_t value, int count = 1) {
    ClockMessage clocks;
    ASSERT_TRUE(from_->take(key, &clocks));
    expect_clocks(clocks, value, count);
  }

  int file_;
  std::unique_ptr<OutgoingChannel> to_;
  std::unique_ptr<IncomingChannel> from_;
};

TEST_F(Channel, StreamsAreTakenInAnyOrder) {
  ClockMessage none;
  EXPECT_FALSE(from_->take({1, 1}, &none));
  for (int64_t i = 0; i < 6; ++i) {
    to_->put({1, static_cast<int32_t>(i % 3)}, clocks_of(i, 2));
  }
  to_->put({2, 0}, clocks_of(9));
  expect_taken({2, 0}, 9);
  expect_taken({1, 2}, 2, 2);
  expect_taken({1, 0}, 0, 2);
  expect_taken({1, 2}, 5, 2);
  EXPECT_FALSE(from_->take({1, 2}, &none));
  to_->put({1, 2}, clocks_of(11));
  expect_taken({1, 1}, 1, 2);
  expect_taken({1, 1}, 4, 2);
  expect_taken({1, 0}, 3, 2);
  expect_taken({1, 2}, 11);
  EXPECT_FALSE(from_->take({1, 0}, &none));
}

TEST_F(Channel, MessagesItIsUntilThereIsAReader) {
  const int file = poprt::mpi::new_shared_file(kFirstRingBytes);
  ClockRing* const ring = poprt::mpi::map_ring(file, 0, kFirstRingBytes);
  close(file);
  OutgoingChannel to(ring);
  EXPECT_FALSE(to.put({1, 1}, clocks_of(1)));
  IncomingChannel from(ring, getpid());
  EXPECT_FALSE(to.put({1, 1}, clocks_of(2)));
  ClockMessage clocks;
  EXPECT_FALSE(from.take({1, 1}, &clocks));
  from.taken_by_message();
  EXPECT_FALSE(to.put({1, 1}, clocks_of(3)));
  from.taken_by_message();
  from.taken_by_message();
  EXPECT_TRUE(to.put({1, 1}, clocks_of(4)));
  ASSERT_TRUE(from.take({1, 1}, &clocks));
  expect_clocks(clocks, 4);
}

TEST_F(Channel, WithoutMemoryAllGoesByMessage) {
  OutgoingChannel to(nullptr);
  IncomingChannel from(nullptr, getpid());
  ClockMessage clocks;
  EXPECT_FALSE(to.put({1, 1}, clocks_of(1)));
  EXPECT_FALSE(from.take({1, 1}, &clocks));
  from.taken_by_message();
}

TEST_F(Channel, GrowsWithWhatIsUnderWay) {
  constexpr int64_t kUnderWay = 30000;
  for (int64_t i = 0; i < kUnderWay; ++i) {
    ASSERT_TRUE(to_->put({1, 1}, clocks_of(i)));
  }
  for (int64_t i = 0; i < kUnderWay; ++i) {
    expect_taken({1, 1}, i);
    ASSERT_FALSE(HasFailure());
  }
  ClockMessage none;
  EXPECT_FALSE(from_->take({1, 1}, &none));
}

TEST_F(Channel, FloodsComeAndGoWithoutKeepingFiles) {
  const int before = dup(file_);
  close(before);
  for (int64_t flood = 0; flood < 5; ++flood) {
    const int64_t under_way = 1000 << flood;
    for (int64_t i = 0; i < under_way; ++i) {
      ASSERT_TRUE(to_->put({1, 1}, clocks_of(i)));
    }
    for (int64_t i = 0; i < under_way; ++i) expect_taken({1, 1}, i);
    ASSERT_FALSE(HasFailure());
  }
  // The next call after the reader has opened it closes the file.
  to_->put({1, 1}, clocks_of(1));
  expect_taken({1, 1}, 1);
  const int after = dup(file_);
  close(after);
  EXPECT_EQ(before, after);
}

TEST_F(Channel, WhoCannotFollowGetsTheNextOnesByMessage) {
  int64_t put = 0;
  while (put < 1000) ASSERT_TRUE(to_->put({1, 1}, clocks_of(put++)));
  rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  const rlimit none_left{0, limit.rlim_max};
  const auto first = static_cast<int64_t>(ClockRing::lines_in(kFirstRingBytes));
  for (int64_t i = 0; i < first; ++i) expect_taken({1, 1}, i);
  setrlimit(RLIMIT_NOFILE, &none_left);
  ClockMessage clocks;
  EXPECT_FALSE(from_->take({1, 1}, &clocks));
  setrlimit(RLIMIT_NOFILE, &limit);
  EXPECT_FALSE(from_->take({1, 1}, &clocks));
  EXPECT_FALSE(to_->put({1, 1}, clocks_of(put)));
}

TEST_F(Channel, AFloodOfAnotherStreamIsKept) {
  constexpr int64_t kUnderWay = 30000;
  for (int64_t i = 0; i < kUnderWay; ++i) to_->put({1, 1}, clocks_of(i));
  to_->put({1, 2}, clocks_of(5));
  expect_taken({1, 2}, 5);
  for (int64_t i = 0; i < kUnderWay; ++i) {
    expect_taken({1, 1}, i);
    ASSERT_FALSE(HasFailure());
  }
}

TEST_F(Channel, WhereItCannotGrowMessagesTakeOverUntilAllAreTaken) {
  rlimit before;
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit none_left{0, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none_left);
  int64_t put = 0;
  while (to_->put({1, 1}, clocks_of(put))) ++put;
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(static_cast<int64_t>(ClockRing::lines_in(kFirstRingBytes)), put);
  // By message now, also where there is room again.
  EXPECT_FALSE(to_->put({1, 1}, clocks_of(1)));
  for (int64_t i = 0; i < put; ++i) expect_taken({1, 1}, i);
  EXPECT_FALSE(to_->put({1, 1}, clocks_of(2)));
  for (int i = 0; i < 3; ++i) from_->taken_by_message();
  EXPECT_TRUE(to_->put({1, 1}, clocks_of(77)));
  expect_taken({1, 1}, 77);
}

}  // namespace
