#include "devices/host_events.h"

#include <algorithm>
#include <new>
#include <utility>

#include "base/optional_memory.h"

namespace poprt {

HostEvents::HostEvents(const HostEvent& first, const OpenRegions& open)
    : ring_(static_cast<HostEvent*>(
          take_optional_memory(kMost * sizeof(HostEvent), alignof(HostEvent)))),
      last_(first),
      open_(open) {}

void HostEvents::add(const HostEvent& event) {
  const HostEvent before = std::exchange(last_, event);
  last_.time_ns = std::max(event.time_ns, before.time_ns);
  last_.breaks = before.breaks + (event.is_behind_break ? 1 : 0);
  new (&ring_[end_++ % kMost]) HostEvent(last_);
  if (event.region != HostEvent::kNoRegion) {
    open_[static_cast<size_t>(event.region)] = event.opens;
  }
}

}  // namespace poprt
