// RegionTable: the regions of a process, by slot and by key.
//
// Invariants:
//  1. Slots are given from 0 on and never again.  A region keeps its slot and
//     its address as long as the table exists.
//  2. Regions are added by one thread at a time; any thread may look them up
//     meanwhile, and finds none that is not there yet.
//  3. At most half of the index is used, so a search ends.
#ifndef POPRT_MEASURE_REGION_TABLE_H_
#define POPRT_MEASURE_REGION_TABLE_H_

#include <atomic>
#include <cstdint>
#include <string_view>

#include "clocks/clock_set.h"
#include "measure/region.h"

namespace poprt {

class RegionTable {
 public:
  RegionTable() = default;
  ~RegionTable() {
    for (std::atomic<Region*>& region : regions_) delete region.load();
  }
  RegionTable(const RegionTable&) = delete;
  RegionTable& operator=(const RegionTable&) = delete;

  int count() const { return count_.load(std::memory_order_acquire); }
  // REQUIRES: slot < count().
  const Region& at(int slot) const {
    return *regions_[slot].load(std::memory_order_acquire);
  }
  Region& at(int slot) {
    return *regions_[slot].load(std::memory_order_relaxed);
  }
  // The slot of a region, or -1: there is none.
  int find(uint64_t key) const;
  // Returns the slot of the new region, or -1: the table is full, or there is
  // no memory.  REQUIRES: it has no region of this key.
  int add(std::string_view name, uint64_t key);

 private:
  // Open addressing: slot + 1, or 0 if free.
  static constexpr int kIndexSize = 2 * kMaxRegions;
  std::atomic<int16_t> index_[kIndexSize] = {};
  std::atomic<Region*> regions_[kMaxRegions] = {};
  std::atomic<int> count_{0};
};

}  // namespace poprt

#endif  // POPRT_MEASURE_REGION_TABLE_H_
