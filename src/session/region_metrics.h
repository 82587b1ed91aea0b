// The metrics of a region as pop_region_metrics() returns them.
#ifndef POPRT_SESSION_REGION_METRICS_H_
#define POPRT_SESSION_REGION_METRICS_H_

#define POPRT_TYPES_ONLY
#include "model/totals.h"
#include "poprt.h"

namespace poprt {

// The metrics of the only region in `totals`.  False if no process has been in
// it; then nothing is changed.
bool region_metrics(JobTotals totals, pop_region_metrics_t* metrics);

}  // namespace poprt

#endif  // POPRT_SESSION_REGION_METRICS_H_
