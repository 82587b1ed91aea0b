// One device of one process: what comes late, never, or without times, and what
// is beyond the bounds.
#include "devices/device_use.h"

#include <gtest/gtest.h>

#include <memory>

#include "devices/process_devices.h"

namespace poprt {
namespace {

constexpr int64_t kStartNs = 1000;

class DeviceUses : public testing::Test {
 protected:
  DeviceUses() {
    now_.time_ns = kStartNs;
    open_[0] = true;
    devices_ = std::make_unique<ProcessDevices>(now_, now_, open_, open_);
    devices_->add_device();
  }

  void pass(int64_t ns, HostPart part = HostPart::kUseful) {
    now_.time_ns += ns;
    now_.host.ns[static_cast<size_t>(part)] += ns;
  }
  void mark() { devices_->add_event(now_); }
  void region(int16_t slot, bool opens) {
    HostEvent change = now_;
    change.region = slot;
    change.opens = opens;
    devices_->add_event(change);
  }
  void launch(uint64_t id, bool has_many_records = false, uint64_t stream = 0) {
    Launch launch;
    launch.id = id;
    launch.stream = stream;
    launch.time_ns = now_.time_ns;
    launch.has_many_records = has_many_records;
    devices_->launch(0, launch, now_.host);
  }
  void record(uint64_t id, int64_t begin_ns, int64_t end_ns,
              OperationKind kind = OperationKind::kKernel) {
    Operation operation;
    operation.launch = id;
    operation.kind = kind;
    operation.begin_ns = begin_ns;
    operation.end_ns = end_ns;
    device().record(operation, now_.time_ns);
  }
  DeviceUse& device() { return devices_->device(0); }
  DeviceTime run() { return device().timeline().run(); }
  int64_t idle(HostPart part) {
    return run().idle_ns[static_cast<size_t>(part)];
  }

