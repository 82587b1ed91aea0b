"""Models of the shapes of hybrid_shapes.c, cxx_shapes.cc and examples/hybrid.c with MPI
and OpenMP."""

import model
from scenario import add, all_work, by_level, high, hybrid, level

# --- MPI and OpenMP together ------------------------------------------------


@hybrid('hybrid', '1x1 2x2 4x2 2x4 8x4', '2x2 4x2')
def mpi_between(t, r, P, T):
    yield from t.parallel(T, all_work(3 if r == 0 else 1))
    yield from t.call('from root', 0)
    yield from t.parallel(T, all_work(2))
    if r == P - 1:
        yield from t.work(1)
    yield from t.barrier()
    yield from t.parallel(T, all_work(2))


@hybrid('hybrid', '2x2 4x4 8x2', '2x2 2x4 4x2')
def both_imbalances(t, r, P, T):
    def body(t):
        yield from t.work(2 * (1 + level(t)) * (1 + high(r, P)))
    yield from t.parallel(T, body)
    yield from t.barrier()


@hybrid('hybrid', '2x2 4x2 4x4', '2x2 2x4')
def hidden_imbalance(t, r, P, T):
    yield from t.parallel(T, all_work(4) if r == 0 else by_level(1, 3))
    yield from t.barrier()
    yield from t.work(1)
    yield from t.parallel(T, by_level(1, 1))
    yield from t.barrier()


@hybrid('hybrid', '2x4 4x2', '2x4', threads=lambda rank, threads: 1 if rank % 2 == 0 else threads)
def unequal_threads(t, r, P, T):
    yield from t.parallel(1 if r % 2 == 0 else T, by_level(3, 1))
    yield from t.work(1 + high(r, P))
    yield from t.barrier()


@hybrid('hybrid', '2x2 2x4', '2x2')
def before_init(t, r, P, T):
    yield from t.parallel(T, by_level(3, 1))
    yield from t.barrier()
    yield from t.work(1)


@hybrid('hybrid', '2x2 4x2 2x4', '2x2 4x2')
def regions(t, r, P, T):
    t.start('setup')
    yield from t.work(1)
    yield from t.parallel(T, all_work(1))
    t.stop('setup')
    for _ in range(2):
        t.start('solve')
        yield from t.parallel(T, by_level(1, 1))
        yield from t.work(0.5)
        t.stop('solve')
        t.start('exchange')
        yield from t.work(0.25 + high(r, P))
        yield from t.barrier()
        t.stop('exchange')


@hybrid('hybrid', '2x1 2x2 4x2 2x4', '2x2 2x4')
def mpi_by_primary(t, r, P, T):
    def body(t):
        if t.number == 0:
            yield from t.work(1 + 2 * high(r, P))
            yield from t.barrier()
            yield from t.work(1)
        else:
            yield from t.work(5)
    yield from t.parallel(T, body)
    yield from t.work(1)
    yield from t.barrier()


@hybrid('hybrid', '2x2 2x4 4x2', '2x2', machine_time=True)
def mpi_by_threads(t, r, P, T):
    def body(t):
        yield from t.work(3 if (r + t.number) % 2 == 0 else 1)
        yield from t.sendrecv(r ^ 1, r ^ 1, t.number)
        yield from t.work(2)
    yield from t.parallel(T, body)
    yield from t.work(1)
    yield from t.barrier()


@hybrid('hybrid', '2x1 2x2 2x4', '2x2')
def mpi_by_last_thread(t, r, P, T):
    def body(t):
        if t.number == T - 1:
            yield from t.work(1 + 2 * (r % 2))
            yield from t.sendrecv(r ^ 1, r ^ 1, 1)
            yield from t.work(1)
        else:
            yield from t.work(4)
    yield from t.parallel(T, body)
    yield from t.work(1)


@hybrid('hybrid', '2x1 2x2', '2x2', tasks=True)
def mpi_in_tasks(t, r, P, T):
    def task(i):
        def body(t):
            yield from t.work(1 if r % 2 == 0 else 3)
            yield from t.sendrecv(r ^ 1, r ^ 1, i)
            yield from t.work(1)
        return body

    def body(t):
        if t.number == 0:
            for i in range(T):
                t.create_task(task(i))
            yield from t.taskwait()
            yield from t.work(1)
    yield from t.parallel(T, body)
    yield from t.barrier()


def _locked(t, lock, units):
    yield from t.acquire(lock)
    yield from t.work(units)
    t.release(lock)


@hybrid('hybrid', '1x2 2x2', '1x2')
def lock_without_a_wait(t, r, P, T):
    locks = [model.Lock() for _ in range(3)]

    def part(t, lock):
        if t.number == 1:
            yield from t.in_mpi(3)
        yield from _locked(t, lock, 1 if t.number == 1 else 2)

    def body(t):
        yield from part(t, locks[0])
        yield from t.omp_barrier()
        yield from part(t, locks[1])
    yield from t.parallel(2, body)
    yield from t.parallel(2, lambda t: part(t, locks[2]))
    yield from t.barrier()


# Its clocks are short parts of the run time.
@hybrid('hybrid', '1x2', '1x2', unit_us=140000)
def lock_in_mpi(t, r, P, T):
    lock = model.Lock()

    def body(t):
        if t.number == 0:
            yield from t.acquire(lock)
            yield from t.in_mpi(3)
            t.release(lock)
            yield from t.work(0.5)
        else:
            yield from t.work(0.5)
            yield from _locked(t, lock, 1)
    yield from t.parallel(2, body)
    yield from t.barrier()


@hybrid('hybrid', '1x2 2x2', '1x2')
def openmp_in_mpi(t, r, P, T):
    def body(t):
        yield from t.work(1 if t.number == 0 else 3)
    yield from t.work(1)
    yield from t.in_mpi(1)
    yield from t.parallel(T, body)
    yield from t.in_mpi(2)
    yield from t.work(1)
    yield from t.barrier()


def _cxx(t, P, T):
    def body(t):
        yield from t.work(2 + 2 * (t.number % 2))
    t.start('throwing')
    yield from t.work(2)
    t.stop('throwing')
    yield from t.parallel(T, body)
    yield from t.barrier()


add('hybrid', 'cxx_shapes', _cxx, '2x2', '2x2', name='cxx', openmp=True)


def _example(t, P, T):
    """examples/hybrid.c, with units of seconds."""
    rank = t.process.rank

    def step(t):
        seconds = 0.15 if rank == 0 else 0.10
        yield from t.work(seconds * 2 / 3 if t.number == T - 1 and T > 1 else seconds)
    t.start('setup')
    yield from t.work(0.3 if rank == 0 else 0.1)
    yield from t.call('from root', 0)
    t.stop('setup')
    t.start('solve')
    for _ in range(5):
        yield from t.parallel(T, step)
        yield from t.call('all')
    t.stop('solve')
    t.start('exchange')
    if rank > 0:
        yield from t.recv(rank - 1)
    yield from t.work(0.1)
    if rank < P - 1:
        t.send(rank + 1)
    t.stop('exchange')


add('hybrid', 'example', _example, '4x2 2x4', '4x2 2x2', name='example', openmp=True,
    unit_us=1000000)
