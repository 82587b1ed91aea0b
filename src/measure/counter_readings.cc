#include "measure/counter_readings.h"

#include <algorithm>

#include "base/no_cancellation.h"

namespace poprt {

int64_t counted_between(int64_t before, int64_t after) {
  if (after >= before) return after - before;
  for (const int bits : {32, 48}) {
    const int64_t range = int64_t{1} << bits;
    // Only a counter that was near its end has wrapped.
    if (before < range && after >= 0 && before >= range / 2 &&
        after < range / 2) {
      return after + range - before;
    }
  }
  return -1;
}

static void* begun(const Counting& counting) {
  const NoCancellation whole;
  return counting.source->begin();
}

CounterReadings::CounterReadings(const Counting& counting)
    : counting_(counting), counters_(begun(counting)) {
  const NoCancellation whole;
  if (runs() && !counting_.source->read(counters_, before_)) stop();
}

void CounterReadings::stop() {
  if (!runs()) return;
  const NoCancellation whole;
  counting_.source->end(counters_);
  counters_ = nullptr;
}

bool CounterReadings::read(bool useful, int64_t ns) {
  if (!runs()) return false;
  const NoCancellation whole;
  int64_t now[CounterSource::kMost];
  if (!counting_.source->read(counters_, now)) {
    ++faults_;
    return false;
  }
  const int size = counting_.source->size();
  bool went_back = false;
  for (int i = 0; i < size; ++i) {
    const int64_t counted = counted_between(before_[i], now[i]);
    before_[i] = now[i];
    went_back = went_back || counted < 0;
    counted_[1 + i] = std::max<int64_t>(0, counted - counting_.outside[i]);
  }
  counted_[0] = ns;
  if (went_back) ++faults_;
  return useful && !went_back;
}

// In integers, because the program may have set traps for floating-point
// numbers; the product of two numbers of 64 bits.  A region that was closed by
// another thread before these `ns` has a negative part of them.
static int64_t even_share(int64_t all, int64_t part_ns, int64_t ns) {
  __extension__ using Product = __int128;
  if (part_ns < 0) return -even_share(all, -part_ns, ns);
  return static_cast<int64_t>((Product{all} * part_ns + ns / 2) / ns);
}

int64_t CounterReadings::inside(int account, int64_t begin_ns,
                                int64_t inside_ns) const {
  const int64_t all = counted(account);
  const int64_t ns = counted_[0];
  // No time has passed, and another thread has closed the region before that.
  if (ns <= 0)
    return account == first() ? std::min<int64_t>(inside_ns, 0) : all;
  const auto until = [&](int64_t end_ns) {
    return end_ns >= ns ? all : even_share(all, end_ns, ns);
  };
  const int64_t from_ns = std::max<int64_t>(0, begin_ns);
  return until(from_ns + inside_ns) - until(from_ns);
}

}  // namespace poprt
