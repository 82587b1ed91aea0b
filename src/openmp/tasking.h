// What OpenMP events mean for a thread's state and clocks: teams, tasks,
// barriers and task groups (docs/edges.md).
//
// Nothing here depends on OMPT: the ompt layer maps callbacks to these
// functions and keeps the pointers, and a test may call them with any times.
// Each function is an event of `thread` at `now_ns` and leaves the thread in
// the state that follows.
#ifndef POPRT_OPENMP_TASKING_H_
#define POPRT_OPENMP_TASKING_H_

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/pool.h"
#include "clocks/barrier_clock.h"
#include "clocks/sync_clock.h"
#include "measure/region_times.h"
#include "measure/samples.h"
#include "measure/site_table.h"
#include "measure/thread.h"
#include "measure/turns.h"
#include "measure/untimed_calls.h"
#include "openmp/constructs.h"
#include "openmp/dependences.h"
#include "openmp/interval.h"
#include "openmp/last_one.h"
#include "openmp/locks.h"

namespace poprt {

class ConstructSites;

// One instance of a parallel region.
struct Team {
  // The members up to `fork` are what a worker needs to begin: two cache lines
  // if at most two regions of the process run.  All but open_ns are constant,
  // because a worker may begin after the primary thread has finished its part.
  static constexpr size_t kToBegin = 128;
  Team* root = nullptr;  // outermost region around this one, or itself
  int64_t begin_ns = 0;
  uint32_t instance = 0;  // tells uses of this object apart
  int construct = 0;      // number of its construct
  // helpers: the members are the runtime's own threads, which execute `target
  // nowait` on other cores than the program's threads.  of_helpers: the same,
  // or such a thread has begun the team.
  bool helpers = false;
  bool of_helpers = false;
  // Of kernel_team() only.
  bool of_kernels = false;
  // For a root: the process's primary thread has begun it.
  bool on_line = false;
  // For a root: intervals in which nothing rare happens may be booked in the
  // quick ways (interval.cc), which do not tell threads apart.
  bool quick = false;
  // When the primary thread began its part.  The time from then until another
  // thread begins is a loss of that thread (not started).  kNotOpen: not yet.
  static constexpr int64_t kNotOpen = INT64_MAX;
  std::atomic<int64_t> open_ns{kNotOpen};
  SyncClock fork;

  uint32_t begin_epoch = 0;
  // The state to which the encountering thread returns.
  State before = State::kUseful;
  // Which of `barrier` is the join barrier, or -1 if the region was serialised.
  int join = -1;
  // For a root: the largest useful and MPI time of a thread in nested or
  // serialised teams of this instance.
  std::atomic<int64_t> busy_max_ns{0};
  // For a root: the time of threads in inner teams, without those that began
  // these teams; and its value when the present interval began.
  std::atomic<int64_t> inner_ns{0};
  int64_t inner_base_ns = 0;
  Task* encountering = nullptr;
  // The encountering thread's OmpThread::begun before this region.
  Team* begun_before = nullptr;
  // The primary thread's interval, which lasts until the region ends.
  Interval own;
  // Read by all members, so on another cache line than what the primary thread
  // writes.
  alignas(64) Arrivals arrivals;
  // Used in turn.  While a thread leaves a barrier, another thread may reach
  // the next barrier, but none the one after that.
  BarrierClock barrier[2];

  // Only where constructs are told apart (construct_sites.h).
  struct {
    std::atomic<const void*> code{nullptr};
    std::atomic<uint64_t> path_key{kPathOpenMp};  // of `parallel`
    LastOne last[2];                              // of the barriers
    // Workers that have left, linked by next_joining_.
    std::atomic<ConstructSites*> joining{nullptr};
  } sited;
};

// A call of the runtime that the task is in, and that went through an entry of
// this library (ompt/runtime_calls.cc).
struct RuntimeCall {
  // Return address in the program.  Null: the task is in no such call.
  const void* caller = nullptr;
  bool queues = false;            // the call queues a task
  bool creates = false;           // the call begins with the creation of a task
  bool looks = false;             // the call looks for another task
  State before = State::kUseful;  // the state to which the task returns
};

// The doacross loop that a thread has begun last in its implicit task.
struct DoacrossLoop {
  // The same for all threads of the team.  0: the task has no team.
  uint64_t name = 0;
  uint32_t depth = 0;  // how many indices an iteration has; 0: no loop yet
};

struct TaskGroup {
  // The thread that waits for the group.  Read by threads that complete tasks
  // of the group.
  std::atomic<const Thread*> home{nullptr};
  TaskGroup* outer = nullptr;
  SyncClock done;  // raised by the tasks of the group
  LastOne last;    // of these; only where constructs are told apart
};

// An initial, implicit or explicit task.
//
// Most explicit tasks are created by one thread and executed by another one.
// Between these move only two cache lines, which end with the clocks of two
// regions in `resume`.  Most tasks use nothing behind these.
struct alignas(64) Task {
  static constexpr size_t kToStart = 128;

