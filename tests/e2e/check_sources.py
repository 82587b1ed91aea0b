#!/usr/bin/env python3
"""The programs of tests/sources/shapes.txt performed: what their parallel regions lose
by source, in all, by user region, by parallel region and some by thread; their clocks; and
the MPI rows of the multiplicative model. Without those that need times of
the OpenMP runtime, which only the fake runtime of the layer tests can perform.

  check_sources.py --config CONFIG [unittest arguments]
"""

import itertools
import json
import os
import sys
import unittest

import harness

CONFIGURATION = None
SHAPES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'sources')
sys.path.insert(0, SHAPES)
import model  # noqa: E402  pylint: disable=wrong-import-position,wrong-import-order

# In ms: of rounding to ns.
WITHIN = 2e-5
AMOUNTS = dict(mpi_inside='openmp_mpi_inside_sum_ns', serialised='openmp_serialised_sum_ns',
               scheduling='openmp_scheduling_sum_ns', not_started='openmp_not_started_sum_ns')
PROGRAM = 'program'
CLOCKS = ('cue', 'com', 'comp', 'all')
MPI_ROWS = ('mpi_communication', 'mpi_serialisation', 'mpi_transfer')
# Which of two threads comes last here or executes a task is decided by less than any real
# clock can do.
ONLY_EXACT = ('tie', 'tie_turned', 'tasks_few')
# Those that also run with rows of threads.
BY_THREAD = ('six_loops', 'single', 'ordered', 'master_mpi', 'smaller_team_mpi', 'nested_imbalance',
             'not_started', 'user_regions')


def flat(operations):
    for o in operations:
        yield o
        if o[0] == 'par':
            for ops in o[3]:
                yield from flat(ops)
        if o[0] == 'single' and isinstance(o[2], list):
            yield from flat(o[2])


def all_operations(program):
    return [o for rank in program['ranks'] for o in flat(rank['ops'])]


def takes_runtime(o):
    """Whether the runtime would have to take a time that it does not take by itself."""
    return (o[0] in ('o', 'ext') or o[0] == 'bar' and o[1:] not in ([], [0]) or
            o[0] == 'dyn' and o[3] > 0 or
            o[0] == 'par' and (o[2].get('fork') or o[2].get('join')))


def is_raced_for(o):
    """Whether threads of a team ask for one lock: who gets it first is not determined."""
    if o[0] != 'par':
        return False
    locks = [{each[1] for each in flat(ops) if each[0] == 'lock'} for ops in o[3]]
    return any(a & b for i, a in enumerate(locks) for b in locks[:i])


