"""Models of the shapes with regions of mpi_shapes.c."""

from scenario import high, mpi

# What is kept of 299 letters: the hash of all tells names apart that begin alike.
CUT_NAME = 'n' * 118 + '~a65d3fe4'

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
@mpi('regions', '1x1 2x1 4x1', '2x1')
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
    t.start(CUT_NAME)
    yield from t.work(2)
    t.stop(CUT_NAME)
    t.start('never stopped')
    yield from t.work(2)
    yield from t.barrier()
