#!/usr/bin/env python3
"""How the exit statuses of jobs that end early are compared."""

import unittest

import harness


class EndAlikeTest(unittest.TestCase):
    def test_equal(self):
        for mpi in ('openmpi', 'mpich'):
            for status in (0, 1, 7, 139):
                self.assertTrue(harness.end_alike(mpi, status, status))

    def test_mpich_may_have_the_status_of_a_process_that_its_launcher_ends(self):
        for one, other in ((0, 1), (7, 9), (7, 15), (5, 5 | 9), (0x86, 0x8f), (9, 15)):
            with self.subTest(one=one, other=other):
                self.assertTrue(harness.end_alike('mpich', one, other))
                self.assertTrue(harness.end_alike('mpich', other, one))
                self.assertFalse(harness.end_alike('openmpi', one, other))

    def test_other_statuses_differ(self):
        for one, other in ((0, 139), (7, 134), (5, 7), (0, 6), (2, 0)):
            with self.subTest(one=one, other=other):
                self.assertFalse(harness.end_alike('mpich', one, other))
                self.assertFalse(harness.end_alike('mpich', other, one))


if __name__ == '__main__':
    unittest.main()
