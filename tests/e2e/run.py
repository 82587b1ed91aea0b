#!/usr/bin/env python3
"""Runs the programs of known shape and compares what the library reports with
what the model expects: every metric of every model, in every region.

  run.py --config CONFIG --mpi openmpi|mpich|none --group GROUP [--sizes all|largest|others]
         [--clock own|machine] [-k NAME] [-v] [--record]

One shape of each group runs with each option of the library as well, and with all of
them: they change no metric.
"""

import argparse
import os
import re
import sys
import unittest

import harness
import model
import plain_outputs
import scenarios

# Where a program's time is the test's own, nothing takes time that should not. Times are
# whole ns.
TOLERANCE = 1e-6
# Metrics that programs without accelerators lack.
OF_ACCELERATORS = re.compile('accelerator_|device_|openmp_region_accelerator_')

# With the machine's time: late wake-ups and the calls themselves are about 1 % on a quiet
# machine. A missing edge or a wrong state is off by a unit of work, 10 % and more.
TOLERANCE_MACHINE = 0.04
# MPICH spins in every call. With more ranks than cores, a message waits some milliseconds
# until the receiver has a core again, and so does a rank that enters or leaves a call.
# Ratios of times to the run time, and comparisons of ranks, are off by as much.
TOLERANCE_FULL_MPICH = 0.05  # all cores spin: whatever else runs takes one away
TOLERANCE_CROWDED_MPICH = 0.10
# With this many threads per core, threads wake up one after the other.
MANY_PER_CORE = 8
TOLERANCE_MANY = 0.05

# What a shape of each group is measured with, each alone and all together.
OPTIONS = {
    'calls': {'POPRT_CALLS': 'on'},
    'windows': {'POPRT_WINDOWS': '50ms'},
    'path': {'POPRT_PATH': 'waiting,regions'},
    'constructs': {'POPRT_PATH': 'waiting,constructs'},
    'io': {'POPRT_IO': 'posix'},
    'threads': {'POPRT_THREADS': 'all'},
    'counters': {'POPRT_COUNTERS': 'default'},
    'rows': {'POPRT_ROWS': 'process'},
}
OPTIONS['all'] = {key: value for option in OPTIONS.values() for key, value in option.items()}


def tolerance_of_machine(mpi, ranks, threads):
    cores = os.cpu_count()
    allowed = TOLERANCE_MANY if ranks * threads > MANY_PER_CORE * cores else TOLERANCE_MACHINE
    if mpi == 'mpich' and ranks >= cores:
        allowed = TOLERANCE_CROWDED_MPICH if ranks > cores else TOLERANCE_FULL_MPICH
    return allowed


