// Checks whether runs meet given limits.
#ifndef POPRT_COMPARE_CHECKS_H_
#define POPRT_COMPARE_CHECKS_H_

#include <string>
#include <vector>

#include "compare/runs.h"
#include "model/metric_table.h"
#include "report/document.h"

namespace poprt {

// The least value of a metric in a region, as a fraction.
struct Threshold {
  std::string region;
  Metric metric;
  double least;
};

// A limit for one number, and its value.
struct Check {
  std::string configuration;  // "4x12"
  std::string region;
  std::string metric;  // "critical_path.load_balance"
  std::string origin;  // "minimum", "baseline"
  double value;        // median of the runs; NaN if undefined
  double least;
  std::string reason;  // why the value is undefined; else empty
};

// An undefined value does not pass.
inline bool passed(const Check& check) { return check.value >= check.least; }

std::vector<Check> check_thresholds(const Configuration& configuration,
                                    const std::vector<Threshold>& thresholds);

// Each efficiency of the models that is defined in the baseline may be at most
// `tolerance` below the baseline's.  Computation Scaling, which compares the
// useful time of both, may be at most `tolerance` below 1.
std::vector<Check> check_baseline(const Configuration& configuration,
                                  const Configuration& baseline,
                                  const std::vector<std::string>& regions,
                                  const std::vector<Model>& models,
                                  double tolerance);

// A fact for each check, failed ones last, and a summary.
std::vector<FactList> check_lists(const std::vector<Check>& checks);

// The checks as JUnit's XML, one test case each.
std::string checks_junit(const std::vector<Check>& checks);

}  // namespace poprt

#endif  // POPRT_COMPARE_CHECKS_H_
