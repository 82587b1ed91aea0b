// ClockOffset: what another clock, of a device or its library, is ahead of or
// behind the host's, learnt from moments of which both are known.
//
// Each moment tells bounds, and the bounds of all have to agree.  They are
// widened as time passes, since the other clock may be faster or slower by half
// a thousandth, which is the most that a system's clock is adjusted.  Where
// they do not agree, one of the clocks was set, and all is learnt anew; times
// of the other clock before that are converted as they were.
//
// One caller at a time.
#ifndef POPRT_DEVICES_CLOCK_OFFSET_H_
#define POPRT_DEVICES_CLOCK_OFFSET_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace poprt {

class ClockOffset {
 public:
  // Of more stretches between jumps, the first ones are forgotten.
  static constexpr int kMost = 16;

  // The other clock showed `other_ns` between these times of the host's clock.
  // Returns by how much the clock has jumped since the moment before, in
  // nanoseconds without sign; 0: it has not.  Moments come in the order of the
  // host's time.  REQUIRES: begin_ns <= end_ns.
  int64_t learn(int64_t other_ns, int64_t begin_ns, int64_t end_ns);

  bool is_known() const { return count_ != 0; }
  // The host's time.  REQUIRES: is_known().
  int64_t to_host(int64_t other_ns) const;
  // By how much the last offset may be wrong.  REQUIRES: is_known().
  int64_t error_ns() const { return last().half_ns(); }
  int64_t jumps() const { return jumps_; }

 private:
  // The host's clock minus the other one is in these bounds.
  struct Stretch {
    int64_t from_ns;  // of the other clock
    int64_t seen_ns;  // of the host's clock: not after the last moment
    int64_t least_ns;
    int64_t most_ns;

    int64_t half_ns() const { return (most_ns - least_ns) / 2; }
    int64_t middle_ns() const { return least_ns + half_ns(); }
  };

  const Stretch& last() const {
    return stretches_[static_cast<size_t>(count_ - 1)];
  }
  void begin(const Stretch& stretch);

  std::array<Stretch, kMost> stretches_ = {};
  int count_ = 0;
  int64_t jumps_ = 0;
};

}  // namespace poprt

#endif  // POPRT_DEVICES_CLOCK_OFFSET_H_
