#include "report/over_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "document/format.h"
#include "document/shown.h"
#include "model/judge.h"
#include "model/present_rows.h"
#include "report/table.h"

namespace poprt {
namespace {

constexpr size_t kMostDigits = 20;
constexpr size_t kMostPhases = 3;

// The mean of the values of a phase so far, without NaNs.
class Mean {
 public:
  void add(double value) {
    if (std::isnan(value)) return;
    sum_ += value;
    ++count_;
  }
  bool known() const { return count_ > 0; }
  double value() const { return sum_ / count_; }

 private:
  double sum_ = 0;
  double count_ = 0;
};

std::string number_of(const WindowReport& window) {
  return std::to_string(window.index + 1);
}

// "9, 17, ..." of the windows where phases begin.
std::string phases_of(const std::vector<size_t>& begins,
                      const std::vector<WindowReport>& windows) {
  std::string text;
  for (size_t i = 0; i < begins.size(); ++i) {
    if (i == kMostPhases) return text + "...";
    text += (i == 0 ? "" : " ") + number_of(windows[begins[i]]);
  }
  return text;
}

// Whether it is shown as 100 % in all windows.
bool is_full(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) {
    return std::isnan(value) || std::abs(value - 1) < 5e-4;
  });
}

}  // namespace

std::vector<size_t> phase_begins(const std::vector<double>& values) {
  std::vector<size_t> begins;
  Mean phase;
  for (size_t i = 0; i < values.size(); ++i) {
    const auto differs = [&](size_t at, double sign) {
      return at < values.size() &&
             sign * (values[at] - phase.value()) >= kPhaseChange - 1e-9;
    };
    const bool ends =
        phase.known() &&
        std::ranges::any_of(std::vector<double>{-1, 1}, [&](double sign) {
          return differs(i, sign) && differs(i + 1, sign);
        });
    if (ends) {
      begins.push_back(i);
      phase = Mean();
    }
    // A single value that differs does not move the mean.
    if (!phase.known() || !(differs(i, 1) || differs(i, -1))) {
      phase.add(values[i]);
    }
  }
  return begins;
}

std::string sparkline(const std::vector<double>& values, size_t most) {
  const size_t each = (values.size() + most - 1) / std::max<size_t>(most, 1);
  std::string text;
  for (size_t begin = 0; begin < values.size(); begin += each) {
    double lowest = std::nan("");
    for (size_t i = begin; i < std::min(begin + each, values.size()); ++i) {
      lowest = std::fmin(lowest, values[i]);
    }
    if (std::isnan(lowest)) {
      text += '-';
    } else {
      // As shown in per cent: 89.96 % is 90.0 %.
      const double tenths = std::floor((lowest + 5e-4) * 10);
      text += static_cast<char>('0' + std::clamp(tenths, 0.0, 9.0));
    }
  }
  return text;
}

std::string window_words(const WindowSpec& spec, int64_t level) {
  const double steps = std::ldexp(1.0, static_cast<int>(level));
  if (spec.visits == 0) {
    return duration(
        static_cast<int64_t>(static_cast<double>(spec.length_ns) * steps));
  }
  const double visits = static_cast<double>(spec.visits) * steps;
  return fmt::format("{:.0f} {} of {}", visits, visits > 1 ? "visits" : "visit",
                     spec.region);
}

std::string one_window(const JobReport& report) {
  return fmt::format(
      "only one, of {}: shorter ones show what changes over time",
      window_words(report.context.windows, report.windows.level));
}

Table over_time_table(const JobReport& report, Model model,
                      const TableOptions& options) {
  const std::vector<WindowReport>& windows = report.windows.list;
  Table table;
  const std::vector<Metric> metrics = shown_metrics(report, model);
  table.key = "over_time";
  table.model = key_of(model);
  table.title = fmt::format("Over time: {} windows", windows.size());
  table.columns = {
      {.name = "windows",
       .meaning =
           "a digit for each, or for the lowest of several: 9 is 90 % or more",
       .is_text = true},
      {"first"},
      {"worst"},
      {"in", "the number of that window"},
      {"last"},
      {.name = "changes",
       .meaning = "numbers of the windows where a phase begins",
       .is_text = true}};
  bool has_estimates = false;
  const bool red = is_red(report);
  for (const Metric& metric : metrics) {
    if (!metric.is_efficiency()) continue;
    std::vector<double> values;
    for (const WindowReport& window : windows) {
      values.push_back(metric.value(window.metrics));
    }
    const auto known = [](double value) { return !std::isnan(value); };
    if (is_full(values)) continue;
    size_t worst = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      if (!(values[i] >= values[worst]) && known(values[i])) worst = i;
      if (!known(values[worst])) worst = i;
    }
    const auto cell = [&](size_t i) {
      TableCell value = {
          CellUnit::kPercent, values[i], "",
          red ? Grade::kNone : grade_of(values[i], options.thresholds)};
      if (!windows[i].bounds.empty()) {
        value.least = metric.value(windows[i].range.least);
        value.most = metric.value(windows[i].range.most);
      }
      has_estimates = has_estimates || is_estimate(value);
      return value;
    };
    TableRow row = metric_row(metric);
    row.cells = {{.text = sparkline(values, kMostDigits)},
                 cell(0),
                 cell(worst),
                 {.text = number_of(windows[worst])},
                 cell(values.size() - 1),
                 {.text = phases_of(phase_begins(values), windows)}};
    table.rows.push_back(std::move(row));
  }
  if (table.rows.empty()) return table;
  table.more = fmt::format(
      "{}; a window is {}; rows of 100.0 are left out", name_of(model, metrics),
      window_words(report.context.windows, report.windows.level));
  if (has_estimates) {
    table.notes.emplace_back(
        "~: an estimate. These windows were measured in parts; poprt report "
        "--window with a number shows between which values the rows are.");
  }
  return table;
}

Table window_range_table(const JobReport& report, Model model,
                         const TableOptions& options) {
  Table table;
  const std::vector<const RegionReport*> shown = shown_regions(report, options);
  if (options.windows.size() != 1 || shown.size() != 1) return table;
  const Table all = model_table(report, model, options);
  table.title = fmt::format("Bounds of {}, {}", shown.front()->totals.name,
                            name_of(model, shown_metrics(report, model)));
  table.model = all.model;
  table.columns = {{"at least"}, {"at most"}};
  for (const TableRow& row : all.rows) {
    if (row.cells.empty() || !is_estimate(row.cells.front())) continue;
    const TableCell& cell = row.cells.front();
    TableRow bounds = row;
    bounds.cells = {{cell.unit, cell.least}, {cell.unit, cell.most}};
    table.rows.push_back(std::move(bounds));
  }
  return table;
}

}  // namespace poprt
