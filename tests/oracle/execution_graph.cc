#include "oracle/execution_graph.h"

#include <utility>

#include "oracle/graph_builder.h"

namespace poprt::oracle {

void GraphBuilder::prepare() {
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

void GraphBuilder::build() {
  prepare();
  int index = 0;
  for (const Action& action : history_.actions) add(index++, action);
  finish();
}

void GraphBuilder::add(int index, const Action& a) {
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
  node.before = {thread.since_ns, a.ns,
                 a.kind == Kind::kOwnWork ? Activity::kOmp : thread.activity};
  line.stretches.push_back(node.before);
  line.last_node = index;
  thread.since_ns = a.ns;
  add_event(index, a, &thread);
}

void GraphBuilder::add_event(int index, const Action& a, ThreadFacts* thread) {
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
      thread->activity = a.flag ? Activity::kMpiIo : Activity::kMpi;
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
    case Kind::kRestart:
      restart(index, a);
      break;
    case Kind::kLockWait:
      thread->activity = Activity::kLockWait;
      locks_[at(a.object)].new_waits = true;
      ++locks_[at(a.object)].waiting;
      break;
    case Kind::kLockAcquired:
      thread->activity = Activity::kUseful;
      --locks_[at(a.object)].waiting;
      if (a.flag) edges(locks_[at(a.object)].released, index);
      break;
    case Kind::kLockReleased: {
      // All that wait have waited for the releases before, too, unless one has
      // come since.
      LockFacts& lock = locks_[at(a.object)];
      if (lock.new_waits) lock.released.clear();
      if (lock.new_waits || lock.waiting > 0) lock.released.push_back(index);
      lock.new_waits = false;
      break;
    }
    default:
      add_openmp(index, a, thread);
  }
}

void GraphBuilder::add_region(int index, const Action& a) {
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

void GraphBuilder::restart(int index, const Action& a) {
  ProcessLine& process = graph_.processes[at(a.process)];
  for (std::vector<Instance>& visits : process.visits) {
    const bool open = !visits.empty() && !visits.back().ended;
    visits.clear();
    if (!open) continue;
    visits.push_back({index, static_cast<int>(history_.actions.size()), a.ns,
                      process.end_ns, false});
  }
}

void GraphBuilder::finish() {
  for (size_t p = 0; p < graph_.processes.size(); ++p) {
    ProcessLine& process = graph_.processes[p];
    for (size_t t = 0; t < process.threads.size(); ++t) {
      const ThreadFacts& facts = threads_[p][t];
      assert(facts.since_ns <= process.end_ns);
      // Only when a wait is over is it known to be one for a lock.
      process.threads[t].stretches.push_back(
          {facts.since_ns, process.end_ns,
           facts.activity == Activity::kLockWait ? Activity::kOmp
                                                 : facts.activity});
    }
    for (const Instance& instance : process.parallel) {
      process.in_parallel.add(instance.begin_ns, instance.end_ns);
    }
    for (size_t r = 0; r < process.inside.size(); ++r) {
      for (const Instance& visit : process.visits[r]) {
        process.inside[r].add(visit.begin_ns, visit.end_ns);
      }
    }
    for (const Stretch& s : process.threads[0].stretches) {
      if (in_mpi(s.activity)) process.mpi.add(s.begin_ns, s.end_ns);
    }
    process.serial_mpi = process.mpi.without(process.in_parallel);
  }
}

ExecutionGraph::ExecutionGraph(const History& source) : history(source) {
  GraphBuilder(source, this).build();
}

}  // namespace poprt::oracle
