#!/usr/bin/env python3
"""A program that uses GCC's OpenMP, or another that tells tools nothing: poprt says so, only
where it is true, and the remedy that it names works.

  check_gcc_openmp.py --config CONFIG [unittest arguments]
"""

import os
import re
import subprocess
import sys
import unittest

import harness

CONFIGURATION = None
SHORT_US = '1000'
NOTE = "GCC's OpenMP runtime tells tools nothing;"
MADE_UP = ('__kmpc_fork_call', '_mp_parallel')
# Rows that exist without OpenMP, and rows of OpenMP, by model.
MPI_ROWS = {'critical_path': 'mpi_parallel_efficiency', 'multiplicative': 'mpi_parallel_efficiency',
            'additive': 'process_efficiency', 'talp': 'mpi_parallel_efficiency'}
OPENMP_ROWS = {'critical_path': 'openmp_parallel_efficiency',
               'multiplicative': 'openmp_parallel_efficiency',
               'additive': 'thread_efficiency', 'talp': 'openmp_parallel_efficiency'}


def remedy_of(text):
    """The value of LD_PRELOAD that the text asks for."""
    return re.search(r'LD_PRELOAD=(\S+)', text).group(1)


class GccTest(harness.FolderTest):
    def setUp(self):
        super().setUp()
        self.file = os.path.join(self.base, 'run.json')

    def go(self, mpi, preload, program='gcc_c', shape='critical', launch=True, **env):
        """Two ranks, or one process; returns (result, run file or None)."""
        return self.go_with(mpi, [CONFIGURATION.program(mpi, program), shape, SHORT_US], launch,
                            LD_PRELOAD=preload, **env)

    def go_with(self, mpi, command, launch=True, **env):
        if os.path.exists(self.file):
            os.remove(self.file)
        if launch and mpi != 'none':
            command = CONFIGURATION.launch(mpi, 2, command)
        env = {'OMP_NUM_THREADS': '2', 'TMPDIR': self.base, 'POPRT_OUTPUT': self.file, **env}
        result = harness.run(command, harness.environment(**env), self.base)
        self.assertEqual((0, ''), (result.status, result.hang), result.describe())
        return result, harness.read_report(self.file) if os.path.exists(self.file) else None

    def assert_openmp_measured(self, result, report, threads=2):
        self.assertNotIn(NOTE, result.stderr)
        harness.expect_not_noted(self, 'openmp_of_gcc', report['quality']['notes'])
        self.assertIn('LLVM', report['run']['openmp']['runtime'])
        self.assertEqual(threads, report['run']['threads_per_process']['max'])
        for model, row in OPENMP_ROWS.items():
            self.assertIsNotNone(report['regions'][0]['metrics'][model][row], (model, row))

    def assert_told(self, result, report):
        """Checks the notes of the text and of the run file, and returns the remedy."""
        self.assertEqual(1, result.stderr.count(NOTE), result.describe())
        (note,) = [line for line in report['quality']['notes'] if NOTE in line]
        harness.expect_noted(self, 'openmp_of_gcc', [note])
        self.assertEqual(remedy_of(note), remedy_of(result.stderr))
        return remedy_of(note)


