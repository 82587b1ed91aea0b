// Whether runs are as good as somebody asks for.
#ifndef POPRT_COMPARE_CHECKS_H_
#define POPRT_COMPARE_CHECKS_H_

#include <string>
#include <vector>

#include "compare/runs.h"
#include "model/metric_table.h"

namespace poprt {

// A metric of a region must not be below this fraction.
struct Threshold {
  std::string region;
  Metric metric;
  double least;
};

// What was asked of one number, and what it is.
struct Check {
  std::string configuration;  // "4x12"
  std::string region;
  std::string metric;  // "critical_path.load_balance"
  std::string origin;  // "minimum", "baseline"
  double value;        // median of the runs; NaN: undefined
  double least;
  std::string reason;  // why the value is undefined; empty where it is not
};

// An undefined value has not passed.
inline bool passed(const Check& check) { return check.value >= check.least; }

std::vector<Check> check_thresholds(const Configuration& configuration,
                                    const std::vector<Threshold>& thresholds);

// Each metric of the models that is defined in the baseline must be no more
// than `tolerance` below it; and so must Computation Scaling, which compares
// the useful time of both, of 1.
std::vector<Check> check_baseline(const Configuration& configuration,
                                  const Configuration& baseline,
                                  const std::vector<std::string>& regions,
                                  const std::vector<Model>& models,
                                  double tolerance);

// One line for each check, those that have not passed last, and a sum.
std::string checks_text(const std::vector<Check>& checks, bool color);

// The same as JUnit's XML: a test case for each check.
std::string checks_junit(const std::vector<Check>& checks);

}  // namespace poprt

#endif  // POPRT_COMPARE_CHECKS_H_
