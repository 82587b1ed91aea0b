#include "compare/scaling_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/format.h"

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
Work global_work(const Configuration& configuration) {
  std::vector<Work> works;
  for (const RunFile& run : configuration.runs) {
    works.push_back(work_of(run.report));
  }
  return median_of(works);
}

}  // namespace

ScalingVotes scaling_votes(const Work& fewest_cores, const Work& most_cores) {
  ScalingVotes result = {fewest_cores.cores, most_cores.cores, {}};
  const double k = most_cores.cores / fewest_cores.cores;
  if (!(k > 1)) return result;
  const auto ask = [&](const char* quantity, double ratio) {
    if (!(ratio > 0) || std::isinf(ratio)) return;
    const double e = 1 + std::log(ratio) / std::log(k);
    std::optional<Scaling> vote;
    if (e < kStrongBelow) vote = Scaling::kStrong;
    if (e > kWeakAbove) vote = Scaling::kWeak;
    result.votes.push_back({quantity, ratio, vote});
  };
  ask("instructions per core",
      most_cores.instructions / fewest_cores.instructions / k);
  ask("useful time per core",
      most_cores.useful_ns / fewest_cores.useful_ns / k);
  ask("run time", most_cores.run_time_ns / fewest_cores.run_time_ns);
  return result;
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
        "all runs have {} cores: strong and weak are the same here",
        votes.cores_from);
  }
  std::string text =
      fmt::format("from {} to {} cores", votes.cores_from, votes.cores_to);
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

const char* name_of(Scaling scaling) {
  return scaling == Scaling::kStrong ? "strong" : "weak";
}

}  // namespace poprt