class WithMpi(GccTest):
    def test_openmp_is_unknown_and_the_remedy_makes_it_known(self):
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi=mpi):
                plain, _ = self.go(mpi, '')
                result, report = self.go(mpi, CONFIGURATION.library(mpi), POPRT_MODEL='all')
                self.assertEqual(sorted(plain.stdout), sorted(result.stdout))
                self.assertIn("| OpenMP: not seen", result.stderr)
                self.assertRegex(result.stderr, r'\n   all -\[\d\]: OpenMP Parallel, ')
                self.assertIsNone(report['run']['openmp'])
                metrics = report['regions'][0]['metrics']
                for model, row in OPENMP_ROWS.items():
                    self.assertIsNone(metrics[model][row], (model, row))
                for model, row in MPI_ROWS.items():
                    self.assertIsNotNone(metrics[model][row], (model, row))

                remedy = self.assert_told(result, report)
                cured, report = self.go(mpi, remedy)
                self.assertEqual(sorted(plain.stdout), sorted(cured.stdout))
                self.assert_openmp_measured(cured, report)

    def test_the_remedy_reaches_the_program_in_each_way(self):
        for mpi in CONFIGURATION.mpis:
            remedy = CONFIGURATION.library(mpi) + ':' + CONFIGURATION.llvm_openmp
            launcher = CONFIGURATION.launch(mpi, 2, [])
            program = [CONFIGURATION.program(mpi, 'gcc_c'), 'critical', SHORT_US]
            option = ['-x', 'LD_PRELOAD=' + remedy] if mpi == 'openmpi' else \
                ['-genv', 'LD_PRELOAD', remedy]
            for command in (launcher + ['env', 'LD_PRELOAD=' + remedy] + program,
                            launcher[:1] + option + launcher[1:] + program):
                with self.subTest(command=command):
                    if os.path.exists(self.file):
                        os.remove(self.file)
                    result = harness.run(command, harness.environment(
                        OMP_NUM_THREADS='2', TMPDIR=self.base, POPRT_OUTPUT=self.file), self.base)
                    self.assertEqual((0, ''), (result.status, result.hang), result.describe())
                    self.assert_openmp_measured(result, harness.read_report(self.file))

    def test_the_remedy_of_the_light_is_true_under_poprt_run(self):
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi=mpi):
                words = [CONFIGURATION.program(mpi, 'gcc_hybrid_shapes'), 'regions', SHORT_US]
                run = [CONFIGURATION.command, 'run']
                result, report = self.go_with(mpi, [*run, '--omp=keep', *words])
                self.assert_told(result, report)
                said = re.search(r'poprt run (--omp=PATH) \(of its libomp\.so\)',
                                 ' '.join(result.stderr.split()))
                self.assertIsNotNone(said, result.describe())
                option = said.group(1).replace('PATH', CONFIGURATION.llvm_openmp)
                self.assert_openmp_measured(*self.go_with(mpi, [*run, option, *words]))

    def test_one_thread_is_all_measured_and_nothing_is_said(self):
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi=mpi):
                result, report = self.go(mpi, CONFIGURATION.library(mpi), OMP_NUM_THREADS='1')
                self.assertNotIn('GCC', result.stderr)
                self.assertEqual([], report['quality']['notes'])

    def test_a_library_that_is_only_loaded(self):
        """GCC's OpenMP is loaded by a library only (BLAS, FFTW), and has no threads."""
        for mpi in CONFIGURATION.mpis:
            preload = CONFIGURATION.library(mpi) + ':libgomp.so.1'
            with self.subTest(mpi=mpi):
                result, report = self.go(mpi, preload, 'mpi_shapes', 'balanced')
                self.assertNotIn('GCC', result.stderr)
                self.assertNotIn('unmeasured_openmp',
                                 [cause['key'] for cause in report['quality']['causes']])

    def test_the_library_without_mpi_says_that_it_has_none(self):
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi=mpi):
                result, report = self.go(mpi, CONFIGURATION.omp_library)
                self.assertIsNone(report)
                (line,) = result.stderr.splitlines()
                self.assertIn('no report: this library has not seen MPI_Init', line)


