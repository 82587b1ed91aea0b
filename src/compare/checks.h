// Checks whether runs meet given limits.
#ifndef POPRT_COMPARE_CHECKS_H_
#define POPRT_COMPARE_CHECKS_H_

#include <cmath>
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
  double limit;        // NaN: the baseline does not know it
  std::string reason;  // why one of them is undefined, or the light red
  Bound bound = Bound::kLeast;
  MetricUnit unit = MetricUnit::kFraction;  // of both numbers
  std::string words = "";  // what is good; empty: its numbers say it
};

// An undefined value does not pass.
inline bool passed(const Check& check) {
  return check.bound == Bound::kLeast ? check.value >= check.limit
                                      : check.value <= check.limit;
}

// Whether there is a limit: what the baseline does not know neither passes nor
// falls short.
inline bool is_made(const Check& check) { return !std::isnan(check.limit); }

inline bool falls_short(const Check& check) {
  return is_made(check) && !passed(check);
}

// Whether checks were made, and none falls short.
bool are_good(const std::vector<Check>& checks);

// One of the check's numbers, with its unit: "0.8000", "2.5000 GHz".
std::string number_of(const Check& check, double number);

std::vector<Check> check_thresholds(const Configuration& configuration,
                                    const std::vector<Threshold>& thresholds);

// One that fails for each cause of a red light: "quality.waited_for_core".
std::vector<Check> check_light(const Configuration& configuration);

// That, or one that passes where no light is red.
std::vector<Check> check_only_light(const Configuration& configuration);

// Each efficiency of the models may be at most `tolerance` below the
// baseline's; where only the run knows it, the check is not made.  Computation
// Scaling, which compares the useful time of both, may be at most `tolerance`
// below 1, if their `work` may be compared.
std::vector<Check> check_baseline(const Configuration& configuration,
                                  const Configuration& baseline,
                                  const std::vector<std::string>& regions,
                                  const std::vector<Model>& models,
                                  double tolerance, const WorkOfTwo& work = {});

// What was not checked and why, a line for each region and reason.
std::vector<std::string> unmade_notes(const std::vector<Check>& checks);

// A fact for each check that was made, failed ones last, and a summary.
std::vector<FactList> check_lists(const std::vector<Check>& checks);

// The checks as JUnit's XML, one test case each.  Properties: the light
// and its causes, the largest loss and its gain of each configuration.
std::string checks_junit(const std::vector<Check>& checks,
                         const std::vector<Configuration>& configurations);

}  // namespace poprt

#endif  // POPRT_COMPARE_CHECKS_H_
