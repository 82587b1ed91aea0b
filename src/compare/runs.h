// Several runs of a program, grouped by shape: the input of scaling tables,
// differences and checks.
#ifndef POPRT_COMPARE_RUNS_H_
#define POPRT_COMPARE_RUNS_H_

#include <cstddef>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "compare/statistics.h"
#include "model/job.h"
#include "model/judge.h"
#include "model/metric_table.h"
#include "report/job_numbers.h"

namespace poprt {

// A run, with the name of the file from which it was read.
class RunFile {
 public:
  RunFile(std::string path, JobReport report);

  // nullptr if the run has no such region.
  const RegionReport* region(const std::string& name) const;

  std::string path;
  JobReport report;

 private:
  std::unordered_map<std::string, size_t> places_;  // of regions, by name
};

// Repeated runs: with the same numbers of ranks and threads, and the same
// variant (variants.h).
struct Configuration {
  std::string name;           // short_shape() and letter, unique
  std::vector<RunFile> runs;  // at least one run
  // The variant, if several variants have this shape; else empty.
  std::string letter = "";
  // Repetitions that did not come to their end, where others did: what is known
  // of them are lower bounds, which must not be in a median.
  std::vector<RunFile> left_out = {};
};

// The worst light; green without runs.
Light worst_light(const std::vector<RunFile>& runs);
// That of its runs, without those that were left out.
Light light_of(const Configuration& configuration);
// Whether all of its runs came to their ends.
bool has_ended(const Configuration& configuration);
// Whether one of its runs cannot be judged.
inline bool is_red(const Configuration& configuration) {
  return light_of(configuration) == Light::kRed;
}

// The run whose run time is the median of all; the shorter one of two.
// REQUIRES: it has runs.
const JobReport& typical_run(const Configuration& configuration);

// Sorted by number of cores, then by threads per process, then by variant.
std::vector<Configuration> configurations_of(std::vector<RunFile> runs);

// The configuration among `others` with which this one is compared: of the same
// shape, and of these the same variant, else the same command, else the only
// one. nullptr if there is none.
const Configuration* counterpart_of(const Configuration& configuration,
                                    const std::vector<Configuration>& others);

// Whether one of them has the same ranks and threads.
bool have_shape_of(const Configuration& configuration,
                   const std::vector<Configuration>& others);

// The index of the configuration with the most cores and the same letter.  The
// last one if no larger one has that letter.  Of those that a reference may be,
// if there are any.
size_t largest_like(const std::vector<Configuration>& configurations,
                    size_t reference);

// "1x4, 2x4, 8x4", shortened if there are many.
std::string names_of(const std::vector<Configuration>& configurations);

// The configuration of this name; nullptr if there is none.
const Configuration* configuration_named(
    const std::vector<Configuration>& configurations, const std::string& name);

// Why these runs cannot be compared, in one line; empty if they can.  Programs
// are distinguished by name, unless any program is allowed.  An imported run
// has no known program.
std::string incomparable(const std::vector<Configuration>& configurations,
                         bool any_program);

// A region in one run.
struct RegionRun {
  const JobReport* run;
  const RegionReport* region;
};
using RegionValue = std::function<double(const RegionRun&)>;

// The runs of a configuration that have the region.
std::vector<RegionRun> runs_with(const Configuration& configuration,
                                 const std::string& region);

// The statistics of `value` over these runs.
Statistics statistics_over(const std::vector<RegionRun>& runs,
                           const RegionValue& value);

// The statistics of a metric.  One of counters that no run knows alone, because
// they counted different things, is computed from the medians of each counter.
Statistics statistics_over(const std::vector<RegionRun>& runs,
                           const Metric& metric);

// The statistics of a number of the whole run.
Statistics statistics_over(const Configuration& configuration,
                           const JobNumber& number);

// The names of the regions of all runs: those of the largest configuration in
// the order of its report, then the others.
std::vector<std::string> region_names(
    const std::vector<Configuration>& configurations);

// The rows of a model that exist in at least one of the runs.
std::vector<Metric> shown_metrics(
    const std::vector<const Configuration*>& configurations, Model model);

// The same, and beside the model that is usual TALP's rows of devices, which
// that one does not have.
std::vector<Metric> compared_metrics(
    const std::vector<const Configuration*>& configurations, Model model);

// The models that are shown if none is asked for: those that all runs have.
std::vector<Model> usual_models(
    const std::vector<Configuration>& configurations);

// Whether the statistics of the metric are lower bounds.
bool is_least(const Configuration& configuration, const Metric& metric);

// Why the metric is NaN in all runs of this configuration, in one line.
std::string undefined_reason(const Configuration& configuration,
                             const std::string& region, const Metric& metric);

// "16x4 has no region solve".
std::string no_region(const Configuration& configuration,
                      const std::string& region);

}  // namespace poprt

#endif  // POPRT_COMPARE_RUNS_H_
