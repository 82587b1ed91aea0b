#include "document/folded_rows.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>

#include "document/format.h"
#include "document/shown.h"

namespace poprt {
namespace {

bool is_full(const TableCell& cell) {
  return cell.unit == CellUnit::kPercent && cell.grade == Grade::kGood &&
         shown(cell).number == percent(1);
}

bool is_unknown(const TableCell& cell) {
  return cell.unit != CellUnit::kText && cell.unit != CellUnit::kNs &&
         std::isnan(cell.value);
}

// Of what is no efficiency, whose 0 would be the worst.
bool is_none(const TableCell& cell) {
  return cell.unit != CellUnit::kText && cell.unit != CellUnit::kNs &&
         cell.grade == Grade::kNone && cell.value == 0;
}

bool is_no_loss(const TableCell& cell) {
  const std::string lost = shown(cell).number;
  return lost.empty() || lost == "-" || lost == percent(0);
}

bool is_plain(const Table& table, const TableRow& row) {
  if (row.key.empty() || row.cells.empty()) return false;
  std::span<const TableCell> cells = row.cells;
  if (table.last_is_apart) {
    if (!is_no_loss(cells.back())) return false;
    cells = cells.first(cells.size() - 1);
  }
  if (cells.empty()) return false;
  return std::ranges::all_of(cells, is_unknown) ||
         std::ranges::all_of(cells, is_none) ||
         (row.depth > 0 && std::ranges::all_of(cells, is_full));
}

}  // namespace

std::vector<bool> folded_rows(const Table& table) {
  std::vector<bool> is_folded(table.rows.size(), false);
  const bool is_hierarchy =
      table.kind == Table::Kind::kRegions || table.kind == Table::Kind::kRuns;
  if (!is_hierarchy) return is_folded;
  for (size_t i = table.rows.size(); i-- > 0;) {
    bool can_be = is_plain(table, table.rows[i]);
    for (size_t below = i + 1; can_be && below < table.rows.size() &&
                               table.rows[below].depth > table.rows[i].depth;
         ++below) {
      can_be = is_folded[below];
    }
    is_folded[i] = can_be;
  }
  if (std::ranges::count(is_folded, true) == 1) {
    is_folded.assign(is_folded.size(), false);
  }
  return is_folded;
}

}  // namespace poprt
