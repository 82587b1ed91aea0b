// The scaling table that a person reads in a terminal.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_set>
#include <vector>

#include "compare/runs.h"
#include "compare/scaling_cells.h"
#include "compare/scaling_writers.h"
#include "compare/variants.h"
#include "report/agreement.h"
#include "report/cells.h"
#include "report/format.h"
#include "report/heading.h"
#include "report/table.h"

namespace poprt {
namespace {

constexpr size_t kColumnsMax = 6;
constexpr size_t kRegionsMax = 10;
constexpr char kOneRun[] = "one run has no spread";

// Writes tables of a study; collects the reasons for what they lack.
class Tables {
 public:
  Tables(const ScalingStudy& study, const ScalingOptions& options)
      : study_(study), options_(options) {}

  std::string of_region(const std::string& region, Model model) {
    const std::vector<ScalingRow> rows = scaling_table(study_, region, model);
    std::string title =
        " " + shortened(printable(region), 30) + ": " + table_title(model, {});
    if (options_.spread) title += ", largest - least";
    std::string text;
    for (size_t first = 0; first < columns(); first += kColumnsMax) {
      text += (first > 0 ? "\n" : "") + title + "\n" + heading(first);
      for (const ScalingRow& row : rows) {
        text += line(label_of(row, options_.spread), row, first);
        if (row.kind == ScalingRow::Kind::kTime) text += spread(row, first);
      }
    }
    return text;
  }

  // Global Efficiency of the regions that have no table.
  std::string of_other_regions() {
    const std::unordered_set<std::string> shown_above(options_.regions.begin(),
                                                      options_.regions.end());
    std::vector<std::string> names = region_names(study_.configurations);
    std::erase_if(names, [&](const std::string& name) {
      return shown_above.contains(name);
    });
    if (names.empty()) return "";
    const size_t shown = std::min(names.size(), kRegionsMax);
    std::string text;
    for (size_t first = 0; first < columns(); first += kColumnsMax) {
      text += (first > 0 ? "\n" : "") +
              std::string(" Global Efficiency of regions, %\n") +
              heading(first);
      for (size_t i = 0; i < shown; ++i) {
        const auto rows =
            scaling_table(study_, names[i], options_.models.front());
        text += line(shortened(printable(names[i]), kLabelWidth - 2),
                     *row_of(rows, "global_efficiency"), first);
      }
    }
    if (shown < names.size()) {
      text += fmt::format(
          " and {}: --region '*' has them all\n",
          counted(static_cast<int64_t>(names.size() - shown), "region"));
    }
    return text;
  }

  std::string footnotes() const {
    return footnotes_.lines() +
           (better_ ? " + better than the reference\n" : "");
  }

 private:
  size_t columns() const { return study_.configurations.size(); }
  size_t end_of(size_t first) const {
    return std::min(first + kColumnsMax, columns());
  }
  size_t width() const {
    return std::min(
        (kReportWidth - kLabelWidth) / std::min(columns(), kColumnsMax),
        kCellWidthMax);
  }
  bool repeated() const {
    return std::any_of(
        study_.configurations.begin(), study_.configurations.end(),
        [](const Configuration& c) { return c.runs.size() > 1; });
  }

  std::string heading(size_t first) const {
    std::string names = left("", kLabelWidth);
    std::string runs = row_label("runs", 0);
    for (size_t i = first; i < end_of(first); ++i) {
      const Configuration& configuration = study_.configurations[i];
      names += name_cell(configuration.name, width());
      runs += cell(std::to_string(configuration.runs.size()), " ", width());
    }
    names = without_end_blanks(names) + "\n";
    return repeated() ? names + without_end_blanks(runs) + "\n" : names;
  }

  std::string line(const std::string& label, const ScalingRow& row,
                   size_t first) {
    std::string text = row_label(label, row.metric.depth);
    for (size_t i = first; i < end_of(first); ++i) {
      const TableCell shown = shown_cell(row, i, options_.spread);
      text += painted(cell(shown.number, note(row, i, shown), width()),
                      shown.mark, options_.color && shown.number != "-");
      better_ = better_ || shown.mark == '+';
    }
    return without_end_blanks(text) + "\n";
  }

