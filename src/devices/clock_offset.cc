#include "devices/clock_offset.h"

#include <algorithm>
#include <cstdlib>

namespace poprt {
namespace {

// Bounds are widened by one nanosecond in so many.
constexpr int64_t kDrift = 2000;

}  // namespace

int64_t ClockOffset::learn(int64_t other_ns, int64_t begin_ns, int64_t end_ns) {
  const Stretch seen = {other_ns, begin_ns, begin_ns - other_ns,
                        end_ns - other_ns};
  if (!is_known()) {
    begin(seen);
    return 0;
  }
  Stretch& known = stretches_[static_cast<size_t>(count_ - 1)];
  const int64_t drift_ns =
      std::max<int64_t>(0, end_ns - known.seen_ns) / kDrift + 1;
  const int64_t least_ns = std::max(known.least_ns - drift_ns, seen.least_ns);
  const int64_t most_ns = std::min(known.most_ns + drift_ns, seen.most_ns);
  if (least_ns <= most_ns) {
    known.least_ns = least_ns;
    known.most_ns = most_ns;
    known.seen_ns = std::max(known.seen_ns, begin_ns);
    return 0;
  }
  const int64_t jump_ns = std::abs(seen.middle_ns() - known.middle_ns());
  ++jumps_;
  begin(seen);
  return jump_ns;
}

void ClockOffset::begin(const Stretch& stretch) {
  if (count_ == kMost) {
    std::copy(stretches_.begin() + 1, stretches_.end(), stretches_.begin());
    --count_;
  }
  stretches_[static_cast<size_t>(count_++)] = stretch;
}

// A clock that was set back has shown some times twice: the later one is meant.
int64_t ClockOffset::to_host(int64_t other_ns) const {
  int at = count_ - 1;
  while (at > 0 && stretches_[static_cast<size_t>(at)].from_ns > other_ns) --at;
  return other_ns + stretches_[static_cast<size_t>(at)].middle_ns();
}

}  // namespace poprt
