"""Models of the shapes of omp_task_shapes.c."""

import model
from scenario import TASK_ENVIRONMENT, all_work, openmp_shapes, team_of

# Threads that poll for tasks take cores from threads that wake up.
shape = openmp_shapes('tasks', 'omp_task_shapes', 70000, TASK_ENVIRONMENT)
team = team_of(shape)


def first_thread(first, others=None):
    """A team in which the first thread is different from all others."""
    def body(t):
        if t.number == 0:
            yield from first(t)
        elif others is not None:
            yield from others(t)
    return body


def first(*sizes, others=None, **rest):
    """A decorator of what the first thread does."""
    def decorate(body):
        def run(t, T):
            yield from t.parallel(T, first_thread(lambda t: body(t, T), others))
        return shape(*sizes, name=body.__name__, **rest)(run)
    return decorate


def create(t, count, body, **how):
    for _ in range(count):
        t.create_task(body, **how)


# --- kinds of tasks ---------------------------------------------------------


@first('1x2 1x4', '2x2', others=all_work(4))
def undeferred(t, T):
    yield from t.work(5)


@team('1x2 1x4')
def untied(t, T):
    if t.number == 0:
        yield from t.work(1)
        create(t, T, all_work(2))
    yield from t.omp_barrier()
    yield from t.work(1)


@first('1x2 1x4')
def untied_parents(t, T):
    def parent(t):
        yield from t.work(1)
        t.create_task(all_work(1))
        yield from t.taskwait()
        yield from t.work(1)

    create(t, T, parent)
    yield from ()


@shape('1x2 1x4')
def yielding(t, T):
    yield from t.parallel(T, all_work(4))


@first('1x2 1x4', environment={'OMP_MAX_TASK_PRIORITY': '3'})
def priorities(t, T):
    yield from t.work(1)
    create(t, 2 * T, all_work(1))
    yield from t.taskwait()
    yield from t.work(1)


@first('1x2 1x4')
def many_creations(t, T):
    for _ in range(4):
        yield from t.work(1)
        create(t, 6, all_work(0))
        yield from t.work(1)
        yield from t.undeferred(all_work(0))


@first('1x2 1x4', '2x2')
def task_reductions(t, T):
    def inner(t):
        create(t, T, all_work(1))
        yield from ()

    yield from t.work(1)
    yield from t.taskgroup(inner)
    create(t, T, all_work(1))


@first('1x2 1x4')
def taskloops(t, T):
    def loop(units):
        def body(t):
            create(t, T, all_work(units))
            yield from ()
        return body

    for _ in range(2):
        yield from t.work(1)
        yield from t.taskgroup(loop(1))
    yield from loop(1)(t)


@team('1x2 1x4', environment={'OMP_CANCELLATION': 'true'})
def cancel_taskgroup(t, T):
    def cancels(t):
        yield from t.work(1)
        t.cancel_taskgroup()

    def group(t):
        create(t, 2 * T, cancels)
        yield from ()

    if t.number == 0:
        yield from t.work(1)
        yield from t.taskgroup(group)
    yield from t.omp_barrier()
    yield from t.work(1)


# --- detached tasks ---------------------------------------------------------


def _detached(body, before, wait, **how):
    """Executed by the first thread in its wait(); the second fulfills."""
    def run(t, T):
        event = model.Event()

        def first(t):
            t.create_task(all_work(body), detach=event, **how)
            yield from wait(t)
            yield from t.work(2)

        def others(t):
            yield from t.work(before)
            if t.number == 1:
                t.fulfil(event)
            yield from t.work(4 - before)
        yield from t.parallel(T, first_thread(first, others))
    return run


def _taskwait_in(t):
    yield from t.taskwait_depend(('in', 'x'))


def _undeferred_in(t):
    yield from t.undeferred(all_work(1), [('in', 'x')])


shape('1x2 1x4 1x8', name='detach_late')(_detached(1, 3, lambda t: t.taskwait()))
shape('1x2 1x4', name='detach_early')(_detached(3, 1, lambda t: t.taskwait()))
shape('1x2', name='detach_taskwait_depend')(
    _detached(1, 3, _taskwait_in, depend=[('out', 'x')]))
shape('1x2 1x4', name='detach_undeferred')(
    _detached(1, 3, _undeferred_in, depend=[('out', 'x')]))


@shape('1x2 1x4')
def detach_group(t, T):
    event = model.Event()

    def group(t):
        t.create_task(all_work(1), detach=event)
        yield from ()

    def first(t):
        yield from t.taskgroup(group)
        yield from t.work(2)

    def others(t):
        yield from t.work(3)
        if t.number == 1:
            t.fulfil(event)
        yield from t.work(1)
    yield from t.parallel(T, first_thread(first, others))


@shape('1x2')
def detach_by_task(t, T):
    yield from t.parallel(T, all_work(4))


@shape('1x2 1x4')
def detach_foreign(t, T):
    event = model.Event()

    def foreign(thread):
        yield from thread.work(3)
        thread.fulfil(event)

    def first(t):
        t.sim.spawn(foreign(model.Thread(t.process)))  # its work is not OpenMP's
        t.create_task(all_work(1), detach=event)
        yield from t.taskwait()
        yield from t.work(1)
    yield from t.parallel(T, first_thread(first, all_work(3)))


# --- dependences ------------------------------------------------------------


def _pair(name, sizes, before, after, **rest):
    """`before` and `after`: the dependences of the two tasks."""
    def run(t, T):
        def first(t):
            t.create_task(all_work(3), depend=before)
            yield from t.work(1)
            yield from t.undeferred(all_work(2), after)
        yield from t.parallel(T, first_thread(first))
    shape(sizes, name=name, **rest)(run)


