// BusyTime: what a device was busy with at each time, made of operations of
// several streams that overlap and come nearly in order.
//
// One caller at a time.
#ifndef POPRT_DEVICES_BUSY_TIME_H_
#define POPRT_DEVICES_BUSY_TIME_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "devices/busy_intervals.h"
#include "devices/operation.h"

namespace poprt {

class BusyTime {
 public:
  // A stretch of time in which the device did one thing.
  struct Piece {
    int64_t end_ns;
    std::optional<Busy> busy;  // nothing: idle
  };

  bool has_memory() const {
    return std::ranges::all_of(of_, &BusyIntervals::has_memory);
  }
  bool is_full(Busy kind) const { return of(kind).is_full(); }

  // REQUIRES: has_memory(), begin_ns <= end_ns.
  void add(Busy kind, int64_t begin_ns, int64_t end_ns) {
    of_[static_cast<size_t>(kind)].add(begin_ns, end_ns);
  }
  // The stretch that begins at `from_ns` and ends at `to_ns` at the latest.
  // Forgets what was before.
  Piece next(int64_t from_ns, int64_t to_ns);
  // Forgets what was before.
  void forget_until(int64_t time_ns) {
    for (BusyIntervals& each : of_) each.first_after(time_ns);
  }
  // By how much the device may have been busy for a shorter time.
  int64_t bridged_ns() const {
    int64_t sum_ns = 0;
    for (const BusyIntervals& each : of_) sum_ns += each.bridged_ns();
    return sum_ns;
  }

 private:
  const BusyIntervals& of(Busy kind) const {
    return of_[static_cast<size_t>(kind)];
  }

  std::array<BusyIntervals, kBusyKinds> of_;
};

}  // namespace poprt

#endif  // POPRT_DEVICES_BUSY_TIME_H_
