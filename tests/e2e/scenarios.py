"""The shapes of tests/e2e/programs, once more, for the model.

Each function here is the twin of the C function of the same name, and says
where it runs: `sizes` are ranks x threads. What follows from it (model.py) is
what the library must report of the C program.
"""

import dataclasses

import model
import omp_sync_scenarios  # noqa: F401  it adds its own, as does
import omp_task_scenarios  # noqa: F401
from scenario import SCENARIOS, TASK_ENVIRONMENT, add, all_work, by_level, high, level, mpi_barrier


def mpi(group, openmpi, mpich, **rest):
    """A shape of mpi_shapes.c; `threads` is always 1."""
    def decorate(run):
        add(group, 'mpi_shapes', lambda t, P, T: run(t, t.process.rank, P), openmpi, mpich,
            name=run.__name__, **rest)
        return run
    return decorate


def edges(openmpi, mpich, **rest):
    """A shape of edge_shapes.c."""
    def decorate(run):
        add('edges', 'edge_shapes', lambda t, P, T: run(t, t.process.rank, P), openmpi, mpich,
            name=run.__name__, **rest)
        return run
    return decorate


def hybrid(group, openmpi, mpich, none='', **rest):
    """A shape of hybrid_shapes.c; without MPI it is omp_shapes."""
    def decorate(run):
        environment = dict(TASK_ENVIRONMENT if rest.pop('tasks', False) else {})
        environment.update(rest.pop('environment', {}))
        if environment.get('KMP_BLOCKTIME'):
            rest['unit_us'] = 120000  # threads that wait take cores
        add(group, 'hybrid_shapes', lambda t, P, T: run(t, t.process.rank, P, T),
            openmpi, mpich, none, name=run.__name__, openmp=True, environment=environment, **rest)
        return run
    return decorate


def everyone(ranks, rank):
    return ranks


# MPICH's Scan and Exscan are recursive doubling: all wait for all.
SYMMETRIC_SCAN = {'mpich': {'scan': everyone, 'exscan': everyone}}

# --- basic shapes -----------------------------------------------------------


@mpi('basic', '1x1 2x1 4x1 8x1', '1x1 2x1 4x1', alone=True)
def balanced(t, r, P):
    yield from t.work(4)
    yield from t.barrier()
    yield from t.work(4)
    yield from t.call('all')


@mpi('basic', '1x1 2x1 4x1 8x1', '2x1 4x1', alone=True)
def rank_imbalance(t, r, P):
    yield from t.work(2 + 6 * high(r, P))
    yield from t.barrier()


@mpi('basic', '1x1 2x1 4x1 8x1', '2x1 4x1', alone=True)
def chain(t, r, P):
    if r > 0:
        yield from t.recv(r - 1, 1)
    yield from t.work(8 / P)
    if r < P - 1:
        t.send(r + 1, 1)


@mpi('basic', '4x1', '2x1 4x1', alone=True)
def chain_barrier(t, r, P):
    yield from chain(t, r, P)
    yield from t.barrier()


@mpi('basic', '2x1', '2x1', exit_status=3, alone=True)
def exit_status(t, r, P):
    yield from t.work(2)
    yield from t.barrier()


# --- windows, intercommunicators, persistent collectives, partitions ---------


@edges('2x1 4x1 8x1', '2x1')
def fences(t, r, P):
    yield from t.barrier()              # the window is made
    yield from t.work(1 + 2 * high(r, P))
    yield from t.barrier()
    yield from t.work(3 - 2 * high(r, P))
    yield from t.barrier()
    yield from t.work(1 + high(r, P))
    yield from t.barrier()              # and freed
    yield from t.work(1)


@edges('2x1 4x1', '2x1')
def exposure(t, r, P):
    other = r ^ 1
    yield from t.barrier()
    for phase in range(3):
        if r % 2 == 0:
            yield from t.work(4 if phase % 2 == 0 else 1)
            t.isend(other, 5, comm='window')
            if phase == 1:
                yield from t.work(1)
            yield from t.recv(other, 5, comm='window')
        else:
            yield from t.work(1 if phase % 2 == 0 else 4)
            yield from t.sendrecv(other, other, 5, comm='window')
    yield from t.barrier()


