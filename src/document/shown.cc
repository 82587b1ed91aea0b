#include "document/shown.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "document/format.h"

namespace poprt {
namespace {

constexpr double kOnePoint = 0.01;

std::string time_of(double ns) {
  constexpr double kTooMuch = 9223372036854775808.0;  // 2^63
  return duration(ns >= kTooMuch ? INT64_MAX : std::llround(ns));
}

std::string with_sign(const std::string& number) {
  return number.front() == '-' ? number : "+" + number;
}

std::string number_of(const TableCell& cell) {
  switch (cell.unit) {
    case CellUnit::kText:
      return cell.text;
    case CellUnit::kCount:
      return fmt::format("{:.0f}", cell.value);
    case CellUnit::kAmount:
      return with_prefix(cell.value);
    case CellUnit::kNs:
      return time_of(cell.value);
    case CellUnit::kNumber:
      return four_digits(cell.value);
    case CellUnit::kFactor:
      return fmt::format("{:.2f}", cell.value);
    case CellUnit::kPercent:
    case CellUnit::kRelative:
      return percent(cell.value);
    case CellUnit::kPoints:
    case CellUnit::kChange:
      return with_sign(percent(cell.value));
  }
  return "";
}

// What stands in front of a number that is not exact.
const char* bound_of(const TableCell& cell) {
  if (cell.is_least) return ">=";
  return is_estimate(cell) ? "~" : "";
}

}  // namespace

bool is_estimate(const TableCell& cell) {
  if (cell.is_range || std::isnan(cell.least) || std::isnan(cell.most))
    return false;
  const auto number = [&](double value) {
    return number_of({.unit = cell.unit, .value = value});
  };
  return number(cell.least) != number(cell.most);
}

std::vector<std::string> meanings_of(const std::vector<TableColumn>& columns) {
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
  return meanings;
}

std::string mark_of(Grade grade) {
  switch (grade) {
    case Grade::kAttention:
      return "!";
    case Grade::kPoor:
      return "x";
    case Grade::kBetter:
      return "+";
    default:
      return "";
  }
}

ShownCell shown(const TableCell& cell) {
  if (cell.unit == CellUnit::kText) return {cell.text, ""};
  if (std::isnan(cell.value)) return {"-", ""};
  if (cell.is_range && cell.most - cell.least > kOnePoint) {
    return {fmt::format("{:.0f} to {:.0f}", 100 * cell.least, 100 * cell.most),
            mark_of(cell.grade)};
  }
  const bool is_relative =
      cell.unit == CellUnit::kChange || cell.unit == CellUnit::kRelative;
  return {bound_of(cell) + number_of(cell),
          is_relative ? "%" : mark_of(cell.grade)};
}

}  // namespace poprt
