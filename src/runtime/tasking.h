// What OpenMP's events mean for a thread's state and clocks: teams, tasks,
// barriers and task groups (openmp-edges.md).
//
// Nothing here knows OMPT: the ompt layer maps callbacks to these functions
// and keeps the pointers; a test may call them with any time it likes.  Each
// function is an event of `thread` at `now_ns`, and leaves the thread in the
// state that follows.
#ifndef POPRT_RUNTIME_TASKING_H_
#define POPRT_RUNTIME_TASKING_H_

#include <atomic>
#include <cstdint>

#include "runtime/barrier_clock.h"
#include "runtime/constructs.h"
#include "runtime/dependences.h"
#include "runtime/pool.h"
#include "runtime/samples.h"
#include "runtime/sync_clock.h"
#include "runtime/thread.h"

namespace poprt {

struct Lock;

// One instance of a parallel region.
struct Team {
  // Constant while the region runs: a worker may begin after the primary
  // thread has finished its part.
  Team* root = nullptr;  // outermost region around this one, or itself
  int64_t begin_ns = 0;
  uint32_t begin_epoch = 0;
  uint32_t instance = 0;  // tells uses of this object apart
  int construct = 0;      // number of its place in the code
  // Threads that the runtime keeps for itself, and teams that these begin: what
  // they do is not on the cores of the program's threads.
  bool helpers = false;
  bool of_helpers = false;
  // Of a root: begun by the primary thread, whose line is the process's.
  bool on_line = false;
  SyncClock fork;

  // The barrier that joins the team, or -1: the region was serialised.
  int join = -1;
  // Of a root: the most useful and MPI time of one thread in the instance, as
  // far as it is known; the threads bring it to each barrier.
  std::atomic<int64_t> busy_max_ns{0};
  // Two barriers in turn: while a thread leaves one, another may reach the
  // next, but none can reach the one after.
  BarrierClock barrier[2];
};

// A call of the runtime that a task is in and that this library has made for it
// (ompt/runtime_calls.cc).
struct RuntimeCall {
  const void* caller = nullptr;  // where; null: in none
  bool queues = false;           // it hands a task over
};

struct TaskGroup {
  // Of the task that waits.  Read by who completes a task of the group.
  std::atomic<const Thread*> home{nullptr};
  TaskGroup* outer = nullptr;
  SyncClock done;  // by the tasks of the group
};

// An initial, implicit or explicit task.
struct Task {
  Team* team = nullptr;  // null: outside all parallel regions
  Task* parent = nullptr;
  TaskGroup* group = nullptr;
  // The only thread that executes it, or null: it is untied or has not started.
  const Thread* home = nullptr;
  const Thread* creator = nullptr;
  SyncClock resume;  // what its next stretch comes after
  // By who fulfilled its event while it ran, or null.
  std::atomic<SyncClock*> fulfilled{nullptr};
  // Where it or its children have depend clauses.
  TaskEdges* edges = nullptr;
  DependenceTable* dependences = nullptr;
  int created = 0;                   // children
  State suspended = State::kUseful;  // to go on with
  int construct = 0;                 // number of its place in the code
  RuntimeCall call;                  // while it is suspended
  bool started = false;
  bool untied = false;
  bool implicit = false;
  bool primary = false;     // implicit task of the encountering thread
  bool in_barrier = false;  // implicit task, waiting
  // Implicit task: how many it has left.  Explicit: how many its creator had,
  // so that the next one waits for it.
  int barriers = 0;
  // Implicit task: how many doacross loops it has begun, and what the thread
  // had pending when it came to this task.
  int doacross_loops = 0;
  int doacross_pending = 0;

  // What the threads that finish its children write, and not the one that
  // creates them: created - finished, and kUnfinished while the task itself is
  // not finished.  At 0 nobody knows it any more.
  static constexpr int kUnfinished = 1 << 30;
  alignas(64) std::atomic<int> references{0};
  SyncClock children;  // what a taskwait comes after
};

// What OpenMP hangs on a thread.
struct OmpThread {
  Pool<Task>::Local tasks;
  Pool<Team>::Local teams;
  Pool<TaskGroup>::Local groups;
  ClockPool::Local clocks;
  Pool<TaskEdges>::Local edges;
  Pool<DependenceTable>::Local tables;
  // Of each `taskwait depend` that the thread is in, inside one another.
  struct TaskwaitDepend {
    Task* task;
    TaskEdges* edges;
  };
  std::vector<TaskwaitDepend> taskwaits;
  std::vector<Dependence> named;  // kept for its memory
  bool all_memory = false;        // as announced
  // Doacross loops begun of which no iteration has been heard yet.
  int doacross_pending = 0;
  // The instance that the thread works for; busy_base_ns was taken when it
  // came to it.
  const Team* instance_root = nullptr;
  uint32_t instance = 0;
  int64_t busy_base_ns = 0;

