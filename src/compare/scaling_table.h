// The POP scaling table as values: one region in one model, with configurations
// as columns.
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
  // Index of the reference.  Nothing is compared with it if it may not be one.
  size_t reference = 0;
  Scaling scaling = Scaling::kStrong;
  Load load = {};  // of weak scaling
  // What Frequency Scaling compares with, in GHz; 0: the reference's frequency.
  double reference_ghz = 0;
};

// The name of the reference; empty if there is none.
std::string reference_name(const ScalingStudy& study);

struct ScalingCell {
  // Statistics over the runs of the configuration.  For numbers that compare
  // with the reference, the median is computed from the medians of what is
  // compared.
  Statistics values;
  std::string reason;     // why they are undefined; else empty
  bool is_least = false;  // the true ones are these or more
};

struct ScalingRow {
  using Kind = ScalingKind;
  Kind kind;
  Metric metric;  // other rows than metrics: only key, label and depth are set
  std::vector<ScalingCell> cells;  // one for each configuration
};

// Whether the model has a Parallel Efficiency, of which Global Efficiency is
// made.  The rows of `computation` are in the table of every other model.
inline bool is_scaled(Model model) {
  return metrics_in(model).front().is_efficiency();
}

// The rows: run time, load increase factor (weak scaling only), speedup, Global
// Efficiency and its factors.  REQUIRES: is_scaled(model).
std::vector<ScalingRow> scaling_table(const ScalingStudy& study,
                                      const std::string& region, Model model);

// Global Efficiency, or below it Parallel Efficiency if the kind of scaling is
// not known.
const ScalingRow& first_efficiency(const ScalingStudy& study,
                                   const std::vector<ScalingRow>& rows);

// nullptr if there is no such row.
const ScalingRow* row_of(const std::vector<ScalingRow>& rows,
                         std::string_view key);

// The row at the bottom of the hierarchy whose value fell most between two
// columns; nullptr if none fell.
const ScalingRow* largest_fall(const std::vector<ScalingRow>& rows, size_t from,
                               size_t to);

}  // namespace poprt

#endif  // POPRT_COMPARE_SCALING_TABLE_H_