  Team* team = nullptr;  // null: outside all parallel regions
  Task* parent = nullptr;
  TaskGroup* group = nullptr;
  // Until the task starts, the thread that created it.  Then the only thread
  // that executes the task, or null if the task is untied.
  const Thread* home = nullptr;
  uint16_t construct = 0;  // number of its construct
  // How many barriers an implicit task has left.  For an explicit task: how
  // many its creator had left; the next barrier waits for this task.  The
  // number may overflow, because only odd or even matters.
  uint8_t barriers = 0;
  // Used only by the thread that creates the task, then by the executing one.
  bool started : 1 = false;
  bool untied : 1 = false;
  bool implicit : 1 = false;
  // The implicit task of the thread that encountered the region.
  bool primary : 1 = false;
  bool in_barrier : 1 = false;  // an implicit task that waits in a barrier
  bool ended : 1 = false;       // `created` does not change any more
  bool waits : 1 = false;       // waits in a barrier, taskwait or taskgroup
  bool in_single : 1 = false;   // in `single` or `masked`; implicit tasks only
  State suspended = State::kUseful;  // the state in which it was suspended
  // The state to which a barrier, taskwait or taskgroup returns.
  State before = State::kUseful;
  SyncClock resume;  // clocks to merge when the task starts or resumes

  // Only if the task or its children have depend clauses.
  TaskEdges* edges = nullptr;
  DependenceTable* dependences = nullptr;
  // The clocks of the thread that fulfilled the task's event while the task
  // ran, or null.
  std::atomic<SyncClock*> fulfilled{nullptr};
  // How many children were created, less those that ended on the task's thread.
  int64_t created = 0;
  RuntimeCall call;  // while the task is suspended
  // Implicit task: OmpThread::loops and OmpThread::doacross before the task.
  uint64_t loops = 0;
  DoacrossLoop doacross;

  // Untied task: the thread that started or resumed the task last, and when.
  Thread* runner = nullptr;
  int64_t resumed_ns = 0;

  // The number of children that were created, less those that have finished,
  // plus kUnfinished until the task itself has finished.  At 0 the object can
  // be recycled.  Written by threads that finish children of the task, and not
  // by the thread that creates these.
  static constexpr int64_t kUnfinished = int64_t{1} << 62;
  alignas(64) std::atomic<int64_t> references{kUnfinished};
  SyncClock children;  // clocks that a taskwait merges
  LastOne last;        // of the children; only where constructs are told apart
  // Of an implicit task that has a team and is not its primary thread's.
  Interval interval;
};

inline Interval& interval_of(Task& task) {
  return task.primary ? task.team->own : task.interval;
}

// What each thread needs for OpenMP.
struct OmpThread : LayerState {
  Pool<Task>::Local tasks;
  Pool<Team>::Local teams;
  Pool<TaskGroup>::Local groups;
  ClockPool::Local clocks;
  Pool<TaskEdges>::Local edges;
  Pool<DependenceTable>::Local tables;
  // Each `taskwait depend` that the thread is in; they may nest.
  struct TaskwaitDepend {
    Task* task;
    TaskEdges* edges;
    State before;
  };
  std::vector<TaskwaitDepend> taskwaits;
  std::vector<Dependence> named;  // kept to reuse its memory
  UntimedCalls allocations;       // of tasks, by the runtime
  bool all_memory = false;        // see announce_all_memory()
  DoacrossLoop doacross;
  // The name of the last iteration whose clocks the thread has left.
  uint64_t own_iteration = 0;
  // Chooses the sources (`ordered depend`) that leave clocks although no thread
  // waits for them.
  static constexpr int64_t kLongIterationNs = 20'000;
  Turns sources{kLongIterationNs};
  // How many loops that are handed out in chunks the thread has met in its
  // team, counted in steps of kLoopStep, and odd inside such a loop.  The
  // number names the loop, and its instance, in all threads of the team.
  uint64_t loops = 0;
  // The parallel region instance for which the thread works, and the thread's
  // busy time when it began there.
  const Team* instance_root = nullptr;
  uint32_t instance = 0;
  Cell busy_base_ns;

