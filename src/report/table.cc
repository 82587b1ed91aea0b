#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "report/format.h"

namespace poprt {
namespace {

// A line is label, one cell for each region, what the row lost.
constexpr size_t kLabelWidth = 29;
constexpr size_t kLostWidth = 6;
constexpr size_t kCellWidthMax = 18;
constexpr size_t kColumnsMax = 5;
constexpr size_t kTitleWidth = 46;

constexpr char kIncomplete[] =
    "more than 64 regions: the clocks of this one did not travel with all "
    "messages";
constexpr char kUnseenOpenMp[] =
    "not measured: GCC's OpenMP runtime tells tools nothing (see the note)";
constexpr char kUndefined[] = "undefined (0/0): no such time in the region";
constexpr char kCompensation[] =
    "may exceed 100: it is what MPI does not explain, and the threads make up "
    "for some of what MPI lost";
constexpr char kUnequalVisits[] =
    "above 100: processes spent unequal time in the region";
constexpr char kMistake[] =
    "cannot be below 0 or above 100: please report this with the run file";

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

// Text of a cell: number, then mark or footnote in the last three columns.
std::string cell(const std::string& number, const std::string& note,
                 size_t width) {
  return note.size() == 3 ? right(number + note, width)
                          : right(number, width - 2) + " " + note;
}

// A name ends over its numbers if it can, else over their marks.
std::string name_cell(const std::string& name, size_t width) {
  const std::string text = shortened(printable(name), width - 1);
  const std::string over_numbers = right(text, width - 2) + "  ";
  return over_numbers.front() == ' ' ? over_numbers : right(text, width);
}

// Why this metric is NaN.
const char* reason(const JobReport& report, const RegionReport& region,
                   const Metric& metric) {
  if (metric.layer == Layer::kOpenMp && !report.totals.has_openmp) {
    return kUnseenOpenMp;
  }
  Layers layers = layers_of(report, region);
  layers.clocks = true;
  const double with_clocks = metric.value(metrics_of(region.totals, layers));
  return region.clocks_complete || std::isnan(with_clocks) ? kUndefined
                                                           : kIncomplete;
}

// Why this metric is not between 0 and 100 as shown.
const char* excuse(const Metric& metric, double value) {
  const bool above = value > 1;
  if (above && metric.model == Model::kMultiplicative &&
      metric.layer == Layer::kOpenMp) {
    return kCompensation;
  }
  if (above && metric.model == Model::kTalp && metric.layer == Layer::kMpi) {
    return kUnequalVisits;
  }
  return kMistake;
}

std::string metric_cell(const JobReport& report, const RegionReport& region,
                        const Metric& metric, size_t width,
                        Footnotes* footnotes) {
  const double value = metric.value(region.metrics);
  if (std::isnan(value)) {
    return cell("-", footnotes->mark(reason(report, region, metric)), width);
  }
  const std::string number = percent(value);
  // By what is shown: 1 + 10^-9 is rounding, not news.
  const bool outside =
      number.front() == '-' || (value > 1 && number != percent(1));
  return cell(number,
              outside ? footnotes->mark(excuse(metric, value))
                      : std::string(1, mark(value)),
              width);
}

std::string lost_cell(double loss) {
  return right(std::isnan(loss) ? "-" : percent(loss), kLostWidth);
}

std::string row_label(const Metric& metric) {
  const std::string indent(1 + 2 * static_cast<size_t>(metric.depth), ' ');
  std::string label = indent + metric.label;
  // Every row is an efficiency; where the word does not fit it can go.
  constexpr std::string_view kWord = " Efficiency";
  if (label.size() > kLabelWidth && label.size() > kWord.size()) {
    label.resize(label.size() - kWord.size());
  }
  return left(label, kLabelWidth);
}

// Of what the rows are per cent, and what `lost` is per cent of.
std::string title_line(Model model, bool with_loss) {
  const bool talp = model == Model::kTalp;
  const std::string title = fmt::format(
      " {}, % of {}", label_of(model), talp ? "the threads' time" : "run time");
  if (!with_loss) return title + "\n";
  const std::string lost =
      talp ? "lost: % of the threads' time" : "lost: % of the job's core time";
  return left(title, kTitleWidth) + right(lost, kReportWidth - kTitleWidth) +
         "\n";
}

// TALP's OpenMP rows hold what other models call MPI: say how much.
std::string worker_idle_row(const JobReport& report, size_t columns,
                            size_t width) {
  std::string line = left(" mpi_worker_idle, % lost", kLabelWidth);
  for (size_t i = 0; i < columns; ++i) {
    const RegionTotals& t = report.regions[i].totals;
    const int64_t all = t.talp_useful_ns + t.talp_mpi_ns +
                        t.talp_omp_serial_ns + t.talp_omp_load_balance_ns +
                        t.talp_omp_scheduling_ns;
    const double share = static_cast<double>(t.talp_mpi_worker_idle_ns) /
                         static_cast<double>(all);
    line += cell(all > 0 ? percent(share) : "-", " ", width);
  }
  return line;
}

std::string talp_remarks(const JobReport& report, size_t columns,
                         size_t width) {
  if (!report.totals.has_mpi || !report.totals.has_openmp) return "";
  std::string idle = worker_idle_row(report, columns, width);
  idle.erase(idle.find_last_not_of(' ') + 1);
  return idle + "\n" +
         wrapped(" Note: ",
                 "in TALP MPI times OpenMP is not the Parallel Efficiency: "
                 "both are shares of all time, so their losses add up "
                 "instead. Workers that idle while their primary thread is in "
                 "MPI (mpi_worker_idle) count as OpenMP Serialization.");
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

std::string model_table(const JobReport& report, Model model,
                        Footnotes* footnotes) {
  const std::vector<RegionReport>& regions = report.regions;
  const size_t columns = std::min(regions.size(), kColumnsMax);
  if (columns == 0) return "";
  const size_t width = std::min(
      (kReportWidth - kLabelWidth - kLostWidth) / columns, kCellWidthMax);
  const bool with_loss = global_region(report) != nullptr;

  std::string names = left("", kLabelWidth);
  std::string times = left(" run time", kLabelWidth);
  for (size_t i = 0; i < columns; ++i) {
    const RegionReport& region = regions[i];
    names += name_cell(region.totals.name, width);
    times += region.clocks_complete
                 ? right(duration(region.totals.all_ns), width - 1) + " "
                 : cell("-", footnotes->mark(kIncomplete), width);
  }
  if (with_loss) names += right("lost", kLostWidth);
  times.erase(times.find_last_not_of(' ') + 1);
  std::string result =
      title_line(model, with_loss) + names + "\n" + times + "\n";

  size_t count;
  const Metric* const table = metric_table(&count);
  for (const Metric* metric = table; metric != table + count; ++metric) {
    if (metric->model != model || !layer_present(report, metric->layer)) {
      continue;
    }
    std::string line = row_label(*metric);
    for (size_t i = 0; i < columns; ++i) {
      line += metric_cell(report, regions[i], *metric, width, footnotes);
    }
    if (with_loss) line += lost_cell(metric->value(regions[0].losses));
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  }
  if (model == Model::kTalp) result += talp_remarks(report, columns, width);
  return result;
}

}  // namespace poprt