class ShapeTest(unittest.TestCase):
    """One scenario under one MPI with one number of ranks and threads."""
    maxDiff = None

    def __init__(self, context, scenario, mpi, ranks, threads, option=''):
        super().__init__('check')
        self.option = option
        self.context, self.scenario, self.mpi = context, scenario, mpi
        self.ranks, self.threads = ranks, threads
        self.plain_digest = None  # see plain_outputs; '' without one, None if it does not matter

    def id(self):
        name = '%s.%s.%s.%dx%d' % (self.mpi, self.scenario.group, self.scenario.name, self.ranks,
                                   self.threads)
        return name + '+' + self.option if self.option else name

    def __str__(self):
        return self.id()

    def shortDescription(self):
        return None

    def command(self, unit_us):
        program = self.context.configuration.program(self.mpi, self.scenario.program)
        if self.scenario.program == 'example':
            return [program]
        return [program, self.scenario.name, str(unit_us)]

    def unit_us(self):
        """Spinning MPICH on too few cores is late by this much, however long the
        program is."""
        crowded = (not self.context.own_time and self.mpi == 'mpich' and
                   self.ranks * self.threads > os.cpu_count() and self.scenario.program != 'example')
        return self.scenario.unit_us * (2 if crowded else 1)

    def measurement(self, library=True, unit_us=None):
        environment, beside = self.scenario.environment, ''
        if self.option:
            # PAPI is a stand-in where there is one, which counts nothing in these programs.
            environment = {**environment, **OPTIONS[self.option],
                           'LD_LIBRARY_PATH': self.context.configuration.fake_papi()}
        if self.scenario.hosts:
            environment = {**environment,
                           'TEST_HOSTS': ','.join(self.scenario.hosts_of(self.ranks))}
            beside = self.context.configuration.other_host()
        return harness.Measurement(
            self.context.configuration, self.mpi, self.ranks, self.threads,
            self.command(unit_us or self.unit_us()), library=library,
            env=environment, llvm_openmp=self.scenario.gcc, beside=beside,
            own_time=library and self.context.own_time)

    def run_plain(self):
        # What it prints does not depend on how long it works.
        return self.measurement(library=False, unit_us=5000).run()

    def is_as_expected(self, result):
        return not result.hang and result.status == self.scenario.exit_status

    def check(self):
        result = self.context.results[self.id()]
        if not self.is_as_expected(result):
            self.fail(result.describe())
        if self.plain_digest not in (None, plain_outputs.digest(result)):
            plain = self.run_plain()
            self.assertFalse(plain.hang, plain.describe())
            self.assertEqual(plain_outputs.ending(plain), plain_outputs.ending(result),
                             'the library changes the exit status or the output of %s' % self.id())
        if result.report is None:
            self.fail('no run file\n' + result.describe())
        failures = []
        if result.report['quality']['lost_clocks']:
            failures.append('%d clocks were lost' % result.report['quality']['lost_clocks'])
        if self.context.own_time and result.report['quality']['overhead_ns']:
            failures.append('overhead of %d ns, though poprt takes none of this time'
                            % result.report['quality']['overhead_ns'])
        mpi = result.report['run']['mpi'] or {}
        if mpi.get('unwrapped_calls'):
            failures.append('not measured: %s' % mpi['unwrapped_calls'])
        simulation = self.scenario.simulate(self.mpi, self.ranks, self.threads)
        failures += self.compare_hosts(result.report)
        expected = {name: simulation.expectation(name) for name in simulation.region_names()}
        got = {region['name']: region for region in result.report['regions']}
        if sorted(expected) != sorted(got):
            failures.append('regions: got %s, expected %s' % (sorted(got), sorted(expected)))
        within = TOLERANCE
        if not self.context.own_time:
            within = tolerance_of_machine(self.mpi, self.ranks, self.threads) + result.beside()
            # Time in which a core stood still is missing from a measured time, or is part
            # of it.
            shortest = min(region.all for region in expected.values()) * self.unit_us() * 1e-6
            if shortest:
                within += result.stalled_s / shortest
        for name in sorted(set(expected) & set(got)):
            failures += self.compare(expected[name], got[name], within)
        if failures:
            self.fail('\n'.join('%s: %s' % (self.id(), f) for f in failures) + '\n' +
                      result.describe())

    def compare_hosts(self, report):
        hosts = self.scenario.hosts_of(self.ranks)
        expected = {host or os.uname().nodename: hosts.count(host) for host in hosts}
        got = {host['name']: host['processes'] for host in report['run']['hosts']}
        return [] if got == expected else ['hosts: got %s, expected %s' % (got, expected)]

    def compare(self, expected, got, within):
        failures = []
        where = 'region %s' % expected.name

        def close(what, value, wanted, allowed=within):
            if wanted is model.UNDETERMINED:
                return
            if value is None or wanted is None:
                agree = value is wanted
            else:
                agree = abs(value - wanted) <= allowed
            if not agree:
                failures.append('%s: %s: got %s, expected %s within %g' %
                                (where, what, show(value), show(wanted), allowed))

        for what in ('processes', 'threads', 'visits'):
            close(what, got[what], getattr(expected, what), 0)
        for name, rows in expected.metrics.items():
            values = got['metrics'].get(name, {})
            # No shape calls accelerators, so no parallel region loses by them.
            rows = {**rows, **{key: None for key in values if OF_ACCELERATORS.match(key)}}
            inside = 'openmp_region_accelerator_efficiency'
            if values.get(inside) is not None:
                rows[inside] = 1
            if sorted(rows) != sorted(values):
                failures.append('%s: rows of %s: got %s, expected %s' % (
                    where, name, sorted(values), sorted(rows)))
                continue
            for key, wanted in rows.items():
                # Some efficiencies are above 1.
                scale = max(1, wanted) if isinstance(wanted, (int, float)) else 1
                close('%s.%s' % (name, key), values[key], wanted, within * scale)
        run_time = got['clocks']['all_ns']
        if not run_time:
            failures.append('%s: no run time' % where)
            return failures
        for what in ('cue', 'com', 'comp', 'coo'):
            close('clock %s / all' % what, got['clocks'][what + '_ns'] / run_time,
                  getattr(expected, what) / expected.all)
        close('pl_cue / all', got['accumulators']['pl_cue_ns'] / run_time,
              expected.pl_cue / expected.all)
        close('MPI-IO / all', got['accumulators']['mpi_io_sum_ns'] / run_time,
              expected.in_files / expected.all, within * expected.processes)
        close('elapsed_max / all', got['elapsed_max_ns'] / run_time,
              expected.elapsed_max / expected.all)
        # The scale: a program of the right shape but the wrong length.
        close('run time / expected run time',
              run_time * 1e-3 / (expected.all * self.unit_us()), 1, 2.5 * within)
        return failures


