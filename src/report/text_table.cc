#include "report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "report/format.h"
#include "report/shown.h"
#include "report/text_line.h"

namespace poprt {
namespace {

constexpr size_t kLabelWidth = 29;
constexpr size_t kCellWidthMax = 18;
constexpr size_t kTitleWidth = 46;

// The label of a row in a hierarchy.  Every row is an efficiency, so that word
// is left out if there is no room.
std::string label_of(const TableRow& row) {
  std::string label = row.label;
  if (row.key.empty()) return shortened(printable(label), kLabelWidth - 2);
  constexpr std::string_view kWord = " Efficiency";
  const size_t width = 1 + 2 * static_cast<size_t>(row.depth) + label.size();
  if (width > kLabelWidth && label.ends_with(kWord)) {
    label.resize(label.size() - kWord.size());
  }
  return label;
}

// What the columns mean, with those of the same meaning together.  A meaning is
// broken only if it is longer than a line.
std::string meanings_of(const std::vector<TableColumn>& columns) {
  std::vector<std::string> meanings;
  for (auto first = columns.begin(); first != columns.end(); ++first) {
    const auto is_alike = [&](const TableColumn& each) {
      return each.meaning == first->meaning;
    };
    if (first->meaning.empty() ||
        std::any_of(columns.begin(), first, is_alike)) {
      continue;
    }
    std::string names;
    for (const TableColumn& each : columns) {
      if (is_alike(each)) names += (names.empty() ? "" : ", ") + each.name;
    }
    meanings.push_back(names + ": " + first->meaning);
  }
  if (meanings.empty()) return "";
  std::string text;
  std::string line = " (" + meanings.front();
  for (size_t i = 1; i < meanings.size(); ++i) {
    line += ";";
    if (line.size() + 1 + meanings[i].size() + 1 > kReportWidth) {
      text += line + "\n";
      line = " ";
    }
    line += " " + meanings[i];
  }
  return text + line + ")\n";
}

}  // namespace

// How the columns of a table share its width.
struct TextTables::Layout {
  size_t columns_max;   // further columns go into further tables
  size_t apart_width;   // width left for the column that stands apart
  size_t region_width;  // width of the region's name in the title
  bool is_even;  // further tables have columns of the same width as the first
  // after a time, whose unit may stand in the place of marks
  size_t time_margin;

