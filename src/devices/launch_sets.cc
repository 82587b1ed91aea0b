#include "devices/launch_sets.h"

namespace poprt {

// Regions mostly open and close in the same order again, so the search begins
// behind the present set.
void LaunchSets::change(const OpenRegions& open) {
  int set = present_;
  for (int i = 0; i < count_; ++i) {
    set = set + 1 < count_ ? set + 1 : 0;
    if (sets_[static_cast<size_t>(set)] == open) {
      present_ = static_cast<uint16_t>(set);
      return;
    }
  }
  if (count_ == kMost) {
    is_full_ = true;
    present_ = 0;
    return;
  }
  sets_[static_cast<size_t>(count_)] = open;
  present_ = static_cast<uint16_t>(count_++);
}

LaunchedWork LaunchedInSets::in_region(const LaunchSets& sets,
                                       int region) const {
  LaunchedWork sum;
  for (int i = 0; i < sets.count(); ++i) {
    if (sets[i][static_cast<size_t>(region)])
      sum += of_[static_cast<size_t>(i)];
  }
  return sum;
}

LaunchedWork LaunchedInSets::all() const {
  LaunchedWork sum;
  for (const LaunchedWork& each : of_) sum += each;
  return sum;
}

}  // namespace poprt
