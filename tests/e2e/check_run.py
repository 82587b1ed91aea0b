#!/usr/bin/env python3
"""`poprt run` in front of a launcher and behind it, for each MPI: the program is
measured, prints what it prints alone, and ends as it ends alone.

  check_run.py --config CONFIG [unittest arguments]
"""

import ctypes.util
import glob
import json
import os
import re
import shutil
import subprocess
import unittest

import harness
from run_test import SHORT_US, RunTest

CONFIGURATION = None
PYTHON = '/usr/bin/python3'  # the one that Debian's mpi4py is for
# Options of Open MPI 4.1 whose help disagrees with its parser.
HELP_IS_WRONG = {'h', 'help', 'app'}

SANITIZED = (
    '#include <stdio.h>\n'
    'int main(void) {\n'
    '  int sum = 0;\n'
    '#pragma omp parallel reduction(+ : sum)\n'
    '  sum += 1;\n'
    '  return printf("%d\\n", sum) < 0;\n'
    '}\n')
SANITIZED_MPI = (
    '#include <mpi.h>\n'
    '#include <stdio.h>\n'
    'int main(int argc, char** argv) {\n'
    '  int one = 1, sum = 0;\n'
    '  MPI_Init(&argc, &argv);\n'
    '  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);\n'
    '  printf("%d\\n", sum);\n'
    '  return MPI_Finalize();\n'
    '}\n')


