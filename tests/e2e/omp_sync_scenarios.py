"""Models of the shapes of omp_sync_shapes.c."""

import model
from scenario import all_work, by_level, level, openmp_shapes, team_of

shape = openmp_shapes('sync', 'omp_sync_shapes')
team = team_of(shape)

CANCELLATION = {'OMP_CANCELLATION': 'true'}

# --- doacross loops ---------------------------------------------------------


@shape('1x2 1x4 1x8', '2x2', '2x2')
def doacross(t, T):
    posted = {}

    def body(t):
        yield from t.work(1 - 0.5 * level(t))
        yield from t.sink(posted, t.number - 1)
        yield from t.work(4 / T)
        t.source(posted, t.number)
        yield from t.work(1)
    yield from t.parallel(T, body)


@shape('1x4 1x8')
def doacross_two(t, T):
    posted = {}

    def body(t):
        for i in (t.number, T + t.number):
            yield from t.sink(posted, i - 2)
            yield from t.work(4 / T if i % 2 == 0 else 2 / T)
            t.source(posted, i)
    yield from t.parallel(T, body)


@shape('1x2 1x4')
def doacross_grid(t, T):
    rows = [{} for _ in range(T)]

    def body(t):
        for j in range(3):
            if t.number > 0:
                yield from t.sink(rows[t.number - 1], j)
            yield from t.work(1)
            t.source(rows[t.number], j)
    yield from t.parallel(T, body)


# --- loops ------------------------------------------------------------------


@team('1x2 1x4 1x8', '2x2')
def dynamic_loops(t, T):
    yield from t.work(2)
    yield from t.omp_barrier()
    yield from t.work(1)
    yield from t.omp_barrier()
    yield from t.work(1 + level(t))


@shape('1x2 1x4 1x8')
def ordered_dynamic(t, T):
    lock = model.Lock()

    def body(t):
        yield from t.work(1)
        yield from t.acquire_ordered(lock, t.number)
        yield from t.work(4 / T)
        t.release_ordered(lock)
    yield from t.parallel(T, body)


@team('1x2 1x4')
def loops_ahead(t, T):
    if t.number == T - 1:
        yield from t.work(3)
        t.team.shared['left the first loop'] = True
    else:  # a wait for memory of the runtime: no edge
        t.switch(model.OMP)
        yield lambda: 'left the first loop' in t.team.shared
        t.switch(model.USEFUL)
    yield from t.work(1)


@team('1x2 1x4 1x8', '2x2')
def singles(t, T):
    yield from t.work(1 + level(t))
    if t.number == 0:
        yield from t.work(1)
    yield from t.omp_barrier()
    yield from t.work(1)
    if t.number < 2:
        yield from t.work(1)
    yield from t.omp_barrier()
    if t.number == 1:
        yield from t.work(1)


def _reduction(t, T):
    def body(t):
        yield from t.work(1 + level(t))
        yield from t.work(2 - level(t))
        yield from t.omp_barrier()
        yield from t.work(1 + level(t))
    yield from t.parallel(T, body)


shape('1x2 1x4 1x8', name='reduction')(_reduction)
for method in 'tree', 'critical', 'atomic':
    shape('1x4', name='reduction_' + method,
          environment={'KMP_FORCE_REDUCTION': method})(_reduction)


@shape('1x2 1x4')
def slow_reduction(t, T):
    lock = model.Lock()

    def body(t):
        yield from t.work(1)
        yield from t.acquire(lock)
        yield from t.work(1)
        t.release(lock)
    yield from t.parallel(T, body)


# --- cancellation -----------------------------------------------------------


@shape('1x2 1x4 1x8', '2x2', environment=CANCELLATION)
def cancel_parallel(t, T):
    def body(t):
        yield from t.work(3 if t.number == 0 else 1 + level(t))
    yield from t.parallel(T, body)
    yield from t.work(1)


@shape('1x2 1x4', environment=CANCELLATION)
def cancel_at_points(t, T):
    def body(t):
        yield from t.work(1 if t.number == 0 else 2 + level(t))
    yield from t.parallel(T, body)
    yield from t.work(1)


@team('1x2 1x4 1x8', environment=CANCELLATION)
def cancel_for(t, T):
    yield from t.work(1 if t.number == 0 else 2 + level(t))
    yield from t.omp_barrier()
    yield from t.work(1)
    yield from t.work(1)
    yield from t.omp_barrier()
    yield from t.work(level(t))


@team('1x2 1x4 1x8', environment=CANCELLATION)
def cancel_sections(t, T):
    if t.number < 4:
        yield from t.work(1 if t.number == 0 else 2)
    yield from t.omp_barrier()
    yield from t.work(1)


# --- locks ------------------------------------------------------------------


def _lock_shape(t, T):
    lock, nest = model.Lock(), model.Lock()

    def body(t):
        if t.number == 0:
            yield from t.acquire(lock)
            yield from t.work(2)
            t.release(lock)
            yield from t.work(1)
        else:
            yield from t.work(1)
            yield from t.acquire(lock)
            yield from t.work(2 / (T - 1))
            t.release(lock)
        yield from t.omp_barrier()
        if t.number == 0:
            yield from t.acquire(nest)
            yield from t.work(2)
            t.release(nest)
        else:
            yield from t.work(1)
            yield from t.acquire(nest)
            yield from t.work(1 / (T - 1))
            t.release(nest)
    yield from t.parallel(T, body)


# Threads that wait for a lock of the simplest kind spin: they test it now and then, and
# do not give a core to its next owner.
for kind, size in (('tas', '1x2'), ('futex', '1x4'), ('ticket', '1x4'), ('queuing', '1x4'),
                   ('drdpa', '1x4')):
    shape(size, name='lock_' + kind, environment={'KMP_LOCK_KIND': kind},
          machine_time=kind == 'futex')(_lock_shape)
