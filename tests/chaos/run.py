#!/usr/bin/env python3
"""Random programs: the results must be the same as without the library, nothing hangs, and
no clock is lost. With --times, on a machine that does nothing else, what the library reports is
compared with the longest paths in the graph of what happened.

  run.py --config FILE --mpi MPI --program INTERPRETER [--ranks 2 4] [--seeds 1-20 33]
         [--per-launch 20] [--times] [--library FILE] [--lag LIBRARY] [--keep FOLDER] [-v]

A seed is a program; a launch runs several of them, each in a region of its own.
POPRT_CHAOS_SEEDS=1-1000 is the same as --seeds: a long run.
"""

import argparse
import concurrent.futures
import itertools
import os
import re
import shutil
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'e2e'))
import generator  # noqa: E402
import harness  # noqa: E402
import model  # noqa: E402
import replay  # noqa: E402

# Both sides measure the same stretches. Between their time stamps lie some hundred
# nanoseconds per call, or a time slice and more if the process loses its core just
# there. That happens with MPICH, whose ranks take turns if there are too few cores; its
# programs work twice as long. The shortest work is 3 ms.
TOLERANCE_NS = 2000000
TOLERANCE_CROWDED_MPICH_NS = 5000000
# At the start, all ranks need a core at once.
TOLERANCE_GLOBAL = 20
TOLERANCE_METRIC = 0.01
# In a region shorter than this many tolerances, clocks are compared but not ratios.
SHORTEST = 20

# The percentage of the sleeps in runs whose times do not matter.
PLAIN_SLEEPS = '5'

# How LLVM's OpenMP runtime ends a program because of a bug of its own: 19.1.7 does so
# in kmp_tasking.cpp:3248 in one of a thousand programs or less, without any tool.
RUNTIME_BUG = re.compile(r'^OMP: Error #13: (Assertion failure at .*)$', re.MULTILINE)
# The largest share of launches that may end this way without the library, or in which the
# runtime breaks a rule; they are not judged. Beside other load the runtime does so in up to
# one of thirteen launches, and the usual set has four of each kind.
UNJUDGED_MOST = 0.5

# The ways in which clocks travel, used in turn: {name: MEMFD_WITHOUT, see
# without_memfd.c}.
CARRIERS = {'shared memory': None, 'messages': 'all', 'mixed': 'odd'}

# What is followed of the longest path in two of four launches, with one of these words. Clocks are
# the same with it.
PATH = 'waiting,%%s,without:%s' % model.GLOBAL
PATH_WORDS = ['regions', 'constructs']


def numbers(words):
    result = []
    for word in words:
        first, _, last = word.partition('-')
        result += range(int(first), int(last or first) + 1)
    return result


