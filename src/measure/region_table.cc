#include "measure/region_table.h"

#include <string>

#include "base/memory.h"

namespace poprt {

int RegionTable::find(uint64_t key) const {
  for (size_t i = key % kIndexSize;; i = (i + 1) % kIndexSize) {
    const int entry = index_[i].load(std::memory_order_acquire);
    if (entry == 0) return -1;
    if (at(entry - 1).key() == key) return entry - 1;
  }
}

int RegionTable::add(std::string_view name, uint64_t key) {
  const int slot = count_.load(std::memory_order_relaxed);
  if (slot >= kMaxRegions) return -1;
  const bool made = attempt_with_memory([&] {
    regions_[slot].store(new Region(std::string(name), key),
                         std::memory_order_release);
  });
  if (!made) return -1;
  count_.store(slot + 1, std::memory_order_release);
  size_t i = key % kIndexSize;
  while (index_[i].load(std::memory_order_relaxed) != 0) {
    i = (i + 1) % kIndexSize;
  }
  index_[i].store(static_cast<int16_t>(slot + 1), std::memory_order_release);
  return slot;
}

}  // namespace poprt
