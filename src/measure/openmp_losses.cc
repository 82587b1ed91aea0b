#include "measure/openmp_losses.h"

#include <algorithm>

#include "base/bounded.h"
#include "model/quantities.h"

namespace poprt {
namespace {

// In the order in which they are given room.
constexpr const Quantity* kSources[] = {
    &kMpiInside,        &kOpenMpMpiInside,  &kOpenMpAcceleratorInside,
    &kOpenMpSerialised, &kOpenMpNotStarted, &kOpenMpScheduling};

// What is lost where threads work in the teams of others than the primary
// thread is not known, so that work takes nothing of it; but a trace of it.
int64_t lost_ns(const RegionTotals& totals) {
  int64_t useful_ns = totals.useful_sum_ns - totals.serial_sum_ns;
  if (works_off_the_line(totals)) {
    useful_ns -= std::min(useful_ns, amount(totals, kOpenMpOtherTeams));
  }
  return totals.openmp_weighted_ns - useful_ns -
         amount(totals, kAcceleratorInside);
}

// For how much more of a source there is room.
int64_t room_for(const Quantity& source, const RegionTotals& totals) {
  int64_t left_ns = lost_ns(totals);
  int64_t left_of_kind_ns = totals.*sum_of(*source.part_of);
  for (const Quantity* const each : kSources) {
    left_ns -= amount(totals, *each);
    if (each->part_of == source.part_of)
      left_of_kind_ns -= amount(totals, *each);
  }
  return std::max<int64_t>(0, std::min(left_ns, left_of_kind_ns));
}

void add(const Quantity& source, int64_t ns, RegionTotals* totals) {
  set_amount(source.name, amount(*totals, source) + ns, &totals->amounts);
}

// Work in other threads' teams is known when it ends: what a window has no room
// for is that of the ones before.
void move_back_other_teams(std::vector<RegionTotals>* windows) {
  int64_t left_ns = 0;
  for (auto each = windows->rbegin(); each != windows->rend(); ++each) {
    RegionTotals& window = *each;
    left_ns += amount(window, kOpenMpOtherTeams);
    const int64_t ns = bounded<int64_t>(
        left_ns, 0,
        std::max<int64_t>(0, window.useful_sum_ns - window.serial_sum_ns));
    set_amount(kOpenMpOtherTeams.name, ns, &window.amounts);
    left_ns -= ns;
  }
}

}  // namespace

void set_losses(const OpenMpLosses& losses, RegionTotals* totals) {
  for (const Quantity* const source : kSources) {
    set_amount(source->name, 0, &totals->amounts);
  }
  const auto set = [&](const Quantity& source, int64_t ns) {
    add(source, bounded<int64_t>(ns, 0, room_for(source, *totals)), totals);
  };
  set(kMpiInside, losses.mpi_inside_ns);
  set(kOpenMpMpiInside, losses.waiting_for_mpi_ns);
  set(kOpenMpAcceleratorInside, losses.waiting_for_accelerator_ns);
  set(kOpenMpSerialised, losses.serialised_ns);
  set(kOpenMpNotStarted, losses.not_started_ns);
  set(kOpenMpScheduling, losses.scheduling_ns);
}

void add_up_losses(RegionTotals* region, std::vector<RegionTotals>* windows) {
  move_back_other_teams(windows);
  const auto missing_ns = [&](const Quantity& source) {
    int64_t ns = amount(*region, source);
    for (const RegionTotals& window : *windows) ns -= amount(window, source);
    return ns;
  };
  // What is too much makes room for what is missing.
  for (const Quantity* const source : kSources) {
    int64_t left_ns = std::min<int64_t>(0, missing_ns(*source));
    for (RegionTotals& window : *windows) {
      const int64_t ns = std::max(left_ns, -amount(window, *source));
      add(*source, ns, &window);
      left_ns -= ns;
    }
  }
  for (const Quantity* const source : kSources) {
    int64_t left_ns = missing_ns(*source);
    for (RegionTotals& window : *windows) {
      const int64_t ns = std::min(left_ns, room_for(*source, window));
      add(*source, ns, &window);
      left_ns -= ns;
    }
    add(*source, -left_ns, region);
  }
}

}  // namespace poprt
