#!/usr/bin/env python3
"""What the preloaded library does apart from its report: what it needs, programs that it
must leave alone, its options, its files.

  check_library.py --config CONFIG [unittest arguments]
"""

import functools
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import harness
from library_test import SHORT_US, LibraryTest, ProgramTest, each_mpi

CONFIGURATION = None


def output_of(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode()


def each_library(test):
    """A test of (self, path), once for each library."""
    @functools.wraps(test)
    def run(self):
        for path in [CONFIGURATION.omp_library] + [e['library'] for e in CONFIGURATION.mpis.values()]:
            with self.subTest(library=path):
                test(self, path)
    return run


class Contents(LibraryTest):
    @each_library
    def test_it_needs_only_libc(self, path):
        needed = re.findall(r'\(NEEDED\).*\[(.*)\]', output_of('readelf', '-d', path))
        for name in needed:
            self.assertRegex(name, r'^(libc|libm|ld-linux[\w-]*)\.so\.\d+$')

    @each_library
    def test_it_initialises_nothing_at_load(self, path):
        ours = []
        for line in output_of('nm', '-C', path).splitlines():
            match = re.match(r'([0-9a-f]+) \w (.*)', line)
            if match and re.search(r'_GLOBAL__sub_I_|__cxx_global_var_init|_GLOBAL__I_',
                                   match.group(2)):
                # libstdc++ is linked in and has some; only our code has line numbers.
                where = output_of('addr2line', '-e', path, match.group(1)).strip()
                if not where.endswith('?') and not where.endswith(':0'):
                    ours.append((match.group(2), where))
        self.assertEqual([], ours)

    @each_library
    def test_its_thread_local_storage_is_small_enough_for_dlopen(self, path):
        segment = re.search(r'^\s+TLS\s+\S+ \S+ \S+\s+\S+ (0x\w+)',
                            output_of('readelf', '-lW', path), re.M)
        if segment:
            self.assertLessEqual(int(segment.group(1), 16), 64)


class Dormant(LibraryTest):
    """In a process that is neither an MPI nor an OpenMP program."""

    @each_library
    def test_ordinary_programs_behave_as_without(self, path):
        commands = [['ls', '/'], ['sh', '-c', 'echo text; echo error >&2; exit 3'],
                    ['python3', '-c', 'import threading as t; x = t.Thread(target=print); '
                                      'x.start(); x.join(); print(1)'],
                    ['env', '-i', 'echo', 'x'], ['sh', '-c', 'kill -TERM $$']]
        for mpi in CONFIGURATION.mpis:
            commands.append([CONFIGURATION.mpis[mpi]['run'], '--version'])
        for now in (None, '1'):
            for command in commands:
                with tempfile.TemporaryDirectory() as folder:
                    plain = harness.run(command, harness.environment(LD_BIND_NOW=now), folder)
                    under = harness.run(command, harness.environment(
                        LD_BIND_NOW=now, LD_PRELOAD=path, POPRT_REPORT='text,json'), folder)
                    self.assertEqual((plain.status, plain.stdout, plain.stderr),
                                     (under.status, under.stdout, under.stderr), command)
                    self.assertEqual([], os.listdir(folder))

    @each_mpi
    def test_an_mpi_program_that_never_starts_mpi(self, mpi):
        program = CONFIGURATION.program(mpi, 'endings')
        with tempfile.TemporaryDirectory() as folder:
            result = harness.run([program, 'no_mpi', SHORT_US], harness.environment(
                LD_PRELOAD=CONFIGURATION.library(mpi)), folder)
            self.assertEqual((0, '', ''), (result.status, result.stdout, result.stderr))
            self.assertEqual([], os.listdir(folder))


class Options(ProgramTest):
    @each_mpi
    def test_each_program_of_a_job_is_named(self, mpi):
        """MPMD: the second program has another name."""
        program = CONFIGURATION.program(mpi, 'mpi_shapes')
        other = shutil.copy(program, os.path.join(self.base, 'other_shapes'))
        command = CONFIGURATION.launch(mpi, 1, [program, 'balanced', SHORT_US]) + [
            ':', '-n', '2', other, 'balanced', SHORT_US]
        result = harness.run(command, harness.environment(
            TMPDIR=self.base, LD_PRELOAD=CONFIGURATION.library(mpi)), self.folder(mpi))
        self.assert_fine(result)
        report = harness.read_report(os.path.join(self.folder(mpi), 'mpi_shapes-3x1.poprt.json'))
        self.assertEqual([{'name': 'mpi_shapes', 'processes': 1}, {'name': 'other_shapes', 'processes': 2}],
                         report['run']['programs'])
        self.assertIn('mpi_shapes (1 rank), other_shapes (2 ranks)', ' '.join(result.stderr.split()))

    @each_mpi
    def test_default_is_a_text_report_and_a_run_file(self, mpi):
        result = self.go(mpi)
        self.assert_fine(result)
        self.balanced_output(result)
        self.assertIn('Parallel Efficiency', result.stderr)
        self.assertEqual(['mpi_shapes-2x1.poprt.json'], self.files(mpi))
        self.assertIn('mpi_shapes-2x1.poprt.json', result.stderr)
        # 80 columns, and no control characters if no terminal reads.
        for line in result.stderr.splitlines():
            self.assertLessEqual(len(line), 80, line)
        self.assertNotIn('\x1b', result.stderr)

    @each_mpi
    def test_report_none_does_nothing_visible(self, mpi):
        result = self.go(mpi, POPRT_REPORT='none')
        self.assert_fine(result)
        self.balanced_output(result)
        self.assertEqual('', result.stderr)
        self.assertEqual([], self.files(mpi))

    @each_mpi
    def test_report_formats(self, mpi):
        text = self.go(mpi, POPRT_REPORT='text')
        self.assertIn('Parallel Efficiency', text.stderr)
        self.assertEqual([], self.files(mpi))
        file = self.go(mpi, POPRT_REPORT='json')
        self.assertNotIn('Parallel Efficiency', file.stderr)
        self.assertEqual(['mpi_shapes-2x1.poprt.json'], self.files(mpi))

    @each_mpi
    def test_model_chooses_the_hierarchies_of_the_text(self, mpi):
        short = self.go(mpi, POPRT_REPORT='text', POPRT_MODEL='talp').stderr
        everything = self.go(mpi, POPRT_REPORT='text', POPRT_MODEL='all').stderr
        self.assertRegex(short, '(?i)talp')
        self.assertNotRegex(short, '(?i)additive')
        for model in ('talp', 'additive', 'multiplicative', 'critical path'):
            self.assertRegex(everything, '(?i)' + model)

    @each_mpi
    def test_a_bad_value_is_one_line_with_the_nearest_name(self, mpi):
        cases = [({'POPRT_REPORT': 'txet'}, 'text'), ({'POPRT_REPORT': 'jsn,text'}, 'json'),
                 ({'POPRT_REPROT': 'text'}, 'POPRT_REPORT'), ({'POPRT_MODEL': 'tapl'}, 'talp')]
        for env, nearest in cases:
            result = self.go(mpi, **env)
            self.assert_fine(result)
            self.balanced_output(result)
            bad = next(iter(env.values())).split(',')[0] if 'POPRT_REPROT' not in env \
                else 'POPRT_REPROT'
            lines = [l for l in result.stderr.splitlines() if bad in l]
            self.assertEqual(1, len(lines), result.describe())
            self.assertIn(nearest, lines[0])
            self.assertIn('Parallel Efficiency', result.stderr)  # the default stands


class Output(ProgramTest):
    def load(self, path):
        with open(path, encoding='utf-8') as file:
            report = json.load(file)
        self.assertEqual('poprt.run', report['schema'])
        return report

    @each_mpi
    def test_a_run_file_is_where_it_is_wanted(self, mpi):
        """A file, a folder that is there or not, and a template."""
        os.mkdir(os.path.join(self.folder(mpi), 'results'))
        default = 'mpi_shapes-2x1.poprt.json'
        for output, path in (('mine.json', 'mine.json'), ('results', 'results/' + default),
                             ('new/folder/', 'new/folder/' + default),
                             ('run-%a-%r-%t', 'run-mpi_shapes-2-1.poprt.json')):
            with self.subTest(output=output):
                self.assert_fine(self.go(mpi, POPRT_OUTPUT=output))
                report = self.load(os.path.join(self.folder(mpi), path))
                self.assertEqual('poprt.run', list(report.values())[0])  # it begins with its schema
        self.assertEqual(['mine.json', 'new', 'results', 'run-mpi_shapes-2-1.poprt.json'],
                         self.files(mpi))
        self.assertEqual([default], os.listdir(os.path.join(self.folder(mpi), 'results')))

    @each_mpi
    def test_nothing_is_overwritten(self, mpi):
        path = os.path.join(self.folder(mpi), 'mine.json')
        with open(path, 'w', encoding='utf-8') as file:
            file.write('precious')
        for count in (2, 3):
            result = self.go(mpi, POPRT_OUTPUT='mine.json')
            self.assert_fine(result)
            self.assertEqual(count, len(self.files(mpi)), self.files(mpi))
        with open(path, encoding='utf-8') as file:
            self.assertEqual('precious', file.read())
        self.assertEqual(['mine.2.json', 'mine.3.json', 'mine.json'], self.files(mpi))
        self.assertIn('mine.3.json', result.stderr)

    @each_mpi
    def test_a_device_is_written_to_as_it_is(self, mpi):
        result = self.go(mpi, POPRT_REPORT='json', POPRT_OUTPUT='/dev/null')
        self.assert_fine(result)
        self.assertEqual(['null'], [n for n in os.listdir('/dev') if n.startswith('null')])
        self.assertEqual([], self.files(mpi))

    @each_mpi
    def test_rows_of_processes_are_there_on_request(self, mpi):
        self.assert_fine(self.go(mpi, POPRT_OUTPUT='without.json'))
        without = self.load(os.path.join(self.folder(mpi), 'without.json'))
        self.assertIsNone(without['processes'])
        self.assertEqual([], [r['name'] for r in without['regions'] if r['rows'] is not None])
        self.assert_fine(self.go(mpi, ranks=3, POPRT_OUTPUT='with.json', POPRT_ROWS='process'))
        report = self.load(os.path.join(self.folder(mpi), 'with.json'))
        processes = report['processes']
        self.assertEqual(([0, 1, 2], [0, 0, 0], [1, 1, 1]),
                         tuple(processes[column] for column in ('rank', 'host', 'threads')))
        # What they took of their hosts.
        self.assertEqual({3}, set(map(len, processes.values())))
        self.assertGreater(min(processes['memory_bytes']), 0)
        for region in report['regions']:
            self.assert_rows_add_up(region['rows'], region['accumulators'])

    def assert_rows_add_up(self, rows, totals):
        self.assertEqual([0, 1, 2], rows['rank'])
        for column, total, of in (('visits', 'visits', sum), ('useful_ns', 'useful_sum_ns', sum),
                                  ('mpi_ns', 'mpi_sum_ns', sum),
                                  ('mpi_io_ns', 'mpi_io_sum_ns', sum),
                                  ('omp_ns', 'omp_sum_ns', sum),
                                  ('serial_ns', 'serial_sum_ns', sum),
                                  ('elapsed_ns', 'elapsed_max_ns', max),
                                  ('useful_max_ns', 'useful_max_ns', max),
                                  ('outside_mpi_ns', 'outside_mpi_max_ns', max)):
            self.assertEqual(totals[total], of(rows[column]), column)
        self.assertEqual(rows['elapsed_ns'], [
            sum(parts) for parts in zip(rows['useful_ns'], rows['mpi_ns'], rows['omp_ns'])])

    @each_mpi
    def test_an_impossible_path_is_one_line(self, mpi):
        for path in ('/proc/no/run.json', '/dev/null/run.json'):
            result = self.go(mpi, POPRT_REPORT='json', POPRT_OUTPUT=path)
            self.assert_fine(result)
            self.balanced_output(result)
            lines = [l for l in result.stderr.splitlines() if l.strip()]
            self.assertEqual(1, len(lines), result.describe())
            self.assertIn(path, lines[0])


if __name__ == '__main__':
    CONFIGURATION, argv = harness.command_line()
    unittest.main(argv=argv)
