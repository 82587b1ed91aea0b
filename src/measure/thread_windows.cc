// What a thread has of the windows of its process.
#include <algorithm>
#include <memory>

#include "measure/counter_readings.h"
#include "measure/process.h"
#include "measure/process_windows.h"
#include "measure/thread.h"

namespace poprt {
namespace {

// Where the last `part_ns` of a stretch of `all_ns` are in a part of it.
int64_t end_part_inside(int64_t all_ns, int64_t part_ns, int64_t begin_ns,
                        int64_t inside_ns) {
  const int64_t from = std::max(begin_ns, all_ns - part_ns);
  return std::max<int64_t>(0, begin_ns + inside_ns - from);
}

}  // namespace

void Thread::keep_windows() {
  FurtherMeasures& further = accounts().obtain_further();
  further.windows = std::make_unique<WindowTable>();
  // A window in time may end at each event.
  further.at_each_event = process_.windows()->spec.length_ns > 0;
  choose_quiet_epoch();
}

Stretch Thread::stretch(int64_t now_ns, const ComTail& tail) const {
  const State state = this->state();
  Stretch stretch;
  stretch.time_index = time_index(timeline_.in_parallel(), state);
  for (int kind = 0; kind < kClockKinds; ++kind) {
    const int64_t ns = since_event(now_ns);
    const int64_t counted_ns = this->counted_ns(kind, ns, tail);
    stretch.counts_from_ns[kind] =
        counted_ns > 0 || ns == 0 ? ns - counted_ns : INT64_MAX / 2;
  }
  stretch.accounts = process_.account_count();
  return stretch;
}

LiveRecord Thread::live_record(int slot) const {
  LiveRecord live;
  const RegionRecord* const r = records_.find(slot);
  if (r == nullptr) return live;
  const bool open = r->is_open();
  const Elapsed known{open, r->elapsed.get()};
  const ThreadRegion values = values_of(*r, known, timeline_.since(), {});
  std::copy_n(values.time_ns, kTimes, live.time_ns);
  std::copy_n(values.clocks.ns, kClocks, live.clock);
  live.elapsed_ns = known.at(timeline_.since());
  const Accounts* const accounts = accounts_.load(std::memory_order_acquire);
  for (int i = 0; i < process_.account_count(); ++i) {
    live.amount[i] = accounts->at(slot, i, open, {});
  }
  return live;
}

// As of the thread's last event.
BaseClocks Thread::base_clocks() const {
  const int slot = process_.windows()->region_slot();
  BaseClocks base;
  base.elapsed_ns = 0;
  const RegionRecord* const r = slot < 0 ? nullptr : records_.find(slot);
  if (r == nullptr) return base;
  const Elapsed known = r->known();
  base.elapsed_ns = known.at(timeline_.since());
  const ThreadRegion values = values_of(*r, known, timeline_.since(), {});
  std::copy_n(values.clocks.ns, kClocks, base.clock);
  return base;
}

// At the begin of an event that ends `step`: puts the windows that are over
// among those that are kept, and makes the records those of the present ones.
// False if that has to wait, because the thread is just changing windows.
// REQUIRES: the process's mutex is held.
bool Thread::follow_windows(const Step& step, const ComTail& tail) {
  const Windows& windows = *process_.windows();
  Accounts& accounts = this->accounts();
  WindowTable& table = *accounts.further()->windows;
  if (table.serial == windows.serial()) {
    return true;
  }
  if (table.waits) return false;
  if (table.run != windows.run) {
    std::construct_at(&table);
    table.run = windows.run;
  }
  table.coarsen(windows.level);
  const Stretch stretch = this->stretch(timeline_.since() + step.ns, tail);
  const auto close = [&](int i, const LiveRecord& record, int64_t inside_ns) {
    // What it was until the end of the window, for others that are still in it.
    RegionRecord& r = records_.at(windows.live[i].slot);
    for_each_clock([&](int clock, int kind) {
      r.clock[clock].set(record.clock[clock] +
                         stretch.counted_ns(kind, 0, inside_ns));
    });
    for (Cell& time : r.time) time.set(0);
    r.elapsed.set(0);
    accounts.clear(windows.live[i].slot);
    r.open.store(false, std::memory_order_relaxed);
  };
  table.note_begins(windows, stretch, base_clocks());
  LiveRecord records[kLiveWindows];
  for (int i = 0; i < kLiveWindows; ++i) {
    const LiveWindow& live = windows.live[i];
    if (live.slot < 0) continue;
    records_.need(live.slot + 1);
    records[i] = live_record(live.slot);
    const int64_t step_before = table.step[i];
    if (step_before >= 0 && !live.has(step_before)) {
      table.take(i, records[i]);
      close(i, records[i],
            live.step == step_before ? live.elapsed_ns - records[i].elapsed_ns
                                     : 0);
    }
  }
  // Behind what the thread did itself: see WindowTable::take_early().
  for (int i = 0; i < kLiveWindows; ++i) {
    const LiveWindow& live = windows.live[i];
    if (live.slot < 0) continue;
    const int64_t ordinal = window_ordinal(live.step);
    const int64_t last = live.retired ? ordinal : ordinal - 1;
    if (table.take_early(i, records[i].clock, last) == ordinal) {
      close(i, records[i], live.elapsed_ns);
    }
  }
  table.settle(windows, stretch, [&](int account, int64_t begin, int64_t ns) {
    if (account == step.timed) {
      return end_part_inside(step.ns, step.timed_ns, begin, ns);
    }
    return step.counted ? accounts.counters()->inside(account, begin, ns) : 0;
  });
  for (int i = 0; i < kLiveWindows; ++i) {
    const LiveWindow& live = windows.live[i];
    if (live.step < 0) continue;
    table.begun = std::max(table.begun, window_ordinal(live.step));
    if (live.retired || table.step[i] == live.step) continue;
    table.step[i] = live.step;
    RegionRecord& r = records_.at(live.slot);
    for (Cell& clock : r.clock) {
      clock.raise(window_clock(window_ordinal(live.step), 0));
    }
  }
  table.serial = windows.serial();
  return true;
}

void Thread::book_in_change(int64_t now_ns) {
  if (!timeline_.begin_event()) return;
  WindowTable* const windows = window_table();
  if (windows != nullptr) windows->waits = true;
  book_inside<1>(now_ns);
  if (windows != nullptr) windows->waits = false;
  timeline_.end_event();
}

WindowTable* Thread::window_table() const {
  const Accounts* const known = accounts_.load(std::memory_order_acquire);
  return known == nullptr || known->further() == nullptr
             ? nullptr
             : known->further()->windows.get();
}

void Thread::windows_at(const WindowsOfProcess& windows, int64_t now_ns,
                        WindowTable* table, int present) const {
  *table = *window_table();
  if (table->run != windows.run) {
    std::construct_at(table);
  }
  table->coarsen(windows.level);
  const Stretch stretch = this->stretch(now_ns, tail_now(now_ns));
  table->note_begins(windows, stretch, base_clocks());
  for (int i = 0; i < kLiveWindows; ++i) {
    const LiveWindow& live = windows.live[i];
    if (live.slot < 0 || table->step[i] < 0) continue;
    table->take(i, live_record(live.slot));
  }
  for (int i = 0; i < kLiveWindows; ++i) {
    const LiveWindow& live = windows.live[i];
    if (live.slot < 0) continue;
    table->take_early(i, live_record(live.slot).clock,
                      window_ordinal(live.step));
  }
  const int timed = timed_account();
  const int64_t all_ns = since_event(now_ns);
  table->settle(windows, stretch, [&](int account, int64_t begin, int64_t ns) {
    return account == timed || account == present
               ? end_part_inside(all_ns, all_ns, begin, ns)
               : 0;
  });
}

}  // namespace poprt
