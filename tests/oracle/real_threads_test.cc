// Random programs again, with each simulated thread as a thread of its own:
// only what MPI and OpenMP order is ordered.  To be run with ThreadSanitizer.
//
// Times are those of the simulation, so that the result is known. But an action
// of one thread may be performed long before an earlier action of another
// thread. So where the order matters, the programs keep to what MPI and OpenMP
// order: regions change outside of parallel regions, and inside of them
// messages are either only sent or only received (COM is what the process has
// received so far).
//
// POPRT_ORACLE_SEED=n runs that seed alone.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>
#include <utility>

#include "oracle/com_paths.h"
#include "oracle/compare.h"
#include "oracle/execution_graph.h"
#include "oracle/random_program.h"
#include "oracle/replay.h"

namespace poprt::oracle {
namespace {

// For each action, those that must be performed first: the sources of its
// edges, and for a lock what was done with it before.  What a worker does
// before its implicit task comes after the fork, too.
std::vector<std::vector<int>> order_of(const ExecutionGraph& graph) {
  const std::vector<Action>& actions = graph.history.actions;
  std::vector<std::vector<int>> order(actions.size());
  std::map<std::pair<int, int>, std::vector<size_t>> before_task;
  std::map<int, int> last_of_lock;
  for (size_t i = 0; i < actions.size(); ++i) {
    for (const Edge& edge : graph.nodes[i].in) order[i].push_back(edge.from);
    const Action& action = actions[i];
    if (action.kind >= Kind::kLockWait && action.kind <= Kind::kLockReleased) {
      const auto found = last_of_lock.find(action.object);
      if (found != last_of_lock.end()) order[i].push_back(found->second);
      last_of_lock[action.object] = static_cast<int>(i);
    }
    std::vector<size_t>& waiting = before_task[{action.process, action.thread}];
    if (!action.flag && (action.kind == Kind::kThreadBegin ||
                         action.kind == Kind::kImplicitEnd)) {
      waiting.push_back(i);
      continue;
    }
    if (action.kind == Kind::kImplicitBegin && !action.flag) {
      for (const size_t earlier : waiting) order[earlier] = order[i];
    }
    waiting.clear();
  }
  // And the call with which the threads of a process begin to keep COM: what is
  // before it in the history comes before it, and what is behind it later.
  const std::vector<size_t> starts = com_starts(graph);
  for (size_t p = 0; p < starts.size(); ++p) {
    for (size_t i = 0; i < actions.size() && starts[p] < actions.size(); ++i) {
      if (actions[i].process != static_cast<int>(p) || i == starts[p]) continue;
      if (i < starts[p]) {
        order[starts[p]].push_back(static_cast<int>(i));
      } else {
        order[i].push_back(static_cast<int>(starts[p]));
      }
    }
  }
  return order;
}

ProgramOptions threaded_options(uint64_t seed) {
  ProgramOptions options = random_options(seed);
  options.openmp = true;
  options.threads = 2 + static_cast<int>(seed % 5);
  options.actions = 100 + static_cast<int>(seed % 300);
  options.one_way = true;
  options.regions_in_parallel = false;
  return options;
}

// `run` returns what is wrong with a replay of a program of these options.
template <class Change, class Run>
void for_each_seed(uint64_t first, uint64_t count, Change change, Run run) {
  if (const char* const only = std::getenv("POPRT_ORACLE_SEED")) {
    first = std::strtoull(only, nullptr, 10);
    count = 1;
  }
  for (uint64_t seed = first; seed < first + count; ++seed) {
    ProgramOptions options = threaded_options(seed);
    change(&options);
    const RandomProgram program = run_random_program(options);
    Replay replay(program.history);
    replay.run_threaded(order_of(ExecutionGraph(program.history)));
    const std::string wrong = run(options, program.history, replay);
    ASSERT_EQ("", wrong) << "POPRT_ORACLE_SEED=" << seed;
  }
}

TEST(RealThreads, MeasureWhatTheOracleSays) {
  for_each_seed(
      3'000'000, 400, [](ProgramOptions*) {},
      [](const ProgramOptions& options, const History& history,
         Replay& replay) {
        return differences(history, replay, {options.unit_ns > 1, true}) +
               broken_rules(replay.totals());
      });
}

// The order of the threads is not determined here, but no time is lost or
// invented.
TEST(RealThreads, MayAllChangeRegionsAndCallMpi) {
  for_each_seed(
      4'000'000, 1000,
      [](ProgramOptions* options) {
        options->one_way = false;
        options->regions_in_parallel = true;
      },
      [](const ProgramOptions&, const History&, Replay& replay) {
        const int64_t error = replay.totals().quality.closure_error_ns;
        return error == 0 ? std::string()
                          : "closure error " + std::to_string(error);
      });
}

}  // namespace
}  // namespace poprt::oracle
