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
  // Constant while the region runs, because a worker may begin after the
  // primary thread has finished its part.
  //
  // What a worker needs to begin: two cache lines, as long as no more than two
  // regions run.
  static constexpr size_t kToBegin = 128;
  Team* root = nullptr;  // outermost region around this one, or itself
  int64_t begin_ns = 0;
  uint32_t instance = 0;  // tells uses of this object apart
  int construct = 0;      // number of its construct
  // helpers: the runtime's own threads, which execute `target nowait`.
  // of_helpers: also teams that such threads begin.  They do not run on the
  // cores of the program's threads.
  bool helpers = false;
  bool of_helpers = false;
  // For a root: begun by the process's primary thread.
  bool on_line = false;
  // Likewise: where nothing rare happens its intervals are booked in the quick
  // ways (interval.cc).  They do not tell threads apart.
  bool quick = false;
  // When the primary thread began its part: a thread that begins later has not
  // started till then. kNotOpen: it has not begun yet.
  static constexpr int64_t kNotOpen = INT64_MAX;
  std::atomic<int64_t> open_ns{kNotOpen};
  SyncClock fork;

  uint32_t begin_epoch = 0;
  // That of the thread that encountered it, to which it returns.
  State before = State::kUseful;
  // Which of `barrier` is the join barrier, or -1 if the region was serialised.
  int join = -1;
  // For a root: the most useful and MPI time of a thread in nested teams of
  // this instance, and in one that was serialised.
  std::atomic<int64_t> busy_max_ns{0};
  // For a root: the time of threads of inner teams, but of those that began
  // them; and what of that was before the present interval.
  std::atomic<int64_t> inner_ns{0};
  int64_t inner_base_ns = 0;
  Task* encountering = nullptr;
  // What the thread had begun before and not ended (OmpThread::begun).
  Team* begun_before = nullptr;
  // The primary thread's, which lasts until its task is over and the region
  // ends.
  Interval own;
  // Read by all members: apart from what the primary thread writes.
  alignas(64) Arrivals arrivals;
  // Used in turn: while a thread leaves one barrier, another may reach the next
  // one, but none the one after that.
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
  // return address in the program; null if the task is in no such call
  const void* caller = nullptr;
  bool queues = false;            // the call queues a task
  bool creates = false;           // it begins with the creation of a task
  bool looks = false;             // it looks for another task
  State before = State::kUseful;  // the task's, to which it returns
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
// Only two cache lines move between these: up to the clocks of two regions in
// `resume`.  All behind them is as newly constructed in most tasks.
struct alignas(64) Task {
  static constexpr size_t kToStart = 128;

  Team* team = nullptr;  // null: outside all parallel regions
  Task* parent = nullptr;
  TaskGroup* group = nullptr;
  // Until it starts, the thread that creates it.  Then the only thread that
  // executes it, or null if it is untied.
  const Thread* home = nullptr;
  uint16_t construct = 0;  // number of its construct
  // Implicit task: how many barriers it has left.  Explicit task: how many its
  // creator had left, so the next barrier waits for it. Only odd or even
  // counts, so it may begin anew.
  uint8_t barriers = 0;
  // Used by the thread that executes it, or creates it, only.
  bool started : 1 = false;
  bool untied : 1 = false;
  bool implicit : 1 = false;
  // implicit task of the thread that encountered the region
  bool primary : 1 = false;
  bool in_barrier : 1 = false;  // implicit task that waits in a barrier
  // Nothing changes `created` any more.
  bool ended : 1 = false;
  bool waits : 1 = false;  // for others: in a barrier, taskwait or taskgroup
  bool in_single : 1 = false;  // in `single` or `masked`; implicit tasks only
  State suspended = State::kUseful;  // the state in which it was suspended
  // That before its barrier, taskwait or taskgroup, to which it returns.
  State before = State::kUseful;
  SyncClock resume;  // clocks to merge when it starts or resumes

  // Only if the task or its children have depend clauses.
  TaskEdges* edges = nullptr;
  DependenceTable* dependences = nullptr;
  // Clocks of the thread that fulfilled its event while it ran, or null.
  std::atomic<SyncClock*> fulfilled{nullptr};
  // How many children it has, less those that ended on its own thread.
  int64_t created = 0;
  RuntimeCall call;  // while the task is suspended
  // Implicit task: OmpThread::loops and OmpThread::doacross when the thread
  // came to it.
  uint64_t loops = 0;
  DoacrossLoop doacross;

  // Untied: the thread that started or resumed it last, and when.
  Thread* runner = nullptr;
  int64_t resumed_ns = 0;

  // Written by other threads that finish its children, not by the one that
  // creates them: the number of children created minus those finished, plus
  // kUnfinished until the task itself is finished.  At 0 the object can be
  // recycled. A task that lives as long as the program may have any number.
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
  // Which sources of its loop leave clocks though nobody waits for them.
  static constexpr int64_t kLongIterationNs = 20'000;
  Turns sources{kLongIterationNs};
  // In which of its team's loops that are handed out in chunks the thread is,
  // also in which instance: the same number in all threads of the team.  In
  // steps of kLoopStep; odd between the loop's begin and its end.
  uint64_t loops = 0;
  // The parallel region instance for which the thread works, and the thread's
  // busy time when it came to it.
  const Team* instance_root = nullptr;
  uint32_t instance = 0;
  Cell busy_base_ns;

