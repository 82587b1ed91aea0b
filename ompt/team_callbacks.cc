#include "devices/host_calls.h"
#include "devices/kernel_threads.h"
#include "ompt/callbacks.h"
#include "ompt/event.h"
#include "ompt/handover.h"
#include "ompt/runtime_image.h"
#include "openmp/tasking.h"

namespace poprt::ompt {
namespace {

Team* known_team(const ompt_data_t* data) {
  return data == nullptr ? nullptr : static_cast<Team*>(data->ptr);
}

// Whether the thread executes the code of a kernel in this process.
bool in_kernel(const Thread* thread) {
  return thread != nullptr && runs_kernel(*thread);
}

// Whether the thread starts LLVM's team of hidden helpers, which executes
// `target nowait`.  OMPT reports it like a thread of the program that uses
// OpenMP, but its parallel region begins in the runtime's code and not in the
// program's.
bool begins_helpers(const Thread& thread, const void* code) {
  const OmpThread* const omp = omp_thread(thread);
  return omp != nullptr && omp->instance == 0 && !thread.in_parallel() &&
         thread.process().primary() != &thread && in_runtime_image(code);
}

// The thread ends, or turns out to be one of the runtime's own, which have no
// core.
void leave(Thread& thread) {
  if (OmpThread* const omp = omp_thread(thread)) omp->end(thread);
  host_calls_over(thread);
  leave_core(thread, now_ns());
}

void on_thread_begin(ompt_thread_t type, ompt_data_t*) {
  // A worker may be one of the runtime's own: its first task tells.
  if (type != ompt_thread_initial || !measuring()) return;
  const int64_t now = now_ns();
  register_on_core(ThreadKind::kProgram, now).book(now);
}

void on_thread_end(ompt_data_t*) {
  Thread* const thread = measured_thread();
  // The primary thread goes on with useful code after the OpenMP runtime has
  // ended.
  if (thread != nullptr && thread->process().primary() != thread) {
    leave(*thread);
  }
}

void on_parallel_begin(ompt_data_t* encountering, const ompt_frame_t*,
                       ompt_data_t* parallel, unsigned threads, int flags,
                       const void* code) {
  const Handover of_task(encountering), of_team(parallel);
  Thread* const thread = measured_thread();
  if (in_kernel(thread)) {
    if (parallel != nullptr) parallel->ptr = kernel_team();
    return;
  }
  const bool helpers = thread != nullptr && begins_helpers(*thread, code);
  if (helpers && thread->member()) leave(*thread);
  Event event(helpers ? ThreadKind::kProgram : ThreadKind::kWorker);
  if (!event || parallel == nullptr) return;
  Team* const team = parallel_begin(event.thread(), known_task(encountering),
                                    event.now_ns(), code, helpers, threads);
  const Handover to_members(team);
  parallel->ptr = team;
  if ((flags & ompt_parallel_league) != 0) league_begin(event.thread(), team);
}

void on_parallel_end(ompt_data_t*, ompt_data_t*, int, const void*) {
  Event event;
  if (!event) return;
  Team* const team = ending_team(event.thread());
  if (team == nullptr) {
    // Its begin, which was in useful code, was before measurement.
    event.thread().switch_to(State::kUseful, event.now_ns());
    return;
  }
  const Handover to_members(team);
  parallel_end(event.thread(), team, event.now_ns());
}

// The team of a task that begins.  An initial task may be the first of a league
// (`teams`).  For a league of one team LLVM 19 reports a parallel region that
// is not the league and may have ended.  So the thread takes the league that it
// has begun itself.
Team* beginning_team(const Event& event, const ompt_data_t* parallel,
                     int flags) {
  if ((flags & ompt_task_initial) != 0) {
    if (Team* const league = take_league(event.thread())) return league;
  }
  return known_team(parallel);
}

// The end of a worker's task comes at the next fork or at shutdown, when the
// team is gone.  So it is no event, as after each join barrier, and takes no
// time stamp.
void on_implicit_end(Thread& thread, ompt_data_t* data) {
  Task* const task =
      data->ptr != nullptr ? known_task(data) : joining_task(thread);
  data->ptr = nullptr;
  if (task == nullptr) return;
  if (has_joined(*task)) {
    // The primary thread has read what this one did there.
    const Handover from_primary(task->team);
    return implicit_task_over(thread, task);
  }
  const Event event;
  if (event) implicit_task_end(thread, task, event.now_ns());
}

void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel,
                      ompt_data_t* task, unsigned size, unsigned index,
                      int flags) {
  const Handover of_team(parallel), of_task(task);
  if (task == nullptr) return;
  if (endpoint == ompt_scope_end) {
    Thread* const thread = measured_thread();
    if (in_kernel(thread)) return kernel_task_end(*thread);
    if (thread != nullptr) on_implicit_end(*thread, task);
  }
  if (endpoint != ompt_scope_begin) return;
  const ThreadKind kind = (flags & ompt_task_initial) != 0
                              ? ThreadKind::kProgram
                              : ThreadKind::kWorker;
  const Team* const known = known_team(parallel);
  if ((known != nullptr && known->of_kernels) || in_kernel(measured_thread())) {
    return kernel_task_begin();
  }
  if (t_thread == nullptr && measuring() &&
      (known == nullptr || !known->helpers)) {
    register_on_core(kind, now_ns());
  }
  Event event(kind);
  if (!event) return;
  Team* const team = beginning_team(event, parallel, flags);
  const Handover from_fork(team);
  task->ptr =
      team == nullptr
          ? initial_task_begin(event.thread(), event.now_ns())
          : implicit_task_begin(event.thread(), team, Membership{index, size},
                                event.now_ns());
}

// Whether this is a join barrier.  The end of a join barrier is not an event:
// the primary thread's wait ends with the region, a worker waits until its next
// task.  LLVM 19 reports it without the parallel region, to a worker at the
// next fork or at shutdown.
bool joins(ompt_sync_region_t kind, const ompt_data_t* parallel) {
  return parallel == nullptr ||
         kind == ompt_sync_region_barrier_implicit_parallel ||
         kind == ompt_sync_region_barrier_teams;
}

// LLVM 19 copies the data word of a worker in its join barrier to a place that
// must be null when a task in the barrier reaches `taskwait depend`.  So the
// word is cleared, and the thread remembers its task.
void join_begins(ompt_data_t* data) {
  const Event event;
  if (!event) return;
  Task* const task = current_task(event, data);
  join_begin(event.thread(), task, event.now_ns());
  if (!task->primary) data->ptr = nullptr;
}

void barrier_begins(ompt_data_t* task) {
  const Event event;
  if (!event) return;
  barrier_begin(event.thread(), current_task(event, task), event.now_ns());
}

void barrier_ends(ompt_data_t* task) {
  const Event event;
  if (!event) return;
  barrier_end(event.thread(), current_task(event, task), event.now_ns());
}

void at_taskwait(bool begin, ompt_data_t* task) {
  const Event event;
  if (!event) return;
  (begin ? taskwait_begin : taskwait_end)(
      event.thread(), current_task(event, task), event.now_ns());
}

void at_taskgroup(bool begin, ompt_data_t* task) {
  const Event event;
  if (!event) return;
  if (begin) want_group_waits();
  (begin ? taskgroup_begin : taskgroup_end)(
      event.thread(), current_task(event, task), event.now_ns());
}

void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                    ompt_data_t* parallel, ompt_data_t* task, const void*) {
  // Comes after each parallel region.
  if (kind == ompt_sync_region_barrier_implicit_parallel &&
      endpoint == ompt_scope_end) {
    return;
  }
  const Handover of_team(parallel), of_task(task);
  const bool begin = endpoint == ompt_scope_begin;
  if (task == nullptr || (!begin && endpoint != ompt_scope_end)) return;
  switch (static_cast<int>(kind)) {
    case 1:  // ompt_sync_region_barrier and
    case 2:  // ompt_sync_region_barrier_implicit, of OpenMP 5.0
    case ompt_sync_region_barrier_explicit:
    case ompt_sync_region_barrier_implementation:
    case ompt_sync_region_barrier_implicit_workshare:
    case ompt_sync_region_barrier_teams:
      if (begin) return barrier_begins(task);
      if (!joins(kind, parallel)) barrier_ends(task);
      return;
    case ompt_sync_region_barrier_implicit_parallel:
      return join_begins(task);
    case ompt_sync_region_taskwait:
      return at_taskwait(begin, task);
    case ompt_sync_region_taskgroup:
      return at_taskgroup(begin, task);
    default:  // a reduction is part of a barrier
      return;
  }
}

