#include "runtime/tasking.h"

#include <algorithm>

#include "runtime/process.h"

namespace poprt {
namespace {

// Shared by all threads; never destroyed, because workers outlive main().
struct Pools {
  Pool<Task> tasks;
  Pool<Team> teams;
  Pool<TaskGroup> groups;
};
Pools& pools() {
  static Pools* const p = new Pools;
  return *p;
}

OmpThread& omp_of(Thread& thread) {
  if (thread.omp == nullptr) thread.omp = new OmpThread;
  return *thread.omp;
}

Task* new_task(Thread& thread) {
  Task* const task = pools().tasks.take(omp_of(thread).tasks);
  task->team = nullptr;
  task->parent = nullptr;
  task->group = nullptr;
  task->references.store(1, std::memory_order_relaxed);
  task->suspended = State::kUseful;
  task->started = task->untied = task->implicit = task->primary =
      task->in_barrier = false;
  task->barriers = 0;
  return task;
}

void release(Thread& thread, Task* task) {
  while (task != nullptr &&
         task->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    Task* const parent = task->parent;
    task->resume.reset();
    task->children.reset();
    pools().tasks.give(omp_of(thread).tasks, task);
    task = parent;
  }
}

// The useful and MPI time of each thread in an instance of an outermost
// parallel region, whichever of its nested teams it works for.
void enter_instance(Thread& thread, const Team* root) {
  OmpThread& omp = omp_of(thread);
  if (omp.instance_root == root && omp.instance == root->instance) return;
  omp.instance_root = root;
  omp.instance = root->instance;
  omp.busy_base_ns = thread.busy_ns();
}

void report_busy(Thread& thread, Team* team) {
  raise_shared(team->root->busy_max_ns,
               thread.busy_ns() - omp_of(thread).busy_base_ns);
}

SyncClock& barrier_of(Task* task) {
  return task->team->barrier[task->barriers & 1];
}

}  // namespace

Task* unheard_task(Thread& thread) {
  Task* const task = new_task(thread);
  task->started = true;
  return task;
}

Task* initial_task_begin(Thread& thread, int64_t now_ns) {
  // The thread may be in MPI, which has started OpenMP.
  if (thread.state() == State::kOmp) {
    thread.switch_to(State::kUseful, now_ns);
  } else {
    thread.book(now_ns);
  }
  Task* const task = unheard_task(thread);
  task->implicit = true;
  return task;
}

Team* parallel_begin(Thread& thread, Task* encountering, int64_t now_ns) {
  thread.switch_to(State::kOmp, now_ns);
  thread.enter_parallel();
  Team* const team = pools().teams.take(omp_of(thread).teams);
  team->begin_ns = thread.last_event_ns();
  team->begin_epoch = thread.process().epoch();
  ++team->instance;
  team->busy_max_ns.store(0, std::memory_order_relaxed);
  team->join = -1;
  team->helpers = false;
  Team* const outer = encountering == nullptr ? nullptr : encountering->team;
  team->root = outer == nullptr ? team : outer->root;
  thread.store_to(team->fork);
  return team;
}

Task* implicit_task_begin(Thread& thread, Team* team, bool primary,
                          int64_t now_ns) {
  thread.switch_to(State::kUseful, now_ns);
  if (!primary) thread.merge(team->fork);
  if (!team->root->helpers) thread.set_member();
  enter_instance(thread, team->root);
  Task* const task = new_task(thread);
  task->team = team;
  task->started = true;
  task->implicit = true;
  task->primary = primary;
  return task;
}

void implicit_task_end(Thread& thread, Task* task, int64_t now_ns) {
  if (task->primary) {
    if (!task->in_barrier) thread.switch_to(State::kOmp, now_ns);
    report_busy(thread, task->team);
    task->team->join = task->in_barrier ? task->barriers : -1;
  }
  release(thread, task);
}

void parallel_end(Thread& thread, Team* team, int64_t now_ns) {
  // The end of the region is the end of the wait for its threads.
  thread.book(now_ns);
  if (team->join >= 0) thread.merge(team->barrier[team->join & 1]);
  if (team->root == team && thread.process().primary() == &thread) {
    const int64_t elapsed = thread.last_event_ns() - team->begin_ns;
    const int64_t busy = team->busy_max_ns.load(std::memory_order_acquire);
    thread.process().add_parallel_instance(
        team->begin_ns, team->begin_epoch,
        std::max<int64_t>(0, elapsed - busy));
  }
  thread.leave_parallel();
  thread.switch_to(State::kUseful, thread.last_event_ns());
  team->fork.reset();
  team->barrier[0].reset();
  team->barrier[1].reset();
  pools().teams.give(omp_of(thread).teams, team);
}

void barrier_begin(Thread& thread, Task* task, int64_t now_ns) {
  thread.switch_to(State::kOmp, now_ns);
  if (task->team == nullptr) return;
  thread.raise_to(barrier_of(task));
  report_busy(thread, task->team);
  task->in_barrier = true;
}

void barrier_end(Thread& thread, Task* task, int64_t now_ns) {
  thread.switch_to(State::kUseful, now_ns);
  if (task->team == nullptr) return;
  thread.merge(barrier_of(task));
  task->in_barrier = false;
  ++task->barriers;
}

Task* task_create(Thread& thread, Task* parent, bool untied, int64_t now_ns) {
  thread.book(now_ns);
  Task* const task = new_task(thread);
  task->untied = untied;
  if (parent != nullptr) {
    task->parent = parent;
    task->team = parent->team;
    task->group = parent->group;
    parent->references.fetch_add(1, std::memory_order_relaxed);
  }
  thread.store_to(task->resume);
  return task;
}

void task_switch(Thread& thread, Task* prior, bool finished, Task* next,
                 int64_t now_ns) {
  const bool discarded = finished && !prior->started;
  const State state = thread.state();
  if (discarded) {
    thread.book(now_ns);
  } else {
    thread.switch_to(next->started ? next->suspended : State::kUseful, now_ns);
  }
  if (!finished) {
    prior->suspended = state;
    // A tied task stays on its thread, whose own time orders it.
    if (prior->untied) thread.store_to(prior->resume);
  } else {
    if (prior->parent != nullptr) thread.raise_to(prior->parent->children);
    if (prior->group != nullptr) thread.raise_to(prior->group->done);
  }
  // The thread reported to the barrier before it ran the task there.
  if (next->in_barrier && next->team != nullptr) {
    thread.raise_to(barrier_of(next));
    report_busy(thread, next->team);
  }
  if (finished) release(thread, prior);
  if (discarded) return;
  if (!next->started || next->untied) thread.merge(next->resume);
  next->started = true;
}

void taskwait_begin(Thread& thread, Task*, int64_t now_ns) {
  thread.switch_to(State::kOmp, now_ns);
}

void taskwait_end(Thread& thread, Task* task, int64_t now_ns) {
  thread.switch_to(State::kUseful, now_ns);
  thread.merge(task->children);
}

void taskgroup_begin(Thread& thread, Task* task, int64_t now_ns) {
  thread.book(now_ns);
  TaskGroup* const group = pools().groups.take(omp_of(thread).groups);
  group->outer = task->group;
  task->group = group;
}

void taskgroup_wait_begin(Thread& thread, Task*, int64_t now_ns) {
  thread.switch_to(State::kOmp, now_ns);
}

void taskgroup_wait_end(Thread& thread, Task* task, int64_t now_ns) {
  thread.switch_to(State::kUseful, now_ns);
  if (task->group != nullptr) thread.merge(task->group->done);
}

void taskgroup_end(Thread& thread, Task* task, int64_t now_ns) {
  thread.book(now_ns);
  TaskGroup* const group = task->group;
  if (group == nullptr) return;
  task->group = group->outer;
  group->done.reset();
  pools().groups.give(omp_of(thread).groups, group);
}

}  // namespace poprt
