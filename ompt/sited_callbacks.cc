#include "ompt/sited_callbacks.h"

#include <atomic>
#include <cstring>

#include "base/memory.h"
#include "devices/host_calls.h"
#include "measure/events.h"
#include "ompt/callbacks.h"
#include "ompt/handover.h"
#include "ompt/runtime_image.h"
#include "openmp/construct_sites.h"
#include "openmp/locks.h"
#include "openmp/tasking.h"

namespace poprt::ompt {
namespace {

// The usual callback of an event.  Set when the tool starts.
template <class Type>
std::atomic<Type> g_usual{nullptr};
// Types of callbacks are shared by events.
std::atomic<ompt_callback_sync_region_t> g_usual_sync_wait{nullptr};
std::atomic<ompt_callback_mutex_t> g_usual_acquired{nullptr};
std::atomic<ompt_callback_mutex_t> g_usual_released{nullptr};

// Null if nothing is measured, if there is no memory, or in the code of a
// kernel.
ConstructSites* known_sites() {
  Thread* const thread = measured_thread();
  OmpThread* const omp = thread == nullptr ? nullptr : omp_thread(*thread);
  if (omp == nullptr || runs_kernel(*thread)) return nullptr;
  ConstructSites* sites = omp->sites.load(std::memory_order_relaxed);
  if (sites == nullptr) {
    attempt_with_memory([&] { sites = new ConstructSites(*thread); });
    omp->sites.store(sites, std::memory_order_release);
  }
  return sites;
}

Task* task_of(const ompt_data_t* data) {
  Task* const task = data == nullptr ? nullptr : static_cast<Task*>(data->ptr);
  if (task != nullptr) return task;
  Thread* const thread = measured_thread();
  return thread == nullptr || omp_thread(*thread) == nullptr
             ? nullptr
             : joining_task(*thread);
}

// The place in the program of a call that may have come through an entry of
// this library (runtime_calls.cc): the runtime then takes it for one from here.
// Programs built by GCC call such an entry through the runtime.
const void* place_in_program(const void* code) {
  const OmpThread* const omp = omp_thread(*t_thread);
  const void* const caller = omp == nullptr ? nullptr : omp->call.caller;
  return caller == nullptr || in_runtime_image(caller) ? code : caller;
}

LastOne* last_at_barrier(const Task* task) {
  return task == nullptr || task->team == nullptr
             ? nullptr
             : &task->team->sited.last[task->barriers & 1];
}

LastOne::Value value_of(const LastOne* last) {
  return last == nullptr ? LastOne::Value() : last->get();
}

void sited_parallel_begin(ompt_data_t* encountering, const ompt_frame_t* frame,
                          ompt_data_t* parallel, unsigned threads, int flags,
                          const void* code) {
  g_usual<ompt_callback_parallel_begin_t>.load(std::memory_order_relaxed)(
      encountering, frame, parallel, threads, flags, code);
  ConstructSites* const sites = known_sites();
  if (sites == nullptr || parallel == nullptr || parallel->ptr == nullptr) {
    return;
  }
  Team& team = *static_cast<Team*>(parallel->ptr);
  team.sited.code.store(code, std::memory_order_relaxed);
  team.sited.joining.store(nullptr, std::memory_order_relaxed);
  sites->parallel_begin(code);
  if (const ThreadPath* const path = t_thread->path()) {
    team.sited.path_key.store(path->construct(), std::memory_order_relaxed);
  }
}

void sited_parallel_end(ompt_data_t* parallel, ompt_data_t* encountering,
                        int flags, const void* code) {
  ConstructSites* joining = nullptr;
  LastOne::Value last;
  const Thread* const thread = measured_thread();
  Team* const ending = thread == nullptr ? nullptr : ending_team(*thread);
  if (ending != nullptr) {
    Team& team = *ending;
    // They may have executed tasks since they came to the join.
    const Handover from_members(&team);
    joining = team.sited.joining.exchange(nullptr, std::memory_order_acquire);
    if (team.join >= 0) last = team.sited.last[team.join & 1].get();
  }
  g_usual<ompt_callback_parallel_end_t>.load(std::memory_order_relaxed)(
      parallel, encountering, flags, code);
  if (ConstructSites* const sites = known_sites()) {
    sites->parallel_end(joining, last);
  }
}

// Before the event: on the longest path its time since the region has begun is
// that of `parallel`.
void worker_begins(ompt_data_t* parallel) {
  const Thread* const thread = measured_thread();
  ThreadPath* const path = thread == nullptr ? nullptr : thread->path();
  if (path == nullptr || parallel == nullptr) return;
  const Handover of_team(parallel);
  if (parallel->ptr == nullptr) return;
  const Team& team = *static_cast<Team*>(parallel->ptr);
  path->set_construct(team.sited.path_key.load(std::memory_order_relaxed));
}

void sited_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel,
                         ompt_data_t* data, unsigned size, unsigned index,
                         int flags) {
  const Task* const ended =
      endpoint == ompt_scope_end && data != nullptr ? task_of(data) : nullptr;
  Team* const serial = ended != nullptr && ended->primary && !ended->in_barrier
                           ? ended->team
                           : nullptr;
  if (endpoint == ompt_scope_begin && index != 0) worker_begins(parallel);
  g_usual<ompt_callback_implicit_task_t>.load(std::memory_order_relaxed)(
      endpoint, parallel, data, size, index, flags);
  ConstructSites* const sites = known_sites();
  if (sites == nullptr || data == nullptr) return;
  if (serial != nullptr) return sites->join_begin(serial, nullptr, true);
  const Task* const begun = static_cast<Task*>(data->ptr);
  if (endpoint != ompt_scope_begin || begun == nullptr ||
      begun->team == nullptr) {
    return;
  }
  if (begun->primary) {
    sites->primary_begin();
  } else {
    sites->worker_begin(*begun->team, static_cast<int32_t>(index));
  }
}

void tell_sync_region(ConstructSites& sites, int kind, bool begin,
                      const Task* task, const void* code, LastOne* last) {
  const auto barrier = [&](SiteKind site, bool implicit) {
    if (begin) return sites.barrier_begin(site, code, implicit, last);
    sites.barrier_end(value_of(last));
  };
  switch (kind) {
    case ompt_sync_region_barrier_implicit_parallel:
    case ompt_sync_region_barrier_teams:
      // The end is that of the region.
      if (begin && task->team != nullptr) {
        sites.join_begin(task->team, last, task->primary);
      }
      return;
    case 2:  // ompt_sync_region_barrier_implicit, of OpenMP 5.0
    case ompt_sync_region_barrier_implicit_workshare:
      return barrier(SiteKind::kImplicitBarrier, true);
    case 1:  // ompt_sync_region_barrier, of OpenMP 5.0
    case ompt_sync_region_barrier_implementation:
      return barrier(SiteKind::kBarrier, true);
    case ompt_sync_region_barrier_explicit:
      return barrier(SiteKind::kBarrier, false);
    case ompt_sync_region_taskwait:
      if (begin) return sites.wait_begin(SiteKind::kTaskwait, code);
      sites.wait_end(SiteKind::kTaskwait, task->last.get());
      return;
    default:
      return;
  }
}

void sited_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                       ompt_data_t* parallel, ompt_data_t* data,
                       const void* code) {
  // The usual callback may clear the data word, or count the barrier.
  const Task* task = task_of(data);
  LastOne* const last = last_at_barrier(task);
  g_usual<ompt_callback_sync_region_t>.load(std::memory_order_relaxed)(
      kind, endpoint, parallel, data, code);
  ConstructSites* const sites = known_sites();
  if (task == nullptr) task = task_of(data);
  const bool begin = endpoint == ompt_scope_begin;
  if (sites == nullptr || task == nullptr) return;
  // Late reports, which are no events.
  if (!begin && (endpoint != ompt_scope_end || parallel == nullptr)) {
    if (kind != ompt_sync_region_taskwait) return;
  }
  tell_sync_region(*sites, static_cast<int>(kind), begin, task, code, last);
}

