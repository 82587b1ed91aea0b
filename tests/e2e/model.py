"""What a program of known shape must measure, worked out without the library.

A scenario is a small simulation: threads that work, wait and synchronise. It
leaves an execution graph: for each thread a list of points in time, between
them stretches in one state, and edges from point to point where something
synchronises. The clocks are the heaviest paths in that graph, computed when
the simulation is over; the metrics follow from them by the formulas of
docs/metrics.md, written here anew.

Times are in units; only ratios are compared.
"""

USEFUL, MPI, OMP = 'useful', 'mpi', 'omp'
GLOBAL = 'Global'

# A value that the shape does not determine: the ratio of two small numbers.
UNDETERMINED = object()


class Point:
    """The end of a stretch of a thread, and the edges that arrive there."""
    __slots__ = ('thread', 'time', 'state', 'edges', 'serialised')

    def __init__(self, thread, time, state, edges, serialised=False):
        self.thread, self.time, self.state, self.edges = thread, time, state, edges
        self.serialised = serialised  # the stretch was a wait for a lock or a dependence


class Thread:
    """A thread of the simulated program; generators are its calls."""

    def __init__(self, process):
        self.process = process
        self.sim = process.sim
        self.state = OMP   # a core that has no thread yet is idle
        self.number = 0    # in its team
        self.team = None
        self.task = Task(None)
        self.mpi_calls = []  # when

    # -- the graph ----------------------------------------------------------

    def point(self, edges=(), serialised=False):
        p = Point(self, self.sim.now, self.state, list(edges), serialised)
        self.sim.points.append(p)
        return p

    def switch(self, state, edges=(), serialised=False):
        p = self.point(edges, serialised)
        if state == MPI:
            self.mpi_calls.append(self.sim.now)
        self.state = state
        return p

    # -- the program's own work ---------------------------------------------

    def work(self, units):
        yield self.sim.now + units

    def start(self, name):
        self.process.start_region(name)

    def stop(self, name):
        self.process.stop_region(name)

    # -- MPI: point to point ------------------------------------------------

    def _mpi(self, ready=None, edges=None):
        """An MPI call that waits for ready() and then has these edges."""
        before = self.state
        entry = self.switch(MPI)
        if ready is not None:
            yield ready
        self.switch(before, [('mpi', p) for p in (edges() if edges else ())])
        return entry

    def isend(self, to, tag=0, comm=0):
        before = self.state
        entry = self.switch(MPI)
        message = Message(self.process.rank, tag, comm, entry)
        self.sim.deliver(to, message)
        self.switch(before)
        return message

    def send(self, to, tag=0, comm=0):
        """Eager, as small messages are: nobody waits."""
        self.isend(to, tag, comm)
        return iter(())

    def ssend(self, to, tag=0, comm=0):
        before = self.state
        message = Message(self.process.rank, tag, comm, self.switch(MPI))
        self.sim.deliver(to, message)
        yield lambda: message.receive is not None
        self.switch(before, [('mpi', message.receive.posted)])

    def irecv(self, source=None, tag=None, comm=0):
        before = self.state
        receive = Receive(source, tag, comm, self.switch(MPI))
        self.sim.post(self.process.rank, receive)
        self.switch(before)
        return receive

    def recv(self, source=None, tag=None, comm=0):
        before = self.state
        receive = Receive(source, tag, comm, self.switch(MPI))
        self.sim.post(self.process.rank, receive)
        yield receive.done
        self.switch(before, receive.edges())
        return receive.message

    def wait(self, *requests):
        yield from self._mpi(lambda: all(r.done() for r in requests),
                             lambda: [p for r in requests for _, p in r.edges()])

    def waitany(self, requests):
        """Removes one completed request from the list."""
        before = self.state
        self.switch(MPI)
        yield lambda: any(r.done() for r in requests)
        request = next(r for r in requests if r.done())
        requests.remove(request)
        self.switch(before, request.edges())

    def sendrecv(self, to, source, tag=0, comm=0):
        before = self.state
        entry = self.switch(MPI)
        self.sim.deliver(to, Message(self.process.rank, tag, comm, entry))
        receive = Receive(source, tag, comm, entry)
        self.sim.post(self.process.rank, receive)
        yield receive.done
        self.switch(before, receive.edges())

    # -- MPI: collectives ---------------------------------------------------

    def collective(self, kind, root=0, comm=0, ranks=None):
        """Starts one; the members of `comm` are `ranks` (default: all)."""
        before = self.state
        entry = self.switch(MPI)
        self.switch(before)
        return self.sim.join_collective(kind, root, comm, ranks, self.process.rank, entry)

    def call(self, kind, root=0, comm=0, ranks=None):
        """A blocking collective."""
        request = self.collective(kind, root, comm, ranks)
        yield from self.wait(request)

    def barrier(self, comm=0, ranks=None):
        yield from self.call('all', comm=comm, ranks=ranks)

    def file_call(self, comm=0, ranks=None):
        """A collective call of MPI-IO, which waits for all and has no edges."""
        request = self.collective('all', comm=comm, ranks=ranks)
        entry = yield from self._mpi(request.done)
        self.process.in_files.append([entry.time, self.sim.now])

    # -- OpenMP -------------------------------------------------------------

    def parallel(self, threads, body):
        """`body(thread)` by a team: this thread and others of the process."""
        process = self.process
        outer, number, task = self.team, self.number, self.task
        team = Team(threads)
        fork = self.switch(OMP)
        if outer is None:
            process.instances.append([self.sim.now, None])
        workers = process.take_workers(threads - 1)
        for i, worker in enumerate(workers):
            worker.team, worker.number, worker.task = team, i + 1, Task(None)
            self.sim.spawn(self._worker(worker, fork, body))
        self.team, self.number, self.task = team, 0, Task(None)
        self.switch(USEFUL, [('omp', fork)])
        yield from body(self)
        arrivals = yield from self._arrive()
        self.team, self.number, self.task = outer, number, task
        process.idle_workers += workers
        if outer is None:
            process.instances[-1][1] = self.sim.now
        self.switch(USEFUL, arrivals)

    @staticmethod
    def _worker(worker, fork, body):
        worker.switch(USEFUL, [('omp', fork)])
        yield from body(worker)
        yield from worker._arrive()

    def _arrive(self):
        """Waits in a barrier, executing tasks; the state is then still OMP."""
        team = self.team
        generation = team.generation
        team.arrived.append(self.switch(OMP))

        def complete():
            return len(team.arrived) == team.threads and team.unfinished == 0
        yield from self._help_until(lambda: team.left(generation) or complete())
        if not team.left(generation):
            team.leave()
        return [('omp', p) for p in team.releases[generation]]

    def omp_barrier(self):
        edges = yield from self._arrive()
        self.switch(USEFUL, edges)

    # -- OpenMP: tasks ------------------------------------------------------

    def _help_until(self, done):
        """Executes tasks until done(): the state is that of the wait."""
        team = self.team
        while not done():
            task = team.ready_task()
            if task is not None:
                team.queue.remove(task)
                yield from self._execute(task)
            else:
                yield lambda: done() or team.ready_task() is not None

    def _new_task(self, body, group=None, depend=(), detach=None):
        task = Task(self.task, body, self.point(), group or self.task.group, depend)
        task.team = self.team
        self.task.dependents.append(task)
        self.team.unfinished += 1
        self.task.unfinished += 1
        if task.group is not None:
            task.group.unfinished += 1
        if detach is not None:
            task.event, detach.task = detach, task
        return task

    def create_task(self, body, group=None, depend=(), detach=None):
        """`depend`: (type, address) of each dependence; `detach`: an Event."""
        self.team.queue.append(self._new_task(body, group, depend, detach))

    def helper_task(self, body):
        """One that a thread of the runtime's own executes: it is no member."""
        task = self._new_task(body)
        helper = Thread(self.process)
        helper.team = self.team
        self.sim.spawn(helper._execute(task))

    def undeferred(self, body, depend=()):
        """A task that this thread executes where it meets it."""
        task = self._new_task(body, depend=depend)
        if not task.ready():
            self.switch(OMP)
            yield from self._help_until(task.ready)
            self.switch(USEFUL, serialised=True)
        yield from self._execute(task)

    def taskwait_depend(self, *depend):
        yield from self.undeferred(lambda t: iter(()), depend)

    def _execute(self, task):
        outer = self.task
        self.task = task
        before = self.state
        for lock in task.exclusive():
            lock.held = True
        self.switch(USEFUL, [('omp', p) for p in [task.created] + task.comes_after()])
        yield from task.body(self)
        task.completion.append(self.switch(before))
        self.task = outer
        if task.event is None or task.event.fulfilled is not None:
            self._complete(task)

    def fulfil(self, event):
        event.fulfilled = self.point()
        if event.task.completion:
            self._complete(event.task)

    @staticmethod
    def _complete(task):
        if task.event is not None:
            task.completion.append(task.event.fulfilled)
        task.complete = True
        for lock in task.exclusive():
            lock.held = False
            lock.released = task.completion
        for waiting in (task.team, task.parent, task.group):
            if waiting is not None:
                waiting.unfinished -= 1
                waiting.ends += task.completion

    def cancel_taskgroup(self):
        """Those of its tasks that have not begun are no more."""
        team = self.team
        for task in [t for t in team.queue if t.group is self.task.group]:
            team.queue.remove(task)
            self._complete(task)

    def _wait_for_tasks(self, owner):
        self.switch(OMP)
        yield from self._help_until(lambda: not owner.unfinished)
        self.switch(USEFUL, [('omp', p) for p in owner.ends])

    def taskwait(self):
        yield from self._wait_for_tasks(self.task)

    def taskgroup(self, body):
        outer = self.task.group
        self.task.group = group = Group()
        yield from body(self)
        yield from self._wait_for_tasks(group)
        self.task.group = outer

    # -- OpenMP: locks and loops --------------------------------------------

    def acquire(self, lock):
        self.switch(OMP)
        yield lambda: not lock.held
        lock.held = True
        self.switch(USEFUL, [('omp', lock.released)] if lock.released else [], serialised=True)

    def release(self, lock):
        lock.released = self.point()
        lock.held = False

    def acquire_ordered(self, lock, turn):
        self.switch(OMP)
        yield lambda: lock.turn == turn
        self.switch(USEFUL, [('omp', lock.released)] if lock.released else [], serialised=True)

    def release_ordered(self, lock):
        lock.released = self.point()
        lock.turn += 1

    def source(self, posted, iteration):
        posted[iteration] = self.point()

    def sink(self, posted, iteration):
        """`posted`: the iterations of a doacross loop that have got there."""
        if iteration < 0:
            return
        self.switch(OMP)
        yield lambda: iteration in posted
        self.switch(USEFUL, [('omp', posted[iteration])], serialised=True)


