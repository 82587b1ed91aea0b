#!/usr/bin/env python3
"""What the library takes of what the program needs: descriptors, memory,
communicators. Each program runs without and with the library.

  check_resources.py --config CONFIG [unittest arguments]
"""

import unittest

import harness

CONFIGURATION = None


class Resources(unittest.TestCase):
    def run_both(self, mpi, command, ranks=2, report=True):
        """What it prints, without and with a report that has lost nothing."""
        plain, measured = (
            harness.run_measured(CONFIGURATION, mpi, ranks, 1, command, library=library)
            for library in (False, True))
        self.assertTrue(plain.status == 0 and not plain.hang, plain.describe())
        self.assertTrue(measured.status == 0 and not measured.hang, measured.describe())
        if report:
            self.assertIsNotNone(measured.report, measured.describe())
            self.assertEqual(0, measured.report['quality']['lost_clocks'])
        return plain.stdout, measured.stdout

    def test_descriptors(self):
        """However the program treats its descriptors, and whoever may look at it."""
        for mpi in CONFIGURATION.mpis:
            # Open MPI ends where it may not remove its own files any more.
            for fault in ('none', 'files') + (('user',) if mpi == 'mpich' else ()):
                with self.subTest(mpi=mpi, fault=fault):
                    program = CONFIGURATION.program(mpi, 'lost_files')
                    # Another user cannot write where the report is expected.
                    plain, measured = self.run_both(mpi, [program, fault, '3000'],
                                                    report=fault != 'user')
                    self.assertEqual(plain, measured)


if __name__ == '__main__':
    CONFIGURATION, arguments = harness.command_line()
    unittest.main(argv=arguments)
