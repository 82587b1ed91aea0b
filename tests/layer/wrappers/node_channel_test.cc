// Clocks in shared memory: channels that grow, and streams that are taken in a
// different order than they were put.
#include "wrappers/node/node_channel.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "clock_samples.h"

namespace poprt::mpi {
namespace {

using test::clocks_of;
using test::expect_clocks;
using test::map_ring;

class Channel : public testing::Test {
 protected:
  static constexpr size_t kBlocks = 64;
  static constexpr size_t kAreaBytes = kBlocks * Block::kLongBytes;
  static constexpr auto kFirst =
      static_cast<int64_t>(ClockRing::lines_in(kMostRingBytes));

  Channel()
      : file_(new_shared_file(area_begin() + kAreaBytes)),
        first_block_(file_, area_begin(), Block::kLongBytes),
        blocks_(all_blocks()) {
    make(all_blocks());
  }
  ~Channel() override { close(file_); }

  static size_t area_begin() { return whole_pages(kMostRingBytes); }
  BlockArea all_blocks() const { return {file_, area_begin(), kAreaBytes}; }

  // Makes both ends; the reader gets `blocks`.
  void make(BlockArea blocks, size_t ring_bytes = kMostRingBytes) {
    ClockRing* const ring = map_ring(file_, kMostRingBytes);
    to_ = std::make_unique<OutgoingChannel>(
        ring, ring_bytes, blocks.bytes() != 0 ? &blocks_ : nullptr);
    from_ = std::make_unique<IncomingChannel>(ring, ring_bytes, blocks);
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

TEST_F(Channel, WithoutMemoryAllGoesByMessage) {
  OutgoingChannel to;
  IncomingChannel from;
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

// qemu says that it has given memory of a file back, and has not.
bool can_give_back() {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const int file = new_shared_file(page);
  void* const memory =
      mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  *static_cast<volatile char*>(memory) = 0;
  madvise(memory, page, MADV_REMOVE);
  munmap(memory, page);
  const bool has_given = memory_of(file) == 0;
  close(file);
  return has_given;
}

TEST_F(Channel, FloodsComeAndGoWithoutKeepingMemory) {
  if (!can_give_back()) GTEST_SKIP() << "this system keeps memory of files";
  // Together they need much more memory than there is.
  for (int times = 0; times < 10; ++times) flood(20000);
  EXPECT_LE(memory_of(file_), kMostRingBytes + 2 * Block::kLongBytes);
}

// Where a node has many processes their rings are short, and carry the same.
TEST_F(Channel, AShortRingIsContinued) {
  make(all_blocks(), first_ring_bytes(4096));
  flood(30000);
}

TEST_F(Channel, MessagesThatAreLongerThanTheRingGoThroughTheNextOne) {
  make(all_blocks(), first_ring_bytes(4096));
  const int most = ClockMessage::kLongest;
  ASSERT_GT(ClockMessage::bytes_for(most), first_ring_bytes(4096));
  EXPECT_TRUE(put({1, 1}, clocks_of(1)));
  EXPECT_TRUE(put({1, 1}, clocks_of(2, most)));
  EXPECT_TRUE(put({1, 1}, clocks_of(3)));
  expect_taken({1, 1}, 1);
  expect_taken({1, 1}, 2, most);
  expect_taken({1, 1}, 3);
}

TEST_F(Channel, WhatIsTooLongForTheOnlyRingGoesByMessage) {
  make(BlockArea(), first_ring_bytes(4096));
  EXPECT_FALSE(put({1, 1}, clocks_of(1, ClockMessage::kLongest)));
  EXPECT_EQ(Taken::kNo, take({1, 1}));
  from_->taken_by_message();
  EXPECT_TRUE(put({1, 1}, clocks_of(2)));
  expect_taken({1, 1}, 2);
}

TEST_F(Channel, APairThatDoesNotTalkTakesNoMemory) {
  EXPECT_EQ(0u, memory_of(file_));
}

TEST_F(Channel, GrowsALittleAtFirst) {
  flood(2 * kFirst);
  const size_t some = kMostRingBytes + whole_pages(Block::kShortBytes);
  EXPECT_LE(memory_of(file_), some);
  // What has been needed for longer stays, so that nothing is made anew.
  flood(1000);
  flood(1000);
  EXPECT_LE(memory_of(file_), some + Block::kLongBytes);
}

TEST_F(Channel, ShortBlocksShareThePlaceOfALongOne) {
  OwnBlocks blocks(all_blocks());
  std::vector<uint32_t> places;
  Block block;
  for (int i = 0; i < 8; ++i) {
    ASSERT_NE(nullptr, blocks.take(false, &block));
    places.push_back(block.place);
  }
  ASSERT_NE(nullptr, blocks.take(true, &block));
  EXPECT_EQ(8u, block.place);
  std::sort(places.begin(), places.end());
  EXPECT_EQ((std::vector<uint32_t>{0, 1, 2, 3, 4, 5, 6, 7}), places);
  blocks.recycle({3, false});
  ASSERT_NE(nullptr, blocks.take(false, &block));
  EXPECT_EQ(3u, block.place);
  EXPECT_EQ(Block::of(block.word()).place, block.place);
  EXPECT_FALSE(Block::of(block.word()).is_long);
}

// Two streams, of which the reader takes now one and now the other first, while
// rings come and go.
TEST_F(Channel, OneThreadSendsAnotherTakes) {
  constexpr int64_t kEach = 15000;
  constexpr int64_t kUnderWay = 4000;
  std::atomic<int64_t> taken{0};
  std::thread sender([&] {
    for (int64_t i = 0; i < kEach; ++i) {
      while (i - taken.load(std::memory_order_relaxed) > kUnderWay) {
        std::this_thread::yield();
      }
      const int count = 1 + static_cast<int>(i % 5);
      for (int32_t tag = 0; tag < 2; ++tag) {
        if (!put({1, tag}, clocks_of(2 * i + tag, count))) std::abort();
      }
    }
  });
  for (int64_t i = 0; i < kEach; ++i) {
    for (int32_t each = 0; each < 2; ++each) {
      const auto tag = static_cast<int32_t>((i / 100 + each) % 2);
      ClockMessage clocks;
      while (from_->take({1, tag}, &clocks) == Taken::kNo) {
        std::this_thread::yield();
      }
      expect_clocks(clocks, 2 * i + tag, 1 + static_cast<int>(i % 5));
      if (HasFailure()) std::abort();  // the sender would wait for ever
    }
    taken.store(i + 1, std::memory_order_relaxed);
  }
  sender.join();
}

TEST(FirstRings, TogetherTakeABoundedAmount) {
  EXPECT_EQ(kMostRingBytes, first_ring_bytes(2));
  EXPECT_EQ(kMostRingBytes, first_ring_bytes(32));
  EXPECT_EQ(1024u, first_ring_bytes(4096));
  for (size_t processes = 1; processes <= 256; ++processes) {
    EXPECT_LE(processes * first_ring_bytes(processes), size_t{256} << 10);
  }
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
      static_cast<int64_t>(ClockRing::lines_in(Block::kLongBytes));
  const auto few =
      static_cast<int64_t>(ClockRing::lines_in(Block::kShortBytes));
  int64_t sent = 0;
  while (put({1, 1}, clocks_of(sent))) ++sent;
  EXPECT_EQ(kFirst + few + static_cast<int64_t>(kBlocks - 1) * each, sent);
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
  // The first ring, a short one and a long one, of which the long one is out of
  // reach.
  constexpr int64_t kUnderWay = 3 * kFirst;
  for (int64_t i = 0; i < kUnderWay; ++i) {
    ASSERT_TRUE(put({1, 1}, clocks_of(i)));
  }
  for (int64_t i = 0; i < kFirst; ++i) expect_taken({1, 1}, i);
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
  EXPECT_EQ(Block::kLongBytes, block_bytes({kAll, 100'000}, 4));
  EXPECT_EQ(0u, block_bytes({0, kAll}, 4));
}

}  // namespace
}  // namespace poprt::mpi
