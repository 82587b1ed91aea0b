#include "measure/site_table.h"

#include "measure/process.h"

namespace poprt {

uint32_t RegionSets::epoch() const { return thread_.process().epoch(); }

void RegionSets::forget() {
  sets_[0].reset();
  const int global = thread_.process().slot_of_key(kGlobalKey, 0);
  if (global >= 0) sets_[0][static_cast<size_t>(global)] = true;
  count_ = 1;
  learn();
}

void RegionSets::learn() {
  epoch_ = epoch();
  const Regions open = thread_.open_regions();
  open_ = 0;
  while (open_ < count_ && sets_[open_] != open) ++open_;
  if (open_ < count_) return;
  if (count_ == kMost) {
    open_ = 0;
    return;
  }
  sets_[count_++] = open;
}

}  // namespace poprt
