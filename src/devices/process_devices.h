// ProcessDevices: the devices of a process, and the host's events that all of
// them follow.
//
// Whoever hears of a launch, an operation or a region tells it with its time,
// so nothing here reads a clock.  Events come from any thread and operations
// from threads of the device's library, but one caller at a time: callers share
// a lock.  Who only has operations to hand over, and would have to wait, keeps
// them until the next event.
//
// Takes 3 MiB for events, and 0.7 MiB for each device.
#ifndef POPRT_DEVICES_PROCESS_DEVICES_H_
#define POPRT_DEVICES_PROCESS_DEVICES_H_

#include <array>
#include <cstdint>
#include <memory>

#include "devices/device_timeline.h"
#include "devices/device_use.h"
#include "devices/host_events.h"
#include "devices/launch_sets.h"
#include "devices/operation.h"

namespace poprt {

class ProcessDevices {
 public:
  static constexpr int kMost = 64;
  static constexpr int kNone = -1;

  // Measurement has begun at `begin`; until `now` there was no device.  `open`:
  // the regions that are open now, of which `always` are open in all of the
  // run.
  ProcessDevices(const HostEvent& begin, const HostEvent& now,
                 const OpenRegions& open, const OpenRegions& always);

  // Without it there are no devices.
  bool has_memory() const { return events_.has_memory(); }
  // As DeviceTimeline::set_before().
  void set_before(int region, int64_t elapsed_ns, const HostTime& host) {
    unused_.set_before(region, elapsed_ns, host);
  }

  // A device that can be used from now on.  Its number; kNone: there are too
  // many, or there is no memory.
  int add_device();
  int count() const { return count_; }
  DeviceUse& device(int number) {
    return *devices_[static_cast<size_t>(number)];
  }
  const DeviceUse& device(int number) const {
    return *devices_[static_cast<size_t>(number)];
  }
  // Devices for which there was no room.
  int64_t refused() const { return refused_; }

  // A region opens or closes, or the host's time is known at a moment at which
  // a device may begin or end to be idle.
  void add_event(const HostEvent& event);
  // Hands an operation to a device, at an event of that time.
  void launch(int device, const Launch& launch, const HostTime& host);
  // All devices follow what is final.
  void follow();
  // At the end of measurement: nothing is heard of what is pending.
  void end(const HostEvent& now);

  const LaunchSets& sets() const { return sets_; }
  // A device that is never used.  REQUIRES: follow() after the last event.
  const DeviceTimeline& unused() const { return unused_; }

 private:
  // Of a device that does nothing all is final.
  void follow_unused() {
    unused_.follow(events_, nullptr, events_.last().time_ns);
  }

  HostEvents events_;
  LaunchSets sets_;
  DeviceTimeline unused_;
  std::array<std::unique_ptr<DeviceUse>, kMost> devices_;
  int count_ = 0;
  int64_t refused_ = 0;
};

}  // namespace poprt

#endif  // POPRT_DEVICES_PROCESS_DEVICES_H_
