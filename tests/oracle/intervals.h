// IntervalSet: a set of times, as disjoint intervals in ascending order.
#ifndef POPRT_TESTS_ORACLE_INTERVALS_H_
#define POPRT_TESTS_ORACLE_INTERVALS_H_

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace poprt::oracle {

class IntervalSet {
 public:
  // REQUIRES: begins where the last interval ends or later.
  void add(int64_t begin_ns, int64_t end_ns) {
    if (begin_ns < end_ns) intervals_.emplace_back(begin_ns, end_ns);
  }

  // How much of [begin_ns, end_ns] lies in the set.
  int64_t overlap(int64_t begin_ns, int64_t end_ns) const {
    int64_t sum = 0;
    for (const auto& [begin, end] : intervals_) {
      if (begin >= end_ns) break;
      sum += std::max<int64_t>(
          0, std::min(end, end_ns) - std::max(begin, begin_ns));
    }
    return sum;
  }

  int64_t length() const {
    int64_t sum = 0;
    for (const auto& [begin, end] : intervals_) sum += end - begin;
    return sum;
  }

  IntervalSet intersection(const IntervalSet& other) const {
    IntervalSet both;
    for (const auto& [begin, end] : intervals_) {
      for (const auto& [from, to] : other.intervals_) {
        if (from >= end) break;
        both.add(std::max(begin, from), std::min(end, to));
      }
    }
    return both;
  }

  IntervalSet without(const IntervalSet& other) const {
    IntervalSet rest;
    for (const auto& [begin, end] : intervals_) {
      int64_t from = begin;
      for (const auto& [hole_begin, hole_end] : other.intervals_) {
        if (hole_end <= from) continue;
        if (hole_begin >= end) break;
        rest.add(from, hole_begin);
        from = hole_end;
      }
      rest.add(from, end);
    }
    return rest;
  }

 private:
  std::vector<std::pair<int64_t, int64_t>> intervals_;
};

}  // namespace poprt::oracle

#endif  // POPRT_TESTS_ORACLE_INTERVALS_H_
