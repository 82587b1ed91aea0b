#include "report/overview.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

#include "model/judge.h"
#include "model/present_rows.h"
#include "report/core_time.h"
#include "report/devices.h"
#include "report/incomplete.h"
#include "report/reasons.h"
#include "report/table.h"

namespace poprt {
namespace {

// Bars by key that are one row.
constexpr std::string_view kTransfer[] = {"mpi_transfer", "mpi_io"};
constexpr std::string_view kUnknown[] = {"mpi_unknown"};
constexpr std::string_view kWaiting[] = {"mpi_waiting"};
constexpr std::string_view kWholeMpi[] = {"mpi", "mpi_io"};
constexpr std::string_view kImbalance[] = {"openmp_imbalance"};
constexpr std::string_view kIdleInMpi[] = {"openmp_idle_in_mpi"};
constexpr std::string_view kDeviceWaiting[] = {"accelerator_waiting"};
constexpr std::string_view kDeviceRest[] = {"accelerator_copying",
                                            "accelerator_launching"};
constexpr std::string_view kWholeAccelerator[] = {"accelerator"};
constexpr std::string_view kIdleInAccelerator[] = {
    "openmp_idle_in_accelerator"};

// Those of the rest of OpenMP. What is at least half of it names it.
struct RestLabel {
  std::string_view key;  // the bar's
  const char* label;
};
constexpr RestLabel kRestLabels[] = {
    {"openmp_serial",
     "OpenMP: idle outside of them (POP: serial), and the rest"},
    {"openmp_serialised", "OpenMP: serialised in them, and the rest"},
    {"openmp_mpi_inside", "OpenMP: waits for MPI in them, and the rest"},
    {"openmp_accelerator_inside",
     "OpenMP: waits for accelerators in them, and the rest"},
    {"openmp_scheduling", "OpenMP: scheduling, and the rest"},
    {"openmp_not_started", "OpenMP: not started in them, and the rest"},
};
constexpr auto kRest = [] {
  std::array<std::string_view, std::size(kRestLabels)> keys;
  std::ranges::transform(kRestLabels, keys.begin(), &RestLabel::key);
  return keys;
}();

// As the bars show it: what is rounded there adds up.
double sum_of(const Bars& bars, std::span<const std::string_view> keys) {
  int tenths = 0;
  for (const Bar& bar : bars.bars) {
    if (std::ranges::find(keys, bar.key) != keys.end()) tenths += bar.tenths;
  }
  return tenths / 1000.0;
}

const char* label_of_rest(const Bars& bars) {
  const double rest = sum_of(bars, kRest);
  for (const RestLabel& each : kRestLabels) {
    const double part = sum_of(bars, std::span(&each.key, 1));
    if (part > 0 && 2 * part >= rest) return each.label;
  }
  return "OpenMP: the rest";
}

bool has_bar(const Bars& bars, std::string_view key) {
  return std::ranges::find(bars.bars, key, &Bar::key) != bars.bars.end();
}

}  // namespace

Table overview(const JobReport& report, const TableOptions& options) {
  Table table;
  const RegionReport* const global = global_region(report);
  if (global == nullptr || job_core_ns(report) <= 0) return table;
  table.title = "In short, % of the core time";
  table.key = "overview";
  table.columns = {{""}};
  const auto add = [&](const char* label, TableCell cell) {
    table.rows.push_back({label, {std::move(cell)}});
  };
  for (const Metric& metric : metrics_in(usual_models(report).front())) {
    if (metric.key != std::string_view("parallel_efficiency")) continue;
    const double value = metric.value(global->metrics);
    TableCell cell = {CellUnit::kPercent, value};
    if (std::isnan(value)) cell.reason = undefined_reason(*global, metric);
    cell.is_least = is_least(report.context, metric);
    if (!is_red(report)) cell.grade = grade_of(value, options.thresholds);
    add(metric.label, std::move(cell));
  }
  const Bars bars = core_time_bars(report);
  const auto add_part = [&](const char* label,
                            std::span<const std::string_view> keys) {
    add(label, {CellUnit::kPercent, sum_of(bars, keys)});
  };
  if (has_bar(bars, "mpi_waiting")) {
    add_part("MPI: waiting for late partners", kWaiting);
    add_part("MPI: transfer, and MPI itself", kTransfer);
    if (sum_of(bars, kUnknown) > 0) {
      add_part("MPI: one of these, the partner's clock is not known", kUnknown);
    }
  } else if (has_bar(bars, "mpi")) {
    add_part("MPI", kWholeMpi);
  }
  // What mends MPI saves it.
  if (sum_of(bars, kIdleInMpi) > 0) {
    add_part("MPI: threads idle while their rank is in it", kIdleInMpi);
  }
  if (has_bar(bars, "openmp_imbalance")) {
    add_part("OpenMP: imbalance in parallel regions", kImbalance);
    add_part(label_of_rest(bars), kRest);
  }
  if (has_bar(bars, "accelerator_waiting")) {
    add_part("Accelerator: waiting for the device", kDeviceWaiting);
    add_part("Accelerator: blocking copies, and launching", kDeviceRest);
  }
  if (has_bar(bars, "accelerator")) {
    add_part("Accelerator: its calls", kWholeAccelerator);
  }
  if (sum_of(bars, kIdleInAccelerator) > 0) {
    add_part("Accelerator: threads idle while their rank is in its calls",
             kIdleInAccelerator);
  }
  for (const Metric& metric : shown_metrics(report, Model::kTalp)) {
    if (metric.key != std::string_view("device_parallel_efficiency")) continue;
    const double value = metric.value(global->metrics);
    TableCell cell = {CellUnit::kPercent, value};
    if (std::isnan(value)) cell.reason = undefined_reason(*global, metric);
    set_device_range(*global, metric, &cell);
    add(metric.label, std::move(cell));
  }
  const double ipc = global->metrics.computation.ipc;
  if (std::isfinite(ipc)) {
    add("Instructions per cycle of useful time", {CellUnit::kFactor, ipc});
  }
  return table;
}

}  // namespace poprt
