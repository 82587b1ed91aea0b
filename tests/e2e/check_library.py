#!/usr/bin/env python3
"""What the preloaded library does apart from its report: what it exports and needs,
programs that it must leave alone, its options, its files, and the ways in which a
program may end.

  check_library.py --config CONFIG [unittest arguments]
"""

import functools
import json
import os
import re
import subprocess
import tempfile
import unittest

import harness

CONFIGURATION = None
SHORT_US = '1000'


def output_of(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode()


def libraries():
    """{name: (path, has MPI)}"""
    found = {'omp': (CONFIGURATION.omp_library, False)}
    for mpi, entry in CONFIGURATION.mpis.items():
        found[mpi] = (entry['library'], True)
    return found


def each_library(test):
    """A test of (self, path, has_mpi), once for each library."""
    @functools.wraps(test)
    def run(self):
        for name, (path, has_mpi) in libraries().items():
            with self.subTest(library=name):
                test(self, path, has_mpi)
    return run


def each_mpi(test):
    """A test of (self, mpi), once for each MPI."""
    @functools.wraps(test)
    def run(self):
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi=mpi):
                test(self, mpi)
    return run


class LibraryTest(unittest.TestCase):
    maxDiff = None


class Contents(LibraryTest):
    @each_library
    def test_exports_are_its_api_and_what_it_interposes(self, path, has_mpi):
        names = {line.split()[-1].split('@')[0]
                 for line in output_of('nm', '-D', '--defined-only', path).splitlines()}
        allowed = (r'ompt_start_tool|__kmpc_\w+|GOMP_task|pop_\w+' +
                   (r'|P?MPI_\w+' if has_mpi else ''))
        self.assertEqual([], sorted(n for n in names if not re.fullmatch(allowed, n)))
        wanted = {'ompt_start_tool', 'pop_region_start', 'pop_region_stop', 'pop_region_find',
                  'pop_region_enter', 'pop_region_leave', 'pop_metadata', 'pop_region_metrics',
                  'pop_region_metrics_job', 'pop_version'}
        if has_mpi:
            # One function of each kind: with some mpi.h, a hidden default visibility
            # silently hides the wrappers, too.
            wanted |= {'MPI_' + n for n in (
                'Init', 'Init_thread', 'Finalize', 'Send', 'Isend', 'Recv', 'Irecv', 'Sendrecv',
                'Wait', 'Waitall', 'Waitany', 'Waitsome', 'Test', 'Testall', 'Testany',
                'Testsome', 'Send_init', 'Recv_init', 'Start', 'Startall', 'Probe', 'Iprobe',
                'Mprobe', 'Improbe', 'Mrecv', 'Imrecv', 'Barrier', 'Bcast', 'Reduce',
                'Allreduce', 'Gather', 'Scatter', 'Allgather', 'Alltoall', 'Scan', 'Exscan',
                'Ibarrier', 'Iallreduce', 'Comm_dup', 'Comm_split', 'Comm_free', 'Pcontrol')}
        self.assertEqual([], sorted(wanted - names))

    @each_library
    def test_local_calls_are_not_wrapped(self, path, has_mpi):
        if not has_mpi:
            return
        names = output_of('nm', '-D', '--defined-only', path).split()
        for name in ('MPI_Comm_rank', 'MPI_Comm_size', 'MPI_Wtime', 'MPI_Get_count'):
            self.assertNotIn(name, names)

    @each_library
    def test_it_needs_only_libc(self, path, has_mpi):
        needed = re.findall(r'\(NEEDED\).*\[(.*)\]', output_of('readelf', '-d', path))
        for name in needed:
            self.assertRegex(name, r'^(libc|libm|ld-linux[\w-]*)\.so\.\d+$')

    @each_library
    def test_it_initialises_nothing_at_load(self, path, has_mpi):
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
    def test_its_thread_local_storage_is_small_enough_for_dlopen(self, path, has_mpi):
        segment = re.search(r'^\s+TLS\s+\S+ \S+ \S+\s+\S+ (0x\w+)',
                            output_of('readelf', '-lW', path), re.M)
        if segment:
            self.assertLessEqual(int(segment.group(1), 16), 64)


class Dormant(LibraryTest):
    """In a process that is neither an MPI nor an OpenMP program."""

    @each_library
    def test_ordinary_programs_behave_as_without(self, path, has_mpi):
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


