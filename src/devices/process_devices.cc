#include "devices/process_devices.h"

#include <new>

namespace poprt {

ProcessDevices::ProcessDevices(const HostEvent& begin, const HostEvent& now,
                               const OpenRegions& open,
                               const OpenRegions& always)
    : events_(now, open), sets_(always), unused_(begin, events_) {
  sets_.change(open);
}

int ProcessDevices::add_device() {
  if (has_memory() && count_ < kMost) {
    follow_unused();
    std::unique_ptr<DeviceUse>& place = devices_[static_cast<size_t>(count_)];
    place.reset(new (std::nothrow) DeviceUse(events_, unused_));
    if (place != nullptr) return count_++;
  }
  ++refused_;
  return kNone;
}

void ProcessDevices::add_event(const HostEvent& event) {
  if (!has_memory()) return;
  if (unused_.is_full(events_)) follow_unused();
  for (int i = 0; i < count_; ++i) device(i).make_room();
  events_.add(event);
  if (event.region != HostEvent::kNoRegion) sets_.change(events_.open());
}

void ProcessDevices::launch(int device_number, const Launch& launch,
                            const HostTime& host) {
  HostEvent event;
  event.time_ns = launch.time_ns;
  event.host = host;
  add_event(event);
  device(device_number).launch(launch, sets_.present());
}

void ProcessDevices::follow() {
  follow_unused();
  for (int i = 0; i < count_; ++i) device(i).follow();
}

void ProcessDevices::end(const HostEvent& now) {
  for (int i = 0; i < count_; ++i) {
    device(i).set_clock_error(0);
    device(i).end_all();
  }
  add_event(now);
  follow();
}

}  // namespace poprt
