// Clocks in shared memory: channels that grow, and streams that are taken in a
// different order than they were put.
#include "wrappers/node_channel.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>

#include "clock_samples.h"

namespace poprt::mpi {
namespace {

using test::clocks_of;
using test::expect_clocks;
using test::map_ring;

class Channel : public testing::Test {
 protected:
  static constexpr size_t kBlocks = 64;
  static constexpr size_t kAreaBytes = kBlocks * BlockArea::kBlockBytes;
  static constexpr auto kFirst =
      static_cast<int64_t>(ClockRing::lines_in(kFirstRingBytes));

  Channel()
      : file_(new_shared_file(kFirstRingBytes + kAreaBytes)),
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
  const int file = new_shared_file(kFirstRingBytes);
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
  EXPECT_EQ(256 * kMiB, block_bytes({kAll, kAll}, 2));
  EXPECT_EQ(64 * kMiB, block_bytes({kAll, kAll}, 1024));
  EXPECT_EQ(8 * kMiB, block_bytes({32 * kMiB, kAll}, 4));
  EXPECT_EQ(BlockArea::kBlockBytes, block_bytes({kAll, 100'000}, 4));
  EXPECT_EQ(0u, block_bytes({0, kAll}, 4));
}

}  // namespace
}  // namespace poprt::mpi
