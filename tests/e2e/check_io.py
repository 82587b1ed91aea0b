#!/usr/bin/env python3
"""File I/O of programs that say themselves what they have read and written.

  check_io.py --config CONFIG [unittest arguments]
"""

import os
import subprocess
import unittest

import harness
from measured_test import MeasuredTest

CONFIGURATION = None
# Of one process, see programs/io_shapes.c.
MPI_IO = {'mpi_io_read_sum_bytes': 4 * 70, 'mpi_io_written_sum_bytes': 4 * 300, 'mpi_io_calls_sum': 4}


class FileIo(MeasuredTest):
    def run_shape(self, mpi, shape, program='io_shapes', io='posix', slow=False, alone=False, env=None, **more):
        beside = os.path.join(CONFIGURATION.programs, 'slow_files.so') if slow else ''
        return self.measure(mpi, program, shape, env={'POPRT_IO': io, **({'ALONE': '1'} if alone else {}), **(env or {})}, report='text,json',
                            beside=beside, **more)

    def said(self):
        """The sums of what the processes have said."""
        lines = [[int(word) for word in line.split()] for line in self.result.stdout.splitlines()
                 if line.strip() and line.replace(' ', '').isdigit()]
        return [sum(column) for column in zip(*lines)]

    def counted(self, report, kind='posix_io'):
        accumulators = self.region(report)['accumulators']
        return [accumulators['%s_%s' % (kind, what)]
                for what in ('read_sum_bytes', 'written_sum_bytes', 'calls_sum')]

    def by_file_system(self, report, kind='posix_io', key='file_systems'):
        """{mount point: [read, written, calls]}, which add up to what was counted."""
        systems = report['run'][key]
        table = {each['mount_point']: [each[key] for key in ('read_bytes', 'written_bytes', 'calls')]
                 for each in systems}
        self.assertEqual(self.counted(report, kind), [sum(column) for column in zip(*table.values())])
        self.assertEqual(self.region(report)['accumulators'][kind + '_sum_ns'],
                         sum(each['time_ns'] for each in systems))
        return table

    def test_forms(self):
        """Each form of the calls counts once, on files, in useful time only."""
        for mpi, ranks in self.everywhere():
            report = self.run_shape(mpi, 'forms')
            self.assertTrue(report['run']['posix_io'])
            said = self.said()
            self.assertEqual(3, len(said), self.result.describe())
            self.assertEqual(said, self.counted(report), self.result.describe())
            self.by_file_system(report)
            accumulators = self.region(report)['accumulators']
            self.assertGreater(accumulators['posix_io_sum_ns'], 0)
            harness.expect_not_noted(self, 'io_mapped', report['quality']['notes'])
            harness.expect_not_noted(self, 'io_of_libraries', report['quality']['notes'])
            self.assertEqual([], report['quality']['notes'])
            if mpi != 'none':
                for key, of_one in MPI_IO.items():
                    self.assertEqual(ranks * of_one, accumulators[key], key)
            self.assertIn('File I/O Efficiency', self.result.stderr)

    def test_gcc(self):
        """A program that GCC has built, which calls the checked forms."""
        if not CONFIGURATION.gcc_languages:
            self.skipTest('no gcc')
        for mpi, _ in self.everywhere():
            report = self.run_shape(mpi, 'forms', program='gcc_io_shapes', llvm_openmp=True)
            self.assertEqual(self.said(), self.counted(report), self.result.describe())

    def test_fortran(self):
        """Fortran's own statements, through its library."""
        for mpi, ranks in self.everywhere():
            if mpi == 'none' or not CONFIGURATION.mpis[mpi].get('fortran'):
                continue
            report = self.run_shape(mpi, '', program='io_shapes_fortran')
            read, written, calls = self.counted(report)
            self.assertEqual([ranks * 8000] * 2, [read, written], self.result.describe())
            self.assertGreater(calls, 0)

    def test_slow_files(self):
        """A writer of known bytes to files that take 60 ms for each call."""
        for mpi, ranks in self.everywhere():
            report = self.run_shape(mpi, 'slow', slow=True)
            self.assertEqual(self.said(), self.counted(report), self.result.describe())
            for name, elsewhere_ms in (('Global', 120), ('files', 0)):
                region = self.region(report, name)
                accumulators = region['accumulators']
                metrics = region['metrics']['io']
                # The calls take what they take, and nothing else is in it.
                self.assertGreaterEqual(accumulators['posix_io_sum_ns'], ranks * 3 * 60_000_000)
                self.assertLessEqual(accumulators['posix_io_sum_ns'] + ranks * elsewhere_ms * 1_000_000,
                                     accumulators['useful_sum_ns'])
                self.assertAlmostEqual(1 - accumulators['posix_io_sum_ns'] / accumulators['useful_sum_ns'],
                                       metrics['posix_io_efficiency'])
                self.assertEqual(
                    [ranks * 50, ranks * 300, ranks * 3] if name == 'files' else self.said(),
                    [accumulators['posix_io_' + what] for what in
                     ('read_sum_bytes', 'written_sum_bytes', 'calls_sum')])
                self.assertAlmostEqual(
                    (accumulators['posix_io_read_sum_bytes'] + accumulators['posix_io_written_sum_bytes'])
                    / (accumulators['posix_io_sum_ns'] * 1e-9), metrics['posix_io_bandwidth'])

    @unittest.skipUnless(os.path.ismount('/dev/shm'), 'no file system of its own')
    def test_two_file_systems(self):
        """Bytes and calls are told by file system, with its mount point and type."""
        for mpi, ranks in self.everywhere():
            report = self.run_shape(mpi, 'two_file_systems')
            self.assertEqual(self.said(), self.counted(report), self.result.describe())
            table = self.by_file_system(report)
            self.assertEqual([0, ranks * 500, ranks * 3], table.pop('/dev/shm'),
                             self.result.describe())
            self.assertEqual([[0, ranks * 300, ranks * 3]], list(table.values()))
            lines = [line for line in self.result.stderr.splitlines() if '/dev/shm' in line]
            self.assertEqual(1 if mpi == 'none' else 2, len(lines), self.result.describe())
            for line in lines:
                self.assertIn('tmpfs', line)
            if mpi == 'none':
                self.assertEqual([], report['run']['mpi_file_systems'])
                continue
            table = self.by_file_system(report, 'mpi_io', 'mpi_file_systems')
            self.assertEqual([0, ranks * 4 * 500, ranks * 3], table.pop('/dev/shm'),
                             self.result.describe())
            self.assertEqual([[ranks * 4 * 70, ranks * 4 * 300, ranks * 4]], list(table.values()))

    def test_mapped_files(self):
        """They are named, as not measured."""
        for mpi, ranks in self.everywhere():
            report = self.run_shape(mpi, 'mapped')
            self.assertEqual([0, ranks * 400, ranks * 3], self.counted(report), self.result.describe())
            notes = report['quality']['notes']
            self.assertEqual(ranks, len(notes), self.result.describe())
            harness.expect_noted(self, 'io_mapped', notes)
            for rank, note in enumerate(sorted(notes)):
                self.assertRegex(note, r"^files were mapped into memory \(mmap\), first '/.*/io-%d\.data': "
                                 'what was read and written there is in no number' % rank)
            self.assertIn('files were mapped into memory', ' '.join(self.result.stderr.split()))

    def test_descriptors_that_become_something_else(self):
        """However they were closed: a wait in a pipe is no file I/O, and a file is."""
        for mpi, ranks in self.everywhere():
            report = self.run_shape(mpi, 'closed', alone=mpi == 'none')
            self.assertEqual(self.said(), self.counted(report), self.result.describe())
            waited = (10 if mpi == 'none' else 9) * 60_000_000
            accumulators = self.region(report)['accumulators']
            # The waits are useful time in which no file is read, written, opened or closed.
            self.assertLessEqual(accumulators['posix_io_sum_ns'] + ranks * waited,
                                 accumulators['useful_sum_ns'], self.result.describe())

    def test_files_that_are_opened_in_a_handler_while_a_library_is_unloaded(self):
        library = CONFIGURATION.program('none', 'libthread_shapes.so')
        for mpi, _ in self.everywhere():
            report = self.run_shape(mpi, 'unloaded', env={'LIBRARY': library})
            # Not what the loader does, and no call in a handler that has interrupted one.
            self.assertGreater(self.counted(report)[2], 0, self.result.describe())

    def test_off(self):
        """Without the request nothing is counted, and nothing is said of it."""
        for mpi, ranks in self.everywhere():
            report = self.run_shape(mpi, 'forms', io='mpi')
            self.assertFalse(report['run']['posix_io'])
            self.assertEqual([], report['run']['file_systems'])
            self.assertEqual([0, 0, 0], self.counted(report))
            self.assertIsNone(self.region(report)['metrics']['io']['posix_io_efficiency'])
            if mpi != 'none':
                self.assertEqual(ranks * 4, self.region(report)['accumulators']['mpi_io_calls_sum'])

    def test_command(self):
        """The command shows and explains it."""
        self.run_shape('none', 'slow', slow=True)
        path = os.path.join(self.base, 'run.json')
        with open(path, 'w', encoding='utf-8') as file:
            harness.json.dump(self.result.report, file)

        def poprt(*words):
            return subprocess.run([CONFIGURATION.command, *words], capture_output=True, text=True,
                                  timeout=60, check=True).stdout
        shown = poprt('report', path, '--model', 'io')
        # POSIX I/O is all there is: its own row would say the same.
        self.assertIn('File I/O Efficiency', shown)
        self.assertNotIn('POSIX I/O Efficiency', shown)
        self.assertIn('POSIX I/O by file system', shown)
        self.assertIn('POSIX I/O, bytes written', shown)
        self.assertIn('(50 + 300) / ', poprt('explain', 'posix_io_bandwidth', path))
        self.assertIn('file_io_efficiency', poprt('scale', path, '--model', 'io', '--format', 'csv'))
        self.assertIn('posix_io_calls', poprt('diff', path, path, '--model', 'io', '--format', 'csv'))


if __name__ == '__main__':
    CONFIGURATION, arguments = harness.command_line()
    unittest.main(argv=arguments)
