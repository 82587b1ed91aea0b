#include "model/gain.h"

#include <algorithm>
#include <cmath>
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

// A gain's ends before they are widened, as shares of the run time; in any
// order.
struct Ends {
  double one;
  double other;
};

double saved(const GainTimes& t, double ns) { return 1 - ratio(ns, t.run); }

// What the processes do besides the one with most work.
double work_of_others(const GainTimes& t) {
  return t.processes * t.useful_max_avg - t.useful_max;
}

// The part of their work that the run waits for, one after the other.
double part_on_path(const GainTimes& t) {
  const double others = work_of_others(t);
  return others > 0 ? std::clamp((t.cue - t.pl_cue) / others, 0.0, 1.0) : 0;
}

// What `count` processes or threads have more than their average, all together,
// is at most this if none has more than `most`: as many of them as can have
// that have it, and the others nothing.
double surplus(double count, double average, double most) {
  return most > 0 ? count * average * (1 - average / most) : 0;
}

// Each of `count` has `work` to do.  The most that can be saved is that the run
// becomes as short as the process that is occupied for longest then, or by the
// surplus; where another thread is the busiest at other times, its process has
// that besides, which is shared as well.  The least: of the work that others
// have then, the same part is on the path.
Ends shared_work(const GainTimes& t, double count, double work) {
  const double others = work_of_others(t);
  const double grown =
      others > 0 ? std::fmax(1, (t.processes - 1) * work / others) : 1;
  const double ns = work + t.besides_work;
  const double by_threads = std::fmin(t.besides_work, t.pl_cue - t.useful_max);
  const double most = surplus(count, work, t.useful_max) + by_threads;
  return {saved(t, ns + (t.run - t.occupied) * grown),
          std::fmin(saved(t, ns - by_threads), ratio(most, t.run))};
}

Ends equal_processes(const GainTimes& t) {
  return shared_work(t, t.processes, t.useful_max_avg);
}
Ends equal_work(const GainTimes& t) {
  return shared_work(t, t.threads, t.useful_avg);
}
// Whether threads would have equal work if none waited is not known, but for
// tasks: they are executed by whoever is free.
Ends by_tasks(const GainTimes& t, double least, double most) {
  return {least + t.in_tasks * std::fmax(0, most - least), most};
}

// Each process gains, and the run what is on its path: all that the longest
// gains, and of what the others gain at least what cannot be elsewhere.  With n
// threads, equal work makes no stretch shorter than to 1/n.
Ends equal_threads(const GainTimes& t) {
  const double all = t.processes * (t.useful_max_avg - t.useful_avg);
  const double own = t.occupied - t.balanced;
  const double others = std::fmax(0, all - own);
  const double most = 1 - ratio(t.processes, t.threads);
  const double on_path = part_on_path(t) * work_of_others(t);
  const double elsewhere = work_of_others(t) - on_path;
  const double unchained = t.occupied - t.unchained;
  return by_tasks(
      t, ratio(own + std::fmax(0, others - most * elsewhere), t.run),
      std::fmin(ratio(unchained + std::fmin(others, most * on_path), t.run),
                saved(t, t.unchained)));
}
Ends no_process_waits(const GainTimes& t) {
  return {ratio(t.cue - t.pl_cue, t.run), saved(t, t.occupied)};
}
Ends no_thread_waits(const GainTimes& t) {
  return by_tasks(
      t,
      ratio(std::fmin(t.pl_cue - t.useful_max, t.occupied - t.unchained),
            t.run),
      saved(t, t.unchained));
}
Ends nobody_waits(const GainTimes& t) {
  return {ratio(t.cue - t.useful_max, t.run), saved(t, t.unchained)};
}
// G-COO contains waits in MPI for the OpenMP of others.
Ends ideal_mpi(const GainTimes& t) {
  const double without = saved(t, t.com);
  return {std::fmin(ratio(t.coo - t.cue, t.run), without), without};
}
Ends ideal_openmp(const GainTimes& t) {
  return {saved(t, t.coo), saved(t, std::isnan(t.coow) ? t.cue : t.coow)};
}
Ends ideal_runtimes(const GainTimes& t) {
  return {saved(t, t.cue), saved(t, t.cue)};
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
  const double clocks = t.run + t.cue + t.coo + t.uncertain;
  const double maxima = t.occupied + t.besides_work + t.balanced + t.unchained;
  const Ends ends = rule.ends(t);
  return !std::isnan(clocks + ends.one + ends.other) &&
         (rule.kind == kBound || !std::isnan(maxima));
}