# Two dependences of siblings on one address that have no order.
UNORDERED = {('in', 'in'), ('inoutset', 'inoutset'), ('mutexinoutset', 'mutexinoutset')}
ALL_MEMORY = object()  # as an address


class Task:
    def __init__(self, parent, body=None, created=None, group=None, depend=()):
        self.parent, self.body, self.created, self.group = parent, body, created, group
        self.team = None
        self.unfinished = 0
        self.ends = []
        self.event = None
        self.complete = False
        self.completion = []  # the end of its body, and who has fulfilled its event
        self.depend = depend
        self.dependents = []  # its children, in the order of creation
        self.exclusions = {}  # address: Lock, of children that exclude each other
        self.predecessors = []
        if parent is not None:
            self.predecessors = [t for t in parent.dependents if self._depends_on(t)]

    def _depends_on(self, earlier):
        return any((a == b or ALL_MEMORY in (a, b)) and (before, after) not in UNORDERED
                   for before, a in earlier.depend for after, b in self.depend)

    def exclusive(self):
        return [self.parent.exclusions.setdefault(address, Lock())
                for kind, address in self.depend if kind == 'mutexinoutset']

    def ready(self):
        return (all(t.complete for t in self.predecessors) and
                not any(lock.held for lock in self.exclusive()))

    def comes_after(self):
        points = [p for t in self.predecessors for p in t.completion]
        return points + [p for lock in self.exclusive() for p in lock.released or ()]


