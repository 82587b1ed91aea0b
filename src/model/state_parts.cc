#include "model/state_parts.h"

#include <algorithm>
#include <initializer_list>

#include "model/quantities.h"

namespace poprt {
namespace {

double ns_of(const RegionTotals& region, const Quantity& quantity) {
  return static_cast<double>(amount(region, quantity));
}

double mpi_ns(const RegionTotals& region) {
  return static_cast<double>(region.mpi_sum_ns);
}

bool tells_sources(const RegionTotals& region) {
  return std::ranges::all_of(
      std::initializer_list<Quantity>{kOpenMpSerialised, kOpenMpScheduling,
                                      kOpenMpNotStarted},
      [&](const Quantity& each) {
        return has_amount(region.amounts, each.name);
      });
}

double source_ns(const RegionTotals& region, const Quantity& source) {
  return tells_sources(region) ? ns_of(region, source) : 0;
}

bool tells_accelerator_parts(const RegionTotals& region) {
  return amount(region, kAcceleratorWaiting) +
             amount(region, kAcceleratorCopying) +
             amount(region, kAcceleratorLaunching) ==
         region.accelerator_sum_ns;
}

double accelerator_part(const RegionTotals& region, const Quantity& part) {
  return tells_accelerator_parts(region) ? ns_of(region, part) : kUndefined;
}

// In parallel regions.
double openmp_inside(const RegionTotals& region) {
  const auto useful_inside =
      static_cast<double>(region.useful_sum_ns - region.serial_sum_ns);
  return std::clamp(static_cast<double>(region.openmp_weighted_ns) -
                        useful_inside - ns_of(region, kMpiInside) -
                        ns_of(region, kAcceleratorInside),
                    0.0, static_cast<double>(region.omp_sum_ns));
}

// What TALP tells of each process are means over its threads: exact if all
// processes have the same number of threads.
double by_talp(const RegionTotals& region, int64_t RegionTotals::*part) {
  const double all = static_cast<double>(region.talp_omp_serial_ns) +
                     static_cast<double>(region.talp_omp_load_balance_ns) +
                     static_cast<double>(region.talp_omp_scheduling_ns);
  if (all <= 0) return 0;
  return static_cast<double>(region.omp_sum_ns) *
         static_cast<double>(region.*part) / all;
}

}  // namespace

double accelerator_lost_ns(const RegionTotals& region) {
  return ns_of(region, kLostWaiting) + ns_of(region, kLostCopying) +
         ns_of(region, kLostLaunching);
}

bool tells_mpi_parts(const RegionTotals& region) {
  return amount(region, kMpiWaiting) + amount(region, kMpiTransfer) +
             amount(region, kMpiUnknown) ==
         region.mpi_sum_ns;
}

namespace state_parts {

double mpi_waiting(const RegionTotals& region) {
  return tells_mpi_parts(region) ? ns_of(region, kMpiWaiting) : kUndefined;
}

double mpi_transfer(const RegionTotals& region) {
  return mpi_ns(region) - mpi_waiting(region);
}

double mpi_unknown(const RegionTotals& region) {
  constexpr double kWorthALine = 0.01;
  const double ns = ns_of(region, kMpiUnknown);
  return tells_mpi_parts(region) && ns > kWorthALine * mpi_ns(region)
             ? ns
             : kUndefined;
}

double mpi_whole(const RegionTotals& region) {
  return tells_mpi_parts(region) ? kUndefined : mpi_ns(region);
}

double mpi_io(const RegionTotals& region) { return ns_of(region, kMpiIo); }

double accelerator_waiting(const RegionTotals& region) {
  return accelerator_part(region, kAcceleratorWaiting);
}

double accelerator_copying(const RegionTotals& region) {
  return accelerator_part(region, kAcceleratorCopying);
}

double accelerator_launching(const RegionTotals& region) {
  return accelerator_part(region, kAcceleratorLaunching);
}

double accelerator_whole(const RegionTotals& region) {
  return tells_accelerator_parts(region)
             ? kUndefined
             : static_cast<double>(region.accelerator_sum_ns);
}

double openmp_serial(const RegionTotals& region) {
  return tells_sources(region)
             ? static_cast<double>(region.omp_sum_ns) - openmp_inside(region)
             : by_talp(region, &RegionTotals::talp_omp_serial_ns);
}

double openmp_idle_in_mpi(const RegionTotals& region) {
  // Known as a mean over a process's threads, see by_talp().
  const double idle = static_cast<double>(region.talp_mpi_worker_idle_ns) *
                      ratio(static_cast<double>(region.threads),
                            static_cast<double>(region.processes));
  return std::min(idle, openmp_serial(region));
}

double openmp_idle_in_accelerator(const RegionTotals& region) {
  return std::clamp(accelerator_lost_ns(region) -
                        static_cast<double>(region.accelerator_sum_ns),
                    0.0, openmp_serial(region) - openmp_idle_in_mpi(region));
}

double openmp_imbalance(const RegionTotals& region) {
  return tells_sources(region)
             ? openmp_inside(region) - ns_of(region, kOpenMpSerialised) -
                   ns_of(region, kOpenMpMpiInside) -
                   ns_of(region, kOpenMpAcceleratorInside) -
                   ns_of(region, kOpenMpScheduling) -
                   ns_of(region, kOpenMpNotStarted)
             : by_talp(region, &RegionTotals::talp_omp_load_balance_ns);
}

double openmp_serialised(const RegionTotals& region) {
  return source_ns(region, kOpenMpSerialised);
}

double openmp_for_mpi(const RegionTotals& region) {
  return source_ns(region, kOpenMpMpiInside);
}

double openmp_for_accelerator(const RegionTotals& region) {
  return source_ns(region, kOpenMpAcceleratorInside);
}

double openmp_scheduling(const RegionTotals& region) {
  return tells_sources(region)
             ? ns_of(region, kOpenMpScheduling)
             : by_talp(region, &RegionTotals::talp_omp_scheduling_ns);
}

double openmp_not_started(const RegionTotals& region) {
  return source_ns(region, kOpenMpNotStarted);
}

double outside_of_thread(const ThreadRow& row) {
  if (row.openmp_imbalance_ns == ThreadRow::kNotKnown) return kUndefined;
  return static_cast<double>(
      row.omp_ns - row.openmp_imbalance_ns - row.openmp_serialised_ns -
      row.openmp_mpi_inside_ns - row.openmp_scheduling_ns -
      row.openmp_not_started_ns -
      std::max<int64_t>(0, row.openmp_accelerator_inside_ns));
}

}  // namespace state_parts
}  // namespace poprt
