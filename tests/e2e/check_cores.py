#!/usr/bin/env python3
"""What the report says about cores: which ones threads could use, and whether they got
them.

  check_cores.py --config CONFIG [unittest arguments]
"""

import os
import unittest

import harness

CONFIGURATION = None
ALLOWED = sorted(os.sched_getaffinity(0))


class Cores(unittest.TestCase):
    def measure(self, mpi, threads, words=(), launch=()):
        """Runs the program with `words` before its command, or with `launch` as the
        launcher's command line."""
        program = [CONFIGURATION.program(mpi, 'busy_threads')]
        command = list(words) + program
        if launch:
            program_of = CONFIGURATION.launch
            CONFIGURATION.launch = lambda mpi, ranks, command, core_each=False: list(launch) + command
        try:
            result = harness.run_measured(CONFIGURATION, mpi, 1, threads, command,
                                          report='text,json')
        finally:
            if launch:
                CONFIGURATION.launch = program_of
        self.assertTrue(result.status == 0 and result.report is not None, result.describe())
        return result

    def check_crowded(self, result, core=None):
        run = result.report['run']
        self.assertEqual(1, run['resources']['crowded_processes_sum'], result.describe())
        self.assertEqual(2, run['hosts'][0]['threads'])
        if core is not None:
            self.assertEqual(str(core), run['hosts'][0]['cpus'])
        # Each thread computes for 300 ms, so that one waits while the other has the core.
        self.assertGreater(run['resources']['waited_for_core_sum_ns'], 250e6)
        text = ' '.join(result.stderr.split())
        self.assertIn('had more threads than cores to run on', text)
        self.assertIn('because there are fewer cores than threads', text)

    def test_one_core(self):
        """A process that may use one core and has two threads."""
        self.check_crowded(self.measure('none', 2, ['taskset', '-c', str(ALLOWED[0])]), ALLOWED[0])

    @unittest.skipIf(len(ALLOWED) < 2, 'one core')
    def test_bound_by_the_launcher(self):
        """Open MPI binds the only process of a job, and so all its threads, to a core."""
        if 'openmpi' not in CONFIGURATION.mpis:
            self.skipTest('no Open MPI')
        run = CONFIGURATION.mpis['openmpi']['run']
        self.check_crowded(self.measure('openmpi', 2, launch=[run, '-n', '1', '--bind-to', 'core']))

    @unittest.skipIf(len(ALLOWED) < 2, 'one core')
    def test_enough_cores(self):
        """The report says nothing about cores if there are enough."""
        for mpi in ['none'] + list(CONFIGURATION.mpis):
            with self.subTest(mpi=mpi):
                result = self.measure(mpi, 2)
                run = result.report['run']
                self.assertEqual(0, run['resources']['crowded_processes_sum'])
                self.assertNotIn('threads than cores', ' '.join(result.stderr.split()))
                # Two threads of 300 ms each.
                cpu = run['resources']['cpu_user_sum_ns'] + run['resources']['cpu_system_sum_ns']
                self.assertGreater(cpu, 590e6)
                self.assertGreater(run['resources']['peak_memory_max_bytes'], 1 << 20)


if __name__ == '__main__':
    CONFIGURATION, arguments = harness.command_line()
    unittest.main(argv=arguments)
