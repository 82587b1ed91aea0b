// Threads that launch operations, and threads of the device's library that hand
// them over.
#include "devices/device_monitor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "share_of_cases.h"

namespace poprt {
namespace {

TEST(OperationQueue, GivesBackWhatWasAddedInOrder) {
  OperationQueue queue;
  OperationQueue::Item item;
  EXPECT_FALSE(queue.take(&item));
  for (uint64_t round = 0; round < 3; ++round) {
    for (uint64_t i = 0; i < OperationQueue::kMost; ++i) {
      item.operation.launch = i;
      ASSERT_TRUE(queue.add(item));
    }
    EXPECT_FALSE(queue.add(item));
    EXPECT_EQ(OperationQueue::kMost, queue.count());
    for (uint64_t i = 0; i < OperationQueue::kMost; ++i) {
      ASSERT_TRUE(queue.take(&item));
      ASSERT_EQ(i, item.operation.launch);
    }
    EXPECT_FALSE(queue.take(&item));
  }
}

TEST(OperationQueue, LosesNothingBetweenThreads) {
  constexpr int kThreads = 3;
  constexpr uint64_t kEach = 20'000 / kShare;
  OperationQueue queue;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&queue, i] {
      OperationQueue::Item item;
      item.device = i;
      for (uint64_t n = 1; n <= kEach; ++n) {
        item.operation.launch = n;
        while (!queue.add(item)) std::this_thread::yield();
      }
    });
  }
  uint64_t last[kThreads] = {};
  for (uint64_t n = 0; n < kThreads * kEach;) {
    OperationQueue::Item item;
    if (!queue.take(&item)) {
      std::this_thread::yield();
      continue;
    }
    ++n;
    // Those of one thread come in order.
    ASSERT_EQ(++last[item.device], item.operation.launch);
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(0u, queue.count());
}

// Each launches operations on a device of its own, which a thread beside it
// hands over.  An operation begins when its launch was told.
TEST(DeviceMonitor, LosesNothingBetweenThreads) {
  constexpr int kPairs = 2;
  constexpr int64_t kEach = 3'000 / kShare;
  constexpr int64_t kEnd = 1'000'000'000;
  HostEvent now;
  now.time_ns = 1;
  OpenRegions open;
  open[0] = true;
  DeviceMonitor monitor(now, now, open, open);
  std::atomic<int64_t> clock_ns{100};
  std::atomic<int64_t> launched[kPairs] = {};
  std::vector<int64_t> begins[kPairs];
  std::vector<std::thread> threads;
  for (int i = 0; i < kPairs; ++i) {
    ASSERT_EQ(i, monitor.add_device());
    begins[i].resize(kEach + 1);
    threads.emplace_back([&, i] {
      for (int64_t n = 1; n <= kEach; ++n) {
        Launch launch;
        launch.id = static_cast<uint64_t>(n);
        launch.time_ns = clock_ns.fetch_add(100);
        monitor.launch(i, launch, {});
        begins[i][static_cast<size_t>(n)] = clock_ns.fetch_add(100);
        launched[i].store(n, std::memory_order_release);
      }
    });
    threads.emplace_back([&, i] {
      for (int64_t n = 1; n <= kEach; ++n) {
        while (launched[i].load(std::memory_order_acquire) < n) {
          std::this_thread::yield();
        }
        Operation operation;
        operation.launch = static_cast<uint64_t>(n);
        operation.begin_ns = begins[i][static_cast<size_t>(n)];
        operation.end_ns = operation.begin_ns + 50;
        monitor.record(i, operation, kEnd);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  now.time_ns = kEnd;
  monitor.end(now);
  EXPECT_EQ(0, monitor.missed_events());
  EXPECT_EQ(0, monitor.missed_operations());
  for (int i = 0; i < kPairs; ++i) {
    const DeviceUse& device = monitor.devices().device(i);
    EXPECT_EQ((LaunchedWork{50 * kEach, kEach, 0}), device.launched().all());
    EXPECT_EQ(50 * kEach, device.timeline().run().kernels_ns);
    EXPECT_EQ(0, device.unannounced());
    EXPECT_EQ(0, device.late_ns());
  }
}

}  // namespace
}  // namespace poprt
