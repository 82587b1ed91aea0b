#include "compare/checks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "compare/reference.h"
#include "compare/scaling_table.h"
#include "model/judge.h"
#include "model/present_rows.h"
#include "model/ratio.h"
#include "report/incomplete.h"
#include "report/light.h"

namespace poprt {
namespace {

// Than any efficiency.
constexpr double kMore = std::numeric_limits<double>::infinity();

std::string full_name(const Metric& metric) {
  return std::string(key_of(metric.model)) + "." + metric.key;
}

// Of a run that did not come to its end a lower bound is known at best. If it
// is not beyond the limit, whether the true value is remains unknown.
template <class IsLeast>
void leave_open(const Configuration& configuration, IsLeast is_least_of,
                Check* check) {
  if (!is_made(*check)) return;
  const bool is_beyond = passed(*check) == (check->bound == Bound::kLeast);
  if (std::isnan(check->value) || is_beyond ||
      std::ranges::none_of(configuration.runs, [&](const RunFile& run) {
        return is_least_of(run.report.context);
      })) {
    return;
  }
  check->reason = configuration.name +
                  " did not come to its end: all that is known is at least " +
                  number_of(*check, check->value);
  check->value = kUndefined;
}

Check check_of(const Configuration& configuration, const Threshold& threshold,
               const char* origin) {
  const Statistics values = statistics_over(
      runs_with(configuration, threshold.region), threshold.metric);
  Check check = {configuration.name,
                 threshold.region,
                 full_name(threshold.metric),
                 origin,
                 values.median,
                 threshold.limit,
                 "",
                 threshold.bound,
                 threshold.metric.unit};
  if (check.value != check.value) {
    check.reason =
        undefined_reason(configuration, threshold.region, threshold.metric);
  }
  leave_open(
      configuration,
      [&](const RunContext& context) {
        return is_least(context, threshold.metric);
      },
      &check);
  return check;
}

Check job_check(const Configuration& configuration, const Threshold& threshold,
                const char* origin) {
  const JobNumber& number = *threshold.of_job;
  const double value = statistics_over(configuration, number).median;
  Check check = {
      configuration.name,
      threshold.region,
      std::string(kHostsModel) + "." + number.key,
      origin,
      value,
      threshold.limit,
      std::isnan(value) ? configuration.name + ": " + number.unknown : "",
      threshold.bound,
      number.unit};
  leave_open(
      configuration,
      [&](const RunContext& context) {
        return number.only_grows && is_incomplete(context);
      },
      &check);
  return check;
}

// Computation Scaling of the second configuration against the first.
Check check_computation(const ScalingStudy& study, const std::string& region,
                        double tolerance) {
  const auto rows = scaling_table(study, region, Model::kPop);
  const ScalingRow& row = *row_of(rows, "computation_scaling");
  return {study.configurations[1].name,
          region,
          row.metric.key,
          "baseline",
          row.cells[1].values.median,
          1 - tolerance,
          row.cells[1].reason};
}

}  // namespace

std::vector<Check> check_thresholds(const Configuration& configuration,
                                    const std::vector<Threshold>& thresholds) {
  std::vector<Check> checks;
  for (const Threshold& threshold : thresholds) {
    const char* const origin =
        threshold.bound == Bound::kLeast ? "minimum" : "maximum";
    checks.push_back(threshold.of_job != nullptr
                         ? job_check(configuration, threshold, origin)
                         : check_of(configuration, threshold, origin));
  }
  return checks;
}

std::vector<Check> check_light(const Configuration& configuration) {
  std::vector<Check> checks;
  const auto check = [&](const JobReport& report) {
    for (const FoundCause& found : judge(report).causes) {
      if (found.light != Light::kRed) continue;
      const Cause& cause = found.cause;
      checks.push_back({configuration.name, kGlobalRegion,
                        std::string("quality.") + cause.key, "light",
                        found.value, found.limit, words_of(report, found),
                        cause.less_is_worse ? Bound::kLeast : Bound::kMost,
                        cause.unit});
    }
  };
  for (const RunFile& run : configuration.runs) check(run.report);
  for (const RunFile& run : configuration.left_out) check(run.report);
  return checks;
}

std::vector<Check> check_only_light(const Configuration& configuration) {
  std::vector<Check> checks = check_light(configuration);
  if (!checks.empty()) return checks;
  const Light light =
      std::max(light_of(configuration), worst_light(configuration.left_out));
  Check good = {
      configuration.name, kGlobalRegion, "quality.light", "light", 1, 1, ""};
  good.words = key_of(light);
  return {std::move(good)};
}

std::vector<Check> check_baseline(const Configuration& configuration,
                                  const Configuration& baseline,
                                  const std::vector<std::string>& regions,
                                  const std::vector<Model>& models,
                                  double tolerance, const WorkOfTwo& work) {
  const bool is_weak = work.choice.scaling == Scaling::kWeak;
  const ScalingStudy study = {{baseline, configuration},
                              0,
                              is_weak ? Scaling::kWeak : Scaling::kStrong,
                              work.choice.load};
  std::vector<Check> checks;
  for (const std::string& region : regions) {
    for (const Model model : models) {
      for (const Metric& metric :
           compared_metrics({&baseline, &configuration}, model)) {
        if (!metric.is_efficiency()) continue;
        // Another model's, which is looked at itself.
        if (metric.model != model &&
            std::ranges::find(models, metric.model) != models.end()) {
          continue;
        }
        // A lower bound is no limit.
        const Check before = check_of(baseline, {region, metric, kMore}, "");
        const double limit = before.value - tolerance;
        Check check =
            check_of(configuration, {region, metric, limit}, "baseline");
        if (!is_made(check)) {
          // What neither has is not worth a word.
          if (std::isnan(check.value)) continue;
          check.reason = "baseline: " + before.reason;
        }
        checks.push_back(std::move(check));
      }
    }
    const std::vector<RegionRun> runs = runs_with(baseline, region);
    const bool worked =
        std::any_of(runs.begin(), runs.end(), [](const RegionRun& run) {
          return run.region->totals.useful_sum_ns > 0;
        });
    if (!worked || !work.is_comparable) continue;
    Check computation = check_computation(study, region, tolerance);
    const std::string why = why_no_reference(baseline);
    if (!why.empty()) {
      computation.limit = kUndefined;
      computation.reason =
          "no run is compared with " + baseline.name + ": " + why;
    }
    checks.push_back(std::move(computation));
  }
  return checks;
}

}  // namespace poprt
