#include "report/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "document/format.h"
#include "model/quantities.h"
#include "model/ratio.h"
#include "report/mpi_time.h"

namespace poprt {
namespace {

// Models need not agree exactly.  A row is contradicted if another model leaves
// less than this part of its loss.
constexpr double kEnough = 0.5;
// A loss below this share of the core time is not compared.
constexpr double kNoticeable = 0.005;

// What another model, or the measured time itself, leaves for a layer.
struct Witness {
  double loss;  // NaN if it does not know
  // The text around it in a sentence.
  std::string before;
  std::string after;
};

const char* name_of(Layer layer) {
  return layer == Layer::kMpi ? "MPI" : "OpenMP";
}

const char* name_of(Model model) {
  return model == Model::kMultiplicative ? "the multiplicative model"
         : model == Model::kAdditive     ? "the additive model"
         : model == Model::kWaiting ? "the critical path without waiting in MPI"
                                    : "the critical path";
}

// Everything that the hierarchy of a model counts as lost by a layer.
double layer_loss(const Metrics& losses, Model model, Layer layer) {
  const bool mpi = layer == Layer::kMpi;
  switch (model) {
    case Model::kCriticalPath:
      return mpi ? losses.critical_path.mpi_parallel_efficiency
                 : losses.critical_path.openmp_parallel_efficiency;
    case Model::kMultiplicative:
      return mpi ? losses.multiplicative.mpi_parallel_efficiency
                 : losses.multiplicative.openmp_parallel_efficiency;
    case Model::kAdditive:
      return mpi ? losses.additive.process_efficiency
                 : losses.additive.thread_efficiency;
    case Model::kWaiting:
      return mpi ? losses.waiting.mpi_parallel_efficiency
                 : losses.waiting.openmp_parallel_efficiency;
    default:
      return kUndefined;
  }
}

// The share of the core time that transfer in MPI can have cost, if threads
// that have no work while their process is in MPI wait for MPI.
double most_by_transfer(const LayerTimes& times) {
  return ratio(times.transfer, times.mpi) * (times.mpi + times.idle_during_mpi);
}

// The row in which G-COO counts waiting in MPI for the OpenMP of others.
bool is_transfer_of_coo(const Metric& metric) {
  return metric.model == Model::kCriticalPath &&
         metric.key == std::string_view("mpi_transfer_efficiency");
}

// Waiting in MPI is measured and not a matter of models. It is lost by what
// made the partner late.
std::string belief_of(const RegionReport& region, const Metric& metric,
                      double claimed) {
  const LayerTimes times = layer_times(region);
  if (!is_transfer_of_coo(metric) ||
      !(most_by_transfer(times) < kEnough * claimed) ||
      times.waiting < kEnough * times.mpi) {
    return "";
  }
  return fmt::format(
      "Believe the latter: {} % of the time in MPI was waiting for partners "
      "that were late, which no faster communication makes shorter",
      percent(ratio(times.waiting, times.mpi)));
}

std::vector<Witness> witnesses(const RegionReport& region,
                               const Metric& metric) {
  const std::string layer = name_of(metric.layer);
  std::vector<Witness> result;
  for (const Model model : {Model::kMultiplicative, Model::kAdditive,
                            Model::kCriticalPath, Model::kWaiting}) {
    if (model == metric.model) continue;
    // What G-COO counts as MPI may be OpenMP's loss.
    if (metric.model == Model::kWaiting && model == Model::kCriticalPath) {
      continue;
    }
    result.push_back({layer_loss(region.losses, model, metric.layer),
                      "all of " + layer + " ",
                      std::string(" by ") + name_of(model)});
  }
  const LayerTimes times = layer_times(region);
  // Threads that have no work while their process is in MPI wait for MPI.  A
  // process that is not in the region is a loss at process level.
  if (metric.layer == Layer::kMpi) {
    result.push_back(
        {times.mpi + times.idle_during_mpi + times.absent, "",
         " of the core time was in MPI or without work meanwhile"});
  } else {
    result.push_back({times.openmp - times.idle_during_mpi, "",
                      " of the core time was in OpenMP or without work"});
  }
  // R_ideal is the run time on an ideal network: MPI itself costs at most R -
  // R_ideal.  G-COO contains all time in MPI, also waiting for OpenMP.
  if (is_transfer_of_coo(metric)) {
    result.push_back(
        {region.losses.multiplicative.mpi_transfer_efficiency, "",
         std::string(" by ") + name_of(Model::kMultiplicative) +
             " (the former counts waiting in MPI for the OpenMP of others)"});
    result.push_back({region.losses.waiting.mpi_transfer_efficiency, "",
                      std::string(" by ") + name_of(Model::kWaiting)});
    result.push_back({most_by_transfer(times), "",
                      " of the core time was transfer in MPI or without work "
                      "meanwhile"});
  }
  return result;
}

}  // namespace

LayerTimes layer_times(const RegionReport& region) {
  const RegionTotals& r = region.totals;
  const double core =
      static_cast<double>(r.threads) * static_cast<double>(r.all_ns);
  const auto share = [&](double ns) { return ratio(ns, core); };
  // Known as means over a process's threads: exact if all processes have the
  // same number of threads.
  const double openmp = static_cast<double>(r.omp_sum_ns);
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
          share(std::max(0.0, core - known)),
          share(waiting),
          share(mpi - waiting)};
}

std::optional<Denial> denial_of(const JobReport& report,
                                const RegionReport& region,
                                const Metric& metric) {
  const bool both_layers = report.totals.has_mpi && report.totals.has_openmp;
  if (metric.layer == Layer::kAny || metric.model == Model::kTalp ||
      !both_layers || is_imported(report)) {
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
  const double left = std::max(0.0, least->loss);
  return Denial{claimed, left,
                fmt::format("{} lost {} % by {}, but {}{} %{}", metric.label,
                            percent(claimed), name_of(metric.model),
                            least->before, percent(left), least->after),
                belief_of(region, metric, claimed)};
}

std::string denial_note(const JobReport& report, const RegionReport& region,
                        const std::vector<Metric>& metrics) {
  std::optional<Denial> largest;
  for (const Metric& metric : metrics) {
    const auto denial = denial_of(report, region, metric);
    if (!denial) continue;
    const auto weight = [](const Denial& each) {
      return std::pair(!each.belief.empty(), each.claimed);
    };
    if (!largest || weight(*denial) > weight(*largest)) largest = denial;
  }
  if (!largest) return "";
  std::string note = "the models do not agree on " + region.totals.name + ": " +
                     largest->words + ".";
  if (!largest->belief.empty()) note += " " + largest->belief + ".";
  return note;
}

Metric row_of_both_layers(const Metric& metric) {
  std::string_view key = metric.key;
  for (const std::string_view prefix : {"mpi_", "openmp_"}) {
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
