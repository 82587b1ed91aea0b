// Devices where there is no memory for them: what they do is counted.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <new>

#include "devices/process_devices.h"

namespace {

int g_refused_from = -1;  // the first array that is refused; -1: none is

}  // namespace

// Arrays that can be done without.
void* operator new[](size_t bytes, const std::nothrow_t& /*tag*/) noexcept {
  if (g_refused_from == 0) return nullptr;
  if (g_refused_from > 0) --g_refused_from;
  return std::malloc(bytes);
}
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t /*bytes*/) noexcept {
  std::free(memory);
}
void* operator new[](size_t bytes) {
  void* const memory = std::malloc(bytes);
  if (memory == nullptr) std::abort();
  return memory;
}

namespace poprt {
namespace {

// A device has memory for bins, launches by time and by id, and for intervals
// of three kinds.
class DeviceMemory : public testing::TestWithParam<int> {};

TEST_P(DeviceMemory, WithoutItOperationsAreCounted) {
  HostEvent now;
  now.time_ns = 1000;
  OpenRegions open;
  open[0] = true;
  ProcessDevices devices(now, now, open, open);
  g_refused_from = GetParam();
  const int device = devices.add_device();
  g_refused_from = -1;
  ASSERT_NE(ProcessDevices::kNone, device);
  for (uint64_t id = 1; id <= 3; ++id) {
    Launch launch;
    launch.id = id;
    launch.time_ns = now.time_ns;
    devices.launch(device, launch, now.host);
    now.time_ns += 100;
    now.host.ns[0] += 100;
    Operation operation;
    operation.launch = id;
    operation.begin_ns = now.time_ns - 50;
    operation.end_ns = now.time_ns;
    devices.device(device).record(operation, now.time_ns);
  }
  devices.end(now);
  const DeviceUse& use = devices.device(device);
  EXPECT_EQ(3, use.launched().all().operations);
  EXPECT_EQ(use.has_memory() ? 0 : 3, use.launched().all().unknown);
  EXPECT_EQ(use.has_memory() ? 150 : 0, use.timeline().run().kernels_ns);
  EXPECT_EQ(300, use.timeline().run().elapsed_ns());
  EXPECT_EQ(0, use.late_ns());
  EXPECT_EQ(0, use.pending().count());
  EXPECT_EQ(0, use.pending().beyond());
}

INSTANTIATE_TEST_SUITE_P(Refused, DeviceMemory, testing::Range(0, 8));

}  // namespace
}  // namespace poprt
