#include "model/present_rows.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "model/quantities.h"
#include "model/state_parts.h"
#include "model/vectorisation.h"

namespace poprt {
namespace {

constexpr double kLeastShare = 0.0005;  // less is shown as 0.0 %

// Whether the useful time of its nodes is known.
bool tells_nodes(const RegionTotals& region) {
  return std::ranges::any_of(
      region.nodes, [](const NodeShare& node) { return node.threads > 0; });
}

}  // namespace

bool layer_present(const JobReport& report, Layer layer) {
  if (is_of_program(layer)) {
    const EventLayer of_program = event_layer(layer);
    return report.totals.*flag_of(of_program) ||
           is_unseen(report.totals, of_program);
  }
  switch (layer) {
    case Layer::kCounters:
      return std::ranges::any_of(report.regions, [](const RegionReport& each) {
        return has_counters(each.totals.amounts);
      });
    case Layer::kFloatingPoint:
      return std::ranges::any_of(report.regions, [](const RegionReport& each) {
        return has_float_counters(each.totals);
      });
    case Layer::kPosix:
      return report.totals.has_posix_io;
    case Layer::kDeviceTime:
      return !report.totals.devices.empty();
    default:
      return true;
  }
}

bool row_present(const JobReport& report, const Metric& metric) {
  if (!layer_present(report, metric.layer)) return false;
  if (metric.key == std::string_view("openmp_region_accelerator_efficiency")) {
    return layer_present(report, Layer::kDevices);
  }
  if (metric.key == std::string_view("mpi_unknown_share")) {
    return has_unknown_partners(report);
  }
  if (metric.key == std::string_view("device_mpi_efficiency")) {
    return layer_present(report, Layer::kMpi);
  }
  if (metric.key == std::string_view("device_openmp_efficiency")) {
    return layer_present(report, Layer::kOpenMp);
  }
  return !metric.of_nodes ||
         (report.totals.hosts.size() > 1 &&
          std::ranges::any_of(report.regions, [](const RegionReport& each) {
            return tells_nodes(each.totals);
          }));
}

std::vector<Metric> metrics_of_layers(const JobReport& report, Model model) {
  std::vector<Metric> metrics;
  std::ranges::copy_if(
      metrics_in(model), std::back_inserter(metrics),
      [&](const Metric& each) { return layer_present(report, each.layer); });
  return metrics;
}

std::vector<Metric> shown_metrics(const JobReport& report, Model model) {
  std::vector<Metric> metrics;
  std::ranges::copy_if(
      metrics_in(model), std::back_inserter(metrics),
      [&](const Metric& metric) { return row_present(report, metric); });
  return metrics;
}

bool has_file_io(const JobReport& report) {
  return report.totals.has_posix_io ||
         std::ranges::any_of(report.regions, [](const RegionReport& each) {
           return amount(each.totals, kMpiIo) > 0 ||
                  amount(each.totals, kMpiIoCalls) > 0;
         });
}

bool is_shown_unasked(const JobReport& report, Model model) {
  switch (model) {
    case Model::kComputation:
      return layer_present(report, Layer::kCounters);
    case Model::kIo:
      return has_file_io(report);
    case Model::kMpiTime:
      return has_mpi_parts(report);
    case Model::kWaiting:
      return has_waiting_path(report);
    case Model::kAdditive:
      return has_accelerator_time(report);
    default:
      return false;
  }
}

std::vector<Model> usual_models(const JobReport& report) {
  // A run that TALP measured has no other model.
  if (is_imported(report)) return {Model::kTalp};
  if (!layer_present(report, Layer::kCounters)) return {Model::kCriticalPath};
  return {Model::kCriticalPath, Model::kComputation};
}

bool has_mpi_parts(const JobReport& report) {
  const RegionReport* const global = global_region(report);
  return global != nullptr && !is_imported(report) &&
         tells_mpi_parts(global->totals) &&
         global->metrics.mpi_time.mpi_share >= kLeastShare;
}

bool has_accelerator_time(const JobReport& report) {
  const RegionReport* const global = global_region(report);
  return global != nullptr && !is_imported(report) &&
         global->totals.accelerator_sum_ns > 0;
}

bool has_waiting_path(const JobReport& report) {
  const RegionReport* const global = global_region(report);
  return global != nullptr && keeps_coow(global->totals);
}

bool has_unknown_partners(const JobReport& report) {
  constexpr double kLeastUnknown = 0.01;
  return std::ranges::any_of(report.regions, [](const RegionReport& each) {
    return static_cast<double>(amount(each.totals, kMpiUnknown)) >
           kLeastUnknown * static_cast<double>(each.totals.mpi_sum_ns);
  });
}

}  // namespace poprt
