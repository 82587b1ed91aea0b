#include "devices/busy_intervals.h"

#include <algorithm>
#include <new>

namespace poprt {
namespace {

constexpr int64_t kShortestGap = 1000;

}  // namespace

BusyIntervals::BusyIntervals()
    : intervals_(new (std::nothrow) Interval[kMost]) {}

void BusyIntervals::add(int64_t begin_ns, int64_t end_ns) {
  if (first_ + count_ == kMost) make_room();
  Interval* const begin = intervals_ + first_;
  Interval* const end = begin + count_;
  // Intervals [from, to) have a point in common with the new one.  Mostly it is
  // behind all of them, or overlaps the last.
  Interval* const from =
      count_ == 0 || end[-1].end_ns < begin_ns
          ? end
          : std::lower_bound(begin, end, begin_ns,
                             [](const Interval& interval, int64_t time_ns) {
                               return interval.end_ns < time_ns;
                             });
  Interval* to = from;
  while (to != end && to->begin_ns <= end_ns) ++to;
  if (from == to) {
    std::copy_backward(from, end, end + 1);
    *from = {begin_ns, end_ns};
    ++count_;
    return;
  }
  from->begin_ns = std::min(from->begin_ns, begin_ns);
  from->end_ns = std::max(to[-1].end_ns, end_ns);
  std::copy(to, end, from + 1);
  count_ -= static_cast<int>(to - from) - 1;
}

const BusyIntervals::Interval* BusyIntervals::first_after(int64_t time_ns) {
  while (count_ != 0 && intervals_[first_].end_ns <= time_ns) {
    ++first_;
    --count_;
  }
  return count_ != 0 ? intervals_ + first_ : nullptr;
}

void BusyIntervals::make_room() {
  for (int64_t gap_ns = kShortestGap; count_ > kKept; gap_ns *= 2) {
    bridge(gap_ns);
  }
  std::copy(intervals_ + first_, intervals_ + first_ + count_, intervals_);
  first_ = 0;
}

// Makes one of those with no longer gaps between them.
void BusyIntervals::bridge(int64_t longest_ns) {
  Interval* last = intervals_ + first_;
  Interval* const end = last + count_;
  for (const Interval* next = last + 1; next != end; ++next) {
    const int64_t gap_ns = next->begin_ns - last->end_ns;
    if (gap_ns > longest_ns) {
      *++last = *next;
      continue;
    }
    bridged_ns_ += gap_ns;
    last->end_ns = next->end_ns;
  }
  count_ = static_cast<int>(last - (intervals_ + first_)) + 1;
}

}  // namespace poprt
