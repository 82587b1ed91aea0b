#include "document/text_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "document/distinct_names.h"
#include "document/folded_rows.h"
#include "document/format.h"
#include "document/shown.h"
#include "document/text_line.h"
#include "document/text_widths.h"

namespace poprt {
namespace {

constexpr size_t kTitleWidth = 46;

// What the columns mean.  A meaning is broken only if it is longer than a line.
std::string meanings_in(const std::vector<TableColumn>& columns, size_t width) {
  const std::vector<std::string> meanings = meanings_of(columns);
  if (meanings.empty()) return "";
  std::string text;
  std::string line = " (" + meanings.front();
  for (size_t i = 1; i < meanings.size(); ++i) {
    line += ";";
    if (line.size() + 1 + meanings[i].size() + 1 > width) {
      text += line + "\n";
      line = " ";
    }
    line += " " + meanings[i];
  }
  return text + line + ")\n";
}

}  // namespace

std::string TextTables::note_of(const TableCell& cell) {
  has_better_ = has_better_ || cell.grade == Grade::kBetter;
  if (cell.reason.empty()) return shown(cell).sign;
  auto found = std::find(reasons_.begin(), reasons_.end(), cell.reason);
  if (found == reasons_.end()) {
    found = reasons_.insert(reasons_.end(), cell.reason);
  }
  return fmt::format("[{}]", found - reasons_.begin() + 1);
}

std::string TextTables::folded(const Table& table,
                               const std::vector<bool>& is_folded) {
  // A line for each number, with its footnotes.
  std::vector<std::pair<std::string, std::vector<std::string>>> lines;
  for (size_t i = 0; i < table.rows.size(); ++i) {
    if (!is_folded[i]) continue;
    const TableRow& row = table.rows[i];
    // None of anything is the same in each unit.
    std::string number =
        row.cells.front().value == 0 ? "0" : shown(row.cells.front()).number;
    for (size_t column = 0; column < columns_of_values(table); ++column) {
      const std::string note = note_of(row.cells[column]);
      if (number.find(note) == std::string::npos) number += note;
    }
    auto line = std::ranges::find_if(
        lines, [&](const auto& each) { return each.first == number; });
    if (line == lines.end()) line = lines.insert(lines.end(), {number, {}});
    line->second.push_back(
        printable(row.short_label.empty() ? row.label : row.short_label));
  }
  std::string text;
  for (const auto& [number, labels] : lines) {
    const bool has_comma =
        std::ranges::any_of(labels, [](const std::string& label) {
          return label.find(", ") != std::string::npos;
        });
    text +=
        wrapped("   all " + number + ": ",
                fmt::format("{}", fmt::join(labels, has_comma ? "; " : ", ")),
                sentence_width_);
  }
  return text;
}

// The columns from `first` to before `end`.  The column that stands apart is
// put into the first part.
std::string TextTables::part(const Table& table,
                             const std::vector<bool>& is_folded, size_t first,
                             size_t end) {
  const HierarchyWidths widths(table, width_);
  const size_t width = widths.cell(end - first);
  const bool with_apart = table.last_is_apart && first == 0;

  std::string title = " ";
  if (!table.region.empty() && widths.region > 0) {
    title += shortened(printable(table.region), widths.region) + ": ";
  }
  title += table.title;
  if (with_apart && !table.apart.empty()) {
    title = left(title, kTitleWidth) + right(table.apart, width_ - kTitleWidth);
  }
  TextLine names;
  names.add_label("", 0, widths.label);
  std::vector<std::string> columns;
  for (size_t i = 0; i < columns_of_values(table); ++i) {
    columns.push_back(printable(table.columns[i].name));
  }
  columns = distinct_names(columns, width - 1);
  for (size_t i = first; i < end; ++i) names.add_name(columns[i], width);
  if (with_apart) {
    names.add_right(table.columns.back().name, widths.apart);
  }
  std::string text = title + "\n" + names.text();
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const TableRow& row = table.rows[i];
    if (row.is_minor || is_folded[i]) continue;
    TextLine line(color_);
    line.add_label(label_in(widths.label, row), row.depth, widths.label);
    for (size_t column = first; column < end; ++column) {
      const TableCell& cell = row.cells[column];
      const std::string note = note_of(cell);
      const std::string number = shown(cell).number;
      if (cell.unit == CellUnit::kNs && note.empty()) {
        line.add_right(number, width - widths.time_margin);
        line.add_left("", widths.time_margin);
      } else {
        line.add_number(number, note, width, cell.grade);
      }
    }
    if (with_apart) {
      const TableCell& cell = row.cells.back();
      if (cell.unit == CellUnit::kText) {
        line.add_left(cell.text, 1, cell.grade);
      } else {
        line.add_right(shown(cell).number, widths.apart);
      }
    }
    text += line.text();
  }
  for (const std::string& note : table.notes) {
    text += wrapped(" Note: ", note, sentence_width_);
  }
  return text;
}

