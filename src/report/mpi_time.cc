#include "report/mpi_time.h"

#include <algorithm>

#include "document/format.h"
#include "model/quantities.h"
#include "model/state_parts.h"

namespace poprt {

bool has_mpi_parts(const JobReport& report) {
  const RegionReport* const global = global_region(report);
  return global != nullptr && !is_imported(report) &&
         tells_mpi_parts(global->totals) &&
         global->metrics.mpi_time.mpi_share >= kLeastShown;
}

bool has_waiting_path(const JobReport& report) {
  const RegionReport* const global = global_region(report);
  return global != nullptr && keeps_coow(global->totals);
}

bool has_unknown_partners(const JobReport& report) {
  constexpr double kLeastUnknown = 0.01;
  return std::ranges::any_of(report.regions, [](const RegionReport& each) {
    return static_cast<double>(amount(each.totals, kMpiUnknown)) >
           kLeastUnknown * static_cast<double>(each.totals.mpi_sum_ns);
  });
}

}  // namespace poprt