  HostEvent now_;
  OpenRegions open_;
  std::unique_ptr<ProcessDevices> devices_;
};

TEST_F(DeviceUses, NothingIsFinalBehindTheOldestPendingLaunch) {
  pass(100);
  launch(1);
  pass(100);
  launch(2);
  pass(500);
  record(2, 1300, 1400);
  mark();
  devices_->follow();
  EXPECT_EQ(1100, device().timeline().followed_ns());
  record(1, 1150, 1350);
  devices_->follow();
  EXPECT_EQ(1700, device().timeline().followed_ns());
  EXPECT_EQ(250, run().kernels_ns);
  EXPECT_EQ(700, run().elapsed_ns());
  EXPECT_EQ((LaunchedWork{300, 2, 0}), device().launched().all());
}

TEST_F(DeviceUses, OperationsWithoutTimesAreCounted) {
  for (uint64_t id = 1; id <= 6; ++id) launch(id);
  pass(1000);
  record(1, 0, 0);
  record(2, 1100, 0);
  record(3, 1300, 1200);
  record(4, 1300, 100'000'000'000'000);  // of another clock
  record(5, 1300, 1300);                 // as short as the clock can tell
  devices_->end(now_);
  EXPECT_EQ((LaunchedWork{0, 6, 5}), device().launched().all());
  EXPECT_EQ(1000, run().idle_sum_ns());
}

TEST_F(DeviceUses, WhatComesTooLateIsCounted) {
  launch(1);
  launch(2, false, 1);
  pass(1000);
  mark();
  device().end_stream(0, now_.time_ns);
  record(2, 1400, 1450);
  devices_->follow();
  EXPECT_EQ((LaunchedWork{50, 2, 1}), device().launched().all());
  pass(1000);
  record(1, 1500, 2100);
  EXPECT_EQ(1, device().late());
  EXPECT_EQ(500, device().late_ns());
  EXPECT_EQ(1, device().unannounced());
  devices_->end(now_);
  EXPECT_EQ(150, run().kernels_ns);
  EXPECT_EQ(2000, run().elapsed_ns());
}

TEST_F(DeviceUses, ClocksThatDifferALittleLoseNothing) {
  device().set_clock_error(20);
  pass(100);
  launch(1);
  devices_->follow();
  EXPECT_EQ(1080, device().timeline().followed_ns());
  pass(100);
  mark();
  record(1, 1085, 1205);
  EXPECT_EQ(0, device().late());
  devices_->end(now_);
  EXPECT_EQ(115, run().kernels_ns);
  EXPECT_EQ(0, device().launched().all().unknown);
}

// It is over when that is said; until then nothing behind its launch is final.
TEST_F(DeviceUses, AGraphHasAnyNumberOfRecords) {
  launch(1, true);
  pass(1000);
  mark();
  record(1, 1100, 1200);
  record(1, 1200, 1300, OperationKind::kCopy);
  devices_->follow();
  EXPECT_EQ(kStartNs, device().timeline().followed_ns());
  record(1, 1400, 1500);
  device().end_stream(0, now_.time_ns);
  devices_->follow();
  EXPECT_EQ(200, run().kernels_ns);
  EXPECT_EQ(100, run().copies_ns);
  EXPECT_EQ((LaunchedWork{200, 3, 0}), device().launched().all());
}

TEST_F(DeviceUses, KernelsThatMoveDataAreCopies) {
  launch(1);
  pass(1000);
  Operation operation;
  operation.launch = 1;
  operation.moves_data = true;
  operation.begin_ns = 1200;
  operation.end_ns = 1300;
  device().record(operation, now_.time_ns);
  devices_->end(now_);
  EXPECT_EQ(0, run().kernels_ns);
  EXPECT_EQ(100, run().copies_ns);
  EXPECT_EQ((LaunchedWork{0, 1, 0}), device().launched().all());
}

TEST_F(DeviceUses, AnIdThatComesAgainIsAnotherLaunch) {
  launch(1);
  pass(100);
  launch(1);
  pass(100);
  record(1, 1150, 1200);
  EXPECT_EQ(0, device().pending().count());
  EXPECT_EQ((LaunchedWork{50, 2, 1}), device().launched().all());
}

TEST_F(DeviceUses, ALaunchBeyondTheTableThatFailsIsForgotten) {
  for (uint64_t id = 0; id <= PendingLaunches::kMost; ++id) launch(id + 1);
  EXPECT_EQ(1, device().pending().beyond());
  device().end_launch(PendingLaunches::kMost + 1, false);
  EXPECT_EQ(0, device().pending().beyond());
  pass(10);
  devices_->end(now_);
  // Of the others nothing was heard.
  EXPECT_EQ(PendingLaunches::kMost, device().launched().all().unknown);
}

TEST_F(DeviceUses, WhatTheHostDidIsUnknownBehindABreak) {
  pass(100);
  mark();
  pass(100, HostPart::kMpi);
  now_.is_behind_break = true;
  mark();
  now_.is_behind_break = false;
  pass(100, HostPart::kOpenMp);
  devices_->end(now_);
  EXPECT_EQ(100, idle(HostPart::kUseful));
  EXPECT_EQ(0, idle(HostPart::kMpi));
  EXPECT_EQ(100, idle(HostPart::kOpenMp));
  EXPECT_EQ(100, idle(HostPart::kUnknown));
}

// It was idle as the host was, since measurement began.
TEST_F(DeviceUses, ADeviceThatIsUsedLateWasIdleBefore) {
  region(3, true);
  pass(100, HostPart::kMpi);
  region(3, false);
  pass(200);
  mark();
  const int late = devices_->add_device();
  devices_->end(now_);
  const DeviceTimeline& timeline = devices_->device(late).timeline();
  EXPECT_EQ(100, timeline.in_region(3).idle_ns[1]);
  EXPECT_EQ(100, timeline.in_region(3).elapsed_ns());
  EXPECT_EQ(run(), timeline.run());
  EXPECT_EQ(timeline.run(), devices_->unused().run());
}

TEST_F(DeviceUses, TheFirstDeviceMayBeUsedLongAfterTheBegin) {
  HostEvent begin;
  begin.time_ns = kStartNs;
  pass(600);
  pass(400, HostPart::kMpi);
  open_[1] = true;
  ProcessDevices devices(begin, now_, open_, open_);
  HostTime in_region;
  in_region.ns[1] = 400;
  devices.set_before(0, 1000, now_.host);
  devices.set_before(1, 400, in_region);
  devices.add_device();
  pass(100);
  devices.end(now_);
  const DeviceTimeline& timeline = devices.device(0).timeline();
  EXPECT_EQ(1100, timeline.run().elapsed_ns());
  EXPECT_EQ(700, timeline.run().idle_ns[0]);
  EXPECT_EQ(timeline.run(), timeline.in_region(0));
  EXPECT_EQ(400, timeline.in_region(1).idle_ns[1]);
  EXPECT_EQ(100, timeline.in_region(1).idle_ns[0]);
  EXPECT_EQ(0, timeline.by_launch_ns());
}

// A kernel during which more regions open and close than are kept counts in
// those that were open at its launch.
TEST_F(DeviceUses, RegionsBeyondTheRingCountByLaunch) {
  region(1, true);
  launch(1);
  pass(10);
  region(1, false);
  for (uint64_t i = 0; i < HostEvents::kMost; ++i) {
    region(2, i % 2 == 0);
    pass(10);
  }
  region(4, true);
  const int64_t kernel_end_ns = now_.time_ns + 500;
  pass(1000);
  record(1, kStartNs, kernel_end_ns);
  devices_->end(now_);
  const DeviceTimeline& timeline = device().timeline();
  const int64_t kernel_ns = kernel_end_ns - kStartNs;
  EXPECT_EQ(kernel_ns, run().kernels_ns);
  EXPECT_EQ(kernel_ns, timeline.in_region(0).kernels_ns);
  EXPECT_EQ(run().idle_sum_ns(), idle(HostPart::kUseful));
  // What came after the ring was full is as it was.
  EXPECT_LT(kernel_ns - 1000, timeline.by_launch_ns());
  EXPECT_EQ(timeline.by_launch_ns(), timeline.in_region(1).kernels_ns);
  EXPECT_EQ(0, timeline.in_region(2).kernels_ns % 10);
  EXPECT_GE(50, timeline.in_region(2).kernels_ns);
  EXPECT_EQ(500, timeline.in_region(4).kernels_ns);
  EXPECT_EQ(now_.time_ns - kStartNs, run().elapsed_ns());
}

// Also of a stretch that is skipped because there were too many events.
TEST_F(DeviceUses, ABreakIsNotForgottenWithItsEvent) {
  pass(100);
  mark();
  launch(1);
  pass(10);
  now_.is_behind_break = true;
  mark();
  now_.is_behind_break = false;
  for (uint64_t i = 0; i < HostEvents::kMost; ++i) mark();
  pass(10);
  mark();
  pass(100);
  mark();
  record(1, 1150, 1200);
  devices_->end(now_);
  EXPECT_EQ(50, run().kernels_ns);
  // From the launch until the skipped stretch ended.
  EXPECT_EQ(10, idle(HostPart::kUnknown));
  EXPECT_EQ(160, idle(HostPart::kUseful));
}

TEST_F(DeviceUses, FurtherSetsOfRegionsCountOnlyInTheRun) {
  uint64_t id = 0;
  // Each opens one more region, or closes one.
  for (int i = 0; i < 2 * LaunchSets::kMost; ++i) {
    const auto slot = static_cast<int16_t>(1 + i % (kMaxRegions - 1));
    region(slot, i < kMaxRegions - 1);
    launch(++id);
    pass(10);
    record(id, now_.time_ns - 10, now_.time_ns);
  }
  EXPECT_TRUE(devices_->sets().is_full());
  const auto launches = static_cast<int64_t>(id);
  EXPECT_EQ((LaunchedWork{10 * launches, launches, 0}),
            device().launched().all());
  EXPECT_EQ((LaunchedWork{10 * launches, launches, 0}),
            device().launched().in_region(devices_->sets(), 0));
  // In the first region until there was no room for more sets.
  EXPECT_EQ(LaunchSets::kMost - 1,
            device().launched().in_region(devices_->sets(), 1).operations);
}

TEST_F(DeviceUses, FurtherDevicesAreRefused) {
  while (devices_->count() < ProcessDevices::kMost) {
    EXPECT_NE(ProcessDevices::kNone, devices_->add_device());
  }
  EXPECT_EQ(0, devices_->refused());
  EXPECT_EQ(ProcessDevices::kNone, devices_->add_device());
  EXPECT_EQ(1, devices_->refused());
}

}  // namespace
}  // namespace poprt
