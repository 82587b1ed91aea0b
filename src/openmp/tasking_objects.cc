#include "openmp/tasking_objects.h"

#include <atomic>

#include "base/cache_line.h"
#include "base/publish.h"
#include "measure/process.h"
#include "openmp/openmp_totals.h"

namespace poprt {

Pools& pools() {
  static constinit std::atomic<Pools*> all{nullptr};
  Pools* const known = all.load(std::memory_order_acquire);
  return known != nullptr ? *known : publish(all, new Pools);
}

Team* kernel_team() {
  static constinit std::atomic<Team*> team{nullptr};
  Team* const known = team.load(std::memory_order_acquire);
  if (known != nullptr) return known;
  Team* const made = new Team;
  made->of_kernels = true;
  return &publish(team, made);
}

void OmpThread::begin(Thread& thread) {
  losses[kSourceMpi] = thread.keep_account(kOpenMpMpiInside);
  losses[kSourceSerialised] = thread.keep_account(kOpenMpSerialised);
  losses[kSourceScheduling] = thread.keep_account(kOpenMpScheduling);
  losses[kSourceNotStarted] = thread.keep_account(kOpenMpNotStarted);
  losses[kSourceAccelerator] = thread.keep_account(kOpenMpAcceleratorInside);
  for (int i = 0; i < kLossSources; ++i) {
    lacking[i] = thread.keep_account(kLackingQuantities[i]);
  }
  waiting = thread.keep_account(kWaitingForOthers);
  other_teams = thread.keep_account(kOpenMpOtherTeams);
  for (int i = 0; i < kLossSources; ++i) {
    losses_base_ns[i].set(thread.amount(losses[i]));
    lacking_base_ns[i].set(thread.amount(lacking[i]));
  }
  idle_ns = 0;
  in_single = false;
  region_times.reset();
  regions.reset();
}

void OmpThread::end(Thread& thread) {
  settle_account(thread);
  construct.set(-1);
  settle_losses(thread, *this, -1);
  own_root_begin_ns.set(-1);
  taskwaits.clear();
  end_wait(waits);
  waits = {};
  polled = {};
  call = {};
  settle_joining(thread, *this);
  joining = nullptr;
  league = nullptr;
  begun = nullptr;
  instance_root = nullptr;
  instance = 0;
  loops = own_iteration = 0;
  doacross = {};
  all_memory = helper = polls = hands_on = in_single = false;
}

OmpThread& new_omp(Thread& thread) {
  OmpThread* const omp = new OmpThread(thread);
  thread.set_layer(EventLayer::kOpenMp, omp);
  thread.process().add_part(openmp_totals());
  return *omp;
}

void release(Thread& thread, TaskEdges* edges) {
  edges->clear();
  pools().edges.recycle(omp_of(thread).edges, edges);
}

Task* new_task(Thread& thread) {
  Pool<Task>::Local& tasks = omp_of(thread).tasks;
  Task* const task = pools().tasks.take(tasks);
  // It is most likely the next one, and another thread has finished it.
  if (!tasks.empty()) will_write(tasks.back(), Task::kToStart);
  // The others are so already, see release().
  task->team = nullptr;
  task->parent = nullptr;
  task->group = nullptr;
  task->home = &thread;
  task->construct = 0;
  task->barriers = 0;
  task->started = task->untied = task->implicit = task->primary =
      task->in_barrier = task->ended = task->waits = task->in_single = false;
  task->suspended = task->before = State::kUseful;
  return task;
}

Task* new_implicit_task(Thread& thread) {
  Task* const task = new_task(thread);
  task->started = task->implicit = true;
  task->call = {};
  return task;
}

namespace {

// Whether the object of the task, which has ended, can be recycled.
bool drop_own(Task* task) {
  if (!task->ended) task->ended = true;  // task_detach() has done so
  const int64_t own = Task::kUnfinished - task->created;
  // No other thread has seen the task as a parent.
  if (task->created == 0) return true;
  return task->references.fetch_sub(own, std::memory_order_acq_rel) == own;
}

// The same after a child of the task has ended on this thread.
bool drop_child(const Thread& thread, Task* task) {
  if (task->home == &thread && !task->ended) {
    --task->created;
    return false;
  }
  return task->references.fetch_sub(1, std::memory_order_acq_rel) == 1;
}

// Makes all members that few tasks use as newly constructed, but `call`, which
// is set before it is used.  Writes nothing where they are.
void clear_further(Thread& thread, Task* task) {
  if (task->created != 0) {
    task->created = 0;
    task->references.store(Task::kUnfinished, std::memory_order_relaxed);
  }
  if (!task->children.size().is_empty()) task->children.reset();
  if (task->edges != nullptr) {
    release(thread, task->edges);
    task->edges = nullptr;
  }
  if (task->dependences != nullptr) {
    task->dependences->clear(pools().clocks, omp_of(thread).clocks);
    pools().tables.recycle(omp_of(thread).tables, task->dependences);
    task->dependences = nullptr;
  }
  if (SyncClock* const clock =
          task->fulfilled.load(std::memory_order_acquire)) {
    task->fulfilled.store(nullptr, std::memory_order_relaxed);
    clock->reset();
    pools().clocks.recycle(omp_of(thread).clocks, clock);
  }
  if (task->runner != nullptr) task->runner = nullptr;
}

}  // namespace

void release(Thread& thread, Task* task) {
  bool unused = drop_own(task);
  while (unused) {
    Task* const parent = task->parent;
    task->resume.reset();
    clear_further(thread, task);
    pools().tasks.recycle(omp_of(thread).tasks, task);
    task = parent;
    unused = task != nullptr && drop_child(thread, task);
  }
}

void settle_account(Thread& thread) {
  OmpThread& omp = omp_of(thread);
  const int64_t useful = thread.useful_ns();
  const int64_t mpi = thread.mpi_ns();
  const int64_t accelerator = thread.accelerator_ns();
  if (omp.construct.get() >= 0) {
    ConstructAccount& account =
        omp.accounts.at(static_cast<int>(omp.construct.get()));
    account.useful_ns.add(useful - omp.useful_base_ns.get());
    account.mpi_ns.add(mpi - omp.mpi_base_ns.get());
    account.accelerator_ns.add(accelerator - omp.accelerator_base_ns.get());
  }
  omp.useful_base_ns.set(useful);
  omp.mpi_base_ns.set(mpi);
  omp.accelerator_base_ns.set(accelerator);
}

void settle_losses(const Thread& thread, OmpThread& omp, int construct) {
  const auto before = static_cast<int>(omp.losses_construct.get());
  omp.losses_construct.set(construct);
  if (before < 0) return;
  const auto settle = [&](int number, Cell* base_ns, Cell* account) {
    const int64_t all_ns = thread.amount(number);
    account->add(all_ns - base_ns->get());
    base_ns->set(all_ns);
  };
  ConstructAccount& account = omp.accounts.at(before);
  for (int i = 0; i < kLossSources; ++i) {
    settle(omp.losses[i], &omp.losses_base_ns[i], &account.losses_ns[i]);
    settle(omp.lacking[i], &omp.lacking_base_ns[i], &account.lacking_ns[i]);
  }
}

}  // namespace poprt
