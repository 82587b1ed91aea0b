#include "runtime/sync_clock.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

#include "runtime/pool.h"

namespace poprt {
namespace {

ClockSet all_at(int64_t ns) {
  ClockSet clocks;
  for (int64_t& value : clocks.ns) value = ns;
  return clocks;
}

TEST(SyncClock, HoldsAnyNumberOfRegions) {
  SyncClock sync;
  for (int slot = 0; slot < 100; ++slot) sync.store(slot, all_at(slot));
  sync.publish(100);
  ASSERT_EQ(100, sync.size());
  for (int slot = 0; slot < 100; ++slot) {
    EXPECT_EQ(slot, sync.get(slot).ns[clock_index(kGlobal, kAll)]);
  }
}

TEST(SyncClock, KeepsTheLaterOfEachClock) {
  SyncClock sync;
  ClockSet a = all_at(10);
  a.ns[0] = 30;
  sync.raise(0, a);
  sync.raise(0, all_at(20));
  sync.publish(1);
  EXPECT_EQ(30, sync.get(0).ns[0]);
  EXPECT_EQ(20, sync.get(0).ns[1]);
}

TEST(SyncClock, SizeNeverShrinksButByReset) {
  SyncClock sync;
  sync.store(5, all_at(1));
  sync.publish(6);
  sync.publish(2);
  EXPECT_EQ(6, sync.size());
  sync.reset();
  EXPECT_EQ(0, sync.size());
  EXPECT_EQ(0, sync.get(5).ns[0]);
}

TEST(SyncClock, ThreadsThatRaiseItTogetherLeaveTheMaximum) {
  constexpr int kThreads = 4;
  constexpr int kSlots = 40;
  SyncClock sync;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&sync, t] {
      for (int i = 0; i < 1000; ++i) {
        const int slot = i % kSlots;
        sync.raise(slot, all_at(i * kThreads + t));
        sync.publish(slot + 1);
        EXPECT_GE(sync.get(slot).ns[0], i * kThreads + t);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(kSlots, sync.size());
  for (int slot = 0; slot < kSlots; ++slot) {
    const int last = 1000 - kSlots + slot;
    EXPECT_EQ(last * kThreads + kThreads - 1, sync.get(slot).ns[0]);
  }
}

TEST(Pool, GivesTheSameObjectsAgain) {
  Pool<int> pool;
  Pool<int>::Local local;
  std::set<int*> seen;
  for (int i = 0; i < 10000; ++i) {
    int* const object = pool.take(local);
    seen.insert(object);
    pool.give(local, object);
  }
  EXPECT_EQ(1u, seen.size());
}

TEST(Pool, NeverHandsAnObjectOutTwice) {
  Pool<int> pool;
  Pool<int>::Local local;
  std::set<int*> seen;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(seen.insert(pool.take(local)).second);
  }
}

TEST(Pool, DoesNotGrowWhereOneThreadTakesAndAnotherGives) {
  Pool<int> pool;
  Pool<int>::Local taker;
  Pool<int>::Local giver;
  std::set<int*> seen;
  for (int i = 0; i < 100000; ++i) {
    int* const object = pool.take(taker);
    seen.insert(object);
    pool.give(giver, object);
  }
  EXPECT_LE(seen.size(), 500u);
  EXPECT_LE(giver.size(), 200u);
}

}  // namespace
}  // namespace poprt
