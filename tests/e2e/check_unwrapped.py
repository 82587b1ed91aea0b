#!/usr/bin/env python3
"""MPI functions that a program uses and that poprt does not measure speak against its report,
by name. (That of programs without such is empty: run.py.)

  check_unwrapped.py --config CONFIG [unittest arguments]
"""

import os
import unittest

import harness

CONFIGURATION = None
# Those that are called, and one to which the program only refers.
CALLED = {'openmpi': ['MPIX_Allreduce_init'], 'mpich': []}
REFERRED = {'openmpi': 'MPIX_Bcast_init', 'mpich': 'MPIX_Comm_agree'}


class Unwrapped(unittest.TestCase):
    maxDiff = None

    def test_an_extension_is_named(self):
        """What was not called is not, unless the loader has found all functions at once."""
        for mpi in CONFIGURATION.mpis:
            for env, names in (({}, CALLED[mpi]),
                               ({'LD_BIND_NOW': '1'}, CALLED[mpi] + [REFERRED[mpi]])):
                with self.subTest(mpi=mpi, env=env):
                    if not os.path.exists(CONFIGURATION.program(mpi, 'unwrapped')):
                        self.skipTest('this MPI has no ' + REFERRED[mpi])
                    result = harness.run_measured(CONFIGURATION, mpi, 2, 1,
                                                  [CONFIGURATION.program(mpi, 'unwrapped')], env=env)
                    self.assertTrue(result.is_good(), result.describe())
                    self.assertEqual([{'name': name, 'processes': 2, 'is_wrapped': False}
                                      for name in sorted(names)],
                                     result.report['run']['mpi']['unwrapped_calls'])
                    cause = {'key': 'unwrapped_calls', 'light': 'amber',
                             'value': float(len(names)), 'limit': 0.0}
                    self.assertEqual(bool(names), cause in result.report['quality']['causes'])
                    if not names:
                        continue
                    text = harness.report_of_cores_for_all(CONFIGURATION, result.report)
                    self.assertIn('that poprt does not measure: %d (%s).'
                                  % (len(names), ', '.join(sorted(names))), ' '.join(text.split()))

    def deep_bound(self, mpi):
        """The program, a library that it opens, and the function that this one calls."""
        program = CONFIGURATION.program(mpi, 'deep_bound')
        for library, name in (('libdeep_bound.so', 'MPI_Barrier'),
                              ('libdeep_bound_pmpi.so', 'PMPI_Barrier')):
            with self.subTest(mpi=mpi, name=name):
                yield [program, CONFIGURATION.program(mpi, library)], name

    def test_what_was_closed_or_is_looked_up_is_named(self):
        for mpi in CONFIGURATION.mpis:
            for command, name in self.deep_bound(mpi):
                if not os.path.exists(CONFIGURATION.program(mpi, 'unwrapped')):
                    self.skipTest('this MPI has no ' + REFERRED[mpi])
                result = harness.run_measured(CONFIGURATION, mpi, 2, 1,
                                              command + ['closes', REFERRED[mpi]])
                self.assertTrue(result.is_good(), result.describe())
                self.assertEqual([{'name': REFERRED[mpi], 'processes': 2, 'is_wrapped': False},
                                  {'name': name, 'processes': 2, 'is_wrapped': True}],
                                 sorted(result.report['run']['mpi']['unwrapped_calls'],
                                        key=lambda call: call['is_wrapped']))

    def test_what_a_library_calls_past_poprt_is_named(self):
        for mpi in CONFIGURATION.mpis:
            for command, name in self.deep_bound(mpi):
                result = harness.run_measured(CONFIGURATION, mpi, 2, 1, command)
                self.assertTrue(result.is_good(), result.describe())
                self.assertEqual([{'name': name, 'processes': 2, 'is_wrapped': True}],
                                 result.report['run']['mpi']['unwrapped_calls'])
                text = harness.report_of_cores_for_all(CONFIGURATION, result.report)
                self.assertIn('measure: 1 (%s). Open the library that calls %s '
                              'without RTLD_DEEPBIND.' % (name, name), ' '.join(text.split()))


if __name__ == '__main__':
    CONFIGURATION, argv = harness.command_line()
    unittest.main(argv=argv)