class Event:
    """What a detached task waits for after its body."""

    def __init__(self):
        self.task = None
        self.fulfilled = None


class Group:
    def __init__(self):
        self.unfinished = 0
        self.ends = []


class Lock:
    def __init__(self):
        self.held = False
        self.released = None
        self.turn = 0


class Team:
    def __init__(self, threads):
        self.threads = threads
        self.generation = 0
        self.arrived = []
        self.releases = {}
        self.queue = []
        self.unfinished = 0
        self.ends = []
        self.shared = {}  # for the scenario: locks and the like

    def ready_task(self):
        return next((task for task in self.queue if task.ready()), None)

    def left(self, generation):
        return self.generation > generation

    def leave(self):
        self.releases[self.generation] = self.arrived + self.ends
        self.arrived = []
        self.ends = []
        self.generation += 1


class Message:
    def __init__(self, source, tag, comm, sent):
        self.source, self.tag, self.comm, self.sent = source, tag, comm, sent
        self.receive = None


class Receive:
    def __init__(self, source, tag, comm, posted):
        self.source, self.tag, self.comm, self.posted = source, tag, comm, posted
        self.message = None

    def accepts(self, message):
        return (self.comm == message.comm and self.source in (None, message.source) and
                self.tag in (None, message.tag))

    def match(self, message):
        self.message = message
        message.receive = self

    def done(self):
        return self.message is not None

    def edges(self):
        return [('mpi', self.message.sent)]


