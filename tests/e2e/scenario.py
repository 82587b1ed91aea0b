"""Scenarios, and the parts that they are made of: see scenarios.py."""

import dataclasses
import typing

import model

SCENARIOS = []


@dataclasses.dataclass
class Scenario:
    name: str
    group: str
    program: str
    run: typing.Callable            # run(thread, ranks, threads), a generator
    sizes: dict                     # MPI (or 'none'): [(ranks, threads), ...]
    unit_us: int = 70000
    threads: typing.Callable = None  # of a rank, where ranks differ: (rank, threads)
    openmp: bool = False
    gcc: bool = False               # its OpenMP is GCC's: LLVM's runtime is preloaded
    environment: dict = dataclasses.field(default_factory=dict)
    exit_status: int = 0
    # What an implementation waits for beyond the edges that the standard guarantees.
    blocking: dict = dataclasses.field(default_factory=dict)
    # Of its program: without it there is no such shape.
    mpi_function: str = ''
    # Any thread may execute a task, and it makes a difference which one does.
    anywhere: bool = False
    # Who comes first, how often a thread polls, or that an MPI call takes some time at
    # all, decides: it is run by the machine's time only.
    machine_time: bool = False

    # The name of the host on which a rank believes to be: (rank, ranks). None: all are on
    # one host, this machine.
    hosts: typing.Callable = None

    def hosts_of(self, ranks):
        """The host of each rank; '' is this machine."""
        return [self.hosts(rank, ranks) if self.hosts else '' for rank in range(ranks)]

    def simulate(self, mpi, ranks, threads):
        count = threads
        if self.threads is not None:
            count = lambda rank: self.threads(rank, threads)
        return model.Simulation(
            ranks, count, lambda thread: self.run(thread, ranks, threads),
            mpi=mpi != 'none', openmp=self.openmp, blocking=self.blocking.get(mpi),
            anywhere=self.anywhere, hosts=self.hosts_of(ranks))


def parse_sizes(text):
    return [tuple(int(n) for n in size.split('x')) for size in text.split()]


def add(group, program, run, openmpi, mpich, none='', **rest):
    sizes = {'openmpi': parse_sizes(openmpi), 'mpich': parse_sizes(mpich), 'none': parse_sizes(none)}
    SCENARIOS.append(Scenario(rest.pop('name', run.__name__), group, program, run, sizes, **rest))


# Threads that sleep in a barrier are not always woken for a new task. With these
# settings they poll for work, and yield.
TASK_ENVIRONMENT = {'OMP_WAIT_POLICY': 'active', 'KMP_BLOCKTIME': 'infinite'}


def high(rank, ranks):
    return rank / (ranks - 1) if ranks > 1 else 1


def level(thread):
    n = thread.team.threads
    return thread.number / (n - 1) if n > 1 else 1


def openmp_shapes(group, program, unit_us=70000, environment=None):
    """A decorator for the models run(thread, threads) of such a program's shapes."""
    def shape(none, openmpi='', mpich='', **rest):
        rest['environment'] = {**(environment or {}), **rest.get('environment', {})}

        def decorate(run):
            def program_of(t, P, T):
                yield from run(t, T)
                yield from mpi_barrier(t)
            add(group, program, program_of, openmpi, mpich, none,
                **{'name': run.__name__, 'unit_us': unit_us, 'openmp': True, **rest})
            return run
        return decorate
    return shape


def team_of(shape):
    """Such a decorator, of what each thread of a team does: body(thread, threads)."""
    def team(*sizes, **rest):
        def decorate(body):
            def run(t, T):
                yield from t.parallel(T, lambda t: body(t, T))
            shape(*sizes, **{'name': body.__name__, **rest})(run)
            return body
        return decorate
    return team


def all_work(units):
    def body(t):
        yield from t.work(units)
    return body


def by_level(base, step):
    def body(t):
        yield from t.work(base + step * level(t))
    return body


def mpi_barrier(t):
    """MPI_Barrier, which programs without MPI do not have."""
    if t.sim.mpi:
        yield from t.barrier()


# --- decorators, one for each program ----------------------------------------


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
            openmpi, mpich, none, **{'name': run.__name__, **rest}, openmp=True,
            environment=environment)
        return run
    return decorate


def everyone(ranks, rank):
    return ranks


# MPICH's Scan and Exscan are recursive doubling: all wait for all.
SYMMETRIC_SCAN = {'mpich': {'scan': everyone, 'exscan': everyone}}
