// What the parallel regions of a process lose, by source (docs/metrics.md,
// additive), within the limits that the process's other totals set: what the
// sources leave is imbalance.
#ifndef POPRT_MEASURE_OPENMP_LOSSES_H_
#define POPRT_MEASURE_OPENMP_LOSSES_H_

#include <cstdint>
#include <vector>

#include "model/totals.h"

namespace poprt {

// As they were booked, in ns summed over threads.
struct OpenMpLosses {
  int64_t mpi_inside_ns = 0;
  int64_t waiting_for_mpi_ns = 0;
  int64_t waiting_for_accelerator_ns = 0;
  int64_t serialised_ns = 0;
  int64_t not_started_ns = 0;
  int64_t scheduling_ns = 0;
};

// Sets the sources of a region or window, at most as much as it has room for:
// together what it loses, and of each kind the time of that kind.
// REQUIRES: `totals` has all else.
void set_losses(const OpenMpLosses& losses, RegionTotals* totals);

// In which window the runtime's own time was in an interval that a window cuts
// is not known, and parts are rounded: what windows lack so of a source of the
// region, or have too much, they get where there is room, so that they add up.
// What has no room in any of them is imbalance of the region, too.
void add_up_losses(RegionTotals* region, std::vector<RegionTotals>* windows);

}  // namespace poprt

#endif  // POPRT_MEASURE_OPENMP_LOSSES_H_