  // What is not in `accounts` yet: the work since these totals, for that
  // instance's construct (-1: for none).  Cells, for who reports.
  ConstructAccounts accounts;
  Cell construct;
  Cell useful_base_ns;
  Cell mpi_base_ns;
  // The thread's useful time when it turned to the task it is in.
  int64_t task_base_ns = 0;
  RuntimeCall call;         // of the task that the thread is in
  Task* joining = nullptr;  // implicit task of a worker in its join barrier
  Team* league = nullptr;   // begun, and its initial task is not yet
  // When the root began that the thread is in and has begun itself, or -1; only
  // on the process's line.  For who reports.
  Cell own_root_begin_ns;
  bool helper = false;        // of the runtime's own
  Lock* lock = nullptr;       // used last; perhaps no more (its name says so)
  Cell locks;                 // how many it has left
  int64_t settled_locks = 0;  // of these, whose time is booked
  Samples lock_searches;      // of a few, what it took to find them
  Samples lock_stamps;        // and what of that the stamps took
  bool polls = false;         // its last attempt to take a lock has failed

  OmpThread() {
    construct.set(-1);
    own_root_begin_ns.set(-1);
  }
};

// The task of a thread that no parallel region made.
Task* initial_task_begin(Thread& thread, int64_t now_ns);
// A task that `thread` is in, of which nothing was heard before: it is of no
// team and has no parent.  Not an event.
Task* unheard_task(Thread& thread);

// Parallel regions.  A worker's part ends with its join barrier: what the
// runtime reports of it later is not an event.
// `code` is the return address of the construct; `helpers`: of threads that the
// runtime keeps for itself.
Team* parallel_begin(Thread& thread, Task* encountering, int64_t now_ns,
                     const void* code = nullptr, bool helpers = false);
// The region is a league (`teams`): the next initial task that begins on this
// thread is its first one, whatever else the runtime says of it.
void league_begin(Thread& thread, Team* league);
// That league, once; null where there is none.
Team* take_league(Thread& thread);
// `primary`: on the thread that encountered the region.
Task* implicit_task_begin(Thread& thread, Team* team, bool primary,
                          int64_t now_ns);
void implicit_task_end(Thread& thread, Task* task, int64_t now_ns);
void parallel_end(Thread& thread, Team* team, int64_t now_ns);
// A worker has begun its join barrier: whoever raises events forgets the task,
// the thread remembers it until the task ends.
void join_begin(Thread& thread, Task* task);
// That task, or null.
Task* joining_task(Thread& thread);

// A barrier of the team; the end is not to be reported for the join barrier.
void barrier_begin(Thread& thread, Task* task, int64_t now_ns);
void barrier_end(Thread& thread, Task* task, int64_t now_ns);

// Explicit tasks.
Task* task_create(Thread& thread, Task* parent, bool untied, int64_t now_ns,
                  const void* code = nullptr);
// `thread` turns from `prior`, which is finished or only suspended, to `next`.
// A task that is finished without a start was discarded: the thread was, and
// stays, in `next`.
void task_switch(Thread& thread, Task* prior, bool finished, Task* next,
                 int64_t now_ns);
// The task's body is over, but not the task: its event is not fulfilled yet.
void task_detach(Thread& thread, Task* prior, Task* next, int64_t now_ns);
// The event of a task is fulfilled: while it runs (`late` is false), or after
// task_detach(), which completes it.  Any thread may do it.
void task_fulfil(Thread& thread, Task* task, bool late, int64_t now_ns);
// An empty list of the thread's own, which it need not allocate each time.
std::vector<Dependence>& no_dependences(Thread& thread);
// The depend clauses of a task that was just created, at the last event.
void task_dependences(Thread& thread, Task* task,
                      const std::vector<Dependence>& dependences);
// `taskwait depend`, and its clauses: those of the innermost one.
void taskwait_depend_begin(Thread& thread, Task* task, int64_t now_ns);
void taskwait_dependences(Thread& thread,
                          const std::vector<Dependence>& dependences);
// The clauses of the thread's next `taskwait depend` do (not) name
// omp_all_memory, which its event does not tell.
void announce_all_memory(Thread& thread, bool all_memory);
void taskwait_depend_end(Thread& thread, int64_t now_ns);
void taskwait_begin(Thread& thread, Task* task, int64_t now_ns);
void taskwait_end(Thread& thread, Task* task, int64_t now_ns);
void taskgroup_begin(Thread& thread, Task* task, int64_t now_ns);
void taskgroup_wait_begin(Thread& thread, Task* task, int64_t now_ns);
void taskgroup_wait_end(Thread& thread, Task* task, int64_t now_ns);
void taskgroup_end(Thread& thread, Task* task, int64_t now_ns);

}  // namespace poprt

#endif  // POPRT_RUNTIME_TASKING_H_
