// The POP scaling table as values: one region in one model, configurations as
// columns.
#ifndef POPRT_COMPARE_SCALING_TABLE_H_
#define POPRT_COMPARE_SCALING_TABLE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "compare/runs.h"
#include "compare/scaling.h"
#include "compare/statistics.h"
#include "model/metric_table.h"

namespace poprt {

// Several runs, and how they are compared.
struct ScalingStudy {
  std::vector<Configuration> configurations;  // see configurations_of()
  size_t reference = 0;                       // the index of one
  Scaling scaling = Scaling::kStrong;
};

struct ScalingCell {
  // Over the runs of the configuration; of what compares with the reference
  // the median is made of the medians of what is compared.
  Statistics values;
  std::string reason;  // why they are undefined; empty where they are not
};

struct ScalingRow {
  // Times are in ns, factors are plain numbers, the rest are fractions;
  // a scaling may exceed 1, which is better than the reference.
  enum class Kind { kTime, kFactor, kEfficiency, kScaling };
  Kind kind;
  Metric metric;  // key, label and depth here; the rest of efficiencies only
  std::vector<ScalingCell> cells;  // one for each configuration
};

// Run time, load increase factor (of weak scaling), speedup, Global
// Efficiency and all that it is made of.
std::vector<ScalingRow> scaling_table(const ScalingStudy& study,
                                      const std::string& region, Model model);

// nullptr: there is no such row.
const ScalingRow* row_of(const std::vector<ScalingRow>& rows,
                         std::string_view key);

// The row whose value, at the bottom of the hierarchy, fell most between two
// columns; nullptr where none fell.
const ScalingRow* largest_fall(const std::vector<ScalingRow>& rows, size_t from,
                               size_t to);

}  // namespace poprt

#endif  // POPRT_COMPARE_SCALING_TABLE_H_
