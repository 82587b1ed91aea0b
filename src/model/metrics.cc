#include "model/metrics.h"

#include <bit>

#include "model/metric_table.h"
#include "model/place_of.h"
#include "model/ratio.h"
#include "model/terms.h"

namespace poprt {
namespace {

bool has(const Layers& layers, Layer layer) {
  if (is_of_program(layer)) return layers.has(event_layer(layer));
  if (layer == Layer::kIo) {
    return layers.has(EventLayer::kMpi) || layers.posix_io;
  }
  if (layer == Layer::kPosix) return layers.posix_io;
  return true;  // without counters rows are undefined by their formulas
}

// Efficiencies of all threads, and TALP's shares of the time that all processes
// were measured, are those of a whole that is not known otherwise.
bool is_whole_known(const Layers& layers, const Metric& metric) {
  if (metric.model == Model::kTalp && layers.incomplete) return false;
  return !(layers.hides_threads() && is_of_all_threads(metric));
}

Metrics computed(double (*Metric::*formula)(const Inputs&),
                 const RegionTotals& region, const Layers& layers) {
  const Inputs inputs(region, layers.clocks);
  MetricValues values;
  for (const Metric& metric : all_metrics()) {
    const bool defined =
        has(layers, metric.layer) && is_whole_known(layers, metric) &&
        metric.*formula != nullptr &&
        (metric.model != Model::kWaiting || keeps_coow(region));
    values[metric.place] = defined ? (metric.*formula)(inputs) : kUndefined;
  }
  return std::bit_cast<Metrics>(values);
}

}  // namespace

Metrics metrics_of(const RegionTotals& region, const Layers& layers) {
  return computed(&Metric::formula, region, layers);
}

Metrics losses_of(const RegionTotals& region, const Layers& layers) {
  return computed(&Metric::loss, region, layers);
}

}  // namespace poprt