@edges('2x1 4x1', '2x1')
def passive(t, r, P):
    yield from t.barrier()
    yield from t.work(1 + high(r, P))
    if r > 0:
        yield from t.work(2 - high(r, P))
    yield from t.barrier()


@edges('2x1 4x1', '2x1 4x1')
def two_groups(t, r, P):
    odd = r % 2
    yield from t.barrier()
    yield from t.work(3 if odd else 1)
    yield from t.call('inter', comm='inter')
    yield from t.work(1 if odd else 3)
    yield from t.call('inter', comm='inter')
    yield from t.work(4 if odd else 1)
    yield from t.call('inter from root', 1, comm='twin')
    yield from t.work(3 if odd else 1)
    yield from t.call('inter to root', 0, comm='inter')
    yield from t.work(2)
    if r == 1:
        t.send(0, 3, comm='inter')
    elif r == 0:
        yield from t.recv(1, 3, comm='inter')
    yield from t.work(1)


@edges('', '2x1 4x1')
def persistent_collectives(t, r, P):
    for phase in range(3):
        kinds = [('all', 0, 'first'), ('from root', P - 1, 'second')]
        first, second = kinds[(r + phase) % 2], kinds[(r + phase + 1) % 2]
        requests = [t.collective(first[0], first[1], first[2])]
        yield from t.work(3 - 2 * high(r, P) if phase == 1 else 1 + 2 * high(r, P))
        requests.append(t.collective(second[0], second[1], second[2]))
        yield from t.wait(*requests)


@edges('', '2x1 4x1')
def partitions(t, r, P):
    for phase in range(2):
        receive = t.irecv((r - 1) % P, 4)
        for _ in range(3):
            yield from t.work(1 if (r + phase) % 2 == 0 else 0.5)
        t.isend((r + 1) % P, 4)
        yield from t.wait(receive)


# --- collectives ------------------------------------------------------------


@mpi('collectives', '2x1 4x1 8x1', '2x1 4x1')
def bcast_late_root(t, r, P):
    root = P // 2
    yield from t.work(5 if r == root else 2)
    yield from t.call('from root', root)
    yield from t.work(3)


@mpi('collectives', '1x1 2x1 4x1 8x1', '2x1 4x1')
def bcast_early_root(t, r, P):
    yield from t.work(1 if r == 0 else 7)
    yield from t.call('from root', 0)
    yield from t.work(7 if r == 0 else 1)


@mpi('collectives', '2x1 4x1 8x1', '2x1 4x1')
def reduce_late_root(t, r, P):
    yield from t.work(5 if r == 0 else 3)
    yield from t.call('to root', 0)
    yield from t.work(3)


@mpi('collectives', '2x1 4x1', '2x1 4x1')
def reduce_early_root(t, r, P):
    yield from t.work(2 if r == 0 else 5)
    yield from t.call('to root', 0)
    yield from t.work(3)


@mpi('collectives', '2x1 4x1 8x1', '2x1 4x1', blocking=SYMMETRIC_SCAN)
def scan_early(t, r, P):
    yield from t.work(1 + 3 * high(r, P))
    yield from t.call('scan')
    yield from t.work(5 - 3 * high(r, P))


@mpi('collectives', '2x1 4x1', '2x1 4x1', blocking=SYMMETRIC_SCAN)
def exscan_early(t, r, P):
    yield from t.work(1 + 3 * high(r, P))
    yield from t.call('exscan')
    yield from t.work(5 - 3 * high(r, P))


@mpi('collectives', '2x1 4x1 8x1', '2x1 4x1')
def alltoall(t, r, P):
    yield from t.work(2 + 3 * high(r, P))
    yield from t.call('all')
    yield from t.work(5 - 3 * high(r, P))
    yield from t.call('all')


@mpi('collectives', '2x1 4x1 8x1', '2x1 4x1')
def all_to_all_calls(t, r, P):
    for phase in range(9):
        yield from t.work(1 if r == phase % P else 0.25)
        yield from t.call('all')


