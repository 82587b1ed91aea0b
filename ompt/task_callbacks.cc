#include <cstring>

#include "base/mix.h"
#include "ompt/callbacks.h"
#include "ompt/event.h"
#include "ompt/handover.h"
#include "openmp/doacross.h"
#include "openmp/tasking.h"

namespace poprt::ompt {
namespace {

// The address in the program from which it called the runtime.  If the call
// came through an entry of this library (runtime_calls.cc), the runtime reports
// an address in this library, or for a taskloop one of its own.
const void* place_of(const Thread& thread, const void* code) {
  const OmpThread* const omp = omp_thread(thread);
  const bool in_call = omp != nullptr && omp->call.caller != nullptr;
  return in_call ? omp->call.caller : code;
}

// Whether the thread has just begun a call that creates a task.
bool creates_task(const Thread& thread) {
  const OmpThread* const omp = omp_thread(thread);
  return omp != nullptr && omp->call.creates && thread.state() == State::kOmp;
}

// An undeferred task comes without a call in which its allocation would be
// booked.
void book_allocation(const Event& event) {
  Thread& thread = event.thread();
  OmpThread* const omp = omp_thread(thread);
  const int64_t ns =
      omp == nullptr ? 0 : omp->allocations.settle(thread.last_event_ns());
  if (ns == 0) return;
  thread.book(event.now_ns() - ns);
  thread.book_own_work(event.now_ns());
}

void on_task_create(ompt_data_t* encountering, const ompt_frame_t*,
                    ompt_data_t* created, int flags, int, const void* code) {
  const Handover of_parent(encountering), of_child(created);
  Event event(creates_task);
  if (!event || created == nullptr) return;
  book_allocation(event);
  Task* const parent =
      encountering == nullptr ? nullptr : current_task(event, encountering);
  if ((flags & ompt_task_taskwait) != 0) {
    // The runtime announces `taskwait depend` as a task that is never
    // scheduled, and ends it with ompt_taskwait_complete.  Its data word must
    // stay null in LLVM 19: tasks that run meanwhile may reach the same
    // construct.
    if (parent != nullptr) {
      taskwait_depend_begin(event.thread(), parent, event.now_ns());
    }
    return;
  }
  // Initial and implicit tasks have events of their own.
  if ((flags & (ompt_task_initial | ompt_task_implicit)) != 0) return;
  created->ptr =
      task_create(event.thread(), parent, (flags & ompt_task_untied) != 0,
                  event.now_ns(), place_of(event.thread(), code));
  event.book_own_work();
}

//   prior status           the first task      the second task
//   early_fulfill          goes on             -
//   late_fulfill           is finished         -
//   taskwait_complete      -                   -
//   complete, cancel       is finished         starts or goes on
//   detach                 body is over        starts or goes on
//   yield, switch          is suspended        starts or goes on
void on_task_schedule(ompt_data_t* first, ompt_task_status_t prior,
                      ompt_data_t* second) {
  const Handover of_first(first), of_second(second);
  if (prior == ompt_task_early_fulfill || prior == ompt_task_late_fulfill) {
    // Any thread may fulfil an event, even one that OpenMP does not know.
    Event event(ThreadKind::kForeign);
    Task* const task = known_task(first);
    if (!event || task == nullptr) return;
    const bool late = prior == ompt_task_late_fulfill;
    if (late) first->ptr = nullptr;
    return task_fulfil(event.thread(), task, late, event.now_ns());
  }
  Event event;
  if (!event) return;
  if (prior == ompt_taskwait_complete) {
    return taskwait_depend_end(event.thread(), event.now_ns());
  }
  if (first == nullptr || second == nullptr) return;
  Task* const left = current_task(event, first);
  Task* const next = current_task(event, second);
  if (prior == ompt_task_detach) {
    return task_detach(event.thread(), left, next, event.now_ns());
  }
  const bool finished =
      prior == ompt_task_complete || prior == ompt_task_cancel;
  task_switch(event.thread(), left, finished, next, event.now_ns());
  if (finished) first->ptr = nullptr;
}

// The type as a number: a runtime may report types that are not in the
// enumeration of omp-tools.h, and these must not be read as one.
int type_value(const ompt_dependence_t& dependence) {
  int value;
  static_assert(sizeof value == sizeof dependence.dependence_type);
  std::memcpy(&value, &dependence.dependence_type, sizeof value);
  return value;
}

// False for types that are ignored.
bool type_of(const ompt_dependence_t& dependence, DependenceType* type) {
  switch (type_value(dependence)) {
    case ompt_dependence_type_in:
      *type = DependenceType::kIn;
      return true;
    case ompt_dependence_type_out:
    case ompt_dependence_type_inout:
    case ompt_dependence_type_mutexinoutset:
      *type = DependenceType::kOut;
      return true;
    case ompt_dependence_type_inoutset:
      *type = DependenceType::kInoutset;
      return true;
    // Of OpenMP 5.2: in LLVM's header since 17.
    case 34:  // ompt_dependence_type_out_all_memory
    case 35:  // ompt_dependence_type_inout_all_memory
      *type = DependenceType::kAllMemory;
      return true;
    default:
      return false;
  }
}

// Of loops without entries: those of one team are not told apart.
void on_doacross(const Task* task, const ompt_dependence_t* deps, int ndeps) {
  if (!measuring() || t_thread == nullptr || task == nullptr) return;
  Iteration iteration(task->team == nullptr
                          ? 0
                          : mix(reinterpret_cast<uintptr_t>(task->team) +
                                task->team->instance));
  for (int i = 0; i < ndeps; ++i) iteration.add(deps[i].variable.value);
  const bool sink = type_value(deps[0]) == ompt_dependence_type_sink;
  if (sink && !doacross_settle(*t_thread, iteration)) return;
  Event event;
  if (!event) return;
  Thread& thread = event.thread();
  if (sink) {
    doacross_sink(thread, iteration, thread.state(), event.now_ns());
  } else {
    doacross_source(thread, iteration, event.now_ns());
  }
  event.book_own_work();
}

void on_dependences(ompt_data_t* task, const ompt_dependence_t* deps,
                    int ndeps) {
  if (task == nullptr || deps == nullptr || ndeps <= 0) return;
  if (type_value(deps[0]) == ompt_dependence_type_source ||
      type_value(deps[0]) == ompt_dependence_type_sink) {
    if (!doacross_has_entries()) on_doacross(known_task(task), deps, ndeps);
    return;
  }
  const Handover of_task(task);
  Event event(creates_task);
  if (!event) return;
  event.thread().book(event.now_ns());
  std::vector<Dependence>& named = no_dependences(event.thread());
  for (int i = 0; i < ndeps; ++i) {
    DependenceType type;
    if (type_of(deps[i], &type))
      named.push_back({type, deps[i].variable.value});
  }
  if (task->ptr == nullptr) {
    taskwait_dependences(event.thread(), named);
  } else {
    task_dependences(event.thread(), known_task(task), named);
  }
  event.book_own_work();
}

}  // namespace

std::vector<Registration> task_callbacks() {
  return {
      callback<ompt_callback_task_create_t>(ompt_callback_task_create,
                                            on_task_create, "task_create"),
      callback<ompt_callback_task_schedule_t>(
          ompt_callback_task_schedule, on_task_schedule, "task_schedule"),
      callback<ompt_callback_dependences_t>(ompt_callback_dependences,
                                            on_dependences, "dependences"),
  };
}

}  // namespace poprt::ompt