  // The work since these totals is not in `accounts` yet.  It is of `construct`
  // (-1: none).  Cells, because another thread reads them at the end.
  ConstructAccounts accounts;
  Cell construct;
  Cell useful_base_ns;
  Cell mpi_base_ns;
  Cell accelerator_base_ns;
  // The losses since these values of the accounts `losses` and `lacking` are
  // not in `accounts` yet.  They are of `losses_construct` (-1: none), also
  // after the thread has left the construct, because it has no losses outside
  // of all.
  Cell losses_construct;
  Cell losses_base_ns[kLossSources];
  Cell lacking_base_ns[kLossSources];
  // Running sums (interval.h).  Useful and MPI time is only here if an inner
  // team adds it.
  Amounts did;
  // In the intervals that are not over: waiting in barriers and taskwaits,
  // without the time after the last task there.
  int64_t idle_ns = 0;
  bool in_single = false;
  int64_t single_base_ns = 0;  // useful time when the `single` began
  // Waits of which the sources are not known.
  Cell unassigned_ns;
  // With rows of threads: the time in inner teams that other threads have begun
  // below the primary thread's teams.  Those threads write it, at a join.
  std::atomic<int64_t> inner_ns{0};
  int64_t inner_base_ns = 0;  // what is booked; used by the primary thread
  // The runtime did not tell the end of a `single`.
  std::atomic<bool> endless_single{false};
  // The regions at the begin of an interval, on a thread that begins teams.
  std::unique_ptr<RegionTimes> region_times;
  // On the primary thread: which regions were open when parallel regions began.
  std::unique_ptr<RegionSets> regions;
  // The thread's useful time when it turned to its current task.
  int64_t task_base_ns = 0;
  RuntimeCall call;  // of the current task
  // A worker's implicit task in its join barrier, and whether the runtime has
  // told the task's end (implicit_task_over()).
  Task* joining = nullptr;
  bool joining_is_over = false;
  // A league that has begun, until its initial task begins.
  Team* league = nullptr;
  // The innermost parallel region that the thread has begun and not ended.
  Team* begun = nullptr;
  // For the primary thread: when the root began that it has begun and is in, or
  // -1.  Read by another thread at the end.
  Cell own_root_begin_ns;
  bool helper = false;        // one of the runtime's own threads
  LockWait waits;             // for a lock whose events the runtime reports
  LockPolling polled;         // the last failed attempts to take a lock
  bool hands_on = false;      // the thread is leaving clocks at a lock
  Cell locks;                 // how many locks the thread has released
  int64_t settled_locks = 0;  // for how many of these the time is booked
  Samples lock_searches;      // how long it took to find a few of these
  Samples lock_stamps;        // the part of lock_searches for time stamps
  bool polls = false;         // the last attempt to take a lock has failed
  // Null if constructs are not told apart.  Lives as long as the process.
  std::atomic<ConstructSites*> sites{nullptr};

  // Accounts (Thread::keep_account()) by LossSource, for teams that the primary
  // thread has begun.  In other teams own_loss() is no account.
  int losses[kLossSources];
  // False: the thread works for an instance that another thread than the
  // primary one has begun.
  bool on_line = true;
  int own_loss(LossSource source) const {
    return on_line ? losses[source] : kMaxAccounts;
  }
  int lacking[kLossSources];
  int waiting = kNoAccount;
  // For useful time in teams that the primary thread has not begun: the
  // account, and the thread's useful time that is in it or was before such a
  // team.
  int other_teams = kNoAccount;
  int64_t told_useful_ns = 0;

