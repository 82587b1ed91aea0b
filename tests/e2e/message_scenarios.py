"""Models of the point-to-point shapes of mpi_shapes.c."""

import model
from scenario import add, high, mpi

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


# In a loop of nothing but calls that find nothing, no time is the program's work.
@mpi('p2p', '2x1', '2x1')
def polling(t, r, P):
    for phase in range(7):
        if r % 2 == 0:
            yield from t.work(1)
            t.send(r + 1, phase)
        else:
            yield from t.recv(r - 1, phase)
    yield from t.work(1)


# Opening a file waits for all processes and is MPI-IO; a barrier is not MPI-IO.
@mpi('p2p', '2x1 4x1', '2x1')
def file_calls(t, r, P):
    yield from t.work(2 + 3 * high(r, P))
    yield from t.file_call()
    yield from t.work(5 - 3 * high(r, P))
    yield from t.file_call()
    yield from t.work(1 + high(r, P))
    yield from t.barrier()


# A local call is transfer; whether opening a file waits is not known.
@mpi('p2p', '2x1 4x1', '2x1')
def lonely_calls(t, r, P):
    yield from t.work(1 + high(r, P))
    yield from t.local_call(2 - high(r, P))
    yield from t.work(3 * high(r, P))
    yield from t.file_call()
    yield from t.work(5 - 3 * high(r, P))
    yield from t.barrier()


# What a collective access waits is transfer. In Open MPI it does not wait.
@mpi('p2p', '', '2x1')
def collective_data(t, r, P):
    yield from t.file_call()
    yield from t.work(5 - 3 * high(r, P))
    yield from t.file_call(moves_data=True)
    yield from t.work(1 + 2 * high(r, P))
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
    t.sends_may_wait()  # Open MPI does where shared memory has not been used before
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
