// LaunchSets: which regions of the process are open together, by numbers, so
// that a launch remembers them in one word.
//
// What is launched counts by number, and is added up for a region when it is
// asked for.  The number of sets is bounded; what is launched in further ones
// counts in set 0.  One caller at a time.
#ifndef POPRT_DEVICES_LAUNCH_SETS_H_
#define POPRT_DEVICES_LAUNCH_SETS_H_

#include <array>
#include <bitset>
#include <cstdint>

#include "clocks/clock_set.h"

namespace poprt {

using OpenRegions = std::bitset<kMaxRegions>;

class LaunchSets {
 public:
  static constexpr int kMost = 512;

  // `always`: the regions that are open all the time, which are set 0.
  explicit LaunchSets(const OpenRegions& always = {}) { sets_[0] = always; }

  // From now on these are open.
  void change(const OpenRegions& open);
  // The number of the present set.
  uint16_t present() const { return present_; }
  const OpenRegions& operator[](int set) const {
    return sets_[static_cast<size_t>(set)];
  }
  int count() const { return count_; }
  // Whether there were more.
  bool is_full() const { return is_full_; }

 private:
  std::array<OpenRegions, kMost> sets_;
  int count_ = 1;
  uint16_t present_ = 0;
  bool is_full_ = false;
};

// What was launched on a device.
struct LaunchedWork {
  int64_t kernels_ns = 0;  // of each kernel, also if several ran at a time
  int64_t operations = 0;
  int64_t unknown = 0;  // of these: without times

  LaunchedWork& operator+=(const LaunchedWork& other) {
    kernels_ns += other.kernels_ns;
    operations += other.operations;
    unknown += other.unknown;
    return *this;
  }
  friend bool operator==(const LaunchedWork&, const LaunchedWork&) = default;
};

// What was launched while each set was open.
class LaunchedInSets {
 public:
  LaunchedWork& in(int set) { return of_[static_cast<size_t>(set)]; }
  LaunchedWork in_region(const LaunchSets& sets, int region) const;
  LaunchedWork all() const;

 private:
  std::array<LaunchedWork, LaunchSets::kMost> of_;
};

}  // namespace poprt

#endif  // POPRT_DEVICES_LAUNCH_SETS_H_
