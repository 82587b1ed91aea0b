#include "compare/scaling_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "document/format.h"

namespace poprt {
namespace {

constexpr double kStrongBelow = 0.4;
constexpr double kWeakAbove = 0.6;

int64_t votes_for(const ScalingVotes& votes, Scaling scaling) {
  return std::count_if(
      votes.votes.begin(), votes.votes.end(),
      [&](const Vote& vote) { return vote.scaling == scaling; });
}

// The work of the whole program in a configuration.
Work global_work(const Configuration& configuration, const Load& load = {}) {
  std::vector<Work> works;
  for (const RunFile& run : configuration.runs) {
    works.push_back(work_of(run.report, load));
  }
  return median_of(works);
}

// Votes by cores, or by the amounts of another unit.
ScalingVotes votes_by(const char* unit, double from_amount, double to_amount,
                      const Work& from, const Work& to) {
  ScalingVotes result = {from_amount, to_amount, {}, unit};
  const double k = to_amount / from_amount;
  if (!(k > 1)) return result;
  const auto ask = [&](const std::string& quantity, double ratio) {
    if (!(ratio > 0) || std::isinf(ratio)) return;
    const double e = 1 + std::log(ratio) / std::log(k);
    std::optional<Scaling> vote;
    if (e < kStrongBelow) vote = Scaling::kStrong;
    if (e > kWeakAbove) vote = Scaling::kWeak;
    result.votes.push_back({quantity, ratio, vote});
  };
  ask(fmt::format("instructions per {}", unit),
      to.instructions / from.instructions / k);
  ask(fmt::format("useful time per {}", unit),
      to.useful_ns / from.useful_ns / k);
  ask("run time", to.run_time_ns / from.run_time_ns);
  return result;
}

const JobReport& first_run(const Configuration& configuration) {
  return configuration.runs.front().report;
}

// Whether two runs have the same ranks, command line and metadata.  Then they
// do the same work, whatever their threads.
bool do_the_same(const Configuration& a, const Configuration& b) {
  const JobReport& first = first_run(a);
  const JobReport& second = first_run(b);
  const auto same = [](const Metadata& x, const Metadata& y) {
    return x.key == y.key && x.value == y.value;
  };
  return first.totals.processes == second.totals.processes &&
         !first.context.command.empty() &&
         first.context.command == second.context.command &&
         std::ranges::equal(first.totals.metadata, second.totals.metadata,
                            same);
}

bool differ_in_cores(const Configuration& a, const Configuration& b) {
  return first_run(a).totals.threads != first_run(b).totals.threads;
}

// Whether there are runs that do the same work on more threads.
bool add_threads(const std::vector<Configuration>& configurations) {
  for (const Configuration& a : configurations) {
    for (const Configuration& b : configurations) {
      if (differ_in_cores(a, b) && do_the_same(a, b)) return true;
    }
  }
  return false;
}

bool differ_in_threads_only(const std::vector<Configuration>& configurations) {
  const Configuration& front = configurations.front();
  return differ_in_cores(front, configurations.back()) &&
         std::ranges::all_of(configurations, [&](const Configuration& each) {
           return do_the_same(front, each);
         });
}

// The configuration with the most ranks, if possible with the same number of
// threads per rank as the first one.
const Configuration& most_ranks(
    const std::vector<Configuration>& configurations) {
  const auto rank = [&](const Configuration& each) {
    const JobTotals& own = first_run(each).totals;
    const JobTotals& first = first_run(configurations.front()).totals;
    return std::pair(own.processes, own.threads_max == first.threads_max);
  };
  return *std::ranges::max_element(configurations, {}, rank);
}

ScalingVotes votes_of_ranks(const std::vector<Configuration>& configurations) {
  const Load ranks = {Load::By::kRanks, ""};
  const Work from = global_work(configurations.front(), ranks);
  const Work to = global_work(most_ranks(configurations), ranks);
  return votes_by("rank", from.load, to.load, from, to);
}

// How much a quantity grows from the run with the fewest cores to the one with
// the most.
struct Growth {
  explicit Growth(const std::vector<Configuration>& configurations) {
    const Load by_ranks = {Load::By::kRanks, ""};
    const size_t last = largest_like(configurations, 0);
    const Work from = global_work(configurations.front(), by_ranks);
    const Work to = global_work(configurations[last], by_ranks);
    work = std::isnan(to.instructions) ? to.useful_ns / from.useful_ns
                                       : to.instructions / from.instructions;
    ranks = to.load / from.load;
    cores = to.cores / from.cores;
  }
  // Whether the work has grown with the ranks rather than like `other`.
  bool is_by_ranks_not(double other) const {
    const auto distance = [&](double x) {
      return std::abs(std::log(work / x));
    };
    return ranks > 1 && ranks < cores && distance(ranks) < distance(other);
  }

