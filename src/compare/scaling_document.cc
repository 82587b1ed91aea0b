#include "compare/scaling_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "compare/runs.h"
#include "compare/variants.h"
#include "document/format.h"
#include "document/shell_word.h"
#include "model/agreement.h"
#include "model/judge.h"
#include "model/largest_loss.h"
#include "model/present_rows.h"
#include "model/ratio.h"
#include "report/heading.h"
#include "report/reasons.h"
#include "report/repeated_rows.h"
#include "report/table.h"

namespace poprt {
namespace {

using Kind = ScalingRow::Kind;

constexpr size_t kRegionsMax = 10;
constexpr char kGlobal[] = "global_efficiency";
constexpr char kOneRun[] = "one run has no spread";

bool is_fraction(const ScalingRow& row) {
  return row.kind == Kind::kEfficiency || row.kind == Kind::kScaling ||
         row.kind == Kind::kShare || row.kind == Kind::kLoss;
}

// Whether the title of the table has its unit: Global Efficiency and what is
// below it.
bool has_unit_of_table(const ScalingRow& row) {
  return is_fraction(row) &&
         (row.metric.depth > 0 || row.metric.key == std::string_view(kGlobal));
}

// The longest time in a row; NaN if none is known.
double longest(const ScalingRow& row) {
  double result = std::nan("");
  for (const ScalingCell& cell : row.cells) {
    if (cell.values.count > 0) result = std::fmax(result, cell.values.median);
  }
  return result;
}

// That all its cells have; "" if the row's label or the table's title has it.
std::string unit_of(const ScalingRow& row, const ScalingOptions& options) {
  if (has_unit_of_table(row)) return "";
  if (is_fraction(row) || options.spread) return "%";
  if (row.kind == Kind::kFactor) return "factor";
  const bool is_known = row.kind == Kind::kTime && !std::isnan(longest(row));
  return is_known ? unit_for(longest(row)).name : "";
}

// How much repeated runs differ: largest minus least; for times and factors as
// a share of the median.
double spread_of(const ScalingRow& row, const Statistics& values) {
  if (values.count < 2) return kUndefined;
  const double range = values.max - values.min;
  return is_fraction(row) ? range : ratio(range, values.median);
}

TableCell spread_cell(const ScalingRow& row, const ScalingCell& cell) {
  TableCell result = {CellUnit::kPercent, spread_of(row, cell.values)};
  if (cell.values.count == 0) {
    result.reason = cell.reason;
  } else if (std::isnan(result.value)) {
    result.reason = kOneRun;
  }
  return result;
}

// By the limits of the light.
Grade grade_of_waiting(double share) {
  const Cause& cause = *std::ranges::find(
      all_causes(), std::string_view("waited_for_core"), &Cause::key);
  return share > cause.red     ? Grade::kPoor
         : share > cause.amber ? Grade::kAttention
                               : Grade::kNone;
}

// The median of the runs.
TableCell median_cell(const ScalingRow& row, const ScalingCell& cell,
                      const ScalingOptions& options, bool graded) {
  const double value = cell.values.count > 0 ? cell.values.median : kUndefined;
  if (row.kind == Kind::kTime) {
    return {CellUnit::kNumber, value / unit_for(longest(row)).ns, "",
            Grade::kNone, cell.reason};
  }
  if (row.kind == Kind::kFactor || row.kind == Kind::kNumber) {
    return {CellUnit::kFactor, value, "", Grade::kNone, cell.reason};
  }
  TableCell result = {CellUnit::kPercent, value, "", Grade::kNone, cell.reason};
  if (cell.values.count == 0 || row.kind == Kind::kShare) return result;
  if (row.kind == Kind::kLoss) {
    // Also where it is why the run cannot be judged.
    result.grade = grade_of_waiting(value);
    return result;
  }
  if (!graded) return result;
  result.grade = grade_of(row, value, options.thresholds);
  if (row.kind == Kind::kEfficiency) {
    const std::string reason = outside_reason(row.metric, value);
    if (!reason.empty()) result.reason = reason;
  }
  return result;
}

TableRow row_of(const ScalingStudy& study, const ScalingRow& row,
                const ScalingOptions& options) {
  TableRow result = metric_row(row.metric);
  result.unit = unit_of(row, options);
  if (!result.unit.empty()) result.label += ", " + result.unit;
  for (size_t i = 0; i < row.cells.size(); ++i) {
    const ScalingCell& cell = row.cells[i];
    result.cells.push_back(options.spread
                               ? spread_cell(row, cell)
                               : median_cell(row, cell, options,
                                             !is_red(study.configurations[i])));
    result.cells.back().is_least = cell.is_least && !options.spread;
  }
  return result;
}

// Above the figures that rest on these runs.
TableRow row_of_lights(const ScalingStudy& study) {
  TableRow row = {"light", {}, 0, "light"};
  for (const Configuration& configuration : study.configurations) {
    row.cells.push_back({.text = key_of(light_of(configuration))});
  }
  return row;
}

// A table with the columns, what each may be judged by, and how many runs each
// has.
Table table_of_runs(const ScalingStudy& study) {
  Table table = {Table::Kind::kRuns};
  if (std::ranges::any_of(study.configurations, [](const Configuration& each) {
        return is_red(each);
      })) {
    table.rows.push_back(row_of_lights(study));
  }
  TableRow runs = {"runs", {}, 0, "runs"};
  runs.is_minor = !has_repetitions(study);
  for (const Configuration& configuration : study.configurations) {
    table.columns.push_back({configuration.name});
    runs.cells.push_back(
        {CellUnit::kCount, static_cast<double>(configuration.runs.size())});
  }
  table.rows.push_back(std::move(runs));
  return table;
}

// How much repeated runs differ, below the run time.
TableRow spread_row(const ScalingRow& row) {
  TableRow result = {"largest - least, %", {}, 1, "spread"};
  for (const ScalingCell& cell : row.cells) {
    result.cells.push_back({CellUnit::kPercent, spread_of(row, cell.values)});
  }
  return result;
}

// Computation Scaling is the product of the rows below it if the counters ran
// in all useful time, and if no other frequency is compared with.  Else says by
// how much it is not, for the run with the largest difference.
std::string product_note(const ScalingStudy& study,
                         const std::vector<ScalingRow>& rows) {
  const auto value = [&](const char* key, size_t column) {
    return row_of(rows, key)->cells[column].values.median;
  };
  double largest = 0.0005;  // smaller ones do not show
  std::string note;
  for (size_t i = 0; i < study.configurations.size(); ++i) {
    const double product = value("instruction_scaling", i) *
                           value("ipc_scaling", i) *
                           value("frequency_scaling", i);
    const double difference =
        std::abs(product - value("computation_scaling", i));
    if (!(difference > largest)) continue;
    largest = difference;
    note = fmt::format(
        "Instruction x IPC x Frequency Scaling of {} is {} %, not {} %: {}",
        study.configurations[i].name, percent(product),
        percent(value("computation_scaling", i)),
        study.reference_ghz > 0
            ? "Frequency Scaling compares with another frequency"
            : "counters ran in a part of the useful time only, or in other "
              "runs than the times");
  }
  return note;
}

std::vector<Metric> metrics_of(const ScalingStudy& study, Model model) {
  std::vector<const Configuration*> configurations;
  for (const Configuration& each : study.configurations) {
    configurations.push_back(&each);
  }
  return shown_metrics(configurations, model);
}

// first_efficiency() of the regions without a table.
Table table_of_other_regions(const ScalingStudy& study,
                             const ScalingOptions& options) {
  const std::unordered_set<std::string> shown_above(options.regions.begin(),
                                                    options.regions.end());
  std::vector<std::string> names = region_names(study.configurations);
  std::erase_if(names, [&](const std::string& name) {
    return shown_above.contains(name);
  });
  Table table = table_of_runs(study);
  table.title = study.scaling == Scaling::kUnknown ? "Parallel" : "Global";
  table.title += " Efficiency of regions, %";
  table.model = key_of(options.models.front());
  for (const std::string& name : names) {
    if (table.rows.size() > kRegionsMax) break;
    const auto rows = scaling_table(study, name, options.models.front());
    TableRow row = row_of(study, first_efficiency(study, rows), options);
    row.label = name;
    row.depth = 0;
    row.key = "";
    table.rows.push_back(std::move(row));
  }
  if (names.size() > kRegionsMax) {
    table.more = fmt::format(
        "and {}: --region '*' has them all",
        counted(static_cast<int64_t>(names.size() - kRegionsMax), "region"));
  }
  if (names.empty()) table.rows.clear();
  return table;
}

// The row whose efficiency fell most.  A row of one layer is not named if
// another model of that run contradicts it.
const ScalingRow* largest_undenied_fall(const ScalingStudy& study,
                                        const std::vector<ScalingRow>& rows,
                                        size_t last) {
  const ScalingRow* fall = largest_fall(rows, study.reference, last);
  if (fall == nullptr || fall->kind != Kind::kEfficiency) return fall;
  const JobReport& report = study.configurations[last].runs[0].report;
  const Metric row = undenied(report, *global_region(report), fall->metric);
  fall = row_of(rows, row.key);
  return fall->cells[last].values.median <
                 fall->cells[study.reference].values.median
             ? fall
             : nullptr;
}

std::string full_key(const ScalingRow& row, Model model) {
  const bool is_of_model = row.kind == Kind::kEfficiency;
  return (is_of_model ? std::string(key_of(model)) + "." : "") + row.metric.key;
}

}  // namespace

Fact reference_fact(const ScalingStudy& study) {
  const std::string name = reference_name(study);
  return {"Reference", name.empty() ? "none" : name};
}

Grade grade_of(const ScalingRow& row, double value,
               const Thresholds& thresholds) {
  if (row.kind != Kind::kEfficiency && row.kind != Kind::kScaling) {
    return Grade::kNone;
  }
  const bool is_better =
      row.kind == Kind::kScaling && value > 1 && percent(value) != percent(1);
  return is_better ? Grade::kBetter : grade_of(value, thresholds);
}

bool has_repetitions(const ScalingStudy& study) {
  return std::any_of(
      study.configurations.begin(), study.configurations.end(),
      [](const Configuration& each) { return each.runs.size() > 1; });
}

Table scaling_values(const ScalingStudy& study, const std::string& region,
                     Model model, const ScalingOptions& options) {
  Table table = table_of_runs(study);
  table.region = region;
  table.model = key_of(model);
  table.title = table_title(model, metrics_of(study, model)) +
                (options.spread ? ", largest - least" : "");
  const std::vector<ScalingRow> rows = scaling_table(study, region, model);
  if (std::string note = product_note(study, rows); !note.empty()) {
    table.notes.push_back(std::move(note));
  }
  for (const ScalingRow& row : rows) {
    table.rows.push_back(row_of(study, row, options));
    if (row.kind == Kind::kTime && !options.spread && has_repetitions(study)) {
      table.rows.push_back(spread_row(row));
    }
  }
  leave_out_repeated(&table);
  return table;
}

// What limits scaling, from the reference to the run with the most cores.
Findings scaling_findings(const ScalingStudy& study, Model model) {
  const size_t last = largest_like(study.configurations, study.reference);
  if (study.reference == last || reference_name(study).empty()) return {};
  const Configuration& largest = study.configurations[last];
  std::vector<ScalingRow> rows = scaling_table(study, kGlobalRegion, model);
  const ScalingRow first = first_efficiency(study, rows);
  // Names rows that the table shows.
  const Table table = scaling_values(study, kGlobalRegion, model, {});
  std::erase_if(rows, [&](const ScalingRow& row) {
    return std::ranges::find(table.rows, row.metric.key, &TableRow::key) ==
           table.rows.end();
  });
  const double from = first.cells[study.reference].values.median;
  const double to = first.cells[last].values.median;
  if (std::isnan(from) || std::isnan(to)) return {};
  Findings result;
  const bool is_same = percent(from) == percent(to);
  result.findings.push_back(
      {fmt::format(
           "From {} to {} {} {}{} %.",
           study.configurations[study.reference].name, largest.name,
           first.metric.label,
           is_same ? "stayed at " : "went from " + percent(from) + " % to ",
           percent(to)),
       kGlobalRegion, full_key(first, model), to});
  const ScalingRow* const fall = largest_undenied_fall(study, rows, last);
  if (is_same || !(to < from) || fall == nullptr) return result;
  const double fell = fall->cells[study.reference].values.median -
                      fall->cells[last].values.median;
  if (fall->kind == Kind::kEfficiency &&
      !is_above_devices(largest.runs[0].report, fell)) {
    return result;
  }
  const double value = fall->cells[last].values.median;
  const std::string metric = full_key(*fall, model);
  result.findings.push_back(
      {fmt::format("What fell most is {}: from {} to {}.", fall->metric.label,
                   percent(fall->cells[study.reference].values.median),
                   percent(value)),
       kGlobalRegion, metric, value});
  if (fall->kind == Kind::kEfficiency) {
    result.next = fmt::format("poprt explain {} {}", metric,
                              shell_word(largest.runs[0].path));
  }
  return result;
}

Document scaling_document(const ScalingStudy& study, const std::string& how,
                          const ScalingOptions& options) {
  const Configuration& reference = study.configurations[study.reference];
  Document document = {command_line(reference.runs.front().report.context)};
  document.facts = {{{"Scaling", how}, reference_fact(study)}};
  for (const std::string& note :
       variant_notes(study.configurations, study.reference)) {
    document.facts.facts.push_back({"Note", note});
  }
  for (const std::string& region : options.regions) {
    for (const Model model : options.models) {
      if (!is_scaled(model)) continue;
      document.blocks.emplace_back(
          scaling_values(study, region, model, options));
    }
  }
  Table others = table_of_other_regions(study, options);
  if (!others.rows.empty()) document.blocks.emplace_back(std::move(others));
  document.blocks.emplace_back(scaling_findings(study, options.models.front()));
  return document;
}

}  // namespace poprt
