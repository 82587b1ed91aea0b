// Teams: parallel regions, worksharing, locks.
#include "openmp_interpreter.h"

namespace chaos {

void parallel(const Op& op, Place&) {
  const int team = new_id();
  turn(kOmp, 'F', team);
#pragma omp parallel num_threads(op.args[0])
  {
    Place place;
    place.task = new_id();
    place.team = team;
    place.index = omp_get_thread_num();
    turn(kUseful, 'I', team);
    execute(op.body, place);
    turn(kOmp, 'B', team, place.barriers);
  }
  turn(kUseful, 'P', team);
}

void reach_barrier(const Place& place) {
  turn(kOmp, 'B', place.team, place.barriers);
}
void leave_barrier(Place& place) {
  turn(kUseful, 'b', place.team, place.barriers++);
}

namespace {

// The body is the same whichever thread executes it.
void execute_once(const Op& op, Place place) {
  place.index = 0;
  execute(op.body, place);
}

}  // namespace

void single(const Op& op, Place& place) {
  if (op.args[0] != 0) {
#pragma omp single nowait
    execute_once(op, place);
    return;
  }
  reach_barrier(place);
#pragma omp single
  {
    turn(kUseful);
    execute_once(op, place);
    reach_barrier(place);
  }
  leave_barrier(place);
}

namespace {

void iteration(const Op& op, const Place& outer, int index) {
  turn(kUseful);
  Place place = outer;
  place.index = index;
  execute(op.body, place);
  reach_barrier(place);
}

}  // namespace

void loop(const Op& op, Place& place) {
  const int count = op.args[0], chunk = op.args[1];
  reach_barrier(place);
  if (op.args[2] != 0) {
#pragma omp for schedule(dynamic, chunk) nowait
    for (int i = 0; i < count; ++i) iteration(op, place, i);
    turn(kUseful);
    return;
  }
#pragma omp for schedule(dynamic, chunk)
  for (int i = 0; i < count; ++i) iteration(op, place, i);
  leave_barrier(place);
}

namespace {

// The order of the iterations is modelled as a lock of the loop.
void ordered_iteration(const Op& op, const Place& place, int key, int index) {
  turn(kUseful);
  nap(op.args[1]);
  turn(kOmp);
#pragma omp ordered
  {
    turn(kUseful, 'a', place.team, key, index);
    nap(op.args[2]);
    turn(kUseful, 'r', place.team, key, index);
  }
  reach_barrier(place);
}

}  // namespace

void ordered_loop(const Op& op, Place& place) {
  const int key = ++place.loops;
  reach_barrier(place);
  if (op.args[3] != 0) {
#pragma omp for schedule(dynamic, 1) ordered nowait
    for (int i = 0; i < op.args[0]; ++i) ordered_iteration(op, place, key, i);
    turn(kUseful);
    return;
  }
#pragma omp for schedule(dynamic, 1) ordered
  for (int i = 0; i < op.args[0]; ++i) ordered_iteration(op, place, key, i);
  leave_barrier(place);
}

void doacross_loop(const Op& op, Place& place) {
  const int key = ++place.loops;
  reach_barrier(place);
#pragma omp for schedule(dynamic, 1) ordered(1)
  for (int i = 0; i < op.args[0]; ++i) {
    turn(kUseful);
    nap(op.args[1]);
    turn(kOmp);
#pragma omp ordered depend(sink : i - 1)
    turn(kUseful, 'a', place.team, key, i);
    nap(op.args[2]);
    turn(kUseful, 'r', place.team, key, i);
#pragma omp ordered depend(source)
    nap(op.args[3]);
    reach_barrier(place);
  }
  leave_barrier(place);
}

namespace {

constexpr int kLocks = 6;  // 0 and 1 are critical, 4 is a nest lock
omp_lock_t g_locks[kLocks];
omp_nest_lock_t g_nest_lock;
int g_acquisitions[kLocks];

void hold(const Op& op, Place& place) {
  const int lock = op.args[0];
  const int order = ++g_acquisitions[lock];
  turn(kUseful, 'a', 0, lock, order);
  execute(op.body, place);
  turn(kUseful, 'r', 0, lock, order);
}

// An attempt has failed; `worked`: what would have been done with the lock.
void fail(int lock, int64_t worked) {
  turn(kUseful, 'f', 0, lock);
  g_worked += worked;
}

}  // namespace

void init_locks() {
  for (omp_lock_t& lock : g_locks) omp_init_lock(&lock);
  omp_init_nest_lock(&g_nest_lock);
}

void lock(const Op& op, Place& place) {
  const int which = op.args[0];
  turn(kOmp);
  if (which == 0) {
#pragma omp critical(first)
    hold(op, place);
  } else if (which == 1) {
#pragma omp critical(second)
    hold(op, place);
  } else if (which == 4) {
    omp_set_nest_lock(&g_nest_lock);
    omp_set_nest_lock(&g_nest_lock);
    hold(op, place);
    omp_unset_nest_lock(&g_nest_lock);
    omp_unset_nest_lock(&g_nest_lock);
  } else {
    omp_set_lock(&g_locks[which]);
    hold(op, place);
    omp_unset_lock(&g_locks[which]);
  }
}

void try_lock(const Op& op, Place& place) {
  const int which = op.args[0];
  const int64_t worked = op.args[1];  // in the body, by whoever gets there
  if (which == 4) {
    if (omp_test_nest_lock(&g_nest_lock) == 0) return fail(which, worked);
    hold(op, place);
    omp_unset_nest_lock(&g_nest_lock);
  } else {
    if (omp_test_lock(&g_locks[which]) == 0) return fail(which, worked);
    hold(op, place);
    omp_unset_lock(&g_locks[which]);
  }
}

}  // namespace chaos
