// Between which values the metrics of a window are whose clocks are not exact.
#ifndef POPRT_MODEL_METRIC_RANGES_H_
#define POPRT_MODEL_METRIC_RANGES_H_

#include <vector>

#include "model/metrics.h"
#include "model/window_bounds.h"

namespace poprt {

struct MetricRange {
  Metrics least;
  Metrics most;
};

// `values_of`: metrics_of() or losses_of().
MetricRange metric_range(const RegionTotals& window, const Layers& layers,
                         const std::vector<ClockBounds>& bounds,
                         Metrics (*values_of)(const RegionTotals&,
                                              const Layers&));

}  // namespace poprt

#endif  // POPRT_MODEL_METRIC_RANGES_H_
