#!/usr/bin/env python3
"""Threads of the program's own as cores (POPRT_THREADS=all): programs of known shape.

  check_program_threads.py --config CONFIG [unittest arguments]
"""

import json
import os
import shutil
import subprocess
import unittest

import harness

CONFIGURATION = None
RANKS = 2
NEAR = 1e-6
# Shape: threads, cores besides the main thread's, useful time in units of 100 ms,
# run time, longest path of useful time, longest useful time of a core.
SHAPES = {
    'unequal': (3, 3, 12, 6, 6, 6),
    # The cores of the first three threads are taken by the next three, in any order, which
    # the sum and the paths do not depend on.
    'twice': (6, 3, 24, 12, 12, None),
    'exit': (3, 3, 12, 6, 6, 6),
    'mutex': (3, 3, 6, 6, 6, 2),
    'rwlock': (3, 3, 6, 6, 6, 2),
    'barrier': (3, 3, 18, 8, 8, 8),
    'condition': (1, 1, 4, 4, 4, 2),
    'semaphore': (1, 1, 4, 4, 4, 2),
    # After siglongjmp() out of a wait its thread is useful, and others are measured.
    'jump': (2, 1, 5, 5, 4, 3),
    'c11': (1, 1, 4, 4, 4, 2),
    'futex': (1, 1, 4, 4, 4, 2),
    'beside': (3, 3, 16, 4, 4, 4),
    'alive': (3, 3, 16, 4, 4, 4),
    'cxx': (1, 1, 4, 4, 4, 2),
    'cxx_unequal': (3, 3, 12, 6, 6, 6),
}
# A thread that waits until a time has come, which is the machine's.
FREE = (2, 2, 4, 5, 2, 2)
NEAR_BY_MACHINE = 0.04


