#!/usr/bin/env python3
"""Jobs in which some processes lack the library, or make something past it.

  check_roll_call.py --config CONFIG [unittest arguments]
"""

import json
import os
import unittest

import harness
from library_test import ProgramTest, each_mpi

CONFIGURATION = None
RANKS = 4
WORK_NS = 50_000_000  # of each rank
KINDS = ('messages', 'collectives', 'communicators', 'windows')


class RollCall(ProgramTest):

    def job(self, mpi, kind, measured, **env):
        """A job in which the ranks of `measured` have the library, and its run file."""
        program = [CONFIGURATION.program(mpi, 'roll_call'), kind]
        preload = ['env', 'LD_PRELOAD=' + CONFIGURATION.library(mpi)]
        line = CONFIGURATION.launch(mpi, 1, [])
        for rank in range(RANKS):
            # The options of the first part are for the whole job.
            line += ([':', '-n', '1'] if rank else []) + (
                preload if rank in measured else []) + program
        folder = os.path.join(self.folder(mpi), kind + ''.join(map(str, measured)))
        os.makedirs(folder)
        result = harness.run(line, harness.environment(
            TMPDIR=self.base, OMP_NUM_THREADS='1', POPRT_OUTPUT=folder + '/', **env), folder)
        self.assert_fine(result)
        # MPICH tells of operations that are left when one was made past the tool.
        if kind != 'past':
            self.assertEqual(['rank %d of %d' % (rank, RANKS) for rank in range(RANKS)],
                             sorted(result.stdout.splitlines()), result.describe())
        files = [name for name in os.listdir(folder) if name.endswith('.json')]
        self.assertEqual(1 if measured else 0, len(files), result.describe())
        if not measured:
            return result, None
        with open(os.path.join(folder, files[0]), encoding='utf-8') as file:
            return result, json.load(file)

    def check_some(self, mpi, kind, measured, **env):
        result, run = self.job(mpi, kind, measured, **env)
        line = 'only %d of %d processes have this library' % (len(measured), RANKS)
        self.assertEqual(1, result.stderr.count(line), result.describe())
        # In the report, behind which lines break.
        self.assertIn('only %d of %d processes had' % (len(measured), RANKS),
                      ' '.join(result.stderr.split()))
        self.assertEqual((len(measured), RANKS - len(measured)),
                         (run['run']['ranks'], run['run']['unmeasured_processes']))
        self.assertEqual(0, run['quality']['clock_messages'])
        (region,) = [r for r in run['regions'] if r['name'] == 'Global']
        self.assertFalse(region['clocks_complete'])
        self.assertEqual({None}, set(region['clocks'].values()))
        self.assertIsNone(region['metrics']['pop']['parallel_efficiency'])
        times = region['accumulators']
        self.assertGreaterEqual(times['useful_sum_ns'], WORK_NS * len(measured))
        # Of calls with partners nobody knows whether they have waited.
        self.assertGreater(times['mpi_unknown_sum_ns'], 0)
        self.assertEqual(0, times['mpi_waiting_sum_ns'])
        self.assertEqual(set(), self.left_in_shared_memory())

    def left_in_shared_memory(self):
        """What stays there. Files of other jobs vanish when these end."""
        names = lambda: {name for name in os.listdir('/dev/shm') if name.startswith('poprt-')}
        left = names()
        harness.comes_true(lambda: not left & names())
        return left & names()

    @each_mpi
    def test_the_first_one_only(self, mpi):
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.check_some(mpi, kind, [0])

    @each_mpi
    def test_the_first_one_not(self, mpi):
        self.check_some(mpi, 'messages', [1, 2, 3])
        self.check_some(mpi, 'communicators', [2, 3])

    @each_mpi
    def test_the_last_one_not(self, mpi):
        self.check_some(mpi, 'collectives', [0, 1, 2])

    @each_mpi
    def test_with_all_options(self, mpi):
        self.check_some(mpi, 'windows', [1, 3], POPRT_CALLS='on', POPRT_WINDOWS='100ms',
                        POPRT_PATH='waiting,regions', POPRT_IO='posix', POPRT_THREADS='all',
                        POPRT_ROWS='process')

    @each_mpi
    def test_all_have_it(self, mpi):
        result, run = self.job(mpi, 'messages', list(range(RANKS)))
        self.assertNotIn('have this library', result.stderr)
        harness.expect_not_noted(self, 'comm_lost', run['quality']['notes'])
        self.assertEqual((RANKS, 0), (run['run']['ranks'], run['run']['unmeasured_processes']))
        self.assertTrue(run['regions'][0]['clocks_complete'])

    @each_mpi
    def test_none_has_it(self, mpi):
        result, _ = self.job(mpi, 'messages', [])
        self.assertNotIn('poprt', result.stderr)

    @each_mpi
    def test_made_past_the_tool(self, mpi):
        _, run = self.job(mpi, 'past', list(range(RANKS)))
        notes = [note for note in run['quality']['notes'] if 'past poprt' in note]
        self.assertEqual(1, len(notes), run['quality']['notes'])
        harness.expect_noted(self, 'comm_lost', notes)
        self.assertEqual(0, run['run']['unmeasured_processes'])


if __name__ == '__main__':
    CONFIGURATION, argv = harness.command_line()
    unittest.main(argv=argv)
