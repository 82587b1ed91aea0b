#!/usr/bin/env python3
"""MPI functions that a program uses and that poprt does not measure speak against its report,
by name. (That of programs without such is empty: run.py.)

  check_unwrapped.py --config CONFIG [unittest arguments]
"""

import os
import unittest

import harness

CONFIGURATION = None
FUNCTIONS = {'openmpi': 'MPIX_Allreduce_init', 'mpich': 'MPIX_Comm_agree'}


class Unwrapped(unittest.TestCase):
    maxDiff = None

    def test_an_extension_is_named(self):
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi):
                if not os.path.exists(CONFIGURATION.program(mpi, 'unwrapped')):
                    self.skipTest('this MPI has no ' + FUNCTIONS[mpi])
                result = harness.run_measured(CONFIGURATION, mpi, 2, 1,
                                              [CONFIGURATION.program(mpi, 'unwrapped')])
                self.assertTrue(result.is_good(), result.describe())
                name = FUNCTIONS[mpi]
                self.assertEqual([{'name': name, 'processes': 2}],
                                 result.report['run']['mpi']['unwrapped_calls'])
                self.assertIn({'key': 'unwrapped_calls', 'light': 'amber', 'value': 1.0, 'limit': 0.0},
                              result.report['quality']['causes'])
                text = harness.report_of_cores_for_all(CONFIGURATION, result.report)
                self.assertIn('poprt does not measure: 1 (%s).' % name, ' '.join(text.split()))

    def test_what_a_library_calls_past_poprt_is_named(self):
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi):
                program = CONFIGURATION.program(mpi, 'deep_bound')
                library = CONFIGURATION.program(mpi, 'libdeep_bound.so')
                result = harness.run_measured(CONFIGURATION, mpi, 2, 1, [program, library])
                self.assertTrue(result.is_good(), result.describe())
                self.assertEqual([{'name': 'MPI_Barrier', 'processes': 2}],
                                 result.report['run']['mpi']['unwrapped_calls'])


if __name__ == '__main__':
    CONFIGURATION, argv = harness.command_line()
    unittest.main(argv=argv)
