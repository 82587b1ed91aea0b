// Shared by teams (tasking.cc) and explicit tasks (tasks.cc).
#ifndef POPRT_OPENMP_TASKING_OBJECTS_H_
#define POPRT_OPENMP_TASKING_OBJECTS_H_

#include "openmp/tasking.h"

namespace poprt {

// Used by all threads.  Never destroyed, because workers outlive main().
struct Pools {
  Pool<Task> tasks;
  Pool<Team> teams;
  Pool<TaskGroup> groups;
  ClockPool clocks;
  Pool<TaskEdges> edges;
  Pool<DependenceTable> tables;
};
Pools& pools();

OmpThread& new_omp(Thread& thread);
inline OmpThread& omp_of(Thread& thread) {
  OmpThread* const omp = omp_thread(thread);
  return omp != nullptr ? *omp : new_omp(thread);
}

// A task with all members as newly constructed, except `home`, and those that
// are set before they are used.  The other one is implicit and has started.
Task* new_task(Thread& thread);
Task* new_implicit_task(Thread& thread);
// The task is finished.  Its object, and those of its ancestors, are recycled
// when there is no reference to them any more.
void release(Thread& thread, Task* task);
void release(Thread& thread, TaskEdges* edges);

inline BarrierClock& barrier_of(Task* task) {
  return task->team->barrier[task->barriers & 1];
}

// Books the thread's work since the last call in the account of the parallel
// region instance that it works for, if there is one.
void settle_account(Thread& thread);
// The thread's losses are those of this construct from now on, which is not the
// one of which they were.
void settle_losses(const Thread& thread, OmpThread& omp, int construct);

// What the thread brings to a barrier, or to the end of its part, of the
// instance that it works for.
inline Arrival arrival_of(Thread& thread, int64_t came_ns) {
  const OmpThread& omp = omp_of(thread);
  const int64_t busy = thread.busy_ns() - omp.busy_base_ns.get();
  return {busy, came_ns};
}

// As thread.switch_to(), where a wait for a lock or a dependence ends that
// began at the last event. Outside of parallel regions all threads wait, which
// is scheduling.
[[gnu::always_inline]] inline void serialised_wait_over(Thread& thread,
                                                        State next,
                                                        int64_t now_ns) {
  if (!thread.in_parallel()) return thread.switch_to(next, now_ns);
  OmpThread& omp = omp_of(thread);
  omp.did.ns[kDoingSerialised] +=
      thread.switch_to(next, now_ns, omp.own_loss(kSourceSerialised));
}

// In which state a construct begins, and to which it returns.  A thread that
// OpenMP has not met counts as idle outside of MPI (ThreadKind), but whoever
// comes to a construct was in useful code.
inline State state_at_begin(const Thread& thread) {
  return thread.state() == kIdle && omp_thread(thread) == nullptr
             ? State::kUseful
             : thread.state();
}

// The body of a `single` or `masked` ends, or is interrupted, at the thread's
// last event; and goes on in `task`, if it was in one.
inline void single_over(const Thread& thread, OmpThread& omp) {
  if (!omp.in_single) return;
  omp.in_single = false;
  omp.did.ns[kDoingSingle] += thread.useful_ns() - omp.single_base_ns;
}
inline void single_again(const Thread& thread, OmpThread& omp,
                         const Task* task) {
  if (task == nullptr || !task->in_single) return;
  omp.in_single = true;
  omp.single_base_ns = thread.useful_ns();
}

// The thread reaches the barrier of its own task `task`.
inline void reach_barrier(Thread& thread, Task* task) {
  Arrival arrival = arrival_of(thread, thread.last_event_ns());
  interval_come(thread, omp_of(thread), *task, &arrival);
  thread.raise_to(barrier_of(task), task->team->instance, arrival);
}

}  // namespace poprt

#endif  // POPRT_OPENMP_TASKING_OBJECTS_H_
