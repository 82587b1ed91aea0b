#include "measure/windows.h"

#include <algorithm>

#include "measure/thread.h"

namespace poprt {
namespace {

static_assert(window_ordinal(int64_t{1} << 60) < (1 << (62 - kWindowClockBits)),
              "Region keeps clocks of 62 bits");

void add(const LiveRecord& from, LiveRecord* to) {
  for (int i = 0; i < kTimes; ++i) to->time_ns[i] += from.time_ns[i];
  for (int i = 0; i < kClocks; ++i) to->clock[i] += from.clock[i];
  for (int i = 0; i < kMaxAccounts; ++i) to->amount[i] += from.amount[i];
  to->elapsed_ns += from.elapsed_ns;
}

// The longest that a clock of this kind is for certain without another thread.
int64_t own_time(const LiveRecord& record, int kind) {
  int64_t sum = 0;
  for (int i = 0; i < kTimes; ++i) {
    if (!counts_for_certain(kind, state_of(i), in_parallel_of(i))) continue;
    sum += record.time_ns[i];
  }
  return sum;
}

// A path that ends where the thread is goes on through what it does after that.
void go_on(const LiveRecord& after, WindowTable::Kept* to) {
  for_each_clock(
      [&](int clock, int kind) { to->least[clock] += own_time(after, kind); });
}

void add(const WindowTable::Kept& from, WindowTable::Kept* to) {
  add(static_cast<const LiveRecord&>(from), to);
  go_on(from, to);
  to->raise_least(from.least);
  to->lost |= from.lost;
}

void add(const KeptWindow& from, KeptWindow* to) { to->add(from); }

// The begin of two windows is that of the first one that there was.
template <class Begin>
void add_begin(const Begin& from, Begin* to) {
  if (to->elapsed_ns < 0) *to = from;
}
void add(const WindowBegin& from, WindowBegin* to) { add_begin(from, to); }
void add(const BaseClocks& from, BaseClocks* to) { add_begin(from, to); }

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

}  // namespace

void KeptWindow::add(const KeptWindow& other) {
  elapsed_ns += other.elapsed_ns;
  com_ns += other.com_ns;
  comp_ns += other.comp_ns;
  com_least_ns = std::max(com_least_ns + other.own_com_ns, other.com_least_ns);
  comp_least_ns =
      std::max(comp_least_ns + other.own_comp_ns, other.comp_least_ns);
  own_com_ns += other.own_com_ns;
  own_comp_ns += other.own_comp_ns;
  common_idle_ns += other.common_idle_ns;
  visits += other.visits;
  lost |= other.lost;
}

void WindowsOfProcess::coarsen(int to_level) {
  for (; level < to_level; ++level) {
    merge_neighbours(kept);
    merge_neighbours(begins);
  }
}

void WindowTable::coarsen(int to_level) {
  for (; level < to_level; ++level) {
    merge_neighbours(kept);
    merge_neighbours(begins);
  }
}

void WindowTable::Kept::raise_least(const int64_t (&clocks)[kClocks]) {
  for (int i = 0; i < kClocks; ++i) least[i] = std::max(least[i], clocks[i]);
}

void WindowTable::note_begins(const WindowsOfProcess& process,
                              const Stretch& stretch, const BaseClocks& base) {
  for (int i = 0; i < kKeptWindows; ++i) {
    const int64_t begun_ns = process.begins[i].elapsed_ns;
    if (begun_ns < 0 || begins[i].elapsed_ns >= 0) continue;
    begins[i] = base;
    begins[i].elapsed_ns = begun_ns;
    for_each_clock([&](int clock, int kind) {
      begins[i].clock[clock] +=
          stretch.counted_ns(kind, 0, begun_ns - base.elapsed_ns);
    });
  }
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
  go_on(part, &own);
  own.raise_least(part.clock);
  step[i] = -1;
}

int64_t WindowTable::take_early(int i, const int64_t (&clock)[kClocks],
                                int64_t last) {
  const int64_t ordinal = ordinal_of(clock[kGlobalAll]);
  if (step[i] >= 0 || ordinal <= begun || ordinal > last) return -1;
  Kept& own = kept[step_of_ordinal(ordinal) >> level];
  for (int c = 0; c < kClocks; ++c) {
    if (ordinal_of(clock[c]) != ordinal) continue;
    own.clock[c] += ns_of(clock[c]);
    own.least[c] = std::max(own.least[c], ns_of(clock[c]));
  }
  return ordinal;
}

}  // namespace poprt