class Launch:
    """One run with the library, one without."""
    LIMIT_S = 60
    TOLERANCE_NS = TOLERANCE_NS  # of a quiet machine with a core for each that works

    def __init__(self, options, configuration, ranks, seeds, carrier, lag, path):
        self.options, self.configuration = options, configuration
        self.ranks, self.seeds, self.carrier, self.lag = ranks, seeds, carrier, lag
        self.path_word = path
        self.path_words = PATH % path if path else None
        self.failures = []   # (seed or None, sentence)
        self.unjudged = ''   # why, if it is not
        self.plain = self.measured = None
        self.late = self.programs = self.events = 0
        self.deviation_ns = 0

    def make_script(self):
        return generator.Launch(self.seeds, self.ranks)

    def make_graph(self, trace_paths):
        """The execution graph of what happened."""
        lines = self.script.text.split('\n')
        region_of = {i + 1: line.split()[1] for i, line in enumerate(lines)
                     if line.startswith(('open ', 'close '))}
        graph = replay.Graph([replay.read_trace(path) for path in trace_paths],
                             region_of, self.script.synchronous, self.script.collectives)
        self.events = graph.messages
        return graph

    def describe_events(self):
        return '%d messages, %d of %d with late answers' % (self.events, self.late, self.programs)

    def run(self):
        self.script = self.make_script()
        self.folder = tempfile.TemporaryDirectory(prefix='poprt-chaos-')
        self.path = os.path.join(self.folder.name, 'script')
        with open(self.path, 'w', encoding='utf-8') as file:
            file.write(self.script.text)
        self.plain = self._measure([self.path, '-', PLAIN_SLEEPS], False)
        if self.plain.is_good():
            self.trace = os.path.join(self.folder.name, 'trace')
            sleeps = '200' if self.crowded() else '100'
            self.measured = self._measure(
                [self.path, self.trace, sleeps if self.options.times else PLAIN_SLEEPS], True)
        return self

    def crowded(self):
        return self.options.mpi == 'mpich' and self.ranks > os.cpu_count()

    def tolerance_ns(self):
        crowded = self.options.mpi == 'mpich' and self.takes_turns()
        return (TOLERANCE_CROWDED_MPICH_NS if crowded else self.TOLERANCE_NS) + 1e9 * self.measured.stalled_s

    def takes_turns(self):
        """Whether there are more ranks and threads of MPICH than cores."""
        return self.crowded()

    def _measure(self, arguments, library):
        beside = [self.options.lag] if self.lag else []
        if CARRIERS[self.carrier]:
            beside.append(self.options.without_memfd)
        return harness.run_measured(
            self.configuration, self.options.mpi, self.ranks, 1,
            [self.options.program] + arguments, limit=self.LIMIT_S, library=library,
            env={'MEMFD_WITHOUT': CARRIERS[self.carrier], 'POPRT_PATH': self.path_words},
            beside=':'.join(beside))

    # -- verdict ------------------------------------------------------------

    def check(self):
        """Finds out what is wrong."""
        measured, plain = self.measured, self.plain
        if measured is None:
            bug = RUNTIME_BUG.search(plain.stderr)
            if bug:
                self.unjudged = 'without the library: ' + bug[1]
                return
            return self.fail(None, 'fails without the library: the test or the MPI is broken\n' +
                             plain.describe())
        if measured.hang:
            self.fail(self._stuck(), 'hangs with the library\n' + self._positions() +
                      measured.describe())
        elif measured.status != 0:
            self.fail(None, 'fails with the library\n' + self._positions() + measured.describe())
        elif sorted(measured.stdout.split('\n')) != sorted(plain.stdout.split('\n')):
            self.fail(None, 'other results with the library\n' + measured.describe() +
                      plain.describe())
        if not measured.is_good():
            return
        if measured.report is None:
            return self.fail(None, 'no run file\n' + measured.describe())
        lost = measured.report['quality']['lost_clocks']
        if lost:
            self.fail(None, '%d clocks were lost' % lost)
        try:
            self._compare()
        except replay.RuntimeBug as bug:
            self.unjudged = str(bug)

    def fail(self, seed, sentence):
        self.failures.append((seed, sentence))

    def _compare(self):
        graph = self.make_graph(['%s.%d' % (self.trace, rank) for rank in range(self.ranks)])
        got = {region['name']: region for region in self.measured.report['regions']}
        wanted = graph.region_names()
        if sorted(got) != wanted:
            self.fail(None, 'regions: got %s, expected %s' % (sorted(got), wanted))
        seed_of = {program.region: program.seed for program in self.script.programs}
        for name in wanted:
            if name not in got:
                continue
            least, most = graph.expectations(name)
            if name in seed_of:
                self.programs += 1
                self.late += least.cue != most.cue
            for sentence in self.compare(least, most, got[name]):
                self.fail(seed_of.get(name.split('.')[0]), 'region %s: %s' % (name, sentence))

    def compare(self, least, most, got):
        sentences = []
        tolerance_ns = self.tolerance_ns()
        if got['name'] == model.GLOBAL:
            tolerance_ns *= TOLERANCE_GLOBAL

        def between(what, value, low, high, allowed, scale, form):
            if value is None or not low - allowed <= value <= high + allowed:
                sentences.append('%s: got %s, expected %s%s within %s' % (
                    what, 'null' if value is None else form % (value / scale), form % (low / scale),
                    ' to ' + form % (high / scale) if high != low else '', form % (allowed / scale)))
            elif scale != 1 and got['name'] != model.GLOBAL:
                self.deviation_ns = max(self.deviation_ns, low - value, value - high)

        def clock(what, value, low, high):
            between(what, value, low, high, tolerance_ns, 1e6, '%.2f ms')

        for what in ('processes', 'visits'):
            between(what, got[what], getattr(most, what), getattr(most, what), 0, 1, '%d')
        if not self.options.times:
            return sentences
        for what in ('cue', 'com', 'coo', 'all'):
            clock('clock ' + what, got['clocks'][what + '_ns'], getattr(least, what),
                  getattr(most, what))
        accumulators = got['accumulators']
        clock('useful_max', accumulators['useful_max_ns'], most.useful_max, most.useful_max)
        clock('pl_cue', accumulators['pl_cue_ns'], most.pl_cue, most.pl_cue)
        clock('elapsed_max', got['elapsed_max_ns'], most.elapsed_max, most.elapsed_max)
        if most.useful_max < SHORTEST * tolerance_ns:
            return sentences
        allowed = TOLERANCE_METRIC + 2 * tolerance_ns / most.useful_max
        for name, rows in most.metrics.items():
            for key, high in rows.items():
                low = least.metrics[name][key]
                value = got['metrics'][name].get(key)
                if model.UNDETERMINED in (low, high):
                    continue
                if high is None or low is None:
                    if value is not None:
                        sentences.append('%s.%s: got %s, expected null' % (name, key, value))
                    continue
                low, high = min(low, high), max(low, high)
                between('%s.%s' % (name, key), value, low, high, allowed, 1, '%.4f')
        return sentences

    # -- where it stands ----------------------------------------------------

    def _at(self, rank):
        try:
            with open('%s.%d.at' % (self.trace, rank), 'rb') as file:
                return int.from_bytes(file.read(4), 'little')
        except OSError:
            return 0

    def _positions(self):
        lines = self.script.text.split('\n')
        return ''.join('rank %d was in line %d: %s (%s)\n' % (
            rank, self._at(rank), lines[self._at(rank) - 1], self._program(self._at(rank)))
            for rank in range(self.ranks))

    def _program(self, at):
        for line in reversed(self.script.text.split('\n')[:at]):
            words = line.split()
            if words[:1] == ['open'] and '.' not in words[1]:
                return words[1]
        return 'before the first region'

    def _stuck(self):
        """The seed of the program that the last rank is in."""
        names = [self._program(self._at(rank)) for rank in range(self.ranks)]
        for program in self.script.programs:
            if program.region in names:
                return program.seed
        return None

    # -- for people ---------------------------------------------------------

    def report(self):
        text = ''
        for seed in sorted({seed for seed, _ in self.failures}, key=lambda s: (s is None, s)):
            sentences = [sentence for s, sentence in self.failures if s == seed]
            text += 'FAILED %s, %d ranks, %s\n' % (
                self.options.mpi, self.ranks,
                'some of the seeds' if seed is None else 'seed %d' % seed)
            text += ''.join('  %s\n' % s.rstrip().replace('\n', '\n  ') for s in sentences)
            base = '  repeat: %s -B %s --config %s --mpi %s --program %s --ranks %d' % (
                sys.executable, os.path.abspath(sys.argv[0]), self.options.config, self.options.mpi,
                self.options.program, self.ranks)
            if self.options.library:
                base += ' --library ' + self.options.library
            if self.options.without_memfd:
                base += " --without-memfd %s --carriers '%s'" % (
                    self.options.without_memfd, self.carrier)
            if self.lag:
                base += ' --lag %s --always-lag' % self.options.lag
            if self.path_word:
                base += ' --always-path ' + self.path_word
            launch = ' '.join(str(s) for s in self.seeds)
            if seed is not None:
                text += '%s --seeds %d\n  or as it was:' % (base, seed)
            text += '%s --seeds %s --per-launch %d\n' % (base, launch, len(self.seeds))
            for program in self.script.programs:
                if program.seed == seed:
                    for rank, lines in enumerate(program.lines):
                        text += '  --- rank %d\n%s\n' % (
                            rank, '\n'.join('  ' + line for line in lines))
        if self.failures:
            result = self.measured or self.plain
            text += '  (others used %.0f %% of the cores, stalls of %.0f ms)\n' % (
                100 * result.foreign, 1e3 * result.stalled_s)
        return text

    def keep(self, folder):
        target = os.path.join(folder, '%s-%d-%d' % (self.options.mpi, self.ranks, self.seeds[0]))
        shutil.copytree(self.folder.name, target, dirs_exist_ok=True)

    def clean(self):
        self.folder.cleanup()


