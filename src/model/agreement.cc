#include "model/agreement.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "model/quantities.h"
#include "model/ratio.h"
#include "model/state_parts.h"

namespace poprt {
namespace {

// Models need not agree exactly.  A row is contradicted if another model leaves
// less than this part of its loss.
constexpr double kEnough = 0.5;
// A loss below this share of the core time is not compared.
constexpr double kNoticeable = 0.005;

double share_of_core(const RegionTotals& region, double ns) {
  return ratio(ns, static_cast<double>(region.threads) *
                       static_cast<double>(region.all_ns));
}

// The models that split what is lost between the layers.
constexpr Model kSplitting[] = {Model::kMultiplicative, Model::kAdditive,
                                Model::kCriticalPath, Model::kWaiting};

// Everything that the hierarchy of a model counts as lost by a layer: the first
// of its rows.  NaN if it has none.
double layer_loss(const Metrics& losses, Model model, Layer layer) {
  const auto rows = metrics_in(model);
  const auto top = std::ranges::find(rows, layer, &Metric::layer);
  return top == rows.end() ? kUndefined : top->value(losses);
}

// What the threads' times leave for a layer.
double measured_time(const RegionReport& region, EventLayer layer) {
  const LayerTimes times = layer_times(region);
  switch (layer) {
    // Threads that have no work while their process is in MPI wait for MPI.  A
    // process that is not in the region is a loss at process level.
    case EventLayer::kMpi:
      return times.mpi + times.idle_during_mpi + times.absent;
    case EventLayer::kOpenMp:
      return times.openmp - times.idle_during_mpi -
             times.idle_during_accelerator;
    default:
      return kUndefined;
  }
}

// The row in which G-COO counts waiting in MPI for the OpenMP of others.
bool is_transfer_of_coo(const Metric& metric) {
  return metric.model == Model::kCriticalPath &&
         metric.key == std::string_view("mpi_transfer_efficiency");
}

// Waiting in MPI is measured and not a matter of models. It is lost by what
// made the partner late.
double waiting_that_settles(const RegionReport& region, const Metric& metric,
                            double claimed) {
  const LayerTimes times = layer_times(region);
  return is_transfer_of_coo(metric) &&
                 most_by_transfer(times) < kEnough * claimed &&
                 !(times.waiting < kEnough * times.mpi)
             ? ratio(times.waiting, times.mpi)
             : kUndefined;
}

std::vector<Witness> witnesses(const RegionReport& region,
                               const Metric& metric) {
  using Kind = Witness::Kind;
  std::vector<Witness> result;
  for (const Model model : kSplitting) {
    if (model == metric.model) continue;
    // What G-COO counts as MPI may be OpenMP's loss.
    if (metric.model == Model::kWaiting && model == Model::kCriticalPath) {
      continue;
    }
    result.push_back(
        {Kind::kLayer, layer_loss(region.losses, model, metric.layer), model});
  }
  result.push_back(
      {Kind::kTime, measured_time(region, event_layer(metric.layer))});
  // R_ideal is the run time on an ideal network: MPI itself costs at most R -
  // R_ideal.  G-COO contains all time in MPI, also waiting for OpenMP.
  if (is_transfer_of_coo(metric)) {
    result.push_back({Kind::kTransfer,
                      region.losses.multiplicative.mpi_transfer_efficiency,
                      Model::kMultiplicative});
    result.push_back({Kind::kTransfer,
                      region.losses.waiting.mpi_transfer_efficiency,
                      Model::kWaiting});
    result.push_back(
        {Kind::kTransferTime, most_by_transfer(layer_times(region))});
  }
  return result;
}

}  // namespace

double most_by_transfer(const LayerTimes& times) {
  return ratio(times.transfer, times.mpi) * (times.mpi + times.idle_during_mpi);
}

LayerTimes layer_times(const RegionReport& region) {
  const RegionTotals& r = region.totals;
  const double core =
      static_cast<double>(r.threads) * static_cast<double>(r.all_ns);
  const auto share = [&](double ns) { return share_of_core(r, ns); };
  // Known as means over a process's threads: exact if all processes have the
  // same number of threads.
  const auto openmp = static_cast<double>(r.omp_sum_ns);
  const double idle =
      static_cast<double>(r.talp_mpi_worker_idle_ns) *
      ratio(static_cast<double>(r.threads), static_cast<double>(r.processes));
  const auto known = static_cast<double>(in_all_states_ns(r));
  const double waiting = tells_mpi_parts(r)
                             ? static_cast<double>(amount(r, kMpiWaiting))
                             : kUndefined;
  const auto mpi = static_cast<double>(r.mpi_sum_ns);
  return {share(mpi),
          share(openmp),
          share(std::min(idle, openmp)),
          share(state_parts::openmp_idle_in_accelerator(r)),
          share(std::max(0.0, core - known)),
          share(waiting),
          share(mpi - waiting)};
}

std::optional<Denial> denial_of(const JobReport& report,
                                const RegionReport& region,
                                const Metric& metric) {
  if (!is_of_program(metric.layer) || metric.layer == Layer::kDevices ||
      std::ranges::find(kSplitting, metric.model) == std::end(kSplitting) ||
      !has_several_layers(report.totals) || is_imported(report)) {
    return std::nullopt;
  }
  const double claimed = metric.value(region.losses);
  if (!(claimed >= kNoticeable)) return std::nullopt;
  const Witness* least = nullptr;
  const std::vector<Witness> all = witnesses(region, metric);
  for (const Witness& witness : all) {
    if (std::isnan(witness.loss)) continue;
    if (least == nullptr || witness.loss < least->loss) least = &witness;
  }
  if (least == nullptr || least->loss >= kEnough * claimed) {
    return std::nullopt;
  }
  return Denial{metric, claimed, *least,
                waiting_that_settles(region, metric, claimed)};
}

std::vector<Model> agreeing_models(const RegionReport& region,
                                   const Metric& metric) {
  const double claimed = metric.value(region.losses);
  std::vector<Model> models;
  for (const Witness& witness : witnesses(region, metric)) {
    if (witness.kind == Witness::Kind::kLayer &&
        witness.loss >= kEnough * claimed) {
      models.push_back(witness.model);
    }
  }
  return models;
}

Metric row_of_both_layers(const Metric& metric) {
  std::string_view key = metric.key;
  for (const char* const name : {"mpi", "openmp", "accelerator"}) {
    const std::string prefix = std::string(name) + "_";
    if (key.starts_with(prefix)) key.remove_prefix(prefix.size());
  }
  for (const Metric& each : metrics_in(metric.model)) {
    if (each.key == key) return each;
  }
  return metric;
}

Metric undenied(const JobReport& report, const RegionReport& region,
                const Metric& metric) {
  return denial_of(report, region, metric) ? row_of_both_layers(metric)
                                           : metric;
}

}  // namespace poprt