def chosen(sizes, which):
    """Of the numbers of ranks and threads: all, the one with most threads in all, or the
    others."""
    largest = max(sizes, key=lambda size: size[0] * size[1], default=None)
    return [size for size in sizes
            if which == 'all' or (size == largest) == (which == 'largest')]


def with_options(tests):
    """The smallest test of each group with each of the options."""
    least = {}
    for test in sorted(tests, key=lambda test: test.ranks * test.threads):
        if test.scenario.program != 'cxx_shapes':  # which has threads of its own
            least.setdefault(test.scenario.group, test)
    for test in least.values():
        for option in OPTIONS:
            yield ShapeTest(test.context, test.scenario, test.mpi, test.ranks, test.threads, option)


def show(value):
    return 'null' if value is None else '%.4f' % value if isinstance(value, float) else str(value)


class Context:
    def __init__(self, configuration, own_time):
        self.configuration, self.own_time = configuration, own_time
        self.results = {}  # of the measurements, by the id of their test

    def measure(self, tests):
        measurements = [test.measurement() for test in tests]
        results = (harness.run_all(measurements) if self.own_time else
                   [measurement.run() for measurement in measurements])
        self.results = {test.id(): result for test, result in zip(tests, results)}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--config', required=True)
    parser.add_argument('--mpi', required=True)
    parser.add_argument('--group', action='append', default=[])
    parser.add_argument('--sizes', choices=('all', 'largest', 'others'), default='all',
                        help='numbers of ranks and threads of a shape')
    parser.add_argument('--clock', choices=('own', 'machine'), default='own',
                        help='whose time a program has: that of the test (programs/virtual_clock.c)')
    parser.add_argument('-k', '--name', default='', help='only tests whose name contains this')
    parser.add_argument('-v', '--verbose', action='store_true')
    parser.add_argument('--record', action='store_true',
                        help='keeps what the programs do without the library, see plain_outputs.py')
    arguments = parser.parse_args()
    configuration = harness.Configuration(arguments.config)
    if arguments.mpi != 'none' and arguments.mpi not in configuration.mpis:
        parser.error('not built for %s' % arguments.mpi)
    context = Context(configuration, arguments.clock == 'own')
    tests = []
    left_out = []
    digests = plain_outputs.known()
    for scenario in scenarios.SCENARIOS:
        if (arguments.group and scenario.group not in arguments.group or
                scenario.machine_time and arguments.clock == 'own'):
            continue
        sizes = chosen(scenario.sizes[arguments.mpi], arguments.sizes)
        function = scenario.mpi_function
        if sizes and function and not configuration.has_function(arguments.mpi, function):
            left_out.append('%s: left out, this MPI has no %s' % (scenario.name, function))
            continue
        for i, (ranks, threads) in enumerate(sizes):
            test = ShapeTest(context, scenario, arguments.mpi, ranks, threads)
            tests.append(test)
            if i == 0:
                test.plain_digest = digests.get(test.id(), '')
    if arguments.sizes != 'others' and not arguments.record:
        tests += with_options(tests)
    suite = unittest.TestSuite(test for test in tests if arguments.name in test.id())
    if arguments.record:
        plain_outputs.record({test.id(): plain_outputs.digest(test.run_plain())
                              for test in suite if test.plain_digest is not None})
        return
    if not suite.countTestCases():
        parser.error('no such test')
    print('\n'.join(left_out), end='\n' if left_out else '')
    context.measure(list(suite))
    outcome = unittest.TextTestRunner(verbosity=2 if arguments.verbose else 1).run(suite)
    sys.exit(not outcome.wasSuccessful())


if __name__ == '__main__':
    main()
