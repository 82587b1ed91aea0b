"""The execution graph of a program that has run, from its trace, and the longest
paths in it.

Durations are those that the interpreter has measured itself, just outside each call. So
it does not matter how precisely the machine sleeps, who else uses it, or which message
a wildcard got. Edges follow only from the rules of MPI (docs/edges.md) and from which
messages were matched.

What MPI guarantees about synchronous sends can reach the library too late, because the
library never waits: the receiver answers when its receive completes. Clocks that the
sender passes on before that need not contain the edge. After a region was opened or
closed, the edge counts from when it is known. So there are two graphs: one with the
edge where MPI has it, one with the edge where the library certainly knows it. The right
result lies between them.
"""

import bisect
import dataclasses

import model

# What a process does with its clocks. LOOKS: looks for answers, then passes its clocks
# on. POSTS: keeps its clocks for a posted receive. REGION: opens or closes a region.
LOOKS, POSTS, REGION, LAST = range(4)


@dataclasses.dataclass
class Call:
    line: int
    begin: int
    end: int
    facts: list   # (letter, a, b)


@dataclasses.dataclass
class LateEdge:
    source: object   # a point
    at: object       # where MPI has it
    known: object    # where the library has it for certain; None: nowhere
    counts: bool     # what happened between the two is part of the path


@dataclasses.dataclass
class Posted:
    """When a receive was posted: the earliest and the latest possible point."""
    early: object
    late: object


def read_trace(path):
    calls = []
    with open(path, encoding='utf-8') as file:
        for text in file:
            words = text.split()
            facts = [(words[i], int(words[i + 1]), int(words[i + 2]))
                     for i in range(3, len(words), 3)]
            calls.append(Call(int(words[0]), int(words[1]), int(words[2]), facts))
    return calls


class Process:
    """What model.Expectation needs of a process."""

    def __init__(self, rank):
        self.rank = rank
        self.threads = [Thread(self)]
        self.primary = self.threads[0]
        self.regions, self.depth = {}, {}
        self.instances = []
        self.in_files = []  # no calls of MPI-IO
        self.unknown = []   # nor calls whose partners are not known

    def start_region(self, name, now):
        self.depth[name] = self.depth.get(name, 0) + 1
        if self.depth[name] == 1:
            self.regions.setdefault(name, []).append([now, None])

    def stop_region(self, name, now):
        self.depth[name] -= 1
        if self.depth[name] == 0:
            self.regions[name][-1][1] = now


class Thread:
    def __init__(self, process):
        self.process = process
        self.mpi_calls = []


