"""Random OpenMP programs that are correct and terminate, whichever thread executes
what.

A program is a list of operations, some with blocks of their own, as the lines of
a script (openmp_interpreter.cc).  Why none hangs:

  teams     whatever all threads must meet (barriers, loops, single) is in the
            block of the team itself, which all its threads execute
  locks     are taken in the order of their numbers, and nothing waits for
            tasks or teams while one is held
  detached  tasks are fulfilled by their creator before it waits for anything, by
            a task that depends on nothing, or by themselves
  MPI       calls are the same on all ranks, in one order, by the primary thread
            or, in a parallel region, by one thread before a barrier
"""

import random

IN, INOUT, MUTEXINOUTSET, INOUTSET = range(4)
TIED, UNDEFERRED, FINAL = range(3)
BY_CREATOR, BY_TASK, BY_ITSELF = range(3)

ANY_TYPE = [IN, IN, INOUT, INOUT, MUTEXINOUTSET, INOUTSET]
# Dependence types of undeferred tasks: the replay knows only these two.
TYPES_OF_UNDEFERRED = [IN, INOUT]
MPI_KINDS = BARRIER, ALLREDUCE, BCAST, RING = range(4)

LOCKS = 6      # of the interpreter
CRITICAL = (0, 1)
DEEPEST_TASK = 2
DEEPEST_TEAM = 2


class Writer:
    """The operations of one rank in one program."""

    def __init__(self, rng):
        self.random = rng
        self.lines = []
        self.teams = []   # sizes, outermost first
        self.tasks = 0
        self.budget = 0   # of operations, so that blocks in blocks end

    def emit(self, *words):
        self.lines.append(' '.join(str(w) for w in words))

    def chance(self, likely):
        return self.random.random() < likely

    def pick(self, choices):
        (what,) = self.random.choices([c for c, _ in choices], [w for _, w in choices])
        return what

    def block(self, *words):
        self.emit(*words, '{')
        return Block(self)

    def length_us(self):
        """Work. Some is so long that the heaviest path is likely to go there, whatever
        edges it has to cross."""
        if self.chance(0.25):
            return self.random.randint(15000, 30000)
        return self.random.randint(3000, 9000)

    def work(self, likely=1.0):
        """Work of a different length for each thread or iteration."""
        if self.chance(likely):
            self.emit('work', *[self.length_us() for _ in range(self.random.choice([1, 3, 4]))])

    # -- blocks -------------------------------------------------------------

    def serial(self):
        """Operations of the initial thread, outside parallel regions."""
        for _ in range(self.random.randint(1, 3)):
            self.pick([(self.work, 2), (self.parallel, 6), (self.locked, 0.3),
                       (self.task, 0.5), (self.taskwait, 0.2)])()

    def parallel(self):
        size = self.random.choice([1, 2, 2, 3, 4] if not self.teams else [1, 2, 2, 3])
        outer_tasks = self.tasks
        with self.block('parallel', size):
            self.teams.append(size)
            self.tasks = 0
            if len(self.teams) == 1:
                self.budget = self.random.randint(4, 14)
            self.team()
            self.teams.pop()
            self.tasks = outer_tasks

    def team(self):
        """What all threads of a team execute."""
        self.work(0.4)
        for _ in range(self.random.randint(1, 4)):
            self.pick([(self.barrier, 1.5), (self.single, 3), (self.loop, 2), (self.ordered, 0.7),
                       (self.doacross, 0.7), (self.master, 1), (self.only, 1.5),
                       (self.statement, 5)])()
        self.work(0.3)

    def statements(self):
        """What one thread, or a task, executes."""
        self.work(0.3)
        for _ in range(self.random.randint(1, 4)):
            self.statement()

    def statement(self):
        self.budget -= 1
        if self.budget < 0:
            return self.work(0.5)
        deep = self.tasks >= DEEPEST_TASK
        self.pick([(self.work, 3), (self.locked, 1.5), (self.attempt, 0.5), (self.taskwait, 1.2),
                   (self.group, 0 if deep else 1), (self.task, 0 if deep else 3),
                   (self.siblings, 0 if deep else 1.5), (self.untied, 0 if deep else 1),
                   (self.detached, 0 if deep or self.teams[-1:] in ([], [1]) else 1), (self.taskyield, 0.5),
                   (self.parallel, 0.5 if len(self.teams) < DEEPEST_TEAM else 0)])()

    # -- teams --------------------------------------------------------------

    def barrier(self):
        self.emit('barrier')
        self.work(0.8)

    def single(self):
        nowait = self.chance(0.4)
        with self.block('single', int(nowait)):
            self.statements()
        self.work(0 if nowait else 0.4)

    def master(self):
        with self.block('master'):
            self.statements()

    def only(self):
        with self.block('only', self.random.randrange(4)):
            self.statements()

    def loop(self):
        with self.block('loop', self.random.randint(2, 5), self.random.choice([1, 1, 2]),
                        int(self.chance(0.4))):
            self.work()
            if self.chance(0.4):
                self.statement()

    def ordered(self):
        """Threads may be in several of those without a barrier at once."""
        self.emit('ordered', self.random.randint(2, 4), self.length_us(), self.length_us(),
                  int(self.chance(0.5)))

    def doacross(self):
        self.emit('doacross', self.random.randint(2, 4), *[self.length_us() for _ in range(3)])

    # -- locks --------------------------------------------------------------

    def locked(self, above=-1):
        lock = self.random.randint(above + 1, LOCKS - 1)
        with self.block('lock', lock):
            self.work()
            if lock + 1 < LOCKS and self.chance(0.2):
                self.locked(lock)

    def attempt(self):
        length = self.length_us()
        with self.block('try', self.random.choice([n for n in range(LOCKS) if n not in CRITICAL]),
                        length):
            self.emit('work', length)

    # -- tasks --------------------------------------------------------------

    def dependences(self, likely, types=ANY_TYPE):
        if not self.chance(likely):
            return []
        cells = self.random.sample(range(3), self.random.choice([1, 1, 2]))
        return [word for cell in cells for word in (self.random.choice(types), cell)]

    def inside(self, *words, simple=False):
        """The block of a task."""
        with self.block(*words):
            self.tasks += 1
            self.work(0.6)
            if not simple and self.chance(0.5):
                self.statements()
            self.tasks -= 1

    def task(self, dependences=0.3):
        kind = self.random.choice([TIED, TIED, TIED, TIED, UNDEFERRED, FINAL])
        types = TYPES_OF_UNDEFERRED if kind == UNDEFERRED else ANY_TYPE
        of_task = self.dependences(dependences, types)
        # LLVM 19 hangs if a task with a mutexinoutset dependence executes other tasks.
        self.inside('task', kind, *of_task, simple=MUTEXINOUTSET in of_task[::2])

    def siblings(self):
        """Tasks that depend on one another."""
        for _ in range(self.random.randint(2, 5)):
            self.task(dependences=0.9)
            self.work(0.1)
        if self.chance(0.5):
            self.taskwait()

    def untied(self):
        with self.block('untied'):
            self.tasks += 1
            for _ in range(self.random.randint(1, 3)):
                self.work()
                if self.chance(0.3):
                    self.statement()
            self.tasks -= 1

    def detached(self):
        self.inside('detached', self.random.choice([BY_CREATOR, BY_TASK, BY_ITSELF]),
                    self.length_us())

    def taskwait(self):
        self.emit('taskwait', *self.dependences(0.4, TYPES_OF_UNDEFERRED))
        self.work(0.8)

    def group(self):
        with self.block('group'):
            self.task()
            self.statements()
        self.work(0.8)

    def taskyield(self):
        self.emit('yield')