@mpi('collectives', '2x1 4x1', '2x1 4x1')
def rooted_calls(t, r, P):
    for phase in range(6):
        root = phase % P
        to_root = phase >= 3
        yield from t.work(1.5 if (r == root) != to_root else 0.5)
        yield from t.call('to root' if to_root else 'from root', root)


@mpi('collectives', '2x1 4x1', '2x1 4x1')
def nonblocking_collectives(t, r, P):
    kinds = ['all', 'all', ('from root', 0), ('to root', P - 1), 'all', 'all', ('to root', 0),
             ('from root', P - 1), 'scan', 'exscan']
    for phase, kind in enumerate(kinds):
        kind, root = (kind, 0) if isinstance(kind, str) else kind
        before = 0.2 if (r + phase) % 2 == 0 else 0.6
        yield from t.work(before)
        request = t.collective(kind, root)
        yield from t.work(0.8 - before)
        yield from t.wait(request)


@mpi('collectives', '2x1', '2x1')
def nonblocking_early(t, r, P):
    for phase in range(2):
        yield from t.work(1 if r == 0 else 2)
        request = t.collective('all' if phase == 0 else 'from root', 0)
        if r == 0:
            yield from t.work(3)
        yield from t.wait(request)
        if r > 0:
            yield from t.work(2)


@mpi('collectives', '2x1 4x1', '2x1 4x1')
def nonblocking_overlap(t, r, P):
    yield from t.work(2 + 2 * high(r, P))
    first = t.collective('all')
    second = t.collective('all')
    yield from t.call('all')
    yield from t.work(2)
    yield from t.wait(second)
    yield from t.wait(first)
    yield from t.work(2)


# To make a communicator takes MPICH many messages: with more ranks than cores
# some ten milliseconds, which are no part of the shape.
@mpi('collectives', '2x1 4x1 8x1', '2x1', alone=True)
def communicators(t, r, P):
    half = [i for i in range(P) if i % 2 == r % 2]
    yield from t.work(1 + high(r, P))
    yield from t.call('all')  # split
    yield from t.work(1 if r % 2 == 0 else 2)
    yield from t.barrier('half %d' % (r % 2), half)
    if r == half[-1]:
        yield from t.work(1)
    yield from t.call('from root', half[-1], 'half %d' % (r % 2), half)
    yield from t.work(1)
    yield from t.call('all')  # dup
    yield from t.call('all')  # split
    yield from t.work(1 if r % 2 == 0 else 2)
    yield from t.sendrecv((r + 1) % P, (r - 1) % P, 1, 'copy')


# --- point to point ---------------------------------------------------------


def _ring(t, r, P):
    left, right = (r - 1) % P, (r + 1) % P
    for phase in range(4):
        receives = [t.irecv(left, 5), t.irecv(left, 7), t.irecv(right, 3)]
        yield from t.work(2 if (r + phase) % 2 == 0 else 1)
        t.isend(right, 7)
        t.isend(right, 5)
        t.isend(left, 3)
        yield from t.wait(*receives)


def _rings():
    sizes = {
        'wait': ('4x1', '2x1'), 'waitall': ('1x1 2x1 4x1 8x1', '2x1 4x1'), 'waitany': ('2x1 4x1', '4x1'),
        'waitsome': ('4x1', '2x1 4x1'), 'test': ('4x1', '2x1'), 'testall': ('2x1 4x1', '2x1'),
        'testany': ('4x1', '2x1'), 'testsome': ('4x1', '2x1'),
    }
    for completion, (openmpi, mpich) in sizes.items():
        add('p2p', 'mpi_shapes', lambda t, P, T: _ring(t, t.process.rank, P), openmpi, mpich,
            name='ring_' + completion)


_rings()


@mpi('p2p', '2x1 4x1', '2x1')
def late_test(t, r, P):
    if r % 2 == 0:
        yield from t.work(3)
        t.send(r + 1, 1)
        yield from t.work(3)
    else:
        request = t.irecv(r - 1, 1)
        yield from t.work(4)
        yield from t.wait(request)
        yield from t.work(2)


