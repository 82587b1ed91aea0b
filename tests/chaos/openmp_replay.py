"""The execution graph of an OpenMP program, from the trace of its run. The model of the
end-to-end tests computes the longest paths in it.

Each line of a trace ends a stretch of one thread in one state, as the interpreter has
measured it just outside each construct. Edges follow from the OpenMP specification
(docs/edges.md) and from what happened: which thread executed a task, in which order
locks were taken. The source of an edge is always written before its target.

Whether an acquire has waited follows from the times; close to each other they leave it
open, and then the edge is optional.
"""

import collections
import dataclasses

import model
import openmp_generator as script
import replay

UNSURE_NS = 3000000  # a thread may lose its core between two records

STATES = {'U': model.USEFUL, 'O': model.OMP, 'M': model.MPI}


@dataclasses.dataclass
class Event:
    thread: int
    time: int
    state: str      # that ended
    what: str
    numbers: list
    line: int       # of the script, where that is of interest


def read_trace(path):
    events = []
    with open(path, encoding='utf-8') as file:
        for text in file:
            words = text.split()
            events.append(Event(int(words[0]), int(words[1]), STATES[words[2]], words[3],
                                [int(w) for w in words[4:9]], int(words[9])))
    # The sort is stable: each thread's own events stay in order.
    return sorted(events, key=lambda e: e.time)


@dataclasses.dataclass
class Task:
    created: object               # a point
    barrier: tuple                # (team, number) of the one that comes after it
    group: int
    dependences: dict             # {cell: type}
    before: list                  # siblings that it depends on
    exclusive: list               # siblings that it never runs beside
    children: list = dataclasses.field(default_factory=list)
    by_cell: dict = dataclasses.field(default_factory=dict)  # children: {cell: [(type, task)]}
    ended: bool = False
    ends: list = dataclasses.field(default_factory=list)  # body over, event fulfilled

    def predecessors(self, dependences):
        """The siblings that a new child task depends on, and those that exclude it."""
        before, exclusive = [], []
        for cell, kind in dependences.items():
            for other, task in self.by_cell.get(cell, []):
                if other != kind or kind == script.INOUT:
                    before.append(task)
                elif kind == script.MUTEXINOUTSET:
                    exclusive.append(task)
        return before, exclusive


def new_task(created=None, barrier=None, group=0):
    return Task(created, barrier, group, {}, [], [])


