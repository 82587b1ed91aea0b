"""Computes what a program of known shape must measure, without the library.

A scenario is a small simulation: threads that work, wait and synchronise. It produces
an execution graph: for each thread a list of points in time, stretches in one state
between them, and edges from point to point where something synchronises. The clocks are
the heaviest paths in that graph, computed after the simulation. The metrics follow from
them by the formulas of docs/metrics.md, implemented independently.

Times are in units; only ratios are compared.
"""

from expectation import (  # noqa: F401  for those who use the model
    GLOBAL, MPI, OMP, UNDETERMINED, USEFUL, Expectation, overlap)
from waits import (  # noqa: F401
    ALL_MEMORY, Collective, CollectiveRequest, Event, Group, Lock, Message, Receive, Task,
    Team)


class Point:
    """The end of a stretch of a thread, and the edges that arrive there."""
    __slots__ = ('thread', 'time', 'state', 'edges', 'fork', 'last', 'off_line')

    def __init__(self, thread, time, state, edges):
        self.thread, self.time, self.state, self.edges = thread, time, state, edges
        self.fork = None      # of the team that the thread joins here
        self.last = False      # of its thread
        self.off_line = False  # an MPI call begins in a team of two or more


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

    def point(self, edges=()):
        p = Point(self, self.sim.now, self.state, list(edges))
        self.sim.points.append(p)
        return p

    def switch(self, state, edges=()):
        p = self.point(edges)
        if state == MPI:
            self.mpi_calls.append(self.sim.now)
            p.off_line = self.team is not None and self.team.has_others
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

    def in_mpi(self, units):
        """A call that takes so long, with which nobody else has to do."""
        before = self.state
        self.switch(MPI)
        yield from self.work(units)
        self.switch(before)

    def sends_may_wait(self):
        """MPI makes standard sends of the program wait for their receivers, or does not.
        What they wait is transfer, because no clock tells it."""
        self.sim.sends_may_wait = True

    def isend(self, to, tag=0, comm=0):
        before = self.state
        entry = self.switch(MPI)
        message = Message(self.process.rank, tag, comm, entry)
        self.sim.deliver(to, message)
        self.switch(before)
        return message

    def send(self, to, tag=0, comm=0):
        """Eager, as small messages are: does not wait."""
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

    def file_call(self, moves_data=False):
        """A collective call of MPI-IO, which waits for all and has no edges."""
        request = self.collective('all')
        entry = yield from self._mpi(request.done)
        call = [entry.time, self.sim.now]
        self.process.in_files.append(call)
        if not moves_data:
            self.process.unknown.append(call)

    def local_call(self, units):
        """A call of MPI that works on data alone."""
        yield from self._mpi(self.sim.now + units)

    # -- OpenMP -------------------------------------------------------------

    def parallel(self, threads, body):
        """`body(thread)` by a team: this thread and others of the process."""
        process = self.process
        outer, number, task = self.team, self.number, self.task
        team = Team(threads, outer)
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
        worker.switch(USEFUL, [('omp', fork)]).fork = fork
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
        """A task that a thread of the runtime executes, which is no member of the
        process."""
        task = self._new_task(body)
        helper = Thread(self.process)
        helper.team = self.team
        self.sim.spawn(helper._execute(task))

    def undeferred(self, body, depend=()):
        """An undeferred task: the thread that encounters it executes it at once."""
        task = self._new_task(body, depend=depend)
        if not task.ready():
            self.switch(OMP)
            yield from self._help_until(task.ready)
            self.switch(USEFUL, [('omp', p) for p in task.comes_after()])
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
        """Discards the tasks of its group that have not begun."""
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
        """Depends on the release that it waits for; on nobody if it does not wait."""
        since = self.sim.now
        self.switch(OMP)
        yield lambda: not lock.held
        lock.held = True
        waits = self.sim.now > since
        self.switch(USEFUL, [('omp', lock.released)] if waits else [])

    def release(self, lock):
        lock.released = self.point()
        lock.held = False

    def acquire_ordered(self, lock, turn):
        self.switch(OMP)
        yield lambda: lock.turn == turn
        self.switch(USEFUL, [('omp', lock.released)] if lock.released else [])

    def release_ordered(self, lock):
        lock.released = self.point()
        lock.turn += 1

    def source(self, posted, iteration):
        posted[iteration] = self.point()

    def sink(self, posted, iteration):
        """`posted`: the iterations of a doacross loop that have reached their
        source."""
        if iteration < 0:
            return
        self.switch(OMP)
        yield lambda: iteration in posted
        self.switch(USEFUL, [('omp', posted[iteration])])


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
        self.unknown = []    # calls in MPI whose partners' clocks are not known
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
    `blocking`: see Collective.waits_for(). `anywhere`: any thread may execute a task,
    and the times of a thread depend on which tasks it executes. `hosts`: the host of each
    rank.
    """

    def __init__(self, ranks, threads, program, mpi=True, openmp=True, blocking=None,
                 anywhere=False, hosts=None):
        self.now = 0
        self.points = []  # in the order of creation
        self.mpi, self.openmp = mpi, openmp
        self.anywhere = anywhere
        self.hosts = hosts or [''] * ranks
        self.sends_may_wait = False  # standard sends: MPI decides
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
            thread.point().last = True

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
