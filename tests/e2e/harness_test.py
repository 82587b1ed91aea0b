#!/usr/bin/env python3
"""How the exit statuses of jobs that end early are compared, and how long a hang is waited
for."""

import os
import unittest
from unittest import mock

import harness
import machine


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


class PatienceTest(unittest.TestCase):
    def left_s(self, threads_for_each_core, seconds):
        """Of 60 seconds."""
        patience = machine.Patience(60)
        wanted = threads_for_each_core * os.cpu_count()
        with mock.patch.object(machine.Patience, '_runnable', return_value=wanted), \
                mock.patch('time.monotonic', return_value=patience._seen + seconds):
            return patience.left_s()

    def test_each_thread_gets_its_share(self):
        self.assertAlmostEqual(20, self.left_s(0, 40))
        self.assertAlmostEqual(20, self.left_s(1, 40))
        self.assertAlmostEqual(40, self.left_s(2, 40))
        self.assertGreaterEqual(0, self.left_s(2, 120))

    def test_has_an_end(self):
        self.assertGreaterEqual(0, self.left_s(1000, 300))


if __name__ == '__main__':
    unittest.main()