class WithMpi(RunTest):
    def test_both_positions_measure_what_the_program_has(self):
        for mpi in CONFIGURATION.mpis:
            program = [CONFIGURATION.program(mpi, 'hybrid_shapes'), 'balanced', SHORT_US]
            plain = self.go(CONFIGURATION.launch(mpi, 2, program))
            for command in self.positions(mpi, program):
                with self.subTest(command=command):
                    result = self.go(command)
                    self.assertEqual(sorted(plain.stdout), sorted(result.stdout))
                    name = 'Open MPI' if mpi == 'openmpi' else 'MPICH'
                    self.assertEqual(
                        ['poprt: measuring MPI (%s) and OpenMP of hybrid_shapes.' % name],
                        self.lines(result))
                    run = self.report(result)['run']
                    self.assertEqual((2, 2), (run['ranks'], run['threads_per_process']['max']))
                    self.assertIn(name, run['mpi']['library'])
                    self.assertEqual(program, run['command'])

    def test_a_launcher_whose_stderr_is_gone(self):
        """MPICH's launcher ends when nobody reads what it passes on from a process."""
        read, nobody_reads = os.pipe()
        os.close(read)
        for mpi in CONFIGURATION.mpis:
            launch = CONFIGURATION.launch(
                mpi, 2, [CONFIGURATION.program(mpi, 'mpi_shapes'), 'balanced', SHORT_US])
            for closed in (False, True):
                with self.subTest(mpi=mpi, closed=closed):
                    ends = [subprocess.run(
                        words + launch, env=harness.environment(TMPDIR=self.base), cwd=self.base,
                        stdout=subprocess.PIPE, stderr=nobody_reads, timeout=60, check=False,
                        preexec_fn=(lambda: os.close(2)) if closed else None)
                        for words in ([], [CONFIGURATION.command, 'run'])]
                    plain, measured = [(end.returncode, sorted(end.stdout.splitlines()))
                                       for end in ends]
                    self.assertEqual(plain, measured)
                    if not closed:  # MPICH's launcher starts nothing if it is closed
                        self.assertEqual(0, measured[0])
                        self.assertEqual(1, len(glob.glob(os.path.join(self.base, '*.json'))))
            for path in glob.glob(os.path.join(self.base, '*.json')):
                os.remove(path)
        os.close(nobody_reads)

    def test_the_users_tool_of_mpis_profiling_interface_stays_on(self):
        """In front of poprt, whatever else is preloaded, or linked to the program; also with
        calls by place, whose places are the program's."""
        jemalloc = ctypes.util.find_library('jemalloc')
        for mpi in CONFIGURATION.mpis:
            tool = CONFIGURATION.program(mpi, 'libcounting_tool.so')
            program = [CONFIGURATION.program(mpi, 'mpi_shapes'), 'balanced', SHORT_US]
            needed = subprocess.run(['ldd', program[0]], stdout=subprocess.PIPE, text=True, check=True)
            others = [re.search(r'(/\S*/libmpi\S*\.so\S*)', needed.stdout)[1],
                      CONFIGURATION.llvm_openmp, *filter(None, [jemalloc])]
            alone = self.go(CONFIGURATION.launch(mpi, 2, program), LD_PRELOAD=tool)
            counted = sorted(line for line in alone.stdout.splitlines() if 'tool:' in line)
            self.assertEqual(2, len(counted), alone.describe())
            for libraries in ([tool], [tool, *others], [*others, tool]):
                for command in self.positions(mpi, program, ['--calls=on']):
                    with self.subTest(libraries=libraries, command=command):
                        result = self.go(command, LD_PRELOAD=':'.join(libraries))
                        self.assertEqual(counted, sorted(
                            line for line in result.stdout.splitlines() if 'tool:' in line))
                        report = self.report(result)
                        self.assertEqual((2, 0), (report['run']['ranks'],
                                                  report['quality']['lost_clocks']))
                        self.assertNotIn('counting_tool', json.dumps(report['mpi_calls']))

    def test_options_reach_the_library(self):
        for mpi in CONFIGURATION.mpis:
            program = [CONFIGURATION.program(mpi, 'mpi_shapes'), 'balanced', SHORT_US]
            for command in self.positions(mpi, program,
                                          ['-o', 'x-%r.', '--report=json', '-m', 'talp']):
                with self.subTest(command=command):
                    result = self.go(command)
                    self.assertEqual(1, len(result.stderr.splitlines()), result.describe())
                    self.assertEqual(['x-2..poprt.json'], [
                        name for name in os.listdir(self.base) if name.endswith('.json')])
            (around, _) = self.positions(mpi, program, ['--report', 'text', '--model', 'talp'])
            result = self.go(around)
            self.assertIn('TALP', result.stderr)
            self.assertEqual(1, len(self.lines(result)), result.describe())

    def test_gccs_openmp_runs_under_llvms_runtime_unless_it_is_to_stay(self):
        if 'c' not in CONFIGURATION.gcc_languages:
            self.skipTest('no gcc')
        for mpi in CONFIGURATION.mpis:
            program = [CONFIGURATION.program(mpi, 'gcc_c'), 'critical', SHORT_US]
            plain = self.go(CONFIGURATION.launch(mpi, 2, program))
            for choice in ('auto', CONFIGURATION.llvm_openmp, 'keep'):
                for command in self.positions(mpi, program, ['--omp', choice]):
                    with self.subTest(command=command):
                        result = self.go(command)
                        self.assertEqual(sorted(plain.stdout), sorted(result.stdout))
                        self.assertEqual(choice == 'keep',
                                         self.report(result)['run']['openmp'] is None)

    def test_whatever_a_script_starts(self):
        """Each program under the library of its MPI, whichever it is; the shell, and a program without MPI, as alone."""
        lines = ['#!/bin/sh', 'set -e', 'for mpi in %s; do' % ' '.join(sorted(CONFIGURATION.mpis)),
                 'case $mpi in']
        for mpi in CONFIGURATION.mpis:
            program = [CONFIGURATION.program(mpi, 'hybrid_shapes'), 'balanced', SHORT_US]
            lines.append('%s) %s ;;' % (mpi, ' '.join(CONFIGURATION.launch(mpi, 2, program))))
        lines += ['esac', 'done', CONFIGURATION.program('none', 'hybrid_shapes') + ' balanced ' + SHORT_US, 'exit 3']
        script = os.path.join(self.base, 'all.sh')
        with open(script, 'w', encoding='utf-8') as file:
            file.write('\n'.join(lines) + '\n')
        plain = self.go(['sh', script], status=3)
        result = self.go([CONFIGURATION.command, 'run', 'sh', script], status=3)
        self.assertEqual(sorted(plain.stdout), sorted(result.stdout))
        runs = [harness.read_report(path)['run'] for path in glob.glob(os.path.join(self.base, '*.json'))]
        self.assertEqual(len(CONFIGURATION.mpis) + 1, len(runs), result.describe())
        for run in runs:
            self.assertEqual((2 if run['mpi'] else 1, 2), (run['ranks'], run['threads_per_process']['max']))

    def test_a_script_that_starts_programs_in_an_unusual_way(self):
        """Through the loader they keep their words, and are measured; in valgrind they stay."""
        for mpi in CONFIGURATION.mpis:
            program = CONFIGURATION.program(mpi, 'mpi_shapes')
            with open(program, 'rb') as file:
                loader = re.search(rb'/lib\S*/ld-linux[^\0]*', file.read()).group().decode()
            words = [loader, '--library-path', '/nowhere', program, 'balanced', SHORT_US]
            script = os.path.join(self.base, mpi + '.sh')
            with open(script, 'w', encoding='utf-8') as file:
                file.write(' '.join(CONFIGURATION.launch(mpi, 2, words)) + '\n')
            plain = self.go(['sh', script])
            result = self.go([CONFIGURATION.command, 'run', '--report=json', 'sh', script])
            self.assertEqual(sorted(plain.stdout), sorted(result.stdout))
            run = self.report(result)['run']
            self.assertEqual((2, words), (run['ranks'], run['command']))
            if shutil.which('valgrind') is None:
                continue
            with open(script, 'w', encoding='utf-8') as file:
                file.write(' '.join(['valgrind', '--leak-check=no', program, 'balanced', SHORT_US]) + '\n')
            result = self.go([CONFIGURATION.command, 'run', 'sh', script])
            self.assertIn('ERROR SUMMARY: ', result.stderr)

    def test_sanitized_programs(self):
        """With the address sanitizer in a library that must be the first one, and with another sanitizer."""
        for sanitizer in ('address', 'undefined'):
            program = [self.compile('sanitized', '-fopenmp', '-fsanitize=' + sanitizer, source=SANITIZED)]
            plain = self.go(program)
            with self.subTest(sanitizer=sanitizer):
                result = self.go([CONFIGURATION.command, 'run'] + program)
                self.assertEqual(plain.stdout, result.stdout)
                self.assertEqual(2, self.report(result)['run']['threads'])
            for mpi in CONFIGURATION.mpis:
                compiler = shutil.which('mpicc.' + mpi)
                if compiler is None:
                    continue
                program = [self.compile('sanitized_' + mpi, '-fsanitize=' + sanitizer, compiler=compiler,
                                        source=SANITIZED_MPI)]
                # MPI libraries leave memory.
                env = {'ASAN_OPTIONS': 'detect_leaks=0'}
                plain = self.go(CONFIGURATION.launch(mpi, 2, program), **env)
                for command in self.positions(mpi, program):
                    with self.subTest(sanitizer=sanitizer, command=command):
                        result = self.go(command, **env)
                        self.assertEqual(sorted(plain.stdout), sorted(result.stdout))
                        self.assertEqual(2, self.report(result)['run']['ranks'])

    def test_several_programs(self):
        for mpi in CONFIGURATION.mpis:
            one = CONFIGURATION.launch(mpi, 1, [])
            program = [CONFIGURATION.program(mpi, 'mpi_shapes'), 'balanced', SHORT_US]
            result = self.go([CONFIGURATION.command, 'run'] + one + program + [':'] + one[1:3] +
                             program)
            self.assertEqual(2, self.report(result)['run']['ranks'])

    def test_python(self):
        script = os.path.join(self.base, 'sum.py')
        with open(script, 'w', encoding='utf-8') as file:
            file.write('#!%s\nfrom mpi4py import MPI\nprint(MPI.COMM_WORLD.allreduce(1))\n' % PYTHON)
        os.chmod(script, 0o755)
        has = subprocess.run([PYTHON, '-c', 'from mpi4py import MPI; print(MPI.get_vendor()[0])'],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False,
                             env=harness.environment())
        mpi = {b'Open MPI': 'openmpi', b'MPICH': 'mpich'}.get(has.stdout.strip())
        if mpi not in CONFIGURATION.mpis:
            self.skipTest('no mpi4py of an MPI that poprt is built for')
        for program in ([PYTHON, script], [script]):
            for command in self.positions(mpi, program):
                with self.subTest(command=command):
                    result = self.go(command)
                    # Two processes may write into one another's lines.
                    self.assertEqual('22', ''.join(result.stdout.split()))
                    self.assertEqual(2, self.report(result)['run']['ranks'])

    def test_an_mpi_that_is_loaded_later(self):
        source = '''#include <dlfcn.h>
            #include <stddef.h>
            int main(int argc, char** argv) {
              void* mpi = argc < 2 ? NULL : dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
              if (mpi == NULL) return 9;
              if (argc == 2) mpi = RTLD_DEFAULT;
              int (*init)(void*, void*) = dlsym(mpi, "MPI_Init");
              int (*finalize)(void) = dlsym(mpi, "MPI_Finalize");
              return init == NULL || finalize == NULL || init(NULL, NULL) || finalize();
            }
            '''
        program = self.compile('later', '-ldl', source=source)
        for mpi in CONFIGURATION.mpis:
            needed = subprocess.run(['ldd', CONFIGURATION.program(mpi, 'mpi_shapes')],
                                    stdout=subprocess.PIPE, check=True).stdout.decode()
            library = re.search(r'libmpi\w*\.so\S* => (\S+)', needed).group(1)
            poprt = [CONFIGURATION.command, 'run', '--report=json']
            for wish in (mpi, library, CONFIGURATION.mpis[mpi]['library']):
                with self.subTest(wish=wish):
                    result = self.go(poprt + ['--mpi', wish, program, library])
                    self.assertEqual(1, self.report(result)['run']['ranks'])
                    self.assertEqual(1, len(self.lines(result)), result.describe())
            # Its functions are looked up in MPI itself.
            result = self.go(poprt + ['--mpi', mpi, program, library, 'in MPI'])
            self.assertEqual(1, self.report(result)['run']['ranks'])
            self.assertEqual(1, len(self.lines(result)), result.describe())
            lines = self.lines(self.go(poprt + [program, library]))
            self.assertIn('(MPI that it loads: --mpi=', lines[0])
            self.assertIn('no report: this library has not seen MPI_Init', lines[1])
            self.assertIn('--mpi=' + mpi, lines[1])
        result = self.go([CONFIGURATION.command, 'run', '--mpi', 'lam', program], status=2)
        self.assertIn('poprt: --mpi=lam: No such file or directory. Valid: auto, openmpi',
                      result.stderr)

    def test_mpi_by_address(self):
        """Julia, ctypes: also from a library that is opened with RTLD_DEEPBIND. A function that
        is not measured is named, unless a part of MPI looks for it."""
        with open(os.path.join(CONFIGURATION.source, 'tests/e2e/programs/by_address.c'),
                  encoding='utf-8') as file:
            source = file.read()
        program = self.compile('by_address', '-rdynamic', '-ldl', source=source)
        plugin = self.compile('mca_plugin.so', '-DPLUGIN', '-shared', '-fPIC', source=source)
        for mpi in CONFIGURATION.mpis:
            needed = subprocess.run(['ldd', CONFIGURATION.program(mpi, 'mpi_shapes')],
                                    stdout=subprocess.PIPE, check=True).stdout.decode()
            library = re.search(r'libmpi\w*\.so\S* => (\S+)', needed).group(1)
            other = {'openmpi': 'MPIX_Bcast_init', 'mpich': 'MPIX_Comm_agree'}[mpi]
            for how in (['plain', 'MPI_Barrier', 'MPI_Wtime'], ['deep', 'MPI_Barrier', 'MPI_Wtime'],
                        ['plain', 'PMPI_Barrier', other],
                        ['plain', 'PMPI_Barrier', other, plugin]):
                for command in self.positions(mpi, [program, library] + how, ['--report=json']):
                    with self.subTest(mpi=mpi, how=how, command=command):
                        result = self.go(command)
                        self.assertIn(result.stdout, ('done\n', 'done, other found\n'))
                        report = self.report(result)
                        self.assertEqual(2, report['run']['ranks'])
                        times = report['regions'][0]['accumulators']
                        # Of 2 x 0.6 s rank 0 works 0.2 s and waits 0.4 s, rank 1 works: sleeps,
                        # which are longer on a busy machine. Unseen, nobody would wait.
                        self.assertGreaterEqual(times['useful_sum_ns'] / 1e9, 0.79)
                        self.assertGreater(times['mpi_waiting_sum_ns'], 0)
                        is_named = 'found' in result.stdout and how[1:] == ['PMPI_Barrier', other]
                        self.assertEqual(
                            [{'name': other, 'processes': 2, 'is_wrapped': False}] * is_named,
                            report['run']['mpi']['unwrapped_calls'])

    def test_a_wrapper_is_looked_into(self):
        if 'c' not in CONFIGURATION.gcc_languages:
            self.skipTest('no gcc')
        for mpi in CONFIGURATION.mpis:
            app = os.path.join(self.base, 'app')
            os.symlink(CONFIGURATION.program(mpi, 'gcc_hybrid_shapes'), app)
            wrapper = os.path.join(self.base, 'wrap.sh')
            with open(wrapper, 'w', encoding='utf-8') as file:
                file.write('#!/bin/sh\nHERE=$(dirname "$0")\n'
                           'exec nice "$HERE/app" balanced %s\n' % SHORT_US)
            os.chmod(wrapper, 0o755)
            for command in self.positions(mpi, [wrapper], ['--report=json']):
                with self.subTest(command=command):
                    run = self.report(self.go(command))['run']
                    self.assertEqual((2, 2), (run['ranks'], run['threads_per_process']['max']))
            os.remove(app)

    def test_spawned_processes_are_measured(self):
        if 'openmpi' not in CONFIGURATION.mpis:
            self.skipTest('Debian\'s MPICH 4.0 cannot spawn')
        launch = CONFIGURATION.launch('openmpi', 1, [])
        parent = CONFIGURATION.program('openmpi', 'spawning')
        plain = self.go(launch + [parent])
        poprt = [CONFIGURATION.command, 'run', '--report=json']
        for command in (poprt + launch + [parent], launch + poprt + [parent]):
            with self.subTest(command=command):
                result = self.go(command)
                self.assertEqual(sorted(plain.stdout), sorted(result.stdout))
                self.assertEqual(2, len(self.lines(result)), result.describe())
                files = sorted(glob.glob(os.path.join(self.base, '*.json')))
                self.assertEqual(['spawning-1x1.poprt.json', 'spawning-3x1.poprt.json'],
                                 [os.path.basename(path) for path in files])
                notes = harness.read_report(files[0])['quality']['notes']
                self.assertEqual(1, len(notes))
                self.assertIn('with a report of their own; waiting for them', notes[0])
        # A program that only MPI finds, by its search path, is not measured, and poprt
        # says so.
        result = self.go(poprt + launch + [parent, 'path'])
        self.assertIn('poprt: processes that MPI_Comm_spawn started were not measured',
                      self.lines(result)[-1])
        notes = self.report(result)['quality']['notes']
        self.assertIn('and not measured', notes[0])

    def test_processes_that_are_jobs_of_their_own_are_told_of(self):
        if len(CONFIGURATION.mpis) < 2:
            self.skipTest('needs two MPIs')
        # Jobs of Open MPI that begin together fail where none has made this folder yet.
        folder = os.path.join(self.base, 'ompi.%s.%d' % (os.uname().nodename, os.getuid()))
        os.makedirs(os.path.join(folder, 'kept'))
        for mpi, other in (('openmpi', 'mpich'), ('mpich', 'openmpi')):
            program = [CONFIGURATION.program(other, 'mpi_shapes'), 'balanced', SHORT_US]
            for command in self.positions(mpi, program, ['--report=json']):
                with self.subTest(command=command):
                    said = [line for line in self.lines(self.go(command)) if 'started 2' in line]
                    self.assertEqual(1, len(said), said)
                    self.assertIn('use the launcher of the program\'s MPI', said[0])
                    files = glob.glob(os.path.join(self.base, '*.json'))
                    self.assertEqual(2, len(files))
                    for path in files:
                        self.assertIn(said[0][len('poprt: '):],
                                      harness.read_report(path)['quality']['notes'])

    def test_nothing_is_said_of_a_report_that_is_there(self):
        os.mkdir(os.path.join(self.base, 'sub'))
        for mpi in CONFIGURATION.mpis:
            program = [CONFIGURATION.program(mpi, 'mpi_shapes'), 'balanced', SHORT_US]
            elsewhere = ['sh', '-c', 'cd sub && exec "$@"', 'sh'] + program
            for words, options in ((program, ['--report=text']),
                                   (program, ['-o', 'x/%a-%p.']),
                                   (program, ['--report=json', '-o', '/dev/null']),
                                   (program, ['-o', '/proc/none/x.json']),
                                   (program, ['--report=none']),
                                   (elsewhere, ['--report=text,json']),
                                   (elsewhere, ['--report=json', '-o', 'y'])):
                for command in self.positions(mpi, words, options):
                    with self.subTest(command=command):
                        result = self.go(command)
                        self.assertIn('measuring', result.stderr)
                        self.assertNotIn('no report', result.stderr, result.describe())
                        self.assertNotIn('_POPRT', result.stderr)

    def test_a_run_without_a_report_is_told_of(self):
        for mpi in CONFIGURATION.mpis:
            program = CONFIGURATION.program(mpi, 'endings')
            for options in (['--report=text'], ['--report=json'], ['-o', '%h/%a-%p']):
                for command in self.positions(mpi, [program, 'no_mpi', SHORT_US], options):
                    with self.subTest(command=command):
                        self.assertEqual(
                            ['poprt: measuring MPI (%s) of endings.' % (
                                'Open MPI' if mpi == 'openmpi' else 'MPICH'),
                             'poprt: no report: the program called neither MPI_Init nor OpenMP '
                             'nor a region (a serial one that marks its work with '
                             'pop_region_start is measured, as a baseline for poprt scale).'],
                            self.lines(self.go(command)))
            # poprt run does not repeat what the library has said.
            for command in self.positions(mpi, [program, 'no_finalize', SHORT_US]):
                with self.subTest(command=command):
                    result = harness.run(command, harness.environment(TMPDIR=self.base), self.base)
                    self.assertEqual(['poprt: no report: the program ended without MPI_Finalize'],
                                     self.lines(result)[1:])
            # Of one rank: which rank's status a launcher takes may depend on who ends first.
            one = CONFIGURATION.launch(mpi, 1, [program, 'abort', SHORT_US])
            plain = harness.run(one, harness.environment(TMPDIR=self.base), self.base)
            self.assertNotEqual(0, plain.status)
            result = self.go([CONFIGURATION.command, 'run', *one], status=plain.status)
            self.assertEqual(['poprt: no report: the program called MPI_Abort.'],
                             self.lines(result)[1:])

    def test_a_killed_run_is_told_of(self):
        for mpi in CONFIGURATION.mpis:
            one = CONFIGURATION.launch(mpi, 1, [])
            killed = ['sh', '-c', 'kill -SEGV $$']
            plain = harness.run(one + killed, harness.environment(TMPDIR=self.base), self.base)
            poprt = [CONFIGURATION.command, 'run', '--report=text', '--']
            result = self.go(poprt + one + killed, status=plain.status)
            self.assertIn('poprt: no report: the exit code was %d, and nothing was heard of the '
                          'library: the program was killed' % plain.status, result.stderr)
            result = self.go(one + poprt + killed, status=plain.status)
            self.assertIn('poprt: no report: the command was ended by signal 11 (', result.stderr)

    def test_nobody_waits_between_a_launcher_and_its_program_but_once(self):
        # In front of the launcher, poprt waits for the launcher; behind it, for the
        # first process.
        script = 'echo "$(basename "$(readlink /proc/$PPID/exe)")"; exit 0'
        for mpi in CONFIGURATION.mpis:
            around, behind = (self.go(command).stdout.split() for command in self.positions(
                mpi, ['sh', '-c', script], ['--report=text']))
            self.assertNotIn('poprt', around)
            self.assertEqual(1, behind.count('poprt'), behind)
            self.assertEqual(2, len(behind))

    def test_a_first_process_on_another_node_is_watched_there(self):
        # A launcher whose processes cannot reach the `poprt run` in front of it.
        for mpi, rank in (('openmpi', 'OMPI_COMM_WORLD_RANK'), ('mpich', 'PMI_RANK')):
            if mpi not in CONFIGURATION.mpis:
                continue
            for name in ('-u _POPRT_RUN', '_POPRT_RUN=poprt-on-another-node'):
                launcher = os.path.join(self.base, 'mpirun')
                with open(launcher, 'w', encoding='utf-8') as file:
                    file.write('#!/bin/sh\nshift 2\nexec env %s %s=0 "$@"\n' % (name, rank))
                os.chmod(launcher, 0o755)
                lines = self.lines(self.go([CONFIGURATION.command, 'run', launcher, '-n', '1',
                                            'true']))
                self.assertEqual(2, len(lines), lines)
                self.assertIn('no report: the program called neither', lines[1])

    def test_open_mpis_options_are_known(self):
        if 'openmpi' not in CONFIGURATION.mpis:
            self.skipTest('not built for Open MPI')
        launcher = CONFIGURATION.mpis['openmpi']['run']
        listed = subprocess.run([launcher, '--help', 'all'], stdout=subprocess.PIPE, check=True,
                                env=harness.environment()).stdout.decode()
        count = 0
        for names, values in re.findall(r'^ *(-[-\w|]+)((?: <arg\d>)*)', listed, re.MULTILINE):
            for name in names.split('|'):
                if name.lstrip('-') in HELP_IS_WRONG | {'V', 'version'}:
                    continue
                count += 1
                # Were the number wrong, a value would be taken for the program,
                # or the program for a value.
                words = ['value'] * values.count('<')
                result = harness.run(
                    # (echo has options, too, but not behind its first word)
                    [CONFIGURATION.command, 'run', 'mpirun', '--noprefix', name] + words + [':none'],
                    harness.environment(PATH=self.fake_launcher()), self.base)
                arguments = result.stdout.split()[1:]
                self.assertEqual([name] + words, arguments[:1 + len(words)], result.describe())
                self.assertEqual(['run', ':none'],
                                 [arguments[2 + len(words)], arguments[-1]], result.describe())
        self.assertGreater(count, 100)

    def fake_launcher(self):
        """A folder with an mpirun that prints its arguments, and is taken for Open
        MPI's because of its name."""
        folder = os.path.join(self.base, 'bin')
        if not os.path.isdir(folder):
            os.mkdir(folder)
            shutil.copy('/bin/echo', os.path.join(folder, 'mpirun.openmpi'))
            os.symlink('mpirun.openmpi', os.path.join(folder, 'mpirun'))
        return folder


if __name__ == '__main__':
    CONFIGURATION, argv = harness.command_line()
    unittest.main(argv=argv)
