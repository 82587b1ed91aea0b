#include "clocks/sync_clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <new>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "base/pool.h"
#include "clocks/barrier_clock.h"

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
  ASSERT_EQ(100, sync.size().regions());
  for (int slot = 0; slot < 100; ++slot) {
    EXPECT_EQ(slot, sync.get(slot).ns[kGlobalAll]);
  }
}

TEST(SyncClock, KeepsTheLaterOfEachClock) {
  SyncClock sync;
  ClockSet a = all_at(10);
  a.ns[0] = 30;
  {
    SyncClock::Raising raising(sync);
    raising.raise(0, a);
    raising.publish(1);
  }
  {
    SyncClock::Raising raising(sync);
    raising.raise(0, all_at(20));
    raising.publish(1);
  }
  EXPECT_EQ(30, sync.get(0).ns[0]);
  EXPECT_EQ(20, sync.get(0).ns[1]);
}

TEST(SyncClock, RaisingNeverShrinksIt) {
  SyncClock sync;
  sync.store(5, all_at(1));
  sync.publish(6);
  SyncClock::Raising(sync).publish(2);
  EXPECT_EQ(6, sync.size().regions());
  sync.publish(6, PathNote());
  SyncClock::Raising(sync).raise(SyncClock());
  EXPECT_EQ(6, sync.size().regions());
  sync.reset();
  EXPECT_EQ(0, sync.size().regions());
}

TEST(SyncClock, RaisingTakesNothingOfAnEarlierUse) {
  SyncClock sync;
  for (int slot = 0; slot < 30; ++slot) sync.store(slot, all_at(50));
  sync.publish(30);
  sync.reset();
  for (const int count : {1, 30}) {
    SyncClock::Raising raising(sync);
    for (int slot = 0; slot < count; ++slot) raising.raise(slot, all_at(20));
    raising.publish(count);
  }
  ASSERT_EQ(30, sync.size().regions());
  for (int slot = 0; slot < 30; ++slot) {
    EXPECT_EQ(20, sync.get(slot).ns[kCoo]);
  }
}

TEST(SyncClock, IsFreeAgainIfAHandlerHasLeftARaising) {
  SyncClock sync;
  alignas(SyncClock::Raising) std::byte left[sizeof(SyncClock::Raising)];
  new (left) SyncClock::Raising(sync);  // siglongjmp() destroys nothing
  SyncClock::Raising(sync).publish(3);
  EXPECT_EQ(3, sync.size().regions());
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
        SyncClock::Raising raising(sync);
        raising.raise(slot, all_at(i * kThreads + t));
        raising.publish(slot + 1);
        EXPECT_GE(sync.get(slot).ns[0], i * kThreads + t);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(kSlots, sync.size().regions());
  for (int slot = 0; slot < kSlots; ++slot) {
    const int last = 1000 - kSlots + slot;
    EXPECT_EQ(last * kThreads + kThreads - 1, sync.get(slot).ns[0]);
  }
}

// A thread reaches a barrier, with a different value for each region.
void reach(BarrierClock& barrier, uint32_t thread, uint32_t round, int regions,
           int64_t ns) {
  struct Clocks {
    void store_to(SyncClock& sync) const {
      for (int i = 0; i < regions; ++i) sync.store(i, all_at(ns + i));
      sync.publish(regions);
    }
    void raise_in(SyncClock::Raising& raising) const {
      for (int i = 0; i < regions; ++i) raising.raise(i, all_at(ns + i));
      raising.publish(regions);
    }
    int regions;
    int64_t ns;
  };
  barrier.reach(thread, round, {ns, 3 * ns}, Clocks{regions, ns});
}

// The latest clock of the other threads in region `slot`.
int64_t others(const BarrierClock& barrier, uint32_t thread, uint32_t round,
               int slot = 0) {
  int64_t latest = 0;
  barrier.for_each(thread, round, nullptr, [&](const SyncClock& clocks) {
    if (slot < clocks.size().regions()) {
      latest = std::max(latest, clocks.get(slot).ns[kAll]);
    }
  });
  return latest;
}

