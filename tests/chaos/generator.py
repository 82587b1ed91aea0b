"""Random MPI programs that are correct, and end, however calls are interleaved.

A program is made of rounds.  A round appends operations to the lists of its
ranks; all rounds together have one order.  Whatever an operation waits for has
been started in an earlier round, or in its own by a rank that does not wait
before; so some rank can always go on, and no program deadlocks.  Where a
wildcard decides who gets which message, any choice is as good:

  tagged     MPI_ANY_SOURCE with a tag of its own, as many receives as messages
  streams    MPI_ANY_TAG from one source, all of whose messages have one tag
  anything   both, posted behind the exact ones; then no message more on that
             communicator until all its ranks have received and met

The operations are lines of a script (interpreter.cc); what replay.py must know
besides the trace are the messages and collectives listed here.
"""

import random

# Ways to complete requests, with the interpreter's numbers.
WHOLE = range(9)         # all of them, in some way
PARTIAL = range(9, 13)   # one, some or none

ROOTED = {'bcast', 'scatter', 'scatterv', 'gather', 'gatherv', 'reduce'}
REGULAR = ['bcast', 'scatter', 'gather', 'reduce', 'allreduce', 'allgather', 'alltoall',
           'reduce_scatter_block', 'scan', 'exscan']
PER_RANK = ['scatterv', 'gatherv', 'allgatherv', 'reduce_scatter']
PER_PAIR = ['alltoallv', 'alltoallw']
NEIGHBOR_REGULAR = ['neighbor_allgather', 'neighbor_alltoall']
NEIGHBOR_PER_RANK = ['neighbor_allgatherv']
NEIGHBOR_PER_PAIR = ['neighbor_alltoallv', 'neighbor_alltoallw']

ANY = -1   # source or tag
NOBODY = -2  # MPI_PROC_NULL
STANDARD, SYNCHRONOUS, BUFFERED = range(3)

IDS_OF_A_PROGRAM = 100000


class Comm:
    def __init__(self, number, members):
        self.number = number
        self.members = members   # world ranks
        self.dirty = False       # wildcards may be waiting for any message
        self.any_tag = False     # receives may be waiting for any tag
        self.sources = None      # of a topology: {place: [place or NOBODY]}
        self.dests = None
        self.cart = False
        self.later = False       # non-blocking collectives may be under way
        self.fresh_tag = 100

    @property
    def size(self):
        return len(self.members)


class Collective:
    """One collective operation; `sources[place]` are the places that this place depends
    on."""

    def __init__(self, kind, comm, root=0, counts=()):
        self.kind, self.members = kind, list(comm.members)
        n = len(self.members)
        self.sources = {place: [other for other in range(n) if other != place and
                                depends(kind, comm, root, counts, place, other)]
                        for place in range(n)}


def depends(kind, comm, root, counts, place, other):
    """Whether MPI guarantees that `place` cannot complete before `other` has entered:
    if data moves, and in a barrier."""
    if kind in ('barrier', 'constructor'):
        return True
    n = comm.size
    if kind in REGULAR:
        if counts[0] == 0:
            return False
        if kind in ('bcast', 'scatter'):
            return other == root
        if kind in ('gather', 'reduce'):
            return place == root
        if kind in ('scan', 'exscan'):
            return other < place
        return True
    if kind == 'scatterv':
        return other == root and counts[place] > 0
    if kind == 'gatherv':
        return place == root and counts[other] > 0
    if kind == 'allgatherv':
        return counts[other] > 0
    if kind == 'reduce_scatter':
        return counts[place] > 0
    if kind in PER_PAIR:
        return counts[other * n + place] > 0
    if other not in comm.sources[place]:
        return False
    if kind in NEIGHBOR_REGULAR:
        return counts[0] > 0
    if kind in NEIGHBOR_PER_RANK:
        return counts[other] > 0
    return counts[other * n + place] > 0


