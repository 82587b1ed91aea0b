// DeviceUse: one device, as a process uses it.
//
// Launches are told when they happen, operations when they are known.  Nothing
// is lost without being counted: of an operation without times is known that it
// was launched, and of one that comes after its time was thought to be final
// how long it may have been.
//
// One caller at a time; all take memory that the process can do without, in all
// 0.7 MiB.
#ifndef POPRT_DEVICES_DEVICE_USE_H_
#define POPRT_DEVICES_DEVICE_USE_H_

#include <cstdint>

#include "devices/busy_time.h"
#include "devices/device_timeline.h"
#include "devices/host_events.h"
#include "devices/launch_sets.h"
#include "devices/operation.h"
#include "devices/pending_launches.h"

namespace poprt {

class DeviceUse {
 public:
  // `events` lives as long as this.  `unused`: what a device did until now that
  // had no operation.
  DeviceUse(const HostEvents& events, const DeviceTimeline& unused)
      : events_(events), timeline_(unused) {}

  // Otherwise operations are only counted.
  bool has_memory() const { return busy_.has_memory(); }
  // By how much the times of operations may differ from the host's clock.
  void set_clock_error(int64_t ns) { clock_error_ns_ = ns; }

  // `set`: the regions that are open.
  void launch(const Launch& launch, uint16_t set);
  // Of an operation is heard at `now_ns`.
  void record(const Operation& operation, int64_t now_ns);
  // All that was launched on the stream until then is over, and nothing more
  // will be heard of it.
  void end_stream(uint64_t stream, int64_t launched_until_ns);
  // Nothing more will be heard of this launch.  `had_operation`: its operation
  // is over without a record; else it had none, as that of a call that failed.
  void end_launch(uint64_t launch, bool had_operation);
  // As end_stream(), of all streams, at the end of the run or of the device.
  void end_all();

  // Follows what is final.
  void follow();
  // To be called before an event is added.
  void make_room() {
    if (!timeline_.is_full(events_)) [[likely]]
      return;
    follow();
    if (timeline_.is_full(events_)) timeline_.skip(events_);
  }

  const DeviceTimeline& timeline() const { return timeline_; }
  const PendingLaunches& pending() const { return pending_; }
  LaunchedInSets& launched() { return launched_; }
  const LaunchedInSets& launched() const { return launched_; }
  // Operations of whose launch nothing is known.
  int64_t unannounced() const { return unannounced_; }
  // Operations that came too late, and by how much the device may have been
  // busy for longer.
  int64_t late() const { return late_; }
  int64_t late_ns() const { return late_ns_; }
  // By how much it may have been busy for a shorter time.
  int64_t bridged_ns() const { return busy_.bridged_ns(); }

 private:
  void add(const Operation& operation);
  void end(const PendingLaunches::Entry& entry);

  const HostEvents& events_;
  DeviceTimeline timeline_;
  PendingLaunches pending_;
  BusyTime busy_;
  LaunchedInSets launched_;
  int64_t clock_error_ns_ = 0;
  int64_t unannounced_ = 0;
  int64_t late_ = 0;
  int64_t late_ns_ = 0;
};

}  // namespace poprt

#endif  // POPRT_DEVICES_DEVICE_USE_H_
