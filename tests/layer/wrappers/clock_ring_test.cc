// Clocks in shared memory: rings, their growth, and streams that are taken in a
// different order than they were put.
#include "wrappers/clock_ring.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <random>
#include <thread>

#include "wrappers/node_channel.h"

namespace {

using poprt::ClockMessage;
using poprt::mpi::BlockArea;
using poprt::mpi::ClockRing;
using poprt::mpi::IncomingChannel;
using poprt::mpi::kFirstRingBytes;
using poprt::mpi::OutgoingChannel;
using poprt::mpi::OwnBlocks;
using poprt::mpi::RingReader;
using poprt::mpi::RingWriter;
using poprt::mpi::Sent;
using poprt::mpi::StreamKey;
using poprt::mpi::Taken;

ClockRing* map_ring(int file, size_t bytes) {
  return static_cast<ClockRing*>(poprt::mpi::map_shared(file, 0, bytes));
}

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
  static constexpr size_t kBlocks = 64;
  static constexpr size_t kAreaBytes = kBlocks * BlockArea::kBlockBytes;
  static constexpr auto kFirst =
      static_cast<int64_t>(ClockRing::lines_in(kFirstRingBytes));

  Channel()
      : file_(poprt::mpi::new_shared_file(kFirstRingBytes + kAreaBytes)),
        first_block_(file_, kFirstRingBytes, BlockArea::kBlockBytes),
        blocks_(BlockArea(file_, kFirstRingBytes, kAreaBytes)) {
    make(BlockArea(file_, kFirstRingBytes, kAreaBytes));
  }
  ~Channel() override { close(file_); }

  // Makes both ends; the reader gets `blocks`.
  void make(BlockArea blocks) {
    ClockRing* const ring = map_ring(file_, kFirstRingBytes);
    to_ = std::make_unique<OutgoingChannel>(ring, &blocks_);
    from_ = std::make_unique<IncomingChannel>(ring, blocks);
  }

  bool put(StreamKey key, const ClockMessage& clocks) {
    return to_->put(key, clocks) == Sent::kOnNode;
  }
  Taken take(StreamKey key) {
    ClockMessage clocks;
    return from_->take(key, &clocks);
  }
  void expect_taken(StreamKey key, int64_t value, int count = 1) {
    ClockMessage clocks;
    ASSERT_EQ(Taken::kYes, from_->take(key, &clocks));
    expect_clocks(clocks, value, count);
  }
  // Puts this many messages, then takes all of them.
  void flood(int64_t under_way) {
    for (int64_t i = 0; i < under_way; ++i) {
      ASSERT_TRUE(put({1, 1}, clocks_of(i)));
    }
    for (int64_t i = 0; i < under_way; ++i) {
      expect_taken({1, 1}, i);
      ASSERT_FALSE(HasFailure());
    }
  }

  int file_;
  BlockArea first_block_;
  OwnBlocks blocks_;
  std::unique_ptr<OutgoingChannel> to_;
  std::unique_ptr<IncomingChannel> from_;
};

TEST_F(Channel, StreamsAreTakenInAnyOrder) {
  EXPECT_EQ(Taken::kNo, take({1, 1}));
  for (int64_t i = 0; i < 6; ++i) {
    to_->put({1, static_cast<int32_t>(i % 3)}, clocks_of(i, 2));
  }
  to_->put({2, 0}, clocks_of(9));
  expect_taken({2, 0}, 9);
  expect_taken({1, 2}, 2, 2);
  expect_taken({1, 0}, 0, 2);
  expect_taken({1, 2}, 5, 2);
  EXPECT_EQ(Taken::kNo, take({1, 2}));
  to_->put({1, 2}, clocks_of(11));
  expect_taken({1, 1}, 1, 2);
  expect_taken({1, 1}, 4, 2);
  expect_taken({1, 0}, 3, 2);
  expect_taken({1, 2}, 11);
  EXPECT_EQ(Taken::kNo, take({1, 0}));
}

TEST_F(Channel, MessagesItIsUntilThereIsAReader) {
  const int file = poprt::mpi::new_shared_file(kFirstRingBytes);
  ClockRing* const ring = map_ring(file, kFirstRingBytes);
  close(file);
  OutgoingChannel to(ring, &blocks_);
  EXPECT_EQ(Sent::kByMessage, to.put({1, 1}, clocks_of(1)));
  IncomingChannel from(ring, BlockArea());
  EXPECT_EQ(Sent::kByMessage, to.put({1, 1}, clocks_of(2)));
  ClockMessage clocks;
  EXPECT_EQ(Taken::kNo, from.take({1, 1}, &clocks));
  from.taken_by_message();
  EXPECT_EQ(Sent::kByMessage, to.put({1, 1}, clocks_of(3)));
  from.taken_by_message();
  from.taken_by_message();
  EXPECT_EQ(Sent::kOnNode, to.put({1, 1}, clocks_of(4)));
  ASSERT_EQ(Taken::kYes, from.take({1, 1}, &clocks));
  expect_clocks(clocks, 4);
}

TEST_F(Channel, WithoutMemoryAllGoesByMessage) {
  OutgoingChannel to(nullptr, &blocks_);
  IncomingChannel from(nullptr, BlockArea());
  ClockMessage clocks;
  EXPECT_EQ(Sent::kByMessage, to.put({1, 1}, clocks_of(1)));
  EXPECT_EQ(Taken::kNo, from.take({1, 1}, &clocks));
  EXPECT_FALSE(from.give_up({1, 1}));
  from.taken_by_message();
}

TEST_F(Channel, GrowsWithWhatIsUnderWay) {
  flood(30000);
  EXPECT_EQ(Taken::kNo, take({1, 1}));
}