class Graph:
    """All points, with the attributes that the model reads from a simulation."""
    mpi, openmp = True, False

    def __init__(self, traces, region_names, synchronous, collectives):
        """`region_names`: {line that opens or closes a region: its name}."""
        self.synchronous, self.collectives = synchronous, collectives
        self.processes = [Process(rank) for rank in range(len(traces))]
        self.points = []
        self.late_edges = []
        self.messages = 0
        self._sent = {}       # message: point
        self._posted = {}     # message: Posted
        self._taken = {}      # message: when its receive was complete
        self._entered = {}    # (instance, rank): point
        self._events = [[] for _ in traces]  # of each rank: (when, what, number, point)
        self._arrivals = []   # (point, message): edges to be added
        self._answers = []    # (rank, point, message): of synchronous sends
        self._results = []    # (rank, point, instance)
        for rank, calls in enumerate(traces):
            self._read(rank, calls, region_names)
        self._connect()
        self.points.sort(key=lambda p: p.time)  # stable: each process stays in order
        self._check_order()

    # -- from the traces ----------------------------------------------------

    def _read(self, rank, calls, region_names):
        process = self.processes[rank]
        thread = process.primary
        posted, matched, taken = {}, {}, {}  # slot: point
        events = self._events[rank]

        def event(what, p):
            events.append((p.time, what, len(events), p))

        def point(time, state):
            p = model.Point(thread, time, state, [])
            self.points.append(p)
            return p

        start = calls[0].begin
        point(start, model.USEFUL)
        process.start_region(model.GLOBAL, start)
        for call in calls[1:-1]:
            letters = {letter for letter, _, _ in call.facts}
            if letters & {'o', 'x'}:
                # A stretch ends here, although the state does not change.
                time = (call.begin + call.end) // 2
                event(REGION, point(time, model.USEFUL))
                name = region_names[call.line]
                (process.start_region if 'o' in letters else process.stop_region)(name, time)
                continue
            entry, leave = point(call.begin, model.USEFUL), point(call.end, model.MPI)
            thread.mpi_calls.append(call.begin)
            for letter, a, b in call.facts:
                if letter == 's':
                    assert a not in self._sent, 'message %d was sent twice' % a
                    self._sent[a] = entry
                    event(LOOKS, entry)
                elif letter == 'c':
                    self._entered[a, rank] = entry
                    event(LOOKS, entry)
                elif letter == 'p':
                    posted[a] = entry
                elif letter == 'M':
                    # The receive of the matched message follows. The sender may have to
                    # wait until that receive begins.
                    matched[a] = (entry, leave)
                elif letter == 'm':
                    taken[a] = entry
            for letter, a, b in call.facts:
                if letter == 'R':
                    assert b not in self._posted, 'message %d was received twice' % b
                    self.messages += 1
                    if a in matched:
                        early, at = matched.pop(a)
                        self._posted[b] = Posted(early, taken.pop(a))
                        self._arrivals.append((at, b))
                        self._taken[b] = at.time
                    else:
                        self._posted[b] = Posted(posted[a], posted[a])
                        self._arrivals.append((leave, b))
                        self._taken[b] = leave.time
                    if self.synchronous[b]:
                        # The answer carries the receiver's clocks of when the receive
                        # was posted.
                        event(POSTS, self._posted[b].early)
                elif letter == 'S' and self.synchronous[a]:
                    self._answers.append((rank, leave, a))
                elif letter == 'C':
                    self._results.append((rank, leave, a))
        end = calls[-1].begin
        event(LOOKS, point(end, model.USEFUL))
        process.stop_region(model.GLOBAL, end)
        events.sort()

    def _connect(self):
        for at, message in self._arrivals:
            at.edges.append(('mpi', self._sent[message]))
        for rank, at, instance in self._results:
            collective = self.collectives[instance]
            place = collective.members.index(rank)
            for other in collective.sources[place]:
                at.edges.append(('mpi', self._entered[instance, collective.members[other]]))
        for rank, at, message in self._answers:
            receive = self._posted[message]
            late, known, counts = self._when_known(rank, at.time, self._taken[message])
            if late:
                self.late_edges.append(LateEdge(receive.early, at, known, counts))
            else:
                at.edges.append(('mpi', receive.early))
            if receive.late is not receive.early:
                self.late_edges.append(LateEdge(receive.late, at, None, False))

    def _when_known(self, rank, complete, answered):
        """For a synchronous send: whether the sender may have passed its clocks on
        before it knew the answer; the point where it certainly knows it; whether no
        region was opened or closed before that."""
        slack_ns = 2000000  # for messages that come before the answer
        if answered + slack_ns < complete:
            return False, None, True
        events = self._events[rank]
        elsewhere = region = False
        for when, what, _, point in events[bisect.bisect_right(events, (complete, LAST)):]:
            if what == LOOKS and when > answered + slack_ns:
                return elsewhere, point, not region
            elsewhere = True
            region = region or what == REGION
        return True, None, False

    def _check_order(self):
        for at in self.points:
            for _, source in at.edges:
                assert source.time <= at.time, 'rank %d got at %d what rank %d gave at %d' % (
                    at.thread.process.rank, at.time, source.thread.process.rank, source.time)

    # -- what the library must say ------------------------------------------

    def region_names(self):
        return sorted({name for p in self.processes for name in p.regions})

    def expectations(self, name):
        """The smallest and the largest correct expectation."""
        part = Part(self, name)
        if not part.late_edges:
            most = part.expectation(name)
            return most, most
        # Metrics without the late edges, and the smallest clocks that are correct.
        least = part.expectation(name)
        least.cue, least.all = part.least_clocks(name)
        least.com, least.coo = least.cue, least.all
        for edge in part.late_edges:
            edge.at.edges.append(('mpi', edge.source))
        most = part.expectation(name)
        for edge in part.late_edges:
            edge.at.edges.pop()
        return least, most


class RuntimeBug(Exception):
    """What has happened breaks a rule of the runtime's standard."""


class Part:
    """The part of the graph while the region is open on any process. Before that its
    clocks are zero, and afterwards they do not change."""

    def __init__(self, graph, name):
        self.mpi, self.openmp = graph.mpi, graph.openmp
        self.anywhere = False  # the trace tells which thread did what
        self.sends_may_wait = False
        self.processes = graph.processes
        self.hosts = [''] * len(graph.processes)  # all on this one
        intervals = [i for p in self.processes for i in p.regions.get(name, [])]
        begin, end = min(a for a, _ in intervals), max(b for _, b in intervals)
        # The first point of each thread after the end closes its last stretch. Whom it has
        # waited for may have come after the end, too.
        closing = {}
        for p in graph.points:
            if p.time >= end:
                closing.setdefault(p.thread, p.time)
        until = max(closing.values(), default=end)
        self.points = [p for p in graph.points if begin <= p.time <= until]
        self.known = set(self.points)
        self.late_edges = [e for e in graph.late_edges
                           if e.source in self.known and e.at in self.known]

    def expectation(self, name):
        kept = [(p, p.edges) for p in self.points]
        for p, edges in kept:
            p.edges = [(kind, source) for kind, source in edges if source in self.known]
        result = model.Expectation(self, name)
        for p, edges in kept:
            p.edges = edges
        return result

    def least_clocks(self, name):
        """G-CUE and G-ALL with late edges where they are known."""
        known_at = {}
        for edge in self.late_edges:
            known_at.setdefault(edge.known, []).append(edge)
        clock, own, last = {}, {}, {}   # point: (cue, all)
        for p in self.points:
            before = last.get(p.thread)
            length = model.overlap(before.time if before else 0, p.time,
                                   p.thread.process.regions.get(name, []))
            weight = (length if p.state == model.USEFUL else 0, length)
            own[p] = add(own[before], weight) if before else weight
            paths = [add(clock[before], weight) if before else weight]
            paths += [clock[source] for _, source in p.edges if source in clock]
            for edge in known_at.get(p, []):
                since = add(own[p], own[edge.at], -1) if edge.counts else (0, 0)
                paths.append(add(clock[edge.source], since))
            clock[p] = tuple(max(values) for values in zip(*paths))
            last[p.thread] = p
        return tuple(max(values) for values in zip(*clock.values()))


def add(a, b, sign=1):
    return tuple(x + sign * y for x, y in zip(a, b))