// A taskgroup's body lies between the begin of its region and the begin of its
// wait.  All other sync regions are only waits.
void on_sync_region_wait(ompt_sync_region_t kind,
                         ompt_scope_endpoint_t endpoint, ompt_data_t*,
                         ompt_data_t* task, const void*) {
  const Handover of_task(task);
  if (kind != ompt_sync_region_taskgroup || task == nullptr) return;
  Event event;
  if (!event) return;
  if (endpoint == ompt_scope_begin) {
    taskgroup_wait_begin(event.thread(), current_task(event, task),
                         event.now_ns());
  } else if (endpoint == ompt_scope_end) {
    taskgroup_wait_end(event.thread(), current_task(event, task),
                       event.now_ns());
  }
}

}  // namespace

std::vector<Registration> team_callbacks() {
  return {
      callback<ompt_callback_thread_begin_t>(ompt_callback_thread_begin,
                                             on_thread_begin, "thread_begin"),
      callback<ompt_callback_thread_end_t>(ompt_callback_thread_end,
                                           on_thread_end, "thread_end"),
      callback<ompt_callback_parallel_begin_t>(
          ompt_callback_parallel_begin, on_parallel_begin, "parallel_begin"),
      callback<ompt_callback_parallel_end_t>(ompt_callback_parallel_end,
                                             on_parallel_end, "parallel_end"),
      callback<ompt_callback_implicit_task_t>(
          ompt_callback_implicit_task, on_implicit_task, "implicit_task"),
      callback<ompt_callback_sync_region_t>(ompt_callback_sync_region,
                                            on_sync_region, "sync_region"),
  };
}

Registration group_wait_callback() {
  return callback<ompt_callback_sync_region_t>(
      ompt_callback_sync_region_wait, on_sync_region_wait, "sync_region_wait");
}

}  // namespace poprt::ompt