// A program may close any file descriptor or use its number itself, and must
// find the same numbers free as without the library.
TEST_F(Channel, GrowsWithoutAnyDescriptor) {
  rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  const rlimit none_left{0, limit.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none_left);
  flood(30000);
  setrlimit(RLIMIT_NOFILE, &limit);
}

size_t memory_of(int file) {
  struct stat about;
  fstat(file, &about);
  return static_cast<size_t>(about.st_blocks) * 512;
}

TEST_F(Channel, FloodsComeAndGoWithoutKeepingMemory) {
  // Together they need much more memory than there is.
  for (int times = 0; times < 10; ++times) flood(20000);
  EXPECT_LE(memory_of(file_), kFirstRingBytes + 2 * BlockArea::kBlockBytes);
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

TEST_F(Channel, AStreamThatIsAlwaysBehindStaysInOrder) {
  int64_t taken = 0;
  for (int64_t i = 0; i < 5000; ++i) {
    to_->put({1, 1}, clocks_of(i, 1 + static_cast<int>(i % 3)));
    to_->put({1, 2}, clocks_of(i));
    expect_taken({1, 2}, i);
    if (i % 100 == 0) continue;
    expect_taken({1, 1}, taken, 1 + static_cast<int>(taken % 3));
    ++taken;
    ASSERT_FALSE(HasFailure());
  }
}

TEST_F(Channel, WhereItCannotGrowMessagesTakeOverUntilAllAreTaken) {
  make(BlockArea());  // as where the reader's address space is limited
  int64_t sent = 0;
  while (put({1, 1}, clocks_of(sent))) ++sent;
  EXPECT_EQ(kFirst, sent);
  // Clocks go by message now, even if there is room again.
  EXPECT_EQ(Sent::kByMessage, to_->put({1, 1}, clocks_of(1)));
  for (int64_t i = 0; i < sent; ++i) expect_taken({1, 1}, i);
  EXPECT_EQ(Sent::kByMessage, to_->put({1, 1}, clocks_of(2)));
  for (int i = 0; i < 3; ++i) from_->taken_by_message();
  EXPECT_TRUE(put({1, 1}, clocks_of(77)));
  expect_taken({1, 1}, 77);
}

TEST_F(Channel, AllBlocksAreUsedAndThenMessagesTakeOver) {
  const auto each =
      static_cast<int64_t>(ClockRing::lines_in(BlockArea::kBlockBytes));
  int64_t sent = 0;
  while (put({1, 1}, clocks_of(sent))) ++sent;
  EXPECT_EQ(kFirst + static_cast<int64_t>(kBlocks) * each, sent);
  for (int64_t i = 0; i < sent; ++i) {
    expect_taken({1, 1}, i);
    ASSERT_FALSE(HasFailure());
  }
  from_->taken_by_message();
  flood(30000);
}

// The reader cannot map further blocks: both sides know, and nothing piles up.
TEST_F(Channel, WhoCannotFollowTellsTheSender) {
  make(first_block_);
  for (int64_t i = 0; i < 3000; ++i) ASSERT_TRUE(put({1, 1}, clocks_of(i)));
  for (int64_t i = 0; i < kFirst; ++i) expect_taken({1, 1}, i);
  // All blocks but the first are out of reach.
  for (Taken taken = Taken::kYes; taken != Taken::kClosing;) {
    taken = take({1, 1});
    ASSERT_TRUE(taken == Taken::kYes || taken == Taken::kClosing);
  }
  EXPECT_EQ(Taken::kClosed, take({1, 1}));
  EXPECT_EQ(Taken::kClosed, take({7, 7}));
  EXPECT_EQ(Sent::kNotAtAll, to_->put({1, 1}, clocks_of(1)));
  EXPECT_EQ(Sent::kNotAtAll, to_->put({7, 7}, clocks_of(1)));
}

TEST_F(Channel, AStreamThatIsGivenUpIsNotSentAnyMore) {
  for (int32_t tag = 0; tag < static_cast<int32_t>(ClockRing::kMostGivenUp);
       ++tag) {
    EXPECT_TRUE(put({1, tag}, clocks_of(1)));
    EXPECT_TRUE(from_->give_up({1, tag}));
    EXPECT_EQ(Sent::kNotAtAll, to_->put({1, tag}, clocks_of(2)));
    // Clocks that were under way can still be taken.
    EXPECT_EQ(Taken::kYes, take({1, tag}));
    EXPECT_EQ(Taken::kNo, take({1, tag}));
  }
  EXPECT_TRUE(put({1, 9}, clocks_of(3)));
  expect_taken({1, 9}, 3);
  EXPECT_TRUE(from_->give_up({1, 8}));
  EXPECT_EQ(Sent::kNotAtAll, to_->put({1, 9}, clocks_of(4)));
  EXPECT_EQ(Taken::kClosed, take({1, 9}));
  EXPECT_TRUE(from_->give_up({1, 7}));
}

TEST(NodeMemory, BlocksLeaveMostOfWhatALimitAllows) {
  constexpr uint64_t kMiB = uint64_t{1} << 20;
  constexpr uint64_t kAll = uint64_t{64} << 30;
  using poprt::mpi::block_bytes;
  EXPECT_EQ(256 * kMiB, block_bytes({kAll, kAll}, 2));
  EXPECT_EQ(64 * kMiB, block_bytes({kAll, kAll}, 1024));
  EXPECT_EQ(8 * kMiB, block_bytes({32 * kMiB, kAll}, 4));
  EXPECT_EQ(BlockArea::kBlockBytes, block_bytes({kAll, 100'000}, 4));
  EXPECT_EQ(0u, block_bytes({0, kAll}, 4));
}

}  // namespace
