"""What threads of a simulated program (model.py) wait for: tasks, locks, teams,
messages and collectives."""

# Types of two siblings' dependences on one address that leave them unordered.
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
        self.completion = []  # the end of its body, and the fulfillment of its event
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
    """The event that a detached task waits for after its body."""

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
    def __init__(self, threads, outer):
        self.threads = threads
        self.has_others = threads > 1 or outer is not None and outer.has_others
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
    """One collective operation: who has entered, and whom each member depends on."""

    def __init__(self, kind, root, ranks, blocking):
        self.kind, self.root, self.ranks = kind, root, ranks
        self.blocking = blocking
        self.entered = {}

    def sources(self, rank):
        """The ranks whose entry precedes the completion of `rank`, as MPI guarantees
        it."""
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
        """The ranks whose entry this implementation waits for. What it waits for beyond
        sources() takes time but is no edge."""
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