// The most that threads have brought.
Arrival most_of(const BarrierClock& barrier, uint32_t round) {
  constexpr uint32_t kNobody = 1000;
  Arrival most;
  barrier.for_each(kNobody, round, &most, [](const SyncClock&) {});
  return most;
}

TEST(BarrierClock, GivesEachThreadWhatTheOthersBrought) {
  BarrierClock barrier;
  reach(barrier, 1, 7, 6, 100);
  reach(barrier, 2, 7, 2, 300);
  EXPECT_EQ(300, others(barrier, 1, 7));
  EXPECT_EQ(100, others(barrier, 2, 7));
  EXPECT_EQ(105, others(barrier, 2, 7, 5));
  EXPECT_EQ(300, most_of(barrier, 7).busy_ns);
  EXPECT_EQ(900, most_of(barrier, 7).came_ns);
}

TEST(BarrierClock, ForgetsEarlierRounds) {
  BarrierClock barrier;
  for (uint32_t thread = 1; thread <= 20; ++thread) {
    reach(barrier, thread, 1, 3, 1000);
  }
  EXPECT_EQ(0, others(barrier, 1, 2));
  // Thread 2 has a seat of its own. Thread 20 shares one, with fewer regions
  // than the thread that was there before.
  reach(barrier, 2, 2, 3, 10);
  reach(barrier, 20, 2, 1, 20);
  EXPECT_EQ(20, others(barrier, 1, 2));
  EXPECT_EQ(20, most_of(barrier, 2).busy_ns);
  EXPECT_EQ(12, others(barrier, 1, 2, 2));
}

TEST(BarrierClock, LeavesOutNobodyHoweverManyThereAre) {
  constexpr uint32_t kThreads = 40;
  for (uint32_t last = 1; last <= kThreads; ++last) {
    BarrierClock barrier;
    for (uint32_t thread = 1; thread <= kThreads; ++thread) {
      reach(barrier, thread, 1, 1, thread == last ? 500 : thread);
    }
    for (uint32_t thread = 1; thread <= kThreads; ++thread) {
      if (thread == last) continue;
      EXPECT_EQ(500, others(barrier, thread, 1));
    }
  }
}

TEST(BarrierClock, ThreadsThatComeTogetherLoseNothing) {
  constexpr uint32_t kThreads = 12;  // some with seats, some that share
  constexpr uint32_t kRounds = 200;
  BarrierClock barrier[2];
  std::atomic<uint32_t> arrived{0};
  std::vector<std::thread> threads;
  for (uint32_t thread = 1; thread <= kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (uint32_t round = 1; round <= kRounds; ++round) {
        reach(barrier[round % 2], thread, round, 5, round * 100 + thread);
        ++arrived;
        while (arrived.load() < round * kThreads) std::this_thread::yield();
        const uint32_t latest = thread == kThreads ? kThreads - 1 : kThreads;
        EXPECT_LE(round * 100 + latest,
                  others(barrier[round % 2], thread, round));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Pool, GivesTheSameObjectsAgain) {
  Pool<int> pool;
  Pool<int>::Local local;
  std::set<int*> seen;
  for (int i = 0; i < 10000; ++i) {
    int* const object = pool.take(local);
    seen.insert(object);
    pool.recycle(local, object);
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
    pool.recycle(giver, object);
  }
  EXPECT_LE(seen.size(), 500u);
  EXPECT_LE(giver.size(), 200u);
}

// A signal handler interrupts the pool while it makes objects, and takes one,
// too.
std::function<void()> g_handler;
struct Interrupted {
  Interrupted() {
    if (const auto handler = std::exchange(g_handler, nullptr)) handler();
  }
};

TEST(Pool, IsThereForAHandlerThatInterruptsIt) {
  Pool<Interrupted> pool;
  Pool<Interrupted>::Local local;
  Pool<Interrupted>::Local of_handler;
  Interrupted* taken = nullptr;
  g_handler = [&] { taken = pool.take(of_handler); };
  Interrupted* const object = pool.take(local);
  EXPECT_NE(nullptr, taken);
  EXPECT_NE(object, taken);
}

}  // namespace
}  // namespace poprt
