// Two sets of runs side by side: what changed, and whether that is more than
// noise.
#ifndef POPRT_COMPARE_DIFFERENCE_H_
#define POPRT_COMPARE_DIFFERENCE_H_

#include <string>
#include <vector>

#include "compare/runs.h"
#include "compare/statistics.h"
#include "model/metric_table.h"

namespace poprt {

// Where nothing was repeated: 2 points, and 2 % of a time.
inline constexpr double kAssumedNoise = 0.02;

// What the means of a and b may differ by although nothing changed: equal
// runs differ by more in one of 100 cases (Student's t, with the variance of
// both sides together).  kAssumedNoise x `unit` where neither side has repeats.
double noise_of(const Statistics& a, const Statistics& b, double unit);

struct Change {
  bool is_time;   // ns; else a fraction
  Metric metric;  // key, label and depth here; the rest of efficiencies only
  Statistics a;
  Statistics b;
  // Of the means: of fractions b - a, of times b / a - 1.  NaN where a side
  // is undefined.
  double difference;
  double noise;        // as large as noise may make the difference
  std::string reason;  // why a side is undefined; empty where both are not
};

// The change as it is shown is more than noise.
bool beyond_noise(const Change& change);

// A longer time and a lower efficiency are worse.  REQUIRES: beyond_noise().
bool is_better(const Change& change);

// Run time and all metrics of a region in a model, from `a` to `b`.
std::vector<Change> changes(const Configuration& a, const Configuration& b,
                            const std::string& region, Model model);

// A pair of configurations to compare.
struct Pair {
  Configuration a;
  Configuration b;
};

// What two sets of runs have in common, and what only one of them has.
struct Comparison {
  std::vector<Pair> pairs;
  std::vector<Configuration> only_a;
  std::vector<Configuration> only_b;
};

// Those that are each other's counterpart_of() are pairs, and those of which
// one has none; where each side has only one, these are.
Comparison comparison_of(const std::vector<Configuration>& a,
                         const std::vector<Configuration>& b);

}  // namespace poprt

#endif  // POPRT_COMPARE_DIFFERENCE_H_