class Process(replay.Process):
    """One rank: its points, and the edges between its threads."""

    def __init__(self, rank, events, lines):
        super().__init__(rank)
        self.lines = lines
        self.tasks = collections.defaultdict(new_task)   # implicit ones, too
        self.forked = {}        # team: point
        self.reached = collections.defaultdict(list)     # (team, barrier): points
        self.to_barrier = collections.defaultdict(list)  # the same: tasks
        self.last_barrier = {}  # team: number
        self.groups = collections.defaultdict(list)      # group: tasks
        self.outer = {}         # group: group
        self.released = {}      # lock, turn: point
        self.releases = collections.defaultdict(list)    # lock: points
        self.begun = {}         # thread: when its last stretch began
        self.failed = {}        # thread: the lock of its last attempt that failed, when
        self.optional = []      # edges: point, source
        self.suspended = {}     # task: point
        self.team_of = {}       # thread: the team that it is in
        self.outer_team = {}    # team: the one that has forked it
        self.alone = {0}        # teams that no second thread is in; 0: none
        self.alone |= {team for team, members in collections.Counter(
            e.numbers[0] for e in events if e.what == 'I').items() if members == 1}
        self.entered, self.left = [], []                 # MPI: (instance, point)
        self.points = []
        while len(self.threads) <= max(e.thread for e in events):
            self.threads.append(replay.Thread(self))
        for event in events:
            thread = self.threads[event.thread]
            point = model.Point(thread, event.time, event.state, [])
            self.points.append(point)
            name = self.NAMES.get(event.what)
            if name:
                sources = getattr(self, '_' + name)(point, event, *event.numbers)
                point.edges += [('omp', source) for source in sources or ()]
            self.begun[event.thread] = event.time
        end = events[-1].time
        for thread in self.threads[1:]:  # idle at the end
            self.points.append(model.Point(thread, end, model.OMP, []))
            self.points[-1].last = True

    NAMES = {'^': 'begin', '$': 'end', 'o': 'open', 'x': 'close', 'F': 'fork', 'I': 'member',
             'B': 'reach', 'b': 'leave', 'P': 'join', 'C': 'create', 'Q': 'queue', 'S': 'start',
             'E': 'finish', 'Y': 'suspend', 'Z': 'resume', 'X': 'fulfil', 'w': 'taskwait',
             'v': 'depend', 'N': 'group', 'g': 'group_end', 'a': 'acquire', 'r': 'release',
             'f': 'fail',
             'e': 'mpi_enter', 'm': 'mpi_leave'}

    def _words(self, event):
        return [word for word in self.lines[event.line - 1].split() if word != '{']

    # -- regions ------------------------------------------------------------

    def _begin(self, point, *_):
        self.start_region(model.GLOBAL, point.time)

    def _end(self, point, *_):
        self.stop_region(model.GLOBAL, point.time)

    def _open(self, point, event, *_):
        self.start_region(self._words(event)[1], point.time)

    def _close(self, point, event, *_):
        self.stop_region(self._words(event)[1], point.time)

    # -- teams --------------------------------------------------------------

    def _fork(self, point, _, team, *__):
        self.forked[team] = point
        self.outer_team[team] = self.team_of.get(point.thread, 0)
        if not self.instances or self.instances[-1][1] is not None:
            self.instances.append([point.time, None])
            self.outermost = team

    def _member(self, point, _, team, *__):
        fork = self.forked[team]
        self.team_of[point.thread] = team
        if point.thread is not fork.thread:
            point.fork = fork
        return [fork]

    def _reach(self, point, _, team, barrier, *__):
        self.reached[team, barrier].append(point)
        self.last_barrier[team] = barrier

    def _left(self, barrier):
        sources = list(self.reached[barrier])
        for task in self.to_barrier[barrier]:
            sources += self._ends(task)
        return sources

    def _leave(self, _, __, team, barrier, *___):
        return self._left((team, barrier))

    def _join(self, point, _, team, *__):
        self.team_of[point.thread] = self.outer_team[team]
        if team == self.outermost:
            self.instances[-1][1] = point.time
        return self._left((team, self.last_barrier[team]))

    # -- tasks --------------------------------------------------------------

    def _ends(self, task):
        # LLVM's runtime 19.1.7 leaves barriers before tasks whose parents were detached
        # have ended, without any tool too.
        if not self.tasks[task].ended:
            raise replay.RuntimeBug('task %d is waited for, but not complete' % task)
        return self.tasks[task].ends

    def _dependences(self, words):
        return {int(cell): int(kind) for kind, cell in zip(words[::2], words[1::2])}

    def _create(self, point, event, number, parent, team, barrier, group):
        words = self._words(event)
        task = self.tasks[number] = new_task(point, (team, barrier), group)
        if words[0] == 'task':
            task.dependences = self._dependences(words[2:])
        parent = self.tasks[parent]
        task.before, task.exclusive = parent.predecessors(task.dependences)
        for other in task.exclusive:
            self.tasks[other].exclusive.append(number)
        for cell, kind in task.dependences.items():
            parent.by_cell.setdefault(cell, []).append((kind, number))
        parent.children.append(number)
        if team:
            self.to_barrier[team, barrier].append(number)
        while group:
            self.groups[group].append(number)
            group = self.outer[group]

    def _queue(self, point, event, number, *__):
        sources = self._start(point, event, number)
        self.suspended[number] = point
        return sources

    def _start(self, _, __, number, *___):
        task = self.tasks[number]
        if number in self.suspended:  # begun, but for its body
            return [self.suspended[number]]
        sources = [task.created]
        for other in task.before:
            sources += self._ends(other)
        for other in task.exclusive:
            if self.tasks[other].ended:
                sources += self._ends(other)
        return sources

    def _finish(self, point, _, number, *__):
        self.tasks[number].ended = True
        self.tasks[number].ends.append(point)

    def _fulfil(self, point, _, number, *__):
        self.tasks[number].ends.append(point)

    def _suspend(self, point, _, number, *__):
        self.suspended[number] = point

    def _resume(self, _, __, number, *___):
        return [self.suspended[number]]

    def _taskwait(self, _, __, number, *___):
        return [end for child in self.tasks[number].children for end in self._ends(child)]

    def _depend(self, _, event, number, *__):
        before, _ = self.tasks[number].predecessors(self._dependences(self._words(event)[1:]))
        return [end for task in before for end in self._ends(task)]

    def _group(self, _, __, group, outer, *___):
        self.outer[group] = outer

    def _group_end(self, _, __, group, *___):
        return [end for task in self.groups[group] for end in self._ends(task)]

    # -- locks, and turns of iterations -------------------------------------

    def _release(self, point, _, team, lock, turn, *__):
        self.released[team, lock, turn] = point
        if not team:
            self.releases[lock].append(point)

    def _acquire(self, point, event, team, lock, turn, *__):
        before = self.released.get((team, lock, turn - 1))
        if team:  # an iteration
            return [before] if before else []
        since = self._waited_since(event, lock)
        if since is None or not before:
            return []
        surely = before.time > since + UNSURE_NS
        self.optional += [(point, source) for source in self.releases[lock]
                          if source.time > since - UNSURE_NS and not (surely and source is before)]
        return [before] if surely else []

    def _waited_since(self, event, lock):
        """None: the thread has only tried to take the lock, and has it."""
        polled, when = self.failed.get(event.thread, (None, None))
        if polled == lock:
            del self.failed[event.thread]
        if event.state == model.OMP:
            return self.begun[event.thread]
        return when if polled == lock else None

    def _fail(self, _, event, __, lock, *___):
        if self.failed.get(event.thread, (None,))[0] != lock:
            self.failed[event.thread] = lock, event.time

    # -- MPI ----------------------------------------------------------------

    def _mpi_enter(self, point, _, instance, *__):
        point.thread.mpi_calls.append(point.time)
        team = self.team_of.get(point.thread, 0)
        while team in self.alone and team != 0:
            team = self.outer_team[team]
        point.off_line = team != 0
        self.entered.append((instance, point))

    def _mpi_leave(self, point, event, instance, *_):
        words = self._words(event)
        self.left.append((instance, int(words[1]), int(words[3]), point))


