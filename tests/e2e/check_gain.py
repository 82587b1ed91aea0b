#!/usr/bin/env python3
"""What the report promises that mending the largest loss would save, and what it does save:
each program of gain_shapes.c is run as it is and with its loss mended. (The unit test of
gain_schedules asks that of random programs.)

  check_gain.py --config CONFIG [unittest arguments]
"""

import dataclasses
import json
import subprocess
import sys
import unittest

import harness
from library_test import each_mpi

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
    # Whether one run tells enough to promise something.
    is_promised: bool = True
    environment: dict = dataclasses.field(default_factory=dict)


SHAPES = {
    'unequal_ranks_and_a_busy_one': Shape(4, 1, 'mpi_load_balance', 800, 680, True),
    'chain_of_ranks': Shape(4, 1, 'mpi_serialisation_efficiency', 960, 240),
    'unequal_ranks_in_a_chain': Shape(4, 1, 'mpi_load_balance', 800, 800, True, is_promised=False),
    'late_sender': Shape(2, 1, 'mpi_serialisation_efficiency', 800, 440),
    'many_reductions': Shape(2, 1, 'mpi_transfer_efficiency', 3000, 2050),
    'unequal_threads_of_one_rank': Shape(2, 4, 'openmp_load_balance', 400, 360, True),
    'static_loop': Shape(1, 4, 'openmp_load_balance', 600, 300),
    'serial_part': Shape(1, 4, 'openmp_load_balance', 800, 500),
    'critical_region': Shape(1, 4, 'openmp_serialisation_efficiency', 1000, 400),
    # Threads that sleep while they wait take no task before the time goes on.
    'chain_of_tasks': Shape(1, 4, '', 480, 120, environment={'OMP_WAIT_POLICY': 'active'}),
    'rotating_ranks_in_a_region': Shape(4, 1, 'mpi_serialisation_efficiency', 730, 370),
    # Of regions: the run as a whole does not tell.
    'demo_of_unequal_ranks': Shape(4, 2, 'mpi_load_balance', 1450, 1112.5),
    'demo_of_unequal_threads': Shape(2, 2, 'openmp_load_balance', 1250, 875),
    'nested_regions': Shape(4, 2, 'mpi_load_balance', 840, 570),
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
        is_bound = shape.loss.endswith('transfer_efficiency')
        self.assertEqual('bound' if is_bound else 'estimate', gain['kind'])
        # Tasks that a few threads execute have two losses, each of them a part of the gain.
        if shape.loss:
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

    @each_mpi
    def test_a_region_without_its_work_is_a_bound(self, mpi):
        """50 of 730 ms are outside of the region."""
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