class Collective:
    """One instance: who has entered, and whom each member depends on."""

    def __init__(self, kind, root, ranks, blocking):
        self.kind, self.root, self.ranks = kind, root, ranks
        self.blocking = blocking
        self.entered = {}

    def sources(self, rank):
        """The ranks whose entry precedes rank's completion, by MPI's words."""
        place = self.ranks.index(rank)
        return {
            'all': self.ranks,
            'from root': [self.root] if rank != self.root else [],
            'to root': self.ranks if rank == self.root else [],
            'scan': self.ranks[:place + 1],
            'exscan': self.ranks[:place],
            # Between the even and the odd ranks, on an intercommunicator.
            'inter': [r for r in self.ranks if (r - rank) % 2 == 1],
            'inter from root': [self.root] if (self.root - rank) % 2 == 1 else [],
            'inter to root':
                [r for r in self.ranks if (r - rank) % 2 == 1] if rank == self.root else [],
        }[self.kind]

    def waits_for(self, rank):
        """Those whose entry this implementation waits for: what it waits for
        beyond sources() is time, but no edge."""
        if self.kind in self.blocking:
            return self.blocking[self.kind](self.ranks, rank)
        return self.sources(rank)


class CollectiveRequest:
    def __init__(self, collective, rank):
        self.collective, self.rank = collective, rank

    def done(self):
        c = self.collective
        return all(r in c.entered for r in c.waits_for(self.rank))

    def edges(self):
        c = self.collective
        return [('mpi', c.entered[r]) for r in c.sources(self.rank) if r != self.rank]


class Process:
    def __init__(self, sim, rank, threads):
        self.sim, self.rank = sim, rank
        self.threads = [Thread(self) for _ in range(threads)]
        self.primary = self.threads[0]
        self.primary.state = USEFUL
        self.idle_workers = self.threads[1:]
        self.regions = {}    # name: [[start, stop], ...]
        self.depth = {}
        self.instances = []  # of outermost parallel regions: [begin, end]
        self.in_files = []   # calls of MPI-IO: [begin, end]
        self.end = None

    def take_workers(self, count):
        workers, self.idle_workers = self.idle_workers[:count], self.idle_workers[count:]
        assert len(workers) == count, 'the scenario uses more threads than it declares'
        return workers

    def start_region(self, name):
        self.depth[name] = self.depth.get(name, 0) + 1
        if self.depth[name] == 1:
            self.regions.setdefault(name, []).append([self.sim.now, None])

    def stop_region(self, name):
        self.depth[name] -= 1
        if self.depth[name] == 0:
            self.regions[name][-1][1] = self.sim.now


