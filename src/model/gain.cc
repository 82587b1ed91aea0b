#include "model/gain.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "model/judge.h"
#include "model/quantities.h"
#include "model/ratio.h"
#include "model/terms.h"

namespace poprt {
namespace {

using Basis = Gain::Basis;

// By how much of the run time two runs of one program differ.
constexpr double kRepeated = 0.02;

// What the ends may be apart, and of the upper one, to be worth telling.
constexpr double kWide = 0.15;
constexpr double kWideOfHigh = 0.5;

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

// Each process has `work` to do, and the longest is occupied for `ns` then. The
// most that can be saved is that the run becomes as short as that process. The
// least: of the work that others have then, the same part is on the path.
Ends shared_work(const GainTimes& t, double work, double ns) {
  const double others = work_of_others(t);
  const double grown =
      others > 0 ? std::fmax(1, (t.processes - 1) * work / others) : 1;
  return {saved(t, ns + (t.run - t.occupied) * grown), saved(t, ns)};
}

Ends equal_processes(const GainTimes& t) {
  return shared_work(t, t.useful_max_avg, t.useful_max_avg + t.besides_work);
}
Ends equal_work(const GainTimes& t) {
  return shared_work(t, t.useful_avg, t.useful_avg + t.besides_work);
}
// Whether threads would have equal work if none waited is not known, but for
// tasks: they are executed by whoever is free.
Ends by_tasks(const GainTimes& t, double least, double most) {
  return {least + t.in_tasks * std::fmax(0, most - least), most};
}

// Each process gains, and the run what is on its path: all that the longest
// gains, and a part of the others'.
Ends equal_threads(const GainTimes& t) {
  const double all = t.processes * (t.useful_max_avg - t.useful_avg);
  const double own = t.occupied - t.balanced;
  const double others = std::fmax(0, all - own);
  return by_tasks(
      t, ratio(own + part_on_path(t) * others, t.run),
      std::fmin(ratio(std::fmax(all, t.occupied - t.unchained), t.run),
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
};

constexpr Gain::Kind kBound = Gain::Kind::kBound;
constexpr Gain::Kind kEstimate = Gain::Kind::kEstimate;

constexpr Rule kRules[] = {
    {"load_balance", kEstimate, Basis::kEqualWork, equal_work},
    {"serialisation_efficiency", kEstimate, Basis::kNobodyWaits, nobody_waits},
    {"transfer_efficiency", kBound, Basis::kIdealRuntimes, ideal_runtimes},
    {"mpi_load_balance", kEstimate, Basis::kEqualProcesses, equal_processes},
    {"mpi_serialisation_efficiency", kEstimate, Basis::kNoProcessWaits,
     no_process_waits},
    {"mpi_transfer_efficiency", kBound, Basis::kIdealMpi, ideal_mpi},
    {"openmp_load_balance", kEstimate, Basis::kEqualThreads, equal_threads},
    {"openmp_serialisation_efficiency", kEstimate, Basis::kNoThreadWaits,
     no_thread_waits},
    {"openmp_transfer_efficiency", kBound, Basis::kIdealOpenMp, ideal_openmp},
};

}  // namespace

GainTimes gain_times(const JobReport& report, const RegionReport& region) {
  const RegionTotals& r = region.totals;
  const Terms terms = terms_of(r, region.clocks_complete);
  const auto longest = [&](const ProcessMaximum& which) {
    return known_amount(r.amounts, which.name);
  };
  GainTimes times;
  times.processes = static_cast<double>(r.processes);
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
  double task_ns = 0;
  for (const ConstructReport& each : report.constructs) {
    if (each.totals.is_task) {
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

std::optional<Gain> gain_of(const Metric& metric, const GainTimes& times) {
  if (metric.model != Model::kCriticalPath) return std::nullopt;
  const Rule* const rule =
      std::ranges::find(kRules, std::string_view(metric.key), &Rule::key);
  if (rule == std::end(kRules)) return std::nullopt;
  const Ends ends = rule->ends(times);
  const double margin = kRepeated + times.uncertain;
  // fmin() and fmax() hide that a number is not known.
  const double clocks = times.run + times.cue + times.coo;
  const double maxima =
      times.occupied + times.besides_work + times.balanced + times.unchained;
  const bool is_unknown = std::isnan(clocks + ends.one + ends.other + margin) ||
                          (rule->kind == kEstimate && std::isnan(maxima));
  if (is_unknown) return std::nullopt;
  const auto [least, most] = std::minmax(ends.one, ends.other);
  const bool is_vague = rule->kind == kEstimate &&
                        most - least > std::fmax(kWide, kWideOfHigh * most);
  if (is_vague) return std::nullopt;
  return Gain{std::clamp(least - margin, 0.0, 1.0),
              std::clamp(most + margin, 0.0, 1.0), rule->kind, rule->basis};
}

}  // namespace poprt
