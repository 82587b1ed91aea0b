// GraphBuilder: makes an ExecutionGraph.  execution_graph.cc has threads, MPI,
// locks and regions, openmp_edges.cc teams and tasks.
#ifndef POPRT_TESTS_ORACLE_GRAPH_BUILDER_H_
#define POPRT_TESTS_ORACLE_GRAPH_BUILDER_H_

#include <cassert>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "oracle/execution_graph.h"

namespace poprt::oracle {

inline size_t at(int index) {
  assert(index >= 0);
  return static_cast<size_t>(index);
}

struct TaskFacts {
  int team = -1;
  int generation = 0;  // of the team's barriers: which one it ends before
  int parent = -1;
  int group = -1;        // innermost group that is open in it
  int comes_after = -1;  // its creation, or an untied task's suspension
  bool started = false;
  bool untied = false;
  Activity suspended = Activity::kUseful;
  std::vector<int> children_done;
};

struct ThreadFacts {
  Activity activity = Activity::kOmp;
  Activity before_mpi = Activity::kUseful;
  int64_t since_ns = 0;
  int depth = 0;  // of parallel regions
};

struct LockFacts {
  int waiting = 0;
  bool new_waits = false;     // since the last release that somebody waited for
  std::vector<int> released;  // what those that wait depend on
};

class GraphBuilder {
 public:
  GraphBuilder(const History& history, ExecutionGraph* graph)
      : history_(history),
        graph_(*graph),
        tasks_(at(history.tasks)),
        group_done_(at(history.groups)),
        group_outer_(at(history.groups), -1),
        locks_(at(history.locks)),
        sent_(at(history.messages), -1),
        joined_(at(history.teams), -1) {}

  void build();

 private:
  void prepare();
  void add(int index, const Action& action);
  void add_event(int index, const Action& action, ThreadFacts* thread);
  void add_openmp(int index, const Action& action, ThreadFacts* thread);
  void add_task_switch(int index, const Action& action, ThreadFacts* thread);
  void add_region(int index, const Action& action);
  void restart(int index, const Action& action);
  void finish();

  void edge(int from, int to, bool mpi = false) {
    assert(from >= 0 && from < to);
    graph_.nodes[at(to)].in.push_back({from, mpi});
  }
  void edges(const std::vector<int>& from, int to) {
    for (const int node : from) edge(node, to);
  }

  const History& history_;
  ExecutionGraph& graph_;
  std::vector<std::vector<ThreadFacts>> threads_;
  std::vector<TaskFacts> tasks_;
  // The events that the end of a team's barrier waits for: by team, generation.
  std::map<std::pair<int, int>, std::vector<int>> reached_;
  std::vector<std::vector<int>> group_done_;
  std::vector<int> group_outer_;
  std::vector<LockFacts> locks_;
  std::vector<int> sent_;      // by message
  std::vector<int> joined_;    // by team: generation of the join barrier
  std::map<int, int> forked_;  // by team
  std::vector<std::vector<int>> region_depth_;
};

}  // namespace poprt::oracle

#endif  // POPRT_TESTS_ORACLE_GRAPH_BUILDER_H_