def main(launch_class=Launch, description=__doc__, per_launch=20):
    parser = argparse.ArgumentParser(description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--config', required=True)
    parser.add_argument('--mpi', required=True)
    parser.add_argument('--program', required=True)
    parser.add_argument('--ranks', type=int, nargs='+', default=[2, 4])
    parser.add_argument('--default-seeds', nargs='+', default=['1-24'],
                        help='where neither --seeds nor the environment says which')
    parser.add_argument('--seeds', '--seed', nargs='+',
                        default=os.environ.get('POPRT_CHAOS_SEEDS', '').split())
    parser.add_argument('--per-launch', type=int, default=per_launch)
    parser.add_argument('--times', action='store_true', help='compares times: on a quiet machine')
    parser.add_argument('--library', help='instead of the one that was built')
    parser.add_argument('--without-memfd', default='', metavar='LIBRARY',
                        help='with it, clocks are carried in different ways')
    parser.add_argument('--carriers', nargs='+', choices=list(CARRIERS), default=list(CARRIERS))
    parser.add_argument('--lag', default='', metavar='LIBRARY',
                        help='with it, MPI is late in every second launch')
    parser.add_argument('--always-lag', action='store_true', help='... in every launch')
    parser.add_argument('--always-path', choices=PATH_WORDS,
                        help='POPRT_PATH in every launch, not only in two of four')
    parser.add_argument('--keep', help='folder for scripts and traces of launches that fail')
    parser.add_argument('-v', '--verbose', action='store_true')
    options = parser.parse_args()
    configuration = harness.Configuration(options.config)
    if options.mpi != 'none' and options.mpi not in configuration.mpis:
        parser.error('not built for %s' % options.mpi)
    if options.library:
        configuration.replace_library(options.mpi, os.path.abspath(options.library))
    seeds = numbers(options.seeds or options.default_seeds)
    carriers = itertools.cycle(options.carriers if options.without_memfd else ['shared memory'])
    lags = itertools.cycle([options.always_lag, bool(options.lag)])
    paths = itertools.cycle([options.always_path] * 2 + PATH_WORDS)
    launches = [launch_class(options, configuration, ranks, seeds[i:i + options.per_launch],
                             next(carriers), next(lags), next(paths))
                for ranks in options.ranks for i in range(0, len(seeds), options.per_launch)]
    failed = unjudged = 0
    # The next launch runs while this one is evaluated.
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        futures = [pool.submit(launch.run) for launch in launches]
        # ... and comes before the evaluation. (Of Linux's threads each has its own priority. With the lowest one
        # the evaluation would get next to nothing beside other programs.)
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 5)
        for future in futures:
            launch = future.result()
            launch.check()
            failed += len({seed for seed, _ in launch.failures})
            unjudged += bool(launch.unjudged)
            print(launch.report(), end='')
            if options.verbose or not launch.failures:
                print('%s, %d ranks, %s%s%s, seeds %d to %d: %s; %s, off by %.3f ms at most, '
                      '%.1f s + %.1f s'
                      % (options.mpi, launch.ranks, launch.carrier,
                         ', MPI is late' * launch.lag, ', path' * bool(launch.path_word),
                         launch.seeds[0],
                         launch.seeds[-1],
                         'FAILED' if launch.failures else
                         'not judged, ' + launch.unjudged if launch.unjudged
                         else 'good', launch.describe_events(),
                         launch.deviation_ns / 1e6,
                         (launch.measured or launch.plain).seconds, launch.plain.seconds),
                      flush=True)
            if options.keep and launch.failures:
                launch.keep(options.keep)
            launch.clean()
    if unjudged > UNJUDGED_MOST * len(launches):
        print('FAILED: %d of %d launches could not be judged' % (unjudged, len(launches)))
        failed += 1
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
