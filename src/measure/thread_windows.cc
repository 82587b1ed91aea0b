#include "measure/thread_windows.h"

#include <algorithm>
#include <memory>

#include "measure/counter_readings.h"

namespace poprt {
namespace {

// How much of the last `part_ns` of a stretch of `all_ns` is in the `inside_ns`
// that begin `begin_ns` after its begin.
int64_t end_part_inside(int64_t all_ns, int64_t part_ns, int64_t begin_ns,
                        int64_t inside_ns) {
  const int64_t from = std::max(begin_ns, all_ns - part_ns);
  return std::max<int64_t>(0, begin_ns + inside_ns - from);
}

}  // namespace

Stretch ThreadWindows::stretch(int64_t ns, const ComTail& tail,
                               int accounts) const {
  Stretch stretch;
  const Timeline& timeline = clocks_.timeline();
  stretch.time_index = time_index(timeline.in_parallel(), timeline.state());
  for (int kind = 0; kind < kClockKinds; ++kind) {
    const int64_t counted_ns = clocks_.counted_ns(kind, ns, tail);
    stretch.counts_from_ns[kind] =
        counted_ns > 0 || ns == 0 ? ns - counted_ns : INT64_MAX / 2;
  }
  stretch.accounts = accounts;
  return stretch;
}

// At the thread's last event, as base_clocks().
LiveRecord ThreadWindows::live_record(int slot, int accounts) const {
  LiveRecord live;
  const RegionRecord* const r = clocks_.records().find(slot);
  if (r == nullptr) return live;
  const bool open = r->is_open();
  const Elapsed known{open, r->elapsed.get()};
  const int64_t since_ns = clocks_.timeline().since();
  const ThreadRegion values = clocks_.values_of(*r, known, since_ns, {});
  std::copy_n(values.time_ns, kTimes, live.time_ns);
  std::copy_n(values.clocks.ns, kClocks, live.clock);
  live.elapsed_ns = known.at(since_ns);
  for (int i = 0; i < accounts; ++i) {
    live.amount[i] = accounts_.at(slot, i, open, {});
  }
  return live;
}

BaseClocks ThreadWindows::base_clocks() const {
  const int slot = process_.region_slot();
  BaseClocks base;
  base.elapsed_ns = 0;
  const RegionRecord* const r =
      slot < 0 ? nullptr : clocks_.records().find(slot);
  if (r == nullptr) return base;
  const Elapsed known = r->known();
  const int64_t since_ns = clocks_.timeline().since();
  base.elapsed_ns = known.at(since_ns);
  const ThreadRegion values = clocks_.values_of(*r, known, since_ns, {});
  std::copy_n(values.clocks.ns, kClocks, base.clock);
  return base;
}

bool ThreadWindows::follow(const Step& step, const ComTail& tail,
                           int accounts) {
  const Windows& windows = process_;
  WindowTable& table = table_;
  RegionRecords& known = clocks_.records();
  if (table.serial == windows.serial()) return true;
  if (waits_) return false;
  if (table.run != windows.run) {
    std::construct_at(&table);
    table.run = windows.run;
  }
  table.coarsen(windows.level);
  const Stretch stretch = this->stretch(step.ns, tail, accounts);
  const auto close = [&](int i, const int64_t(&clocks)[kClocks],
                         int64_t inside_ns) {
    // The clocks stay for processes that are still in the window.
    RegionRecord& r = known.at(windows.live[i].slot);
    for_each_clock([&](int clock, int kind) {
      r.clock[clock].set(clocks[clock] +
                         stretch.counted_ns(kind, 0, inside_ns));
    });
    for (Cell& time : r.time) time.set(0);
    r.taken_off.set(0);
    r.elapsed.set(0);
    accounts_.clear(windows.live[i].slot);
    r.open.store(false, std::memory_order_relaxed);
  };
  table.note_begins(windows, stretch, base_clocks());
  int64_t clocks[kLiveWindows][kClocks];
  for (int i = 0; i < kLiveWindows; ++i) {
    const LiveWindow& live = windows.live[i];
    if (live.slot < 0) continue;
    known.need(live.slot + 1);
    const LiveRecord record = live_record(live.slot, accounts);
    std::copy_n(record.clock, kClocks, clocks[i]);
    const int64_t step_before = table.step[i];
    if (step_before >= 0 && !live.has(step_before)) {
      table.take(i, record);
      close(i, clocks[i],
            live.step == step_before ? live.elapsed_ns - record.elapsed_ns : 0);
    }
  }
  for (int i = 0; i < kLiveWindows; ++i) {
    const LiveWindow& live = windows.live[i];
    if (live.slot < 0) continue;
    const int64_t ordinal = window_ordinal(live.step);
    const int64_t last = live.retired ? ordinal : ordinal - 1;
    if (table.take_early(i, clocks[i], last) == ordinal) {
      close(i, clocks[i], live.elapsed_ns);
    }
  }
  table.settle(windows, stretch, [&](int account, int64_t begin, int64_t ns) {
    if (account == step.timed) {
      return end_part_inside(step.ns, step.timed_ns, begin, ns);
    }
    return step.counted ? accounts_.counters()->inside(account, begin, ns) : 0;
  });
  for (int i = 0; i < kLiveWindows; ++i) {
    const LiveWindow& live = windows.live[i];
    if (live.step < 0) continue;
    table.begun = std::max(table.begun, window_ordinal(live.step));
    if (live.retired || table.step[i] == live.step) continue;
    table.step[i] = live.step;
    RegionRecord& r = known.at(live.slot);
    for (Cell& clock : r.clock) {
      clock.raise(window_clock(window_ordinal(live.step), 0));
    }
  }
  table.serial = windows.serial();
  return true;
}

void ThreadWindows::values_at(const WindowsOfProcess& windows, int64_t now_ns,
                              const ComTail& tail, int accounts, int timed,
                              int present, WindowTable* table) const {
  *table = table_;
  if (table->run != windows.run) {
    std::construct_at(table);
  }
  table->coarsen(windows.level);
  const int64_t all_ns = clocks_.timeline().passed_ns(now_ns);
  const Stretch stretch = this->stretch(all_ns, tail, accounts);
  table->note_begins(windows, stretch, base_clocks());
  for (int i = 0; i < kLiveWindows; ++i) {
    const LiveWindow& live = windows.live[i];
    if (live.slot < 0 || table->step[i] < 0) continue;
    table->take(i, live_record(live.slot, accounts));
  }
  for (int i = 0; i < kLiveWindows; ++i) {
    const LiveWindow& live = windows.live[i];
    if (live.slot < 0) continue;
    table->take_early(i, live_record(live.slot, accounts).clock,
                      window_ordinal(live.step));
  }
  table->settle(windows, stretch, [&](int account, int64_t begin, int64_t ns) {
    return account == timed || account == present
               ? end_part_inside(all_ns, all_ns, begin, ns)
               : 0;
  });
}

int64_t ThreadWindows::open_window(Elapsed* time) const {
  for (int i = 0; i < kLiveWindows; ++i) {
    const int slot = process_.live[i].slot;
    const RegionRecord* const r =
        slot < 0 ? nullptr : clocks_.records().find(slot);
    if (r == nullptr || table_.step[i] < 0 || !r->is_open()) continue;
    *time = r->known();
    return table_.step[i] >> table_.level;
  }
  return -1;
}

}  // namespace poprt