void sited_sync_region_wait(ompt_sync_region_t kind,
                            ompt_scope_endpoint_t endpoint,
                            ompt_data_t* parallel, ompt_data_t* data,
                            const void* code) {
  g_usual_sync_wait.load(std::memory_order_relaxed)(kind, endpoint, parallel,
                                                    data, code);
  if (kind != ompt_sync_region_taskgroup) return;
  ConstructSites* const sites = known_sites();
  const Task* const task = task_of(data);
  if (sites == nullptr || task == nullptr) return;
  if (endpoint == ompt_scope_begin) {
    sites->wait_begin(SiteKind::kTaskgroup, code);
  } else if (endpoint == ompt_scope_end) {
    sites->wait_end(
        SiteKind::kTaskgroup,
        value_of(task->group == nullptr ? nullptr : &task->group->last));
  }
}

void sited_task_create(ompt_data_t* encountering, const ompt_frame_t* frame,
                       ompt_data_t* created, int flags, int has_dependences,
                       const void* code) {
  g_usual<ompt_callback_task_create_t>.load(std::memory_order_relaxed)(
      encountering, frame, created, flags, has_dependences, code);
  ConstructSites* const sites = known_sites();
  if (sites == nullptr || created == nullptr) return;
  if ((flags & ompt_task_taskwait) != 0) {
    sites->wait_begin(SiteKind::kTaskwait, place_in_program(code));
  } else if ((flags & ompt_task_explicit) != 0) {
    sites->pass(SiteKind::kTask, place_in_program(code));
  }
}