std::string TextTables::hierarchy(const Table& table) {
  const size_t columns_max = HierarchyWidths(table, width_).columns_max;
  const size_t columns = columns_of_values(table);
  const std::vector<bool> is_folded = folded_rows(table);
  std::string text;
  for (size_t first = 0; first < columns; first += columns_max) {
    if (first > 0) text += "\n";
    text +=
        part(table, is_folded, first, std::min(first + columns_max, columns));
  }
  text += folded(table, is_folded);
  return table.more.empty() ? text : text + " " + table.more + "\n";
}

std::string TextTables::list(const Table& table) const {
  const ListWidths widths = list_widths(table, width_);
  std::string text;
  if (!table.region.empty()) {
    const std::string title = " " + table.title + " of ";
    text = title + shortened(printable(table.region), width_ - title.size()) +
           "\n";
  } else if (!widths.title_is_above_labels) {
    text = " " + shortened(printable(table.title), width_ - 1) + "\n";
  }
  const auto add = [&](TextLine* line, size_t i, const std::string& words) {
    const ListColumn& column = widths.cells[i];
    const std::string shown_words = shortened(words, column.room);
    if (table.columns[i].is_text) {
      line->add_left(left(shown_words, column.room), column.gap);
    } else {
      line->add_right(shown_words, column.width());
    }
  };
  TextLine names;
  if (widths.label > 0) {
    names.add_label(widths.title_is_above_labels ? table.title : "", 0,
                    widths.label);
  }
  for (size_t i = 0; i < table.columns.size(); ++i) {
    add(&names, i, table.columns[i].name);
  }
  text += names.text();
  std::vector<std::string> labels;
  for (const TableRow& row : table.rows) labels.push_back(printable(row.label));
  if (widths.label > 0) labels = distinct_names(labels, widths.label - 1);
  for (size_t row_place = 0; row_place < table.rows.size(); ++row_place) {
    const TableRow& row = table.rows[row_place];
    if (row.cells.empty()) {
      text += "     " + row.label + "\n";
      continue;
    }
    TextLine line(color_);
    if (widths.label > 0) {
      line.add_label(row.short_label.empty() ? labels[row_place]
                                             : label_in(widths.label, row),
                     row.depth, widths.label);
    }
    for (size_t i = 0; i < row.cells.size(); ++i) {
      add(&line, i, printable(shown(row.cells[i]).number));
    }
    text += line.text();
  }
  if (!table.more.empty()) text += " " + table.more + "\n";
  text += meanings_in(table.columns, sentence_width_);
  for (const std::string& note : table.notes) {
    text += wrapped(" (", note + ")", sentence_width_);
  }
  return text;
}

std::string TextTables::text(const Table& table) {
  return table.kind == Table::Kind::kList ? list(table) : hierarchy(table);
}

std::string TextTables::legend() {
  std::string text;
  for (size_t i = 0; i < reasons_.size(); ++i) {
    text += wrapped(fmt::format(" [{}] ", i + 1), printable(reasons_[i]),
                    sentence_width_);
  }
  if (has_better_) text += " + better than the reference\n";
  reasons_.clear();
  has_better_ = false;
  return text;
}

}  // namespace poprt