// The ends of what the regions save; `one` is the lower.  The run takes at most
// the sum of what they take.  What is in none of them may vanish.
Ends ends_of(const Rule& rule, const GainTimes& whole,
             const std::vector<GainTimes>& regions) {
  double least = 0, most = 0, run = 0;
  for (const GainTimes& each : regions) {
    const Ends ends = rule.ends(each);
    least += std::fmin(ends.one, ends.other) * each.run;
    most += std::fmax(ends.one, ends.other) * each.run;
    run += each.run;
  }
  return {ratio(least - std::fmax(0, run - whole.run), whole.run),
          ratio(most + std::fmax(0, whole.run - run), whole.run)};
}

}  // namespace

GainTimes gain_times(const JobReport& report, const RegionReport& region) {
  const RegionTotals& r = region.totals;
  const Terms terms = terms_of(r, region.clocks_complete);
  const auto longest = [&](const ProcessMaximum& which) {
    return known_amount(r.amounts, which.name);
  };
  GainTimes times;
  times.processes = static_cast<double>(r.processes);
  times.threads = static_cast<double>(r.threads);
  times.run = terms.all;
  times.cue = terms.cue;
  times.com = multiplicative_terms(r, region.clocks_complete).ideal;
  times.coo = terms.coo;
  times.coow = report.totals.has_mpi ? terms.coow : terms.coo;
  times.pl_cue = terms.pl_cue;
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
                  std::span<const std::vector<GainTimes>> divisions) {
  if (metric.model != Model::kCriticalPath) return NoGain::kNotMeasured;
  const Rule* const found =
      std::ranges::find(kRules, std::string_view(metric.key), &Rule::key);
  if (found == std::end(kRules)) return NoGain::kNotMeasured;
  const Rule& rule = *found;
  if (!is_known(rule, times)) return NoGain::kNotMeasured;

  const auto is_vague = [&](const Ends& ends) {
    const double high = std::fmax(ends.one, ends.other);
    return rule.kind == kEstimate && std::abs(ends.other - ends.one) >
                                         std::fmax(kWide, kWideOfHigh * high);
  };
  // Regions tell more than the run as a whole, which may be narrow by chance.
  Ends ends = rule.ends(times);
  size_t count = 0;
  for (const std::vector<GainTimes>& regions : divisions) {
    const bool fits = rule.by_regions &&
                      std::ranges::all_of(regions, [&](const GainTimes& each) {
                        return is_known(rule, each);
                      });
    if (!fits) continue;
    const Ends sum = ends_of(rule, times, regions);
    const bool is_narrower =
        count == 0 || sum.other - sum.one < ends.other - ends.one;
    if (!is_narrower || is_vague(sum)) continue;
    ends = sum;
    count = regions.size();
  }
  if (is_vague(ends)) return NoGain::kDependsOnOrder;
  Gain gain = {std::fmin(ends.one, ends.other), std::fmax(ends.one, ends.other),
               rule.kind, rule.basis, count};
  const bool is_nearly_all = gain.high > kNearlyAll;
  const double margin = kRepeated + times.uncertain;
  gain.low = std::clamp(gain.low - margin, 0.0, 1.0);
  gain.high = std::clamp(gain.high + margin, 0.0, 1.0);
  if (rule.kind == kBound && gain.high > kAll) {
    return is_nearly_all ? NoGain::kAllOfTheRun : NoGain::kUncertain;
  }
  if (rule.kind == kEstimate && gain.high - gain.low > kWidest) {
    return NoGain::kUncertain;
  }
  return gain;
}

FoundGain gain_of(const JobReport& report, const Metric& metric) {
  std::vector<std::vector<GainTimes>> divisions;
  for (const Division& division : divisions_of(report)) {
    std::vector<GainTimes>& times = divisions.emplace_back();
    for (const RegionReport* const each : division) {
      times.push_back(gain_times(report, *each));
    }
  }
  return gain_of(metric, gain_times(report, *global_region(report)), divisions);
}

}  // namespace poprt