# Of a loop of nothing but calls that find nothing, nothing is the program's work.
@mpi('p2p', '2x1', '2x1')
def polling(t, r, P):
    for phase in range(7):
        if r % 2 == 0:
            yield from t.work(1)
            t.send(r + 1, phase)
        else:
            yield from t.recv(r - 1, phase)
    yield from t.work(1)


# Opening a file waits for all processes, and is MPI-IO; a barrier is not.
@mpi('p2p', '2x1 4x1', '2x1')
def file_calls(t, r, P):
    yield from t.work(2 + 3 * high(r, P))
    yield from t.file_call()
    yield from t.work(5 - 3 * high(r, P))
    yield from t.file_call()
    yield from t.work(1 + high(r, P))
    yield from t.barrier()


@mpi('p2p', '2x1 4x1 8x1', '2x1 4x1')
def wildcard(t, r, P):
    if r == 0:
        for i in range(1, P):
            message = yield from t.recv()
            assert message.source == i
            yield from t.work(0.25)
        for i in range(1, P):
            t.send(i, 3)
    else:
        yield from t.work(1 + 4 * (r - 1) / P)
        t.send(0, 2)
        yield from t.recv(0, 3)
    yield from t.work(3)


@mpi('p2p', '1x1 2x1 4x1', '2x1 4x1')
def persistent(t, r, P):
    left, right = (r - 1) % P, (r + 1) % P
    for phase in range(4):
        receives = [t.irecv(left, 1), t.irecv(right, 2)]
        yield from t.work(2 if (r + phase) % 2 == 0 else 1)
        t.isend(right, 1)
        t.isend(left, 2)
        yield from t.wait(*receives)


@mpi('p2p', '2x1 4x1', '2x1')
def probe(t, r, P):
    other = r ^ 1
    for phase in range(2):
        if r % 2 == phase:
            yield from t.work(2)
            t.send(other, phase)
        else:
            yield from t.work(1)
            yield from t.recv(other, phase)
    for phase in range(2):
        if r % 2 == phase:
            yield from t.work(1)
            t.send(other, phase)
            yield from t.work(1)
        else:
            yield from t.work(2)
            yield from t.recv(other, phase)


@mpi('p2p', '1x1 2x1 4x1 8x1', '2x1 4x1')
def sendrecv(t, r, P):
    for phase in range(4):
        yield from t.work(2.5 if r == phase % P else 1)
        yield from t.sendrecv((r + 1) % P, (r - 1) % P, phase)


@mpi('p2p', '2x1 4x1', '2x1 4x1')
def synchronous(t, r, P):
    if r % 2 == 0:
        yield from t.work(1)
        yield from t.ssend(r + 1, 1)
        yield from t.work(2)
        yield from t.recv(r + 1, 1)
        yield from t.work(1)
    else:
        yield from t.work(3)
        yield from t.recv(r - 1, 1)
        before = t.state
        message = model.Message(r, 1, 0, t.switch(model.MPI))
        t.sim.deliver(r - 1, message)
        t.switch(before)
        yield from t.work(1)
        t.switch(model.MPI)
        yield lambda: message.receive is not None
        t.switch(before, [('mpi', message.receive.posted)])
        yield from t.work(2)


@mpi('p2p', '2x1 4x1', '2x1')
def send_modes(t, r, P):
    for mode in range(4):
        if r % 2 == 0:
            yield from t.work(2)
            t.send(r + 1, mode)
        else:
            request = t.irecv(r - 1, mode)
            yield from t.work(1)
            yield from t.wait(request)
            yield from t.work(0.5)


# --- regions ----------------------------------------------------------------


@mpi('regions', '2x1 4x1 8x1', '2x1 4x1')
def cancelling_regions(t, r, P):
    t.start('first')
    yield from t.work(2 + 2 * high(r, P))
    yield from t.barrier()
    t.stop('first')
    t.start('second')
    yield from t.work(4 - 2 * high(r, P))
    t.stop('second')
    yield from t.barrier()


