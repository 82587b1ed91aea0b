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

// A task with all members as newly constructed, except that it has one
// reference.
Task* new_task(Thread& thread);
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

// The thread's useful and MPI time in the instance that it works for.
inline int64_t busy_in_instance_ns(Thread& thread) {
  return thread.busy_ns() - omp_of(thread).busy_base_ns;
}

// The thread reaches the barrier of its own task `task`.
inline void reach_barrier(Thread& thread, Task* task) {
  thread.raise_to(barrier_of(task), task->team->instance,
                  busy_in_instance_ns(thread));
}

}  // namespace poprt

#endif  // POPRT_OPENMP_TASKING_OBJECTS_H_
