// Quantities in the totals of a process.
#include <algorithm>

#include "base/bounded.h"
#include "measure/process_totals.h"

namespace poprt {

std::vector<Amount> ProcessTotals::amounts(const View& view) const {
  std::vector<Amount> amounts;
  for (const Quantity* quantity : kQuantities) {
    set_amount(quantity->name, 0, &amounts);
  }
  const bool counts = std::ranges::any_of(
      view.members,
      [](const View::Member& member) { return member.thread->has_counters(); });
  for (int i = 0; i < process_.account_count(); ++i) {
    const Quantity* const quantity = process_.quantities().at(i);
    if (quantity->internal) continue;
    if (!counts && !counter_in(quantity->name).empty()) continue;
    int64_t all = 0;
    for (const View::Member& member : view.members) {
      const int64_t own = member.amount[i];
      all = is_maximum(quantity->name) ? std::max(all, own) : all + own;
    }
    set_amount(quantity->name, all, &amounts);
  }
  return amounts;
}

void ProcessTotals::add_maxima(const View& view, RegionTotals* totals) const {
  if (view.visits == 0) return;
  int64_t waiting = 0;
  for (const View::Member& member : view.members) {
    waiting = std::max(waiting, amount_of(member, kMpiWaiting));
  }
  const int64_t occupied = std::max<int64_t>(0, view.elapsed_ns - waiting);
  const int64_t mean = totals->useful_sum_ns / totals->threads;
  const auto set = [&](const ProcessMaximum& which, int64_t ns) {
    // Threads may work while the one that calls MPI waits.
    set_amount(which.name, bounded<int64_t>(ns, 0, occupied), &totals->amounts);
  };
  set(kOccupied, occupied);
  set(kBesidesWork, occupied - totals->useful_max_ns);
  set(kBalanced, std::max(mean, occupied - totals->useful_max_ns + mean));
  set(kUnchained, std::max(mean, occupied - totals->pl_cue_ns + mean));
}

void ProcessTotals::AcceleratorParts::add(Booked outside, Booked inside,
                                          int64_t factor) {
  const auto take = [this](const Booked& booked, int64_t cost) {
    const auto waited = bounded<int64_t>(booked.waiting_ns, 0, booked.all_ns);
    const auto copied =
        bounded<int64_t>(booked.copying_ns, 0, booked.all_ns - waited);
    const auto count = [cost](int64_t ns, Part* part) {
      part->ns += ns;
      part->lost_ns += cost * ns;
    };
    count(waited, &waiting);
    count(copied, &copying);
    count(booked.all_ns - waited - copied, &launching);
  };
  take(outside, factor);
  take(inside, 1);
  inside_ns += inside.all_ns;
}

void ProcessTotals::AcceleratorParts::set_in(RegionTotals* totals) const {
  const auto set = [&](const Quantity& quantity, int64_t ns) {
    set_amount(quantity.name, ns, &totals->amounts);
  };
  set(kAcceleratorWaiting, waiting.ns);
  set(kAcceleratorCopying, copying.ns);
  set(kAcceleratorLaunching, launching.ns);
  set(kAcceleratorInside, inside_ns);
  set(kLostWaiting, waiting.lost_ns);
  set(kLostCopying, copying.lost_ns);
  set(kLostLaunching, launching.lost_ns);
}

// Outside parallel regions only the primary thread is one of the additive
// model's, and all threads of the process are lost while it is not at work.
ProcessTotals::AcceleratorParts ProcessTotals::accelerator_parts(
    const View& view) const {
  AcceleratorParts parts;
  for (const View::Member& member : view.members) {
    const bool is_line = member.thread == process_.primary();
    const auto* const times = member.region.time_ns;
    parts.add({times[time_index(false, State::kAccelerator)],
               amount_of(member, kAcceleratorWaiting),
               amount_of(member, kAcceleratorCopying)},
              {times[time_index(true, State::kAccelerator)],
               amount_of(member, kAcceleratorWaitingInside),
               amount_of(member, kAcceleratorCopyingInside)},
              is_line ? static_cast<int64_t>(view.members.size()) : 0);
  }
  return parts;
}

int64_t ProcessTotals::amount_of(const View::Member& member,
                                 const Quantity& quantity) const {
  const int account = account_if_any(quantity);
  return account == kNoAccount ? 0 : member.amount[account];
}

int ProcessTotals::account_if_any(const Quantity& quantity) const {
  static_assert(kNoAccount == -1);
  return process_.quantities().find(quantity);
}

}  // namespace poprt
