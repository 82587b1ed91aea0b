// The numbers of DeviceTotals and of its regions, with their keys in run files.
// combine(), serialise(), the run file and plausible.h visit them, so that none
// of them can forget one.
#ifndef POPRT_MODEL_DEVICE_MEMBERS_H_
#define POPRT_MODEL_DEVICE_MEMBERS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "model/device_totals.h"

namespace poprt {

// In the order of HostPart.
inline constexpr const char* kIdleKeys[kHostParts] = {
    "idle_useful_ns", "idle_mpi_ns", "idle_openmp_ns", "idle_accelerator_ns",
    "idle_unknown_ns"};

// Calls sum(key, number...) for each number that is added up over processes,
// and most(key, number...) for each of which the largest counts.  `regions`:
// one or several, which are visited together.
template <class Sum, class Most, class... Regions>
void visit_numbers(Sum sum, Most most, Regions&... regions) {
  most("elapsed_ns", regions.elapsed_ns...);
  sum("kernels_sum_ns", regions.kernels.sum_ns...);
  most("kernels_max_ns", regions.kernels.max_ns...);
  sum("active_sum_ns", regions.active.sum_ns...);
  most("active_max_ns", regions.active.max_ns...);
  sum("busy_sum_ns", regions.busy.sum_ns...);
  most("busy_max_ns", regions.busy.max_ns...);
  for (size_t i = 0; i < kHostParts; ++i) {
    sum(kIdleKeys[i], regions.idle_ns[i]...);
  }
  sum("launched_kernels_ns", regions.launched_kernels_ns...);
  sum("operations", regions.operations...);
  sum("unknown_operations", regions.unknown_operations...);
}
inline constexpr size_t kDeviceRegionNumbers = 10 + kHostParts;
static_assert(sizeof(DeviceRegion) ==
                  sizeof(std::string) + kDeviceRegionNumbers * sizeof(int64_t),
              "each integer of DeviceRegion is visited");

// The same for a device without its regions; all of them are sums.
template <class Sum, class... Devices>
void visit_sums(Sum sum, Devices&... devices) {
  sum("ranks", devices.processes...);
  sum("unannounced_operations", devices.unannounced_operations...);
  sum("late_operations", devices.late_operations...);
  sum("late_ns", devices.late_ns...);
  sum("bridged_ns", devices.bridged_ns...);
  sum("by_launch_ns", devices.by_launch_ns...);
}
static_assert(sizeof(DeviceTotals) == sizeof(DeviceKey) + sizeof(std::string) +
                                          6 * sizeof(int64_t) +
                                          sizeof(std::vector<DeviceRegion>),
              "each integer of DeviceTotals is visited");

}  // namespace poprt

#endif  // POPRT_MODEL_DEVICE_MEMBERS_H_
