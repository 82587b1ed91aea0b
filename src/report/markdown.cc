// The report for issues, merge requests and wikis.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "report/constructs.h"
#include "report/findings.h"
#include "report/format.h"
#include "report/heading.h"
#include "report/markdown_table.h"
#include "report/table.h"
#include "report/writers.h"

namespace poprt {
namespace {

std::string table_of(const JobReport& report, Model model,
                     const TableOptions& options) {
  const auto regions = shown_regions(report, options);
  std::vector<std::string> names;
  std::vector<MarkdownRow> rows = {{"run time", 0, {}}};
  std::vector<std::string> reasons;
  for (const RegionReport* region : regions) {
    names.push_back(markdown_escaped(printable(region->totals.name)));
    rows[0].cells.push_back(run_time(report, *region));
  }
  for (const Metric& metric : shown_metrics(report, model)) {
    MarkdownRow row = {metric.label, metric.depth, {}};
    for (const RegionReport* region : regions) {
      const TableCell cell = cell_of(*region, metric, options);
      row.cells.push_back(markdown_cell(cell.number, cell.mark));
      if (cell.number == "-") {
        reasons.push_back(undefined_reason(report, *region, metric));
      }
    }
    rows.push_back(std::move(row));
  }
  return markdown_table(table_title(model, options), names, rows) +
         markdown_reasons(reasons) + "\n";
}

// Lines that keep their breaks and blanks.
std::string preformatted(const std::string& lines) {
  // Four blanks rather than a fence: no name can end it.
  std::string text = "    ";
  for (const char c : lines) {
    text += c;
    if (c == '\n') text += "    ";
  }
  text.erase(text.find_last_not_of(" \n") + 1);
  return text + "\n\n";
}

}  // namespace

std::string to_markdown(const JobReport& report,
                        const std::vector<Model>& models,
                        const std::string& run_file,
                        const TableOptions& options) {
  std::string text = fmt::format("## {}\n\n{}\n\n",
                                 markdown_escaped(command_line(report.context)),
                                 shape(report.totals));
  if (global_region(report) == nullptr) {
    return text + "Nothing was measured.\n";
  }
  for (const Model model : models) text += table_of(report, model, options);
  std::vector<std::string> blocks = {
      core_time_bars(report), region_ranking(report),
      parallel_region_ranking(report), task_ranking(report)};
  blocks.insert(blocks.end(), options.blocks.begin(), options.blocks.end());
  blocks.push_back(main_finding(report) + next_step(report, run_file));
  blocks.push_back(quality_notes(report));
  for (const std::string& block : blocks) {
    if (!block.empty()) text += preformatted(block);
  }
  text.pop_back();
  return text;
}

}  // namespace poprt
