#include "model/device_totals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "model/device_model.h"

namespace poprt {
namespace {

DeviceTime time_of(int64_t kernels_ns, int64_t copies_ns, int64_t useful_ns,
                   int64_t mpi_ns) {
  DeviceTime time;
  time.kernels_ns = kernels_ns;
  time.copies_ns = copies_ns;
  time.idle_ns[0] = useful_ns;
  time.idle_ns[1] = mpi_ns;
  return time;
}

DeviceTotals totals_of(DeviceKey key, std::vector<DeviceRegion> regions) {
  DeviceTotals totals;
  totals.key = std::move(key);
  totals.processes = 1;
  totals.regions = std::move(regions);
  return totals;
}

TEST(DeviceTotals, AGpuIsSharedByAllProcessesOfAHost) {
  const auto region = device_region("Global", time_of(60, 10, 20, 10));
  const std::vector<DeviceTotals> own = {
      totals_of({"a", "GPU-1", DeviceKey::kAnyProcess}, {region})};
  const std::vector<DeviceTotals> same = {
      totals_of({"a", "GPU-1", DeviceKey::kAnyProcess},
                {device_region("Global", time_of(30, 30, 0, 40))})};
  const std::vector<DeviceTotals> elsewhere = {
      totals_of({"b", "GPU-1", DeviceKey::kAnyProcess}, {region})};
  const auto all = combine_devices(combine_devices(own, elsewhere), same);
  ASSERT_EQ(2u, all.size());
  EXPECT_EQ(2, all[0].processes);
  EXPECT_EQ(1, all[1].processes);
  const DeviceKnown known = known_of(all[0].regions.front());
  EXPECT_EQ((TimeRange{60, 90}), known.kernels);
  EXPECT_EQ((TimeRange{70, 100}), known.active);
  EXPECT_EQ(75, known.time.kernels_ns);
  EXPECT_EQ(10, known.time.copies_ns);
  EXPECT_EQ(100, known.time.elapsed_ns());
  // As the processes' own idle time: 20 and 50 of 70.
  EXPECT_EQ(4, known.time.idle_ns[0]);
  EXPECT_EQ(11, known.time.idle_ns[1]);
}

// They are made of cores that belong to a process.
TEST(DeviceTotals, ADeviceOfTheHostIsNeverShared) {
  const auto region = device_region("Global", time_of(60, 0, 40, 0));
  const auto all = combine_devices({totals_of({"a", "0", 1}, {region})},
                                   {totals_of({"a", "0", 0}, {region})});
  ASSERT_EQ(2u, all.size());
  EXPECT_EQ(0, all[0].key.process);
  EXPECT_EQ((TimeRange{60, 60}), known_of(all[0].regions.front()).kernels);
}

TEST(DeviceTotals, CombineInAnyOrder) {
  std::mt19937_64 random(3);
  const auto below = [&random](int64_t most) {
    return std::uniform_int_distribution<int64_t>(0, most - 1)(random);
  };
  for (int round = 0; round < 200; ++round) {
    std::vector<std::vector<DeviceTotals>> lists(5);
    for (auto& list : lists) {
      for (const std::string unit : {"GPU-1", "GPU-2", "GPU-3"}) {
        if (below(2) == 0) continue;
        DeviceTotals own = totals_of({"a", unit, DeviceKey::kAnyProcess}, {});
        for (const std::string name : {"Global", "exchange", "solve"}) {
          if (below(3) == 0) continue;
          own.regions.push_back(device_region(
              name, time_of(below(50), below(50), below(50), below(50))));
          own.regions.back().operations = below(9);
          own.regions.back().unknown_operations = below(9);
          own.regions.back().launched_kernels_ns = below(99);
        }
        own.name = below(2) == 0 ? "" : "H100";
        own.late_operations = below(5);
        own.late_ns = below(50);
        own.bridged_ns = below(50);
        own.by_launch_ns = below(50);
        own.unannounced_operations = below(5);
        list.push_back(own);
      }
    }
    const auto& l = lists;
    const auto forwards = combine_devices(
        combine_devices(combine_devices(combine_devices(l[0], l[1]), l[2]),
                        l[3]),
        l[4]);
    const auto backwards =
        combine_devices(combine_devices(l[4], l[3]),
                        combine_devices(l[2], combine_devices(l[1], l[0])));
    ASSERT_EQ(forwards, backwards);
    ASSERT_EQ(forwards, combine_devices(forwards, {}));
    ASSERT_EQ(forwards, combine_devices({}, forwards));
  }
}

TEST(DeviceTotals, PartsAddUpToTheWhole) {
  EXPECT_EQ((std::array<int64_t, kHostParts>{3, 3, 4, 0, 0}),
            split_by(10, {1, 1, 1, 0, 0}));
  EXPECT_EQ((std::array<int64_t, kHostParts>{0, 0, 0, 0, 10}),
            split_by(10, {}));
  // A hundred years, of as many shares.
  constexpr int64_t kLong = 3'153'600'000'000'000'000;
  EXPECT_EQ((std::array<int64_t, kHostParts>{kLong / 2, kLong / 2, 0, 0, 0}),
            split_by(kLong, {kLong / 2, kLong / 2, 0, 0, 0}));
}

TEST(DeviceTotals, WhatIsNotKnownMakesARange) {
  DeviceRegion region = device_region("Global", time_of(60, 10, 30, 0));
  region.operations = 1000;
  DeviceTotals device = totals_of({"a", "GPU-1"}, {region});
  const DeviceKnown known = known_of(region);
  EXPECT_EQ(known, with_doubts(known, device, region));
  device.bridged_ns = 5;
  device.late_ns = 20;
  EXPECT_EQ((TimeRange{55, 80}), with_doubts(known, device, region).kernels);
  EXPECT_EQ((TimeRange{65, 90}), with_doubts(known, device, region).active);
  EXPECT_EQ(known.time, with_doubts(known, device, region).time);
  device.bridged_ns = device.late_ns = 500;
  EXPECT_EQ((TimeRange{0, 100}), with_doubts(known, device, region).kernels);
  device.bridged_ns = device.late_ns = 0;
  region.unknown_operations = 10;  // one in a hundred
  EXPECT_EQ(known, with_doubts(known, device, region));
  region.unknown_operations = 11;
  EXPECT_EQ((TimeRange{60, 100}), with_doubts(known, device, region).kernels);
  EXPECT_EQ((TimeRange{70, 100}), with_doubts(known, device, region).active);
}

TEST(DeviceModel, NothingIsDefinedWithoutDevicesOrKernels) {
  const DeviceMetrics none = device_metrics({}, 100);
  EXPECT_TRUE(std::isnan(none.parallel_efficiency));
  EXPECT_TRUE(std::isnan(none.load_balance));
  EXPECT_TRUE(std::isnan(device_shares({}, 100).kernels));
  const DeviceKnown copies =
      known_of(device_region("Global", time_of(0, 30, 70, 0)));
  const DeviceMetrics only_copies = device_metrics({copies}, 100);
  EXPECT_EQ(0, only_copies.parallel_efficiency);
  EXPECT_TRUE(std::isnan(only_copies.load_balance));
  EXPECT_EQ(0, only_copies.communication_efficiency);
  EXPECT_DOUBLE_EQ(0.3, only_copies.orchestration_efficiency);
  EXPECT_TRUE(std::isnan(device_metrics({copies}, 0).parallel_efficiency));
}

TEST(DeviceModel, TheRangeOfASharedDeviceIsThatOfItsKernels) {
  DeviceKnown shared;
  shared.kernels = {40, 80};
  shared.active = {50, 90};
  shared.time = time_of(60, 10, 30, 0);
  const DeviceEfficiencyRange range =
      device_efficiency_range({shared, shared}, 100);
  EXPECT_DOUBLE_EQ(0.4, range.least);
  EXPECT_DOUBLE_EQ(0.8, range.most);
}

// Whatever the devices do: the first is the product of the rest, and the shares
// add up to 1.
TEST(DeviceModel, FactorsMultiplyAndSharesAddUp) {
  std::mt19937_64 random(5);
  const auto below = [&random](int64_t most) {
    return std::uniform_int_distribution<int64_t>(0, most - 1)(random);
  };
  for (int round = 0; round < 500; ++round) {
    std::vector<DeviceKnown> devices;
    for (int64_t i = 0; i <= below(6); ++i) {
      DeviceTime time =
          time_of(1 + below(1000), below(1000), below(1000), below(1000));
      time.graphs_ns = below(100);
      time.idle_ns[4] = below(100);
      devices.push_back(known_of(device_region("Global", time)));
    }
    const DeviceMetrics m = device_metrics(devices, 5000);
    EXPECT_NEAR(m.parallel_efficiency,
                m.load_balance * m.communication_efficiency *
                    m.orchestration_efficiency,
                1e-12);
    for (const double value : {m.load_balance, m.communication_efficiency,
                               m.orchestration_efficiency}) {
      EXPECT_LE(0, value);
      EXPECT_GE(1, value);
    }
    const DeviceShares shares = device_shares(devices, 5000);
    EXPECT_NEAR(
        1,
        shares.kernels + shares.copies + shares.graphs + shares.outside +
            std::accumulate(shares.idle.begin(), shares.idle.end(), 0.0),
        1e-12);
  }
}

}  // namespace
}  // namespace poprt
