#!/usr/bin/env python3
"""What the library takes of the resources that the program needs: file descriptors,
memory, communicators. Each program runs without and with the library.

  check_resources.py --config CONFIG [unittest arguments]
"""

import unittest

import harness

CONFIGURATION = None


class Resources(unittest.TestCase):
    def run_one(self, mpi, command, ranks=2, library=True, report=True, limit=harness.LIMIT_S):
        """What the program prints; the report, if there must be one, has lost nothing."""
        result = harness.run_measured(CONFIGURATION, mpi, ranks, 1, command, limit, library=library)
        self.assertTrue(result.status == 0 and not result.hang, result.describe())
        self.report = result.report
        if library and report:
            self.assertIsNotNone(result.report, result.describe())
            self.assertEqual(0, result.report['quality']['lost_clocks'])
        return result.stdout

    def run_both(self, *arguments, **more):
        """What the program prints, without and with the library."""
        return [self.run_one(*arguments, library=library, **more) for library in (False, True)]

    def test_descriptors(self):
        """Whatever the program does to its descriptors, and whoever may access the
        process."""
        for mpi in CONFIGURATION.mpis:
            # Open MPI ends if it may no longer remove its own files.
            for fault in ('none', 'files') + (('user',) if mpi == 'mpich' else ()):
                with self.subTest(mpi=mpi, fault=fault):
                    program = CONFIGURATION.program(mpi, 'lost_files')
                    # Another user cannot write to the place of the report.
                    plain, measured = self.run_both(mpi, [program, fault, '3000'],
                                                    report=fault != 'user')
                    self.assertEqual(plain, measured)

    def test_communicators(self):
        """The program can make nearly as many communicators as without the library, again and
        again, and all have clocks."""
        for mpi in CONFIGURATION.mpis:
            program = CONFIGURATION.program(mpi, 'many_comms')
            with self.subTest(mpi=mpi, test='most'):
                plain, measured = self.run_both(mpi, [program, 'most', '100000'], limit=3600)
                self.assertGreaterEqual(int(measured), 0.95 * int(plain))
            with self.subTest(mpi=mpi, test='cycles'):
                printed = self.run_one(mpi, [program, 'cycles', '100000'], limit=3600)
                self.assertEqual('100000', printed.strip())
            with self.subTest(mpi=mpi, test='threads'):
                # Threads of Open MPI take turns for 0.2 s in each round, with the library or without.
                rounds = '15' if mpi == 'openmpi' else '100'
                plain, measured = self.run_both(mpi, [program, 'threads', rounds])
                self.assertEqual(plain, measured)
            # MPICH's ranks spin: more than the cores take turns.
            for ranks in (3, 18) if mpi == 'openmpi' else (2,):
                with self.subTest(mpi=mpi, test='relay', ranks=ranks):
                    plain, measured = self.run_both(mpi, [program, 'relay', '300'], ranks, limit=120)
                    self.assertEqual(plain, measured)
                    # One process works at a time, on the critical path; the others wait
                    # for it.
                    metrics = next(region for region in self.report['regions']
                                   if region['name'] == 'Global')['metrics']['pop']
                    at_once = ranks * metrics['load_balance'] * metrics['serialisation_efficiency']
                    self.assertAlmostEqual(1, at_once, delta=0.1)


if __name__ == '__main__':
    CONFIGURATION, arguments = harness.command_line()
    unittest.main(argv=arguments)
