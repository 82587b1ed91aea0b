// The difference that a person reads in a terminal.
#include <string>
#include <vector>

#include "compare/difference_cells.h"
#include "compare/difference_writers.h"
#include "report/cells.h"
#include "report/format.h"
#include "report/heading.h"
#include "report/table.h"

namespace poprt {
namespace {

constexpr size_t kCellWidth = 11;

// One side of a change: number and mark, or the footnote.
std::string side(const TableCell& shown, const Change& change, bool color,
                 Footnotes* footnotes) {
  if (shown.number == "-") {
    return cell("-", footnotes->mark(change.reason), kCellWidth);
  }
  const std::string text =
      cell(shown.number, std::string(1, shown.mark), kCellWidth);
  return change.is_time ? text : painted(text, shown.mark, color);
}

std::string line(const Change& change, bool color, Footnotes* footnotes) {
  const ShownChange shown = shown_change(change);
  // Points end above the numbers of per cent.
  const char* const unit = change.is_time ? "" : "  ";
  std::string text = row_label(change.metric.label, change.metric.depth) +
                     side(shown.a, change, color, footnotes) +
                     side(shown.b, change, color, footnotes) +
                     right(shown.difference + unit, kCellWidth) +
                     right(shown.noise + unit, kCellWidth);
  if (!shown.verdict.empty()) {
    text += painted(" " + shown.verdict, shown.verdict == "better" ? ' ' : 'x',
                    color);
  }
  return without_end_blanks(text) + "\n";
}

std::string table_of(const Pair& pair, const std::string& region, Model model,
                     bool color, Footnotes* footnotes) {
  std::string names = left("", kLabelWidth);
  for (const char* name : {"A", "B", "B - A", "noise"}) {
    names += right(std::string(name) + "  ", kCellWidth);
  }
  std::string runs = row_label("runs", 0);
  for (const Configuration* each : {&pair.a, &pair.b}) {
    runs += cell(std::to_string(each->runs.size()), " ", kCellWidth);
  }
  std::string text =
      " " + title_of(pair, shortened(printable(region), 25), model) + "\n" +
      without_end_blanks(names) + "\n" + without_end_blanks(runs) + "\n";
  for (const Change& change : changes(pair.a, pair.b, region, model)) {
    text += line(change, color, footnotes);
  }
  return text;
}

std::string side_line(const char* label, const std::string& name,
                      const Configuration& configuration) {
  return wrapped(
      label,
      shortened(printable(name), 200) + ": " +
          shortened(command_line(configuration.runs[0].report.context), 200));
}

}  // namespace

std::string difference_text(const Comparison& comparison,
                            const DifferenceOptions& options) {
  const Pair& first = comparison.pairs.front();
  std::vector<std::string> blocks = {
      heading_line("difference") + side_line(" A  ", options.name_a, first.a) +
      side_line(" B  ", options.name_b, first.b)};
  Footnotes footnotes;
  for (const Pair& pair : comparison.pairs) {
    for (const std::string& region : options.regions) {
      for (const Model model : options.models) {
        blocks.push_back(
            table_of(pair, region, model, options.color, &footnotes));
      }
    }
  }
  blocks.push_back(footnotes.lines());
  std::string notes;
  for (const std::string& note : notes_of(comparison, options)) {
    notes += wrapped(" Note  ", note);
  }
  blocks.push_back(notes +
                   wrapped(" Noise ", noise_sentence(comparison.pairs)));
  return joined_blocks(blocks);
}

}  // namespace poprt
