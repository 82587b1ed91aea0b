// The scaling table for issues, merge requests and wikis.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "compare/scaling_cells.h"
#include "compare/scaling_writers.h"
#include "compare/variants.h"
#include "report/format.h"
#include "report/heading.h"
#include "report/markdown_table.h"
#include "report/table.h"

namespace poprt {
namespace {

std::string table_of(const ScalingStudy& study, const std::string& region,
                     Model model, bool spread) {
  std::vector<std::string> names;
  std::vector<MarkdownRow> rows = {{"runs", 0, {}}};
  std::vector<std::string> reasons;
  for (const Configuration& configuration : study.configurations) {
    names.push_back(configuration.name);
    rows[0].cells.push_back(std::to_string(configuration.runs.size()));
  }
  for (const ScalingRow& row : scaling_table(study, region, model)) {
    MarkdownRow shown = {label_of(row, spread), row.metric.depth, {}};
    for (size_t i = 0; i < row.cells.size(); ++i) {
      const TableCell cell = shown_cell(row, i, spread);
      shown.cells.push_back(markdown_cell(cell.number, cell.mark));
      reasons.push_back(row.cells[i].reason);
    }
    rows.push_back(std::move(shown));
  }
  return markdown_table(
             fmt::format("{}: {}{}", markdown_escaped(printable(region)),
                         table_title(model, {}),
                         spread ? ", largest - least" : ""),
             names, rows) +
         markdown_reasons(reasons);
}

}  // namespace

std::string scaling_markdown(const ScalingStudy& study, const std::string& how,
                             const ScalingOptions& options) {
  const Configuration& reference = study.configurations[study.reference];
  std::string text = fmt::format(
      "## {}\n\nScaling: {}. Reference: {}.\n",
      markdown_escaped(command_line(reference.runs.front().report.context)),
      markdown_escaped(how), reference.name);
  const std::vector<std::string> notes =
      variant_notes(study.configurations, study.reference);
  if (!notes.empty()) text += "\n";
  for (const std::string& note : notes) {
    text += "- " + markdown_escaped(note) + "\n";
  }
  for (const std::string& region : options.regions) {
    for (const Model model : options.models) {
      text += "\n" + table_of(study, region, model, options.spread);
    }
  }
  return text;
}

}  // namespace poprt
