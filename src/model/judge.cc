#include "model/judge.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "model/device_amounts.h"
#include "model/plausible.h"
#include "model/quantities.h"
#include "model/ratio.h"

namespace poprt {
namespace {

double known(const JobReport& report, const Resource& which) {
  return known_amount(report.totals.resources, which.name);
}

// Of the run, in ns.
double longest_ns(const JobReport& report) {
  const RegionReport* const global = global_region(report);
  if (global == nullptr) return kUndefined;
  const double ns = run_time_ns(report, *global);
  return std::isnan(ns) ? static_cast<double>(global->totals.elapsed_max_ns)
                        : ns;
}

// A number that only poprt itself tells.
double own(const JobReport& report, double value) {
  return is_imported(report) ? kUndefined : value;
}

// How long threads of a runtime without OMPT worked is not known.
double unmeasured_openmp(const JobReport& report) {
  return report.totals.has_unseen_openmp ? kUndefined : own(report, 0);
}

// The least: of a partner who is given up one is counted, and some that are
// lost are messages, too.
double lost_clocks(const JobReport& report) {
  const auto lost = static_cast<double>(report.totals.quality.lost_clocks);
  if (lost == 0) return own(report, 0);
  // Messages are counted at the end.
  if (is_incomplete(report.context)) return kUndefined;
  return lost /
         (lost + static_cast<double>(report.totals.quality.clock_messages));
}

double unwrapped_calls(const JobReport& report) {
  const JobTotals& totals = report.totals;
  if (!totals.has_mpi) return own(report, 0);
  const size_t found = totals.unwrapped_calls.size();
  if (found == 0 && totals.unread_programs > 0) return kUndefined;
  return own(report, static_cast<double>(found));
}

// Those that ended in such a way.
RankCount count_ended(const JobReport& report,
                      bool is_wanted(const EndedRanks&)) {
  RankCount ranks = {0, report.totals.unmeasured_processes};
  for (const EndedRanks& ended : report.context.endings) {
    ranks.all += ended.processes;
    if (is_wanted(ended)) ranks.some += ended.processes;
  }
  if (report.context.endings.empty()) ranks.all += report.totals.processes;
  return ranks;
}

template <RankCount (*kCount)(const JobReport&)>
double share_of_ranks(const JobReport& report) {
  const RankCount ranks = kCount(report);
  return ranks.all == 0
             ? 0
             : static_cast<double>(ranks.some) / static_cast<double>(ranks.all);
}

double closure_error(const JobReport& report) {
  const auto error =
      static_cast<double>(report.totals.quality.closure_error_ns);
  return own(report, error == 0 ? 0 : ratio(error, longest_ns(report)));
}

// The notes on them, because a run file has values that were corrected.
double out_of_range(const JobReport& report) {
  return static_cast<double>(
      std::ranges::count_if(report.totals.quality.notes, is_of_wrong_values));
}

constexpr double kMuchUnmeasured = 0.05;

constexpr Cause kCauses[] = {
    {"missing_ranks", MetricUnit::kShare, 0, 0.5,
     share_of_ranks<missing_rank_count>},
    {"waited_for_core", MetricUnit::kShare, 0.05, 0.2, waited_for_core},
    {"unmeasured_threads", MetricUnit::kShare, kMuchUnmeasured, 0.2,
     unmeasured_threads_share},
    {"unmeasured_openmp", MetricUnit::kShare, 0.05, 0.2, unmeasured_openmp},
    {"devices", MetricUnit::kShare, 0.05, 0.2,
     [](const JobReport& report) {
       return std::isnan(known(report, kDeviceProcesses))
                  ? kUndefined
                  : own(report, device_share(report));
     }},
    {"overhead", MetricUnit::kShare, 0.05, 0.2,
     [](const JobReport& report) { return own(report, overhead(report)); }},
    {"lost_clocks", MetricUnit::kShare, 0.01, 0.2, lost_clocks},
    {"unwrapped_calls", MetricUnit::kCount, 0, Cause::kNever, unwrapped_calls},
    {"closure_error", MetricUnit::kShare, 0, 0.01, closure_error},
    {"out_of_range", MetricUnit::kCount, 0, 0, out_of_range},
    {"not_ended", MetricUnit::kShare, 0, Cause::kNever,
     share_of_ranks<not_ended_count>},
    {"run_time_s", MetricUnit::kNumber, 1, 0,
     [](const JobReport& report) { return longest_ns(report) / 1e9; },
     /*less_is_worse=*/true},
};

bool is_beyond(const Cause& cause, double value, double limit) {
  return cause.less_is_worse ? value < limit : value > limit;
}

Light light_of(const Cause& cause, double value) {
  if (is_beyond(cause, value, cause.red)) return Light::kRed;
  return std::isnan(value) || is_beyond(cause, value, cause.amber)
             ? Light::kAmber
             : Light::kGreen;
}

}  // namespace

const char* key_of(Light light) {
  switch (light) {
    case Light::kGreen:
      return "green";
    case Light::kAmber:
      return "amber";
    case Light::kRed:
      return "red";
  }
  return "";
}

RankCount missing_rank_count(const JobReport& report) {
  RankCount ranks = count_ended(report, [](const EndedRanks& ended) {
    return ended.measured_max_ns == 0;
  });
  ranks.some += report.totals.unmeasured_processes;
  return ranks;
}

RankCount not_ended_count(const JobReport& report) {
  return count_ended(report, [](const EndedRanks&) { return true; });
}

std::span<const Cause> all_causes() { return kCauses; }

Judgement judge(const JobReport& report) {
  Judgement judgement;
  if (global_region(report) == nullptr) return judgement;
  std::vector<FoundCause> all;
  for (const Cause& cause : kCauses) {
    const double value = cause.value(report);
    const Light light = light_of(cause, value);
    all.push_back(
        {cause, value, light == Light::kRed ? cause.red : cause.amber, light});
  }
  for (const Light light : {Light::kRed, Light::kAmber}) {
    std::ranges::copy_if(
        all, std::back_inserter(judgement.causes),
        [&](const FoundCause& found) { return found.light == light; });
  }
  if (!judgement.causes.empty()) {
    judgement.light = judgement.causes.front().light;
  }
  return judgement;
}

bool is_found(const JobReport& report, std::string_view key) {
  const Cause& cause = *std::ranges::find(kCauses, key, [](const Cause& each) {
    return std::string_view(each.key);
  });
  return is_beyond(cause, cause.value(report), cause.amber);
}

double overhead_share(const JobReport& report) {
  return share_of_core_time(
      report, static_cast<double>(report.totals.quality.overhead_ns));
}

double overhead(const JobReport& report) {
  return std::fmax(
      overhead_share(report),
      ratio(static_cast<double>(report.totals.quality.overhead_max_ns),
            longest_ns(report)));
}

double waited_for_core(const JobReport& report) {
  return share_of_core_time(report, known(report, kWaitedForCore));
}

double unmeasured_threads_share(const JobReport& report) {
  const auto in_mpi = static_cast<double>(report.totals.quality.foreign_mpi_ns);
  const double on_core = known(report, kUnknownThreadsCpu);
  const auto core = static_cast<double>(job_core_ns(report));
  const double children = known(report, kChildrenCpu);
  const double unmeasured = std::fmax(in_mpi, on_core) + std::fmax(0, children);
  const double share =
      unmeasured == 0 ? 0 : ratio(unmeasured, unmeasured + core);
  // A little time in MPI does not make the rest known.
  return std::isnan(on_core + children) && share <= kMuchUnmeasured ? kUndefined
                                                                    : share;
}

double device_share(const JobReport& report) {
  const auto& resources = report.totals.resources;
  if (amount(resources, kDeviceProcesses.name) > 0) return kUndefined;
  const auto helpers =
      static_cast<double>(amount(resources, kTargetOnHost.name));
  return helpers == 0 ? 0 : share_of_core_time(report, helpers);
}

}  // namespace poprt
