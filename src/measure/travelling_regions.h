// TravellingRegions: of how many regions clocks go to other processes, and
// whether any had no room.
//
// Invariants:
//  1. Only regions with slots below most() travel.
//  2. What had no room once counts for the whole run: is_full() stays true, and
//     complete() never grows.
//  3. Any thread may use it at any time.
#ifndef POPRT_MEASURE_TRAVELLING_REGIONS_H_
#define POPRT_MEASURE_TRAVELLING_REGIONS_H_

#include <algorithm>
#include <atomic>

#include "clocks/clock_set.h"

namespace poprt {

class TravellingRegions {
 public:
  explicit TravellingRegions(int most) : most_(most) {}

  int most() const { return most_; }
  // Of `count` regions.
  int of(int count) const { return std::min(count, most_); }
  // A region that is beyond has been asked for.
  bool is_full() const { return full_.load(std::memory_order_relaxed); }
  // All clocks of regions with lower slots were in all messages.
  int complete() const { return complete_.load(std::memory_order_relaxed); }
  // Whether it is full, and this region is not among those that had no room.
  bool is_in_full_table(int slot) const {
    return is_full() && slot < most_ && slot < complete();
  }

  void fill() { full_.store(true, std::memory_order_relaxed); }
  // A message had no room for a further clock of this region.
  void lose_clock(int slot) {
    int known = complete();
    while (slot < known && !complete_.compare_exchange_weak(known, slot)) {
    }
    fill();
  }

 private:
  const int most_;
  std::atomic<bool> full_{false};
  std::atomic<int> complete_{kMaxRegions};
};

}  // namespace poprt

#endif  // POPRT_MEASURE_TRAVELLING_REGIONS_H_
