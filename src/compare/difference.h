// Compares two sets of runs: what changed, and whether that is more than noise.
#ifndef POPRT_COMPARE_DIFFERENCE_H_
#define POPRT_COMPARE_DIFFERENCE_H_

#include <string>
#include <vector>

#include "compare/runs.h"
#include "compare/statistics.h"
#include "model/metric_table.h"

namespace poprt {

// The noise if no run was repeated: 2 points, or 2 % of a time.
inline constexpr double kAssumedNoise = 0.02;

// How much the means of a and b may differ although nothing has changed: equal
// runs differ by more in one of 100 cases (Student's t, with the variance of
// both sides together). kAssumedNoise x `unit` if no side has repeated runs.
double noise_of(const Statistics& a, const Statistics& b, double unit);

struct Change {
  bool is_time;   // value in ns; else in the unit of the metric
  Metric metric;  // run time: only key, label and depth are set
  Statistics a;
  Statistics b;
  // Of the means: b - a for efficiencies and other shares of a whole, b / a - 1
  // for all others, which is infinite if only a is 0.  NaN if a side is
  // undefined, or known as a lower bound only.
  double difference;
  double noise;        // the largest difference that noise explains
  std::string reason;  // why a side is undefined; else empty
  bool is_least_a = false;
  bool is_least_b = false;
};

// Whether the difference is relative: of all but efficiencies and other shares.
inline bool is_relative(const Change& change) {
  return change.is_time || !(change.metric.is_efficiency() ||
                             change.metric.unit == MetricUnit::kShare);
}

// Whether the change, as shown, is more than noise.
bool beyond_noise(const Change& change);

// Less time, fewer instructions, and more of anything else are better.
// REQUIRES: beyond_noise().
bool is_better(const Change& change);

// The changes of run time and all metrics of a region in a model, from `a` to
// `b`.
std::vector<Change> changes(const Configuration& a, const Configuration& b,
                            const std::string& region, Model model);

// The changes of numbers of the whole run that are known of either side; of
// their metrics only key, label and unit are set.
std::vector<Change> job_changes(const Configuration& a, const Configuration& b);

// Two configurations to compare.
struct Pair {
  Configuration a;
  Configuration b;
};

// Which configurations two sets of runs have in common, and which are only in
// one.
struct Comparison {
  std::vector<Pair> pairs;
  std::vector<Configuration> only_a;
  std::vector<Configuration> only_b;
};

// Pairs each configuration with its counterpart_of().  If each side has only
// one configuration, these two are a pair.
Comparison comparison_of(const std::vector<Configuration>& a,
                         const std::vector<Configuration>& b);

}  // namespace poprt

#endif  // POPRT_COMPARE_DIFFERENCE_H_
