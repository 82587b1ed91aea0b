#include "session/region_metrics.h"

#include <utility>

#include "base/float_environment.h"
#include "model/job.h"

namespace poprt {

bool region_metrics(JobTotals totals, pop_region_metrics_t* metrics) {
  const DefaultFloatEnvironment environment;
  const JobReport report = make_report({}, std::move(totals));
  if (report.regions.size() != 1) return false;
  const RegionReport& region = report.regions.front();
  const RegionTotals& sums = region.totals;
  const PathMetrics& m = region.metrics.critical_path;
  metrics->processes = sums.processes;
  metrics->threads = sums.threads;
  metrics->visits = sums.visits;
  metrics->run_time_ns = sums.all_ns;
  metrics->elapsed_ns = sums.elapsed_max_ns;
  metrics->useful_ns = sums.useful_sum_ns;
  metrics->mpi_ns = sums.mpi_sum_ns;
  metrics->openmp_ns = sums.omp_sum_ns;
  metrics->parallel_efficiency = m.parallel_efficiency;
  metrics->load_balance = m.load_balance;
  metrics->communication_efficiency = m.communication_efficiency;
  metrics->serialisation_efficiency = m.serialisation_efficiency;
  metrics->transfer_efficiency = m.transfer_efficiency;
  metrics->mpi_parallel_efficiency = m.mpi_parallel_efficiency;
  metrics->mpi_load_balance = m.mpi_load_balance;
  metrics->mpi_communication_efficiency = m.mpi_communication_efficiency;
  metrics->mpi_serialisation_efficiency = m.mpi_serialisation_efficiency;
  metrics->mpi_transfer_efficiency = m.mpi_transfer_efficiency;
  metrics->openmp_parallel_efficiency = m.openmp_parallel_efficiency;
  metrics->openmp_load_balance = m.openmp_load_balance;
  metrics->openmp_communication_efficiency = m.openmp_communication_efficiency;
  metrics->openmp_serialisation_efficiency = m.openmp_serialisation_efficiency;
  metrics->openmp_transfer_efficiency = m.openmp_transfer_efficiency;
  return true;
}

}  // namespace poprt
