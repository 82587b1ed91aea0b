"""Programs that use GCC's OpenMP, under LLVM's runtime, which has GCC's entry points
and is preloaded next to the library. Without the library they use GCC's runtime, so
their output must be the same with both runtimes.
"""

import dataclasses

import hybrid_scenarios  # noqa: F401  they add what is compiled by GCC here
import model
import omp_scenarios  # noqa: F401
from scenario import SCENARIOS, TASK_ENVIRONMENT, add, all_work, by_level, mpi_barrier

LANGUAGES = ('c', 'cxx', 'fortran')


def gcc(openmpi, mpich, none, tasks=False, **rest):
    """A shape of gcc_shapes.h, in each language."""
    def decorate(run):
        environment = dict(TASK_ENVIRONMENT if tasks else {})
        environment.update(rest.pop('environment', {}))
        for language in LANGUAGES:
            # The languages differ only in their OpenMP code, which shows without MPI
            # and with the most threads.
            first = language == 'c'
            add(
                'gcc_' + language, 'gcc_' + language,
                lambda t, P, T: _with_barrier(t, run(t, T)), openmpi if first else '',
                mpich if first else '', none if first else none.split()[-1],
                name=run.__name__, openmp=True, gcc=True, environment=environment,
                # Waiting threads occupy cores.
                unit_us=120000 if tasks else 70000, **rest)
        return run
    return decorate


def _with_barrier(t, body):
    yield from body
    yield from mpi_barrier(t)


@gcc('2x2', '2x2', '1x2 1x4', environment={'OMP_SCHEDULE': 'dynamic,1'})
def schedules(t, T):
    def body(t):
        yield from by_level(1, 2)(t)
        yield from t.omp_barrier()
        for _ in range(8):
            yield from t.work(1)
            yield from t.omp_barrier()
    yield from t.parallel(T, body)
    for _ in range(4):
        yield from t.parallel(T, all_work(1))


@gcc('2x2', '2x2', '1x2 1x4')
def sections(t, T):
    def body(t):
        yield from t.work(4 / T)
        yield from t.omp_barrier()

    def unequal(t):
        # In the program, the first thread to arrive has the long section. The threads
        # are alike, so in the model it is thread 0.
        yield from t.work(2 if t.number == 0 else 1 if t.number == 1 else 0)
    yield from t.parallel(T, body)
    yield from t.parallel(T, unequal)


@gcc('2x2', '2x2', '1x2 1x4')
def singles(t, T):
    def body(t):
        for _ in range(2):
            yield from by_level(1, 3)(t)
            if t.number == 0:
                yield from t.work(2)
            yield from t.omp_barrier()
        yield from by_level(1, 3)(t)
        yield from t.work(2 if t.number == 0 else 1)
    yield from t.parallel(T, body)


@gcc('2x2', '2x2', '1x2 1x4')
def critical(t, T):
    lock = model.Lock()

    def body(t):
        yield from t.work(1)
        yield from t.acquire(lock)
        yield from t.work(5 / T)
        t.release(lock)
    yield from t.parallel(T, body)


@gcc('2x2', '2x2', '1x2 1x4')
def ordered(t, T):
    lock = model.Lock()

    def body(t):
        yield from t.work(1)
        yield from t.acquire_ordered(lock, t.number)
        yield from t.work(5 / T)
        t.release_ordered(lock)
    yield from t.parallel(T, body)


# The primary thread has more work than the chain of tasks, so the longest path is the
# same with and without the edges between the tasks.
@gcc('2x2', '2x2', '1x2 1x4', tasks=True)
def dependences(t, T):
    def body(t):
        if t.number == 0:
            yield from t.work(1)
            for units in (2, 2, 1):
                t.create_task(all_work(units))
            yield from t.work(7)
            yield from t.taskwait()
            yield from t.work(1)
    yield from t.parallel(T, body)


@gcc('2x2', '2x2', '1x2 1x4', tasks=True)
def taskloop(t, T):
    def create(t):
        for _ in range(2 * T):
            t.create_task(all_work(1.5))
        yield from ()

    def body(t):
        if t.number == 0:
            yield from t.work(1)
            yield from t.taskgroup(create)
            yield from t.work(1)
    yield from t.parallel(T, body)


@gcc('2x2', '2x2', '1x2 1x4')
def reductions(t, T):
    yield from t.parallel(T, by_level(2, 4))
    yield from t.parallel(T, all_work(2))
    yield from t.parallel(T, all_work(2))


def _compiled_by_gcc(scenario):
    """A shape of hybrid_shapes.c compiled by GCC: with each MPI if it calls MPI, else
    with the most threads and with one. Only the compiled OpenMP code differs, which one
    size shows."""
    alone = scenario.sizes['none']
    if alone:
        sizes = {'openmpi': [], 'mpich': [],
                 'none': [size for size in alone if size[1] == 1 or size == alone[-1]]}
    else:
        sizes = {mpi: [size for size in every if size[1] > 1][:1]
                 for mpi, every in scenario.sizes.items()}
    return dataclasses.replace(scenario, group='gcc', program='gcc_hybrid_shapes', gcc=True,
                               sizes=sizes)


SCENARIOS += [_compiled_by_gcc(scenario) for scenario in SCENARIOS
              if scenario.program == 'hybrid_shapes']