@mpi('regions', '2x1 4x1', '2x1 4x1')
def compute_region(t, r, P):
    for visit in range(4):
        t.start('compute')
        yield from t.work(2 if (r + visit) % 2 == 0 else 1)
        t.stop('compute')
        yield from t.barrier()


@mpi('regions', '1x1 2x1 4x1 8x1', '2x1 4x1')
def half_region(t, r, P):
    half = (P + 1) // 2
    if r < half:
        t.start('half')
        yield from t.work(1)
        if r > 0:
            yield from t.recv(r - 1, 1)
        yield from t.work(2 / half)
        if r < half - 1:
            t.send(r + 1, 1)
        t.stop('half')
    else:
        yield from t.work(4)
    yield from t.barrier()
    yield from t.work(1)
    if r % 2 == 1:
        t.start('odd')
        yield from t.work(2)
        t.stop('odd')


# Sleeps of 2 and 4 ms, each a little late; one that finds its core taken is
# twice as long as it should be.
@mpi('regions', '1x1 2x1 4x1', '2x1', disturbed=0.3, alone=True)
def region_100(t, r, P):
    for i in range(100):
        t.start('step')
        yield from t.work(0.06 if r == i % P else 0.03)
        yield from t.barrier()
        t.stop('step')
        yield from t.work(0.03)


@mpi('regions', '2x1 4x1 8x1', '2x1 4x1')
def overlapping_regions(t, r, P):
    t.start('a')
    yield from t.work(1 + high(r, P))
    t.start('b')
    yield from t.barrier()
    yield from t.work(2)
    t.stop('a')
    yield from t.work(2 - high(r, P))
    yield from t.barrier()
    t.stop('b')
    yield from t.work(1)


@mpi('regions', '1x1 2x1 4x1', '2x1')
def nested_regions(t, r, P):
    t.start('outer')
    yield from t.work(1)
    t.start('inner')
    yield from t.work(1 + high(r, P))
    yield from t.barrier()
    t.start('innermost')
    yield from t.work(1)
    t.stop('innermost')
    t.stop('inner')
    t.start('outer')
    yield from t.work(1)
    t.stop('outer')
    yield from t.work(1)
    t.stop('outer')
    yield from t.work(1)


@mpi('regions', '2x1 4x1', '2x1 4x1')
def shifted_region(t, r, P):
    yield from t.work(2 * high(r, P))
    t.start('shifted')
    yield from t.work(1)
    if r > 0:
        yield from t.recv(r - 1, 1)
    yield from t.work(1)
    if r < P - 1:
        t.send(r + 1, 1)
    t.stop('shifted')
    yield from t.work(2 - 2 * high(r, P))
    yield from t.barrier()


@mpi('regions', '4x1 8x1', '4x1')
def region_in_flight(t, r, P):
    if r % 4 == 0:
        yield from t.work(1)
        t.start('x')
        yield from t.work(2)
        t.send(r + 1, 1)
        yield from t.work(1)
        t.stop('x')
    elif r % 4 == 1:
        yield from t.recv(r - 1, 1)
        yield from t.work(1)
        t.send(r + 1, 1)
    elif r % 4 == 2:
        yield from t.work(1)
        yield from t.recv(r - 1, 1)
        t.start('x')
        yield from t.work(2)
        t.stop('x')
    else:
        yield from t.work(6)


@mpi('regions', '2x1 4x1', '2x1')
def pcontrol(t, r, P):
    yield from t.work(1)
    t.start('Pcontrol')
    yield from t.work(1 + high(r, P))
    yield from t.barrier()
    t.stop('Pcontrol')
    yield from t.work(1)
    t.start('Pcontrol')
    yield from t.work(2)
    t.stop('Pcontrol')
    yield from t.barrier()


@mpi('regions', '2x1', '2x1')
def region_misuse(t, r, P):
    t.start('good')
    yield from t.work(2)
    t.stop('good')
    t.start('n' * 127)
    yield from t.work(2)
    t.stop('n' * 127)
    t.start('never stopped')
    yield from t.work(2)
    yield from t.barrier()


# --- Fortran ----------------------------------------------------------------

