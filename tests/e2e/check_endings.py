#!/usr/bin/env python3
"""The ways in which a program may end, and in which the library may come into it.

  check_endings.py --config CONFIG [unittest arguments]
"""

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import termios
import unittest

import harness
from library_test import SHORT_US, ProgramTest, each_mpi

CONFIGURATION = None


class Endings(ProgramTest):
    """However a program ends, it ends as without the library."""

    def compare(self, mpi, mode, reports, ranks=2, launched=True):
        arguments = (mpi, 'endings', (mode, SHORT_US), ranks)
        plain = self.go(*arguments, library=False, launched=launched)
        result = self.go(*arguments, launched=launched, POPRT_REPORT='json')
        self.assertEqual('', result.hang, result.describe())
        # Compared by characters: launchers mix the lines of several processes.
        self.assertEqual((plain.status, sorted(plain.stdout)),
                         (result.status, sorted(result.stdout)),
                         plain.describe() + result.describe())
        self.assertEqual(reports, len(self.files(mpi)), self.files(mpi))

    @each_mpi
    def test_mpi_abort(self, mpi):
        # Of several, whose status a launcher takes depends on who ends first.
        self.compare(mpi, 'abort', 0, ranks=1)

    @each_mpi
    def test_without_finalize(self, mpi):
        # MPICH's launcher calls such an end a failure if it sees the closed connection before
        # the end, which depends on what else runs.
        self.compare(mpi, 'no_finalize', 0, ranks=1, launched=mpi != 'mpich')

    @each_mpi
    def test_a_forked_child_writes_nothing(self, mpi):
        self.compare(mpi, 'fork', 1)

    @each_mpi
    def test_a_shell_inside(self, mpi):
        self.compare(mpi, 'shell', 1)

    @each_mpi
    def test_regions_after_finalize(self, mpi):
        self.compare(mpi, 'after_finalize', 1)

    @each_mpi
    def test_errors_are_returned_as_they_are(self, mpi):
        self.compare(mpi, 'errors', 1)

    @each_mpi
    def test_finalize_after_main(self, mpi):
        """Whatever comes last, a report and no word of a missing one."""
        for mode in ('in_destructor', 'in_library', 'in_exit_handler'):
            with self.subTest(mode=mode):
                result = self.go(mpi, 'endings', (mode, SHORT_US), 2, POPRT_REPORT='json')
                self.assert_fine(result)
                self.assertNotIn('no report', result.stderr)
                (name,) = self.files(mpi)
                path = os.path.join(self.folder(mpi), name)
                useful_ns = harness.read_report(path)['regions'][0]['accumulators']['useful_sum_ns']
                self.assertGreaterEqual(useful_ns, 2 * 50e6)
                os.remove(path)

    @each_mpi
    def test_an_environment_that_nobody_can_read_at_the_end(self, mpi):
        for mode, reports in (('without_environment', 1), ('no_mpi_no_environment', 0)):
            with self.subTest(mode=mode):
                plain = self.go(mpi, 'endings', (mode, SHORT_US), 2, library=False)
                if plain.status != 0:
                    self.skipTest('the program ends so without poprt')
                before = len(self.files(mpi))
                result = self.go(mpi, 'endings', (mode, SHORT_US), 2)
                self.assert_fine(result)
                self.assertEqual(before + reports, len(self.files(mpi)), result.describe())

    def test_several_threads_call_exit_at_once(self):
        for threads in (2, 8):
            for run in range(10):
                path = os.path.join(self.base, '%d-%d.json' % (threads, run))
                result = harness.run(
                    [CONFIGURATION.program('none', 'omp_endings')], harness.environment(
                        LD_PRELOAD=CONFIGURATION.omp_library, OMP_NUM_THREADS=str(threads),
                        TMPDIR=self.base, POPRT_OUTPUT=path), self.base)
                self.assert_fine(result, status=3)
                self.assertEqual('output\n', result.stdout)
                self.assertIn('Parallel Efficiency', result.stderr)
                with open(path, encoding='utf-8') as file:
                    self.assertEqual(threads, json.load(file)['run']['threads'])