void sited_task_schedule(ompt_data_t* first, ompt_task_status_t prior,
                         ompt_data_t* second) {
  const Handover of_first(first), of_second(second);
  const Task* const task =
      first == nullptr ? nullptr : static_cast<Task*>(first->ptr);
  const bool completes = prior == ompt_task_complete ||
                         prior == ompt_task_cancel ||
                         prior == ompt_task_late_fulfill;
  Task* const parent = completes && task != nullptr ? task->parent : nullptr;
  TaskGroup* const group = completes && task != nullptr ? task->group : nullptr;
  LastOne::Value last;
  if (prior == ompt_taskwait_complete && measured_thread() != nullptr) {
    const OmpThread* const omp = omp_thread(*t_thread);
    if (omp != nullptr && !omp->taskwaits.empty()) {
      last = omp->taskwaits.back().task->last.get();
    }
  }
  g_usual<ompt_callback_task_schedule_t>.load(std::memory_order_relaxed)(
      first, prior, second);
  ConstructSites* const sites = known_sites();
  if (sites == nullptr) return;
  if (prior == ompt_taskwait_complete) {
    sites->wait_end(SiteKind::kTaskwait, last);
    return;
  }
  const int64_t now_ns = t_thread->last_event_ns();
  if (parent != nullptr) parent->last.raise(now_ns, sites->number());
  if (group != nullptr) group->last.raise(now_ns, sites->number());
  if (prior == ompt_task_early_fulfill || prior == ompt_task_late_fulfill) {
    return;
  }
  // Who waits in a barrier waits for tasks, too.
  const Task* const next = task_of(second);
  const Handover to_primary(next == nullptr ? nullptr : next->team);
  if (completes && next != nullptr && next->in_barrier) {
    if (LastOne* const at_barrier = last_at_barrier(next)) {
      at_barrier->raise(now_ns, sites->number());
    }
  }
  sites->settle();
}

// Whether the wait for an iteration of a doacross loop has just ended.
void sited_dependences(ompt_data_t* task, const ompt_dependence_t* dependences,
                       int count) {
  g_usual<ompt_callback_dependences_t>.load(std::memory_order_relaxed)(
      task, dependences, count);
  if (dependences == nullptr || count <= 0) return;
  // It may be none of the enumeration.
  int type;
  std::memcpy(&type, &dependences[0].dependence_type, sizeof type);
  if (type != ompt_dependence_type_sink) return;
  ConstructSites* const sites = known_sites();
  if (sites == nullptr || t_thread->state() != State::kOmp) return;
  sites->pass(SiteKind::kOrdered, place_in_program(nullptr));
}

