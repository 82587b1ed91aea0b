#include "oracle/simulation.h"

#include <cassert>
#include <utility>

namespace poprt::oracle {
namespace {

// Whether the action passes the thread's clocks on: pending clocks must be
// merged first.
bool publishes(Kind kind) {
  switch (kind) {
    case Kind::kSend:
    case Kind::kParallelBegin:
    case Kind::kBarrierBegin:
    case Kind::kTaskCreate:
    case Kind::kTaskSwitch:
    case Kind::kLockReleased:
      return true;
    default:
      return false;
  }
}

constexpr int kLocks = 2;  // of one process

}  // namespace

Simulation::Simulation(const ProgramOptions& options)
    : options_(options), random_(options.seed) {
  history_.regions = options.regions;
  history_.locks = kLocks * options.processes;
  for (int p = 0; p < options.processes; ++p) {
    SimProcess& process = processes_.emplace_back();
    process.index = p;
    process.origin_ns =
        random_.below(options.start_spread + 1) * options.unit_ns;
    process.open.resize(static_cast<size_t>(options.regions));
    process.lock_held.resize(kLocks);
    process.lock_released.resize(kLocks);
    ProcessInfo& info = history_.processes.emplace_back();
    info.host = "node " + std::to_string(random_.below(2));
    std::vector<bool>& used = region_used_.emplace_back();
    for (int r = 0; r < options.regions; ++r) {
      used.push_back(random_.percent(70));
    }
  }
  plan_operations();
}

RandomProgram Simulation::run() {
  for (SimProcess& process : processes_) spawn(process_main(process));
  scheduler_.run();
  for (const Co& co : spawned_) assert(co.handle().done());
  history_.tasks = static_cast<int>(tasks_.size());
  history_.teams = static_cast<int>(teams_.size());
  history_.groups = static_cast<int>(groups_.size());
  RandomProgram program;
  for (SimProcess& process : processes_) {
    history_.processes[static_cast<size_t>(process.index)].threads =
        static_cast<int>(process.threads.size());
    program.origin_ns.push_back(process.origin_ns);
  }
  program.history = std::move(history_);
  return program;
}

void Simulation::spawn(Co co) {
  scheduler_.resume_at(scheduler_.now(), co.handle());
  spawned_.push_back(std::move(co));
}

int Simulation::record(SimThread& thread, Kind kind, int object, int other,
                       bool flag, std::vector<int> messages) {
  SimProcess& process = *thread.process;
  if (kind == Kind::kMpiBegin && !process.keeps_com &&
      (thread.index > 0 || process.parallel > 0)) {
    process.keeps_com = true;
  }
  // As long as COM belongs to the process, a message carries what any of its
  // threads has received.
  if (kind == Kind::kSend && !process.keeps_com) merge_all_pending(process);
  if (thread.index == 0 && kind == Kind::kParallelBegin) ++process.parallel;
  if (thread.index == 0 && kind == Kind::kParallelEnd) --process.parallel;
  if (publishes(kind)) merge_pending(thread, random_.percent(50));
  if ((kind == Kind::kRegionOpen || kind == Kind::kRegionClose) &&
      !options_.late_across_regions) {
    merge_all_pending(*thread.process);
  }
  Action action;
  action.kind = kind;
  action.process = thread.process->index;
  action.thread = thread.index;
  action.ns = scheduler_.now() - thread.process->origin_ns;
  action.object = object;
  action.other = other;
  action.flag = flag;
  action.messages = std::move(messages);
  history_.actions.push_back(std::move(action));
  return static_cast<int>(history_.actions.size()) - 1;
}

void Simulation::merge_pending(SimThread& thread, bool as_event) {
  for (SimThread::Pending& pending : std::exchange(thread.pending, {})) {
    record(thread, Kind::kReceiveLate, pending.complete, -1, as_event,
           std::move(pending.messages));
  }
}

void Simulation::merge_all_pending(SimProcess& process) {
  for (SimThread& thread : process.threads) merge_pending(thread, false);
}

int64_t Simulation::duration() {
  switch (random_.below(6)) {
    case 0:
    case 1:
      return 0;
    case 2:
      return random_.below(1000) * options_.unit_ns;
    default:
      return random_.below(20) * options_.unit_ns;
  }
}

SimTask& Simulation::new_task(SimThread& thread) {
  SimTask& task = tasks_.emplace_back();
  task.id = static_cast<int>(tasks_.size()) - 1;
  task.thread = &thread;
  return task;
}

RandomProgram run_random_program(const ProgramOptions& options) {
  return Simulation(options).run();
}

}  // namespace poprt::oracle
