// Small programs whose device times one can compute by hand: two kernels, a
// chain of messages, a shared device, and so on.  Each is told to the library
// once with operations that are known when the host has waited for them, and
// once with all of them at the end, the last one first.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "devices/process_devices.h"
#include "devices/shared_device.h"
#include "model/device_model.h"

namespace poprt {
namespace {

constexpr int64_t kMs = 1'000'000;
constexpr int64_t kLaunchNs = 10'000;
constexpr int64_t kStart = 1000 * kMs;

constexpr int64_t ns_of(double ms) { return static_cast<int64_t>(ms * kMs); }

// One process of an example.  Times are in milliseconds.
class ExampleRank {
 public:
  explicit ExampleRank(bool is_late, int devices = 1) : is_late_(is_late) {
    now_.time_ns = kStart;
    OpenRegions open;
    open[0] = true;
    devices_ = std::make_unique<ProcessDevices>(now_, now_, open, open);
    for (int i = 0; i < devices; ++i) devices_->add_device();
    free_ns_.resize(static_cast<size_t>(devices), kStart);
  }

  void useful(double ms) { pass(HostPart::kUseful, ns_of(ms)); }
  void mpi_until(double at_ms) {
    pass(HostPart::kMpi, kStart + ns_of(at_ms) - now_.time_ns);
  }
  // Begins when the device is free, but not before `from_ms`.
  void kernel(double ms, int device = 0, double from_ms = 0) {
    launch(OperationKind::kKernel, ms, device, from_ms);
  }
  void blocking_copy(double ms) {
    launch(OperationKind::kCopy, ms, 0, 0);
    sync();
  }
  void sync(int device = 0) {
    pass(HostPart::kAccelerator,
         free_ns_[static_cast<size_t>(device)] - now_.time_ns);
    mark();
    if (!is_late_) tell();
  }
  void region(int16_t slot, bool opens) {
    HostEvent change = now_;
    change.region = slot;
    change.opens = opens;
    devices_->add_event(change);
  }
  // What the host did until now is told, though its devices changed nothing.
  void mark() { devices_->add_event(now_); }
  // The process ends with MPI_Finalize.
  void end(double at_ms) {
    mpi_until(at_ms);
    tell();
    devices_->end(now_);
  }

  const ProcessDevices& devices() const { return *devices_; }
  DeviceTime time(int device = 0) const {
    return devices_->device(device).timeline().run();
  }

 private:
  void pass(HostPart part, int64_t ns) {
    now_.host.ns[static_cast<size_t>(part)] += std::max<int64_t>(0, ns);
    now_.time_ns += std::max<int64_t>(0, ns);
  }
  void launch(OperationKind kind, double ms, int device, double from_ms) {
    Launch launch;
    launch.id = ++launches_;
    launch.time_ns = now_.time_ns;
    devices_->launch(device, launch, now_.host);
    pass(HostPart::kAccelerator, kLaunchNs);
    mark();
    int64_t& free_ns = free_ns_[static_cast<size_t>(device)];
    Operation operation;
    operation.launch = launch.id;
    operation.kind = kind;
    operation.begin_ns =
        std::max({now_.time_ns, free_ns, kStart + ns_of(from_ms)});
    free_ns = operation.end_ns = operation.begin_ns + ns_of(ms);
    untold_.emplace_back(device, operation);
  }

  // What is over by now.
  void tell() {
    std::vector<std::pair<int, Operation>> running;
    for (; !untold_.empty(); untold_.pop_back()) {
      const auto& [device, operation] = untold_.back();
      if (operation.end_ns > now_.time_ns) {
        running.push_back(untold_.back());
        continue;
      }
      devices_->device(device).record(operation, now_.time_ns);
    }
    untold_ = running;
    devices_->follow();
  }

