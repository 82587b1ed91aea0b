// Totals of the devices that the processes of a job have used.
//
// A device that several processes share has the totals of each of them, which
// know their own operations only.  Where these may have overlapped its times
// are ranges.  Plain values.
#ifndef POPRT_MODEL_DEVICE_TOTALS_H_
#define POPRT_MODEL_DEVICE_TOTALS_H_

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/device_time.h"

namespace poprt {

// What tells devices apart.  A GPU, or an instance of one, has its UUID in all
// processes of a host; a device made of the host's own cores belongs to the
// process that uses it, and has a number there.
struct DeviceKey {
  static constexpr int64_t kAnyProcess = -1;

  std::string host;
  std::string unit;  // the UUID or number
  int64_t process = kAnyProcess;

  auto operator<=>(const DeviceKey&) const = default;
};

// Of one region.  In nanoseconds where nothing else is said.
struct DeviceRegion {
  std::string name;
  int64_t elapsed_ns = 0;  // the longest of a process
  SharedTime kernels;
  SharedTime active;                             // kernels or copies
  SharedTime busy;                               // kernels, copies or graphs
  std::array<int64_t, kHostParts> idle_ns = {};  // of all processes
  // What was launched in the region.
  int64_t launched_kernels_ns = 0;
  int64_t operations = 0;
  int64_t unknown_operations = 0;  // without times

  friend bool operator==(const DeviceRegion&, const DeviceRegion&) = default;
};

// What one process has of the region.
DeviceRegion device_region(std::string name, const DeviceTime& time);

struct DeviceTotals {
  DeviceKey key;
  std::string name;  // for people
  int64_t processes = 0;
  std::vector<DeviceRegion> regions;  // in the order of names
  // Operations of whose launch nothing is known; those that came too late, and
  // by how much the device may have been busy for longer, or shorter.
  int64_t unannounced_operations = 0;
  int64_t late_operations = 0;
  int64_t late_ns = 0;
  int64_t bridged_ns = 0;
  // In regions by launch, not while the device was busy.
  int64_t by_launch_ns = 0;

  friend bool operator==(const DeviceTotals&, const DeviceTotals&) = default;
};

// All devices of both, in the order of keys, as the arguments are.  Associative
// and commutative.
std::vector<DeviceTotals> combine_devices(std::vector<DeviceTotals> a,
                                          const std::vector<DeviceTotals>& b);
// The most devices that the totals of a job have.
inline constexpr size_t kDevicesMax = 1024;
// Leaves out those beyond the first kDevicesMax.  Returns how many processes
// used them, summed over these devices.
int64_t limit_devices(std::vector<DeviceTotals>* devices);
// By key, and their regions by name.
void sort_devices(std::vector<DeviceTotals>* devices);
// Whether they are, each once.
bool are_devices_sorted(const std::vector<DeviceTotals>& devices);

// What is known of a device in a region, or in the run.
struct DeviceKnown {
  TimeRange kernels;
  TimeRange active;  // kernels or copies
  // With the middles of the ranges.
  DeviceTime time;

  DeviceKnown& operator+=(const DeviceKnown& other) {
    kernels += other.kernels;
    active += other.active;
    time += other.time;
    return *this;
  }
  friend bool operator==(const DeviceKnown&, const DeviceKnown&) = default;
};
DeviceKnown known_of(const DeviceRegion& region);
// The ranges with what was not known in time, or not at all: operations without
// times may have been any, if they are more than one in a hundred.  `region` is
// one of the device.
DeviceKnown with_doubts(DeviceKnown known, const DeviceTotals& device,
                        const DeviceRegion& region);
// With doubts: of each device in the region with this name, in order; nothing
// of those whose processes were not in it.
std::vector<DeviceKnown> devices_in(const std::vector<DeviceTotals>& devices,
                                    std::string_view region);

// `ns` in proportion to the shares, which are not negative.  The parts add up
// to `ns`.  All of it is unknown if there are no shares.
std::array<int64_t, kHostParts> split_by(
    int64_t ns, const std::array<int64_t, kHostParts>& shares);

}  // namespace poprt

#endif  // POPRT_MODEL_DEVICE_TOTALS_H_