class ProgramThreads(harness.FolderTest):
    near, own_time = NEAR, True

    def measurement(self, mpi, shape, program=None, threads='all', arguments=()):
        program = program or ('cxx_thread_shapes' if 'cxx' in shape else 'thread_shapes')
        return harness.Measurement(CONFIGURATION, mpi, 1 if mpi == 'none' else RANKS, 2,
                                   [CONFIGURATION.program(mpi, program), shape, *arguments],
                                   env={'POPRT_THREADS': threads}, report='text,json',
                                   own_time=self.own_time)

    def run_shape(self, *what, **more):
        result = self.measurement(*what, **more).run()
        self.assertTrue(result.status == 0 and not result.hang, result.describe())
        return result

    def shapes_together(self, shapes, **more):
        """The ranks and shape of each, and its result."""
        for mpi in ['none'] + list(CONFIGURATION.mpis):
            results = harness.run_all([self.measurement(mpi, s, **more) for s in shapes])
            for shape, result in zip(shapes, results):
                with self.subTest(mpi=mpi, shape=shape):
                    self.assertTrue(result.status == 0 and not result.hang, result.describe())
                    yield 1 if mpi == 'none' else RANKS, shape, result

    def everywhere(self, shapes):
        for mpi in ['none'] + list(CONFIGURATION.mpis):
            for shape in shapes:
                with self.subTest(mpi=mpi, shape=shape):
                    yield mpi, 1 if mpi == 'none' else RANKS, shape

    def check(self, result, cores, useful, run_time, path, longest):
        """All in units of 100 ms, of the job; checks the times of Global."""
        region = result.report['regions'][0]
        pop = region['metrics']['pop']
        for name, expected in (
                ('parallel_efficiency', useful / (cores * run_time)),
                ('load_balance', useful / cores / longest if longest else None),
                ('communication_efficiency', longest / run_time if longest else None),
                ('transfer_efficiency', path / run_time)):
            if expected is not None:
                self.assertAlmostEqual(expected, pop[name], delta=self.near, msg=name + '\n' + result.describe())
        self.assertAlmostEqual(useful * 0.1, region['accumulators']['useful_sum_ns'] * 1e-9,
                               delta=useful * 0.1 * self.near, msg=result.describe())
        self.assertEqual(0, result.report['quality']['closure_error_ns'])

    def test_shapes(self):
        for ranks, shape, result in self.shapes_together(list(SHAPES)):
            threads, others, useful, *rest = SHAPES[shape]
            resources = result.report['run']['resources']
            # No thread of MPI, nor of the launcher, is among them.
            self.assertEqual(ranks * threads, resources['program_threads_sum'], result.describe())
            self.assertEqual(ranks * (1 + others), result.report['run']['threads'])
            self.assertLess(resources['unknown_threads_cpu_sum_ns'], ranks * 20e6, result.describe())
            self.assertIn(f'{ranks * threads} thread' + 's' * (ranks * threads > 1) + ' of the program',
                          result.stderr)
            self.assertNotIn('OpenMP: LLVM', result.stderr)
            self.check(result, ranks * (1 + others), ranks * useful, *rest)
            if shape == 'beside':
                self.check_one_parallel_region(result.report['regions'][0]['metrics'])

    def check_one_parallel_region(self, metrics):
        """While other threads work, the main thread's time is not serial."""
        for model in ('critical_path', 'multiplicative', 'additive'):
            for name, value in metrics[model].items():
                if value is not None and 'efficiency' in name:
                    self.assertLessEqual(value, 1.001, name)
        self.assertGreater(metrics['additive']['serial_region_efficiency'], 0.9)

    def test_a_library_that_is_loaded_later(self):
        library = CONFIGURATION.program('none', 'libthread_shapes.so')
        for ranks, shape, result in self.shapes_together(['unequal', 'condition'], arguments=[library]):
            threads, others, useful, *rest = SHAPES[shape]
            self.assertEqual(ranks * threads,
                             result.report['run']['resources']['program_threads_sum'], result.describe())
            self.check(result, ranks * (1 + others), ranks * useful, *rest)

    def test_mpi_in_threads(self):
        """A message from each thread of one rank to one of the other."""
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi=mpi):
                result = self.run_shape(mpi, 'mpi')
                self.check(result, 8, 18, 8, 8, 6)
                self.assertEqual(0, result.report['quality']['foreign_threads'])

    def test_a_cancelled_thread_ends(self):
        for _, ranks, shape in self.everywhere(['cancel']):
            result = self.run_shape(_, shape)
            self.assertEqual(3 * ranks, result.report['run']['resources']['program_threads_sum'])
            self.assertEqual(4 * ranks, result.report['run']['threads'])

    def test_beside_openmp(self):
        """Two threads of OpenMP and three others, which compute."""
        for mpi, ranks, what in self.everywhere(['joined', 'detached']):
            result = self.run_shape(mpi, what, 'pthreads')
            resources = result.report['run']['resources']
            self.assertEqual(5 * ranks, result.report['run']['threads'], result.describe())
            self.assertEqual(3 * ranks, resources['program_threads_sum'])
            self.assertLess(resources['unknown_threads_cpu_sum_ns'], 40e6 * ranks, result.describe())
            self.assertNotIn('unknown to OpenMP', result.stderr)
            self.assertIn('OpenMP: LLVM', result.stderr)

    def test_the_program_is_as_without(self):
        for what in ('many', 'fail', 'cancel', 'child', 'handler', 'results', 'exit', 'main_ends'):
            with self.subTest(what=what):
                program = [CONFIGURATION.program('none', 'thread_endings'), what]
                plain = harness.run_measured(CONFIGURATION, 'none', 1, 1, program, library=False)
                result = harness.run_measured(CONFIGURATION, 'none', 1, 1, program,
                                              env={'POPRT_THREADS': 'all'}, report='text,json')
                self.assertFalse(result.hang, result.describe())
                self.assertNotEqual('', plain.stdout)
                self.assertEqual((plain.status, plain.stdout), (result.status, result.stdout),
                                 result.describe())
                self.assertIsNotNone(result.report, result.describe())
                if what != 'fail':  # which may end before any of its threads has begun
                    self.assertGreater(result.report['run']['resources']['program_threads_sum'], 0)

    def test_more_at_once_than_there_is_room_for(self):
        for threads in (4000, 4200):
            with self.subTest(threads=threads):
                result = harness.run_measured(
                    CONFIGURATION, 'none', 1, 1,
                    [CONFIGURATION.program('none', 'thread_endings'), 'at_once', str(threads)],
                    env={'POPRT_THREADS': 'all'}, report='json')
                self.assertEqual(0, result.status, result.describe())
                if result.stdout != f'{threads}\n':
                    self.skipTest(f'the system gives {result.stdout.strip()} threads only')
                notes = result.report['quality']['notes']
                if threads == 4000:
                    harness.expect_not_noted(self, 'threads_at_once', notes, result.describe())
                else:
                    harness.expect_noted(self, 'threads_at_once', notes, result.describe())

    def run_by_command(self, program):
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith('POPRT_')}
        environment['POPRT_OUTPUT'] = os.path.join(self.base, 'run.json')
        return subprocess.run([CONFIGURATION.command, 'run', '--threads', 'all', program, 'condition'],
                              env=environment, capture_output=True, text=True, check=True, timeout=60)

    def test_by_the_command(self):
        result = self.run_by_command(CONFIGURATION.program('none', 'thread_shapes'))
        self.assertIn('measuring its threads, OpenMP that it loads, and programs that it starts', ' '.join(result.stderr.split()))
        self.assertIn('1 thread of the program', result.stderr)
        with open(os.path.join(self.base, 'run.json'), encoding='utf-8') as file:
            self.assertEqual(1, json.load(file)['run']['resources']['program_threads_sum'])

    def test_a_launcher_is_not_measured(self):
        launcher = os.path.join(self.base, 'srun')
        shutil.copy(CONFIGURATION.program('none', 'thread_shapes'), launcher)
        self.assertNotIn('1 thread of the program', self.run_by_command(launcher).stderr)
        self.assertFalse(os.path.exists(os.path.join(self.base, 'run.json')))

    def test_nobody_asks(self):
        """Then nothing measures them, and without MPI and OpenMP there is no report."""
        for mpi, ranks, shape in self.everywhere(['unequal']):
            for threads in ('openmp', ''):
                result = self.run_shape(mpi, shape, threads=threads)
                self.assertEqual(mpi == 'none', result.report is None, result.describe())
                if result.report is not None:
                    self.assertIsNone(result.report['run']['resources']['program_threads_sum'])
                    self.assertEqual(ranks, result.report['run']['threads'])


class MachineTime(ProgramThreads):
    near, own_time = NEAR_BY_MACHINE, False

    def test_locks_that_are_free(self):
        for mpi, ranks, shape in self.everywhere(['free']):
            threads, others, useful, *rest = FREE
            self.check(self.run_shape(mpi, shape), ranks * (1 + others), ranks * useful, *rest)


if __name__ == '__main__':
    CONFIGURATION, arguments = harness.command_line()
    unittest.main(argv=arguments)
