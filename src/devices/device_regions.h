// DeviceRegions: what a device did in each region of a process, while the
// region was open.
//
// A closed region has its time.  An open one has the difference to the time of
// the whole run, so it is not touched until it is closed.  One caller at a
// time.
#ifndef POPRT_DEVICES_DEVICE_REGIONS_H_
#define POPRT_DEVICES_DEVICE_REGIONS_H_

#include <array>
#include <cstddef>

#include "devices/launch_sets.h"
#include "model/device_time.h"

namespace poprt {

class DeviceRegions {
 public:
  // The device did this while the present regions were open.
  void add(const DeviceTime& time) { run_ += time; }
  // A region that is so already stays so.
  void set_open(int region, bool open) {
    const auto at = static_cast<size_t>(region);
    if (open_[at] == open) return;
    open_[at] = open;
    if (open) {
      regions_[at] -= run_;
    } else {
      regions_[at] += run_;
    }
  }
  void set_open(const OpenRegions& open) {
    const OpenRegions changed = open_ ^ open;
    if (changed.none()) return;
    for (size_t i = 0; i < changed.size(); ++i) {
      if (changed[i]) set_open(static_cast<int>(i), open[i]);
    }
  }
  // It had this before anything was added.
  void set_before(int region, const DeviceTime& time) {
    regions_[static_cast<size_t>(region)] += time;
  }

  // In all of the run.
  const DeviceTime& run() const { return run_; }
  DeviceTime in(int region) const {
    const auto at = static_cast<size_t>(region);
    DeviceTime time = regions_[at];
    if (open_[at]) time += run_;
    return time;
  }

 private:
  DeviceTime run_;
  OpenRegions open_;
  std::array<DeviceTime, kMaxRegions> regions_;
};

}  // namespace poprt

#endif  // POPRT_DEVICES_DEVICE_REGIONS_H_
