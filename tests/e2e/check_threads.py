#!/usr/bin/env python3
"""What the report says of threads that OpenMP does not know.

  check_threads.py --config CONFIG [unittest arguments]
"""

import os
import unittest

import harness

CONFIGURATION = None


class UnknownThreads(unittest.TestCase):
    def measure(self, mpi, what):
        """Per process: 2 OpenMP threads of 50 ms, 3 others of 100, 200 and 300 ms."""
        ranks = 1 if mpi == 'none' else 2
        program = [CONFIGURATION.program(mpi, 'pthreads'), what]
        result = harness.run_measured(CONFIGURATION, mpi, ranks, 2, program,
                                      report='text,json')
        self.assertTrue(result.status == 0 and result.report is not None, result.describe())
        return result, result.report['run']['resources'], ' '.join(result.stderr.split()), ranks

    def measure_on_one_core(self, what, threads, env):
        program = ['taskset', '-c', str(min(os.sched_getaffinity(0))),
                   CONFIGURATION.program('none', 'pthreads'), what]
        result = harness.run_measured(CONFIGURATION, 'none', 1, threads, program,
                                      report='text,json', env=env)
        self.assertTrue(result.status == 0 and result.report is not None, result.describe())
        return result

    def each(self, *words):
        for mpi in ['none'] + list(CONFIGURATION.mpis):
            for what in words:
                with self.subTest(mpi=mpi, what=what):
                    yield what, *self.measure(mpi, what)

    def test_their_time_is_named(self):
        for what, result, resources, text, ranks in self.each('joined', 'detached'):
            # What MPI's own threads and the threads' start and end take is little.
            self.assertAlmostEqual(ranks * 600e6, resources['unknown_threads_cpu_sum_ns'],
                                   delta=ranks * 40e6, msg=result.describe())
            self.assertIn('threads unknown to OpenMP (pthreads, std::thread, TBB, of libraries) used',
                          text)
            core_ns = harness.core_ns(result.report)
            if 0.25 * core_ns < 0.9 * 600e6 * ranks:  # else the machine was very busy
                self.assertEqual('red', result.report['quality']['light'], result.describe())
                self.assertIn('that of threads which are not measured', ' '.join(text.split()))
                self.assertNotIn('The largest', text)
            alive = what == 'detached'
            self.assertEqual(3 * ranks if alive else 0, resources['unknown_threads_sum'])
            self.assertEqual(alive, f'; {3 * ranks} of them still lived at the end' in text)

    def test_their_waits_for_a_core_are_theirs(self):
        """On one core the three keep each other waiting, while the measured ones sleep."""
        result = self.measure_on_one_core('detached', threads=2, env={'KMP_BLOCKTIME': '0'})
        core_ns = harness.core_ns(result.report)
        self.assertLess(result.report['run']['resources']['waited_for_core_sum_ns'],
                        0.4 * core_ns, result.describe())

    def test_waits_of_threads_that_have_ended_are_known(self):
        """On one core, three that run for 100, 200 and 300 ms wait for 200, 300 and 300."""
        result = self.measure_on_one_core('joined', threads=1, env={'POPRT_THREADS': 'all'})
        self.assertGreater(result.report['run']['resources']['waited_for_core_sum_ns'], 500e6,
                           result.describe())

    def test_threads_that_sleep_are_not(self):
        """Nor are the threads of the MPI libraries."""
        for _, result, resources, text, ranks in self.each('asleep'):
            self.assertLess(resources['unknown_threads_cpu_sum_ns'], ranks * 10e6,
                            result.describe())
            self.assertNotIn('unknown to OpenMP', text)
            self.assertNotIn('threads which are not measured', ' '.join(text.split()))
            self.assertEqual(0, resources['unknown_threads_sum'])


if __name__ == '__main__':
    CONFIGURATION, arguments = harness.command_line()
    unittest.main(argv=arguments)