  // How much repeated runs differ, below the run time.
  std::string spread(const ScalingRow& row, size_t first) {
    if (options_.spread || !repeated()) return "";
    std::string text = row_label("largest - least, %", 1);
    for (size_t i = first; i < end_of(first); ++i) {
      text += cell(shown_cell(row, i, true).number, " ", width());
    }
    return without_end_blanks(text) + "\n";
  }

  // The mark of a cell, or the number of a footnote.
  std::string note(const ScalingRow& row, size_t column,
                   const TableCell& shown) {
    const ScalingCell& c = row.cells[column];
    if (c.values.count == 0) return footnotes_.mark(c.reason);
    if (shown.number == "-") return footnotes_.mark(kOneRun);
    const char* const excuse =
        row.kind == ScalingRow::Kind::kEfficiency && !options_.spread
            ? outside_reason(row.metric, c.values.median)
            : nullptr;
    return excuse != nullptr ? footnotes_.mark(excuse)
                             : std::string(1, shown.mark);
  }

  const ScalingStudy& study_;
  const ScalingOptions& options_;
  Footnotes footnotes_;
  bool better_ = false;  // a cell has a '+'
};

// What limits scaling, from the reference to the most cores.
std::string finding(const ScalingStudy& study, Model model) {
  const size_t last = largest_like(study.configurations, study.reference);
  if (study.reference == last) return "";
  const std::vector<ScalingRow> rows =
      scaling_table(study, kGlobalRegion, model);
  const ScalingRow* const global = row_of(rows, "global_efficiency");
  const double from = global->cells[study.reference].values.median;
  const double to = global->cells[last].values.median;
  if (std::isnan(from) || std::isnan(to)) return "";
  std::string text =
      fmt::format("From {} to {} Global Efficiency went from {} % to {} %.",
                  study.configurations[study.reference].name,
                  study.configurations[last].name, percent(from), percent(to));
  const ScalingRow* fall = largest_fall(rows, study.reference, last);
  // A row that another model of that run denies is not named alone.
  if (fall != nullptr && fall->metric.value != nullptr) {
    const JobReport& report = study.configurations[last].runs[0].report;
    const Metric row = undenied(report, *global_region(report), fall->metric);
    fall = row_of(rows, row.key);
    if (!(fall->cells[last].values.median <
          fall->cells[study.reference].values.median)) {
      fall = nullptr;
    }
  }
  if (to < from && fall != nullptr) {
    text +=
        fmt::format(" What fell most is {}: from {} to {}.", fall->metric.label,
                    percent(fall->cells[study.reference].values.median),
                    percent(fall->cells[last].values.median));
  }
  std::string result = wrapped(" Main finding  ", text);
  if (to < from && fall != nullptr &&
      fall->kind == ScalingRow::Kind::kEfficiency) {
    result += wrapped(
        " Try next      ",
        fmt::format("poprt explain {}.{} {}", key_of(model), fall->metric.key,
                    printable(study.configurations[last].runs[0].path)));
  }
  return result;
}

}  // namespace

std::string scaling_text(const ScalingStudy& study, const std::string& how,
                         const ScalingOptions& options) {
  const Configuration& reference = study.configurations[study.reference];
  std::vector<std::string> blocks = {
      heading_line(command_line(reference.runs.front().report.context)) +
      wrapped(" Scaling    ", how) + wrapped(" Reference  ", reference.name)};
  for (const std::string& note :
       variant_notes(study.configurations, study.reference)) {
    blocks.front() += wrapped(" Note       ", note);
  }
  Tables tables(study, options);
  for (const std::string& region : options.regions) {
    for (const Model model : options.models) {
      blocks.push_back(tables.of_region(region, model));
    }
  }
  blocks.push_back(tables.of_other_regions());
  blocks.push_back(tables.footnotes());
  blocks.push_back(finding(study, options.models.front()));
  return joined_blocks(blocks);
}

}  // namespace poprt