class Ways(ProgramTest):
    """Ways to preload it, right and wrong."""

    def report_by(self, mpi, command, **env):
        result = harness.run(command, harness.environment(
            TMPDIR=self.base, OMP_NUM_THREADS='1', **env), self.folder(mpi))
        self.assert_fine(result)
        self.assertEqual(1, result.stderr.count('\n Light '), result.describe())

    @each_mpi
    def test_inside_the_launcher(self, mpi):
        program = [CONFIGURATION.program(mpi, 'mpi_shapes'), 'exit_status', SHORT_US]
        preload = 'LD_PRELOAD=' + CONFIGURATION.library(mpi)
        program[1] = 'balanced'
        self.report_by(mpi, CONFIGURATION.launch(mpi, 2, ['env', preload] + program),
                       POPRT_MODEL='pop')
        if mpi == 'openmpi':
            line = CONFIGURATION.launch(mpi, 2, program)
            line[1:1] = ['-x', 'LD_PRELOAD']
        else:
            line = [CONFIGURATION.mpis[mpi]['run'], '-genv', 'LD_PRELOAD',
                    CONFIGURATION.library(mpi), '-n', '2'] + program
        self.report_by(mpi, line, LD_PRELOAD=CONFIGURATION.library(mpi)
                       if mpi == 'openmpi' else None, POPRT_MODEL='pop')

    @each_mpi
    def test_one_process_without_a_launcher(self, mpi):
        program = [CONFIGURATION.program(mpi, 'mpi_shapes'), 'balanced', SHORT_US]
        self.report_by(mpi, program, LD_PRELOAD=CONFIGURATION.library(mpi), POPRT_MODEL='pop')

    def on_terminal(self, columns, **env):
        """What the program shows on a terminal of this width."""
        main, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
        env = harness.environment(LD_PRELOAD=CONFIGURATION.omp_library, OMP_NUM_THREADS='2',
                                  TMPDIR=self.base, POPRT_OUTPUT=self.base,
                                  **{'TERM': 'xterm', **env})
        program = [CONFIGURATION.program('none', 'omp_shapes'), 'regions', SHORT_US]
        text = b''
        with subprocess.Popen(program, env=env, stdin=terminal, stdout=terminal, stderr=terminal,
                              cwd=self.base) as process:
            os.close(terminal)
            while select.select([main], [], [], harness.LIMIT_S)[0]:
                try:
                    text += os.read(main, 1 << 16)
                except OSError:  # nobody can write any more
                    break
            process.kill()
        os.close(main)
        return text.decode().replace('\r\n', '\n')

    def test_a_terminal_has_colour_unless_the_user_wants_none(self):
        painted = re.compile(r'\x1b\[3[1-4]m *Light')
        self.assertRegex(self.on_terminal(80), painted)
        for env in ({'TERM': 'dumb'}, {'NO_COLOR': '1'}):
            text = self.on_terminal(80, **env)
            self.assertIn('Parallel Efficiency', text)
            self.assertNotIn('\x1b', text)

    def test_a_pipe_has_colour_only_if_forced(self):
        program = [CONFIGURATION.program('none', 'omp_shapes'), 'regions', SHORT_US]
        for forced in (None, '1'):
            result = harness.run(program, harness.environment(
                LD_PRELOAD=CONFIGURATION.omp_library, TERM='xterm', CLICOLOR_FORCE=forced,
                OMP_NUM_THREADS='2'), self.base)
            self.assert_fine(result)
            self.assertEqual(forced == '1', '\x1b[' in result.stderr, result.describe())

    def test_as_the_openmp_runtimes_tool(self):
        program = [CONFIGURATION.program('none', 'omp_shapes'), 'regions', SHORT_US]
        result = harness.run(program, harness.environment(
            OMP_TOOL_LIBRARIES=CONFIGURATION.omp_library, OMP_NUM_THREADS='2'), self.base)
        self.assert_fine(result)
        self.assertEqual('rank 0 of 1: 0\n', result.stdout)
        self.assertIn('Parallel Efficiency', result.stderr)
        (name,) = os.listdir(self.base)
        with open(os.path.join(self.base, name), encoding='utf-8') as file:
            regions = {r['name'] for r in json.load(file)['regions']}
        self.assertTrue({'Global', 'solve', 'exchange'} <= regions, regions)

    def test_the_other_mpis_library_is_named_and_harmless(self):
        libraries = {mpi: CONFIGURATION.library(mpi) for mpi in CONFIGURATION.mpis}
        if CONFIGURATION.abi_library:
            libraries['abi'] = CONFIGURATION.abi_library
        for mpi, other in ((mpi, other) for mpi in CONFIGURATION.mpis for other in libraries
                           if mpi != other):
            for program, arguments in (('mpi_shapes', ('ring_waitall', SHORT_US)),
                                       ('hybrid_shapes', ('mpi_between', SHORT_US))):
                with self.subTest(program_of=mpi, library_of=other, program=program):
                    plain = self.go(mpi, program, arguments, ranks=2, library=False)
                    result = self.go(mpi, program, arguments, ranks=2,
                                     LD_PRELOAD=libraries[other])
                    self.assert_fine(result)
                    self.assertEqual(sorted(plain.stdout.splitlines()),
                                     sorted(result.stdout.splitlines()))
                    lines = [l for l in result.stderr.splitlines() if l.strip()]
                    self.assertEqual(1, len(set(lines)), result.describe())
                    self.assertRegex(lines[0], 'poprt: this .*nothing is measured.*--mpi=' + mpi)

    def test_mpis_standard_abi_is_named_and_harmless(self):
        for name in ('libmpi_abi.so.0', 'libmpi_renamed.so'):
            program = [os.path.join(CONFIGURATION.programs, 'abi', name + '.program')]
            for mpi in CONFIGURATION.mpis:
                with self.subTest(name=name, library_of=mpi):
                    result = harness.run(program, harness.environment(
                        LD_PRELOAD=CONFIGURATION.library(mpi), TMPDIR=self.base), self.base)
                    self.assert_fine(result)
                    self.assertEqual('rank 0 of the standard ABI\n', result.stdout)
                    (line,) = result.stderr.splitlines()
                    self.assertRegex(line, 'standard ABI; nothing is measured.*--mpi=abi')
                    self.assertEqual([], os.listdir(self.base))

    def test_an_mpi_that_is_not_known_is_named_and_harmless(self):
        run = [CONFIGURATION.command, 'run']
        ways = {'run': (run, {}, 'it runs unmeasured')}
        for key in CONFIGURATION.mpis:
            ways[key] = ([], {'LD_PRELOAD': CONFIGURATION.library(key)}, 'nothing is measured')
            ways['--mpi=' + key] = (run + ['--mpi=' + key], {}, 'nothing is measured')
        if CONFIGURATION.abi_library:
            ways['abi'] = ([], {'LD_PRELOAD': CONFIGURATION.abi_library}, 'nothing is measured')
        # The second one has no function with a PMPI name.
        for library in ('libmpi_vendors.so', 'libmpi_of_none.so'):
            program = [os.path.join(CONFIGURATION.programs, 'abi', library + '.program')]
            # The shell gets the library without MPI, which could hand over.
            ways['below a shell'] = (run + ['sh', '-c', '"$0"; true'], {}, None)
            for name, (command, env, told) in ways.items():
                with self.subTest(library=library, way=name):
                    result = harness.run(
                        command + program, harness.environment(TMPDIR=self.base, **env), self.base)
                    self.assert_fine(result)
                    self.assertEqual('rank 0 of the standard ABI\n', result.stdout)
                    said = ' '.join(result.stderr.split())
                    if told:
                        self.assertRegex(said, r'an MPI that this \w+ does not know '
                                               rf'\({library}\).*' + told)
                    if not name.startswith('--mpi'):
                        self.assertNotIn('measuring MPI', said)
                    self.assertEqual([], os.listdir(self.base))

    def test_mpis_standard_abi_is_measured(self):
        if not CONFIGURATION.abi_library:
            self.skipTest('built without it')
        for name in ('libmpi_abi.so.0', 'libmpi_renamed.so'):
            program = [os.path.join(CONFIGURATION.programs, 'abi', name + '.program')]
            by_hand = harness.environment(LD_PRELOAD=CONFIGURATION.abi_library)
            run = [CONFIGURATION.command, 'run']
            ways = [(program, by_hand), (run + ['--mpi=abi', *program], None), (run + program, None)]
            for command, env in ways:
                with self.subTest(name=name, command=command):
                    result = harness.run(command, env or harness.environment(), self.base)
                    self.assert_fine(result)
                    self.assertEqual('rank 0 of the standard ABI\n', result.stdout)
                    (file,) = os.listdir(self.base)
                    with open(os.path.join(self.base, file), encoding='utf-8') as text:
                        run = json.load(text)
                    os.remove(os.path.join(self.base, file))
                    self.assertEqual('An MPI of the standard ABI', run['run']['mpi']['library'])
                    self.assertEqual((1, 'MPI_THREAD_FUNNELED'),
                                     (run['run']['ranks'], run['run']['mpi']['thread_level']))

    @each_mpi
    def test_the_openmp_library_on_an_mpi_program_is_harmless(self, mpi):
        plain = self.go(mpi, 'hybrid_shapes', ('mpi_between', SHORT_US), library=False)
        result = self.go(mpi, 'hybrid_shapes', ('mpi_between', SHORT_US),
                         LD_PRELOAD=CONFIGURATION.omp_library)
        self.assert_fine(result)
        self.assertEqual(sorted(plain.stdout.splitlines()), sorted(result.stdout.splitlines()))
        (line,) = [l for l in result.stderr.splitlines() if l.strip()]
        self.assertIn('no report: this library has not seen MPI_Init', line)