class Program:
    """The program of one seed for this number of ranks. `index` distinguishes the names
    of several programs in one launch."""

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
        self._generate()

    # -- lines --------------------------------------------------------------

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

    # -- the program --------------------------------------------------------

    def _generate(self):
        for rank in range(self.ranks):
            self.emit(rank, 'open', self.region)
            self.work(rank)
        rounds = [(self.soup, 6), (self.pairs, 4), (self.funnel, 2), (self.shift, 2),
                  (self.collective, 4), (self.later_collectives, 4), (self.completion, 4),
                  (self.constructor, 1.5), (self.start_persistent, 1.5),
                  (self.restart_persistent, 2), (self.late_answer, 1.5), (self.cancelled, 0.7),
                  (self.ghost, 0.5), (self.clean, 0.5)]
        for _ in range(self.random.randint(4, 9)):
            (what,) = self.random.choices([r for r, _ in rounds], [w for _, w in rounds])
            what()
        self._finish()
        self._add_regions()
        for rank in range(self.ranks):
            self.emit(rank, 'close', self.region)

    def _finish(self):
        for rank in range(self.ranks):
            for slot in self.to_cancel[rank]:
                self.emit(rank, 'cancel', slot)
                self.pending[rank].append(slot)
            self.to_cancel[rank] = []
            for slot in self.to_free[rank]:
                self.emit(rank, 'free', slot)
        groups, self.persistent = self.persistent, []
        # Open MPI 4.1 crashes in a collective whose communicator has been freed.
        drop_first = self.chance(0.3) and not any(comm.later for comm in self.comms[1:])
        if drop_first:
            self._drop_comms()
        for rank in range(self.ranks):
            self.complete(rank, self.pending[rank] + [
                slot for _, group in groups for slot, _ in group.get(rank, [])])
            for _, group in groups:
                for slot, _ in group.get(rank, []):
                    self.emit(rank, 'free', slot)
            self.work(rank)
        if not drop_first:
            self._drop_comms()
        self.world_wildcards = self.world.dirty

    def _drop_comms(self):
        for comm in self.comms[1:]:
            for rank in comm.members:
                self.emit(rank, 'drop', comm.number)

    def _add_regions(self):
        """Opens and closes regions on some ranks, once or more, anywhere."""
        for name in ('a', 'b')[:self.random.choice([0, 0, 1, 2])]:
            for rank in range(self.ranks):
                lines = self.lines[rank]
                for _ in range(self.random.choice([0, 1, 1, 2])):
                    first, last = sorted(self.random.randint(1, len(lines)) for _ in range(2))
                    lines.insert(last, 'close %s.%s' % (self.region, name))
                    lines.insert(first, 'open %s.%s' % (self.region, name))

    # -- completion ---------------------------------------------------------

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

    def clean(self, comm=None):
        """Afterwards no wildcard receive is pending on this communicator."""
        comm = comm or self.random.choice(self.comms)
        for rank in comm.members:
            self.complete(rank, self.pending[rank])
            self.pending[rank] = []
        self._call(comm, 'barrier')
        comm.dirty = comm.later = False
        comm.any_tag = any(of is comm for of, _ in self.persistent)

    # -- messages -----------------------------------------------------------

    def comm_for_messages(self):
        clean = [c for c in self.comms if not c.dirty]
        if not clean:
            self.clean(self.random.choice(self.comms))
            return self.comm_for_messages()
        # Prefers communicators that the program has made: most programs have few.
        return self.random.choice(clean + clean[1:])

    def soup(self):
        """Messages between any two ranks, none of them waited for at once."""
        comm = self.comm_for_messages()
        kind = self.random.choice(['exact', 'exact', 'tagged', 'streams', 'anything'])
        count = self.random.randint(1, 3 * comm.size)
        tags = [comm.fresh_tag, comm.fresh_tag + 1] if kind == 'tagged' else [0, 1, 2]
        if kind == 'tagged':
            comm.fresh_tag += 2
        tag_of_source = [self.random.choice(tags) for _ in range(comm.size)]
        # Few partners make longer streams.
        places = self.random.sample(range(comm.size), self.random.randint(1, comm.size))
        posts = {place: [] for place in range(comm.size)}
        sends = {place: [] for place in range(comm.size)}
        for _ in range(count):
            source, dest = self.random.choice(places), self.random.choice(places)
            tag = tag_of_source[source] if kind == 'streams' else self.random.choice(tags)
            sends[source].append((dest, tag))
            posts[dest].append((source, tag))
        for place, rank in enumerate(comm.members):
            receives = posts[place]
            self.random.shuffle(receives)
            if kind == 'tagged':
                receives = [(ANY if self.chance(0.8) else None, source, tag)
                            for source, tag in receives]
                # A wildcard might already have the message that an exact receive waits
                # for.
                wild = {tag for any_, _, tag in receives if any_ is not None}
                receives = [(ANY if tag in wild else source, tag)
                            for _, source, tag in receives]
            elif kind == 'streams':
                receives = [(source, ANY if self.chance(0.6) else tag)
                            for source, tag in receives]
                comm.any_tag = True
            elif kind == 'anything':
                exact = self.random.randint(0, len(receives))
                # The exact receives are posted first, and so take the first messages of
                # each stream.
                receives = receives[:exact] + [(ANY, ANY)] * (len(receives) - exact)
                comm.dirty = comm.any_tag = True
            self.post_and_send(comm, rank, receives, sends[place])
        if self.chance(0.4):
            for rank in comm.members:
                self.work(rank)
                self.complete_some(rank)

    def post_and_send(self, comm, rank, receives, sends):
        receives, sends = list(receives), list(sends)
        self.random.shuffle(sends)
        self.work(rank)
        while receives or sends:
            if receives and (not sends or self.chance(0.6)):
                source, tag = receives.pop(0)
                slot = self.new_id()
                self.emit(rank, 'irecv', slot, comm.number, source, tag)
                self.pending[rank].append(slot)
            else:
                dest, tag = sends.pop()
                self.send(comm, rank, dest, tag)
            self.work(rank, 0.12)

    def send(self, comm, rank, dest, tag):
        """A send that does not wait for its receive."""
        mode = self.mode()
        message = self.new_message(mode)
        if mode == BUFFERED and self.chance(0.4):
            self.emit(rank, 'send', mode, comm.number, dest, tag, message, self.length())
            return
        slot = self.new_id()
        self.emit(rank, 'isend', mode, slot, comm.number, dest, tag, message, self.length())
        self.pending[rank].append(slot)

    def receive(self, comm, rank, source, tag):
        """A receive that waits, in one of several ways."""
        how = self.random.randrange(6)
        slot = self.new_id()
        if how < 2:
            self.emit(rank, 'recv', slot, comm.number, source, tag, int(self.chance(0.3)))
        elif how == 2:
            self.emit(rank, 'irecv', slot, comm.number, source, tag)
            self.work(rank)
            self.complete(rank, [slot])
        elif how == 3:
            self.emit(rank, 'probe_recv', slot, int(self.chance(0.5)), comm.number, source, tag)
        else:
            self.emit(rank, 'mprobe', slot, int(self.chance(0.5)), comm.number, source, tag)
            self.work(rank, 0.2)
            if how == 4:
                self.emit(rank, 'mrecv', slot)
            else:
                self.emit(rank, 'imrecv', slot)
                self.pending[rank].append(slot)

    def pairs(self):
        """One message after another; sender and receiver are both in a blocking
        call."""
        comm = self.comm_for_messages()
        if comm.size < 2:
            return
        for _ in range(self.random.randint(1, 2 * comm.size)):
            source, dest = self.random.sample(range(comm.size), 2)
            sender, receiver = comm.members[source], comm.members[dest]
            tag = self.random.randrange(3)
            self.work(sender)
            self.work(receiver, 0.2)
            mode = self.mode()
            if self.chance(0.7):
                self.emit(sender, 'send', mode, comm.number, dest, tag, self.new_message(mode),
                          self.length())
            else:
                self.send(comm, sender, dest, tag)
            self.receive(comm, receiver, source, tag)

    def funnel(self):
        """Several ranks send to one, which receives in the order of arrival."""
        comm = self.comm_for_messages()
        if comm.size < 2:
            return
        dest = self.random.randrange(comm.size)
        tag = comm.fresh_tag
        comm.fresh_tag += 1
        anything = self.chance(0.3)
        receives = 0
        for source in range(comm.size):
            if source == dest:
                continue
            for _ in range(self.random.choice([0, 1, 1, 2])):
                receives += 1
                sender = comm.members[source]
                self.work(sender, 0.6)
                mode = self.mode()
                if self.chance(0.5):
                    self.emit(sender, 'send', mode, comm.number, dest, tag,
                              self.new_message(mode), self.length())
                else:
                    self.send(comm, sender, dest, tag)
        for _ in range(receives):
            self.work(comm.members[dest], 0.25)
            self.receive(comm, comm.members[dest], ANY, ANY if anything else tag)
        if anything:
            comm.dirty = comm.any_tag = True

    def late_answer(self):
        """A synchronous send that completes long before its receive does."""
        comm = self.comm_for_messages()
        if comm.size < 2:
            return
        source, dest = self.random.sample(range(comm.size), 2)
        sender, receiver = comm.members[source], comm.members[dest]
        tag = self.random.randrange(3)
        send, receive = self.new_id(), self.new_id()
        self.emit(sender, 'isend', SYNCHRONOUS, send, comm.number, dest, tag,
                  self.new_message(SYNCHRONOUS), self.length())
        self.complete(sender, [send])
        self.work(receiver, 0.9)
        self.emit(receiver, 'irecv', receive, comm.number, source, tag)
        self.work(receiver, 0.9)
        self.work(sender, 0.9)
        self.complete(receiver, [receive])
        self.work(sender, 0.5)

    def shift(self):
        comm = self.comm_for_messages()
        by = self.random.randrange(comm.size)
        line = self.chance(0.3)
        replace = self.chance(0.4)
        tag = self.random.randrange(3)
        length = self.length()
        for place, rank in enumerate(comm.members):
            dest, source = place + by, place - by
            if dest >= comm.size:
                dest = NOBODY if line else dest - comm.size
            if source < 0:
                source = NOBODY if line else source + comm.size
            self.work(rank)
            self.emit(rank, 'sendrecv', self.new_id(), int(replace), comm.number, dest, tag,
                      self.new_message(STANDARD), length, source, tag)

    def cancelled(self):
        """A receive without a message, which is cancelled."""
        comm = self.random.choice(self.comms)
        rank = self.random.choice(comm.members)
        waiting = self.to_cancel[rank]
        if waiting:
            slot = waiting.pop()
            self.emit(rank, 'cancel', slot)
            if self.chance(0.3):
                self.emit(rank, 'free', slot)
            else:
                self.pending[rank].append(slot)
            return
        slot = self.new_id()
        source = ANY if self.chance(0.7) else self.random.randrange(comm.size)
        self.emit(rank, 'irecv', slot, comm.number, source, 99)
        waiting.append(slot)

    def ghost(self):
        """A receive whose request is freed while active. It still takes its message;
        the next message of the stream goes to the next receive."""
        comm = self.comm_for_messages()
        source, dest = self.random.randrange(comm.size), self.random.randrange(comm.size)
        tag = self.random.randrange(3)
        sender, receiver = comm.members[source], comm.members[dest]
        slot = self.new_id()
        self.emit(receiver, 'irecv', slot, comm.number, source, tag)
        if self.chance(0.5):
            self.emit(receiver, 'free', slot)
        else:
            self.to_free[receiver].append(slot)
        # A standard send: a synchronous one would wait in vain for the tool's answer.
        send = self.new_id()
        self.emit(sender, 'isend', STANDARD, send, comm.number, dest, tag,
                  self.new_message(STANDARD), self.length())
        self.pending[sender].append(send)

    # -- persistent requests ------------------------------------------------

    def start_persistent(self):
        comm = self.comm_for_messages()
        group = {rank: [] for rank in comm.members}
        tag_of_source = [self.random.randrange(3) for _ in comm.members]
        any_tag = self.chance(0.4)
        comm.any_tag = comm.any_tag or any_tag
        for _ in range(self.random.randint(1, 2 * comm.size)):
            source, dest = (self.random.randrange(comm.size) for _ in range(2))
            tag = tag_of_source[source]
            sender, receiver = comm.members[source], comm.members[dest]
            send, receive = self.new_id(), self.new_id()
            mode = self.mode()
            # Open MPI 4.1 sends zeros when a long buffered persistent send is started
            # again.
            length = 20 if mode == BUFFERED else self.length()
            self.emit(sender, 'send_init', mode, send, comm.number, dest, tag, length)
            group[sender].append((send, mode))
            self.emit(receiver, 'recv_init', receive, comm.number, source,
                      ANY if any_tag and self.chance(0.5) else tag)
            group[receiver].append((receive, None))
        self.persistent.append((comm, group))
        self.start(group)

    def start(self, group):
        for rank, slots in group.items():
            self.random.shuffle(slots)
            self.work(rank)
            while slots:
                count = len(slots) if self.chance(0.6) else self.random.randint(1, len(slots))
                part, slots = slots[:count], slots[count:]
                words = []
                for slot, mode in part:
                    words += [slot, 0 if mode is None else self.new_message(mode)]
                self.emit(rank, 'start', int(self.chance(0.6)), len(words), *words)
                self.work(rank, 0.2)

    def restart_persistent(self):
        clean = [group for comm, group in self.persistent if not comm.dirty]
        if not clean:
            return self.start_persistent()
        group = self.random.choice(clean)
        for rank, slots in group.items():
            self.work(rank)
            self.complete(rank, [slot for slot, _ in slots])
        return self.start(group)

    # -- collectives --------------------------------------------------------

    def _call(self, comm, kind, later=False):
        n = comm.size
        root = self.random.randrange(n) if kind in ROOTED else 0

        def count():
            return 0 if self.chance(0.3) else self.random.randint(1, 12)
        if kind == 'barrier':
            counts = []
        elif kind in REGULAR + NEIGHBOR_REGULAR:
            counts = [0 if self.chance(0.12) else self.random.randint(1, 30)]
        elif kind in PER_RANK + NEIGHBOR_PER_RANK:
            counts = [count() for _ in range(n)]
        else:
            counts = [count() for _ in range(n * n)]
        instance = self.new_id()
        self.collectives[instance] = Collective(kind, comm, root, counts)
        salt = self.random.randrange(1000)
        comm.later = comm.later or later
        for rank in comm.members:
            self.work(rank, 0.5)
            slot = -1
            if later:
                slot = self.new_id()
                self.pending[rank].append(slot)
            self.emit(rank, kind, instance, slot, comm.number, root, salt, len(counts), *counts)

    def _kind(self, comm):
        kinds = ['barrier'] + REGULAR + 2 * PER_RANK + 2 * PER_PAIR
        if comm.sources is not None:
            kinds = NEIGHBOR_REGULAR + NEIGHBOR_PER_RANK + NEIGHBOR_PER_PAIR
            if not comm.cart:
                # In a graph, MPICH 4.0 does not move all of the data.
                kinds.remove('neighbor_alltoallw')
        return self.random.choice(kinds)

    def collective(self):
        for _ in range(self.random.randint(1, 2)):
            comm = self.random.choice(self.comms)
            self._call(comm, self._kind(comm))

    def later_collectives(self):
        for _ in range(self.random.randint(1, 3)):
            comm = self.random.choice(self.comms)
            self._call(comm, self._kind(comm), later=True)
        if self.chance(0.5):
            self.completion()

    def constructor(self):
        parent = self.random.choice(self.comms)
        kind = self.random.choice(['dup', 'split', 'split', 'group', 'cart', 'graph'])
        if kind == 'group' and parent.any_tag:
            kind = 'dup'  # Open MPI 4.1 uses the caller's tag for messages on the parent
        n = parent.size

        def members_of(places):
            return [parent.members[place] for place in places]

        if kind in ('dup', 'cart', 'graph'):
            comm = Comm(self.new_id(), list(parent.members))
        if kind == 'dup':
            self._construct(kind, parent, lambda place: [comm.number, parent.number])
        elif kind == 'split':
            colors = [self.random.choice([0, 1, 1, -1]) for _ in range(n)]
            keys = [self.random.randrange(4) for _ in range(n)]
            made = {}
            for color in {c for c in colors if c >= 0}:
                places = sorted((p for p in range(n) if colors[p] == color),
                                key=lambda p: (keys[p], p))
                made[color] = Comm(self.new_id(), members_of(places))
            nobody = self.new_id()
            self._construct(kind, parent, lambda place: [
                made[colors[place]].number if colors[place] >= 0 else nobody, parent.number,
                colors[place], keys[place]])
            self.comms += [c for c in made.values()]
            return
        elif kind == 'group':
            places = self.random.sample(range(n), self.random.randint(1, n))
            comm = Comm(self.new_id(), members_of(places))
            self._construct(kind, comm, lambda _: [
                comm.number, parent.number, 7, len(places)] + places)
        elif kind == 'cart':
            periodic = self.chance(0.5)
            self._construct(kind, parent, lambda place: [
                comm.number, parent.number, int(periodic)])
            comm.sources = {}
            for place in range(n):
                low, high = place - 1, place + 1
                comm.sources[place] = ([low % n, high % n] if periodic else
                                       [p if 0 <= p < n else NOBODY for p in (low, high)])
            comm.dests = comm.sources
            comm.cart = True
        else:
            arrows = [(p, q) for p in range(n) for q in range(n) if self.chance(0.35)]
            comm.sources = {q: [p for p, to in arrows if to == q] for q in range(n)}
            comm.dests = {p: [q for of, q in arrows if of == p] for p in range(n)}
            self._construct(kind, parent, lambda place: [
                comm.number, parent.number, len(comm.sources[place]), *comm.sources[place],
                len(comm.dests[place]), *comm.dests[place]])
        self.comms.append(comm)

    def _construct(self, kind, among, words):
        instance = self.new_id()
        self.collectives[instance] = Collective('constructor', among)
        for place, rank in enumerate(among.members):
            self.work(rank)
            self.emit(rank, kind, instance, *words(place))


class Launch:
    """Several programs, one after the other, in one script."""

    def __init__(self, seeds, ranks):
        self.ranks = ranks
        self.programs = [Program(seed, ranks, i + 1) for i, seed in enumerate(seeds)]
        self.synchronous, self.collectives = {}, {}
        lines = [[] for _ in range(ranks)]
        barrier = 0
        for program in self.programs:
            self.synchronous.update(program.synchronous)
            self.collectives.update(program.collectives)
            for rank in range(ranks):
                lines[rank] += program.lines[rank]
            # No message of the next program may match a wildcard of this one. And MPICH
            # delivers nothing more from a process that is in MPI_Finalize.
            last = program is self.programs[-1]
            if last or program.world_wildcards or program.random.random() < 0.5:
                barrier += 1
                self.collectives[barrier] = Collective('barrier', program.world)
                for rank in range(ranks):
                    lines[rank].append('barrier %d -1 0 0 0 0' % barrier)
        self.text = ''.join('rank %d\n%s\n' % (rank, '\n'.join(lines[rank]))
                            for rank in range(ranks))
