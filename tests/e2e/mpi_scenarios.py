"""Models of the smallest shapes of mpi_shapes.c, its collectives, and the shapes of
edge_shapes.c."""

from scenario import SYMMETRIC_SCAN, edges, high, mpi

# --- basic shapes -----------------------------------------------------------


@mpi('basic', '1x1 2x1 4x1 8x1', '1x1 2x1 4x1')
def balanced(t, r, P):
    yield from t.work(4)
    yield from t.barrier()
    yield from t.work(4)
    yield from t.call('all')


@mpi('basic', '1x1 2x1 4x1 8x1', '2x1 4x1')
def rank_imbalance(t, r, P):
    yield from t.work(2 + 6 * high(r, P))
    yield from t.barrier()


@mpi('basic', '1x1 2x1 4x1 8x1', '2x1 4x1')
def chain(t, r, P):
    if r > 0:
        yield from t.recv(r - 1, 1)
    yield from t.work(8 / P)
    if r < P - 1:
        t.send(r + 1, 1)


@mpi('basic', '4x1', '2x1 4x1')
def chain_barrier(t, r, P):
    yield from chain(t, r, P)
    yield from t.barrier()


@mpi('basic', '2x1', '2x1', exit_status=3)
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


@edges('2x1 4x1', '2x1 4x1', mpi_function='MPI_Allreduce_init')
def persistent_collectives(t, r, P):
    for phase in range(3):
        kinds = [('all', 0, 'first'), ('from root', P - 1, 'second')]
        first, second = kinds[(r + phase) % 2], kinds[(r + phase + 1) % 2]
        requests = [t.collective(first[0], first[1], first[2])]
        yield from t.work(3 - 2 * high(r, P) if phase == 1 else 1 + 2 * high(r, P))
        requests.append(t.collective(second[0], second[1], second[2]))
        yield from t.wait(*requests)


@edges('2x1', '2x1', mpi_function='MPI_Allreduce_init')
def persistent_turns(t, r, P):
    for turn in range(6):
        if turn % P == r:
            yield from t.work(1)
        yield from t.wait(t.collective('all', 0, 'persistent'))


@edges('2x1 4x1', '2x1 4x1', mpi_function='MPI_Psend_init')
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


@mpi('collectives', '2x1 20x1', '2x1')
def bcast_far_ahead(t, r, P):
    yield from t.work(1 if r == 0 else 7)
    for _ in range(40):
        yield from t.call('from root', 0)
    yield from t.work(7 if r == 0 else 1)


@mpi('collectives', '2x1 4x1 20x1', '2x1 4x1')
def reduce_late_root(t, r, P):
    yield from t.work(5 if r == 0 else 3)
    yield from t.call('to root', 0)
    yield from t.work(3)


@mpi('collectives', '2x1 4x1', '2x1 4x1')
def reduce_early_root(t, r, P):
    yield from t.work(2 if r == 0 else 5)
    yield from t.call('to root', 0)
    yield from t.work(3)


@mpi('collectives', '2x1 4x1 20x1', '2x1 4x1', blocking=SYMMETRIC_SCAN)
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


# MPICH needs many messages to make a communicator: with more ranks than cores that
# takes some ten milliseconds, which are not part of the shape.
@mpi('collectives', '2x1 4x1 8x1', '2x1')
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