class Simulation:
    """Runs `program(thread)` on each of `ranks` processes.

    `threads` is the number of threads of a process, or a function of its rank.
    `blocking`: see Collective.waits_for(). `anywhere`: which thread executes a
    task makes a difference to that thread, and is not determined.
    """

    def __init__(self, ranks, threads, program, mpi=True, openmp=True, blocking=None,
                 anywhere=False):
        self.now = 0
        self.points = []  # in the order in which they came to be
        self.mpi, self.openmp = mpi, openmp
        self.anywhere = anywhere
        self.blocking = blocking or {}
        self._runnable = []
        self._posted = {r: [] for r in range(ranks)}
        self._unexpected = {r: [] for r in range(ranks)}
        self._collectives = {}
        self._calls = {}
        count = threads if callable(threads) else lambda rank: threads
        self.processes = [Process(self, r, count(r)) for r in range(ranks)]
        for process in self.processes:
            process.start_region(GLOBAL)
            self.spawn(self._main(process, program))
        self._run()

    def _main(self, process, program):
        yield from program(process.primary)
        for name, depth in process.depth.items():
            if depth > 0:  # never stopped: it ends with the program
                process.regions[name][-1][1] = self.now
        process.end = self.now
        for thread in process.threads:
            thread.point()

    # -- the kernel ---------------------------------------------------------

    def spawn(self, generator):
        self._runnable.append([generator, None])

    def _run(self):
        while self._runnable:
            progress = False
            for entry in list(self._runnable):
                generator, waits = entry
                if callable(waits):
                    ready = waits()
                else:
                    ready = waits is None or waits <= self.now
                if not ready:
                    continue
                progress = True
                try:
                    entry[1] = next(generator)
                except StopIteration:
                    self._runnable.remove(entry)
            if not progress:
                times = [w for _, w in self._runnable if not callable(w)]
                assert times, 'the scenario deadlocks'
                self.now = min(times)

    # -- MPI ----------------------------------------------------------------

    def deliver(self, to, message):
        for receive in self._posted[to]:
            if receive.accepts(message):
                self._posted[to].remove(receive)
                receive.match(message)
                return
        self._unexpected[to].append(message)

    def post(self, rank, receive):
        for message in self._unexpected[rank]:
            if receive.accepts(message):
                self._unexpected[rank].remove(message)
                receive.match(message)
                return
        self._posted[rank].append(receive)

    def has_message(self, rank, source=None, tag=None, comm=0):
        probe = Receive(source, tag, comm, None)
        return any(probe.accepts(m) for m in self._unexpected[rank])

    def join_collective(self, kind, root, comm, ranks, rank, entry):
        ranks = list(range(len(self.processes))) if ranks is None else ranks
        call = self._calls[rank, comm] = self._calls.get((rank, comm), -1) + 1
        c = self._collectives.setdefault((comm, call),
                                         Collective(kind, root, ranks, self.blocking))
        assert (c.kind, c.root) == (kind, root), 'ranks disagree about a collective'
        c.entered[rank] = entry
        return CollectiveRequest(c, rank)

    # -- what it measures ---------------------------------------------------

    def region_names(self):
        return sorted({name for p in self.processes for name in p.regions})

    def expectation(self, name):
        return Expectation(self, name)


def overlap(a, b, intervals):
    return sum(max(0, min(b, end) - max(a, begin)) for begin, end in intervals)


def heaviest_paths(sim, name):
    """The G clocks, and the largest PL-CUE, of a region."""
    counts = {'cue': (USEFUL,), 'coo': (USEFUL, MPI), 'all': (USEFUL, MPI, OMP)}
    last = {}      # thread: its last point
    clock = {}     # point: {(scope, kind): weight}
    heaviest = {(scope, kind): 0 for scope in ('pl', 'g') for kind in counts}
    for p in sim.points:
        intervals = p.thread.process.regions.get(name, [])
        before = last.get(p.thread)
        began = before.time if before else 0
        weight = overlap(began, p.time, intervals)
        here = {}
        for scope, kind in heaviest:
            value = clock[before][scope, kind] if before else 0
            value += weight if p.state in counts[kind] else 0
            for edge, source in p.edges:
                if edge == 'omp' or scope == 'g':
                    value = max(value, clock[source][scope, kind])
            here[scope, kind] = value
            heaviest[scope, kind] = max(heaviest[scope, kind], value)
        clock[p] = here
        last[p.thread] = p
    return (heaviest['g', 'cue'], heaviest['g', 'coo'], heaviest['g', 'all'],
            heaviest['pl', 'cue'])


def mpi_of_primary(sim, in_parallel):
    """For each process, when its primary thread was in MPI, inside parallel
    regions too or outside them only."""
    result = {process: [] for process in sim.processes}
    began = {}
    for p in sim.points:
        process = p.thread.process
        if p.thread is not process.primary:
            continue
        begin, end = began.get(process, 0), p.time
        began[process] = end
        inside = overlap(begin, end, process.instances) > 0
        if p.state == MPI and end > begin and (in_parallel or not inside):
            result[process].append((begin, end))
    return result


