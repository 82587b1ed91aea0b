// HostEvents: what happened in the process while the times of operations were
// not known yet: launches, returns of calls that wait for a device, regions
// that were opened and closed.
//
// A ring of kMost events.  Who reads it keeps the number of the event that it
// reads next, and has to skip what is overwritten.
//
// Takes memory that the process can do without, 3 MiB, of which pages are used
// as events come.  One caller at a time.
#ifndef POPRT_DEVICES_HOST_EVENTS_H_
#define POPRT_DEVICES_HOST_EVENTS_H_

#include <cstdint>

#include "base/memory.h"
#include "devices/launch_sets.h"
#include "model/device_time.h"

namespace poprt {

struct HostEvent {
  static constexpr int16_t kNoRegion = -1;

  int64_t time_ns = 0;
  HostTime host;               // as of that time
  int16_t region = kNoRegion;  // the one that is opened or closed
  bool opens = false;
  // What the host did since the event before is not known.
  bool is_behind_break = false;
  uint32_t breaks = 0;  // until then; counted by HostEvents
};

class HostEvents {
 public:
  static constexpr uint64_t kMost = 65536;

  // Begins at this event, with these regions open.
  HostEvents(const HostEvent& first, const OpenRegions& open);
  ~HostEvents() { release_memory(ring_); }
  HostEvents(const HostEvents&) = delete;
  HostEvents& operator=(const HostEvents&) = delete;

  // Otherwise nothing may be added.
  bool has_memory() const { return ring_ != nullptr; }

  // An event that seems to be older than the last one happens at its time.
  void add(const HostEvent& event);
  // The number of the next event.
  uint64_t end() const { return end_; }
  // REQUIRES: number < end() <= number + kMost.
  const HostEvent& operator[](uint64_t number) const {
    return ring_[number % kMost];
  }
  const HostEvent& last() const { return last_; }
  // The regions that are open after the last event.
  const OpenRegions& open() const { return open_; }

 private:
  HostEvent* ring_;
  uint64_t end_ = 0;
  HostEvent last_;
  OpenRegions open_;
};

}  // namespace poprt

#endif  // POPRT_DEVICES_HOST_EVENTS_H_
