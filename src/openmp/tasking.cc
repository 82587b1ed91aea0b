#include "openmp/tasking.h"

#include <algorithm>
#include <utility>

#include "base/bounded.h"
#include "measure/process.h"
#include "openmp/tasking_objects.h"

namespace poprt {
namespace {

// The thread comes to an instance of an outermost parallel region.  Its useful
// and MPI time there counts for this instance, in whichever nested team it
// works.
void enter_instance(Thread& thread, const Team* root) {
  OmpThread& omp = omp_of(thread);
  if (omp.instance_root == root && omp.instance == root->instance) return;
  // Instances that another thread than the primary has begun count in no
  // construct.
  omp.on_line = root->on_line && !root->of_helpers;
  const int construct = root->on_line ? root->construct : 0;
  if (omp.construct.get() != construct) {
    settle_account(thread);
    omp.construct.set(construct);
  }
  if (omp.losses_construct.get() != construct) {
    settle_losses(thread, omp, construct);
  }
  omp.instance_root = root;
  omp.instance = root->instance;
  omp.busy_base_ns.set(thread.busy_ns());
}

void begin_root(Thread& thread, Team* team) {
  OmpThread& omp = omp_of(thread);
  team->on_line = thread.process().primary() == &thread;
  team->quick = team->on_line && !team->of_helpers && !thread.has_row();
  if (team->on_line) omp.own_root_begin_ns.set(team->begin_ns);
}

// The set of the regions that are open, at an event of the primary thread.
int open_regions(Thread& thread, OmpThread& omp) {
  if (omp.regions == nullptr) [[unlikely]]
    omp.regions = std::make_unique<RegionSets>(thread);
  if (!omp.regions->know_regions()) omp.regions->learn();
  return omp.regions->open();
}

// What a thread of the instance did there, as far as it is known.
void raise_busy(Team* root, const Arrival& arrival) {
  raise_shared(root->busy_max_ns, arrival.busy_ns);
}

// OmpThread::loops at the begin of a team's instance.  The object is aligned,
// so that its address leaves room for the number of the loop.
uint64_t first_loop_of(const Team& team) {
  return reinterpret_cast<uintptr_t>(&team) +
         (static_cast<uint64_t>(team.instance) << 48);
}

// The thread that encountered an outermost region leaves it.  `most`: what
// threads of the team have reported in the join barrier.
void leave_instance(Thread& thread, const Team* team, const Arrival& most) {
  settle_account(thread);
  OmpThread& omp = omp_of(thread);
  omp.construct.set(-1);
  omp.instance_root = nullptr;
  omp.own_root_begin_ns.set(-1);
  ConstructAccount& account = omp.accounts.at(team->construct);
  account.visits.add(1);
  if (!team->on_line) return;
  const int64_t elapsed = thread.last_event_ns() - team->begin_ns;
  const int64_t busy =
      std::max(most.busy_ns, team->busy_max_ns.load(std::memory_order_acquire));
  const int64_t idle = std::max<int64_t>(0, elapsed - busy);
  account.time_ns.add(elapsed);
  account.idle_ns.add(idle);
  thread.process().add_parallel_instance(team->begin_ns, team->begin_epoch,
                                         {idle});
}

// Before the event that ends a wait in a barrier, or a part of it.
void has_waited_in(Thread& thread, const BarrierClock& barrier,
                   const Team& team) {
  if (!thread.needs_wait()) [[likely]]
    return;
  thread.has_waited(barrier.came_ns(thread.number(), team.instance));
}

// The thread is in a barrier.  What it waits there for others ends when the
// last of these came: even if that is later than the thread's time stamp,
// because a window has begun meanwhile, so that all know the same end.
void idle_until_last(Thread& thread, const BarrierClock& barrier,
                     const Team& team) {
  Arrival most;
  barrier.for_each(thread.number(), team.instance, &most,
                   [](const SyncClock&) {});
  has_waited_in(thread, barrier, team);
  thread.switch_to(State::kOmp, most.came_ns, omp_of(thread).waiting);
}

void over(Thread& thread, Task* task) {
  if (task->primary) {
    task->team->join = task->in_barrier ? task->barriers & 1 : -1;
    if (task->in_barrier) {
      barrier_of(task).expect_others(thread.number());
    }
    omp_of(thread).doacross = task->doacross;
    omp_of(thread).loops = task->loops;
  } else if (task->in_barrier
                 ? task->waits
                 : task->team != nullptr && !task->team->of_helpers) {
    // Its team may have begun another region since it has come to the join.
    interval_over(thread, omp_of(thread), task->interval);
  }
  if (task == omp_of(thread).joining) {
    omp_of(thread).joining = nullptr;
    // A worker hears of it when it begins the next one, most likely of the same
    // team.
    if (task->team != nullptr) will_read(task->team, Team::kToBegin);
  }
  release(thread, task);
}

}  // namespace

Task* unheard_task(Thread& thread) {
  if (state_at_begin(thread) != thread.state()) {
    thread.switch_to(State::kUseful, thread.last_event_ns());
  }
  return new_implicit_task(thread);
}

Task* initial_task_begin(Thread& thread, int64_t now_ns) {
  // If the thread is in MPI, MPI has started OpenMP.
  if (thread.state() == State::kOmp) {
    thread.switch_to(State::kUseful, now_ns);
  } else {
    thread.book(now_ns);
  }
  return unheard_task(thread);
}

Team* parallel_begin(Thread& thread, Task* encountering, int64_t now_ns,
                     const void* code, bool helpers, uint32_t members) {
  const State before = state_at_begin(thread);
  thread.switch_to(State::kOmp, now_ns);
  thread.enter_parallel();
  OmpThread& omp = omp_of(thread);
  single_over(thread, omp);
  Team* const team = pools().teams.take(omp.teams);
  team->begin_ns = thread.last_event_ns();
  team->begin_epoch = thread.process().epoch();
  team->before = before;
  ++team->instance;
  team->busy_max_ns.store(0, std::memory_order_relaxed);
  team->inner_ns.store(0, std::memory_order_relaxed);
  team->inner_base_ns = 0;
  team->encountering = encountering;
  team->begun_before = std::exchange(omp.begun, team);
  team->own.begin_ns = Interval::kNone;
  team->arrivals.begin(members);
  team->open_ns.store(Team::kNotOpen, std::memory_order_relaxed);
  team->join = -1;
  team->helpers = helpers;
  Team* const outer = encountering == nullptr ? nullptr : encountering->team;
  team->of_helpers =
      helpers || omp.helper || (outer != nullptr && outer->of_helpers);
  team->root = outer == nullptr ? team : outer->root;
  team->quick = false;
  int regions = 0;
  if (team->root == team) {
    begin_root(thread, team);
    if (team->on_line) regions = open_regions(thread, omp);
  }
  team->construct = construct_number(ConstructKind::kParallel, code, regions);
  thread.store_to(team->fork);  // also publishes the members above
  return team;
}

void league_begin(Thread& thread, Team* league) {
  omp_of(thread).league = league;
}

Team* take_league(Thread& thread) {
  return std::exchange(omp_of(thread).league, nullptr);
}

Task* implicit_task_begin(Thread& thread, Team* team, Membership membership,
                          int64_t now_ns) {
  const bool primary = membership.member == 0;
  OmpThread& omp = omp_of(thread);
  settle_joining(thread, omp);
  // Before the late begin is booked, which belongs to it.
  enter_instance(thread, team->root);
  // Helpers begin by waiting for tasks.
  const State next = team->helpers ? State::kOmp : State::kUseful;
  int64_t late_ns = 0;
  if (primary) {
    thread.switch_to(next, now_ns);
    if (membership.size == 1) thread.is_alone_in_team();
    team->open_ns.store(thread.last_event_ns(), std::memory_order_relaxed);
  } else {
    thread.was_in_no_team(team->begin_ns);
    late_ns = thread.switch_to(next, now_ns, omp.own_loss(kSourceNotStarted),
                               team->open_ns.load(std::memory_order_relaxed));
    thread.merge(team->fork);
  }
  if (!team->of_helpers) thread.set_member();
  if (team->helpers) omp.helper = true;
  Task* const task = new_implicit_task(thread);
  task->team = team;
  task->primary = primary;
  interval_of(*task).member = membership.member;
  team->arrivals.has(std::max(membership.size, membership.member + 1), primary);
  interval_first(thread, omp, *task);
  omp.did.ns[kDoingNotStarted] += late_ns;
  task->loops = std::exchange(omp.loops, first_loop_of(*team));
  task->doacross = std::exchange(omp.doacross, {omp.loops, 0});
  if (!primary) {
    barrier_of(task).expect(thread.number());
  }
  return task;
}

void implicit_task_end(Thread& thread, Task* task, int64_t now_ns) {
  if (!has_joined(*task)) {
    thread.switch_to(State::kOmp, now_ns);
    raise_busy(task->team->root, arrival_of(thread, thread.last_event_ns()));
  }
  implicit_task_over(thread, task);
}

void implicit_task_over(Thread& thread, Task* task) {
  OmpThread& omp = omp_of(thread);
  omp.joining_is_over = task == omp.joining;
  if (!omp.joining_is_over) over(thread, task);
}

void settle_joining(Thread& thread, OmpThread& omp) {
  if (std::exchange(omp.joining_is_over, false)) over(thread, omp.joining);
}

void join_begin(Thread& thread, Task* task, int64_t now_ns) {
  if (!task->primary) {
    barrier_begin(thread, task, now_ns);
    omp_of(thread).joining = task;
    thread.leaves_team();
    return;
  }
  thread.switch_to(State::kOmp, now_ns);
  task->in_barrier = true;
  task->waits = task->team != nullptr && !task->team->of_helpers;
}

Task* joining_task(const Thread& thread) {
  const OmpThread* const omp = omp_thread(thread);
  return omp == nullptr ? nullptr : omp->joining;
}

void parallel_end(Thread& thread, Team* team, int64_t now_ns) {
  OmpThread& omp = omp_of(thread);
  const int64_t came_ns = thread.last_event_ns();
  const bool joins = team->join >= 0;
  const bool cut = interval_is_cut(thread, team->own);
  if (cut && joins) [[unlikely]] {
    idle_until_last(thread, team->barrier[team->join], *team);
  }
  // The end of the region ends the wait for its threads.
  if (joins) has_waited_in(thread, team->barrier[team->join], *team);
  const bool booked = thread.book(now_ns);
  Arrival most;
  if (joins) {
    most = arrival_of(thread, came_ns);
    interval_came(thread, omp, *team, &most);
    thread.merge(team->barrier[team->join], team->instance, &most);
  }
  interval_join(thread, omp, *team, most, came_ns,
                bounded(most.came_ns, came_ns, thread.last_event_ns()), cut);
  if (team->root == team) {
    leave_instance(thread, team, most);
  } else {
    raise_busy(team->root, most);
  }
  thread.leave_parallel();
  if (omp.begun == team) omp.begun = team->begun_before;
  if (booked) thread.turn_to(team->before);
  single_again(thread, omp, team->encountering);
  // It is most likely the next one, and the workers have read it.
  will_write(team, Team::kToBegin);
  pools().teams.recycle(omp.teams, team);
}

void barrier_begin(Thread& thread, Task* task, int64_t now_ns) {
  task->before = thread.state();
  thread.switch_to(State::kOmp, now_ns);
  if (task->team == nullptr) return;
  reach_barrier(thread, task);
  task->in_barrier = true;
  task->waits = !task->team->of_helpers;
}

void barrier_end(Thread& thread, Task* task, int64_t now_ns) {
  if (task->team == nullptr) return thread.switch_to(task->before, now_ns);
  const Team& team = *task->team;
  const int64_t came_ns = thread.last_event_ns();
  const Interval& interval = interval_of(*task);
  const bool cut = interval_is_cut(thread, interval);
  if (cut) [[unlikely]] {
    idle_until_last(thread, barrier_of(task), team);
  }
  has_waited_in(thread, barrier_of(task), team);
  thread.switch_to(task->before, now_ns);
  Arrival most = arrival_of(thread, came_ns);
  most.useful_ns = interval.did.useful_ns;
  most.not_started_ns = interval.did.not_started_ns;
  thread.merge(barrier_of(task), team.instance, &most);
  interval_leave(thread, omp_of(thread), *task, most,
                 bounded(most.came_ns, came_ns, thread.last_event_ns()), cut);
  task->in_barrier = task->waits = false;
  ++task->barriers;
}

}  // namespace poprt
