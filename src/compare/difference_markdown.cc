// The difference for issues, merge requests and wikis.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "compare/difference_cells.h"
#include "compare/difference_writers.h"
#include "report/format.h"
#include "report/heading.h"
#include "report/markdown_table.h"

namespace poprt {
namespace {

std::string table_of(const Pair& pair, const std::string& region, Model model) {
  std::vector<MarkdownRow> rows = {
      {"runs",
       0,
       {std::to_string(pair.a.runs.size()), std::to_string(pair.b.runs.size()),
        "", "", ""}}};
  std::vector<std::string> reasons;
  for (const Change& change : changes(pair.a, pair.b, region, model)) {
    const ShownChange shown = shown_change(change);
    rows.push_back({change.metric.label,
                    change.metric.depth,
                    {markdown_cell(shown.a.number, shown.a.mark),
                     markdown_cell(shown.b.number, shown.b.mark),
                     shown.difference, shown.noise, shown.verdict}});
    reasons.push_back(change.reason);
  }
  return markdown_table(
             title_of(pair, markdown_escaped(printable(region)), model),
             {"A", "B", "B - A", "noise", ""}, rows) +
         markdown_reasons(reasons);
}

std::string side_item(const char* label, const std::string& name,
                      const Configuration& configuration) {
  return fmt::format(
      "- {}: {}: {}\n", label, markdown_escaped(printable(name)),
      markdown_escaped(command_line(configuration.runs[0].report.context)));
}

}  // namespace

std::string difference_markdown(const Comparison& comparison,
                                const DifferenceOptions& options) {
  const Pair& first = comparison.pairs.front();
  std::string text = "## Difference\n\n" +
                     side_item("A", options.name_a, first.a) +
                     side_item("B", options.name_b, first.b);
  for (const Pair& pair : comparison.pairs) {
    for (const std::string& region : options.regions) {
      for (const Model model : options.models) {
        text += "\n" + table_of(pair, region, model);
      }
    }
  }
  text += "\n";
  for (const std::string& note : notes_of(comparison, options)) {
    text += "- " + markdown_escaped(note) + "\n";
  }
  return text +
         "- Noise: " + markdown_escaped(noise_sentence(comparison.pairs)) +
         "\n";
}

}  // namespace poprt
