// What each parallel region and task construct costs (docs/metrics.md).
#ifndef POPRT_MODEL_CONSTRUCTS_H_
#define POPRT_MODEL_CONSTRUCTS_H_

#include <functional>
#include <string>
#include <vector>

#include "model/totals.h"

namespace poprt {

// A parallel region or task construct, and what it costs.
struct ConstructReport {
  ConstructTotals totals;
  // "solver.c:123 (solve)"; empty for the row of all others
  std::string location;

  // Parallel regions only, NaN for tasks: the share of the job's core time that
  // the region loses, in [0, 1].  Contributions add up to 1 - OpenMP Region
  // Efficiency.
  double contribution = 0;
  // Its sources, which add up to it. NaN if they are not known.
  double lost_imbalance = 0;
  double lost_serialised = 0;
  double lost_mpi_inside = 0;
  double lost_scheduling = 0;
  double lost_not_started = 0;
  double lost_accelerator_inside = 0;
  double useful = 0;  // share of the region's own core time, in [0, 1]
  // TALP's load balance for this region alone.
  double load_balance = 0;
  double scheduling = 0;
};

// Those of one of the program's regions, or (empty) of the whole job.
std::vector<ConstructTotals> constructs_in(
    const std::vector<ConstructTotals>& constructs, const std::string& region);

// What the parallel regions in a region and OpenMP time outside of them are
// together.  In ns; MPI time and losses by source are 0 where they are not
// known.
ConstructTotals all_constructs_in(const RegionTotals& region);

// Returns a name for the return address of each construct.
using Locate = std::function<std::vector<std::string>(
    const std::vector<ConstructTotals>& constructs)>;

// The parallel regions with the largest contributions, then the task constructs
// with the most useful time.  One row for each kind has the sum of all others,
// so that the sums are complete.  That of parallel regions includes OpenMP time
// outside of parallel regions.  `region` is the one that they are in: Global,
// or one of the program's, then relative to that region; `core_ns` is all of
// its core time, 0 if that is not known.
std::vector<ConstructReport> construct_reports(
    const std::vector<ConstructTotals>& constructs, const RegionTotals& region,
    int64_t core_ns);

// Gives those that have a place its name.
void locate_constructs(const Locate& locate,
                       std::vector<ConstructReport>* reports);

}  // namespace poprt

#endif  // POPRT_MODEL_CONSTRUCTS_H_