class Fortran(ProgramTest):
    """What the groups of run.py, which compare numbers, do not check."""

    @each_mpi
    def test_statuses_sentinels_and_errors_are_as_without(self, mpi):
        if not CONFIGURATION.mpis[mpi]['fortran']:
            self.skipTest('no Fortran programs')
        for binding in ('mpif_h', 'use_mpi', 'use_mpi_f08'):
            with self.subTest(mpi=mpi, binding=binding):
                arguments = (binding + '_shapes', ('sentinels', SHORT_US), 3)
                plain = self.go(mpi, *arguments, library=False)
                result = self.go(mpi, *arguments)
                self.assert_fine(plain)
                self.assert_fine(result)
                self.assertGreater(len(plain.stdout.splitlines()), 100)
                self.assertEqual(sorted(plain.stdout.splitlines()),
                                 sorted(result.stdout.splitlines()))
                self.assertIn('Parallel Efficiency', result.stderr)

    def test_the_module_has_what_the_header_has(self):
        folder = os.path.join(CONFIGURATION.source, 'include')
        with open(os.path.join(folder, 'poprt.h'), encoding='utf-8') as file:
            header = file.read()
        with open(os.path.join(folder, 'poprt.f90'), encoding='utf-8') as file:
            module = file.read()
        self.assertEqual(re.search(r'POPRT_API_VERSION 0x(\w+)', header).group(1),
                         re.search(r"poprt_api_version = int\(z'(\w+)'\)", module).group(1))
        in_c = re.findall(r'^static inline [\w* ]+?(pop_\w+[a-z])\(', header, re.M)
        in_fortran = re.findall(r'\bpop_\w+', ' '.join(re.findall('public :: .*', module)))
        only_in_c = {'pop_region_metrics', 'pop_region_metrics_job'}
        self.assertEqual(sorted(set(in_c) - only_in_c),
                         sorted(set(in_fortran) - {'pop_region_kind'}))


if __name__ == '__main__':
    CONFIGURATION, argv = harness.command_line()
    unittest.main(argv=argv)
