// Checks whether runs meet given limits.
#ifndef POPRT_COMPARE_CHECKS_H_
#define POPRT_COMPARE_CHECKS_H_

#include <string>
#include <vector>

#include "compare/runs.h"
#include "compare/same_work.h"
#include "document/document.h"
#include "model/metric_table.h"
#include "report/job_numbers.h"

namespace poprt {

enum class Bound { kLeast, kMost };

// What a metric in a region may be at least, or at most, in the metric's unit.
struct Threshold {
  std::string region;
  Metric metric;
  double limit;
  Bound bound = Bound::kLeast;
  // A number of the whole run, in place of the metric; its region is Global.
  const JobNumber* of_job = nullptr;
};

// A limit for one number, and its value.
struct Check {
  std::string configuration;  // "4x12"
  std::string region;
  std::string metric;  // "critical_path.load_balance"
  std::string origin;  // "minimum", "maximum", "baseline", "light"
  double value;        // median of the runs; NaN if undefined
  double limit;
  std::string reason;  // why the value is undefined, or the light red
  Bound bound = Bound::kLeast;
  MetricUnit unit = MetricUnit::kFraction;  // of both numbers
};

// An undefined value does not pass.
inline bool passed(const Check& check) {
  return check.bound == Bound::kLeast ? check.value >= check.limit
                                      : check.value <= check.limit;
}

// One of the check's numbers, with its unit: "0.8000", "2.5000 GHz".
std::string number_of(const Check& check, double number);

std::vector<Check> check_thresholds(const Configuration& configuration,
                                    const std::vector<Threshold>& thresholds);

// One that fails for each cause of a red light: "quality.waited_for_core".
std::vector<Check> check_light(const Configuration& configuration);

// Each efficiency of the models that is defined in the baseline may be at most
// `tolerance` below the baseline's.  Computation Scaling, which compares the
// useful time of both, may be at most `tolerance` below 1, if their `work` may
// be compared.
std::vector<Check> check_baseline(const Configuration& configuration,
                                  const Configuration& baseline,
                                  const std::vector<std::string>& regions,
                                  const std::vector<Model>& models,
                                  double tolerance, const WorkOfTwo& work = {});

// A fact for each check, failed ones last, and a summary.
std::vector<FactList> check_lists(const std::vector<Check>& checks);

// The checks as JUnit's XML, one test case each.  Properties: the light, the
// largest loss and its gain of each configuration.
std::string checks_junit(const std::vector<Check>& checks,
                         const std::vector<Configuration>& configurations);

}  // namespace poprt

#endif  // POPRT_COMPARE_CHECKS_H_