class ProgramTest(harness.FolderTest, LibraryTest):
    """Runs a short program of two ranks in a folder of its own."""

    def folder(self, mpi):
        path = os.path.join(self.base, mpi)
        os.makedirs(path, exist_ok=True)
        return path

    def go(self, mpi, program='mpi_shapes', arguments=('balanced', SHORT_US), ranks=2,
           library=True, **env):
        command = CONFIGURATION.launch(
            mpi, ranks, [CONFIGURATION.program(mpi, program), *arguments])
        if library:
            env.setdefault('LD_PRELOAD', CONFIGURATION.library(mpi))
        env.setdefault('OMP_NUM_THREADS', '2')
        return harness.run(command, harness.environment(TMPDIR=self.base, **env), self.folder(mpi))

    def files(self, mpi):
        return sorted(os.listdir(self.folder(mpi)))

    def assert_fine(self, result, status=0):
        self.assertEqual((status, ''), (result.status, result.hang), result.describe())

    def balanced_output(self, result):
        self.assertEqual(['rank 0 of 2: 1', 'rank 1 of 2: 1'],
                         sorted(result.stdout.splitlines()), result.describe())


class Options(ProgramTest):
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
    def test_report_help_lists_the_options(self, mpi):
        result = self.go(mpi, POPRT_REPORT='help')
        self.assert_fine(result)
        self.balanced_output(result)
        for name in ('POPRT_REPORT', 'POPRT_OUTPUT', 'POPRT_MODEL', 'POPRT_ROWS'):
            self.assertEqual(1, len(re.findall(r'^\s*%s\b' % name, result.stderr, re.M)),
                             result.describe())

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
    def test_a_path_that_ends_in_json_is_the_file(self, mpi):
        self.assert_fine(self.go(mpi, POPRT_OUTPUT='mine.json'))
        self.assertEqual(['mine.json'], self.files(mpi))
        report = self.load(os.path.join(self.folder(mpi), 'mine.json'))
        self.assertEqual('poprt.run', list(report.values())[0])  # it begins with its schema

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
    def test_a_directory_gets_the_default_name(self, mpi):
        inside = os.path.join(self.folder(mpi), 'results')
        os.mkdir(inside)
        self.assert_fine(self.go(mpi, POPRT_OUTPUT=inside))
        self.assertEqual(['mpi_shapes-2x1.poprt.json'], os.listdir(inside))

    @each_mpi
    def test_a_template_is_filled_in(self, mpi):
        self.assert_fine(self.go(mpi, POPRT_OUTPUT='run-%a-%r-%t'))
        self.assertEqual(['run-mpi_shapes-2-1.poprt.json'], self.files(mpi))

    @each_mpi
    def test_a_device_is_written_to_as_it_is(self, mpi):
        result = self.go(mpi, POPRT_REPORT='json', POPRT_OUTPUT='/dev/null')
        self.assert_fine(result)
        self.assertEqual(['null'], [n for n in os.listdir('/dev') if n.startswith('null')])
        self.assertEqual([], self.files(mpi))

    @each_mpi
    def test_folders_that_do_not_exist_are_made(self, mpi):
        self.assert_fine(self.go(mpi, POPRT_OUTPUT='new/folder/'))
        self.load(os.path.join(self.folder(mpi), 'new/folder/mpi_shapes-2x1.poprt.json'))

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


class Endings(ProgramTest):
    """However a program ends, it ends as without the library."""

    def compare(self, mpi, mode, reports, ranks=2):
        plain = self.go(mpi, 'endings', (mode, SHORT_US), ranks, library=False)
        result = self.go(mpi, 'endings', (mode, SHORT_US), ranks, POPRT_REPORT='json')
        self.assertEqual('', result.hang, result.describe())
        # Compared by characters: launchers mix the lines of several processes.
        self.assertEqual((plain.status, sorted(plain.stdout)),
                         (result.status, sorted(result.stdout)),
                         plain.describe() + result.describe())
        self.assertEqual(reports, len(self.files(mpi)), self.files(mpi))

    @each_mpi
    def test_mpi_abort(self, mpi):
        self.compare(mpi, 'abort', 0)

    @each_mpi
    def test_without_finalize(self, mpi):
        self.compare(mpi, 'no_finalize', 0, ranks=1)

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
        self.assertIn('Parallel Efficiency', result.stderr, result.describe())
        self.assertEqual(1, result.stderr.count('Parallel Efficiency  '), result.describe())

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
        mpis = sorted(CONFIGURATION.mpis)
        if len(mpis) < 2:
            self.skipTest('built for one MPI only')
        for mpi, other in (mpis, reversed(mpis)):
            for program, arguments in (('mpi_shapes', ('ring_waitall', SHORT_US)),
                                       ('hybrid_shapes', ('mpi_between', SHORT_US))):
                with self.subTest(program_of=mpi, library_of=other, program=program):
                    plain = self.go(mpi, program, arguments, ranks=2, library=False)
                    result = self.go(mpi, program, arguments, ranks=2,
                                     LD_PRELOAD=CONFIGURATION.library(other))
                    self.assert_fine(result)
                    self.assertEqual(sorted(plain.stdout.splitlines()),
                                     sorted(result.stdout.splitlines()))
                    lines = [l for l in result.stderr.splitlines() if l.strip()]
                    self.assertEqual(1, len(set(lines)), result.describe())
                    self.assertIn('poprt', lines[0])

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