  // What is not in `accounts` yet: the work since these totals, for this
  // construct (-1 for none).  Cells, because others read them at the end.
  ConstructAccounts accounts;
  Cell construct;
  Cell useful_base_ns;
  Cell mpi_base_ns;
  // Of which construct the losses are that are not in `accounts` yet, also when
  // the thread has left it: outside of all constructs it has none.  -1: no
  // construct.  What the accounts `losses` and `lacking` had before them.
  Cell losses_construct;
  Cell losses_base_ns[kLossSources];
  Cell lacking_base_ns[kLossSources];
  // Running sums, see interval.h.  Of useful and MPI time only what an inner
  // team adds.
  Amounts did;
  // Waiting in barriers and taskwaits, but after the last task there, in the
  // intervals that are not over.
  int64_t idle_ns = 0;
  bool in_single = false;
  int64_t single_base_ns = 0;  // useful time when that began
  // Waits of which the sources are not known.
  Cell unassigned_ns;
  // Where threads have rows: the time in inner teams that others have begun,
  // all below the primary thread's teams.  Written by these, at a join.
  std::atomic<int64_t> inner_ns{0};
  int64_t inner_base_ns = 0;  // of that, what an interval has; the primary's
  // A `single` whose end was not told.
  std::atomic<bool> endless_single{false};
  // As it was at the begin of an interval; of the thread that begins teams.
  std::unique_ptr<RegionTimes> region_times;
  // Which regions were open when parallel regions began: on the primary thread,
  // from its first one on.
  std::unique_ptr<RegionSets> regions;
  // The thread's useful time when it turned to its current task.
  int64_t task_base_ns = 0;
  RuntimeCall call;  // of the current task
  // Implicit task of a worker in its join barrier, and whether its end was
  // told; see implicit_task_over().
  Task* joining = nullptr;
  bool joining_is_over = false;
  // a league that was begun, until its initial task begins
  Team* league = nullptr;
  // the innermost parallel region that it has begun and not ended
  Team* begun = nullptr;
  // When the root began that the thread has begun itself and is in, or -1.
  // Only for the primary thread; read by others at the end.
  Cell own_root_begin_ns;
  bool helper = false;        // one of the runtime's own threads
  LockWait waits;             // for a lock whose events the runtime reports
  LockPolling polled;         // the attempts that have failed last
  bool hands_on = false;      // the thread is leaving clocks at a lock
  Cell locks;                 // how many locks it has released
  int64_t settled_locks = 0;  // how many of these have their time booked
  Samples lock_searches;      // how long a few of them took to find
  Samples lock_stamps;        // the part of that for time stamps
  bool polls = false;         // the last attempt to take a lock has failed
  // Null if constructs are not told apart.  Lives as long as the process.
  std::atomic<ConstructSites*> sites{nullptr};

  // Numbers of quantities (Thread::keep_account()), by LossSource.  Only of
  // teams that the primary thread has begun; own_loss() is no quantity in the
  // others.
  int losses[kLossSources];
  // Whether its instance is not that of another than the primary thread.
  bool on_line = true;
  int own_loss(LossSource source) const {
    return on_line ? losses[source] : kMaxAccounts;
  }
  int lacking[kLossSources];
  int waiting = kNoAccount;
  // Of a thread in a team that is not the primary thread's: the useful time
  // that is an amount of this quantity already, and of earlier work.
  int other_teams = kNoAccount;
  int64_t told_useful_ns = 0;

  explicit OmpThread(Thread& thread) {
    construct.set(-1);
    losses_construct.set(-1);
    own_root_begin_ns.set(-1);
    begin(thread);
  }
  // The object is that of this thread.
  void begin(Thread& thread);
  // The thread ends; another one may have its core next.
  void end(Thread& thread);
};

// Null: OpenMP has not met the thread.
inline OmpThread* omp_thread(const Thread& thread) {
  return static_cast<OmpThread*>(thread.layer(EventLayer::kOpenMp));
}

// The initial task of a thread begins: no parallel region has made it.
Task* initial_task_begin(Thread& thread, int64_t now_ns);
// A task that `thread` is in and of which nothing was reported before.  It has
// no team and no parent.  Not an event.
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
// The same for a task that has come to its join barrier: not an event.  Of a
// worker it is kept until the thread begins its next one or ends: LLVM 19 may
// tell the end as soon as there are no more tasks in the barrier, while the
// primary thread reads how long the worker has waited there.
void implicit_task_over(Thread& thread, Task* task);
// What is kept so.
void settle_joining(Thread& thread, OmpThread& omp);
inline bool has_joined(const Task& task) {
  return !task.primary || task.in_barrier;
}
// The region that ends now: the last one that the thread has begun.  Null: its
// begin was before measurement.
inline Team* ending_team(const Thread& thread) {
  const OmpThread* const omp = omp_thread(thread);
  return omp == nullptr ? nullptr : omp->begun;
}
void parallel_end(Thread& thread, Team* team, int64_t now_ns);
// The task begins its join barrier: as barrier_begin(), but what the primary
// thread brings needs no place, because the region ends on this thread.  The
// runtime's data word of a worker is cleared then, and the thread remembers the
// task until it ends.
void join_begin(Thread& thread, Task* task, int64_t now_ns);
// That task, or null.
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
// An empty list that belongs to the thread, to avoid allocating one each time.
std::vector<Dependence>& no_dependences(Thread& thread);
// The depend clauses of the task that was created at the last event.
void task_dependences(Thread& thread, Task* task,
                      const std::vector<Dependence>& dependences);
// `taskwait depend`.  The clauses are those of the innermost one.
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