# The same shapes by the bindings of Fortran (fortran_shapes.F90, f77_shapes.f):
# the group is the binding, the program <group>_shapes.
_FORTRAN_SHAPES = """
    chain ring_waitall ring_waitany ring_waitsome ring_testall wildcard sendrecv persistent
    all_to_all_calls rooted_calls nonblocking_collectives communicators
    half_region nested_regions region_misuse pcontrol"""
_FORTRAN = {
    'f77': 'chain ring_waitall ring_waitany wildcard rooted_calls half_region',
    'mpif_h': """ring_waitsome sendrecv persistent all_to_all_calls nonblocking_collectives
                 communicators pcontrol""",
    'use_mpi': _FORTRAN_SHAPES,
    'use_mpi_f08': _FORTRAN_SHAPES,
}


def _fortran():
    shapes = {s.name: s for s in SCENARIOS if s.program == 'mpi_shapes'}
    for binding, names in _FORTRAN.items():
        for name in names.split():
            few = shapes[name].sizes['openmpi'] == [(2, 1)]
            sizes = {'openmpi': [(2, 1)] if few else [(4, 1)], 'mpich': [(2, 1)], 'none': []}
            SCENARIOS.append(dataclasses.replace(
                shapes[name], group=binding, program=binding + '_shapes', sizes=sizes))


_fortran()

# --- OpenMP, with and without MPI -------------------------------------------


@hybrid('openmp', '1x2 2x2 4x4 8x2', '2x1 2x2 4x2', '1x2 1x4')
def balanced(t, r, P, T):  # noqa: F811  the name is the C function's
    yield from t.parallel(T, all_work(3))
    yield from mpi_barrier(t)
    yield from t.parallel(T, all_work(3))
    yield from mpi_barrier(t)


@hybrid('openmp', '1x4 2x2 4x2', '2x2 2x4', '1x1 1x2 1x4')
def thread_imbalance(t, r, P, T):
    yield from t.parallel(T, by_level(1, 4))
    yield from mpi_barrier(t)


@hybrid('openmp', '2x1 2x2 2x4', '2x2', '1x2 1x4')
def serial_part(t, r, P, T):
    yield from t.work(2)
    yield from t.parallel(T, all_work(3))
    yield from mpi_barrier(t)
    yield from t.work(1)
    yield from t.parallel(T, all_work(2))


@hybrid('openmp', '2x2 4x1', '2x2', '1x2 1x4')
def critical(t, r, P, T):
    lock = model.Lock()

    def body(t):
        yield from t.work(1)
        yield from t.acquire(lock)
        yield from t.work(5 / T)
        t.release(lock)
    yield from t.parallel(T, body)
    yield from mpi_barrier(t)


@hybrid('openmp', '1x4', '', '1x4')
def named_criticals(t, r, P, T):
    locks = [model.Lock(), model.Lock()]

    def body(t):
        lock = locks[t.number % 2]
        yield from t.acquire(lock)
        yield from t.work(2)
        t.release(lock)
    yield from t.parallel(T, body)
    yield from mpi_barrier(t)


@hybrid('openmp', '2x2 2x4', '2x2', '1x2 1x4')
def ordered(t, r, P, T):
    lock = model.Lock()

    def body(t):
        yield from t.work(1)
        yield from t.acquire_ordered(lock, t.number)
        yield from t.work(5 / T)
        t.release_ordered(lock)
    yield from t.parallel(T, body)
    yield from mpi_barrier(t)


@hybrid('openmp', '2x2', '2x2', '1x2 1x4')
def locks(t, r, P, T):
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
    yield from mpi_barrier(t)


@hybrid('openmp', '2x2 2x4', '2x2', '1x2 1x4')
def barriers(t, r, P, T):
    def body(t):
        yield from t.work(1 + 2 * level(t))
        yield from t.omp_barrier()
        yield from t.work(3 - 2 * level(t))
        yield from t.omp_barrier()
        # Whichever comes first has the single; none is different from another.
        if t.number == 0:
            yield from t.work(1)
        yield from t.omp_barrier()
        yield from t.work(1)
    yield from t.parallel(T, body)
    yield from mpi_barrier(t)


