// What is kept of launches, of buffers, and read from records.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "devices/cuda/buffers.h"
#include "devices/cuda/cupti_library.h"
#include "devices/cuda/launch_table.h"
#include "devices/cuda/records.h"

namespace poprt::cuda {
namespace {

LaunchTable::Entry entry(uint64_t id, bool has_many = false) {
  LaunchTable::Entry made;
  made.id = id;
  made.device = static_cast<int16_t>(id % 3);
  made.has_many = has_many;
  return made;
}

TEST(LaunchTable, ARecordEndsItsLaunch) {
  LaunchTable table;
  LaunchTable::Entry none;
  EXPECT_EQ(nullptr, table.find(7));
  EXPECT_FALSE(table.add(entry(7), &none));
  EXPECT_EQ(1, table.waited_for());
  ASSERT_NE(nullptr, table.find(7));
  EXPECT_EQ(1, table.find(7)->device);
  table.add_record(*table.find(7));
  EXPECT_EQ(0, table.waited_for());
  EXPECT_FALSE(table.find(7)->is_pending);
  table.end(*table.find(7));  // again
  EXPECT_EQ(0, table.waited_for());
}

TEST(LaunchTable, AGraphStaysPending) {
  LaunchTable table;
  LaunchTable::Entry none;
  table.add(entry(1, true), &none);
  EXPECT_EQ(1, table.waited_for());
  for (int i = 0; i < 3; ++i) table.add_record(*table.find(1));
  EXPECT_EQ(0, table.waited_for());
  EXPECT_TRUE(table.find(1)->is_pending);
  table.end(*table.find(1));
  EXPECT_EQ(0, table.waited_for());
}

TEST(LaunchTable, TheOldestMakesRoom) {
  LaunchTable table;
  LaunchTable::Entry given_up;
  for (uint64_t id = 1; id <= LaunchTable::kMost; ++id) {
    EXPECT_FALSE(table.add(entry(id * 4), &given_up));
    if (id != 2) table.add_record(*table.find(id * 4));
  }
  EXPECT_FALSE(table.add(entry(3), &given_up));
  EXPECT_EQ(nullptr, table.find(4));
  EXPECT_TRUE(table.add(entry(5), &given_up));
  EXPECT_EQ(8u, given_up.id);
  EXPECT_EQ(nullptr, table.find(8));
  EXPECT_NE(nullptr, table.find(12));
  EXPECT_EQ(2, table.waited_for());
  std::vector<uint64_t> pending;
  table.for_pending(
      [&](const LaunchTable::Entry& each) { pending.push_back(each.id); });
  EXPECT_EQ((std::vector<uint64_t>{3, 5}), pending);
}

TEST(ActivityBuffers, AreReadInTheirOrderAndUsedAgain) {
  auto buffers = std::make_unique<ActivityBuffers>();
  uint8_t* const first = buffers->take();
  uint8_t* const second = buffers->take();
  ASSERT_NE(nullptr, first);
  ASSERT_NE(first, second);
  EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(first) % 8);
  buffers->complete(first, 3);
  buffers->complete(second, ActivityBuffers::kBytes + 1);
  EXPECT_EQ(2, buffers->waiting());
  std::vector<std::pair<uint8_t*, size_t>> read;
  EXPECT_TRUE(buffers->harvest([&](uint8_t* bytes, size_t valid) {
    read.push_back({bytes, valid});
    EXPECT_FALSE(buffers->harvest([](uint8_t*, size_t) {}));
  }));
  ASSERT_EQ(2u, read.size());
  EXPECT_EQ(first, read[0].first);
  EXPECT_EQ(3u, read[0].second);
  EXPECT_EQ(ActivityBuffers::kBytes, read[1].second);
  EXPECT_EQ(0, buffers->waiting());
  uint8_t* const again = buffers->take();
  EXPECT_TRUE(again == first || again == second);
}

TEST(ActivityBuffers, AreNoMoreThanTheBound) {
  auto buffers = std::make_unique<ActivityBuffers>();
  uint8_t* last = nullptr;
  for (int i = 0; i < ActivityBuffers::kMost; ++i) {
    last = buffers->take();
    ASSERT_NE(nullptr, last);
  }
  EXPECT_EQ(nullptr, buffers->take());
  buffers->complete(last, 0);
  buffers->harvest([](uint8_t*, size_t) {});
  EXPECT_EQ(last, buffers->take());
}

TEST(ActivityBuffers, OfManyThreadsAreAllReadOnce) {
  auto buffers = std::make_unique<ActivityBuffers>();
  constexpr int kThreads = 4;
  constexpr int kEach = 500;
  std::atomic<int> read{0};
  const auto count = [&](uint8_t*, size_t valid) {
    read.fetch_add(static_cast<int>(valid));
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < kEach; ++j) {
        uint8_t* const bytes = buffers->take();
        if (bytes == nullptr) continue;
        bytes[0] = 1;
        buffers->complete(bytes, 1);
        buffers->harvest(count);
      }
    });
  }
  for (std::thread& each : threads) each.join();
  buffers->harvest(count);
  EXPECT_EQ(kThreads * kEach, read.load());
}

template <class T>
void put(std::vector<uint8_t>* record, size_t place, T value) {
  std::memcpy(record->data() + place, &value, sizeof value);
}

TEST(Records, AreReadByPlaces) {
  std::vector<uint8_t> bytes(216, 0xee);
  put(&bytes, 0, RecordKind::kKernel);
  put(&bytes, 16, uint64_t{100});
  put(&bytes, 24, uint64_t{250});
  put(&bytes, 40, uint32_t{3});
  put(&bytes, 44, uint32_t{4});
  put(&bytes, 92, uint32_t{77});
  Record record;
  ASSERT_TRUE(read_record(bytes.data(), &record));
  EXPECT_EQ(OperationKind::kKernel, record.kind);
  EXPECT_EQ(100u, record.begin);
  EXPECT_EQ(250u, record.end);
  EXPECT_EQ(3u, record.device);
  EXPECT_EQ(4u, record.context);
  EXPECT_EQ(77u, record.correlation);
  put(&bytes, 0, uint32_t{38});  // a synchronisation
  EXPECT_FALSE(read_record(bytes.data(), &record));
}

TEST(CuptiVersion, IsThatOfCuda) {
  EXPECT_EQ("13.0.1", version_text(130001));
  EXPECT_EQ("API 27", version_text(27));
}

}  // namespace
}  // namespace poprt::cuda