class Written:
    """A program as tests/e2e/programs/written_program.c reads it."""

    def __init__(self, program):
        self.names = {}
        self.receivers = {o[1]: r for r, rank in enumerate(program['ranks'])
                          for o in flat(rank['ops']) if o[0] == 'recv'}
        self.senders = {o[1]: r for r, rank in enumerate(program['ranks'])
                        for o in flat(rank['ops']) if o[0] == 'send'}
        self.text = ''
        for r, rank in enumerate(program['ranks']):
            self.lists = []
            self.list_of(rank['ops'])
            self.text += 'rank %d %d\n' % (r, rank['threads'])
            for i, line in enumerate(self.lists):
                self.text += 'list %d %s\n' % (i, line)

    def number(self, kind, name):
        return self.names.setdefault(kind, {}).setdefault(name, len(self.names[kind]))

    def name(self, kind, number):
        return list(self.names[kind])[number]

    def places(self):
        return self.names.get('place', {})

    def list_of(self, operations):
        number = len(self.lists)
        self.lists.append('')
        self.lists[number] = ' '.join(str(word) for o in operations for word in self.words(o))
        return number

    def words(self, o):
        kind, a = o[0], o[1:]
        if kind in 'wx':
            return [kind, a[0]]
        if kind == 'send':
            return ['S', self.receivers[a[0]], self.number('tag', a[0])]
        if kind == 'recv':
            return ['R', self.senders[a[0]], self.number('tag', a[0])]
        if kind == 'mbar':
            return ['M', self.number('meeting', a[0])]
        if kind in ('start', 'stop'):
            return ['<' if kind == 'start' else '>', a[0]]
        if kind in ('lock', 'unlock'):
            return [kind[0], self.number('lock', a[0])]
        if kind == 'ordered':
            return ['o', self.number('loop', a[0]), a[2]]
        if kind == 'single':
            inner = a[1] if isinstance(a[1], list) else [['w', a[1]]]
            return ['s', int(a[2]), self.number('single', a[0]), self.list_of(inner)]
        if kind == 'masked':
            return ['m', a[0]]
        if kind == 'dyn':
            return ['d', len(a[1]), *a[1]]
        if kind == 'task':
            work, name, after, mpi = (a + [None, [], 0][len(a) - 1:])[:4]
            return ['t', work, mpi, self.number('task', name) if name else -1,
                    self.number('task', after[0]) if after else -1]
        if kind == 'par':
            late = [a[1].get('late', {}).get(str(i), 0) for i in range(len(a[2]))]
            return ['p', self.number('place', a[0]), len(a[2]), *late,
                    *[self.list_of(ops) for ops in a[2]]]
        return {'bar': ['b'], 'taskwait': ['T']}[kind]


class Run:
    """A shape, performed: the losses that the run file has, and those of the model."""

    def __init__(self, mpi, shape, folder, env=None):
        self.program = shape['program']
        written = Written(self.program)
        path = os.path.join(folder, shape['name'])
        with open(path, 'w', encoding='utf-8') as file:
            file.write(written.text)
        ranks = len(self.program['ranks'])
        threads = max(rank['threads'] for rank in self.program['ranks'])
        command = [CONFIGURATION.program(mpi, 'written_program'), path, '1000']
        self.result = harness.run_measured(CONFIGURATION, mpi, ranks, threads, command, env=env,
                                           own_time=True)
        self.places = written.places()
        if not self.result.is_good():
            return
        who, firsts = {}, {}
        for line in self.result.stdout.splitlines():
            what, *numbers = line.split()
            if what == 'single':
                name = written.name('single', int(numbers[0]))
                firsts.setdefault(name, set()).add(int(numbers[1]))
            else:
                creator, task, executor = map(int, numbers)
                who[creator, task] = executor
        self.sim = model.Sim(self.program, who=who, firsts=firsts)
        self.regions = {region['name']: region for region in self.result.report['regions']}

    def clocks(self, name):
        clocks = self.regions[name]['clocks']
        return {clock: clocks[clock + '_ns'] / 1e6 for clock in CLOCKS}

    def losses(self, name):
        a = self.regions[name]['accumulators']
        found = {source: a[key] / 1e6 for source, key in AMOUNTS.items()}
        found['mpi_inside'] += a['mpi_inside_sum_ns'] / 1e6
        all_of = a['openmp_weighted_ns'] - (a['useful_sum_ns'] - a['serial_sum_ns'])
        return dict(found, imbalance=all_of / 1e6 - sum(found.values()))

    def thread_losses(self, name):
        """By rank, a list of those of its threads: the primary one, then others as they began."""
        rows = self.regions[name]['thread_rows']
        found = [[] for _ in self.program['ranks']]
        for i, rank in enumerate(rows['rank']):
            losses = {k: rows['openmp_%s_ns' % k][i] / 1e6 for k in model.SRC}
            losses['mpi_inside'] += rows['mpi_inside_ns'][i] / 1e6
            found[rank].append(losses)
        return found

    def wanted(self, name):
        name = 'Global' if name == PROGRAM else name
        return {k: sum(rank[name][k] for rank in self.sim.loss) for k in model.SRC}

    def parallel_losses(self, name):
        everything = self.regions['Global']
        core_ms = everything['threads'] * everything['accumulators']['all_ns'] / 1e6
        function = 'parallel_%d' % self.places[name]
        rows = [row for row in self.result.report['parallel_regions']
                if function in (row['location'] or '')]
        return {k: core_ms * sum(row['lost'][k] for row in rows) for k in model.SRC}


