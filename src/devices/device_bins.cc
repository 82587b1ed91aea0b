#include "devices/device_bins.h"

#include <algorithm>
#include <new>
#include <utility>

namespace poprt {

DeviceBins::DeviceBins() : bins_(new (std::nothrow) DeviceTime[kMost]) {}

DeviceBins::DeviceBins(const DeviceBins& other)
    : bins_(other.has_memory() ? new (std::nothrow) DeviceTime[kMost]
                               : nullptr),
      power_(other.power_),
      first_(other.first_),
      count_(other.count_) {
  if (has_memory()) std::copy(other.bins_, other.bins_ + count_, bins_);
}

void DeviceBins::add(int64_t begin_ns, const DeviceTime& time) {
  if (count_ == 0) first_ = begin_ns >> power_;
  while ((begin_ns >> power_) - first_ >= kMost) widen();
  const auto at = static_cast<int>((begin_ns >> power_) - first_);
  bins_[at] += time;
  count_ = std::max(count_, at + 1);
}

// The first bin may be the second half of a wider one.
void DeviceBins::widen() {
  const int64_t first = first_ >> 1;
  int last = 0;
  for (int i = 0; i < count_; ++i) {
    last = static_cast<int>(((first_ + i) >> 1) - first);
    bins_[last] += std::exchange(bins_[i], DeviceTime());
  }
  first_ = first;
  count_ = last + 1;
  ++power_;
}

}  // namespace poprt
