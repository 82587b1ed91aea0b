"""The communicators of a random program, and which processes a collective orders."""

ROOTED = {'bcast', 'scatter', 'scatterv', 'gather', 'gatherv', 'reduce'}
REGULAR = ['bcast', 'scatter', 'gather', 'reduce', 'allreduce', 'allgather', 'alltoall',
           'reduce_scatter_block', 'scan', 'exscan']
PER_RANK = ['scatterv', 'gatherv', 'allgatherv', 'reduce_scatter']
PER_PAIR = ['alltoallv', 'alltoallw']
NEIGHBOR_REGULAR = ['neighbor_allgather', 'neighbor_alltoall']
NEIGHBOR_PER_RANK = ['neighbor_allgatherv']
NEIGHBOR_PER_PAIR = ['neighbor_alltoallv', 'neighbor_alltoallw']

NOBODY = -2  # MPI_PROC_NULL


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
