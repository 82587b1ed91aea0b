// BusyIntervals: when a device was busy with one kind of operation, as the
// union of intervals that come nearly in order.
//
// Those of which all is known are taken away from the front, so a few are kept
// at a time.  When there is no room for more, those with the shortest gaps
// between them become one, and the gaps are added up: by this much the union
// may be too long.
//
// Takes memory that the process can do without, 64 KiB.  One caller at a time.
#ifndef POPRT_DEVICES_BUSY_INTERVALS_H_
#define POPRT_DEVICES_BUSY_INTERVALS_H_

#include <cstdint>

namespace poprt {

class BusyIntervals {
 public:
  static constexpr int kMost = 4096;

  struct Interval {
    int64_t begin_ns;
    int64_t end_ns;
  };

  BusyIntervals();
  ~BusyIntervals() { delete[] intervals_; }
  BusyIntervals(const BusyIntervals&) = delete;
  BusyIntervals& operator=(const BusyIntervals&) = delete;

  // Otherwise nothing may be added.
  bool has_memory() const { return intervals_ != nullptr; }
  // Gaps disappear if one is added.
  bool is_full() const { return first_ + count_ == kMost && count_ > kKept; }
  int count() const { return count_; }

  // REQUIRES: begin_ns <= end_ns.
  void add(int64_t begin_ns, int64_t end_ns);
  // Forgets what ends at this time or before, and returns the first of the
  // rest; null: there is none.
  const Interval* first_after(int64_t time_ns);
  // The sum of the gaps that have disappeared.
  int64_t bridged_ns() const { return bridged_ns_; }

 private:
  // So many remain when room was made: the array is moved to its begin once in
  // many intervals, and not for each.
  static constexpr int kKept = kMost / 4 * 3;

  void make_room();
  void bridge(int64_t longest_ns);

  // A sorted array of disjoint intervals begins at first_.
  Interval* intervals_;
  int first_ = 0;
  int count_ = 0;
  int64_t bridged_ns_ = 0;
};

}  // namespace poprt

#endif  // POPRT_DEVICES_BUSY_INTERVALS_H_
