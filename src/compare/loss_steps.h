// From all core time of a region down to its Parallel Efficiency.
#ifndef POPRT_COMPARE_LOSS_STEPS_H_
#define POPRT_COMPARE_LOSS_STEPS_H_

#include <vector>

#include "model/job.h"
#include "model/metric_table.h"

namespace poprt {

// The rows at the bottom of a model's hierarchy, whose losses in the region add
// up to that of the first row: one step down for each.  Where the rows below
// one say its loss both as a whole and by layer (MPI, OpenMP), these are the
// rows by layer; where a loss below a row is not known, it is the row itself.
// `metrics`: rows of one model, in its order; those that are no efficiencies
// are passed over.  Empty if the loss of the first row is not known.
std::vector<Metric> loss_steps(const std::vector<Metric>& metrics,
                               const RegionReport& region);

// The key of a step's colour: that of its layer; "rest" if it is of no layer.
const char* colour_of(const Metric& step);

}  // namespace poprt

#endif  // POPRT_COMPARE_LOSS_STEPS_H_
