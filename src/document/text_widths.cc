#include "document/text_widths.h"

#include <algorithm>

#include "document/format.h"
#include "document/shown.h"

namespace poprt {
namespace {

constexpr size_t kLabelWidth = 29;
// Of a cell on a page of the report's width, and on any.
constexpr size_t kCellMax = 18;
constexpr size_t kWideCellMax = 32;
// A mark or footnote stands behind a number.
constexpr size_t kMarks = 3;

// Lists: the labels' width where there is room, the gap before a column, and
// what is left of labels and words where there is little room.
constexpr size_t kListLabel = 33;
constexpr size_t kGap = 2;
constexpr size_t kLeastLabel = 18;
constexpr size_t kLeastWords = 14;

// Of most numbers of a kind, so that a list looks alike in all runs.
size_t usual_width(CellUnit unit) {
  switch (unit) {
    case CellUnit::kText:
      return 0;
    case CellUnit::kNs:
      return 9;
    case CellUnit::kCount:
    case CellUnit::kAmount:
      return 6;
    default:
      return 5;
  }
}

// What is fixed for a kind of table.
struct Layout {
  size_t cell_min;
  size_t apart;
  size_t region;
  bool is_even;  // further tables have columns of the same width as the first
  size_t time_margin;
};
Layout layout_of(Table::Kind kind) {
  if (kind == Table::Kind::kRegions) return {9, 6, 0, false, 1};
  if (kind == Table::Kind::kRuns) return {8, 0, 30, true, 2};
  return {11, 7, 25, true, 2};
}

size_t indent_of(const TableRow& row) {
  return 1 + 2 * static_cast<size_t>(row.depth);
}

// With a blank behind the longest label.
size_t longest_label(const Table& table, bool is_short = false) {
  size_t width = 0;
  for (const TableRow& row : table.rows) {
    if (row.cells.empty()) continue;
    const std::string& label =
        is_short && !row.short_label.empty() ? row.short_label : row.label;
    width = std::max(width, indent_of(row) + columns(printable(label)) + 1);
  }
  return width;
}

size_t longest_name(const Table& table) {
  size_t width = 0;
  for (size_t i = 0; i < columns_of_values(table); ++i) {
    width = std::max(width, columns(printable(table.columns[i].name)));
  }
  return width + kMarks;
}

bool has_labels(const Table& table) {
  return std::ranges::any_of(table.rows, [](const TableRow& row) {
    return !row.cells.empty() && !row.label.empty();
  });
}

ListColumn list_column(const Table& table, size_t column) {
  ListColumn result = {.gap = kGap,
                       .room = columns(printable(table.columns[column].name))};
  size_t usual = 0;
  for (const TableRow& row : table.rows) {
    if (row.cells.size() <= column) continue;
    const TableCell& cell = row.cells[column];
    result.room = std::max(result.room, columns(printable(shown(cell).number)));
    usual = std::max(usual, usual_width(cell.unit));
    result.is_words |= cell.unit == CellUnit::kText && !cell.text.empty();
  }
  result.gap += usual - std::min(usual, result.room);
  return result;
}

}  // namespace

size_t width_needed(const Table& table) {
  if (table.kind == Table::Kind::kList) {
    size_t width = has_labels(table) ? longest_label(table) : 0;
    for (size_t i = 0; i < table.columns.size(); ++i) {
      width += list_column(table, i).width();
    }
    return std::max(kReportWidth, width);
  }
  const Layout layout = layout_of(table.kind);
  const size_t cell =
      std::clamp(longest_name(table), layout.cell_min, kWideCellMax);
  return std::max(kReportWidth, std::max(kLabelWidth, longest_label(table)) +
                                    layout.apart +
                                    cell * columns_of_values(table));
}

size_t columns_of_values(const Table& table) {
  return table.columns.size() - (table.last_is_apart ? 1 : 0);
}

std::string label_in(size_t width, const TableRow& row) {
  if (row.key.empty()) return shortened(printable(row.label), width - 2);
  const bool has_room = indent_of(row) + row.label.size() <= width;
  return has_room || row.short_label.empty() ? row.label : row.short_label;
}

HierarchyWidths::HierarchyWidths(const Table& table, size_t page) {
  const Layout layout = layout_of(table.kind);
  const size_t more = page - kReportWidth;
  label = std::clamp(longest_label(table), kLabelWidth, kLabelWidth + more);
  apart = layout.apart;
  region = layout.region == 0 ? 0 : layout.region + more;
  time_margin = layout.time_margin;
  room_ = page - label - apart;
  columns_max = std::max<size_t>(1, room_ / layout.cell_min);
  cell_max_ = std::clamp(longest_name(table), kCellMax,
                         std::min(kCellMax + more, kWideCellMax));
  even_ = layout.is_even ? std::min(columns_of_values(table), columns_max) : 0;
}

size_t HierarchyWidths::cell(size_t count) const {
  return std::min(room_ / (even_ > 0 ? even_ : count), cell_max_);
}

ListWidths list_widths(const Table& table, size_t page) {
  ListWidths result = {};
  auto& [label, cells, title_is_above_labels] = result;
  const size_t longest = longest_label(table);
  title_is_above_labels = table.region.empty() && has_labels(table);
  const size_t title =
      title_is_above_labels ? columns(printable(table.title)) + 2 : 0;
  if (has_labels(table)) label = std::max({kListLabel, longest, title});
  size_t sum = label;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    cells.push_back(list_column(table, i));
    sum += cells[i].width();
  }
  size_t lacks = sum > page ? sum - page : 0;
  const auto narrow = [&](size_t* width, size_t least) {
    const size_t less = std::min(lacks, *width - std::min(*width, least));
    *width -= less;
    lacks -= less;
  };
  // First what is not needed, then names.
  narrow(&label, std::max(longest, title));
  for (ListColumn& column : cells) narrow(&column.gap, 1);
  narrow(&label, longest);
  narrow(&label, kListLabel);
  narrow(&label, longest_label(table, true));
  const auto words = [](const ListColumn& column) {
    return column.is_words ? column.room : 0;
  };
  while (lacks > 0 && !cells.empty()) {
    ListColumn& widest = *std::ranges::max_element(cells, {}, words);
    if (words(widest) <= kLeastWords) break;
    narrow(&widest.room, widest.room - 1);
  }
  narrow(&label, kLeastLabel);
  title_is_above_labels = title_is_above_labels && title <= label;
  return result;
}

}  // namespace poprt