  static Layout of(Table::Kind kind) {
    if (kind == Table::Kind::kRegions) return {5, 6, 0, false, 1};
    if (kind == Table::Kind::kRuns) return {6, 0, 30, true, 2};
    return {4, 7, 25, true, 2};
  }
};

std::string TextTables::note_of(const TableCell& cell) {
  has_better_ = has_better_ || cell.grade == Grade::kBetter;
  if (cell.reason.empty()) return shown(cell).sign;
  auto found = std::find(reasons_.begin(), reasons_.end(), cell.reason);
  if (found == reasons_.end()) {
    found = reasons_.insert(reasons_.end(), cell.reason);
  }
  return fmt::format("[{}]", found - reasons_.begin() + 1);
}

// The columns from `first` to before `end`.  The column that stands apart is
// put into the first part.
std::string TextTables::part(const Table& table, const Layout& layout,
                             size_t first, size_t end) {
  const size_t columns = table.columns.size() - (table.last_is_apart ? 1 : 0);
  const size_t side_by_side =
      layout.is_even ? std::min(columns, layout.columns_max) : end - first;
  const size_t width =
      std::min((kReportWidth - kLabelWidth - layout.apart_width) / side_by_side,
               kCellWidthMax);
  const bool with_apart = table.last_is_apart && first == 0;

  std::string title = " ";
  if (!table.region.empty() && layout.region_width > 0) {
    title += shortened(printable(table.region), layout.region_width) + ": ";
  }
  title += table.title;
  if (with_apart && !table.apart.empty()) {
    title = left(title, kTitleWidth) +
            right(table.apart, kReportWidth - kTitleWidth);
  }
  TextLine names;
  names.add_label("", 0, kLabelWidth);
  for (size_t i = first; i < end; ++i) {
    names.add_name(table.columns[i].name, width);
  }
  if (with_apart) {
    names.add_right(table.columns.back().name, layout.apart_width);
  }
  std::string text = title + "\n" + names.text();
  for (const TableRow& row : table.rows) {
    if (row.is_minor) continue;
    TextLine line(color_);
    line.add_label(label_of(row), row.depth, kLabelWidth);
    for (size_t i = first; i < end; ++i) {
      const TableCell& cell = row.cells[i];
      const std::string note = note_of(cell);
      const std::string number = shown(cell).number;
      if (cell.unit == CellUnit::kNs && note.empty()) {
        line.add_right(number, width - layout.time_margin);
        line.add_left("", layout.time_margin);
      } else {
        line.add_number(number, note, width, cell.grade);
      }
    }
    if (with_apart) {
      const TableCell& cell = row.cells.back();
      if (cell.unit == CellUnit::kText) {
        line.add_left(cell.text, 1, cell.grade);
      } else {
        line.add_right(shown(cell).number, layout.apart_width);
      }
    }
    text += line.text();
  }
  for (const std::string& note : table.notes) text += wrapped(" Note: ", note);
  return text;
}

std::string TextTables::hierarchy(const Table& table) {
  const Layout layout = Layout::of(table.kind);
  const size_t columns = table.columns.size() - (table.last_is_apart ? 1 : 0);
  std::string text;
  for (size_t first = 0; first < columns; first += layout.columns_max) {
    if (first > 0) text += "\n";
    text += part(table, layout, first,
                 std::min(first + layout.columns_max, columns));
  }
  return table.more.empty() ? text : text + " " + table.more + "\n";
}

std::string TextTables::list(const Table& table) const {
  // The title is in the line above the labels if there are labels, else in a
  // line of its own.
  const bool has_labels = table.label_width > 0;
  const bool is_above_labels = has_labels && table.region.empty();
  std::string text;
  if (!table.region.empty()) {
    const std::string title = " " + table.title + " of ";
    text = title +
           shortened(printable(table.region), kReportWidth - title.size()) +
           "\n";
  } else if (!has_labels) {
    text = " " + table.title + "\n";
  }
  TextLine names;
  if (has_labels) {
    names.add_label(is_above_labels ? table.title : "", 0, table.label_width);
  }
  for (const TableColumn& column : table.columns) {
    if (column.is_text) {
      names.add_left(column.name, 2);
    } else {
      names.add_right(column.name, column.width);
    }
  }
  text += names.text();
  for (const TableRow& row : table.rows) {
    if (row.cells.empty()) {
      text += "     " + row.label + "\n";
      continue;
    }
    TextLine line(color_);
    if (has_labels) {
      line.add_label(shortened(printable(row.label), table.label_width - 1),
                     row.depth, table.label_width);
    }
    for (size_t i = 0; i < row.cells.size(); ++i) {
      const TableColumn& column = table.columns[i];
      if (column.is_text) {
        line.add_left(shortened(printable(row.cells[i].text), column.width), 2);
      } else {
        line.add_right(shown(row.cells[i]).number, column.width);
      }
    }
    text += line.text();
  }
  if (!table.more.empty()) text += " " + table.more + "\n";
  text += meanings_of(table.columns);
  for (const std::string& note : table.notes) {
    text += wrapped(" (", note + ")");
  }
  return text;
}

std::string TextTables::text(const Table& table) {
  return table.kind == Table::Kind::kList ? list(table) : hierarchy(table);
}

std::string TextTables::legend() {
  std::string text;
  for (size_t i = 0; i < reasons_.size(); ++i) {
    text += wrapped(fmt::format(" [{}] ", i + 1), printable(reasons_[i]));
  }
  if (has_better_) text += " + better than the reference\n";
  reasons_.clear();
  has_better_ = false;
  return text;
}

}  // namespace poprt
