#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

#include "document/format.h"
#include "document/shown.h"
#include "model/judge.h"
#include "model/present_rows.h"
#include "model/ratio.h"
#include "report/denial.h"
#include "report/devices.h"
#include "report/incomplete.h"
#include "report/reasons.h"
#include "report/repeated_rows.h"

namespace poprt {
namespace {

// How many regions are shown if none is named.
constexpr size_t kShownUnasked = 5;

constexpr char kEstimates[] =
    "~: an estimate. This window was measured in parts; --window with its "
    "number alone shows between which values the rows are.";
using Columns = std::vector<const RegionReport*>;

void add_range(const WindowReport& window, const Metric& metric, View view,
               TableCell* cell) {
  const MetricRange& range =
      view == View::kLoss ? window.losses_range : window.range;
  cell->least = metric.value(range.least);
  cell->most = metric.value(range.most);
}

TableCell run_time_cell(const JobReport& report, const RegionReport& region) {
  const double ns = run_time_ns(report, region);
  TableCell cell = {CellUnit::kNs, ns};
  if (std::isnan(ns)) cell.reason = unknown_run_time(region);
  cell.is_least = is_incomplete(report.context);
  if (const WindowReport* const window = estimated_window(report, region)) {
    const auto all =
        std::ranges::find(window->bounds, "all_ns", &ClockBounds::clock);
    if (all != window->bounds.end()) {
      cell.least = static_cast<double>(all->least_ns);
      cell.most = static_cast<double>(all->most_ns);
    }
  }
  return cell;
}

TableCell metric_cell(const JobReport& report, bool graded,
                      const RegionReport& region, const Metric& metric,
                      const TableOptions& options) {
  const bool is_loss = options.view == View::kLoss;
  const double value = metric.value(region.metrics);
  const double shown = is_loss ? metric.value(region.losses) : value;
  TableCell cell = {cell_unit(metric), shown};
  if (std::isnan(shown)) {
    cell.reason = undefined_reason(region, metric);
    return cell;
  }
  cell.is_least = !is_loss && is_least(report.context, metric);
  if (const WindowReport* const window = estimated_window(report, region)) {
    add_range(*window, metric, options.view, &cell);
  }
  if (!is_loss) set_device_range(region, metric, &cell);
  if (!metric.is_efficiency()) return cell;
  // A loss has the grade of the efficiency that it leaves.
  if (graded) {
    cell.grade = grade_of(is_loss ? 1 - shown : shown, options.thresholds);
  }
  cell.reason = outside_reason(metric, value);
  return cell;
}

std::string title_of(Model model, const std::string& name,
                     const TableOptions& options) {
  if (model == Model::kComputation || model == Model::kMpiTime) return name;
  const bool is_talp = model == Model::kTalp;
  if (options.view == View::kEfficiency) {
    return fmt::format("{}, % of {}", name,
                       is_talp ? "the threads' time" : "run time");
  }
  return fmt::format("{}, losses in % of the region's {}", name,
                     is_talp ? "thread time" : "core time");
}

// Says of what `lost` is a share.
std::string lost_title(Model model) {
  return fmt::format("lost: % of the {}", model == Model::kTalp
                                              ? "threads' time"
                                              : "job's core time");
}

// TALP's OpenMP rows contain time that other models count as MPI: says how
// much.
void add_worker_idle(const Columns& regions, Table* table) {
  TableRow row = {"mpi_worker_idle, % lost"};
  row.key = "mpi_worker_idle";
  for (const RegionReport* region : regions) {
    const RegionTotals& t = region->totals;
    double all = 0;
    for (int64_t part :
         {t.talp_useful_ns, t.talp_mpi_ns, t.talp_omp_serial_ns,
          t.talp_omp_load_balance_ns, t.talp_omp_scheduling_ns}) {
      all += static_cast<double>(part);
    }
    row.cells.push_back(
        {CellUnit::kPercent,
         ratio(static_cast<double>(t.talp_mpi_worker_idle_ns), all)});
  }
  if (table->last_is_apart) row.cells.push_back({});
  const auto devices = std::ranges::find_if(
      table->rows,
      [](const TableRow& each) { return each.key.starts_with("device_p"); });
  table->rows.insert(devices, std::move(row));
  table->notes.push_back(
      "in TALP MPI times OpenMP is not the Parallel Efficiency: both are "
      "shares of all time, so their losses add up instead. Workers that idle "
      "while their primary thread is in MPI (mpi_worker_idle) count as OpenMP "
      "Serialization.");
}

}  // namespace

TableRow metric_row(const Metric& metric) {
  return {.label = metric.label,
          .depth = metric.depth,
          .key = metric.key,
          .short_label = short_label(metric)};
}

CellUnit cell_unit(const Metric& metric) { return cell_unit(metric.unit); }

CellUnit cell_unit(MetricUnit unit) {
  switch (unit) {
    case MetricUnit::kFraction:
    case MetricUnit::kShare:
      return CellUnit::kPercent;
    case MetricUnit::kCount:
    case MetricUnit::kBytes:
    case MetricUnit::kBytesPerSecond:
      return CellUnit::kAmount;
    case MetricUnit::kNumber:
    case MetricUnit::kGigahertz:
      return CellUnit::kFactor;
  }
  return CellUnit::kNumber;
}

std::vector<const RegionReport*> shown_regions(const JobReport& report,
                                               const TableOptions& options) {
  Columns columns;
  const std::vector<std::string>& names = options.regions;
  for (const RegionReport& region : report.regions) {
    const bool shown =
        names.empty()
            ? options.windows.empty() && columns.size() < kShownUnasked
            : std::find(names.begin(), names.end(), region.totals.name) !=
                  names.end();
    if (shown) columns.push_back(&region);
  }
  for (const WindowReport& window : report.windows.list) {
    const auto& numbers = options.windows;
    if (std::ranges::find(numbers, window.index) != numbers.end()) {
      columns.push_back(&window);
    }
  }
  return columns;
}

std::string name_of(Model model, const std::vector<Metric>& metrics) {
  std::string only = "Serial";
  int layers = 0;
  for (const EventLayer layer : kAllLayers) {
    const bool has_rows = std::ranges::any_of(metrics, [&](const Metric& each) {
      return is_of_program(each.layer) && event_layer(each.layer) == layer;
    });
    if (!has_rows) continue;
    only = entry_of(layer).name;
    only.front() = static_cast<char>(
        std::toupper(static_cast<unsigned char>(only.front())));
    ++layers;
  }
  return layers > 1 ? label_of(model) : label_of(model, only);
}

std::string table_title(Model model, const std::vector<Metric>& metrics) {
  return title_of(model, name_of(model, metrics), {});
}

Table model_table(const JobReport& report, Model model,
                  const TableOptions& options) {
  const Columns regions = shown_regions(report, options);
  Table table = {Table::Kind::kRegions};
  table.model = key_of(model);
  std::vector<Metric> metrics = shown_metrics(report, model);
  table.title = title_of(model, name_of(model, metrics), options);
  if (options.view == View::kLoss) {
    std::erase_if(metrics, std::not_fn(&Metric::is_efficiency));
  }
  if (metrics.empty()) return table;
  const bool are_efficiencies =
      std::ranges::any_of(metrics, &Metric::is_efficiency);
  // With a red light no loss is named.
  const bool graded = !is_red(report);
  table.last_is_apart = are_efficiencies && graded &&
                        options.view == View::kEfficiency && !regions.empty() &&
                        regions.front() == global_region(report);
  TableRow times = {"run time"};
  times.key = "run_time_ns";
  for (const RegionReport* region : regions) {
    table.columns.push_back({region->totals.name});
    times.cells.push_back(run_time_cell(report, *region));
  }
  if (table.last_is_apart) {
    table.apart = lost_title(model);
    table.columns.push_back({"lost"});
    times.cells.push_back({});
  }
  if (are_efficiencies) table.rows.push_back(std::move(times));
  for (const Metric& metric : metrics) {
    TableRow row = metric_row(metric);
    for (const RegionReport* region : regions) {
      row.cells.push_back(
          metric_cell(report, graded, *region, metric, options));
    }
    if (table.last_is_apart) {
      row.cells.push_back(metric.is_efficiency()
                              ? TableCell{CellUnit::kPercent,
                                          metric.value(regions.front()->losses)}
                              : TableCell{});
    }
    table.rows.push_back(std::move(row));
  }
  leave_out_repeated(&table);
  if (options.view == View::kLoss && !regions.empty()) {
    const std::string note = denial_note(report, *regions.front(), metrics);
    if (!note.empty()) table.notes.push_back(note);
  }
  const bool has_estimates =
      std::ranges::any_of(table.rows, [](const TableRow& row) {
        return std::ranges::any_of(row.cells, is_estimate);
      });
  if (has_estimates) table.notes.emplace_back(kEstimates);
  const bool has_both = report.totals.has_mpi && report.totals.has_openmp;
  if (model == Model::kTalp && has_both) add_worker_idle(regions, &table);
  add_device_notes(report, model, &table);
  return table;
}

}  // namespace poprt