shape('1x2', name='lock_uncontended')(_lock_shape)
shape('1x4', '2x2', name='lock_contended')(_lock_shape)


@shape('1x2')
def polled_lock(t, T):
    yield from t.parallel(2, lambda t: t.work(2.5 if t.number == 0 else 4))


# In a loop of nothing but attempts that fail, no time is work. If one thread has held a
# lock many times, the lock's clocks are exact only for a thread that waits for it.
@shape('1x2', machine_time=True)
def spinning_lock(t, T):
    lock, nest = model.Lock(), model.Lock()

    def body(t):
        if t.number == 0:
            yield from t.acquire(lock)
            yield from t.acquire(nest)
        yield from t.omp_barrier()
        if t.number == 0:
            yield from t.work(2)
            t.release(lock)
            yield from t.work(2)
            t.release(nest)
        else:
            yield from t.acquire(lock)
            t.release(lock)
            yield from t.acquire(nest)
            t.release(nest)
            yield from t.work(1)
            yield from t.acquire(lock)
        yield from t.omp_barrier()
        if t.number == 0:
            yield from t.acquire(lock)
            yield from t.work(1)
            t.release(lock)
        else:
            yield from t.work(2)
            t.release(lock)
    yield from t.parallel(2, body)


@shape('1x2 1x4 1x8')
def hinted_critical(t, T):
    lock = model.Lock()

    def body(t):
        yield from t.work(1)
        yield from t.acquire(lock)
        yield from t.work(4 / T)
        t.release(lock)
    yield from t.parallel(T, body)


# --- teams ------------------------------------------------------------------


@shape('1x2 1x4 1x8', '2x4')
def changing_teams(t, T):
    yield from t.parallel(2, by_level(1, 1))
    yield from t.parallel(T, by_level(1, 1))
    yield from t.parallel(1, all_work(1))
    yield from t.parallel(T // 2, all_work(1))
    yield from t.parallel(T, by_level(2, -1))


@team('1x2 1x4')
def serialised(t, T):
    yield from t.work(2 + t.number % 2)
    yield from t.omp_barrier()
    yield from t.work(1 + level(t))


@shape('1x4', environment={'OMP_MAX_ACTIVE_LEVELS': '2'})
def nested_teams(t, T):
    def inner(t):
        yield from t.work(1 + t.number / 2)

    def outer(t):
        size = 3 - 2 * t.number
        for _ in range(2):
            yield from t.parallel(size, inner)
            yield from t.work(1)
    yield from t.parallel(2, outer)


# Without a limit a league has as many threads as there are cores.
@shape('1x4', '2x4', environment={'KMP_TEAMS_THREAD_LIMIT': '4'})
def league(t, T):
    def team(t):
        number = t.number
        yield from t.work(1)
        yield from t.parallel(2, lambda t: t.work(1 + 2 * t.number))
        yield from t.work(number)
    yield from t.parallel(2, team)
    yield from t.work(1)


# --- target regions, on the host --------------------------------------------

# Starting the runtime's own threads is not part of the shape.
STARTS_HELPERS = {'unit_us': 400000}


@shape('1x2 1x4', '2x2')
def target(t, T):
    yield from t.work(2)
    yield from t.parallel(T, by_level(1, 1))


@team('1x2 1x4', '2x2', **STARTS_HELPERS)
def target_nowait(t, T):
    if t.number == 0:
        t.helper_task(all_work(3))
        yield from t.work(1)
        yield from t.taskwait()
        yield from t.work(1)
    else:
        yield from t.work(2)


@team('1x2', **STARTS_HELPERS)
def target_depend(t, T):
    if t.number == 0:
        t.helper_task(all_work(2))
        yield from t.work(1)
        yield from t.taskwait()
        yield from t.work(1)
    else:
        yield from t.work(2)


# --- the runtime itself -----------------------------------------------------


@shape('1x2 1x4', '2x2')
def control_tool(t, T):
    yield from t.parallel(T, all_work(1))
    t.start('Pcontrol')
    yield from t.parallel(T, by_level(1, 1))
    t.stop('Pcontrol')
    yield from t.work(1)
    t.start('Pcontrol')
    yield from t.work(1)
    yield from t.parallel(T, by_level(2, -1))
    t.stop('Pcontrol')
    yield from t.parallel(T, all_work(1))


@shape('1x2 1x4')
def late_start(t, T):
    yield from t.parallel(T, by_level(1, 1))
    yield from t.work(1)


@shape('1x2')
def region_first(t, T):
    t.start('first')
    yield from t.work(1)
    yield from t.parallel(T, by_level(1, 1))
    t.stop('first')


@shape('1x2 1x4')
def soft_pause(t, T):
    yield from t.parallel(T, by_level(1, 1))
    yield from t.work(1)
    yield from t.parallel(T, by_level(2, -1))
    yield from t.work(1)


# After a hard pause LLVM's runtime reports nothing to tools.
@shape('1x2 1x4')
def hard_pause(t, T):
    # The report ends there.
    yield from t.parallel(T, by_level(1, 1))


@shape('', '2x2', name='hard_pause', openmp=False)
def hard_pause_with_mpi(t, T):
    # The report is of MPI and the first thread, whose time is the program's from then on.
    yield from t.parallel(T, by_level(1, 1))
    t.process.threads = [t]
    yield from t.work(4)


@shape('1x2 1x4')
def forked(t, T):
    yield from t.parallel(T, by_level(1, 1))
    yield from t.work(2)
    yield from t.parallel(T, by_level(2, -1))
