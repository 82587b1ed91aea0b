// A region in TALP's own quantities, and the way between these and poprt's.
//
// The names are those of DLB's dlb_pop_metrics_t.  Times are ns and sums over
// all threads of all processes, but for the last three members.
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
  int64_t elapsed = 0;  // of the process with most
  // MPI and the workers' idle time meanwhile, per CPU: least of one process,
  // least of one node.
  int64_t min_mpi_normd_proc = 0;
  int64_t min_mpi_normd_node = 0;

  int64_t omp() const {
    return omp_load_imbalance + omp_scheduling + omp_serialization;
  }
  // Of a CPU, on average; `elapsed` where all processes spent equal time.
  double average() const {
    const double all = static_cast<double>(useful) + static_cast<double>(mpi) +
                       static_cast<double>(omp());
    return cpus > 0 ? all / static_cast<double>(cpus) : 0;
  }
};

// What TALP would have measured.  poprt keeps OpenMP's three parts and the idle
// time as means over a process's threads: exact where all processes have as
// many threads.  The two minima are exact where, besides, all processes spent
// equal time in the region, and MPI is called outside parallel regions or there
// are no workers.
TalpTimes talp_times_of(const RegionTotals& region);

// The way back, with the same conditions.  What TALP does not know stays 0:
// all of single threads, of the process level and of the critical path.  As
// nodes are not known one by one, all but the one with least MPI are alike, and
// each has as many processes as the others, or one more.
RegionTotals region_of(const std::string& name, const TalpTimes& times);

// The key of the n-th node of a file that names none.
std::string talp_node_name(int64_t n);
// Of so many processes, those on the n-th of so many nodes.
int64_t talp_node_processes(int64_t processes, int64_t nodes, int64_t n);

// The efficiencies that DLB's program (its "hybrid v2" model) writes for these
// times.  Unlike its documentation, and talp of docs/metrics.md, it counts
// mpi_worker_idle as MPI and builds OpenMP's factors upwards from useful + MPI.
// All 0 where nothing was useful, as there.
TalpMetrics talp_program_metrics(const TalpTimes& times);

}  // namespace poprt

#endif  // POPRT_EXCHANGE_TALP_TIMES_H_
