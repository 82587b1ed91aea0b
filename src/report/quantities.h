// What the formulas of docs/metrics.md are written in, as numbers of one
// region: their text with these in place of its symbols is the formula with
// the numbers filled in.
#ifndef POPRT_REPORT_QUANTITIES_H_
#define POPRT_REPORT_QUANTITIES_H_

#include <functional>
#include <string>
#include <vector>

#include "model/job.h"
#include "model/metric_table.h"

namespace poprt {

struct Quantity {
  enum class Unit { kNs, kCount, kFraction };
  std::string symbol;
  double value;  // NaN: unknown in this region
  Unit unit;
};

// The symbols of a model, metrics of the model among them.
std::vector<Quantity> quantities_of(const RegionReport& region, Model model);

// "12.00 s", "16", "83.4 %"; "-" for NaN.
std::string with_unit(const Quantity& quantity);

// `formula` with every symbol replaced by what `show` makes of it.
std::string filled_in(const std::string& formula,
                      const std::vector<Quantity>& quantities,
                      const std::function<std::string(const Quantity&)>& show);

}  // namespace poprt

#endif  // POPRT_REPORT_QUANTITIES_H_