class Graph:
    """All points, and what the model asks a simulation for."""
    openmp = True
    late_edges = ()

    def __init__(self, traces, lines, mpi):
        self.mpi = mpi
        self.processes = [Process(rank, events, lines) for rank, events in enumerate(traces)]
        self._connect()
        self.points = sorted((p for process in self.processes for p in process.points),
                             key=lambda p: p.time)
        self.tasks = sum(task.created is not None for p in self.processes
                         for task in p.tasks.values())

    def _connect(self):
        count = len(self.processes)
        entered = [dict(process.entered) for process in self.processes]
        for rank, process in enumerate(self.processes):
            for instance, kind, root, point in process.left:
                sources = {script.BCAST: [root], script.RING: [(rank - 1) % count]}.get(
                    kind, range(count))
                point.edges += [('mpi', entered[other][instance]) for other in sources
                                if other != rank]

    def region_names(self):
        return sorted({name for p in self.processes for name in p.regions})

    def expectations(self, name):
        """The smallest and the largest correct expectation."""
        part = replay.Part(self, name)
        least = part.expectation(name)
        edges = [edge for process in self.processes for edge in process.optional]
        if not edges:
            return least, least
        for point, source in edges:
            point.edges.append(('omp', source))
        most = part.expectation(name)
        for point, _ in edges:
            point.edges.pop()
        return least, most