def path_outside_mpi(sim, name, in_mpi):
    """G-COM or G-COMP: one line for each process, which MPI edges alone
    synchronise."""
    com = {process: 0 for process in sim.processes}
    at = {process: 0 for process in sim.processes}
    value = {}
    for p in sim.points:
        process = p.thread.process
        for begin, end in process.regions.get(name, []):
            a, b = max(begin, at[process]), min(end, p.time)
            if b > a:
                com[process] += (b - a) - overlap(a, b, in_mpi[process])
        at[process] = p.time
        for edge, source in p.edges:
            if edge == 'mpi':
                com[process] = max(com[process], value[source])
        value[p] = com[process]
    return max(com.values())


def ratio(part, whole, scale):
    """Undetermined where both are as small as what calls and noise take."""
    if part is UNDETERMINED or whole is UNDETERMINED:
        return UNDETERMINED
    if part is None or whole is None:
        return None
    if whole <= 0.02 * scale:
        return UNDETERMINED
    return part / whole


def product(*factors):
    if UNDETERMINED in factors:
        return UNDETERMINED
    value = 1
    for factor in factors:
        value *= factor
    return value


# The rows that compare threads with each other, or with a clock.
OF_SINGLE_THREADS = {
    'pop': ['load_balance', 'communication_efficiency', 'serialisation_efficiency'],
    'critical_path': [
        'load_balance', 'communication_efficiency', 'serialisation_efficiency',
        'mpi_load_balance', 'mpi_parallel_efficiency',
        'openmp_load_balance', 'openmp_parallel_efficiency',
        'openmp_serialisation_efficiency', 'openmp_communication_efficiency'],
    'multiplicative': ['load_balance', 'communication_efficiency', 'openmp_load_balance',
                       'openmp_communication_efficiency'],
    'additive': ['openmp_region_load_balance', 'openmp_region_scheduling_efficiency'],
    'talp': ['openmp_load_balance', 'openmp_scheduling_efficiency'],
}


