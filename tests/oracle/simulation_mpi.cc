#include <algorithm>

#include "oracle/simulation.h"

namespace poprt::oracle {
namespace {

enum class Pattern {
  kMessage,
  kAllToAll,
  kRootToAll,
  kAllToRoot,
  kScan,
  kExscan,
  kSparse,  // each process contributes for some others
  kCount,
};

bool depends(Pattern pattern, int root, int on, int process) {
  switch (pattern) {
    case Pattern::kMessage:
    case Pattern::kRootToAll:
      return on == root && process != root;
    case Pattern::kAllToRoot:
      return process == root && on != root;
    case Pattern::kScan:
      return on <= process;
    case Pattern::kExscan:
      return on < process;
    default:
      return true;
  }
}

}  // namespace

void Simulation::plan_operations() {
  const int count = options_.processes;
  for (int i = 0; i < options_.operations; ++i) {
    const auto pattern =
        static_cast<Pattern>(random_.below(static_cast<int>(Pattern::kCount)));
    SimOperation& operation = operations_.emplace_back();
    const size_t size = static_cast<size_t>(count);
    operation.message.assign(size, -1);
    operation.needs.resize(size);
    operation.entered.assign(size, false);
    for (int p = 0; p < count; ++p) {
      operation.takes_part.push_back(random_.percent(80));
    }
    const int root = random_.below(count);
    operation.takes_part[static_cast<size_t>(root)] = true;
    if (pattern == Pattern::kMessage) {
      operation.takes_part.assign(size, false);
      operation.takes_part[static_cast<size_t>(root)] = true;
      operation.takes_part[static_cast<size_t>(random_.below(count))] = true;
    }
    for (int p = 0; p < count; ++p) {
      if (!operation.takes_part[static_cast<size_t>(p)]) continue;
      for (int on = 0; on < count; ++on) {
        if (!operation.takes_part[static_cast<size_t>(on)]) continue;
        if (!depends(pattern, root, on, p)) continue;
        if (pattern == Pattern::kSparse && random_.percent(50)) continue;
        operation.needs[static_cast<size_t>(p)].push_back(on);
        int& message = operation.message[static_cast<size_t>(on)];
        if (message < 0) message = history_.messages++;
      }
      processes_[static_cast<size_t>(p)].operations.push_back(&operation);
    }
  }
}

bool Simulation::may_send(const SimTask& task) const {
  if (!task.thread->process->mpi_started) return false;
  if (task.team == nullptr || task.team->traffic == Traffic::kAny) return true;
  return task.team->traffic == Traffic::kSends;
}

bool Simulation::may_receive(const SimTask& task) const {
  if (!task.thread->process->mpi_started) return false;
  if (task.team == nullptr || task.team->traffic == Traffic::kAny) return true;
  return task.team->traffic == Traffic::kReceives;
}

// Which call it is only decides where its time is booked.
Co Simulation::enter_mpi(SimThread& thread) {
  // Polls that find nothing; often with no time between them. Where threads
  // only send or only receive, a call is not put off by what others do
  // meanwhile.
  const bool takes_time = !options_.one_way;
  const int polls = random_.percent(20) ? random_.below(4) : 0;
  for (int i = 0; i < polls; ++i) {
    record(thread, Kind::kMpiBegin);
    if (takes_time && random_.percent(50)) co_await delay();
    record(thread, Kind::kMpiEnd, -1, -1, true);
    if (takes_time && random_.percent(30)) co_await delay();
  }
  record(thread, Kind::kMpiBegin, -1, -1, random_.percent(20));
}

// The data of the messages has arrived; their clocks may come with it or later.
void Simulation::receive(SimTask& task, const std::vector<int>& messages) {
  if (messages.empty()) return;
  if (random_.percent(60)) {
    record(*task.thread, Kind::kReceive, -1, -1, false, messages);
    return;
  }
  const int complete = record(*task.thread, Kind::kComplete);
  task.thread->pending.push_back({messages, complete});
}

Co Simulation::send_message(SimTask& task) {
  SimThread& thread = *task.thread;
  co_await enter_mpi(thread);
  const int message = history_.messages++;
  record(thread, Kind::kSend, message);
  const int to = random_.below(options_.processes);
  const int64_t arrival = scheduler_.now() + duration();
  processes_[static_cast<size_t>(to)].mailbox.emplace_back(message, arrival);
  co_await delay();
  record(thread, Kind::kMpiEnd);
}

Co Simulation::receive_message(SimTask& task) {
  SimThread& thread = *task.thread;
  auto& mailbox = thread.process->mailbox;
  if (mailbox.empty()) co_return;
  const int choice = random_.below(static_cast<int>(mailbox.size()));
  const auto [message, arrival] = mailbox[static_cast<size_t>(choice)];
  mailbox.erase(mailbox.begin() + choice);

  co_await enter_mpi(thread);
  const int64_t wait = std::max<int64_t>(0, arrival - scheduler_.now());
  co_await scheduler_.delay(wait);
  const std::vector<int> messages(1, message);
  receive(task, messages);
  if (random_.percent(50)) co_await delay();
  record(thread, Kind::kMpiEnd);
}

// Begins a collective or a message, blocking or not.
Co Simulation::begin_operation(SimTask& task, SimOperation& operation,
                               bool blocking) {
  SimThread& thread = *task.thread;
  const size_t process = static_cast<size_t>(thread.process->index);
  co_await enter_mpi(thread);
  if (random_.percent(30)) co_await delay();
  if (operation.message[process] >= 0) {
    record(thread, Kind::kSend, operation.message[process]);
  }
  operation.entered[process] = true;
  operation.changed.notify_all(scheduler_);
  if (blocking) co_return;
  co_await delay();
  record(thread, Kind::kMpiEnd);
}

// The rest of a blocking call, or the call that completes a non-blocking one.
Co Simulation::finish_operation(SimTask& task, SimOperation& operation,
                                bool blocking) {
  SimThread& thread = *task.thread;
  const size_t process = static_cast<size_t>(thread.process->index);
  if (!blocking) co_await enter_mpi(thread);
  std::vector<int> messages;
  for (const int other : operation.needs[process]) {
    const size_t on = static_cast<size_t>(other);
    while (!operation.entered[on]) co_await operation.changed.changed();
    messages.push_back(operation.message[on]);
  }
  co_await delay();
  const bool merge_after_call = random_.percent(30);
  if (!merge_after_call) receive(task, messages);
  if (random_.percent(50)) co_await delay();
  record(thread, Kind::kMpiEnd);
  if (merge_after_call) receive(task, messages);
}

}  // namespace poprt::oracle
