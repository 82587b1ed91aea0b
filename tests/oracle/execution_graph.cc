#include "oracle/execution_graph.h"

#include <cassert>
#include <map>
#include <utility>

namespace poprt::oracle {
namespace {

size_t at(int index) {
  assert(index >= 0);
  return static_cast<size_t>(index);
}

struct TaskFacts {
  int team = -1;
  int generation = 0;  // of the team's barriers: which one it ends before
  int parent = -1;
  int group = -1;  // innermost group that is open in it
  std::vector<int> groups_outside;
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

class Builder {
 public:
  Builder(const History& history, ExecutionGraph* graph)
      : history_(history),
        graph_(*graph),
        tasks_(at(history.tasks)),
        group_done_(at(history.groups)),
        group_outer_(at(history.groups), -1),
        released_(at(history.locks), -1),
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
  // Events that the end of a team's barrier comes after: by team, generation.
  std::map<std::pair<int, int>, std::vector<int>> reached_;
  std::vector<std::vector<int>> group_done_;
  std::vector<int> group_outer_;
  std::vector<int> released_;  // last release of a lock
  std::vector<int> sent_;      // by message
  std::vector<int> joined_;    // by team: generation of the join barrier
  std::map<int, int> forked_;  // by team
  std::vector<std::vector<int>> region_depth_;
};

void Builder::prepare() {
  const size_t regions = at(history_.regions);
  graph_.nodes.resize(history_.actions.size());
  for (const ProcessInfo& info : history_.processes) {
    ProcessLine line;
    line.end_ns = info.end_ns;
    line.threads.resize(at(info.threads));
    line.visits.resize(regions);
    line.inside.resize(regions);
    graph_.processes.push_back(std::move(line));
    threads_.emplace_back(at(info.threads));
    region_depth_.emplace_back(regions, 0);
  }
}

void Builder::build() {
  prepare();
  int index = 0;
  for (const Action& action : history_.actions) add(index++, action);
  finish();
}

void Builder::add(int index, const Action& a) {
  if (a.kind == Kind::kReceiveLate) {
    for (const int m : a.messages) edge(sent_[at(m)], a.object, true);
    if (!a.flag) return;
  }
  if (a.kind == Kind::kImplicitEnd && !a.flag) return;

  ThreadFacts& thread = threads_[at(a.process)][at(a.thread)];
  ThreadLine& line = graph_.processes[at(a.process)].threads[at(a.thread)];
  assert(a.ns >= thread.since_ns);
  Node& node = graph_.nodes[at(index)];
  node.exists = true;
  node.previous = line.last_node;
  node.before = {
      thread.since_ns, a.ns,
      a.kind == Kind::kOwnWork ? Activity::kOmp : thread.activity};
  line.stretches.push_back(node.before);
  line.last_node = index;
  thread.since_ns = a.ns;
  add_event(index, a, &thread);
}

void Builder::add_event(int index, const Action& a, ThreadFacts* thread) {
  ThreadLine& line = graph_.processes[at(a.process)].threads[at(a.thread)];
  switch (a.kind) {
    case Kind::kThreadBegin:
      line.begun = true;
      if (a.flag) {
        line.member = true;
        thread->activity = Activity::kUseful;
        tasks_[at(a.object)].started = true;
      }
      break;
    case Kind::kMpiBegin:
      thread->before_mpi = thread->activity;
      thread->activity = Activity::kMpi;
      break;
    case Kind::kMpiEnd:
      thread->activity = thread->before_mpi;
      break;
    case Kind::kSend:
      sent_[at(a.object)] = index;
      break;
    case Kind::kReceive:
      for (const int m : a.messages) edge(sent_[at(m)], index, true);
      break;
    case Kind::kComplete:
    case Kind::kReceiveLate:
    case Kind::kOwnWork:
      break;
    case Kind::kRegionOpen:
    case Kind::kRegionClose:
      add_region(index, a);
      break;
    case Kind::kLockWait:
      thread->activity = Activity::kOmp;
      break;
    case Kind::kLockAcquired:
      thread->activity = Activity::kUseful;
      if (released_[at(a.object)] >= 0) edge(released_[at(a.object)], index);
      break;
    case Kind::kLockReleased:
      released_[at(a.object)] = index;
      break;
    default:
      add_openmp(index, a, thread);
  }
}

void Builder::add_openmp(int index, const Action& a, ThreadFacts* thread) {
  ProcessLine& process = graph_.processes[at(a.process)];
  TaskFacts* const object = a.kind == Kind::kParallelBegin ||
                                    a.kind == Kind::kParallelEnd ||
                                    a.kind == Kind::kImplicitBegin ||
                                    a.kind == Kind::kImplicitEnd
                                ? nullptr
                                : &tasks_[at(a.object)];
  switch (a.kind) {
    case Kind::kParallelBegin:
      thread->activity = Activity::kOmp;
      forked_[a.object] = index;
      if (thread->depth++ == 0 && a.thread == 0) {
        process.parallel.push_back(
            {index, static_cast<int>(history_.actions.size()), a.ns,
             process.end_ns, false});
      }
      break;
    case Kind::kImplicitBegin: {
      thread->activity = Activity::kUseful;
      process.threads[at(a.thread)].member = true;
      TaskFacts& task = tasks_[at(a.other)];
      task.team = a.object;
      task.started = true;
      if (!a.flag) edge(forked_.at(a.object), index);
      break;
    }
    case Kind::kImplicitEnd:
      thread->activity = Activity::kOmp;
      break;
    case Kind::kParallelEnd:
      thread->activity = Activity::kUseful;
      if (joined_[at(a.object)] >= 0) {
        edges(reached_[{a.object, joined_[at(a.object)]}], index);
      }
      if (--thread->depth == 0 && a.thread == 0) {
        Instance& instance = process.parallel.back();
        instance.end_index = index;
        instance.end_ns = a.ns;
        instance.ended = true;
      }
      break;
    case Kind::kBarrierBegin:
      thread->activity = Activity::kOmp;
      reached_[{a.other, object->generation}].push_back(index);
      if (a.flag) joined_[at(a.other)] = object->generation;
      break;
    case Kind::kBarrierEnd:
      thread->activity = Activity::kUseful;
      edges(reached_[{a.other, object->generation++}], index);
      break;
    case Kind::kTaskCreate: {
      const TaskFacts& parent = tasks_[at(a.other)];
      object->team = parent.team;
      object->generation = parent.generation;
      object->group = parent.group;
      object->parent = a.other;
      object->comes_after = index;
      object->untied = a.flag;
      break;
    }
    case Kind::kTaskSwitch:
      add_task_switch(index, a, thread);
      break;
    case Kind::kTaskwaitBegin:
    case Kind::kGroupWaitBegin:
      thread->activity = Activity::kOmp;
      break;
    case Kind::kTaskwaitEnd:
      thread->activity = Activity::kUseful;
      edges(object->children_done, index);
      break;
    case Kind::kGroupBegin:
      group_outer_[at(a.other)] = object->group;
      object->group = a.other;
      break;
    case Kind::kGroupWaitEnd:
      thread->activity = Activity::kUseful;
      edges(group_done_[at(a.other)], index);
      break;
    case Kind::kGroupEnd:
      object->group = group_outer_[at(a.other)];
      break;
    default:
      assert(false);
  }
}

void Builder::add_task_switch(int index, const Action& a, ThreadFacts* thread) {
  TaskFacts& prior = tasks_[at(a.object)];
  TaskFacts& next = tasks_[at(a.other)];
  if (a.flag) {
    if (prior.parent >= 0) {
      tasks_[at(prior.parent)].children_done.push_back(index);
    }
    for (int g = prior.group; g >= 0; g = group_outer_[at(g)]) {
      group_done_[at(g)].push_back(index);
    }
    if (prior.team >= 0) {
      reached_[{prior.team, prior.generation}].push_back(index);
    }
  } else {
    prior.suspended = thread->activity;
    if (prior.untied) prior.comes_after = index;
  }
  thread->activity = next.started ? next.suspended : Activity::kUseful;
  if (!next.started || next.untied) edge(next.comes_after, index);
  next.started = true;
}

void Builder::add_region(int index, const Action& a) {
  ProcessLine& process = graph_.processes[at(a.process)];
  std::vector<Instance>& visits = process.visits[at(a.object)];
  int& depth = region_depth_[at(a.process)][at(a.object)];
  if (a.kind == Kind::kRegionOpen) {
    if (depth++ > 0) return;
    visits.push_back({index, static_cast<int>(history_.actions.size()), a.ns,
                      process.end_ns, false});
  } else {
    assert(depth > 0);
    if (--depth > 0) return;
    visits.back().end_index = index;
    visits.back().end_ns = a.ns;
    visits.back().ended = true;
  }
}

void Builder::finish() {
  for (size_t p = 0; p < graph_.processes.size(); ++p) {
    ProcessLine& process = graph_.processes[p];
    for (size_t t = 0; t < process.threads.size(); ++t) {
      const ThreadFacts& facts = threads_[p][t];
      assert(facts.since_ns <= process.end_ns);
      process.threads[t].stretches.push_back(
          {facts.since_ns, process.end_ns, facts.activity});
    }
    for (const Instance& instance : process.parallel) {
      process.in_parallel.add(instance.begin_ns, instance.end_ns);
    }
    for (size_t r = 0; r < process.inside.size(); ++r) {
      for (const Instance& visit : process.visits[r]) {
        process.inside[r].add(visit.begin_ns, visit.end_ns);
      }
    }
    IntervalSet mpi;
    for (const Stretch& s : process.threads[0].stretches) {
      if (s.activity == Activity::kMpi) mpi.add(s.begin_ns, s.end_ns);
    }
    process.serial_mpi = mpi.without(process.in_parallel);
  }
}

}  // namespace

ExecutionGraph::ExecutionGraph(const History& source) : history(source) {
  Builder(source, this).build();
}

}  // namespace poprt::oracle
