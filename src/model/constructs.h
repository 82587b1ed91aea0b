// What each parallel region and task construct costs (metrics.md, 4 and 5).
#ifndef POPRT_MODEL_CONSTRUCTS_H_
#define POPRT_MODEL_CONSTRUCTS_H_

#include <functional>
#include <string>
#include <vector>

#include "model/totals.h"

namespace poprt {

// A construct and what it costs.
struct ConstructReport {
  ConstructTotals totals;
  std::string location;  // "solver.c:123 (solve)"; empty: a rest

  // Of parallel regions; NaN for tasks.  The part of the job's core time that
  // the region loses, in [0, 1]: contributions add up to 1 - OpenMP Region
  // Efficiency.
  double contribution = 0;
  double useful = 0;  // part of the region's own core time, in [0, 1]
  // TALP's, for the region alone.
  double load_balance = 0;
  double scheduling = 0;
};

// Names of return addresses, one for each of `constructs`.
using Locate = std::function<std::vector<std::string>(
    const std::vector<ConstructTotals>& constructs)>;

// The parallel regions with the largest contributions, then the task constructs
// with the most useful time.  Of each kind the rest is one row, so that nothing
// is missing from a sum; the rest of the parallel regions has the time that
// OpenMP takes outside all of them, too.  `global` is the whole measurement.
std::vector<ConstructReport> construct_reports(
    const std::vector<ConstructTotals>& constructs, const RegionTotals& global,
    const Locate& locate);

}  // namespace poprt

#endif  // POPRT_MODEL_CONSTRUCTS_H_
