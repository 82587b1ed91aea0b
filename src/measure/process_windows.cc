// The windows of a process: when they begin and end, and their totals.
#include <algorithm>
#include <memory>

#include "measure/epochs.h"
#include "measure/process.h"
#include "measure/windows.h"

namespace poprt {

void Process::change_window(int64_t now_ns) {
  if (!window_is_due(now_ns)) return;
  const MutexLock lock(mutex_);
  const int slot = windows_->region_slot.load(std::memory_order_relaxed);
  if (!lock.held() || slot < 0) return;
  Windows& w = *windows_;
  const Region& r = region(slot);
  const Elapsed elapsed = r.elapsed();
  const int64_t length_ns = w.spec.length_ns;
  if (elapsed.word() != w.seen.load(std::memory_order_relaxed)) {
    w.seen.store(elapsed.word(), std::memory_order_relaxed);
    w.due_ns.store(Windows::kNever, std::memory_order_relaxed);
    const int64_t at_ns = r.changed_ns();
    if (!elapsed.open) {
      pause_window(at_ns);
    } else if (length_ns == 0) {
      begin_window((r.visits_ - 1) / w.spec.visits, r, at_ns);
    } else {
      const int64_t before_ns = elapsed.at(at_ns);
      const int64_t step = before_ns / length_ns;
      begin_window(step, r, at_ns);
      w.due_ns.store(at_ns + window_end(step) * length_ns - before_ns,
                     std::memory_order_relaxed);
    }
  }
  // No thread has had an event since the window ended, or it would have been
  // here.  So windows end exactly then: since its last event each thread was in
  // one state.
  for (int64_t due_ns = w.due_ns.load(std::memory_order_relaxed);
       now_ns >= due_ns; due_ns = w.due_ns.load(std::memory_order_relaxed)) {
    const int64_t step = elapsed.at(due_ns) / length_ns;
    begin_window(step, r, due_ns);
    w.due_ns.store(due_ns + (window_end(step) - step) * length_ns,
                   std::memory_order_relaxed);
  }
}

// Whether there may be a change; without the lock.
bool Process::window_is_due(int64_t now_ns) {
  if (windows_ == nullptr) return false;
  Windows& w = *windows_;
  int slot = w.region_slot.load(std::memory_order_relaxed);
  if (slot < 0) {
    slot = find_slot(w.region_key);
    if (slot < 0) return false;
    w.region_slot.store(slot, std::memory_order_relaxed);
  }
  return now_ns >= w.due_ns.load(std::memory_order_relaxed) ||
         region(slot).elapsed().word() !=
             w.seen.load(std::memory_order_relaxed);
}

// The window that has this step is open from `at_ns` on. `base`: the region
// whose visits or time are windows. REQUIRES: mutex_ is held.
void Process::begin_window(int64_t step, const Region& base, int64_t at_ns) {
  Windows& w = *windows_;
  const int64_t begin = window_begin(step);
  const int64_t ordinal = window_ordinal(step);
  if (w.current < 0 || !w.live[w.current].has(begin)) {
    pause_window(at_ns);
    retire_window();
    const int i = static_cast<int>(ordinal % kLiveWindows);
    const uint64_t key = live_window_key(i);
    int slot = find_slot(key);
    if (slot < 0) slot = add_region("", key);
    w.current = slot < 0 ? -1 : i;
    if (slot < 0) return;
    w.coarsen(window_level(step));
    w.live[i] = LiveWindow();
    w.live[i].slot = slot;
    w.live[i].step = begin;
    WindowBegin& known = w.begins[w.index_of(begin)];
    if (known.elapsed_ns < 0) known = window_begin_at(base, at_ns);
    Region& fresh = regions_.at(slot);
    const int64_t zero = window_clock(ordinal, 0);
    fresh.com_.raise(zero, 0);
    fresh.comp_.raise(zero, 0);
    w.serial.fetch_add(1, std::memory_order_release);
  }
  LiveWindow& live = w.live[w.current];
  ++live.visits;
  Region& r = regions_.at(live.slot);
  if (r.elapsed().open) return;
  set_window_open(r, true, at_ns);
  const OutsideMpi outside = outside_mpi_at(at_ns);
  live.own_com_ns -= outside.com_ns;
  live.own_comp_ns -= outside.comp_ns;
}

WindowBegin Process::window_begin_at(const Region& base, int64_t at_ns) const {
  if (com_start() != nullptr) return {base.elapsed().at(at_ns), 0, 0};
  const OutsideMpi outside = outside_mpi_at(at_ns);
  return {base.elapsed().at(at_ns), base.com().at(outside.com_ns),
          (has_comp() ? base.comp() : base.com()).at(outside.comp_ns)};
}

// The present window is closed from `at_ns` on, and may be open again.
// REQUIRES: mutex_ is held.
void Process::pause_window(int64_t at_ns) {
  if (windows_->current < 0) return;
  LiveWindow& live = windows_->live[windows_->current];
  Region& r = regions_.at(live.slot);
  if (!r.elapsed().open) return;
  set_window_open(r, false, at_ns);
  const OutsideMpi outside = outside_mpi_at(at_ns);
  live.own_com_ns += outside.com_ns;
  live.own_comp_ns += outside.comp_ns;
}

CommonIdle Process::common_idle(const Region& r) const {
  CommonIdle common = r.common_idle_;
  if (r.elapsed().open) common.idle_ns += common_idle_ns_.get();
  return common;
}

// What the present window was until `now_ns`.
KeptWindow Process::window_until(int64_t now_ns) const {
  const LiveWindow& live = windows_->live[windows_->current];
  const Region& r = region(live.slot);
  const OutsideMpi outside = outside_mpi_at(now_ns);
  const CommonIdle common = common_idle(r);
  KeptWindow window;
  window.elapsed_ns = r.elapsed().at(now_ns);
  window.common_idle_ns = common.idle_ns;
  window.visits = live.visits;
  const auto known = [&](int64_t clock) {
    if (ordinal_of(clock) == window_ordinal(live.step)) return ns_of(clock);
    window.lost = true;
    return int64_t{0};
  };
  if (com_start() != nullptr) return window;
  window.com_ns = known(r.com().at(outside.com_ns));
  window.comp_ns = known((has_comp() ? r.comp() : r.com()).at(outside.comp_ns));
  window.com_least_ns = window.com_ns;
  window.comp_least_ns = window.comp_ns;
  const bool open = r.elapsed().open;
  window.own_com_ns = live.own_com_ns + (open ? outside.com_ns : 0);
  window.own_comp_ns = live.own_comp_ns + (open ? outside.comp_ns : 0);
  return window;
}

// REQUIRES: mutex_ is held; the present window is closed.
void Process::retire_window() {
  Windows& w = *windows_;
  if (w.current < 0) return;
  LiveWindow& live = w.live[w.current];
  Region& r = regions_.at(live.slot);
  const KeptWindow window = window_until(r.changed_ns());
  w.kept[w.index_of(live.step)].add(window);
  live.retired = true;
  live.elapsed_ns = window.elapsed_ns;
  w.current = -1;
  r.elapsed_.store(0, std::memory_order_release);
  r.common_idle_ = CommonIdle();
}

// Measurement begins anew.  REQUIRES: mutex_ is held; no region has the key of
// a window.
void Process::restart_windows() {
  Windows& w = *windows_;
  const uint32_t run = w.run + 1;
  std::construct_at(static_cast<WindowsOfProcess*>(&w));
  w.run = run;
  w.region_slot.store(-1, std::memory_order_relaxed);
  w.seen.store(0, std::memory_order_relaxed);
  w.due_ns.store(Windows::kNever, std::memory_order_relaxed);
  w.serial.fetch_add(1, std::memory_order_release);
  epoch_.fetch_add(kWindowChanges, std::memory_order_release);
}

}  // namespace poprt
