"""What all rounds of a random program use: its lines, its numbers, and the completion
of requests."""

import random

from communicators import Comm

# Ways to complete requests, with the interpreter's numbers.
WHOLE = range(9)         # all of them, in some way
PARTIAL = range(9, 13)   # one, some or none

STANDARD, SYNCHRONOUS, BUFFERED = range(3)

IDS_OF_A_PROGRAM = 100000


class ScriptLines:
    """The state of a program that is being made; see generator.Program."""

    def __init__(self, seed, ranks, index=0):
        self.seed, self.ranks = seed, ranks
        self.random = random.Random('%d of %d' % (seed, ranks))
        self.region = 'p%d' % seed
        self.lines = [[] for _ in range(ranks)]
        self.synchronous = {}    # message: whether its sender waits for the receive
        self.collectives = {}    # instance: Collective
        self.next_id = index * IDS_OF_A_PROGRAM
        self.world = Comm(0, list(range(ranks)))
        self.comms = [self.world]
        self.pending = [[] for _ in range(ranks)]   # slots that may be completed
        self.to_cancel = [[] for _ in range(ranks)]
        self.to_free = [[] for _ in range(ranks)]
        self.persistent = []     # [(communicator, {rank: [(slot, mode or None)]})]
        self.world_wildcards = False

    def new_id(self):
        self.next_id += 1
        return self.next_id

    def emit(self, rank, name, *words):
        self.lines[rank].append(' '.join([name] + [str(w) for w in words]))

    def work(self, rank, likely=0.35):
        if self.random.random() < likely:
            self.emit(rank, 'work', self.random.randint(3000, 14000))

    def chance(self, likely):
        return self.random.random() < likely

    def length(self):
        """The length of a message: most are small, some exceed the eager limit."""
        if self.chance(0.04):
            return self.random.randint(3000, 20000)
        return self.random.randint(4, 40)

    def new_message(self, mode):
        message = self.new_id()
        self.synchronous[message] = mode == SYNCHRONOUS
        return message

    def mode(self):
        return self.random.choice([STANDARD, STANDARD, SYNCHRONOUS, BUFFERED])

    def complete(self, rank, slots):
        """Completes all `slots`, in one or more calls."""
        slots = list(slots)
        self.random.shuffle(slots)
        while slots:
            count = len(slots) if self.chance(0.5) else self.random.randint(1, len(slots))
            part, slots = slots[:count], slots[count:]
            self.emit(rank, 'finish', self.random.choice(WHOLE), int(self.chance(0.25)),
                      len(part), *part)
            self.work(rank, 0.2)

    def complete_some(self, rank):
        pending = self.pending[rank]
        if not pending:
            return
        some = self.random.sample(pending, self.random.randint(1, len(pending)))
        if self.chance(0.35):  # may or may not be complete afterwards
            self.emit(rank, 'finish', self.random.choice(PARTIAL), int(self.chance(0.25)),
                      len(some), *some)
            return
        self.pending[rank] = [slot for slot in pending if slot not in some]
        self.complete(rank, some)

    def completion(self):
        for rank in self.random.sample(range(self.ranks), self.random.randint(1, self.ranks)):
            self.work(rank)
            self.complete_some(rank)