class Sources(unittest.TestCase):
    maxDiff = None

    def check(self, mpi, shape, folder):
        run = Run(mpi, shape, folder)
        self.assertTrue(run.result.is_good(), run.result.describe())
        self.compare('all', run.wanted(PROGRAM), run.losses(PROGRAM), run)
        for name in shape['expect']['regions']:
            self.compare(name, run.wanted(name), run.losses(name), run)
        for name in [PROGRAM] + list(shape['expect']['regions']):
            wanted = run.sim.values('Global' if name == PROGRAM else name)['G']
            self.compare('clocks of ' + name, wanted, run.clocks(name), run, CLOCKS)
        values = run.sim.values()
        if values['G']['com']:
            found = run.regions[PROGRAM]['metrics']['multiplicative']
            wanted = {row: values['mult'][row] for row in MPI_ROWS}
            self.compare('MPI rows', wanted,
                         {row: found[row + '_efficiency'] for row in MPI_ROWS}, run, MPI_ROWS)
        for name in run.places:
            if name in run.sim.con:
                self.compare(name, run.sim.con[name], run.parallel_losses(name), run)

    def check_threads(self, mpi, shape, folder):
        run = Run(mpi, shape, folder, {'POPRT_ROWS': 'thread'})
        self.assertTrue(run.result.is_good(), run.result.describe())
        for name in ['Global'] + list(shape['expect']['regions']):
            for rank, found in enumerate(run.thread_losses(name)):
                wanted = [run.sim.own[rank, t][name] for t in range(len(found))]
                # Any thread may execute a `single`; else the primary one is known.
                any_of = 0 if 'single' in {o[0] for o in all_operations(shape['program'])} else 1
                worst = min(self.worst(wanted, found[:any_of] + list(others))
                            for others in itertools.permutations(found[any_of:]))
                self.assertLessEqual(worst, WITHIN, '%s: wanted %s, found %s\n%s' % (
                    name, wanted, found, run.result.describe()))

    @staticmethod
    def worst(wanted, found):
        return max(abs(a[k] - b[k]) for a, b in zip(wanted, found) for k in model.SRC)

    def compare(self, what, wanted, found, run, keys=model.SRC):
        for key in keys:
            self.assertLessEqual(
                abs(wanted[key] - found[key]), WITHIN,
                '%s: %s: wanted %s, found %s\n%s' % (
                    what, key, {k: round(wanted[k], 1) for k in keys},
                    {k: round(found[k], 1) for k in keys}, run.result.describe()))


def shapes():
    with open(os.path.join(SHAPES, 'shapes.txt'), encoding='utf-8') as file:
        return [json.loads(line) for line in file if line.strip()]


def test_of(check, mpi, shape):
    def test(self):
        with harness.tempfile.TemporaryDirectory() as folder:
            check(self, mpi, shape, folder)
    return test


def add_tests():
    for mpi in CONFIGURATION.mpis:
        for shape in shapes():
            if (shape['name'] in ONLY_EXACT or
                    any(takes_runtime(o) or is_raced_for(o)
                        for o in all_operations(shape['program']))):
                continue

            name = 'test_%s_%s' % (mpi, shape['name'])
            setattr(Sources, name, test_of(Sources.check, mpi, shape))
            if shape['name'] in BY_THREAD:
                setattr(Sources, name + '_by_thread', test_of(Sources.check_threads, mpi, shape))


if __name__ == '__main__':
    CONFIGURATION, ARGUMENTS = harness.command_line()
    add_tests()
    unittest.main(argv=ARGUMENTS)