SiteKind kind_of(ompt_mutex_t kind) {
  switch (kind) {
    case ompt_mutex_lock:
    case ompt_mutex_test_lock:
      return SiteKind::kLock;
    case ompt_mutex_nest_lock:
    case ompt_mutex_test_nest_lock:
      return SiteKind::kNestLock;
    case ompt_mutex_atomic:
      return SiteKind::kAtomic;
    case ompt_mutex_ordered:
      return SiteKind::kOrdered;
    default:
      return SiteKind::kCritical;
  }
}

void tell_lock(ConstructSites* sites, uint64_t wait_id) {
  if (wait_id == 0) return;
  const Lock* const lock = lock_of(wait_id);
  sites->lock_is(wait_id, lock == nullptr
                              ? nullptr
                              : lock->made_at.load(std::memory_order_relaxed));
}

// Before measurement too: a program may initialise its locks first.
void sited_lock_init(ompt_mutex_t, unsigned, unsigned, ompt_wait_id_t wait_id,
                     const void* code) {
  if (Lock* const lock = lock_of(wait_id)) {
    lock->made_at.store(code, std::memory_order_relaxed);
  }
}

void sited_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned how,
                         ompt_wait_id_t wait_id, const void* code) {
  g_usual<ompt_callback_mutex_acquire_t>.load(std::memory_order_relaxed)(
      kind, hint, how, wait_id, code);
  ConstructSites* const sites = known_sites();
  if (sites == nullptr) return;
  if (kind != ompt_mutex_test_lock && kind != ompt_mutex_test_nest_lock) {
    sites->wait_begin(kind_of(kind), code);
    return tell_lock(sites, wait_id);
  }
  // An attempt that follows a failed one (lock_calls.cc).
  if (t_thread->state() != State::kOmp) return;
  sites->pass(kind_of(kind), code, 0);
  tell_lock(sites, wait_id);
}

void sited_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t wait_id,
                          const void* code) {
  g_usual_acquired.load(std::memory_order_relaxed)(kind, wait_id, code);
  ConstructSites* const sites = known_sites();
  if (sites == nullptr) return;
  if (kind == ompt_mutex_test_lock || kind == ompt_mutex_test_nest_lock) {
    sites->pass(kind_of(kind), code);
    return tell_lock(sites, wait_id);
  }
  const Lock* const lock = lock_or_turns(kind, wait_id);
  sites->wait_end(kind_of(kind),
                  value_of(lock == nullptr ? nullptr : &lock->left));
}

void sited_mutex_released(ompt_mutex_t kind, ompt_wait_id_t wait_id,
                          const void* code) {
  // The next holder looks at it as soon as the release is known.
  if (const ConstructSites* const sites = known_sites()) {
    if (Lock* const lock = lock_or_turns(kind, wait_id)) {
      lock->left.raise(now_ns(), sites->number());
    }
  }
  g_usual_released.load(std::memory_order_relaxed)(kind, wait_id, code);
}

void sited_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait_id,
                     const void* code) {
  g_usual<ompt_callback_nest_lock_t>.load(std::memory_order_relaxed)(
      endpoint, wait_id, code);
  ConstructSites* const sites = known_sites();
  if (sites == nullptr || endpoint != ompt_scope_begin) return;
  sites->wait_end(SiteKind::kNestLock, {});
}

// ompt_work_loop_static, _dynamic and _guided of OpenMP 5.2: in LLVM's header
// since 15.
constexpr int kLoopStatic = 10;
constexpr int kLoopDynamic = 11;
constexpr int kLoopGuided = 12;

SiteKind kind_of(ompt_work_t work) {
  switch (int{work}) {
    case ompt_work_sections:
      return SiteKind::kSections;
    case ompt_work_single_executor:
    case ompt_work_single_other:
      return SiteKind::kSingleConstruct;
    case ompt_work_workshare:
      return SiteKind::kWorkshare;
    case ompt_work_distribute:
      return SiteKind::kDistribute;
    case kLoopStatic:
      return SiteKind::kLoopStatic;
    case kLoopDynamic:
      return SiteKind::kLoopDynamic;
    case kLoopGuided:
      return SiteKind::kLoopGuided;
    default:
      return SiteKind::kLoop;
  }
}

