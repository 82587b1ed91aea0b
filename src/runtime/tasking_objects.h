// What teams (tasking.cc) and explicit tasks (tasks.cc) have in common.
#ifndef POPRT_RUNTIME_TASKING_OBJECTS_H_
#define POPRT_RUNTIME_TASKING_OBJECTS_H_

#include "runtime/tasking.h"

namespace poprt {

// Shared by all threads; never destroyed, because workers outlive main().
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
  OmpThread* const omp = thread.omp.load(std::memory_order_relaxed);
  return omp != nullptr ? *omp : new_omp(thread);
}

// All members as after its construction, but for one reference.
Task* new_task(Thread& thread);
// The task is finished: its object and its parents' go back when nobody knows
// them any more.
void release(Thread& thread, Task* task);
void release(Thread& thread, TaskEdges* edges);

inline BarrierClock& barrier_of(Task* task) {
  return task->team->barrier[task->barriers & 1];
}

// The thread's work since the last time goes to the account of the instance
// that it is in, if it is in one.
void settle_account(Thread& thread);

// The thread's useful and MPI time in the instance that it works for.
inline int64_t busy_in_instance_ns(Thread& thread) {
  return thread.busy_ns() - omp_of(thread).busy_base_ns;
}

// The thread comes to the barrier that `task`, its own, is in.
inline void reach_barrier(Thread& thread, Task* task) {
  thread.raise_to(barrier_of(task), task->team->instance,
                  busy_in_instance_ns(thread));
}

}  // namespace poprt

#endif  // POPRT_RUNTIME_TASKING_OBJECTS_H_
