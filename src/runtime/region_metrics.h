// The figures of a region in the form in which the program gets them.
#ifndef POPRT_RUNTIME_REGION_METRICS_H_
#define POPRT_RUNTIME_REGION_METRICS_H_

#define POPRT_TYPES_ONLY
#include "model/totals.h"
#include "poprt.h"

namespace poprt {

// Those of the only region in `totals`.  False, and nothing is changed: no
// process has been in it.
bool region_metrics(JobTotals totals, pop_region_metrics_t* metrics);

}  // namespace poprt

#endif  // POPRT_RUNTIME_REGION_METRICS_H_
