#include "compare/difference.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "document/format.h"
#include "model/present_rows.h"
#include "model/ratio.h"
#include "report/job_numbers.h"

namespace poprt {
namespace {

// Two-sided 99 % quantiles of Student's t for 1, 2, ... degrees of freedom.
// Beyond the last one it hardly changes.
constexpr double kStudent[] = {
    63.657, 9.925, 5.841, 4.604, 4.032, 3.707, 3.499, 3.355, 3.250, 3.169,
    3.106,  3.055, 3.012, 2.977, 2.947, 2.921, 2.898, 2.878, 2.861, 2.845,
    2.831,  2.819, 2.807, 2.797, 2.787, 2.779, 2.771, 2.763, 2.756, 2.750};

constexpr double kInfinite = std::numeric_limits<double>::infinity();

constexpr char kNoTime[] = "the clocks of the region are incomplete";

Change change_of(bool is_time, const Metric& metric, const Statistics& a,
                 const Statistics& b) {
  Change change = {is_time, metric, a, b, 0, 0, ""};
  if (is_relative(change) && a.mean == 0) {
    // There is no ratio to 0: any rise beyond noise is beyond every ratio.
    const double noise = noise_of(a, b, 0);
    const bool is_noise = b.mean <= noise;
    change.difference = b.mean * (b.mean > 0 ? kInfinite : 1);
    change.noise = noise * (is_noise && noise > 0 ? kInfinite : 0);
    return change;
  }
  const double unit = is_relative(change) ? a.mean : 1;
  change.difference = (b.mean - a.mean) / unit;
  change.noise = noise_of(a, b, unit) / unit;
  return change;
}

// Which sides are lower bounds: how far they are apart is not known then.
void bound(bool is_least_a, bool is_least_b, Change* change) {
  change->is_least_a = is_least_a && change->a.count > 0;
  change->is_least_b = is_least_b && change->b.count > 0;
  if (change->is_least_a || change->is_least_b) {
    change->difference = change->noise = kUndefined;
  }
}

// Why one or both of the sides are undefined.
std::string either(const std::string& a, const std::string& b) {
  if (a == b) return a;
  return (a.empty() ? "" : "A: " + a) + (a.empty() || b.empty() ? "" : "; ") +
         (b.empty() ? "" : "B: " + b);
}

}  // namespace

double noise_of(const Statistics& a, const Statistics& b, double unit) {
  if (a.count == 0 || b.count == 0) return a.mean + b.mean;  // NaN
  const size_t freedom = a.count + b.count - 2;
  if (freedom == 0) return kAssumedNoise * unit;
  const double variance =
      (a.square_sum + b.square_sum) / static_cast<double>(freedom);
  const double t = kStudent[std::min(freedom, std::size(kStudent)) - 1];
  return t * std::sqrt(variance * (1 / static_cast<double>(a.count) +
                                   1 / static_cast<double>(b.count)));
}

bool beyond_noise(const Change& change) {
  return std::abs(change.difference) > change.noise &&
         percent(std::abs(change.difference)) != percent(0);
}

bool is_better(const Change& change) {
  const bool less_is_better = change.is_time || change.metric.less_is_better;
  return less_is_better == (change.difference < 0);
}

std::vector<Change> changes(const Configuration& a, const Configuration& b,
                            const std::string& region, Model model) {
  const std::vector<RegionRun> runs_a = runs_with(a, region);
  const std::vector<RegionRun> runs_b = runs_with(b, region);
  std::vector<Change> result;
  const auto add = [&](bool is_time, const Metric& metric, const auto& values,
                       const auto& reason) {
    Change change = change_of(is_time, metric, values(runs_a), values(runs_b));
    const auto is_bound = [&](const Configuration& side) {
      return is_time ? !has_ended(side) : is_least(side, metric);
    };
    bound(is_bound(a), is_bound(b), &change);
    change.reason = either(change.a.count > 0 ? "" : reason(a, runs_a),
                           change.b.count > 0 ? "" : reason(b, runs_b));
    result.push_back(std::move(change));
  };
  add(
      true, {model, "run_time_ns", "run time", 0, Layer::kAny},
      [](const std::vector<RegionRun>& runs) {
        return statistics_over(runs, [](const RegionRun& r) {
          return run_time_ns(*r.run, *r.region);
        });
      },
      [&](const Configuration& side, const std::vector<RegionRun>& runs) {
        return runs.empty() ? no_region(side, region) : std::string(kNoTime);
      });
  for (const Metric& metric : compared_metrics({&a, &b}, model)) {
    add(
        false, metric,
        [&](const std::vector<RegionRun>& runs) {
          return statistics_over(runs, metric);
        },
        [&](const Configuration& side, const std::vector<RegionRun>&) {
          return undefined_reason(side, region, metric);
        });
  }
  return result;
}

std::vector<Change> job_changes(const Configuration& a,
                                const Configuration& b) {
  std::vector<Change> result;
  for (const JobNumber& number : job_numbers()) {
    const Statistics first = statistics_over(a, number);
    const Statistics second = statistics_over(b, number);
    if (first.count == 0 && second.count == 0) continue;
    Metric metric = {Model::kPop, number.key, number.label, 0, Layer::kAny};
    metric.unit = number.unit;
    Change change = change_of(false, metric, first, second);
    bound(number.only_grows && !has_ended(a),
          number.only_grows && !has_ended(b), &change);
    result.push_back(std::move(change));
  }
  return result;
}

Comparison comparison_of(const std::vector<Configuration>& a,
                         const std::vector<Configuration>& b) {
  if (a.size() == 1 && b.size() == 1) return {{{a[0], b[0]}}, {}, {}};
  Comparison result;
  std::vector<bool> paired(b.size());
  for (const Configuration& left : a) {
    const Configuration* const own = counterpart_of(left, b);
    bool any = false;
    for (size_t i = 0; i < b.size(); ++i) {
      const Configuration* const others = counterpart_of(b[i], a);
      const bool mine = own == nullptr || own == &b[i];
      const bool its = others == nullptr || others == &left;
      if (!mine || !its || (own == nullptr && others == nullptr)) continue;
      result.pairs.push_back({left, b[i]});
      any = paired[i] = true;
    }
    if (!any) result.only_a.push_back(left);
  }
  for (size_t i = 0; i < b.size(); ++i) {
    if (!paired[i]) result.only_b.push_back(b[i]);
  }
  return result;
}

}  // namespace poprt
