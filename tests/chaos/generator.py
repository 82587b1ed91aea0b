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

from communicators import Collective
from persistent_rounds import PersistentRounds


class Program(PersistentRounds):
    """The program of one seed for this number of ranks. `index` distinguishes the names
    of several programs in one launch."""

    def __init__(self, seed, ranks, index=0):
        super().__init__(seed, ranks, index)
        self._generate()

    def _generate(self):
        for rank in range(self.ranks):
            self.emit(rank, 'open', self.region)
            self.work(rank)
        rounds = [(self.soup, 6), (self.pairs, 4), (self.funnel, 2), (self.shift, 2),
                  (self.collective, 4), (self.later_collectives, 4), (self.completion, 4),
                  (self.constructor, 3), (self.start_persistent, 1.5),
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
