#include "measure/windows.h"

#include <iterator>

#include "measure/clock_message.h"
#include "measure/thread.h"
#include "model/totals.h"

namespace poprt {
namespace {

static_assert(std::size(LiveRecord{}.time_ns) == kTimes);
static_assert(window_ordinal(int64_t{1} << 60) < (1 << (62 - kWindowClockBits)),
              "Region keeps clocks of 62 bits");

void add(const LiveRecord& from, LiveRecord* to) {
  for (int i = 0; i < kTimes; ++i) to->time_ns[i] += from.time_ns[i];
  for (int i = 0; i < kClocks; ++i) to->clock[i] += from.clock[i];
  for (int i = 0; i < kMaxAccounts; ++i) to->amount[i] += from.amount[i];
  to->elapsed_ns += from.elapsed_ns;
}

void add(const WindowTable::Kept& from, WindowTable::Kept* to) {
  add(static_cast<const LiveRecord&>(from), to);
  to->lost |= from.lost;
}

void add(const KeptWindow& from, KeptWindow* to) { to->add(from); }

// Neighbours become one, once.
template <class Kept>
void merge_neighbours(Kept (&kept)[kKeptWindows]) {
  for (int i = 0; i < kKeptWindows / 2; ++i) {
    Kept both = kept[2 * i];
    add(kept[2 * i + 1], &both);
    kept[i] = both;
  }
  for (int i = kKeptWindows / 2; i < kKeptWindows; ++i) kept[i] = Kept();
}

// The longest that a clock of this kind can be without another thread.
int64_t own_time(const LiveRecord& record, int kind) {
  int64_t sum = 0;
  for (const bool in_parallel : {false, true}) {
    for (const State state : {State::kUseful, State::kMpi, State::kOmp}) {
      if (!counts_in(kind, state)) continue;
      sum += record.time_ns[time_index(in_parallel, state)];
    }
  }
  return sum;
}

}  // namespace

void KeptWindow::add(const KeptWindow& other) {
  elapsed_ns += other.elapsed_ns;
  com_ns += other.com_ns;
  comp_ns += other.comp_ns;
  common_idle_ns += other.common_idle_ns;
  common_scheduling_ns += other.common_scheduling_ns;
  visits += other.visits;
  lost |= other.lost;
}

void WindowsOfProcess::coarsen(int to_level) {
  for (; level < to_level; ++level) merge_neighbours(kept);
}

Windows::Windows(const WindowSpec& what)
    : spec(what),
      region_key(what.visits > 0
                     ? text_hash(what.region.data(), what.region.size())
                     : kGlobalKey) {}

void WindowTable::coarsen(int to_level) {
  for (; level < to_level; ++level) merge_neighbours(kept);
}

void WindowTable::take(int i, const LiveRecord& record) {
  const int64_t ordinal = window_ordinal(step[i]);
  Kept& own = kept[step[i] >> level];
  LiveRecord part = record;
  for_each_clock([&](int clock, int kind) {
    int64_t& ns = part.clock[clock];
    if (ordinal_of(ns) == ordinal) {
      ns = ns_of(ns);
    } else {
      ns = own_time(record, kind);
      own.lost = true;
    }
  });
  add(part, &own);
  step[i] = -1;
}

int64_t WindowTable::take_early(int i, const int64_t (&clock)[kClocks],
                                int64_t last) {
  const int64_t ordinal = ordinal_of(clock[kGlobalAll]);
  if (step[i] >= 0 || ordinal <= begun || ordinal > last) return -1;
  Kept& own = kept[step_of_ordinal(ordinal) >> level];
  for (int c = 0; c < kClocks; ++c) {
    if (ordinal_of(clock[c]) == ordinal) own.clock[c] += ns_of(clock[c]);
  }
  return ordinal;
}

}  // namespace poprt