def _pairs_on_one_address():
    sizes = {'out_in': '1x2 1x4', 'inoutset_in': '1x4', 'in_mutexinoutset': '1x4', 'in_in': '1x4'}
    for name in """out_in in_out inout_inout in_in out_mutexinoutset mutexinoutset_in
                   in_mutexinoutset inoutset_in in_inoutset inoutset_inoutset inoutset_out
                   out_inoutset mutexinoutset_inoutset""".split():
        before, after = name.split('_')
        _pair(name, sizes.get(name, '1x2'), [(before, 'x')], [(after, 'x')])


_pairs_on_one_address()
_pair('other_address', '1x2', [('out', 'x')], [('inout', 'y')])
_pair('second_address', '1x2', [('out', 'x'), ('out', 'y')], [('in', 'z'), ('in', 'y')])
_pair('out_all_memory', '1x2', [('out', model.ALL_MEMORY)], [('in', 'x')])
_pair('inout_all_memory', '1x2', [('in', 'x')], [('inout', model.ALL_MEMORY)])
_pair('iterators', '1x2', [('out', i) for i in range(4)], [('in', 2)])
_pair('depend_objects', '1x2', [('inout', 'x')], [('in', 'x')])


@first('1x4 1x8')
def taskwait_depend(t, T):
    t.create_task(all_work(2), depend=[('out', 'x')])
    t.create_task(all_work(4), depend=[('out', 'y')])
    yield from t.work(1)
    yield from t.taskwait_depend(('in', 'x'))
    yield from t.work(3)
    yield from t.taskwait()


@shape('1x2 1x4', '2x2')
def taskwait_depend_two(t, T):
    def first(t):
        t.create_task(all_work(1), depend=[('out', 'x')])
        t.create_task(all_work(2), depend=[('inout', 'x'), ('out', 'y')])
        yield from t.work(2)
        yield from t.taskwait_depend(('in', 'y'))
        yield from t.work(2)

    def others(t):
        if t.number > 1:
            yield from t.work(5)
    yield from t.parallel(T, first_thread(first, others))


@first('1x2 1x4 1x8', '2x2', anywhere=True)
def task_chain(t, T):
    create(t, 5, all_work(1), depend=[('inout', 'x')])
    yield from t.taskwait()
    yield from t.work(1)


@first('1x2 1x4', anywhere=True)
def fan(t, T):
    t.create_task(all_work(1), depend=[('out', 'x')])
    for i in range(T):
        t.create_task(all_work(1 + i % 2), depend=[('in', 'x')])
    t.create_task(all_work(1), depend=[('inout', 'x')])
    yield from ()


@first('1x2 1x4', anywhere=True)
def mutexinoutset(t, T):
    create(t, 3, all_work(1), depend=[('mutexinoutset', 'x')])
    t.create_task(all_work(1), depend=[('in', 'x')])
    yield from ()


@first('1x2 1x4', anywhere=True)
def wavefront(t, T):
    for row in range(2):
        for column in range(4):
            t.create_task(all_work(1), depend=[
                ('in', (0, column)), ('in', (row, max(0, column - 1))),
                ('inout', (row, column))])
    yield from ()


@team('1x2 1x4')
def other_parents(t, T):
    t.create_task(all_work(2), depend=[('inout', 'x')])
    yield from t.undeferred(all_work(1), [('inout', 'x')])


@first('1x4', anywhere=True)
def children(t, T):
    def parent(t):
        yield from t.work(1)
        t.create_task(all_work(4), depend=[('inout', 'y')])

    t.create_task(parent, depend=[('out', 'x')])
    t.create_task(all_work(2), depend=[('in', 'x'), ('inout', 'y')])
    yield from t.work(0.5)


@shape('1x4', '2x4', environment={'OMP_MAX_ACTIVE_LEVELS': '2'})
def nested_teams(t, T):
    def outer(t):
        number = t.number

        def inner(t):
            if t.number == 0:
                create(t, 2, all_work(1 + number))
            yield from t.omp_barrier()
            if t.number == 1 - number:
                yield from t.work(1)
        yield from t.work(1)
        yield from t.parallel(2, inner)
        yield from t.work(1)
    yield from t.parallel(2, outer)


@shape('1x4')
def regions(t, T):
    event = model.Event()

    def body(t):
        if t.number == 0:
            t.create_task(all_work(3), depend=[('out', 'x')])
            yield from t.work(1)
            t.start('depend')
            yield from t.undeferred(all_work(1), [('in', 'x')])
            t.stop('depend')
            t.start('detach')
            t.create_task(all_work(0), detach=event)
            yield from t.taskwait()
            yield from t.work(1)
            t.stop('detach')
        elif t.number > 1:
            yield from t.work(6)
            if t.number == 2:
                t.fulfil(event)
            yield from t.work(1)
    yield from t.parallel(T, body)


# --- MPI in tasks -----------------------------------------------------------


def _message(t):
    rank = t.process.rank
    yield from t.work(1 if rank % 2 == 0 else 3)
    yield from t.sendrecv(rank ^ 1, rank ^ 1, 1)


@shape('', '2x2', '2x2')
def detach_message(t, T):
    event = model.Event()

    def first(t):
        t.create_task(all_work(0.5), detach=event)
        yield from t.taskwait()
        yield from t.work(2)

    def others(t):
        yield from _message(t)
        t.fulfil(event)
        yield from t.work(0.5)
    yield from t.parallel(T, first_thread(first, others))


@first('', '2x2', '2x2')
def message_depend(t, T):
    t.create_task(_message, depend=[('out', 'x')])
    yield from t.work(0.5)
    yield from t.undeferred(all_work(2), [('in', 'x')])
