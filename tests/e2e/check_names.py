#!/usr/bin/env python3
"""The main finding calls who has most of a loss by name, where rows of processes, threads
or calls prove it, and nobody where there are none.

  check_names.py --config CONFIG [unittest arguments]
"""

import unittest

import harness

CONFIGURATION = None
NAMES = r'\bRanks? \d|\bThread \d|\bNode \S+\'s threads|\bMost of'


class Names(unittest.TestCase):
    maxDiff = None

    def said(self, mpi, **env):
        """The example: rank 0 works for 0.3 s + 0.75 s * 8 / 9, the mean rank for 0.7 of it."""
        result = harness.run_measured(
            CONFIGURATION, mpi, 4, 2, [CONFIGURATION.program(mpi, 'example')], env=env, own_time=True)
        self.assertTrue(result.is_good(), result.describe())
        text = harness.report_of_cores_for_all(CONFIGURATION, result.report)
        return text[text.index('Main finding'):text.index('Try next')]

    def test_with_rows_and_without(self):
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi):
                rows = {'POPRT_ROWS': 'thread', 'POPRT_CALLS': 'on'}
                self.assertRegex(self.said(mpi, **rows),
                                 r'Rank 0 did 1\.[345] times the useful work of the mean rank\.')
                self.assertNotRegex(self.said(mpi), NAMES)


if __name__ == '__main__':
    CONFIGURATION, argv = harness.command_line()
    unittest.main(argv=argv)
