#include <algorithm>

#include "oracle/graph_builder.h"

namespace poprt::oracle {

void GraphBuilder::add_openmp(int index, const Action& a, ThreadFacts* thread) {
  ProcessLine& process = graph_.processes[at(a.process)];
  TaskFacts* const object =
      a.kind == Kind::kParallelBegin || a.kind == Kind::kParallelEnd ||
              a.kind == Kind::kImplicitBegin || a.kind == Kind::kImplicitEnd
          ? nullptr
          : &tasks_[at(a.object)];
  switch (a.kind) {
    case Kind::kParallelBegin:
      thread->activity = Activity::kOmp;
      forked_[a.object] = index;
      if (thread->depth++ == 0 && a.thread == 0) {
        process.parallel.push_back({index,
                                    static_cast<int>(history_.actions.size()),
                                    a.ns, process.end_ns, false});
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

void GraphBuilder::add_task_switch(int index, const Action& a,
                                   ThreadFacts* thread) {
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

}  // namespace poprt::oracle