class Expectation:
    """What the report must say of one region."""

    def __init__(self, sim, name):
        self.name = name
        entered = [p for p in sim.processes if name in p.regions]
        self.processes = len(entered)
        self.threads = sum(len(p.threads) for p in entered)
        self.visits = sum(len(p.regions[name]) for p in entered)
        self.cue, self.coo, self.all, self.pl_cue = heaviest_paths(sim, name)
        self.com = path_outside_mpi(sim, name, mpi_of_primary(sim, in_parallel=True))
        self.comp = path_outside_mpi(sim, name, mpi_of_primary(sim, in_parallel=False))

        # Times of threads: {thread: {state: time}}, and of the primary's line.
        time = {t: {USEFUL: 0, MPI: 0, OMP: 0} for p in entered for t in p.threads}
        inside = {t: {USEFUL: 0, MPI: 0, OMP: 0} for t in time}  # parallel regions
        in_instance = {}  # (process, instance): {thread: useful + MPI}
        serialised_in = {}  # likewise: waits for locks and dependences
        began = {}
        for p in sim.points:
            begin, began[p.thread] = began.get(p.thread, 0), p.time
            if p.thread not in time:
                continue
            process = p.thread.process
            for start, stop in process.regions[name]:
                a, b = max(begin, start), min(p.time, stop)
                if b <= a:
                    continue
                time[p.thread][p.state] += b - a
                for i, instance in enumerate(process.instances):
                    part = overlap(a, b, [instance])
                    inside[p.thread][p.state] += part
                    if p.serialised:
                        waits = serialised_in.setdefault((process, i), {})
                        waits[p.thread] = waits.get(p.thread, 0) + part
                    if p.state != OMP:
                        busy = in_instance.setdefault((process, i), {})
                        busy[p.thread] = busy.get(p.thread, 0) + part

        count = {p: len(p.threads) for p in entered}
        total = sum(count.values())
        self.in_files = sum(overlap(*call, p.regions[name]) for p in entered for call in p.in_files)
        elapsed = {p: sum(b - a for a, b in p.regions[name]) for p in entered}
        self.elapsed_max = max(elapsed.values())
        useful = {t: time[t][USEFUL] for t in time}
        serial = {p: useful[p.primary] - inside[p.primary][USEFUL] for p in entered}
        in_mpi = {p: time[p.primary][MPI] - inside[p.primary][MPI] for p in entered}
        outside = {p: elapsed[p] - in_mpi[p] for p in entered}  # serial_p + openmp_p
        openmp = {p: outside[p] - serial[p] for p in entered}

        # Averages weigh a process by its threads.
        def average(values):
            return sum(count[p] * values[p] for p in entered) / total

        def divide(part, whole):
            return ratio(part, whole, self.all)

        run_time = self.all
        avg_useful = sum(useful.values()) / total
        self.useful_max = max_useful = max(useful.values())
        process_max = {p: max(useful[t] for t in p.threads) for p in entered}

        parallel = divide(avg_useful, run_time)
        balance = divide(avg_useful, max_useful)
        communication = divide(max_useful, run_time)
        serialisation = divide(max_useful, self.cue)
        transfer = divide(self.cue, run_time)
        pop = {
            'parallel_efficiency': parallel,
            'load_balance': balance,
            'communication_efficiency': communication,
            'serialisation_efficiency': serialisation,
            'transfer_efficiency': transfer,
        }

        mpi_lb = divide(average(process_max), max_useful)
        mpi_ser = divide(self.pl_cue, self.cue)
        mpi_te = divide(self.cue, self.coo)
        omp_lb = divide(avg_useful, average(process_max))
        omp_ser = divide(max_useful, self.pl_cue)
        omp_te = divide(self.coo, run_time)
        critical_path = dict(pop)
        for prefix, lb, ser, te in (('mpi_', mpi_lb, mpi_ser, mpi_te),
                                    ('openmp_', omp_lb, omp_ser, omp_te)):
            critical_path[prefix + 'load_balance'] = lb
            critical_path[prefix + 'serialisation_efficiency'] = ser
            critical_path[prefix + 'transfer_efficiency'] = te
            critical_path[prefix + 'communication_efficiency'] = product(ser, te)
            critical_path[prefix + 'parallel_efficiency'] = product(lb, ser, te)

        # The population of the MPI rows: the primary threads, and others that
        # call MPI, each with the process's MPI outside parallel regions and its
        # own inside.  Processes count alike.
        callers = {}
        for p in entered:
            others = [t for t in p.threads if t is not p.primary and
                      any(a <= call < b for call in t.mpi_calls for a, b in p.regions[name])]
            own = [outside[p] - inside[t][MPI] for t in others]
            own.append(outside[p] - inside[p.primary][MPI])
            callers[p] = own
        callers_average = sum(sum(own) / len(own) for own in callers.values()) / len(callers)
        callers_max = max(max(own) for own in callers.values())
        ideal = max(self.com, callers_max)
        mpi_parallel = divide(callers_average, run_time)
        mpi_balance = divide(callers_average, callers_max)
        mpi_communication = divide(callers_max, run_time)
        multiplicative = {
            'parallel_efficiency': parallel,
            'load_balance': balance,
            'communication_efficiency': communication,
            'mpi_parallel_efficiency': mpi_parallel,
            'mpi_load_balance': mpi_balance,
            'mpi_communication_efficiency': mpi_communication,
            'mpi_serialisation_efficiency': divide(callers_max, ideal),
            'mpi_transfer_efficiency': divide(ideal, run_time),
            'openmp_parallel_efficiency': ratio(parallel, mpi_parallel, 1),
            'openmp_load_balance': ratio(balance, mpi_balance, 1),
            'openmp_communication_efficiency': ratio(communication, mpi_communication, 1),
        }

        process_level = average(outside)
        longest = max(outside.values())
        omp_useful = {t: useful[t] - (serial[t.process] if t is t.process.primary else 0)
                      for t in time}
        lost_serial = sum(serial[p] * (count[p] - 1) for p in entered) / total
        lost_in_regions = sum(openmp[t.process] - omp_useful[t] for t in time) / total
        # What the parallel regions lost, by source.
        mpi_inside = sum(inside[t][MPI] for t in time) / total
        serialised = sum(sum(waits.values()) for waits in serialised_in.values()) / total
        scheduling = 0
        for p in entered:
            scheduling += count[p] * (time[p.primary][OMP] - inside[p.primary][OMP])
            for i, instance in enumerate(p.instances):
                length = sum(overlap(a, b, [instance]) for a, b in p.regions[name])
                busy, waits = in_instance.get((p, i), {}), serialised_in.get((p, i), {})
                scheduling += count[p] * min(length - busy.get(t, 0) - waits.get(t, 0)
                                             for t in p.threads)
        scheduling /= total
        imbalance = lost_in_regions - mpi_inside - serialised - scheduling
        additive = {
            'openmp_region_load_balance': 1 - imbalance / run_time,
            'openmp_region_serialisation_efficiency': 1 - serialised / run_time,
            'openmp_region_mpi_efficiency': 1 - mpi_inside / run_time,
            'openmp_region_scheduling_efficiency': 1 - scheduling / run_time,
            'openmp_region_start_efficiency': 1,
            'parallel_efficiency': parallel,
            'process_efficiency': process_level / run_time,
            'process_load_balance': 1 - (longest - process_level) / run_time,
            'process_communication_efficiency': longest / run_time,
            'process_transfer_efficiency': self.comp / run_time,
            'process_serialisation_efficiency': 1 - (self.comp - longest) / run_time,
            'thread_efficiency': 1 - (process_level - avg_useful) / run_time,
            'openmp_region_efficiency': 1 - lost_in_regions / run_time,
            'serial_region_efficiency': 1 - lost_serial / run_time,
        }

        # TALP: averages over the threads of a process, then over processes.
        def mean(values):
            return sum(values) / len(values)

        t_u = mean([mean([time[t][USEFUL] for t in p.threads]) for p in entered])
        t_c = mean([mean([time[t][MPI] for t in p.threads]) for p in entered])
        t_i = mean([mean([time[t][OMP] for t in p.threads]) for p in entered])
        t_all = t_u + t_c + t_i
        not_mpi = [elapsed[p] - mean([time[t][MPI] for t in p.threads]) for p in entered]
        scheduling = []
        for p in entered:
            least = 0
            for i, instance in enumerate(p.instances):
                length = sum(overlap(a, b, [instance]) for a, b in p.regions[name])
                busy = in_instance.get((p, i), {})
                least += min(length - busy.get(t, 0) for t in p.threads)
            scheduling.append(least)
        i_sch = mean(scheduling)
        i_in = mean([mean([inside[t][OMP] for t in p.threads]) for p in entered])
        i_serial = t_i - i_in
        i_lb = i_in - i_sch
        talp = {
            'parallel_efficiency': divide(t_u, t_all),
            'mpi_parallel_efficiency': divide(t_all - t_c, t_all),
            'mpi_communication_efficiency': divide(max(not_mpi), t_all),
            'mpi_load_balance': divide(t_all - t_c, max(not_mpi)),
            'mpi_load_balance_in': divide(t_all - t_c, max(not_mpi)),
            'mpi_load_balance_out': 1,  # one node
            'openmp_parallel_efficiency': divide(t_all - t_i, t_all),
            'openmp_serialization_efficiency': divide(t_all - i_serial, t_all),
            'openmp_load_balance': divide(t_all - i_serial - i_lb, t_all - i_serial),
            'openmp_scheduling_efficiency': divide(t_all - t_i, t_all - i_serial - i_lb),
        }

        self.metrics = {'pop': pop, 'critical_path': critical_path,
                        'multiplicative': multiplicative, 'additive': additive, 'talp': talp}
        if sim.anywhere:
            for model, keys in OF_SINGLE_THREADS.items():
                self.metrics[model].update(dict.fromkeys(keys, UNDETERMINED))
        for model, rows in self.metrics.items():
            for key in rows:
                if self._absent(model, key, sim):
                    rows[key] = None

    @staticmethod
    def _absent(model, key, sim):
        """Whether the row belongs to a layer that the program does not have."""
        if model == 'additive':
            layer = {'process': 'mpi', 'thread': 'openmp', 'openmp': 'openmp',
                     'serial': 'openmp'}.get(key.split('_')[0])
        else:
            layer = key.split('_')[0]
        return layer == 'mpi' and not sim.mpi or layer == 'openmp' and not sim.openmp
