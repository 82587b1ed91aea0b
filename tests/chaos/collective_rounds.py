"""Rounds of collectives, and those that make communicators."""

from communicators import (NEIGHBOR_PER_PAIR, NEIGHBOR_PER_RANK, NEIGHBOR_REGULAR, NOBODY,
                           PER_PAIR, PER_RANK, REGULAR, ROOTED, Collective, Comm)
from script_lines import ScriptLines


class CollectiveRounds(ScriptLines):

    def clean(self, comm=None):
        """Afterwards no wildcard receive is pending on this communicator."""
        comm = comm or self.random.choice(self.comms)
        for rank in comm.members:
            self.complete(rank, self.pending[rank])
            self.pending[rank] = []
        self._call(comm, 'barrier')
        comm.dirty = comm.later = False
        comm.any_tag = any(of is comm for of, _ in self.persistent)

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
        kind = self.random.choice(['dup', 'merge', 'merge', 'split', 'split', 'group', 'create',
                                   'cart', 'graph'])
        n = parent.size
        if kind in ('group', 'merge') and (parent.any_tag or n == 1):
            kind = 'dup'  # Open MPI 4.1 uses the caller's tag for messages on the parent

        def members_of(places):
            return [parent.members[place] for place in places]

        if kind in ('dup', 'merge', 'cart', 'graph'):
            comm = Comm(self.new_id(), list(parent.members))
        if kind in ('dup', 'merge'):
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
        elif kind in ('group', 'create'):
            places = self.random.sample(range(n), self.random.randint(1, n))
            comm = Comm(self.new_id(), members_of(places))
            among, tag = (comm, 7) if kind == 'group' else (parent, -1)
            self._construct('group', among, lambda _: [
                comm.number, parent.number, tag, len(places)] + places)
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
