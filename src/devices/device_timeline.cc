#include "devices/device_timeline.h"

#include <algorithm>

#include "devices/idle_split.h"

namespace poprt {

DeviceTimeline::DeviceTimeline(const HostEvent& begin, const HostEvents& events)
    : host_(begin.host),
      breaks_(begin.breaks),
      next_(events.end()),
      begin_ns_(begin.time_ns),
      followed_ns_(begin.time_ns),
      skipped_(Skipped{events.last(), events.open()}) {}

void DeviceTimeline::set_before(int region, int64_t elapsed_ns,
                                const HostTime& host) {
  regions_.set_before(region, split_idle(elapsed_ns, HostTime(), host));
}

void DeviceTimeline::follow(const HostEvents& events, BusyTime* busy,
                            int64_t until_ns) {
  for (;;) {
    const HostEvent* const next = next_event(events);
    if (next == nullptr) return;
    follow_until(busy, *next, std::min(until_ns, next->time_ns));
    if (next->time_ns > until_ns) return;
    end_stretch(*next);
  }
}

const HostEvent* DeviceTimeline::next_event(const HostEvents& events) const {
  if (skipped_) return &skipped_->end;
  return next_ != events.end() ? &events[next_] : nullptr;
}

void DeviceTimeline::follow_until(BusyTime* busy, const HostEvent& next,
                                  int64_t until_ns) {
  while (followed_ns_ < until_ns) {
    BusyTime::Piece piece = {until_ns, std::nullopt};
    if (busy != nullptr) piece = busy->next(followed_ns_, until_ns);
    if (bins_.has_memory()) {
      piece.end_ns = std::min(piece.end_ns, bins_.end_of_bin(followed_ns_));
    }
    const DeviceTime time = time_of(piece, next);
    regions_.add(time);
    if (bins_.has_memory()) bins_.add(followed_ns_, time);
    if (skipped_) by_launch_ns_ += time.busy_ns();
    followed_ns_ = piece.end_ns;
  }
}

DeviceTime DeviceTimeline::time_of(const BusyTime::Piece& piece,
                                   const HostEvent& next) const {
  const int64_t ns = piece.end_ns - followed_ns_;
  if (!piece.busy) {
    const bool is_known = next.breaks == breaks_;
    return split_idle(ns, is_known ? host_ : next.host, next.host);
  }
  DeviceTime time;
  switch (*piece.busy) {
    case Busy::kKernels:
      time.kernels_ns = ns;
      break;
    case Busy::kCopies:
      time.copies_ns = ns;
      break;
    case Busy::kGraphs:
      time.graphs_ns = ns;
      break;
  }
  return time;
}

void DeviceTimeline::end_stretch(const HostEvent& event) {
  host_ = event.host;
  breaks_ = event.breaks;
  if (skipped_) {
    regions_.set_open(skipped_->open);
    skipped_.reset();
    return;
  }
  if (event.region != HostEvent::kNoRegion) {
    regions_.set_open(event.region, event.opens);
  }
  ++next_;
}

void DeviceTimeline::skip(const HostEvents& events) {
  skipped_ = Skipped{events.last(), events.open()};
  next_ = events.end();
}

}  // namespace poprt
