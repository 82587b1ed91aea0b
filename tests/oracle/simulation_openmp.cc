#include <algorithm>
#include <utility>

#include "oracle/simulation.h"

namespace poprt::oracle {
namespace {

int& count_at(std::vector<int>& counts, int generation) {
  const size_t index = static_cast<size_t>(generation);
  if (counts.size() <= index) counts.resize(index + 1);
  return counts[index];
}

bool descends(const SimTask* task, const SimTask* from) {
  while (task != nullptr && task != from) task = task->parent;
  return task == from;
}

struct Step {  // lets a task run until it is done or gives its thread up
  SimTask& task;
  Scheduler& scheduler;
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> runner) {
    task.runner = runner;
    scheduler.resume_at(scheduler.now(), task.resume);
  }
  void await_resume() const {}
};

}  // namespace

SimThread* Simulation::take_worker(SimProcess& process) {
  if (!process.idle.empty()) {
    const int choice = random_.below(static_cast<int>(process.idle.size()));
    SimThread* const worker = process.idle[static_cast<size_t>(choice)];
    process.idle.erase(process.idle.begin() + choice);
    return worker;
  }
  if (static_cast<int>(process.threads.size()) >= options_.threads) {
    return nullptr;
  }
  SimThread& worker = process.threads.emplace_back();
  worker.process = &process;
  worker.index = static_cast<int>(process.threads.size()) - 1;
  return &worker;
}

Co Simulation::parallel(SimTask& encountering) {
  SimThread& thread = *encountering.thread;
  const SimTeam* const outer = encountering.team;
  SimTeam& team = teams_.emplace_back();
  team.id = static_cast<int>(teams_.size()) - 1;
  team.depth = outer == nullptr ? 1 : outer->depth + 1;
  team.phases = 1 + random_.below(3);
  if (outer != nullptr) {
    team.traffic = outer->traffic;
  } else if (options_.one_way) {
    constexpr Traffic kWays[] = {Traffic::kSends, Traffic::kReceives,
                                 Traffic::kOneThread};
    team.traffic = kWays[random_.below(3)];
  }
  record(thread, Kind::kParallelBegin, team.id, encountering.id);

  std::vector<SimThread*> workers;
  for (int wanted = random_.below(4); wanted > 0; --wanted) {
    SimThread* const worker = take_worker(*thread.process);
    if (worker != nullptr) workers.push_back(worker);
  }
  team.size = 1 + static_cast<int>(workers.size());
  team.mpi_thread = random_.below(team.size);
  for (size_t i = 0; i < workers.size(); ++i) {
    spawn(work(team, *workers[i], static_cast<int>(i) + 1));
  }

  co_await delay();
  SimTask& task = new_task(thread);
  task.implicit = true;
  task.team = &team;
  record(thread, Kind::kImplicitBegin, team.id, task.id, true);
  co_await team_main(task);
  if (team.size > 1) {
    reach_barrier(task, true);
    co_await wait_for_team(task);
    co_await delay();
  }
  record(thread, Kind::kImplicitEnd, team.id, task.id, true);
  co_await delay();
  record(thread, Kind::kParallelEnd, team.id);
  for (SimThread* const worker : workers) {
    thread.process->idle.push_back(worker);
  }
}

Co Simulation::work(SimTeam& team, SimThread& thread, int index) {
  co_await delay();
  if (!thread.begun) {
    thread.begun = true;
    record(thread, Kind::kThreadBegin);
    co_await delay();
  }
  if (SimTask* const ended = std::exchange(thread.unreported_end, nullptr)) {
    record(thread, Kind::kImplicitEnd, ended->team->id, ended->id);
  }
  SimTask& task = new_task(thread);
  task.implicit = true;
  task.team = &team;
  task.index = index;
  record(thread, Kind::kImplicitBegin, team.id, task.id);
  co_await team_main(task);
  reach_barrier(task, true);
  co_await wait_for_team(task);
  thread.unreported_end = &task;
}

void Simulation::reach_barrier(SimTask& task, bool join) {
  record(*task.thread, Kind::kBarrierBegin, task.id, task.team->id, join);
  ++count_at(task.team->reached, task.generation);
  task.team->changed.notify_all(scheduler_);
}

Co Simulation::wait_for_team(SimTask& task) {
  SimTeam& team = *task.team;
  while (count_at(team.reached, task.generation) < team.size ||
         count_at(team.unfinished, task.generation) > 0) {
    SimTask* const next = pick_task(task);
    if (next != nullptr) {
      co_await run_task(task, *next);
    } else {
      co_await team.changed.changed();
    }
  }
}

Co Simulation::barrier(SimTask& task) {
  reach_barrier(task, false);
  co_await wait_for_team(task);
  co_await delay();
  record(*task.thread, Kind::kBarrierEnd, task.id, task.team->id);
  ++task.generation;
}

