// Explicit tasks, and waits for them.
#include <algorithm>
#include <utility>

#include "measure/process.h"
#include "openmp/tasking_objects.h"

namespace poprt {
namespace {

TaskEdges* new_edges(Thread& thread) {
  return pools().edges.take(omp_of(thread).edges);
}

// Finds the edges of a child of `parent`.
void find_edges(Thread& thread, Task* parent,
                const std::vector<Dependence>& dependences, bool feeds,
                TaskEdges& edges) {
  if (parent->dependences == nullptr) {
    parent->dependences = pools().tables.take(omp_of(thread).tables);
  }
  parent->dependences->add(pools().clocks, omp_of(thread).clocks, dependences,
                           feeds, edges);
}

// Calls `raise(SyncClock&, home)` for everything that waits for the completion
// of `task`, except the barrier of its team.  If `home` is not null, only that
// thread merges the clock.
template <class Raise>
void for_each_successor(Task* task, Raise raise) {
  if (task->parent != nullptr) {
    raise(task->parent->children, task->parent->home);
  }
  if (task->group != nullptr) {
    raise(task->group->done, task->group->home.load(std::memory_order_relaxed));
  }
  if (task->edges == nullptr) return;
  for (SyncClock* clock : task->edges->feeds) raise(*clock, nullptr);
}

// `task` completes on this thread.  The thread's own order covers waits on the
// same thread; the barrier of its team gets the clocks when the thread reaches
// it.
void complete(Thread& thread, Task* task) {
  for_each_successor(task, [&](SyncClock& clock, const Thread* home) {
    if (home != &thread) thread.raise_to(clock);
  });
}

// Completes the task with `clocks`, for a thread that may be outside the team.
// `arrival`: of the thread whose clocks they are.
void complete_after(const Thread& thread, Task* task, const SyncClock& clocks,
                    const Arrival& arrival = {}) {
  for_each_successor(
      task, [&](SyncClock& clock, const Thread*) { clock.raise(clocks); });
  if (task->team == nullptr) return;
  struct Clocks {
    void raise_in(SyncClock::Raising& raising) const { raising.raise(from); }
    const SyncClock& from;
  };
  barrier_of(task).raise_shared(thread.number(), task->team->instance, arrival,
                                Clocks{clocks});
}

// The task also completes after its event, if that was fulfilled early.
void complete_after_event(const Thread& thread, Task* task) {
  if (const SyncClock* const early = task->fulfilled.load()) {
    complete_after(thread, task, *early);
  }
}

// Books the useful time of `prior`, which the thread leaves; `over`: it has
// ended.
void settle_task(Thread& thread, const Task* prior, bool over) {
  OmpThread& omp = omp_of(thread);
  const int64_t useful = thread.useful_ns();
  if (!prior->implicit) {
    ConstructAccount& account = omp.accounts.at(prior->construct);
    account.useful_ns.add(useful - omp.task_base_ns);
    if (over) account.visits.add(1);
  }
  omp.task_base_ns = useful;
}

bool comes_from_elsewhere(const Thread& thread, const Task* next) {
  return next->untied || (!next->started && next->home != &thread);
}

// `thread` has turned to `next`, which starts or resumes.
void resume(Thread& thread, Task* next) {
  // The thread reached the barrier before it ran the task there: it brings its
  // new clocks.
  if (next->in_barrier && next->team != nullptr) {
    reach_barrier(thread, next);
    if (next == joining_task(thread)) thread.leaves_team();
  }
  // What the thread itself has done before needs no merge.
  if (comes_from_elsewhere(thread, next)) thread.merge(next->resume);
  if (next->started) return;
  next->started = true;
  next->home = next->untied ? nullptr : &thread;
  if (next->edges == nullptr) return;
  for (const SyncClock* clock : next->edges->after) thread.merge(*clock);
}

State state_of(const Task* next) {
  return next->started ? next->suspended : State::kUseful;
}

int64_t came_ns(const TaskEdges& edges) {
  int64_t came_ns = SyncClock::kNever;
  for (const SyncClock* clock : edges.after) {
    came_ns = std::max(came_ns, clock->came_ns());
  }
  return came_ns;
}

// What the thread has waited for if it waited until it turns to `next`.
int64_t came_ns(const Thread& thread, const Task* next) {
  const int64_t came = comes_from_elsewhere(thread, next)
                           ? next->resume.came_ns()
                           : SyncClock::kNever;
  return next->started || next->edges == nullptr
             ? came
             : std::max(came, came_ns(*next->edges));
}

// The thread stays in `task`, and in its state.
void go_on(Thread& thread, OmpThread& omp, const Task* task, int64_t now_ns) {
  // Whom it waits for comes later.
  if (task->waits) thread.has_waited(now_ns);
  if (task->waits) return idle_over(thread, omp, thread.state(), now_ns);
  thread.book(now_ns);
}

// `thread` turns from `prior` to `next`; `over`: `prior` has ended.
void turn(Thread& thread, Task* prior, bool over, Task* next, int64_t now_ns) {
  if (thread.needs_wait()) [[unlikely]]
    thread.has_waited(came_ns(thread, next));
  if (prior->in_barrier) thread.joins_team();
  OmpThread& omp = omp_of(thread);
  if (prior->waits && !over) {
    idle_over(thread, omp, state_of(next), now_ns);
  } else {
    thread.switch_to(state_of(next), now_ns);
  }
  settle_task(thread, prior, over);
  single_over(thread, omp);
  single_again(thread, omp, next);
  if (!over) prior->call = omp.call;
  omp.call = next->started ? next->call : RuntimeCall();
}

// The task waits for others that it has created.
void begin_wait(Thread& thread, Task* task, int64_t now_ns) {
  task->before = thread.state();
  thread.switch_to(State::kOmp, now_ns);
  task->waits = task->team != nullptr && !task->team->of_helpers;
}

void end_wait(Thread& thread, Task* task, int64_t now_ns) {
  if (!task->waits) return thread.switch_to(task->before, now_ns);
  task->waits = false;
  idle_over(thread, omp_of(thread), task->before, now_ns);
}

// An untied task that was resumed on another thread after it was on this one.
// LLVM 19 reports its end where the last of its parts returns to the runtime.
// That is an earlier part, if its thread lost its core after it had queued the
// last one: the thread with the last part never hears that the task is over.
void complete_elsewhere(Thread& thread, Task* task, const Task* present,
                        int64_t now_ns) {
  OmpThread& omp = omp_of(thread);
  go_on(thread, omp, present, now_ns);
  Thread& runner = *task->runner;
  SyncClock* const clocks = pools().clocks.take(omp.clocks);
  runner.store_to(*clocks, now_ns);
  Arrival arrival = arrival_of(runner, now_ns);
  arrival.busy_ns += now_ns - task->resumed_ns;
  if (runner.end_elsewhere(task->resumed_ns, now_ns)) {
    complete_after(thread, task, *clocks, arrival);
  } else {
    // When the runner left the task is not known: its last part may be missing
    // in the clocks, but no path is invented.
    complete_after(thread, task, task->resume);
  }
  clocks->reset();
  pools().clocks.recycle(omp.clocks, clocks);
  omp.accounts.at(task->construct).visits.add(1);
  complete_after_event(thread, task);
  release(thread, task);
}

}  // namespace

Task* task_create(Thread& thread, Task* parent, bool untied, int64_t now_ns,
                  const void* code) {
  thread.book(now_ns);
  Task* const task = new_task(thread);
  task->untied = untied;
  task->construct =
      static_cast<uint16_t>(construct_number(ConstructKind::kTask, code));
  if (parent != nullptr) {
    task->parent = parent;
    task->team = parent->team;
    task->group = parent->group;
    task->barriers = parent->barriers;
    ++parent->created;
  }
  thread.store_to(task->resume);
  return task;
}

std::vector<Dependence>& no_dependences(Thread& thread) {
  omp_of(thread).named.clear();
  return omp_of(thread).named;
}

void task_dependences(Thread& thread, Task* task,
                      const std::vector<Dependence>& dependences) {
  if (task->parent == nullptr || task->edges != nullptr) return;
  task->edges = new_edges(thread);
  find_edges(thread, task->parent, dependences, true, *task->edges);
}

void task_switch(Thread& thread, Task* prior, bool finished, Task* next,
                 int64_t now_ns) {
  const bool discarded = finished && !prior->started;
  if (finished && !discarded && prior->untied && prior->runner != nullptr &&
      prior->runner != &thread) {
    return complete_elsewhere(thread, prior, next, now_ns);
  }
  const State state = thread.state();
  if (discarded) {
    go_on(thread, omp_of(thread), next, now_ns);
  } else {
    turn(thread, prior, finished, next, now_ns);
  }
  if (!finished) {
    // Others read the line: usually it is so already.
    if (prior->suspended != state) prior->suspended = state;
    // A tied task stays on its thread, whose own time orders it.
    if (prior->untied) thread.store_to(prior->resume);
    if (prior->untied && prior->call.queues && next->started) {
      // It has queued its own continuation, which resumes in the task's body
      // and not in the call that queued it.
      prior->suspended = prior->call.before;
      prior->call = {};
    }
  } else {
    complete(thread, prior);
    complete_after_event(thread, prior);
  }
  resume(thread, next);
  if (next->untied) {
    next->runner = &thread;
    next->resumed_ns = thread.last_event_ns();
    if (!finished) thread.may_end_elsewhere(state);
  }
  if (finished) release(thread, prior);
}

void task_detach(Thread& thread, Task* prior, Task* next, int64_t now_ns) {
  turn(thread, prior, true, next, now_ns);
  prior->ended = true;  // the rest may come on another thread
  thread.raise_to(prior->resume);
  resume(thread, next);
}

void task_fulfil(Thread& thread, Task* task, bool late, int64_t now_ns) {
  thread.book(now_ns);
  if (late) {
    thread.raise_to(task->resume);
    complete_after(thread, task, task->resume);
    release(thread, task);
    return;
  }
  SyncClock* const clock = pools().clocks.take(omp_of(thread).clocks);
  thread.store_to(*clock);
  task->fulfilled.store(clock);
}

void taskwait_depend_begin(Thread& thread, Task* task, int64_t now_ns) {
  const State before = thread.state();
  thread.switch_to(State::kOmp, now_ns);
  omp_of(thread).taskwaits.push_back({task, new_edges(thread), before});
}

void announce_all_memory(Thread& thread, bool all_memory) {
  omp_of(thread).all_memory = all_memory;
}

void taskwait_dependences(Thread& thread,
                          const std::vector<Dependence>& dependences) {
  if (omp_of(thread).taskwaits.empty()) return;
  const OmpThread::TaskwaitDepend& wait = omp_of(thread).taskwaits.back();
  find_edges(thread, wait.task, dependences, false, *wait.edges);
  if (std::exchange(omp_of(thread).all_memory, false)) {
    find_edges(thread, wait.task, {{DependenceType::kAllMemory, 0}}, false,
               *wait.edges);
  }
}

void taskwait_depend_end(Thread& thread, int64_t now_ns) {
  OmpThread& omp = omp_of(thread);
  if (omp.taskwaits.empty()) return void(thread.book(now_ns));
  const OmpThread::TaskwaitDepend wait = omp.taskwaits.back();
  TaskEdges* const edges = wait.edges;
  omp.taskwaits.pop_back();
  if (thread.needs_wait()) [[unlikely]]
    thread.has_waited(came_ns(*edges));
  serialised_wait_over(thread, wait.before, now_ns);
  for (const SyncClock* clock : edges->after) thread.merge(*clock);
  release(thread, edges);
}

void taskwait_begin(Thread& thread, Task* task, int64_t now_ns) {
  begin_wait(thread, task, now_ns);
}

void taskwait_end(Thread& thread, Task* task, int64_t now_ns) {
  thread.has_waited_for(task->children);
  end_wait(thread, task, now_ns);
  thread.merge(task->children);
}

void single_begin(Thread& thread, Task* task, int64_t now_ns) {
  thread.book(now_ns);
  if (task->team == nullptr || !task->implicit) return;
  task->in_single = true;
  single_over(thread, omp_of(thread));
  single_again(thread, omp_of(thread), task);
}

void single_end(Thread& thread, Task* task, int64_t now_ns) {
  thread.book(now_ns);
  task->in_single = false;
  single_over(thread, omp_of(thread));
}

void taskgroup_begin(Thread& thread, Task* task, int64_t now_ns) {
  thread.book(now_ns);
  TaskGroup* const group = pools().groups.take(omp_of(thread).groups);
  group->home.store(task->home, std::memory_order_relaxed);
  group->outer = task->group;
  task->group = group;
}

void taskgroup_wait_begin(Thread& thread, Task* task, int64_t now_ns) {
  begin_wait(thread, task, now_ns);
}

void taskgroup_wait_end(Thread& thread, Task* task, int64_t now_ns) {
  if (task->group != nullptr) thread.has_waited_for(task->group->done);
  end_wait(thread, task, now_ns);
  if (task->group != nullptr) thread.merge(task->group->done);
}

void taskgroup_end(Thread& thread, Task* task, int64_t now_ns) {
  thread.book(now_ns);
  TaskGroup* const group = task->group;
  if (group == nullptr) return;
  task->group = group->outer;
  group->done.reset();
  pools().groups.recycle(omp_of(thread).groups, group);
}

}  // namespace poprt
