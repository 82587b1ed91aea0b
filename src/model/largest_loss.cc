#include "model/largest_loss.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <vector>

#include "model/judge.h"
#include "model/present_rows.h"
#include "model/quantities.h"
#include "model/ratio.h"
#include "model/terms.h"

namespace poprt {
namespace {

constexpr double kMostly = 0.5;

// The rows of the usual model, which has none of accelerators: these are the
// additive model's, which are the time itself.
std::vector<Metric> candidates(const JobReport& report) {
  const Model usual = usual_models(report).front();
  std::vector<Metric> metrics = shown_metrics(report, usual);
  if (usual != Model::kCriticalPath) return metrics;
  std::ranges::copy_if(
      shown_metrics(report, Model::kAdditive), std::back_inserter(metrics),
      [](const Metric& each) { return each.layer == Layer::kDevices; });
  return metrics;
}

// The largest loss among the rows that name a cause, of all layers or of one
// layer. nullopt if no loss is known.
std::optional<Loss> largest_of(bool all_layers, const JobReport& report,
                               const RegionReport& region) {
  std::optional<Loss> largest;
  double most = 0;
  for (const Metric& metric : candidates(report)) {
    const bool is_candidate =
        metric.cause != nullptr && (metric.layer == Layer::kAny) == all_layers;
    if (!is_candidate) continue;
    const double loss = metric.value(region.losses);
    if (!(loss > most) || std::isnan(metric.value(region.metrics))) continue;
    largest = {metric, std::nullopt};
    most = loss;
  }
  return largest;
}

// Time in MPI of which it is not known whether it was waiting or transfer. NaN:
// neither is known.
double unknown_in_mpi_ns(const RegionTotals& region) {
  const double unknown = known_amount(region.amounts, kMpiUnknown.name);
  if (!std::isnan(unknown)) return unknown;
  return static_cast<double>(region.mpi_sum_ns) -
         known_amount(region.amounts, kMpiWaiting.name) -
         known_amount(region.amounts, kMpiTransfer.name);
}

Loss with_unknown_calls(const JobReport& report, const RegionReport& region,
                        const Loss& loss) {
  const std::string_view key = loss.metric.key;
  const double unknown = ratio(unknown_in_mpi_ns(region.totals),
                               static_cast<double>(core_ns(region.totals)));
  if (!key.ends_with("transfer_efficiency") ||
      loss.metric.layer != Layer::kMpi ||
      !(unknown >= kMostly * loss.metric.value(region.losses))) {
    return loss;
  }
  for (const Metric& metric : shown_metrics(report, loss.metric.model)) {
    if (metric.key == std::string_view("mpi_communication_efficiency")) {
      return {metric, std::nullopt, unknown};
    }
  }
  return loss;
}

// What Transfer of MPI can have lost where it is not told apart from calls to
// accelerators; else 0.
double most_unknown_transfer(const JobReport& report,
                             const RegionReport& region) {
  const RegionTotals& r = region.totals;
  if (!report.totals.has_mpi || r.mpi_sum_ns == 0 ||
      r.accelerator_sum_ns == 0) {
    return 0;
  }
  const Shares shares = shares_of(r, region.clocks_complete);
  return std::fmin(shares.coo - shares.cue,
                   most_by_transfer(layer_times(region)));
}

std::optional<Loss> explained_loss(const JobReport& report,
                                   const RegionReport& region) {
  std::optional<Loss> loss = largest_of(/*all_layers=*/false, report, region);
  if (!loss) return loss;
  if (loss->metric.value(region.losses) <
      most_unknown_transfer(report, region)) {
    return largest_of(/*all_layers=*/true, report, region);
  }
  if (const auto denial = denial_of(report, region, loss->metric)) {
    const Metric both = row_of_both_layers(loss->metric);
    loss = largest_of(/*all_layers=*/true, report, region);
    if (loss && loss->metric.key == std::string_view(both.key)) {
      loss->denial = denial;
    }
    return loss;
  }
  return with_unknown_calls(report, region, *loss);
}

}  // namespace

bool is_mostly_not_known(const JobReport& report, const RegionReport& region) {
  if (!is_incomplete(report.context)) return false;
  const auto loss = explained_loss(report, region);
  return loss && layer_times(region).absent >=
                     kMostly * loss->metric.value(region.losses);
}

bool is_above_devices(const JobReport& report, double lost) {
  return lost > device_share(report);
}

std::optional<Loss> largest_loss(const JobReport& report,
                                 const RegionReport& region) {
  auto loss = explained_loss(report, region);
  if (!loss || is_mostly_not_known(report, region)) return std::nullopt;
  const double of_job =
      share_of_core_time(report, static_cast<double>(core_ns(region.totals))) *
      loss->metric.value(region.losses);
  const bool is_measured = loss->metric.layer == Layer::kDevices;
  return is_measured || is_above_devices(report, of_job) ? loss : std::nullopt;
}

}  // namespace poprt
