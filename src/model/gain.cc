#include "model/gain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "model/divisions.h"
#include "model/judge.h"
#include "model/quantities.h"
#include "model/ratio.h"
#include "model/terms.h"

namespace poprt {
namespace {

using Basis = Gain::Basis;

// By how much of the run time two runs of one program differ.
constexpr double kRepeated = 0.02;

// What the ends may be apart, and of the upper one, to be worth telling; and
// with all that may belong anywhere.
constexpr double kWide = 0.15;
constexpr double kWideOfHigh = 0.5;
constexpr double kWidest = 0.5;

// A bound that is as much is all, as it is written; and one that is nearly.
constexpr double kAll = 0.99;
constexpr double kNearlyAll = 0.9;

// Ranks have the same work if what some have above the average is less, all
// together, of the run time.
constexpr double kSame = 0.01;

constexpr double kNone = -std::numeric_limits<double>::infinity();

// A gain's ends before they are widened, as shares of the run time, in any
// order; and the least gain that does not rest on what one run cannot tell.
struct Ends {
  double one;
  double other;
  double for_certain;
};

double saved(const GainTimes& t, double ns) { return 1 - ratio(ns, t.run); }

// What processes do before they wait for others, on average all together.
double work_of_all(const GainTimes& t) { return t.processes * t.busy_avg; }

// Whether processes wait for one another in turn, as far as one run tells: the
// one that is occupied for longest waits for another one, or the run for work
// of several.
bool is_in_turn(const GainTimes& t) {
  return std::fmax(t.run - t.occupied, t.cue - t.pl_cue) > kRepeated * t.run;
}

// What `count` have more than their average, all together, is at most this if
// none has more than `most`: as many of them as can have that have it, and the
// others nothing.
double surplus(double count, double average, double most) {
  return most > 0 ? count * average * (1 - average / most) : 0;
}

// Each process has `work` to do.  The run takes at least that and what the
// process with most besides its work has besides.  No path becomes shorter or
// longer by more than what some have above the average.  Where processes do not
// wait in turn it takes hardly more; and if they do a little, as much more as
// they have more work then.
Ends shared_work(const GainTimes& t, double work, double above) {
  if (above <= kSame * t.run) {
    const double share = ratio(above, t.run);
    return {-share, share, -share};
  }
  // With several threads, work for which others of the process wait is not
  // told from what is no work.
  const bool is_told = t.threads == t.processes;
  const double besides = is_told ? t.besides_work : t.occupied - t.busy_max;
  const double others = work_of_all(t) - t.busy_max;
  const double grown =
      others > 0 ? std::fmax(1, (t.processes - 1) * work / others) : 1;
  const double low = saved(t, work + std::fmax(t.besides_work, besides) +
                                  (t.run - t.occupied) * grown);
  return {low, saved(t, work + besides), is_in_turn(t) ? kNone : low};
}

Ends equal_processes(const GainTimes& t) {
  return shared_work(t, t.busy_avg,
                     surplus(t.processes, t.busy_avg, t.busy_max));
}
Ends equal_work(const GainTimes& t) {
  return shared_work(t, t.useful_avg,
                     t.processes * (t.busy_max - t.useful_avg));
}
// Whether threads would have equal work if none waited is not known, but for
// tasks: they are executed by whoever is free.
double by_tasks(const GainTimes& t, double least, double most) {
  return least + t.in_tasks * std::fmax(0, most - least);
}

// Each process gains, and the run what is on its path.  With n threads, equal
// work makes no stretch shorter than to 1/n: so of what all gain only so much
// can be elsewhere.  All that the longest gains is on the path where processes
// do not wait in turn, and the same thread is always the busiest.
Ends equal_threads(const GainTimes& t) {
  const double most = 1 - ratio(t.processes, t.threads);
  const double high = std::fmin(
      saved(t, t.unchained),
      ratio(
          std::fmin(work_of_all(t) - t.processes * t.useful_avg, most * t.cue),
          t.run));
  const double all = t.processes * (t.useful_max_avg - t.useful_avg);
  const double elsewhere = std::fmax(0, work_of_all(t) - t.cue);
  const double for_certain = std::fmax(0, ratio(all - most * elsewhere, t.run));
  const double low = by_tasks(
      t, std::fmax(for_certain, ratio(t.occupied - t.balanced, t.run)), high);
  const bool is_steady =
      !is_in_turn(t) && t.pl_cue - t.useful_max <= kRepeated * t.run;
  return {low, high, std::fmin(is_steady ? low : for_certain, high)};
}
Ends between(double least, double most) {
  return {least, most, std::fmin(least, most)};
}
Ends no_process_waits(const GainTimes& t) {
  const double step = ratio(t.cue - t.pl_cue, t.run);
  return between(step, saved(t, t.occupied));
}
Ends no_thread_waits(const GainTimes& t) {
  const double most = saved(t, t.unchained);
  const double least = by_tasks(
      t,
      ratio(std::fmin(t.pl_cue - t.useful_max, t.occupied - t.unchained),
            t.run),
      most);
  // Of several processes another one may take over at times.
  return {least, most, t.processes > 1 ? 0 : std::fmin(least, most)};
}
Ends nobody_waits(const GainTimes& t) {
  const double step = ratio(t.cue - t.useful_max, t.run);
  return between(step, saved(t, t.unchained));
}
// G-COO contains waits in MPI for the OpenMP of others.
Ends ideal_mpi(const GainTimes& t) {
  const double without = saved(t, t.com);
  return between(std::fmin(ratio(t.coo - t.cue, t.run), without), without);
}
Ends ideal_openmp(const GainTimes& t) {
  return between(saved(t, t.coo),
                 saved(t, std::isnan(t.coow) ? t.cue : t.coow));
}
Ends ideal_runtimes(const GainTimes& t) {
  return between(saved(t, t.cue), saved(t, t.cue));
}

struct Rule {
  std::string_view key;
  Gain::Kind kind;
  Basis basis;
  Ends (*ends)(const GainTimes&);
  // Whether it is mended in each region by itself: a wait for the work of
  // another region is none of that.
  bool by_regions = false;
};

constexpr Gain::Kind kBound = Gain::Kind::kBound;
constexpr Gain::Kind kEstimate = Gain::Kind::kEstimate;

constexpr Rule kRules[] = {
    {"load_balance", kEstimate, Basis::kEqualWork, equal_work, true},
    {"serialisation_efficiency", kEstimate, Basis::kNobodyWaits, nobody_waits},
    {"transfer_efficiency", kBound, Basis::kIdealRuntimes, ideal_runtimes},
    {"mpi_load_balance", kEstimate, Basis::kEqualProcesses, equal_processes,
     true},
    {"mpi_serialisation_efficiency", kEstimate, Basis::kNoProcessWaits,
     no_process_waits},
    {"mpi_transfer_efficiency", kBound, Basis::kIdealMpi, ideal_mpi},
    {"openmp_load_balance", kEstimate, Basis::kEqualThreads, equal_threads,
     true},
    {"openmp_serialisation_efficiency", kEstimate, Basis::kNoThreadWaits,
     no_thread_waits},
    {"openmp_transfer_efficiency", kBound, Basis::kIdealOpenMp, ideal_openmp},
};

// fmin() and fmax() hide that a number is not known.
bool is_known(const Rule& rule, const GainTimes& t) {
  const double clocks = t.run + t.cue + t.coo + t.busy_max + t.uncertain;
  const double maxima = t.occupied + t.besides_work + t.balanced + t.unchained;
  const Ends ends = rule.ends(t);
  return !std::isnan(clocks + ends.one + ends.other) &&
         (rule.kind == kBound || !std::isnan(maxima));
}

// The ends of what the regions save; `one` is the lower.  The run takes at most
// the sum of what they take.  What is in none of them may vanish.
Ends ends_of(const Rule& rule, const GainTimes& whole,
             const std::vector<GainTimes>& regions) {
  double least = 0, most = 0, for_certain = 0, run = 0;
  for (const GainTimes& each : regions) {
    const Ends ends = rule.ends(each);
    least += std::fmin(ends.one, ends.other) * each.run;
    most += std::fmax(ends.one, ends.other) * each.run;
    for_certain += ends.for_certain * each.run;
    run += each.run;
  }
  const double longer = std::fmax(0, run - whole.run);
  return {ratio(least - longer, whole.run),
          ratio(most + std::fmax(0, whole.run - run), whole.run),
          ratio(for_certain - longer, whole.run)};
}

}  // namespace

GainTimes gain_times(const JobReport& report, const RegionReport& region) {
  const RegionTotals& r = region.totals;
  const Terms terms = terms_of(r, region.clocks_complete);
  const auto longest = [&](const ProcessMaximum& which) {
    return known_amount(r.amounts, which.name);
  };
  GainTimes times;
  const MultiplicativeTerms processes =
      multiplicative_terms(r, region.clocks_complete);
  times.processes = static_cast<double>(r.processes);
  times.threads = static_cast<double>(r.threads);
  times.run = terms.all;
  times.cue = terms.cue;
  times.com = processes.ideal;
  times.coo = terms.coo;
  times.coow = report.totals.has_mpi ? terms.coow : terms.coo;
  times.pl_cue = terms.pl_cue;
  times.busy_avg = processes.outside_mpi_avg;
  times.busy_max = processes.outside_mpi_max;
  times.useful_max = terms.useful_max;
  times.useful_max_avg = terms.useful_max_avg;
  times.useful_avg = terms.useful_avg;
  times.occupied = longest(kOccupied);
  times.besides_work = longest(kBesidesWork);
  times.balanced = longest(kBalanced);
  times.unchained = longest(kUnchained);
  // Which region they were in is not known.
  double task_ns = 0;
  for (const ConstructReport& each : report.constructs) {
    if (each.totals.is_task && r.name == kGlobalRegion) {
      task_ns += static_cast<double>(each.totals.useful_ns);
    }
  }
  times.in_tasks = std::clamp(
      ratio(task_ns, static_cast<double>(r.useful_sum_ns)), 0.0, 1.0);
  // Of an average process: its primary thread is mostly the one that calls MPI.
  const double unknown =
      known_amount(r.amounts, kMpiUnknown.name) /
      (static_cast<double>(r.processes) * static_cast<double>(r.all_ns));
  times.uncertain =
      waited_for_core(report) + unknown +
      share_of_core_time(
          report, static_cast<double>(report.totals.quality.overhead_ns));
  return times;
}

const char* key_of(Gain::Kind kind) {
  return kind == kBound ? "bound" : "estimate";
}

const char* key_of(Basis basis) {
  switch (basis) {
    case Basis::kEqualProcesses:
      return "equal_processes";
    case Basis::kEqualThreads:
      return "equal_threads";
    case Basis::kEqualWork:
      return "equal_work";
    case Basis::kNoProcessWaits:
      return "no_process_waits";
    case Basis::kNoThreadWaits:
      return "no_thread_waits";
    case Basis::kNobodyWaits:
      return "nobody_waits";
    case Basis::kIdealMpi:
      return "ideal_mpi";
    case Basis::kIdealOpenMp:
      return "ideal_openmp";
    case Basis::kIdealRuntimes:
      return "ideal_runtimes";
  }
  return "";
}

const char* key_of(NoGain reason) {
  switch (reason) {
    case NoGain::kNotMeasured:
      return "not_measured";
    case NoGain::kUncertain:
      return "uncertain";
    case NoGain::kDependsOnOrder:
      return "depends_on_order";
    case NoGain::kAllOfTheRun:
      return "all_of_the_run";
  }
  return "";
}

FoundGain gain_of(const Metric& metric, const GainTimes& times,
                  std::span<const GainTimes> regions,
                  std::span<const std::vector<GainTimes>> divisions) {
  if (metric.model != Model::kCriticalPath) return NoGain::kNotMeasured;
  const Rule* const found =
      std::ranges::find(kRules, std::string_view(metric.key), &Rule::key);
  if (found == std::end(kRules)) return NoGain::kNotMeasured;
  const Rule& rule = *found;
  if (!is_known(rule, times)) return NoGain::kNotMeasured;

  const auto is_wide = [](double low, double high) {
    return high - low > std::fmax(kWide, kWideOfHigh * high);
  };
  const auto is_vague = [&](const Ends& ends) {
    return rule.kind == kEstimate && is_wide(std::fmin(ends.one, ends.other),
                                             std::fmax(ends.one, ends.other));
  };
  Ends ends = rule.ends(times);
  // What the run as a whole does not tell a region may.
  if (rule.by_regions && std::ranges::any_of(regions, [&](const auto& each) {
        return rule.ends(each).for_certain == kNone;
      })) {
    ends.for_certain = kNone;
  }
  // Regions tell more than the run as a whole, which may be narrow by chance.
  size_t count = 0;
  for (const std::vector<GainTimes>& division : divisions) {
    const bool fits = rule.by_regions &&
                      std::ranges::all_of(division, [&](const GainTimes& each) {
                        return is_known(rule, each);
                      });
    if (!fits) continue;
    const Ends sum = ends_of(rule, times, division);
    const bool is_narrower =
        count == 0 || sum.other - sum.one < ends.other - ends.one;
    if (!is_narrower || is_vague(sum)) continue;
    ends = sum;
    count = division.size();
  }
  if (is_vague(ends)) return NoGain::kDependsOnOrder;
  Gain gain = {std::fmin(std::fmin(ends.one, ends.other), ends.for_certain),
               std::fmax(ends.one, ends.other), rule.kind, rule.basis, count};
  if (is_wide(gain.low, gain.high)) gain.kind = kBound;
  if (rule.kind == kEstimate && gain.kind == kBound) gain.low = 0;
  const bool is_nearly_all = gain.high > kNearlyAll;
  const double margin = kRepeated + times.uncertain;
  gain.low = std::clamp(gain.low - margin, 0.0, 1.0);
  gain.high = std::clamp(gain.high + margin, 0.0, 1.0);
  if (gain.kind == kBound && gain.high > kAll) {
    return is_nearly_all ? NoGain::kAllOfTheRun : NoGain::kUncertain;
  }
  if (gain.kind == kEstimate && gain.high - gain.low > kWidest) {
    return NoGain::kUncertain;
  }
  return gain;
}

FoundGain gain_of(const JobReport& report, const Metric& metric) {
  const RegionReport& global = *global_region(report);
  std::vector<GainTimes> regions;
  for (const RegionReport& each : report.regions) {
    if (&each != &global) regions.push_back(gain_times(report, each));
  }
  std::vector<std::vector<GainTimes>> divisions;
  for (const Division& division : divisions_of(report)) {
    std::vector<GainTimes>& times = divisions.emplace_back();
    for (const RegionReport* const each : division) {
      times.push_back(gain_times(report, *each));
    }
  }
  return gain_of(metric, gain_times(report, global), regions, divisions);
}

}  // namespace poprt
