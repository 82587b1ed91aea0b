#!/usr/bin/env python3
"""What the report promises that mending the largest loss would save, and what it does save:
each program of gain_shapes.c is run as it is and with its loss mended.

  check_gain.py --config CONFIG [unittest arguments]
"""

import dataclasses
import json
import subprocess
import sys
import unittest

import harness

CONFIGURATION = None
# Of the run time; the most that an interval may have between its ends.
WIDEST, WIDEST_OF_GAIN = 0.10, 1 / 3
# Nobody else has the core: their time is the test's own.
NEAR_MS = 0.01


@dataclasses.dataclass
class Shape:
    """The loss that the finding names, and the run times before and after mending it."""
    ranks: int
    threads: int
    loss: str
    before_ms: float
    after_ms: float
    # Whether another path takes over, so that less than half of the loss is gained.
    another_takes_over: bool = False
    # Whether one run tells enough to promise something, and more than a bound.
    is_promised: bool = True
    is_exact: bool = True
    environment: dict = dataclasses.field(default_factory=dict)


SHAPES = {
    'unequal_ranks': Shape(4, 1, 'mpi_load_balance', 960, 480),
    'unequal_ranks_and_a_busy_one': Shape(4, 1, 'mpi_load_balance', 800, 680, True),
    'chain_of_ranks': Shape(4, 1, 'mpi_serialisation_efficiency', 960, 240),
    'unequal_ranks_in_a_chain': Shape(4, 1, 'mpi_load_balance', 800, 800, True, is_promised=False),
    # One run of each looks like one of the other.
    'unequal_and_rotating_ranks': Shape(4, 1, 'mpi_load_balance', 1020, 480, is_exact=False),
    'unequal_ranks_and_one_behind': Shape(4, 1, 'mpi_load_balance', 1020, 480 * (1 + 120 / 420),
                                          is_exact=False),
    'late_sender': Shape(2, 1, 'mpi_serialisation_efficiency', 800, 440),
    'many_reductions': Shape(2, 1, 'mpi_transfer_efficiency', 3000, 2050),
    'unequal_threads_of_one_rank': Shape(2, 4, 'openmp_load_balance', 400, 360, True),
    'static_loop': Shape(1, 4, 'openmp_load_balance', 600, 300),
    'serial_part': Shape(1, 4, 'openmp_load_balance', 800, 500),
    'critical_region': Shape(1, 4, 'openmp_serialisation_efficiency', 1000, 400),
    # Threads that sleep while they wait take no task before the time goes on.
    'chain_of_tasks': Shape(1, 4, '', 480, 120, environment={'OMP_WAIT_POLICY': 'active'}),
    'masked_part': Shape(1, 4, 'openmp_load_balance', 600, 300),
    'threads_idle_during_mpi': Shape(2, 4, 'mpi_transfer_efficiency', 3000, 2050),
    'rotating_ranks_in_a_region': Shape(4, 1, 'mpi_serialisation_efficiency', 730, 370),
    # Of regions: the run as a whole does not tell.
    'demo_of_unequal_ranks': Shape(4, 2, 'mpi_load_balance', 1450, 1112.5),
    'demo_of_unequal_threads': Shape(2, 2, 'openmp_load_balance', 1250, 875),
    'nested_regions': Shape(4, 2, 'mpi_load_balance', 840, 570),
    'another_rank_in_each_region': Shape(4, 2, 'mpi_load_balance', 540, 330),
    'unequal_threads_in_a_chain': Shape(4, 2, 'openmp_load_balance', 640, 360),
}


def finding_of(run):
    """As if no thread had waited for a core."""
    told = subprocess.run([CONFIGURATION.command, 'report', '-', '--format', 'json'], check=True,
                          input=json.dumps(harness.with_cores_for_all(run)).encode(),
                          stdout=subprocess.PIPE)
    return json.loads(told.stdout)['finding']


