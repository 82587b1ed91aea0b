#include "document/text_widths.h"

#include <algorithm>

#include "document/format.h"

namespace poprt {
namespace {

constexpr size_t kLabelWidth = 29;
// Of a cell on a page of the report's width, and on any.
constexpr size_t kCellMax = 18;
constexpr size_t kWideCellMax = 32;
// A mark or footnote stands behind a number.
constexpr size_t kMarks = 3;

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
size_t longest_label(const Table& table) {
  size_t width = 0;
  for (const TableRow& row : table.rows) {
    if (row.cells.empty()) continue;
    width = std::max(width, indent_of(row) + columns(printable(row.label)) + 1);
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

size_t longest_text(const Table& table, size_t column) {
  size_t width = 0;
  for (const TableRow& row : table.rows) {
    if (row.cells.size() <= column) continue;
    width = std::max(width, columns(printable(row.cells[column].text)));
  }
  return width;
}

// How much wider than its builder made it a list would be with all its names.
size_t list_lacks(const Table& table) {
  size_t sum = 0;
  if (table.label_width > 0) {
    sum = std::max(longest_label(table), table.label_width) - table.label_width;
  }
  for (size_t i = 0; i < table.columns.size(); ++i) {
    const TableColumn& column = table.columns[i];
    if (!column.is_text) continue;
    sum += std::max(longest_text(table, i), column.width) - column.width;
  }
  return sum;
}

}  // namespace

size_t width_needed(const Table& table) {
  if (table.kind == Table::Kind::kList) {
    return kReportWidth + list_lacks(table);
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

ListWidths::ListWidths(const Table& table, size_t page)
    : label(table.label_width), texts(table.columns.size()) {
  size_t more = page - kReportWidth;
  const auto widen = [&](size_t width, size_t longest) {
    const size_t extra = std::min(std::max(longest, width) - width, more);
    more -= extra;
    return width + extra;
  };
  if (label > 0) label = widen(label, longest_label(table));
  for (size_t i = 0; i < texts.size(); ++i) {
    if (!table.columns[i].is_text) continue;
    texts[i] = widen(table.columns[i].width, longest_text(table, i));
  }
}

}  // namespace poprt
