#include "measure/site_table.h"

#include <algorithm>

#include "measure/epochs.h"
#include "measure/process.h"
#include "measure/windows.h"
#include "model/noted.h"

namespace poprt {

bool RegionSets::know_regions() const {
  return epoch_ == program_epoch(thread_.process().epoch());
}

void RegionSets::forget() {
  sets_[0].reset();
  const int global = thread_.process().find_slot(kGlobalKey);
  if (global >= 0) sets_[0][static_cast<size_t>(global)] = true;
  count_ = 1;
  open_ = 0;
  learn();
}

// Regions mostly open and close in the same order again, so the search begins
// behind the present set.
void RegionSets::learn() {
  epoch_ = program_epoch(thread_.known_epoch());
  const Regions open = regions_of_program();
  for (int i = 0; i < count_; ++i) {
    open_ = open_ + 1 < count_ ? open_ + 1 : 0;
    if (sets_[open_] == open) return;
  }
  if (count_ == kMost) {
    is_full_ = true;
    open_ = 0;
    return;
  }
  open_ = count_++;
  sets_[open_] = open;
}

void RegionSets::note_if_full(std::vector<std::string>* notes) const {
  static_assert(kMost - 1 == 511);  // as the note says
  const std::string note = noted<"region_sets">();
  if (is_full_ && std::ranges::find(*notes, note) == notes->end()) {
    notes->push_back(note);
  }
}

RegionSets::Regions RegionSets::regions_of_program() const {
  Regions open = thread_.open_regions();
  const Process& process = thread_.process();
  for (int i = 0; i < kLiveWindows && process.windows() != nullptr; ++i) {
    const int slot = process.find_slot(live_window_key(i));
    if (slot >= 0) open[static_cast<size_t>(slot)] = false;
  }
  return open;
}

}  // namespace poprt
