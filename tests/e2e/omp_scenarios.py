"""Models of the shapes of hybrid_shapes.c that run with and without MPI."""

import model
from scenario import all_work, by_level, hybrid, level, mpi_barrier, team_of


def shape(openmpi, mpich, none, **rest):
    """A decorator of such a shape, run(thread, threads), which ends in a barrier of all."""
    def decorate(run):
        def program(t, r, P, T):
            yield from run(t, T)
            yield from mpi_barrier(t)
        return hybrid('openmp', openmpi, mpich, none, **{'name': run.__name__, **rest})(program)
    return decorate


team = team_of(shape)

# --- OpenMP, with and without MPI -------------------------------------------


@shape('1x2 2x2 4x4 8x2', '2x1 2x2 4x2', '1x2 1x4')
def balanced(t, T):  # noqa: F811  the name is the C function's
    yield from t.parallel(T, all_work(3))
    yield from mpi_barrier(t)
    yield from t.parallel(T, all_work(3))


@shape('1x4 2x2 4x2', '2x2 2x4', '1x1 1x2 1x4')
def thread_imbalance(t, T):
    yield from t.parallel(T, by_level(1, 4))


@hybrid('openmp', '2x1 2x2 2x4', '2x2', '1x2 1x4')
def serial_part(t, r, P, T):
    yield from t.work(2)
    yield from t.parallel(T, all_work(3))
    yield from mpi_barrier(t)
    yield from t.work(1)
    yield from t.parallel(T, all_work(2))


@shape('2x2 4x1', '2x2', '1x2 1x4')
def critical(t, T):
    lock = model.Lock()

    def body(t):
        yield from t.work(1)
        yield from t.acquire(lock)
        yield from t.work(5 / T)
        t.release(lock)
    yield from t.parallel(T, body)


@shape('1x4', '', '1x4')
def named_criticals(t, T):
    locks = [model.Lock(), model.Lock()]

    def body(t):
        lock = locks[t.number % 2]
        yield from t.acquire(lock)
        yield from t.work(2)
        t.release(lock)
    yield from t.parallel(T, body)


@shape('2x2 2x4', '2x2', '1x2 1x4')
def ordered(t, T):
    lock = model.Lock()

    def body(t):
        yield from t.work(1)
        yield from t.acquire_ordered(lock, t.number)
        yield from t.work(5 / T)
        t.release_ordered(lock)
    yield from t.parallel(T, body)


@shape('2x2', '2x2', '1x2 1x4')
def locks(t, T):
    lock, nest = model.Lock(), model.Lock()

    def body(t):
        if t.number == 0:
            yield from t.acquire(lock)
            yield from t.work(3)
            t.release(lock)
        else:
            yield from t.work(2)
            yield from t.acquire(lock)
            yield from t.work(0.5)
            t.release(lock)
        yield from t.omp_barrier()
        yield from t.acquire(nest)
        yield from t.work(1)
        t.release(nest)
    yield from t.parallel(T, body)


@team('2x2 2x4', '2x2', '1x2 1x4')
def barriers(t, T):
    yield from t.work(1 + 2 * level(t))
    yield from t.omp_barrier()
    yield from t.work(3 - 2 * level(t))
    yield from t.omp_barrier()
    # In the program, the first thread to arrive has the single. The threads are
    # alike, so in the model it is thread 0.
    if t.number == 0:
        yield from t.work(1)
    yield from t.omp_barrier()
    yield from t.work(1)


@team('2x2', '2x2', '1x2 1x4')
def worksharing(t, T):
    yield from t.work(1)
    yield from t.work(2 if t.number == 0 else 1)
    yield from t.omp_barrier()
    yield from t.work(1 if t.number == 0 else 2)
    if t.number == 0:
        yield from t.work(1)


@team('2x2 1x4', '2x2', '1x1 1x2 1x4', tasks=True)
def taskwait(t, T):
    if t.number == 0:
        yield from t.work(1)
        for _ in range(2 * T):
            t.create_task(all_work(1.5))
        yield from t.taskwait()
        yield from t.work(1)


@team('2x2', '2x2', '1x2 1x4', tasks=True)
def taskgroup(t, T):
    def outer(t):
        t.create_task(all_work(1.5))
        yield from t.work(1.5)

    def create(t):
        for _ in range(T):
            t.create_task(outer)
        yield from ()

    if t.number == 0:
        yield from t.taskgroup(create)
        yield from t.work(2)


@team('2x2', '2x2', '1x2 1x4', tasks=True)
def barrier_tasks(t, T):
    yield from t.work(1)
    if t.number == 0:
        for _ in range(T):
            t.create_task(all_work(2))
    yield from t.omp_barrier()
    yield from t.work(1)


@shape('2x2', '2x2', '1x1 1x2 1x4')
def own_tasks(t, T):
    yield from t.parallel(T, by_level(4, 1))


@shape('1x4 2x4', '2x4', '1x4',
       environment={'OMP_NUM_THREADS': '2', 'OMP_MAX_ACTIVE_LEVELS': '2'})
def nested(t, T):
    def inner(t):
        yield from t.work(2 + 2 * t.number)

    def outer(t):
        yield from t.work(1)
        yield from t.parallel(2, inner)
        yield from t.work(1)
    yield from t.parallel(2, outer)


@shape('2x2 2x4', '2x2', '1x2 1x4')
def smaller_teams(t, T):
    yield from t.parallel(T, all_work(2))
    yield from t.parallel((T + 1) // 2, all_work(3))
    yield from t.parallel(1, all_work(1))


@shape('1x2', '', '1x2 1x4')
def cancelling_threads(t, T):
    t.start('first')
    yield from t.parallel(T, by_level(1, 3))
    t.stop('first')
    t.start('second')
    yield from t.parallel(T, by_level(4, -3))
    t.stop('second')


@team('2x4', '2x2', '1x2 1x4')
def region_in_parallel(t, T):
    if t.number == 0:
        yield from t.work(2)
        t.start('part')
        yield from t.work(3)
        t.stop('part')
        yield from t.work(1)
    else:
        yield from t.work(4)


@shape('2x4', '2x2', '1x2 1x4')
def region_over_workers(t, T):
    def body(t):
        yield from t.work(1 if t.number == 0 else 2)
        yield from t.omp_barrier()
        yield from t.work(2 if t.number == 0 else 1)
    t.start('path')
    yield from t.parallel(T, body)
    t.stop('path')
    yield from t.work(2)