class Gains(unittest.TestCase):
    def check_shape(self, mpi, name, before, after):
        shape = SHAPES[name]
        times = [result.report['regions'][0]['clocks']['all_ns'] for result in (before, after)]
        for expected_ms, ns in zip((shape.before_ms, shape.after_ms), times):
            self.assertAlmostEqual(expected_ms, ns / 1e6, delta=NEAR_MS)
        finding = finding_of(before.report)
        # Which thread executes tasks decides which of OpenMP's losses it is.
        self.assertTrue(finding['metric'].startswith('critical_path.' + (shape.loss or 'openmp_')),
                        finding)
        gain = finding['gain']
        measured = 1 - times[1] / times[0]
        if not shape.is_promised:
            self.assertIsNone(gain['high'], finding)
            return
        self.assertIsNotNone(gain['high'], finding)
        print('%-8s %-29s %-29s lost %4.1f %%, promised %4.1f to %4.1f %%, measured %4.1f %%' % (
            mpi, name, finding['metric'].split('.')[1], 100 * finding['lost'], 100 * gain['low'],
            100 * gain['high'], 100 * measured), file=sys.stderr)
        self.assertLessEqual(gain['low'], measured)
        self.assertLessEqual(measured, gain['high'])
        is_bound = not shape.is_exact or shape.loss.endswith('transfer_efficiency')
        self.assertEqual('bound' if is_bound else 'estimate', gain['kind'])
        # Tasks that a few threads execute have two losses, each of them a part of the gain.
        if shape.is_exact and shape.loss:
            self.assertLessEqual(gain['high'] - gain['low'], max(WIDEST, WIDEST_OF_GAIN * measured))
        if shape.another_takes_over:
            self.assertLess(measured, finding['lost'] / 2)

    def test_what_is_promised_is_what_mending_the_loss_saves(self):
        runs = [(mpi, name, words) for mpi in CONFIGURATION.mpis for name in SHAPES
                for words in ([], ['fixed'])]
        results = harness.run_all([
            harness.Measurement(CONFIGURATION, mpi, SHAPES[name].ranks, SHAPES[name].threads,
                                [CONFIGURATION.program(mpi, 'gain_shapes'), name] + words,
                                env=SHAPES[name].environment, own_time=True)
            for mpi, name, words in runs])
        for (mpi, name, _), before, after in zip(runs[::2], results[::2], results[1::2]):
            with self.subTest(mpi=mpi, shape=name):
                for result in (before, after):
                    self.assertTrue(result.is_good() and result.report, result.describe())
                self.check_shape(mpi, name, before, after)
        pairs = {run[:2]: pair for run, pair in zip(runs[::2], zip(results[::2], results[1::2]))}
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi=mpi):
                self.check_twins(mpi, pairs)

    def check_twins(self, mpi, runs):
        """Nothing in the totals tells these two apart, and one gains 13 points more than the
        other; had rank 1 less work in all, the second would gain still less."""
        first, second = [runs[mpi, name] for name in ('unequal_and_rotating_ranks',
                                                      'unequal_ranks_and_one_behind')]
        finding, other = [finding_of(before.report) for before, _ in (first, second)]
        for end in ('low', 'high'):
            self.assertAlmostEqual(finding['gain'][end], other['gain'][end], delta=1e-3)
        gains = [1 - after.report['regions'][0]['clocks']['all_ns'] /
                 before.report['regions'][0]['clocks']['all_ns'] for before, after in (first, second)]
        self.assertGreater(gains[0] - gains[1], 0.13)

    def test_a_region_without_its_work_is_a_bound(self):
        """50 of 730 ms are outside of the region."""
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi=mpi):
                run = harness.run_measured(
                    CONFIGURATION, mpi, 4, 1,
                    [CONFIGURATION.program(mpi, 'gain_shapes'), 'rotating_ranks_in_a_region'],
                    env={'POPRT_PATH': 'without:solve'}, own_time=True)
                self.assertIn('Sharing or speeding up its work would save at most 94 % of the run '
                              'time (the longest path without it).',
                              harness.report_of_cores_for_all(CONFIGURATION, run.report))


if __name__ == '__main__':
    CONFIGURATION, ARGUMENTS = harness.command_line()
    unittest.main(argv=ARGUMENTS)
