#include "model/missing.h"

#include <cmath>
#include <string_view>

#include "model/metric_table.h"
#include "model/quantities.h"
#include "model/state_parts.h"
#include "model/terms.h"

namespace poprt {
namespace {

Missing without_clocks(const Layers& layers) {
  return layers.unmeasured ? Missing::kUnmeasured : Missing::kNoClocks;
}

// Transfer of MPI between two clocks, between which calls to accelerators are
// as well, and what contains it.
bool is_mixed_with_accelerator(const Metric& metric) {
  const std::string_view key = metric.key;
  return (metric.model == Model::kCriticalPath ||
          metric.model == Model::kWaiting) &&
         (key == "mpi_transfer_efficiency" ||
          key == "mpi_communication_efficiency" ||
          key == "mpi_parallel_efficiency");
}

// `complete`: the region's inputs as if all its clocks were known.
Missing missing(const Metric& metric, const RegionTotals& region,
                const Layers& layers, const Inputs& complete) {
  switch (metric.layer) {
    case Layer::kCounters:
      return Missing::kNotCounted;
    case Layer::kFloatingPoint:
      return Missing::kFloatsNotCounted;
    case Layer::kPosix:
      if (!layers.posix_io) return Missing::kIoNotMeasured;
      break;
    case Layer::kIo:
      if (!layers.has(EventLayer::kMpi)) return Missing::kIoNotMeasured;
      break;
    default:
      break;
  }
  if (metric.model == Model::kTalp && layers.incomplete) {
    return Missing::kUnequalEnds;
  }
  if (layers.hides_threads() && is_of_all_threads(metric)) {
    return Missing::kUnseenOpenMp;
  }
  if (metric.layer == Layer::kDeviceTime && region.devices.empty() &&
      !layers.imported) {
    return layers.unknown[static_cast<size_t>(EventLayer::kDevices)]
               ? Missing::kUnknownLayer
               : Missing::kNoDevice;
  }
  const bool is_openmp = metric.layer == Layer::kOpenMp;
  if (is_of_program(metric.layer) && !layers.has(event_layer(metric.layer))) {
    if (layers.unknown[static_cast<size_t>(event_layer(metric.layer))]) {
      return Missing::kUnknownLayer;
    }
    if (!is_openmp || !layers.unseen_openmp) return Missing::kLayer;
    return layers.openmp_ended ? Missing::kOpenMpEnded : Missing::kUnseenOpenMp;
  }
  if (is_openmp && metric.model == Model::kAdditive &&
      works_off_the_line(region)) {
    return Missing::kOtherTeams;
  }
  if (is_mixed_with_accelerator(metric) && region.accelerator_sum_ns > 0 &&
      (metric.model != Model::kWaiting || keeps_coow(region))) {
    return Missing::kAccelerator;
  }
  if (layers.imported) return Missing::kImported;
  if (metric.model == Model::kWaiting && !keeps_coow(region)) {
    return Missing::kCoow;
  }
  if (metric.model == Model::kMpiTime && !tells_mpi_parts(region)) {
    return Missing::kNotTold;
  }
  if (layers.clocks || metric.formula == nullptr ||
      std::isnan(metric.formula(complete))) {
    return Missing::kNoSuchTime;
  }
  return without_clocks(layers);
}

}  // namespace

MissingValues missing_in(const RegionTotals& region, const Layers& layers,
                         const Metrics& metrics, const Metrics& losses) {
  MissingValues all;
  if (!layers.clocks && !layers.imported) {
    all.run_time = without_clocks(layers);
  }
  const Inputs complete(region, true);
  for (const Metric& metric : all_metrics()) {
    if (std::isnan(metric.value(metrics)) || std::isnan(metric.value(losses))) {
      all.metrics[metric.place] = missing(metric, region, layers, complete);
    }
  }
  return all;
}

}  // namespace poprt
