// DeviceTimeline: what a device did, as a process sees it, up to a time before
// which all is final: in the run, in each region while it was open, and in
// bins.
//
// It reads the host's events in the order of time.  If they are overwritten
// before that, the stretch until the present counts in the regions that were
// open at its begin, which is the launch of the oldest pending operation.
//
// Takes 37 KiB, and memory for bins.  One caller at a time.
#ifndef POPRT_DEVICES_DEVICE_TIMELINE_H_
#define POPRT_DEVICES_DEVICE_TIMELINE_H_

#include <cstdint>
#include <optional>

#include "devices/busy_time.h"
#include "devices/device_bins.h"
#include "devices/device_regions.h"
#include "devices/host_events.h"
#include "model/device_time.h"

namespace poprt {

class DeviceTimeline {
 public:
  // Begins at `begin`, which is the last event or before.  The regions that
  // were open between the two are told by set_before().
  DeviceTimeline(const HostEvent& begin, const HostEvents& events);

  // How long the region was open between the two, and what the host did in it.
  // REQUIRES: nothing was followed yet.
  void set_before(int region, int64_t elapsed_ns, const HostTime& host);

  int64_t begin_ns() const { return begin_ns_; }
  // What was before is final.
  int64_t followed_ns() const { return followed_ns_; }
  // Follows what the device did, until that time or the last event.  `busy`:
  // null if it had no operation.
  void follow(const HostEvents& events, BusyTime* busy, int64_t until_ns);
  // Whether the next event overwrites one that is not followed.  Then
  // the present stretch ends with the last event.
  bool is_full(const HostEvents& events) const {
    return events.end() - next_ >= HostEvents::kMost;
  }
  void skip(const HostEvents& events);

  const DeviceTime& run() const { return regions_.run(); }
  DeviceTime in_region(int region) const { return regions_.in(region); }
  const DeviceBins& bins() const { return bins_; }
  // How long the device was busy in stretches that count in regions by launch.
  int64_t by_launch_ns() const { return by_launch_ns_; }

 private:
  // As if all regions were opened and closed at the end of what is skipped.
  struct Skipped {
    HostEvent end;
    OpenRegions open;
  };

  const HostEvent* next_event(const HostEvents& events) const;
  void follow_until(BusyTime* busy, const HostEvent& next, int64_t until_ns);
  DeviceTime time_of(const BusyTime::Piece& piece, const HostEvent& next) const;
  void end_stretch(const HostEvent& event);

  DeviceRegions regions_;
  DeviceBins bins_;
  // The event at which the present stretch begins.
  HostTime host_;
  uint32_t breaks_;
  uint64_t next_;  // number of the event behind it, or behind what is skipped
  const int64_t begin_ns_;
  int64_t followed_ns_;
  int64_t by_launch_ns_ = 0;
  std::optional<Skipped> skipped_;
};

}  // namespace poprt

#endif  // POPRT_DEVICES_DEVICE_TIMELINE_H_