class OtherNames(GccTest):
    def rename(self, path):
        """A copy of a file that knows GCC's OpenMP runtime under another name."""
        with open(path, 'rb') as file:
            content = file.read()
        name = os.path.basename(path).replace('libgomp', 'libvend')
        with open(os.path.join(self.base, name), 'wb') as file:
            file.write(content.replace(b'libgomp.so.1', b'libvend.so.1'))
        os.chmod(file.name, 0o755)
        return file.name

    def test_gccs_runtime_under_another_name(self):
        found = subprocess.run(['gcc', '-print-file-name=libgomp.so.1'], stdout=subprocess.PIPE,
                               check=True).stdout.decode().strip()
        self.rename(os.path.realpath(found).replace('.so.1.0.0', '.so.1'))
        env = {'LD_LIBRARY_PATH': self.base}
        for mpi in ['none', *CONFIGURATION.mpis]:
            with self.subTest(mpi=mpi):
                program = self.rename(CONFIGURATION.program(mpi, 'gcc_hybrid_shapes'))
                words = [program, 'regions', SHORT_US]
                preload = CONFIGURATION.omp_library if mpi == 'none' else CONFIGURATION.library(mpi)
                result, report = self.go_with(mpi, words, LD_PRELOAD=preload, **env)
                remedy = self.assert_told(result, report)
                self.assertIn('unmeasured_openmp',
                              [cause['key'] for cause in report['quality']['causes']])
                self.assert_openmp_measured(*self.go_with(mpi, words, LD_PRELOAD=remedy, **env))
                result, report = self.go_with(mpi, [CONFIGURATION.command, 'run', *words], **env)
                self.assertIn("in place of GCC's", ' '.join(result.stderr.split()))
                self.assert_openmp_measured(result, report)

    def test_the_second_thread_of_a_vendors_runtime_does_all_the_work(self):
        for mpi in ['none', *CONFIGURATION.mpis]:
            for entry in MADE_UP:
                with self.subTest(mpi=mpi, entry=entry):
                    program = CONFIGURATION.program(mpi, 'made_up' + entry)
                    result, report = self.go_with(mpi, [CONFIGURATION.command, 'run', program])
                    self.assertIn('1 1\n', result.stdout)
                    said = ' '.join(result.stderr.split())
                    self.assertIn('its OpenMP (lib%s.so) tells tools nothing' % entry, said)
                    self.assertNotIn('needs neither', said)
                    self.assertIn('OpenMP is not seen: its runtime (lib%s.so) tells tools nothing.'
                                  % entry, said)
                    self.assertIsNone(report['run']['openmp'])
                    causes = {cause['key']: cause['light'] for cause in report['quality']['causes']}
                    self.assertEqual('amber', causes.get('unmeasured_openmp'), causes)
                    self.assertEqual(self.light_of_threads(report),
                                     causes.get('unmeasured_threads'), causes)

                    result, report = self.go_with(mpi, [CONFIGURATION.command, 'run', program,
                                                        'serial'])
                    self.assertNotIn('unmeasured_openmp',
                                     [cause['key'] for cause in report['quality']['causes']])
                    self.assertEqual([], report['quality']['notes'])

    def test_a_runtime_in_the_program_itself(self):
        for mpi in ['none', *CONFIGURATION.mpis]:
            for name in ('linked_in', 'linked_alone'):
                with self.subTest(mpi=mpi, name=name):
                    program = CONFIGURATION.program(mpi, name)
                    result, report = self.go_with(mpi, [CONFIGURATION.command, 'run', program])
                    self.assertIn('1 1\n', result.stdout)
                    said = ' '.join(result.stderr.split())
                    self.assertIn('its OpenMP (%s) tells tools nothing' % name, said)
                    self.assertIn('OpenMP is not seen: its runtime (%s) tells tools nothing.' % name,
                                  said)
                    self.assertIn('unmeasured_openmp',
                                  [cause['key'] for cause in report['quality']['causes']])
                    result, report = self.go_with(mpi, [CONFIGURATION.command, 'run', program,
                                                        'serial'])
                    self.assertEqual([], report['quality']['notes'])

    def test_a_runtime_in_a_stripped_program(self):
        """Nothing tells that it is OpenMP: the threads' time on a core speaks."""
        for mpi in ['none', *CONFIGURATION.mpis]:
            with self.subTest(mpi=mpi):
                program = CONFIGURATION.program(mpi, 'linked_stripped')
                result, report = self.go_with(mpi, [CONFIGURATION.command, 'run', program])
                self.assertIn('1 1\n', result.stdout)
                self.assertNotIn('OpenMP is not seen', result.stderr)
                causes = {cause['key']: cause['light'] for cause in report['quality']['causes']}
                self.assertEqual(self.light_of_threads(report), causes.get('unmeasured_threads'),
                                 causes)
                self.assertNotIn('unmeasured_openmp', causes)

    def light_of_threads(self, report):
        """By the share of their time, which is less on a busy machine."""
        unknown_ns = report['run']['resources']['unknown_threads_cpu_sum_ns']
        self.assertGreaterEqual(unknown_ns, report['run']['ranks'] * 1200e6)
        share = unknown_ns / (unknown_ns + harness.core_ns(report))
        return 'red' if share > 0.2 else 'amber' if share > 0.05 else None

    def test_a_runtime_that_was_told_to_have_no_tool(self):
        result, report = self.go_with(
            'none', [CONFIGURATION.program('none', 'omp_shapes'), 'regions', SHORT_US],
            LD_PRELOAD=CONFIGURATION.omp_library, OMP_TOOL='disabled')
        harness.expect_noted(self, 'openmp_no_tool', report['quality']['notes'], result.describe())
        self.assertIsNone(report['run']['openmp'])