@hybrid('openmp', '2x2', '2x2', '1x2 1x4')
def worksharing(t, r, P, T):
    def body(t):
        yield from t.work(1)
        yield from t.work(2 if t.number == 0 else 1)
        yield from t.omp_barrier()
        yield from t.work(1 if t.number == 0 else 2)
        if t.number == 0:
            yield from t.work(1)
    yield from t.parallel(T, body)
    yield from mpi_barrier(t)


@hybrid('openmp', '2x2 1x4', '2x2', '1x1 1x2 1x4', tasks=True)
def taskwait(t, r, P, T):
    def body(t):
        if t.number == 0:
            yield from t.work(1)
            for _ in range(2 * T):
                t.create_task(all_work(1.5))
            yield from t.taskwait()
            yield from t.work(1)
    yield from t.parallel(T, body)
    yield from mpi_barrier(t)


@hybrid('openmp', '2x2', '2x2', '1x2 1x4', tasks=True)
def taskgroup(t, r, P, T):
    def outer(t):
        t.create_task(all_work(1.5))
        yield from t.work(1.5)

    def create(t):
        for _ in range(T):
            t.create_task(outer)
        yield from ()

    def body(t):
        if t.number == 0:
            yield from t.taskgroup(create)
            yield from t.work(2)
    yield from t.parallel(T, body)
    yield from mpi_barrier(t)


@hybrid('openmp', '2x2', '2x2', '1x2 1x4', tasks=True)
def barrier_tasks(t, r, P, T):
    def body(t):
        yield from t.work(1)
        if t.number == 0:
            for _ in range(T):
                t.create_task(all_work(2))
        yield from t.omp_barrier()
        yield from t.work(1)
    yield from t.parallel(T, body)
    yield from mpi_barrier(t)


@hybrid('openmp', '2x2', '2x2', '1x1 1x2 1x4')
def own_tasks(t, r, P, T):
    yield from t.parallel(T, by_level(4, 1))
    yield from mpi_barrier(t)


@hybrid('openmp', '1x4 2x4', '2x4', '1x4',
        environment={'OMP_NUM_THREADS': '2', 'OMP_MAX_ACTIVE_LEVELS': '2'})
def nested(t, r, P, T):
    def inner(t):
        yield from t.work(2 + 2 * t.number)

    def outer(t):
        yield from t.work(1)
        yield from t.parallel(2, inner)
        yield from t.work(1)
    yield from t.parallel(2, outer)
    yield from mpi_barrier(t)


@hybrid('openmp', '2x2 2x4', '2x2', '1x2 1x4')
def smaller_teams(t, r, P, T):
    yield from t.parallel(T, all_work(2))
    yield from t.parallel((T + 1) // 2, all_work(3))
    yield from t.parallel(1, all_work(1))
    yield from mpi_barrier(t)


@hybrid('openmp', '1x2', '', '1x2 1x4')
def cancelling_threads(t, r, P, T):
    t.start('first')
    yield from t.parallel(T, by_level(1, 3))
    t.stop('first')
    t.start('second')
    yield from t.parallel(T, by_level(4, -3))
    t.stop('second')
    yield from mpi_barrier(t)


@hybrid('openmp', '2x4', '2x2', '1x2 1x4')
def region_in_parallel(t, r, P, T):
    def body(t):
        if t.number == 0:
            yield from t.work(2)
            t.start('part')
            yield from t.work(3)
            t.stop('part')
            yield from t.work(1)
        else:
            yield from t.work(4)
    yield from t.parallel(T, body)
    yield from mpi_barrier(t)


@hybrid('openmp', '2x4', '2x2', '1x2 1x4')
def region_over_workers(t, r, P, T):
    def body(t):
        yield from t.work(1 if t.number == 0 else 2)
        yield from t.omp_barrier()
        yield from t.work(2 if t.number == 0 else 1)
    t.start('path')
    yield from t.parallel(T, body)
    t.stop('path')
    yield from t.work(2)
    yield from mpi_barrier(t)


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


@hybrid('hybrid', '2x2 2x4 4x2', '2x2')
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
    """examples/hybrid.c, in seconds."""
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
