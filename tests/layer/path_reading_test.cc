// What others read of a thread's longest path while the thread changes it.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/sequence.h"
#include "measure/process.h"
#include "measure/thread.h"

namespace poprt {
namespace {

TEST(Sequence, WhatChangesMeanwhileIsReadAgain) {
  Sequence sequence;
  SharedWord<int> first = 1;
  SharedWord<int> second = 1;
  int seen[2] = {};
  int reads = 0;
  // The other thread comes in between, the first time.
  const bool settled = sequence.read_settled([&] {
    seen[0] = first;
    if (++reads == 1) {
      const Sequence::Change change(sequence);
      first = 2;
      second = 2;
    }
    seen[1] = second;
  });
  EXPECT_TRUE(settled);
  EXPECT_EQ(2, reads);
  EXPECT_EQ(2, seen[0]);
  EXPECT_EQ(2, seen[1]);
}

TEST(Sequence, NothingIsReadInAChange) {
  Sequence sequence;
  int reads = 0;
  const auto read = [&] { ++reads; };
  {
    const Sequence::Change change(sequence);
    { const Sequence::Change inside(sequence); }
    EXPECT_FALSE(sequence.read_settled(read));
  }
  EXPECT_EQ(0, reads);
  EXPECT_TRUE(sequence.read_settled(read));
  EXPECT_EQ(1, reads);
}

// A process that follows the path, with one thread.
struct OneThread {
  OneThread()
      : process({}, choice()),
        thread(process.add_thread(ThreadKind::kProgram, 0)) {
    process.region_start(thread, "Global");
  }
  static PathChoice choice() {
    PathChoice choice;
    choice.regions = true;
    choice.without = {"inside"};
    return choice;
  }
  Process process;
  Thread& thread;
};

TEST(PathReading, AThreadInTheMiddleOfAChangeHasAPathOfUnknownParts) {
  OneThread one;
  one.thread.switch_to(State::kMpi, 100);
  {
    const Sequence::Change change(one.thread.path()->sequence());
    constexpr int64_t kWeightless[PathNote::kMostWithout] = {};
    one.thread.path()->pass(50, kWeightless, false);
    const PathNote note = one.thread.path_at(150);
    EXPECT_EQ(150, note.all_ns);
    ASSERT_EQ(1, note.count);
    EXPECT_EQ(150, note.find(kPathOthers, PathPart::kAnyRank)->ns);
    one.thread.path()->add(kPathMpi, 0, 50);
  }
  const PathNote note = one.thread.path_at(150);
  EXPECT_EQ(150, note.sum_ns());
  EXPECT_EQ(100, note.find(kGlobalKey, 0)->ns);
  EXPECT_EQ(50, note.find(kPathMpi, 0)->ns);
}

// Clocks that have come without the parts of their path.
TEST(PathReading, WhatNoEventExplainsIsOthers) {
  OneThread one;
  one.thread.switch_to(State::kMpi, 100);
  ClockMessage message;
  message.count = 1;
  message.entries[0] = {kGlobalKey, 0, 0, 0, 130};
  one.thread.merge(message);
  const PathNote note = one.thread.path_at(120);
  EXPECT_EQ(150, note.all_ns);
  EXPECT_EQ(100, note.find(kGlobalKey, 0)->ns);
  EXPECT_EQ(20, note.find(kPathMpi, 0)->ns);
  EXPECT_EQ(30, note.find(kPathOthers, PathPart::kAnyRank)->ns);
}

// Both at once: each path that is read is one that the thread has had.
TEST(PathReading, OfARunningThreadAddsUp) {
  OneThread one;
  constexpr int64_t kEvents = 20000;
  std::atomic<bool> ended{false};
  std::thread running([&] {
    for (int64_t i = 1; i <= kEvents; ++i) {
      one.thread.switch_to(i % 2 == 0 ? State::kUseful : State::kMpi, 10 * i);
    }
    ended.store(true);
  });
  while (!ended.load()) {
    const PathNote note = one.thread.path_at(10 * kEvents);
    EXPECT_EQ(note.all_ns, note.sum_ns());
  }
  running.join();
  const PathNote note = one.thread.path_at(10 * kEvents);
  EXPECT_EQ(10 * kEvents, note.all_ns);
  EXPECT_EQ(10 * kEvents / 2, note.find(kPathMpi, 0)->ns);
  EXPECT_EQ(10 * kEvents / 2, note.find(kGlobalKey, 0)->ns);
}

}  // namespace
}  // namespace poprt
