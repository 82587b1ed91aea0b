// Several runs of a program, by their shape: what scaling tables, differences
// and checks are made of.
#ifndef POPRT_COMPARE_RUNS_H_
#define POPRT_COMPARE_RUNS_H_

#include <cstddef>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "compare/statistics.h"
#include "model/job.h"
#include "model/metric_table.h"

namespace poprt {

// A run, and the file that it was read from.
class RunFile {
 public:
  RunFile(std::string path, JobReport report);

  // nullptr where the run has no such region.
  const RegionReport* region(const std::string& name) const;

  std::string path;
  JobReport report;

 private:
  std::unordered_map<std::string, size_t> places_;  // of regions, by name
};

// Runs that repeat one another: the same number of ranks and of threads, and
// the same variant (variants.h).
struct Configuration {
  std::string name;           // short_shape() and letter: tells them apart
  std::vector<RunFile> runs;  // at least one
  // Which variant, where runs of one shape have several; else empty.
  std::string letter = "";
};

// By number of cores, and where these are equal by threads per process, then
// by variant: the first is the reference of all others unless the user names
// one.
std::vector<Configuration> configurations_of(std::vector<RunFile> runs);

// The one of `others` that this one is to be compared with: of the same shape,
// and of these the same variant, else the same command, else the only one;
// nullptr where there is none.
const Configuration* counterpart_of(const Configuration& configuration,
                                    const std::vector<Configuration>& others);

// Whether one of them has its ranks and threads.
bool have_shape_of(const Configuration& configuration,
                   const std::vector<Configuration>& others);

// Which of the configurations has most cores and the letter of this one; where
// none with more cores has that, the last one.
size_t largest_like(const std::vector<Configuration>& configurations,
                    size_t reference);

// "1x4, 2x4, 8x4", shortened where they are many.
std::string names_of(const std::vector<Configuration>& configurations);

// The one of this name; nullptr where there is none.
const Configuration* configuration_named(
    const std::vector<Configuration>& configurations, const std::string& name);

// Why these runs cannot be compared, in one line; empty where they can.
// Programs are told apart by their names, unless any will do; that of an
// imported run is not known.
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

// What `value` is in these runs.
Statistics statistics_over(const std::vector<RegionRun>& runs,
                           const RegionValue& value);

// Names of all regions of all runs: those of the largest configuration in the
// order of its report, then the others.
std::vector<std::string> region_names(
    const std::vector<Configuration>& configurations);

// The rows of a model that exist in one of the runs.
std::vector<Metric> shown_metrics(
    const std::vector<const Configuration*>& configurations, Model model);

// The models that are shown where none is asked for: what all runs have.
std::vector<Model> usual_models(
    const std::vector<Configuration>& configurations);

// Why the metric is NaN in all runs of this configuration, in one line.
std::string undefined_reason(const Configuration& configuration,
                             const std::string& region, const Metric& metric);

// "16x4 has no region solve".
std::string no_region(const Configuration& configuration,
                      const std::string& region);

}  // namespace poprt

#endif  // POPRT_COMPARE_RUNS_H_