void sited_work(ompt_work_t work, ompt_scope_endpoint_t endpoint,
                ompt_data_t* parallel, ompt_data_t* task, uint64_t count,
                const void* code) {
  g_usual<ompt_callback_work_t>.load(std::memory_order_relaxed)(
      work, endpoint, parallel, task, count, code);
  ConstructSites* const sites = known_sites();
  // A `scope` may have other worksharing constructs inside.
  if (sites == nullptr || work == ompt_work_scope) return;
  const bool begin = endpoint == ompt_scope_begin;
  if (!begin && endpoint != ompt_scope_end) return;
  if (work == ompt_work_taskloop) {  // no worksharing
    if (begin) {
      sites->wait_begin(SiteKind::kTaskloop, place_in_program(code),
                        static_cast<int64_t>(count));
    } else {
      sites->wait_end(SiteKind::kTaskloop, {});
    }
    return;
  }
  if (!begin) return sites->work_end();
  const bool loops = work == ompt_work_loop || work == ompt_work_distribute ||
                     work >= kLoopStatic;
  sites->work_begin(kind_of(work), place_in_program(code),
                    loops ? static_cast<int64_t>(count) : 0);
}

void sited_reduction(ompt_sync_region_t, ompt_scope_endpoint_t endpoint,
                     ompt_data_t*, ompt_data_t* data, const void*) {
  ConstructSites* const sites = known_sites();
  const Task* const task = task_of(data);
  if (sites == nullptr || task == nullptr) return;
  if (endpoint == ompt_scope_begin) {
    const Team* const team = task->team;
    sites->reduction_begin(
        team == nullptr ? nullptr
                        : team->sited.code.load(std::memory_order_relaxed));
  } else if (endpoint == ompt_scope_end) {
    sites->wait_end(SiteKind::kReduction, {});
  }
}

// If the row is of this event: remembers the usual callback and puts another
// one in its place.
template <class Type>
void replace(Registration* row, ompt_callbacks_t event, Type with,
             std::atomic<Type>* usual = &g_usual<Type>) {
  if (row->event != event) return;
  *usual = reinterpret_cast<Type>(row->function);
  row->function = reinterpret_cast<ompt_callback_t>(with);
}

}  // namespace

void tell_sites(std::vector<Registration>* rows) {
  for (Registration& row : *rows) {
    replace(&row, ompt_callback_parallel_begin, sited_parallel_begin);
    replace(&row, ompt_callback_parallel_end, sited_parallel_end);
    replace(&row, ompt_callback_implicit_task, sited_implicit_task);
    replace(&row, ompt_callback_sync_region, sited_sync_region);
    replace(&row, ompt_callback_sync_region_wait, sited_sync_region_wait,
            &g_usual_sync_wait);
    replace(&row, ompt_callback_task_create, sited_task_create);
    replace(&row, ompt_callback_task_schedule, sited_task_schedule);
    replace(&row, ompt_callback_dependences, sited_dependences);
    replace(&row, ompt_callback_mutex_acquire, sited_mutex_acquire);
    replace(&row, ompt_callback_mutex_acquired, sited_mutex_acquired,
            &g_usual_acquired);
    replace(&row, ompt_callback_mutex_released, sited_mutex_released,
            &g_usual_released);
    replace(&row, ompt_callback_work, sited_work);
    replace(&row, ompt_callback_nest_lock, sited_nest_lock);
  }
}

std::vector<Registration> work_callbacks() {
  return {callback<ompt_callback_sync_region_t>(ompt_callback_reduction,
                                                sited_reduction, "reduction"),
          callback<ompt_callback_mutex_acquire_t>(
              ompt_callback_lock_init, sited_lock_init, "lock_init")};
}

}  // namespace poprt::ompt
