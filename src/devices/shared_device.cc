#include "devices/shared_device.h"

#include <algorithm>
#include <utility>

namespace poprt {

void SharedDevice::Bin::add(const Bin& other) {
  for (size_t i = 0; i < levels.size(); ++i) levels[i] += other.levels[i];
  elapsed_ns = std::max(elapsed_ns, other.elapsed_ns);
  for (size_t i = 0; i < idle_ns.size(); ++i) idle_ns[i] += other.idle_ns[i];
}

// The union in both is the sum of the unions, so bounds of it add up, too.
void SharedDevice::Bin::append(const Bin& next) {
  for (size_t i = 0; i < levels.size(); ++i) {
    levels[i].sum_ns += next.levels[i].sum_ns;
    levels[i].max_ns += next.levels[i].max_ns;
  }
  elapsed_ns += next.elapsed_ns;
  for (size_t i = 0; i < idle_ns.size(); ++i) idle_ns[i] += next.idle_ns[i];
}

SharedDevice::SharedDevice(const DeviceBins& of_process)
    : power_(of_process.power()), first_(of_process.first()) {
  bins_.reserve(static_cast<size_t>(of_process.count()));
  for (int i = 0; i < of_process.count(); ++i) {
    const DeviceTime& own = of_process[i];
    Bin bin;
    bin.levels[0].add(own.kernels_ns);
    bin.levels[1].add(own.kernels_ns + own.copies_ns);
    bin.levels[2].add(own.busy_ns());
    bin.elapsed_ns = own.elapsed_ns();
    bin.idle_ns = own.idle_ns;
    bins_.push_back(bin);
  }
}

void SharedDevice::widen(int power) {
  for (; power_ < power; ++power_) {
    std::vector<Bin> wider;
    for (size_t i = 0; i < bins_.size(); ++i) {
      const bool is_second = (first_ + static_cast<int64_t>(i)) % 2 != 0;
      if (is_second && i != 0) {
        wider.back().append(bins_[i]);
      } else {
        wider.push_back(bins_[i]);
      }
    }
    bins_ = std::move(wider);
    first_ >>= 1;
  }
}

void SharedDevice::add(SharedDevice other) {
  if (other.bins_.empty()) return;
  if (bins_.empty()) {
    *this = std::move(other);
    return;
  }
  other.widen(power_);
  widen(other.power_);
  if (other.first_ < first_) std::swap(*this, other);
  const auto offset = static_cast<size_t>(other.first_ - first_);
  bins_.resize(std::max(bins_.size(), offset + other.bins_.size()));
  for (size_t i = 0; i < other.bins_.size(); ++i) {
    bins_[offset + i].add(other.bins_[i]);
  }
}

DeviceKnown SharedDevice::known_in(const Bin& bin) const {
  const int64_t width_ns = int64_t{1} << power_;
  DeviceKnown known;
  known.kernels = bin.levels[0].within(width_ns);
  known.active = bin.levels[1].within(width_ns);
  const int64_t busy_ns = bin.levels[2].within(width_ns).middle_ns();
  known.time.kernels_ns = known.kernels.middle_ns();
  known.time.copies_ns = known.active.middle_ns() - known.time.kernels_ns;
  known.time.graphs_ns = busy_ns - known.active.middle_ns();
  // The first and the last bin are not as long as others.
  known.time.idle_ns =
      split_by(std::max<int64_t>(0, bin.elapsed_ns - busy_ns), bin.idle_ns);
  return known;
}

DeviceKnown SharedDevice::known() const {
  DeviceKnown sum;
  for (const Bin& bin : bins_) sum += known_in(bin);
  return sum;
}

}  // namespace poprt