class Block:
    def __init__(self, writer):
        self.writer = writer

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.writer.emit('}')


class Program:
    """The program of one seed for this number of ranks: each rank has its own OpenMP,
    and all make the same MPI calls."""

    def __init__(self, seed, ranks, mpi, first_instance):
        self.seed, self.ranks = seed, ranks
        rng = random.Random('%d of %d' % (seed, ranks))
        self.region = 'p%d' % seed
        self.writers = [Writer(rng) for _ in range(ranks)]
        self.instances = first_instance
        for writer in self.writers:
            writer.emit('open', self.region)
        for _ in range(rng.randint(1, 3)):
            for writer in self.writers:
                inner = rng.random() < 0.4
                if inner:
                    writer.emit('open', self.region + '.a')
                writer.serial()
                if inner:
                    writer.emit('close', self.region + '.a')
            if mpi:
                self.call_mpi(rng)
        for writer in self.writers:
            writer.work()
            writer.emit('close', self.region)
        self.lines = [writer.lines for writer in self.writers]

    def call_mpi(self, rng):
        self.instances += 1
        call = ('mpi', rng.choice(MPI_KINDS), self.instances, rng.randrange(self.ranks))
        for writer in self.writers:
            where = rng.choice(['outside', 'outside', 'master', 'single'])
            if where == 'outside':
                writer.emit(*call)
                continue
            size = rng.choice([1, 2, 3, 4])
            with writer.block('parallel', size):
                writer.teams.append(size)
                writer.budget = 5
                writer.team()
                # MPI calls of different threads are separated by a barrier.
                with writer.block(*[where, 0] if where == 'single' else [where]):
                    writer.work(0.5)
                    writer.emit(*call)
                writer.barrier()
                writer.work(0.7)
                writer.teams.pop()


class Launch:
    """Several programs, one after the other, in one script."""

    def __init__(self, seeds, ranks, mpi):
        self.programs = []
        instances = 0
        for seed in seeds:
            self.programs.append(Program(seed, ranks, mpi, instances))
            instances = self.programs[-1].instances
        self.text = ''.join('rank %d {\n%s\n}\n' % (
            rank, '\n'.join(line for program in self.programs for line in program.lines[rank]))
            for rank in range(ranks))