  const bool is_late_;
  HostEvent now_;
  uint64_t launches_ = 0;
  std::unique_ptr<ProcessDevices> devices_;
  std::vector<int64_t> free_ns_;
  std::vector<std::pair<int, Operation>> untold_;
};

DeviceKnown known(const DeviceTime& time) {
  return known_of(device_region("Global", time));
}

// K, C and idle time of a device in ms, the latter by what the host does.
struct Expected {
  double kernels;
  double copies;
  double useful;
  double mpi;
  double accelerator;
};
// Parts of idle time are rounded in each bin.
void expect_time(const Expected& expected, const DeviceTime& time) {
  const auto ms = [](int64_t ns) { return static_cast<double>(ns) / kMs; };
  EXPECT_NEAR(expected.kernels + expected.copies + expected.useful +
                  expected.mpi + expected.accelerator,
              ms(time.elapsed_ns()), 1e-6);
  EXPECT_NEAR(expected.kernels, ms(time.kernels_ns), 1e-6);
  EXPECT_NEAR(expected.copies, ms(time.copies_ns), 1e-6);
  EXPECT_NEAR(expected.useful, ms(time.idle_ns[0]), 1e-3);
  EXPECT_NEAR(expected.mpi, ms(time.idle_ns[1]), 1e-3);
  EXPECT_EQ(0, time.idle_ns[2]);
  EXPECT_NEAR(expected.accelerator, ms(time.idle_ns[3]), 1e-3);
  EXPECT_EQ(0, time.idle_ns[4]);
}

// In percent, as a report shows them.
void expect_metrics(double efficiency, double balance, double communication,
                    double orchestration,
                    const std::vector<DeviceKnown>& devices, double run_ms) {
  const DeviceMetrics metrics = device_metrics(devices, ns_of(run_ms));
  EXPECT_NEAR(efficiency, 100 * metrics.parallel_efficiency, 0.06);
  EXPECT_NEAR(balance, 100 * metrics.load_balance, 0.06);
  EXPECT_NEAR(communication, 100 * metrics.communication_efficiency, 0.06);
  EXPECT_NEAR(orchestration, 100 * metrics.orchestration_efficiency, 0.06);
  EXPECT_NEAR(metrics.parallel_efficiency,
              metrics.load_balance * metrics.communication_efficiency *
                  metrics.orchestration_efficiency,
              1e-12);
}

class DeviceExamples : public testing::TestWithParam<bool> {};

// E1: both devices are always busy, though their hosts wait.
TEST_P(DeviceExamples, AKernelUnderTheWorkOfItsHost) {
  ExampleRank rank(GetParam());
  rank.kernel(100);
  rank.useful(60);
  rank.sync();
  rank.end(100.01);
  expect_time({100, 0, 0, 0, 0.01}, rank.time());
  const DeviceKnown device = known(rank.time());
  expect_metrics(100, 100, 100, 100, {device, device}, 100.01);
}

// E2: copies to the device and back, of which the second rank has more.
TEST_P(DeviceExamples, CopiesWhileNothingComputes) {
  std::vector<DeviceKnown> devices;
  for (const double back : {20.0, 40.0}) {
    ExampleRank rank(GetParam());
    rank.useful(5);
    rank.blocking_copy(20);
    rank.kernel(60);
    rank.blocking_copy(back);
    rank.end(125.02);
    expect_time({60, 20 + back, 5, 40 - back, 0.02}, rank.time());
    devices.push_back(known(rank.time()));
  }
  expect_metrics(48.0, 100, 50.0, 96.0, devices, 125.02);
  const DeviceShares shares = device_shares(devices, ns_of(125.02));
  EXPECT_NEAR(48.0, 100 * shares.kernels, 0.05);
  EXPECT_NEAR(40.0, 100 * shares.copies, 0.05);
  EXPECT_NEAR(4.0, 100 * shares.idle[0], 0.05);
  EXPECT_NEAR(8.0, 100 * shares.idle[1], 0.05);
  EXPECT_NEAR(0.0, 100 * shares.idle[3], 0.05);
  EXPECT_NEAR(0.0, shares.outside, 1e-9);
}

// E3.
TEST_P(DeviceExamples, OneKernelIsLonger) {
  std::vector<DeviceKnown> devices;
  for (const double kernel : {100.0, 50.0}) {
    ExampleRank rank(GetParam());
    rank.kernel(kernel);
    rank.sync();
    rank.end(100.01);
    expect_time({kernel, 0, 0, 100 - kernel, 0.01}, rank.time());
    devices.push_back(known(rank.time()));
  }
  expect_metrics(75, 75, 100, 100, devices, 100.01);
  EXPECT_NEAR(25.0, 100 * device_shares(devices, ns_of(100.01)).idle[1], 0.05);
}

// E4: a kernel, a message, a kernel.
TEST_P(DeviceExamples, OneDeviceAfterTheOther) {
  ExampleRank first(GetParam());
  first.kernel(100);
  first.sync();
  first.end(200.02);
  ExampleRank second(GetParam());
  second.mpi_until(100.01);
  second.kernel(100);
  second.sync();
  second.end(200.02);
  expect_time({100, 0, 0, 100.01, 0.01}, first.time());
  expect_time({100, 0, 0, 100.01, 0.01}, second.time());
  const std::vector<DeviceKnown> devices = {known(first.time()),
                                            known(second.time())};
  expect_metrics(50, 100, 100, 50, devices, 200.02);
  EXPECT_NEAR(50.0, 100 * device_shares(devices, ns_of(200.02)).idle[1], 0.05);
}

// E5: the second device is never used, and belongs to the host that computes.
TEST_P(DeviceExamples, AKernelWhileItsHostIsInMpi) {
  ExampleRank first(GetParam());
  first.kernel(100);
  first.useful(5);
  first.mpi_until(80);
  first.sync();
  first.end(100.01);
  ExampleRank second(GetParam());
  second.useful(80);
  second.end(100.01);
  expect_time({100, 0, 0, 0, 0.01}, first.time());
  expect_time({0, 0, 80, 20.01, 0}, second.time());
  expect_metrics(100, 100, 100, 100, {known(first.time())}, 100.01);
  const DeviceShares both =
      device_shares({known(first.time()), known(second.time())}, ns_of(100.01));
  EXPECT_NEAR(50.0, 100 * both.kernels, 0.05);
  EXPECT_NEAR(40.0, 100 * both.idle[0], 0.05);
  EXPECT_NEAR(10.0, 100 * both.idle[1], 0.05);
}

// E6: the kernels of two ranks on one device, one after the other.
TEST_P(DeviceExamples, TwoRanksShareADevice) {
  ExampleRank first(GetParam());
  first.kernel(40);
  first.sync();
  first.useful(10);
  first.mark();
  first.end(90.01);
  ExampleRank second(GetParam());
  second.kernel(40, 0, 40.01);
  second.sync();
  second.useful(10);
  second.end(90.01);
  SharedDevice shared(first.devices().device(0).timeline().bins());
  shared.add(SharedDevice(second.devices().device(0).timeline().bins()));
  const DeviceKnown device = shared.known();
  EXPECT_LE(device.kernels.least_ns, 80 * kMs);
  EXPECT_GE(device.kernels.most_ns, 80 * kMs);
  expect_metrics(88.9, 100, 100, 88.9, {device}, 90.01);
  const DeviceShares shares = device_shares({device}, ns_of(90.01));
  EXPECT_NEAR(5.6, 100 * shares.idle[0], 0.1);
  EXPECT_NEAR(5.6, 100 * shares.idle[1], 0.1);
  // Without bins it is only known not to be less than one of them.
  DeviceTotals totals = {
      {"node1", "GPU-1", DeviceKey::kAnyProcess}, "", 1, {}, 0, 0, 0, 0, 0};
  totals.regions = {device_region("Global", first.time())};
  DeviceTotals other = totals;
  other.regions = {device_region("Global", second.time())};
  const DeviceKnown region =
      known_of(combine_devices({totals}, {other}).front().regions.front());
  EXPECT_EQ(40 * kMs, region.kernels.least_ns);
  EXPECT_EQ(80 * kMs, region.kernels.most_ns);
}

// E7: one rank, two devices.
TEST_P(DeviceExamples, OneRankUsesTwoDevices) {
  ExampleRank rank(GetParam(), 2);
  rank.kernel(80, 0);
  rank.kernel(80, 1);
  rank.sync(0);
  rank.sync(1);
  rank.useful(20);
  rank.end(100.02);
  expect_time({80, 0, 20, 0, 0.02}, rank.time(0));
  expect_time({80, 0, 20, 0, 0.02}, rank.time(1));
  expect_metrics(80, 100, 100, 80, {known(rank.time(0)), known(rank.time(1))},
                 100.02);
}

// E8: launched in one region, executed mostly in the next.
TEST_P(DeviceExamples, AKernelOutlivesItsRegion) {
  ExampleRank rank(GetParam());
  constexpr int16_t kSolve = 1;
  constexpr int16_t kExchange = 2;
  rank.region(kSolve, true);
  rank.kernel(90);
  rank.useful(10);
  rank.region(kSolve, false);
  rank.region(kExchange, true);
  rank.useful(30);
  rank.sync();
  rank.region(kExchange, false);
  rank.end(90.01);
  expect_time({90, 0, 0, 0, 0.01}, rank.time());
  const DeviceUse& device = rank.devices().device(0);
  expect_time({10, 0, 0, 0, 0.01}, device.timeline().in_region(kSolve));
  expect_time({80, 0, 0, 0, 0}, device.timeline().in_region(kExchange));
  const LaunchSets& sets = rank.devices().sets();
  EXPECT_EQ((LaunchedWork{90 * kMs, 1, 0}),
            device.launched().in_region(sets, kSolve));
  EXPECT_EQ(LaunchedWork(), device.launched().in_region(sets, kExchange));
  EXPECT_EQ((LaunchedWork{90 * kMs, 1, 0}),
            device.launched().in_region(sets, 0));
}

INSTANTIATE_TEST_SUITE_P(Records, DeviceExamples, testing::Bool(),
                         [](const testing::TestParamInfo<bool>& each) {
                           return std::string(each.param ? "AtTheEnd"
                                                         : "AfterWaiting");
                         });

}  // namespace
}  // namespace poprt
