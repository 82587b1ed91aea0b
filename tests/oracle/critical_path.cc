#include "oracle/critical_path.h"

#include <algorithm>

namespace poprt::oracle {
namespace {

bool counts(Clock clock, Activity activity) {
  switch (clock) {
    case Clock::kCue:
      return activity == Activity::kUseful;
    case Clock::kCoo:
      return !in_openmp(activity);
    case Clock::kAll:
      return true;
  }
  return false;
}

bool counts(Scope scope, const Edge& edge) {
  return scope == Scope::kGlobal || (scope == Scope::kProcess && !edge.mpi);
}

}  // namespace

CriticalPaths::CriticalPaths(const ExecutionGraph& graph, int region)
    : graph_(graph),
      region_(static_cast<size_t>(region)),
      weight_ns_(graph.nodes.size()) {
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (!graph.nodes[i].exists) continue;
    const auto process = static_cast<size_t>(graph.history.actions[i].process);
    const Stretch& before = graph.nodes[i].before;
    weight_ns_[i] = graph.processes[process].inside[region_].overlap(
        before.begin_ns, before.end_ns);
  }
}

std::vector<int64_t> CriticalPaths::to_nodes(Clock clock, Scope scope) const {
  // Edges lead from lower to higher indices: this is a topological order.
  std::vector<int64_t> heaviest(graph_.nodes.size());
  for (size_t i = 0; i < heaviest.size(); ++i) {
    const Node& node = graph_.nodes[i];
    if (!node.exists) continue;
    if (node.previous >= 0) {
      heaviest[i] = heaviest[static_cast<size_t>(node.previous)];
    }
    if (counts(clock, node.before.activity)) heaviest[i] += weight_ns_[i];
    for (const Edge& edge : node.in) {
      if (!counts(scope, edge)) continue;
      heaviest[i] =
          std::max(heaviest[i], heaviest[static_cast<size_t>(edge.from)]);
    }
  }
  return heaviest;
}

std::vector<std::vector<int64_t>> CriticalPaths::to_threads(Clock clock,
                                                            Scope scope) const {
  const std::vector<int64_t> heaviest = to_nodes(clock, scope);
  std::vector<std::vector<int64_t>> ends;
  for (const ProcessLine& process : graph_.processes) {
    std::vector<int64_t>& of_process = ends.emplace_back();
    for (const ThreadLine& thread : process.threads) {
      int64_t& end = of_process.emplace_back(0);
      if (thread.last_node >= 0) {
        end = heaviest[static_cast<size_t>(thread.last_node)];
      }
      const Stretch& last = thread.stretches.back();
      if (counts(clock, last.activity)) {
        end += process.inside[region_].overlap(last.begin_ns, last.end_ns);
      }
    }
  }
  return ends;
}

}  // namespace poprt::oracle