class WithoutMpi(GccTest):
    def go_alone(self, preload, **rest):
        return self.go('none', preload, launch=False, **rest)

    def test_one_line_says_it_and_the_remedy_works(self):
        plain, _ = self.go_alone('')
        result, report = self.go_alone(CONFIGURATION.omp_library)
        self.assertIsNone(report)
        self.assertEqual(plain.stdout, result.stdout)
        (line,) = result.stderr.splitlines()
        self.assertTrue(line.startswith('poprt: no report: ' + NOTE), line)
        cured, report = self.go_alone(remedy_of(line))
        self.assertEqual(plain.stdout, cured.stdout)
        self.assert_openmp_measured(cured, report)

    def test_a_region_makes_a_report_with_the_note(self):
        result, report = self.go_alone(CONFIGURATION.omp_library, program='gcc_hybrid_shapes',
                                       shape='regions')
        self.assert_told(result, report)
        self.assertIsNone(report['run']['openmp'])

    def test_a_link_of_gccs_name_to_llvms_runtime_works_as_well(self):
        os.symlink(CONFIGURATION.llvm_openmp, os.path.join(self.base, 'libgomp.so.1'))
        result, report = self.go_alone(CONFIGURATION.omp_library, LD_LIBRARY_PATH=self.base)
        self.assert_openmp_measured(result, report)

    def test_nothing_is_said_where_nothing_is_asked_or_missed(self):
        for env in ({'OMP_NUM_THREADS': '1'}, {'POPRT_REPORT': 'none'}):
            with self.subTest(env=env):
                result, report = self.go_alone(CONFIGURATION.omp_library, **env)
                self.assertEqual(('', None), (result.stderr, report))

    def test_a_runtime_that_is_loaded_later(self):
        """And that has threads, or has none."""
        body = 'ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: None)'
        for path, call, told in (('libgomp.so.1', '.GOMP_parallel(%s, None, 2, 0)' % body, True),
                                 ('libgomp.so.1', '.omp_get_max_threads()', False),
                                 (CONFIGURATION.llvm_openmp, '', False)):
            with self.subTest(path=path, call=call):
                result = harness.run(
                    [sys.executable, '-c', 'import ctypes; ctypes.CDLL("%s")%s' % (path, call)],
                    harness.environment(LD_PRELOAD=CONFIGURATION.omp_library, OMP_NUM_THREADS='2'),
                    self.base)
                self.assertEqual((0, ''), (result.status, result.stdout), result.describe())
                self.assertEqual(told, NOTE in result.stderr, result.describe())


if __name__ == '__main__':
    CONFIGURATION, argv = harness.command_line()
    unittest.main(argv=argv)