  double work;
  double ranks;
  double cores;
};

std::string said(const Growth& growth, const std::string& other) {
  return fmt::format(
      "the useful work is x {:.2f}, nearer to the ranks (x {:.2f}) than to {}: "
      "load by ranks",
      growth.work, growth.ranks, other);
}

}  // namespace

ScalingVotes scaling_votes(const Work& fewest_cores, const Work& most_cores) {
  return votes_by("core", fewest_cores.cores, most_cores.cores, fewest_cores,
                  most_cores);
}

ScalingVotes scaling_votes(const std::vector<Configuration>& configurations) {
  return scaling_votes(
      global_work(configurations.front()),
      global_work(configurations[largest_like(configurations, 0)]));
}

std::optional<Scaling> decided(const ScalingVotes& votes) {
  if (votes.cores_from == votes.cores_to) return Scaling::kStrong;
  if (votes.votes.empty()) return std::nullopt;
  return votes.votes.front().scaling.value_or(Scaling::kStrong);
}

std::string evidence(const ScalingVotes& votes) {
  if (votes.cores_from == votes.cores_to) {
    return fmt::format(
        "all runs have {} {}s: strong and weak are the same here",
        votes.cores_from, votes.unit);
  }
  std::string text = fmt::format("from {} to {} {}s", votes.cores_from,
                                 votes.cores_to, votes.unit);
  for (const Vote& vote : votes.votes) {
    text += fmt::format("{} {} x {:.2f}", &vote == &votes.votes[0] ? ":" : ",",
                        vote.quantity, vote.ratio);
  }
  const int64_t strong = votes_for(votes, Scaling::kStrong);
  const int64_t weak = votes_for(votes, Scaling::kWeak);
  text += fmt::format(
      " (strong scaling: x {:.2f}, weak: x 1.00); {} for strong, {} for weak",
      votes.cores_from / votes.cores_to, counted(strong, "vote"), weak);
  const bool unanimous =
      std::max(strong, weak) == static_cast<int64_t>(votes.votes.size());
  return unanimous ? text : text + "; the first decides, or --scaling";
}

std::optional<ScalingChoice> scaling_choice(
    const std::vector<Configuration>& configurations) {
  const Load by_ranks = {Load::By::kRanks, ""};
  if (differ_in_threads_only(configurations)) {
    return ScalingChoice{Scaling::kStrong,
                         {},
                         "strong: the runs have the same ranks and the same "
                         "command line, and differ only in their threads"};
  }
  const bool threads_added = add_threads(configurations);
  const ScalingVotes votes = threads_added ? votes_of_ranks(configurations)
                                           : scaling_votes(configurations);
  const std::optional<Scaling> decision = decided(votes);
  if (!decision) return std::nullopt;
  const std::string how = evidence(votes);
  if (threads_added) {
    return ScalingChoice{
        *decision, by_ranks,
        fmt::format(
            "{}: runs of the same ranks and command line differ in "
            "their threads, so the work does not grow with these; {}",
            *decision == Scaling::kWeak ? "weak, load by ranks" : "strong",
            how)};
  }
  const Growth growth(configurations);
  const bool undecided = !votes.votes.empty() && !votes.votes.front().scaling;
  if (*decision == Scaling::kWeak && growth.is_by_ranks_not(growth.cores)) {
    const std::string cores = fmt::format("the cores (x {:.2f})", growth.cores);
    return ScalingChoice{Scaling::kWeak, by_ranks,
                         "weak: " + how + "; " + said(growth, cores)};
  }
  if (undecided && growth.is_by_ranks_not(1)) {
    return ScalingChoice{Scaling::kWeak, by_ranks,
                         "weak: " + how + "; " + said(growth, "x 1.00")};
  }
  return ScalingChoice{
      *decision, {}, std::string(name_of(*decision)) + ": " + how};
}

std::pair<Load, std::string> load_choice(
    const std::vector<Configuration>& configurations) {
  const Load by_ranks = {Load::By::kRanks, ""};
  if (add_threads(configurations)) {
    return {by_ranks,
            "runs of the same ranks and command line differ in their threads: "
            "load by ranks"};
  }
  const Growth growth(configurations);
  if (!growth.is_by_ranks_not(growth.cores)) return {};
  return {by_ranks,
          said(growth, fmt::format("the cores (x {:.2f})", growth.cores))};
}

std::string name_of(const Load& load) {
  switch (load.by) {
    case Load::By::kCores:
      return "cores";
    case Load::By::kRanks:
      return "ranks";
    case Load::By::kMetadata:
      return "metadata " + printable(load.key);
  }
  return "";
}

const char* name_of(Scaling scaling) {
  return scaling == Scaling::kStrong ? "strong" : "weak";
}

}  // namespace poprt
