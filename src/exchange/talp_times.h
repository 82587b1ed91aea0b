// The times of a region as TALP defines them, and the conversion from and to
// poprt's.
//
// The names are those of DLB's dlb_pop_metrics_t.  Times are ns, summed over
// all threads of all processes, except for the last three members.
#ifndef POPRT_EXCHANGE_TALP_TIMES_H_
#define POPRT_EXCHANGE_TALP_TIMES_H_

#include <cstdint>
#include <string>

#include "model/metrics.h"
#include "model/totals.h"

namespace poprt {

struct TalpTimes {
  int64_t cpus = 0;
  int64_t processes = 0;
  int64_t nodes = 0;
  int64_t measurements = 0;
  int64_t useful = 0;
  int64_t mpi = 0;
  int64_t mpi_worker_idle = 0;  // part of omp_serialization
  int64_t omp_load_imbalance = 0;
  int64_t omp_scheduling = 0;
  int64_t omp_serialization = 0;
  int64_t gpu_runtime = 0;
  int64_t elapsed = 0;  // of the process with the largest
  // Time in MPI, and idle time of workers meanwhile, per CPU: the least of a
  // process, and the least of a node.
  int64_t min_mpi_normd_proc = 0;
  int64_t min_mpi_normd_node = 0;

  int64_t omp() const {
    return omp_load_imbalance + omp_scheduling + omp_serialization;
  }
  // Elapsed time of a CPU on average; equals `elapsed` if all processes spent
  // equal time in the region.
  double average() const {
    const double all = static_cast<double>(useful) + static_cast<double>(mpi) +
                       static_cast<double>(omp()) +
                       static_cast<double>(gpu_runtime);
    return cpus > 0 ? all / static_cast<double>(cpus) : 0;
  }
};

// What TALP would have measured. poprt keeps the three parts of OpenMP time and
// the idle time as means over a process's threads; the sums are exact if all
// processes have the same number of threads.  The two minima are exact if also
// all processes spent equal time in the region, and MPI is called only outside
// parallel regions or there are no workers.
TalpTimes talp_times_of(const RegionTotals& region);

// The conversion back, exact under the same conditions.  Numbers that TALP does
// not have are 0: of single threads, of the process level, of the critical
// path.  TALP does not list nodes, so all nodes but the one with the least MPI
// are taken as alike, with the same number of processes or one more.
RegionTotals region_of(const std::string& name, const TalpTimes& times);

// The key of the n-th node, for a file without names of nodes.
std::string talp_node_name(int64_t n);
// How many of `processes` are on the n-th of `nodes` nodes.
int64_t talp_node_processes(int64_t processes, int64_t nodes, int64_t n);

// The efficiencies that DLB's program (its "hybrid v2" model) writes for these
// times.  Unlike its documentation and the model talp of docs/metrics.md, the
// program counts mpi_worker_idle as MPI, and builds OpenMP's factors from
// useful + MPI.  All are 0 if nothing was useful, as in DLB.
TalpMetrics talp_program_metrics(const TalpTimes& times);

}  // namespace poprt

#endif  // POPRT_EXCHANGE_TALP_TIMES_H_
