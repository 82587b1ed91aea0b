#include "measure/process_windows.h"

#include <memory>

#include "model/totals.h"

namespace poprt {

Windows::Windows(const WindowSpec& what, Regions& regions,
                 const ThreadList& threads)
    : spec(what),
      region_key(what.visits > 0
                     ? text_hash(what.region.data(), what.region.size())
                     : kGlobalKey),
      regions_(regions),
      threads_(threads) {}

void Windows::change(int64_t now_ns) {
  const int slot = region_slot();
  if (slot < 0) return;
  const Region& r = regions_.at(slot);
  const Elapsed elapsed = r.elapsed();
  const int64_t length_ns = spec.length_ns;
  if (elapsed.word() != seen_.load(std::memory_order_relaxed)) {
    seen_.store(elapsed.word(), std::memory_order_relaxed);
    due_ns_.store(kNever, std::memory_order_relaxed);
    const int64_t at_ns = r.changed_ns();
    if (!elapsed.open) {
      pause(at_ns);
    } else if (length_ns == 0) {
      begin((r.visits() - 1) / spec.visits, r, at_ns);
    } else {
      const int64_t before_ns = elapsed.at(at_ns);
      const int64_t step = before_ns / length_ns;
      begin(step, r, at_ns);
      due_ns_.store(at_ns + window_end(step) * length_ns - before_ns,
                    std::memory_order_relaxed);
    }
  }
  // No thread has had an event since the window ended, or it would have been
  // here.  So windows end exactly then: since its last event each thread was in
  // one state.
  for (int64_t due_ns = due_ns_.load(std::memory_order_relaxed);
       now_ns >= due_ns; due_ns = due_ns_.load(std::memory_order_relaxed)) {
    const int64_t step = elapsed.at(due_ns) / length_ns;
    begin(step, r, due_ns);
    due_ns_.store(due_ns + (window_end(step) - step) * length_ns,
                  std::memory_order_relaxed);
  }
}

bool Windows::is_due(int64_t now_ns) {
  int slot = region_slot();
  if (slot < 0) {
    slot = regions_.find(region_key);
    if (slot < 0) return false;
    slot_.store(slot, std::memory_order_relaxed);
  }
  return now_ns >= due_ns_.load(std::memory_order_relaxed) ||
         regions_.at(slot).elapsed().word() !=
             seen_.load(std::memory_order_relaxed);
}

// The window that has this step is open from `at_ns` on. `base`: the region
// whose visits or time are windows.
void Windows::begin(int64_t step, const Region& base, int64_t at_ns) {
  const int64_t first = window_begin(step);
  const int64_t ordinal = window_ordinal(step);
  if (current < 0 || !live[current].has(first)) {
    pause(at_ns);
    retire();
    const int i = static_cast<int>(ordinal % kLiveWindows);
    const uint64_t key = live_window_key(i);
    int slot = regions_.find(key);
    if (slot < 0) slot = regions_.add("", key);
    current = slot < 0 ? -1 : i;
    if (slot < 0) return;
    coarsen(window_level(step));
    live[i] = LiveWindow();
    live[i].slot = slot;
    live[i].step = first;
    WindowBegin& known = begins[index_of(first)];
    if (known.elapsed_ns < 0) known = begin_at(base, at_ns);
    Region& fresh = regions_.at(slot);
    const int64_t zero = window_clock(ordinal, 0);
    fresh.raise_com(zero, 0);
    fresh.raise_comp(zero, 0);
    serial_.fetch_add(1, std::memory_order_release);
  }
  LiveWindow& present = live[current];
  ++present.visits;
  Region& r = regions_.at(present.slot);
  if (r.elapsed().open) return;
  const OutsideMpi outside = threads_.outside_mpi_at(at_ns);
  regions_.set_window_open(r, true, at_ns, outside);
  present.own_com_ns -= outside.com_ns;
  present.own_comp_ns -= outside.comp_ns;
}

WindowBegin Windows::begin_at(const Region& base, int64_t at_ns) const {
  if (regions_.com().start() != nullptr)
    return {base.elapsed().at(at_ns), 0, 0};
  const OutsideMpi outside = threads_.outside_mpi_at(at_ns);
  return {base.elapsed().at(at_ns), ComKeeper::com_ns(base, outside),
          regions_.com().comp_ns(base, outside)};
}

// The present window is closed from `at_ns` on, and may be open again.
void Windows::pause(int64_t at_ns) {
  if (current < 0) return;
  LiveWindow& present = live[current];
  Region& r = regions_.at(present.slot);
  if (!r.elapsed().open) return;
  const OutsideMpi outside = threads_.outside_mpi_at(at_ns);
  regions_.set_window_open(r, false, at_ns, outside);
  present.own_com_ns += outside.com_ns;
  present.own_comp_ns += outside.comp_ns;
}

KeptWindow Windows::until(int64_t now_ns) const {
  const LiveWindow& present = live[current];
  const Region& r = regions_.at(present.slot);
  const OutsideMpi outside = threads_.outside_mpi_at(now_ns);
  const CommonIdle common = regions_.common_idle(r);
  KeptWindow window;
  window.elapsed_ns = r.elapsed().at(now_ns);
  window.common_idle_ns = common.idle_ns;
  window.visits = present.visits;
  const auto known = [&](int64_t clock) {
    if (ordinal_of(clock) == window_ordinal(present.step)) return ns_of(clock);
    window.lost = true;
    return int64_t{0};
  };
  if (regions_.com().start() != nullptr) return window;
  window.com_ns = known(ComKeeper::com_ns(r, outside));
  window.comp_ns = known(regions_.com().comp_ns(r, outside));
  window.com_least_ns = window.com_ns;
  window.comp_least_ns = window.comp_ns;
  const bool open = r.elapsed().open;
  window.own_com_ns = present.own_com_ns + (open ? outside.com_ns : 0);
  window.own_comp_ns = present.own_comp_ns + (open ? outside.comp_ns : 0);
  return window;
}

// REQUIRES: the present window is closed.
void Windows::retire() {
  if (current < 0) return;
  LiveWindow& present = live[current];
  Region& r = regions_.at(present.slot);
  const KeptWindow window = until(r.changed_ns());
  kept[index_of(present.step)].add(window);
  present.retired = true;
  present.elapsed_ns = window.elapsed_ns;
  current = -1;
  r.clear();
}

void Windows::restart() {
  const uint32_t next = run + 1;
  std::construct_at(static_cast<WindowsOfProcess*>(this));
  run = next;
  slot_.store(-1, std::memory_order_relaxed);
  seen_.store(0, std::memory_order_relaxed);
  due_ns_.store(kNever, std::memory_order_relaxed);
  serial_.fetch_add(1, std::memory_order_release);
  regions_.windows_changed();
}

}  // namespace poprt
