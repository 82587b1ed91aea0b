#include "oracle/replay.h"

#include <atomic>
#include <cassert>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "model/quantities.h"
#include "openmp/openmp_totals.h"

namespace poprt::oracle {
namespace {

// Threads of earlier replays leave objects in the pools to later ones: what a
// pool hands out must be as new.
std::mutex g_left_mutex;
std::vector<OmpThread*>& left() {
  static auto* const list = new std::vector<OmpThread*>;
  return *list;
}

OmpThread* take_left(Thread& thread) {
  const std::lock_guard<std::mutex> lock(g_left_mutex);
  if (left().empty()) return new OmpThread(thread);
  OmpThread* const omp = left().back();
  left().pop_back();
  omp->begin(thread);
  omp->instance_root = nullptr;
  omp->waits = {};
  return omp;
}

void leave(OmpThread* omp) {
  const std::lock_guard<std::mutex> lock(g_left_mutex);
  left().push_back(omp);
}

}  // namespace

Replay::Replay(const History& history, PathChoice path,
               const WindowSpec& windows)
    : history_(history),
      messages_(static_cast<size_t>(history.messages)),
      moments_(history.actions.size()),
      late_waits_(history.actions.size()),
      teams_(static_cast<size_t>(history.teams)),
      teams_of_one_(teams_of_one(history)),
      tasks_(static_cast<size_t>(history.tasks)),
      locks_(static_cast<size_t>(history.locks)) {
  g_uncontended_ns.store(0);
  for (const ProcessInfo& info : history.processes) {
    processes_.emplace_back(RegionSelection{}, path, windows);
    processes_.back().set_rank(static_cast<int64_t>(processes_.size()) - 1);
    threads_.emplace_back(static_cast<size_t>(info.threads));
  }
}

Replay::~Replay() {
  for (std::vector<ThreadSlot>& process : threads_) {
    for (ThreadSlot& slot : process) {
      if (slot.thread != nullptr) leave(omp_thread(*slot.thread));
    }
  }
}

void Replay::run() {
  const int count = static_cast<int>(history_.actions.size());
  for (int i = 0; i < count; ++i) perform(i);
}

void Replay::run_threaded(const std::vector<std::vector<int>>& waits_for) {
  std::vector<std::atomic<bool>> done(history_.actions.size());
  std::map<std::pair<int, int>, std::vector<size_t>> programs;
  for (size_t i = 0; i < history_.actions.size(); ++i) {
    const Action& action = history_.actions[i];
    programs[{action.process, action.thread}].push_back(i);
  }
  std::vector<std::thread> threads;
  for (const auto& entry : programs) {
    const std::vector<size_t>& program = entry.second;
    threads.emplace_back([this, &waits_for, &done, &program] {
      for (const size_t i : program) {
        for (const int other : waits_for[i]) {
          const std::atomic<bool>& flag = done[static_cast<size_t>(other)];
          while (!flag.load(std::memory_order_acquire)) {
            std::this_thread::yield();
          }
        }
        perform(static_cast<int>(i));
        done[i].store(true, std::memory_order_release);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

JobTotals Replay::totals() const {
  JobTotals job;
  for (size_t p = 0; p < processes_.size(); ++p) {
    const ProcessInfo& info = history_.processes[p];
    job = combine(std::move(job), processes_[p].totals(info.end_ns, info.host));
  }
  return job;
}

void Replay::receive(int index, const Action& a, ThreadSlot& slot) {
  Thread& thread = *slot.thread;
  const bool in_call = thread.state() == State::kMpi;
  // The clocks come in one message after another, or combined as a collective
  // does it.
  if (index % 2 == 0 && !in_call && thread.path() == nullptr) {
    for (const int m : a.messages) {
      thread.merge(messages_[static_cast<size_t>(m)]);
    }
    return;
  }
  ClockMessage all;
  for (const int m : a.messages) {
    merge(all, messages_[static_cast<size_t>(m)], ClockMessage::kCapacity);
  }
  if (in_call) {
    slot.waits->merge(all);
  } else {
    thread.merge(all);
    if (thread.path() != nullptr) thread.merge_path(all, 0);
  }
}

void Replay::receive_late(const Action& a, ThreadSlot& slot) {
  const auto complete = static_cast<size_t>(a.object);
  ClockMessage all;
  for (const int m : a.messages) {
    merge(all, messages_[static_cast<size_t>(m)], ClockMessage::kCapacity);
  }
  slot.thread->merge_as_of(all, moments_[complete]);
  slot.waits->merge_late(all, moments_[complete], late_waits_[complete]);
}

void Replay::perform(int index) {
  const Action& a = history_.actions[static_cast<size_t>(index)];
  Process& process = this->process(a.process);
  ThreadSlot& slot =
      threads_[static_cast<size_t>(a.process)][static_cast<size_t>(a.thread)];
  if (a.kind == Kind::kThreadBegin) {
    slot.thread = &process.add_thread(
        a.flag ? ThreadKind::kProgram : ThreadKind::kWorker, a.ns);
    slot.thread->set_layer(EventLayer::kOpenMp, take_left(*slot.thread));
    process.add_part(openmp_totals());
    if (a.flag) task(a.object) = initial_task_begin(*slot.thread, a.ns);
    return;
  }
  Thread& thread = *slot.thread;
  switch (a.kind) {
    case Kind::kMpiBegin:
      slot.before_mpi = thread.state();
      thread.switch_to(State::kMpi, a.ns);
      thread.entered_mpi();
      if (!slot.waits) slot.waits.emplace(thread);
      slot.waits->begin(thread.last_event_ns());
      if (a.flag) thread.start_timing(State::kMpi, process.account_of(kMpiIo));
      break;
    case Kind::kMpiEnd:
      thread.switch_to(slot.before_mpi, a.ns);
      thread.stop_timing(State::kMpi);
      if (a.flag) slot.waits->add_poll();
      break;
    case Kind::kSend:
      thread.book(a.ns);
      thread.store_to(messages_[static_cast<size_t>(a.object)]);
      break;
    case Kind::kReceive:
      thread.book(a.ns);
      receive(index, a, slot);
      break;
    case Kind::kComplete:
      thread.book(a.ns);
      moments_[static_cast<size_t>(index)] = thread.moment();
      if (thread.state() != State::kMpi)
        slot.waits->begin(thread.last_event_ns());
      late_waits_[static_cast<size_t>(index)] = slot.waits->put_off();
      break;
    case Kind::kReceiveLate:
      if (a.flag) thread.book(a.ns);
      receive_late(a, slot);
      break;
    case Kind::kOwnWork:
      thread.book_own_work(a.ns);
      break;
    case Kind::kRegionOpen:
      thread.book(a.ns);
      process.region_start(thread, region_name(a.object));
      break;
    case Kind::kRegionClose:
      thread.book(a.ns);
      process.region_stop(thread, region_name(a.object));
      break;
    case Kind::kRestart:
      thread.book(a.ns);
      process.restart_regions(thread);
      break;
    default:
      perform_openmp(a, slot);
      if (process.path_choice().constructs && changes_construct(a.kind)) {
        thread.path()->set_construct(kConstructs +
                                     static_cast<uint64_t>(a.kind));
      }
  }
}

void Replay::perform_openmp(const Action& a, ThreadSlot& slot) {
  Thread& thread = *slot.thread;
  switch (a.kind) {
    case Kind::kParallelBegin:
      teams_[static_cast<size_t>(a.object)] =
          parallel_begin(thread, task(a.other), a.ns);
      break;
    case Kind::kImplicitBegin:
      task(a.other) = implicit_task_begin(
          thread, teams_[static_cast<size_t>(a.object)],
          Membership{a.flag ? 0u : 1u,
                     teams_of_one_[static_cast<size_t>(a.object)] ? 1u : 2u},
          a.ns);
      break;
    case Kind::kImplicitEnd:
      implicit_task_end(thread, task(a.other), a.ns);
      break;
    case Kind::kParallelEnd:
      parallel_end(thread, teams_[static_cast<size_t>(a.object)], a.ns);
      break;
    case Kind::kBarrierBegin:
      if (a.flag) {
        join_begin(thread, task(a.object), a.ns);
      } else {
        barrier_begin(thread, task(a.object), a.ns);
      }
      break;
    case Kind::kBarrierEnd:
      barrier_end(thread, task(a.object), a.ns);
      break;
    case Kind::kTaskCreate:
      task(a.object) = task_create(thread, task(a.other), a.flag, a.ns);
      break;
    case Kind::kTaskSwitch:
      task_switch(thread, task(a.object), a.flag, task(a.other), a.ns);
      break;
    case Kind::kTaskwaitBegin:
      taskwait_begin(thread, task(a.object), a.ns);
      break;
    case Kind::kTaskwaitEnd:
      taskwait_end(thread, task(a.object), a.ns);
      break;
    case Kind::kGroupBegin:
      taskgroup_begin(thread, task(a.object), a.ns);
      break;
    case Kind::kGroupWaitBegin:
      taskgroup_wait_begin(thread, task(a.object), a.ns);
      break;
    case Kind::kGroupWaitEnd:
      taskgroup_wait_end(thread, task(a.object), a.ns);
      break;
    case Kind::kGroupEnd:
      taskgroup_end(thread, task(a.object), a.ns);
      break;
    case Kind::kLockWait:
    case Kind::kLockAcquired:
    case Kind::kLockReleased:
      perform_lock(a, slot);
      break;
    default:
      assert(false);
  }
}

void Replay::perform_lock(const Action& a, ThreadSlot& slot) {
  Thread& thread = *slot.thread;
  Lock& lock = locks_[static_cast<size_t>(a.object)];
  const bool entries = comes_through_entries(a.object);
  switch (a.kind) {
    case Kind::kLockWait:
      if (entries) {
        slot.lock_wait = lock_wait_begin(thread, &lock, a.ns);
      } else {
        lock_acquire(thread, &lock, a.ns);
      }
      break;
    case Kind::kLockAcquired:
      if (entries) {
        lock_wait_end(thread, slot.lock_wait, a.ns);
      } else {
        lock_settle(lock);
        lock_acquired(thread, lock, a.ns);
      }
      break;
    default:
      if (!entries) {
        lock_released(thread, lock, a.ns);
      } else if (is_awaited(lock)) {
        lock_left(thread, lock, a.ns);
      } else {
        thread.book(a.ns);
      }
  }
}

}  // namespace poprt::oracle