Co Simulation::create_task(SimTask& parent) {
  SimTask& task = new_task(*parent.thread);
  task.parent = &parent;
  task.team = parent.team;
  task.group = parent.group;
  task.generation = parent.generation;
  task.depth = parent.depth + 1;
  const bool deferred =
      task.team != nullptr && task.team->size > 1 && random_.percent(80);
  task.untied = deferred && random_.percent(30);
  record(*parent.thread, Kind::kTaskCreate, task.id, parent.id, task.untied);

  ++parent.children;
  for (SimGroup* g = task.group; g != nullptr; g = g->outer) ++g->unfinished;
  if (task.team != nullptr) {
    ++count_at(task.team->unfinished, task.generation);
  }
  task.body = task_main(task);
  task.resume = task.body.handle();
  if (deferred) {
    task.team->queue.push_back(&task);
    task.team->changed.notify_all(scheduler_);
  } else {
    co_await run_task(parent, task);
  }
}

Co Simulation::run_task(SimTask& prior, SimTask& next) {
  SimThread& thread = *prior.thread;
  next.thread = &thread;
  record(thread, Kind::kTaskSwitch, prior.id, next.id);
  co_await Step{next, scheduler_};
  record(thread, Kind::kTaskSwitch, next.id, prior.id, next.done);
  if (next.done) {
    finish_task(next);
  } else {
    next.team->queue.push_back(&next);
  }
  if (next.team != nullptr) next.team->changed.notify_all(scheduler_);
}

void Simulation::finish_task(SimTask& task) {
  --task.parent->children;
  for (SimGroup* g = task.group; g != nullptr; g = g->outer) --g->unfinished;
  if (task.team != nullptr) {
    --count_at(task.team->unfinished, task.generation);
  }
}

// A task that the thread may execute while `waiting` waits; it is taken off the
// queue.  While an explicit task waits, these are only its descendants.
SimTask* Simulation::pick_task(SimTask& waiting) {
  if (waiting.team == nullptr) return nullptr;
  std::vector<SimTask*>& queue = waiting.team->queue;
  std::vector<size_t> fit;
  for (size_t i = 0; i < queue.size(); ++i) {
    if (queue[i]->generation == waiting.generation &&
        (waiting.implicit || descends(queue[i], &waiting))) {
      fit.push_back(i);
    }
  }
  if (fit.empty()) return nullptr;
  const size_t choice =
      fit[static_cast<size_t>(random_.below(static_cast<int>(fit.size())))];
  SimTask* const task = queue[choice];
  queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(choice));
  return task;
}

Co Simulation::taskwait(SimTask& task) {
  record(*task.thread, Kind::kTaskwaitBegin, task.id);
  while (task.children > 0) {
    SimTask* const next = pick_task(task);
    if (next != nullptr) {
      co_await run_task(task, *next);
    } else {
      co_await task.team->changed.changed();
    }
  }
  if (random_.percent(50)) co_await delay();
  record(*task.thread, Kind::kTaskwaitEnd, task.id);
}

Co Simulation::taskgroup(SimTask& task) {
  SimGroup& group = groups_.emplace_back();
  group.id = static_cast<int>(groups_.size()) - 1;
  group.outer = task.group;
  task.group = &group;
  record(*task.thread, Kind::kGroupBegin, task.id, group.id);
  co_await create_task(task);
  co_await statements(task, 3);
  record(*task.thread, Kind::kGroupWaitBegin, task.id, group.id);
  while (group.unfinished > 0) {
    SimTask* const next = pick_task(task);
    if (next != nullptr) {
      co_await run_task(task, *next);
    } else {
      co_await task.team->changed.changed();
    }
  }
  if (random_.percent(50)) co_await delay();
  record(*task.thread, Kind::kGroupWaitEnd, task.id, group.id);
  record(*task.thread, Kind::kGroupEnd, task.id, group.id);
  task.group = group.outer;
}

Co Simulation::locked(SimTask& task) {
  SimThread& thread = *task.thread;
  SimProcess& process = *thread.process;
  const int choice = random_.below(static_cast<int>(process.lock_held.size()));
  const size_t lock = static_cast<size_t>(choice);
  const int id =
      process.index * static_cast<int>(process.lock_held.size()) + choice;
  const int64_t begin_ns = scheduler_.now();
  bool waits = process.lock_held[lock];
  // What an entry takes without a wait is no event.
  const bool is_event = waits || !comes_through_entries(id);
  if (is_event) record(thread, Kind::kLockWait, id);
  while (process.lock_held[lock]) {
    co_await process.lock_released[lock].changed();
  }
  process.lock_held[lock] = true;
  if (is_event) {
    co_await delay();
    // The runtime's events tell of a wait only by how long it took.
    waits &= comes_through_entries(id) || scheduler_.now() > begin_ns;
    record(thread, Kind::kLockAcquired, id, -1, waits);
  }
  co_await delay();
  if (may_send(task) && random_.percent(20)) co_await send_message(task);
  record(thread, Kind::kLockReleased, id);
  process.lock_held[lock] = false;
  process.lock_released[lock].notify_all(scheduler_);
}

}  // namespace poprt::oracle