  explicit OmpThread(Thread& thread) {
    construct.set(-1);
    losses_construct.set(-1);
    own_root_begin_ns.set(-1);
    begin(thread);
  }
  void begin(Thread& thread);
  // The thread ends, and another one may take its core.
  void end(Thread& thread);
};

// Null: the thread has had no OpenMP event.
inline OmpThread* omp_thread(const Thread& thread) {
  return static_cast<OmpThread*>(thread.layer(EventLayer::kOpenMp));
}

// The initial task of a thread begins, outside of all parallel regions.
Task* initial_task_begin(Thread& thread, int64_t now_ns);
// A task that the thread is in and that the runtime has not reported.  The task
// has no team and no parent.  Not an event.
Task* unheard_task(Thread& thread);

// Parallel regions.  A worker's part ends with its join barrier; later reports
// of the runtime are not events.  `code` is the return address of the
// construct.  `helpers`: the team consists of the runtime's own threads.
// At most `members` threads take part.
Team* parallel_begin(Thread& thread, Task* encountering, int64_t now_ns,
                     const void* code = nullptr, bool helpers = false,
                     uint32_t members = 2);
// The region is a league (`teams`).  The next initial task that begins on this
// thread is the league's first one, whatever the runtime reports.
void league_begin(Thread& thread, Team* league);
// Returns that league once, then null.
Team* take_league(Thread& thread);
// Stands for each team that the code of a kernel begins in this process: no
// event of theirs is one (devices/kernel_threads.h).
Team* kernel_team();
// The place of a thread in its team.  The primary thread's is 0.
struct Membership {
  uint32_t member = 0;
  uint32_t size = 1;  // of the team
};
Task* implicit_task_begin(Thread& thread, Team* team, Membership membership,
                          int64_t now_ns);
// In a team of two.
inline Task* implicit_task_begin(Thread& thread, Team* team, bool primary,
                                 int64_t now_ns) {
  return implicit_task_begin(thread, team, Membership{primary ? 0u : 1u, 2},
                             now_ns);
}
void implicit_task_end(Thread& thread, Task* task, int64_t now_ns);
// The same for a task that has come to its join barrier: not an event.  A
// worker's task is kept until the worker begins its next task or ends.  LLVM 19
// may tell the end when the barrier has no more tasks, while the primary thread
// still reads how long the worker has waited there.
void implicit_task_over(Thread& thread, Task* task);
// Ends the task that is kept so.
void settle_joining(Thread& thread, OmpThread& omp);
inline bool has_joined(const Task& task) {
  return !task.primary || task.in_barrier;
}
// The region that ends now is the last one that the thread has begun.  Null:
// the region began before measurement.
inline Team* ending_team(const Thread& thread) {
  const OmpThread* const omp = omp_thread(thread);
  return omp == nullptr ? nullptr : omp->begun;
}
void parallel_end(Thread& thread, Team* team, int64_t now_ns);
// The task begins its join barrier: as barrier_begin(), but the primary thread
// leaves no clocks, because the region ends on this thread.  The runtime clears
// a worker's data word then, so the worker remembers the task until its end.
void join_begin(Thread& thread, Task* task, int64_t now_ns);
// The remembered task, or null.
Task* joining_task(const Thread& thread);

// A barrier of the team.  barrier_end() must not be called for the join
// barrier.
void barrier_begin(Thread& thread, Task* task, int64_t now_ns);
void barrier_end(Thread& thread, Task* task, int64_t now_ns);

// The task begins or ends the body of a `single` or `masked`.
void single_begin(Thread& thread, Task* task, int64_t now_ns);
void single_end(Thread& thread, Task* task, int64_t now_ns);

// Explicit tasks.
Task* task_create(Thread& thread, Task* parent, bool untied, int64_t now_ns,
                  const void* code = nullptr);
// `thread` turns from `prior`, which is finished or suspended, to `next`.  If
// `prior` is finished without having started, it was discarded: the thread was
// in `next` before, and stays there.
void task_switch(Thread& thread, Task* prior, bool finished, Task* next,
                 int64_t now_ns);
// The body of `prior` has ended, but the task is not complete because its event
// is not fulfilled yet.
void task_detach(Thread& thread, Task* prior, Task* next, int64_t now_ns);
// The event of a task is fulfilled: while the task runs (`late` is false), or
// after task_detach(), and then the task is complete.  Any thread may do this.
void task_fulfil(Thread& thread, Task* task, bool late, int64_t now_ns);
// An empty list that belongs to the thread, so that none is allocated each
// time.
std::vector<Dependence>& no_dependences(Thread& thread);
// The depend clauses of the task that was created at the last event.
void task_dependences(Thread& thread, Task* task,
                      const std::vector<Dependence>& dependences);
// `taskwait depend`.  taskwait_dependences() is for the innermost one.
void taskwait_depend_begin(Thread& thread, Task* task, int64_t now_ns);
void taskwait_dependences(Thread& thread,
                          const std::vector<Dependence>& dependences);
// Whether the clauses of the thread's next `taskwait depend` name
// omp_all_memory, which the runtime does not report.
void announce_all_memory(Thread& thread, bool all_memory);
void taskwait_depend_end(Thread& thread, int64_t now_ns);
void taskwait_begin(Thread& thread, Task* task, int64_t now_ns);
void taskwait_end(Thread& thread, Task* task, int64_t now_ns);
void taskgroup_begin(Thread& thread, Task* task, int64_t now_ns);
void taskgroup_wait_begin(Thread& thread, Task* task, int64_t now_ns);
void taskgroup_wait_end(Thread& thread, Task* task, int64_t now_ns);
void taskgroup_end(Thread& thread, Task* task, int64_t now_ns);

}  // namespace poprt

#endif  // POPRT_OPENMP_TASKING_H_
