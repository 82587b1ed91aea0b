#include "oracle/random_program.h"

#include "oracle/simulation.h"

namespace poprt::oracle {
namespace {

// With more regions than these, all are opened at the start; with few, by
// chance.
constexpr int kFewRegions = 10;
constexpr int kDeepestTeam = 2;
constexpr int kDeepestTask = 3;

struct Yield {  // gives the thread of an untied task up
  SimTask& task;
  Scheduler& scheduler;
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> handle) {
    task.resume = handle;
    scheduler.resume_at(scheduler.now(), task.runner);
  }
  void await_resume() const {}
};

}  // namespace

ProgramOptions random_options(uint64_t seed) {
  Random random(~seed);
  ProgramOptions options;
  options.seed = seed;
  options.processes = 1 + random.below(4);
  options.threads = 1 + random.below(9);
  options.regions = random.percent(10) ? 35 : 2 + random.below(7);
  options.actions = 50 + random.below(500);
  options.operations = random.below(12);
  // A multiple of every number of threads up to 9, so that divisions are exact.
  options.unit_ns = random.percent(25) ? 1 : 2520;
  options.restart = random.percent(30);
  options.openmp = random.percent(85);
  options.start_spread = random.percent(50) ? 0 : 100;
  return options;
}

Co Simulation::process_main(SimProcess& process) {
  SimThread& thread = process.threads.emplace_back();
  thread.process = &process;
  co_await scheduler_.delay(process.origin_ns);
  if (random_.percent(50)) co_await delay();
  SimTask& initial = new_task(thread);
  initial.implicit = true;
  record(thread, Kind::kThreadBegin, initial.id, -1, true);
  if (random_.percent(50)) co_await delay();
  record(thread, Kind::kRegionOpen, 0);
  if (options_.regions > kFewRegions) {
    for (int r = options_.regions - 1; r > 0; --r) open_region(initial, r);
  }

  if (options_.restart) {
    co_await statements(initial, 8);
    record(thread, Kind::kRestart);
  }
  process.mpi_started = true;
  co_await statements(initial, 4);
  while (process.next_operation < process.operations.size()) {
    co_await next_operation(initial);
    co_await statements(initial, 4);
  }
  while (!spent()) co_await statement(initial);
  merge_all_pending(process);
  co_await delay();
  ProcessInfo& info = history_.processes[static_cast<size_t>(process.index)];
  info.end_ns = scheduler_.now() - process.origin_ns;
}

Co Simulation::team_main(SimTask& task) {
  SimTeam& team = *task.team;
  SimProcess& process = *task.thread->process;
  for (int phase = 0; phase < team.phases; ++phase) {
    if (phase > 0) co_await barrier(task);
    co_await statements(task, 5);
    // One thread of the process makes the MPI calls in order, so that no two
    // processes wait for each other.
    const bool calls_mpi =
        team.depth == 1 && team.mpi_thread == task.index &&
        process.mpi_started &&
        (team.traffic == Traffic::kAny || team.traffic == Traffic::kOneThread);
    if (calls_mpi && process.next_operation < process.operations.size() &&
        random_.percent(30)) {
      co_await next_operation(task);
    }
  }
}

Co Simulation::task_main(SimTask& task) {
  co_await statements(task, 4);
  task.done = true;
  scheduler_.resume_at(scheduler_.now(), task.runner);
}

Co Simulation::statements(SimTask& task, int most) {
  for (int count = random_.below(most + 1); count > 0 && !spent(); --count) {
    co_await statement(task);
  }
}

Co Simulation::statement(SimTask& task) {
  const int choice = random_.below(20);
  if (choice >= 15) {
    co_await delay();
  } else if (choice == 14) {
    record(*task.thread, Kind::kOwnWork);
  } else if (choice == 0) {
    if (may_send(task)) co_await send_message(task);
  } else if (choice == 1) {
    if (may_receive(task)) co_await receive_message(task);
  } else if (choice <= 3) {
    change_region(task);
  } else if (choice == 4) {
    // Merges the clocks that have come late in the meantime.
    merge_pending(*task.thread, random_.percent(50));
  } else if (!options_.openmp) {
    co_await delay();
  } else if (choice == 5) {
    co_await locked(task);
  } else if (choice <= 7) {
    if (task.depth < kDeepestTask) co_await create_task(task);
  } else if (choice == 8) {
    co_await taskwait(task);
  } else if (choice == 9) {
    if (task.depth < kDeepestTask) co_await taskgroup(task);
  } else if (choice <= 11) {
    if (task.untied) co_await Yield{task, scheduler_};
  } else if (task.team == nullptr || task.team->depth < kDeepestTeam) {
    // Less often inside a team, where every thread chooses.
    if (task.team == nullptr || random_.percent(25)) co_await parallel(task);
  }
}

Co Simulation::next_operation(SimTask& task) {
  SimProcess& process = *task.thread->process;
  SimOperation& operation = *process.operations[process.next_operation++];
  const bool blocking = random_.percent(60);
  co_await begin_operation(task, operation, blocking);
  if (!blocking && task.team == nullptr) co_await statements(task, 3);
  co_await finish_operation(task, operation, blocking);
}

bool Simulation::uses_region(const SimProcess& process, int region) const {
  return region > 0 && region_used_[static_cast<size_t>(process.index)]
                                   [static_cast<size_t>(region)];
}

void Simulation::open_region(SimTask& task, int region) {
  SimProcess& process = *task.thread->process;
  if (!uses_region(process, region)) return;
  ++process.open[static_cast<size_t>(region)];
  record(*task.thread, Kind::kRegionOpen, region);
}

void Simulation::change_region(SimTask& task) {
  if (task.team != nullptr && !options_.regions_in_parallel) return;
  SimProcess& process = *task.thread->process;
  const int region = random_.below(options_.regions);
  if (!uses_region(process, region)) return;
  int& depth = process.open[static_cast<size_t>(region)];
  if (depth == 0 || (depth < 3 && random_.percent(30))) {
    open_region(task, region);
  } else {
    --depth;
    record(*task.thread, Kind::kRegionClose, region);
  }
}

}  // namespace poprt::oracle
