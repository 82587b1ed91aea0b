// The symbols in the formulas of docs/metrics.md with their numbers for one
// region, to show a formula with its numbers.
#ifndef POPRT_REPORT_FORMULA_SYMBOLS_H_
#define POPRT_REPORT_FORMULA_SYMBOLS_H_

#include <functional>
#include <string>
#include <vector>

#include "model/job.h"
#include "model/metric_table.h"

namespace poprt {

struct FormulaSymbol {
  enum class Unit { kNs, kCount, kFraction, kNumber };
  std::string symbol;
  double value;  // NaN if unknown in this region
  Unit unit;
};

// The symbols of a model, including metrics of the model.
std::vector<FormulaSymbol> formula_symbols_of(const RegionReport& region,
                                              Model model);

// "12.00 s", "16", "83.4 %"; "-" for NaN.
std::string with_unit(const FormulaSymbol& quantity);

// `formula` with every symbol replaced by show(symbol).
std::string filled_in(
    const std::string& formula, const std::vector<FormulaSymbol>& quantities,
    const std::function<std::string(const FormulaSymbol&)>& show);

}  // namespace poprt

#endif  // POPRT_REPORT_FORMULA_SYMBOLS_H_
