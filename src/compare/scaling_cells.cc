#include "compare/scaling_cells.h"

#include <fmt/format.h>

#include <cmath>

#include "report/format.h"

namespace poprt {
namespace {

using Kind = ScalingRow::Kind;

// The longest time of a row; NaN where none is known.
double longest(const ScalingRow& row) {
  double result = std::nan("");
  for (const ScalingCell& cell : row.cells) {
    if (cell.values.count > 0) result = std::fmax(result, cell.values.median);
  }
  return result;
}

TableCell shown_spread(const ScalingRow& row, const Statistics& values) {
  if (values.count < 2) return {"-", ' '};
  const double range = values.max - values.min;
  const bool fraction =
      row.kind == Kind::kEfficiency || row.kind == Kind::kScaling;
  if (fraction) return {percent(range), ' '};
  return {values.median > 0 ? percent(range / values.median) : "-", ' '};
}

}  // namespace

TableCell shown_cell(const ScalingRow& row, size_t column, bool spread) {
  const Statistics& values = row.cells[column].values;
  if (spread) return shown_spread(row, values);
  if (values.count == 0) return {"-", ' '};
  const double value = values.median;
  switch (row.kind) {
    case Kind::kTime:
      return {four_digits(value / unit_for(longest(row)).ns), ' '};
    case Kind::kFactor:
      return {fmt::format("{:.2f}", value), ' '};
    case Kind::kEfficiency:
      return {percent(value), mark(value)};
    case Kind::kScaling:
      // By what is shown, as marks are.
      return {percent(value),
              value > 1 && percent(value) != percent(1) ? '+' : mark(value)};
  }
  return {"-", ' '};
}

std::string label_of(const ScalingRow& row, bool spread) {
  const std::string label = row.metric.label;
  const bool fraction =
      row.kind == Kind::kEfficiency || row.kind == Kind::kScaling;
  if (fraction) return label;
  if (spread) return label + ", %";
  const bool known = row.kind == Kind::kTime && !std::isnan(longest(row));
  return known ? label + ", " + unit_for(longest(row)).name : label;
}

}  // namespace poprt
