#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string_view>

#include "report/cells.h"
#include "report/format.h"

namespace poprt {
namespace {

// A line is label, one cell for each region, what the row lost.
constexpr size_t kLostWidth = 6;
constexpr size_t kColumnsMax = 5;
constexpr size_t kTitleWidth = 46;

constexpr char kIncomplete[] =
    "more than 64 regions: the clocks of this one did not travel with all "
    "messages";
constexpr char kImported[] =
    "the file that this run was imported from tells the model talp only";
constexpr char kUnseenOpenMp[] =
    "not measured: GCC's OpenMP runtime tells tools nothing (under poprt run "
    "LLVM's takes its place)";
constexpr char kNoMpi[] = "ran without MPI";
constexpr char kNoOpenMp[] = "ran without OpenMP";
constexpr char kNoSuchTime[] = "0/0: no such time in the region";

using Columns = std::vector<const RegionReport*>;

std::string metric_cell(const JobReport& report, const RegionReport& region,
                        const Metric& metric, size_t width,
                        const TableOptions& options, Footnotes* footnotes) {
  const double value = metric.value(region.metrics);
  const TableCell shown = cell_of(region, metric, options);
  if (shown.number == "-") {
    return cell("-", footnotes->mark(undefined_reason(report, region, metric)),
                width);
  }
  const char* const excuse = outside_reason(metric, value);
  const std::string note =
      excuse != nullptr ? footnotes->mark(excuse) : std::string(1, shown.mark);
  return painted(cell(shown.number, note, width), shown.mark, options.color);
}

std::string number(double value, EfficiencyUnit unit) {
  return unit == EfficiencyUnit::kPercent ? percent(value) : fraction(value);
}

std::string lost_cell(double loss, EfficiencyUnit unit) {
  return right(std::isnan(loss) ? "-" : number(loss, unit), kLostWidth);
}

// The title, and what `lost` is a share of.
std::string title_line(Model model, const TableOptions& options,
                       bool with_lost) {
  const std::string title = " " + table_title(model, options);
  if (!with_lost) return title + "\n";
  const std::string lost = fmt::format(
      "lost: {}of the {}", options.unit == EfficiencyUnit::kPercent ? "% " : "",
      model == Model::kTalp ? "threads' time" : "job's core time");
  return left(title, kTitleWidth) + right(lost, kReportWidth - kTitleWidth) +
         "\n";
}

// TALP's OpenMP rows hold what other models call MPI: say how much.
std::string worker_idle_row(const Columns& columns, size_t width,
                            EfficiencyUnit unit) {
  const bool percent_of_time = unit == EfficiencyUnit::kPercent;
  std::string line = left(
      percent_of_time ? " mpi_worker_idle, % lost" : " mpi_worker_idle, lost",
      kLabelWidth);
  for (const RegionReport* region : columns) {
    const RegionTotals& t = region->totals;
    double all = 0;
    for (int64_t part :
         {t.talp_useful_ns, t.talp_mpi_ns, t.talp_omp_serial_ns,
          t.talp_omp_load_balance_ns, t.talp_omp_scheduling_ns}) {
      all += static_cast<double>(part);
    }
    const double share = static_cast<double>(t.talp_mpi_worker_idle_ns) / all;
    line += cell(all > 0 ? number(share, unit) : "-", " ", width);
  }
  return line;
}

std::string talp_remarks(const JobReport& report, const Columns& columns,
                         size_t width, EfficiencyUnit unit) {
  if (!report.totals.has_mpi || !report.totals.has_openmp) return "";
  return without_end_blanks(worker_idle_row(columns, width, unit)) + "\n" +
         wrapped(" Note: ",
                 "in TALP MPI times OpenMP is not the Parallel Efficiency: "
                 "both are shares of all time, so their losses add up "
                 "instead. Workers that idle while their primary thread is in "
                 "MPI (mpi_worker_idle) count as OpenMP Serialization.");
}

// A table of at most kColumnsMax regions.
std::string table_of(const JobReport& report, const Columns& columns,
                     Model model, const TableOptions& options,
                     Footnotes* footnotes) {
  const size_t width =
      std::min((kReportWidth - kLabelWidth - kLostWidth) / columns.size(),
               kCellWidthMax);
  const bool with_lost = options.view == View::kEfficiency &&
                         columns.front() == global_region(report);

  std::string names = left("", kLabelWidth);
  std::string times = left(" run time", kLabelWidth);
  for (const RegionReport* region : columns) {
    names += name_cell(region->totals.name, width);
    const std::string time = run_time(report, *region);
    times += time == "-" ? cell(time, footnotes->mark(kIncomplete), width)
                         : right(time, width - 1) + " ";
  }
  if (with_lost) names += right("lost", kLostWidth);
  std::string result = title_line(model, options, with_lost) +
                       without_end_blanks(names) + "\n" +
                       without_end_blanks(times) + "\n";
  for (const Metric& metric : shown_metrics(report, model)) {
    std::string line = row_label(metric.label, metric.depth);
    for (const RegionReport* region : columns) {
      line += metric_cell(report, *region, metric, width, options, footnotes);
    }
    if (with_lost)
      line += lost_cell(metric.value(columns.front()->losses), options.unit);
    result += without_end_blanks(line) + "\n";
  }
  if (model == Model::kTalp)
    result += talp_remarks(report, columns, width, options.unit);
  return result;
}

}  // namespace

std::string Footnotes::mark(const std::string& text) {
  auto found = std::find(texts_.begin(), texts_.end(), text);
  if (found == texts_.end()) found = texts_.insert(texts_.end(), text);
  return fmt::format("[{}]", found - texts_.begin() + 1);
}

std::string Footnotes::lines() const {
  std::string result;
  for (size_t i = 0; i < texts_.size(); ++i) {
    result += wrapped(fmt::format(" [{}] ", i + 1), texts_[i]);
  }
  return result;
}

std::vector<const RegionReport*> shown_regions(const JobReport& report,
                                               const TableOptions& options) {
  Columns columns;
  const std::vector<std::string>& names = options.regions;
  for (const RegionReport& region : report.regions) {
    const bool shown = names.empty()
                           ? columns.size() < kColumnsMax
                           : std::find(names.begin(), names.end(),
                                       region.totals.name) != names.end();
    if (shown) columns.push_back(&region);
  }
  return columns;
}

bool layer_present(const JobReport& report, Layer layer) {
  switch (layer) {
    case Layer::kAny:
      return true;
    case Layer::kMpi:
      return report.totals.has_mpi;
    case Layer::kOpenMp:
      return report.totals.has_openmp || report.totals.has_unseen_openmp;
  }
  return true;
}

std::vector<Metric> shown_metrics(const JobReport& report, Model model) {
  std::vector<Metric> metrics;
  size_t count;
  const Metric* const table = metric_table(&count);
  std::copy_if(table, table + count, std::back_inserter(metrics),
               [&](const Metric& metric) {
                 return metric.model == model &&
                        layer_present(report, metric.layer);
               });
  return metrics;
}

std::vector<Model> usual_models(const JobReport& report) {
  // Of a run that TALP measured no other model is known.
  return {is_imported(report) ? Model::kTalp : Model::kCriticalPath};
}

const char* undefined_reason(const JobReport& report,
                             const RegionReport& region, const Metric& metric) {
  if (!layer_present(report, metric.layer)) {
    return metric.layer == Layer::kMpi ? kNoMpi : kNoOpenMp;
  }
  if (metric.layer == Layer::kOpenMp && !report.totals.has_openmp) {
    return kUnseenOpenMp;
  }
  if (is_imported(report)) return kImported;
  Layers layers = layers_of(report, region);
  layers.clocks = true;
  const double with_clocks = metric.value(metrics_of(region.totals, layers));
  return region.clocks_complete || std::isnan(with_clocks) ? kNoSuchTime
                                                           : kIncomplete;
}

const char* outside_reason(const Metric& metric, double value) {
  const Range range = range_of(metric, value);
  return range == Range::kInside ? nullptr : reason_of(range);
}

std::string run_time(const JobReport& report, const RegionReport& region) {
  const double ns = run_time_ns(report, region);
  return std::isnan(ns) ? "-" : duration(std::llround(ns));
}

TableCell cell_of(const RegionReport& region, const Metric& metric,
                  const TableOptions& options) {
  const bool loss = options.view == View::kLoss;
  const double shown = metric.value(loss ? region.losses : region.metrics);
  if (std::isnan(shown)) return {"-", ' '};
  // A loss is marked as the efficiency that it leaves.
  return {number(shown, options.unit),
          mark(loss ? 1 - shown : shown, options.thresholds)};
}

std::string table_title(Model model, const TableOptions& options) {
  const bool talp = model == Model::kTalp;
  const char* const unit =
      options.unit == EfficiencyUnit::kPercent ? "%" : "fractions";
  if (options.view == View::kEfficiency) {
    return fmt::format("{}, {} of {}", label_of(model), unit,
                       talp ? "the threads' time" : "run time");
  }
  return fmt::format("{}, losses in {} of the region's {}", label_of(model),
                     unit, talp ? "thread time" : "core time");
}

std::string model_table(const JobReport& report, Model model,
                        const TableOptions& options, Footnotes* footnotes) {
  const Columns all = shown_regions(report, options);
  std::string result;
  for (size_t i = 0; i < all.size(); i += kColumnsMax) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(i);
    const size_t columns = std::min(all.size() - i, kColumnsMax);
    const auto end = begin + static_cast<std::ptrdiff_t>(columns);
    if (i > 0) result += "\n";
    result += table_of(report, Columns(begin, end), model, options, footnotes);
  }
  return result;
}

}  // namespace poprt
