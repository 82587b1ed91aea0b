#!/usr/bin/env python3
"""`poprt run` without a launcher, an installation that has been moved, and
`poprt doctor`.

  check_run_alone.py --config CONFIG [unittest arguments]
"""

import glob
import json
import os
import re
import shutil
import signal
import subprocess
import unittest

import harness
import newcomer
from run_test import SHORT_US, RunTest

CONFIGURATION = None


class Alone(RunTest):
    def run_alone(self, command, status=0, options=(), **env):
        return self.go([CONFIGURATION.command, 'run', *options, '--'] + command, status, **env)

    def test_a_program_without_mpi(self):
        program = [CONFIGURATION.program('none', 'hybrid_shapes'), 'balanced', SHORT_US]
        result = self.run_alone(program)
        self.assertEqual(['poprt: measuring OpenMP of omp_shapes.'], self.lines(result))
        self.assertEqual(2, self.report(result)['run']['threads'])

    def test_a_program_behind_another(self):
        program = ['nice', CONFIGURATION.program('none', 'hybrid_shapes'), 'balanced', SHORT_US]
        self.assertEqual(2, self.report(self.run_alone(program))['run']['threads'])

    def test_a_program_behind_its_loader(self):
        program = CONFIGURATION.program('none', 'hybrid_shapes')
        with open(program, 'rb') as file:
            loader = re.search(rb'/[\w/.-]*/ld[\w.-]*\.so[.\d]*', file.read())[0].decode()
        result = self.run_alone([loader, '--argv0', 'mine', program, 'balanced', SHORT_US])
        self.assertIn('poprt: measuring OpenMP of ', self.lines(result)[0])
        self.assertEqual(2, self.report(result)['run']['threads'])

    def test_what_is_preloaded_is_only_in_the_programs_environment(self):
        result = self.run_alone(['sh', '-c', 'echo $LD_PRELOAD; echo $OMP_TOOL_LIBRARIES'],
                                options=['--report=none'], LD_PRELOAD='libm.so.6',
                                OMP_TOOL_LIBRARIES='/t.so')
        library = CONFIGURATION.omp_library
        self.assertEqual([library + ':libm.so.6', library + ':/t.so'], result.stdout.split())

    def test_exit_codes_and_signals_pass(self):
        for code in (0, 1, 126, 255):
            self.run_alone(['sh', '-c', 'exit %d' % code], status=code)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL, signal.SIGSEGV):
            result = self.run_alone(['sh', '-c', 'kill -%d $$' % number], status=-number)
            self.assertIn('was ended by signal %d (' % number, result.stderr)

    def test_why_there_is_no_report(self):
        for command, status, why in (
                (['false'], 1, 'the exit code was 1, and the program called neither'),
                (['true'], 0, 'the program called neither MPI_Init nor OpenMP nor a region'),
                (['sh', '-c', 'kill -9 $$'], -9, 'the command was ended by signal 9 (Killed)'),
                (['env', '-u', 'LD_PRELOAD', 'true'], 0, 'nothing was heard of the library')):
            for report in ('text', 'json'):
                with self.subTest(command=command, report=report):
                    result = self.run_alone(command, status, ['--report=' + report])
                    self.assertIn('poprt: no report: ' + why, result.stderr)
            self.assertNotIn('no report',
                             self.run_alone(command, status, ['--report=none']).stderr)
        program = self.compile('leaves', '-fopenmp', source=(
            '#include <unistd.h>\n#include <omp.h>\nint main(void) {\n'
            '  _exit(omp_get_max_threads() < 0);\n}\n'))
        (_, line) = self.lines(self.run_alone([program]))
        self.assertIn('came to no end that the library sees', line)

    def test_a_report_of_any_kind_is_noticed(self):
        program = [CONFIGURATION.program('none', 'hybrid_shapes'), 'balanced', SHORT_US]
        for options in (['--report=text'], ['-o', 'a/%p-%h'], ['-o', '/dev/null']):
            for command in (program, ['sh', '-c', 'cd / && "$@"; exit 0', 'sh'] + program):
                with self.subTest(command=command, options=options):
                    result = self.run_alone(command, options=options)
                    self.assertNotIn('no report', result.stderr)
                    self.assertNotIn('_POPRT', result.stderr)

    def test_a_run_file_on_stdout_is_behind_what_is_there(self):
        program = [CONFIGURATION.program('none', 'hybrid_shapes'), 'balanced', SHORT_US]
        script = ['sh', '-c', 'echo before; "$@"; echo after', 'sh'] + program
        for name in ('-', '/dev/stdout', '/dev/fd/1', '/proc/self/fd/1'):
            with self.subTest(name=name):
                # harness.run's stdout is a file.
                shown = self.run_alone(script, options=['-o', name]).stdout
                self.assertEqual('before\n', shown[:7])
                self.assertEqual('after\n', shown[-6:])
                run, _ = json.JSONDecoder().raw_decode(shown[shown.index('{'):])
                self.assertEqual('omp_shapes', run['run']['program'])
                self.assertEqual([], os.listdir(self.base))

    def test_one_poprt_in_another_leaves_the_word_to_the_outer_one(self):
        program = [CONFIGURATION.program('none', 'hybrid_shapes'), 'balanced', SHORT_US]
        inner = [CONFIGURATION.command, 'run', '--']
        self.assertNotIn('no report', self.run_alone(inner + program).stderr)
        lines = self.lines(self.run_alone(inner + ['true']))
        self.assertEqual(1, sum('no report' in line for line in lines), lines)
        self.assertEqual(['poprt: cannot run nosuch: No such file or directory.'],
                         self.lines(self.run_alone(inner + ['nosuch'], 127))[1:])

    def test_no_file_is_left(self):
        self.run_alone(['true'])
        self.assertEqual([], os.listdir(self.base))

    def test_a_task_does_not_outlive_poprt(self):
        env = harness.environment(PMI_RANK='0')
        with subprocess.Popen([CONFIGURATION.command, 'run', '--', 'sh', '-c',
                               'echo ready; while :; do sleep 0.01; done'],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self.base,
                              env=env, start_new_session=True) as child:
            self.assertEqual(b'ready\n', child.stdout.readline())
            child.kill()
            # End of file: no process has the pipe open any more.
            self.assertEqual(b'', child.stdout.read())

    def test_signals_of_others_reach_the_program(self):
        script = 'trap "echo got it; exit 5" TERM; echo ready; while :; do sleep 0.01; done'
        with subprocess.Popen([CONFIGURATION.command, 'run', '--', 'sh', '-c', script],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self.base,
                              env=harness.environment()) as child:
            self.assertEqual(b'ready\n', child.stdout.readline())
            child.send_signal(signal.SIGTERM)
            self.assertEqual(b'got it\n', child.stdout.readline())
            self.assertEqual(5, child.wait(harness.LIMIT_S))

    def test_a_signal_at_the_end_does_not_end_poprt(self):
        """A launcher sends it to both, and the program ends by itself."""
        script = 'kill -STOP $PPID; echo $$ > pid; kill -XCPU $PPID; exit 5'
        with subprocess.Popen([CONFIGURATION.command, 'run', '--', 'sh', '-c', script],
                              stderr=subprocess.DEVNULL, cwd=self.base,
                              env=harness.environment()) as child:
            os.waitpid(child.pid, os.WUNTRACED)
            path = os.path.join(self.base, 'pid')
            while not harness.read_text(path).endswith('\n') or ') Z ' not in harness.read_text(
                    '/proc/%s/stat' % harness.read_text(path).strip()):
                pass
            child.send_signal(signal.SIGCONT)
            self.assertEqual(5, child.wait(harness.LIMIT_S))

    def test_the_program_begins_with_poprts_signals(self):
        def change():
            # Python ignores SIGPIPE and SIGXFSZ.
            for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
                signal.signal(number, (signal.SIG_DFL, signal.SIG_IGN)[number % 2])
            signal.pthread_sigmask(signal.SIG_SETMASK, range(3, signal.SIGRTMAX + 1, 3))

        def signals(command):
            text = subprocess.run(command + ['cat', '/proc/self/status'], check=True, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self.base,
                                  env=harness.environment(), preexec_fn=change).stdout
            return re.findall('^Sig(?:Blk|Ign|Cgt):.*', text, re.M)

        plain = signals([])
        self.assertEqual(3, len(plain))
        for options in ([], ['--report=none']):
            self.assertEqual(plain, signals([CONFIGURATION.command, 'run', *options, '--']))

    def test_what_cannot_be_preloaded_into_runs_and_is_told_of(self):
        static = self.compile('static', '-static')
        cases = [(static, 'statically linked')]
        private = self.compile('private')
        try:
            os.chown(private, os.getuid() + 1, os.getgid())
            os.chmod(private, 0o4755)
            cases.append((private, 'setuid'))
        except OSError:
            pass  # only root can give a file away
        for program, why in cases:
            result = self.run_alone([program], status=7)
            (line,) = self.lines(result)
            self.assertIn(why, line)
            self.assertIn('it runs unmeasured', line)

    def test_an_older_c_library_than_poprts(self):
        """A copy of this machine's, without the newest version that poprt's library needs: the
        loader would end the program."""
        def needed(path, name):
            text = subprocess.run(['objdump', '-p', path], check=True, stdout=subprocess.PIPE,
                                  text=True).stdout
            return set(re.findall(r'GLIBC_[0-9.]+', re.search(
                r'required from %s\S*:\n((?: +0x.*\n)+)' % name, text)[1]))

        libraries = subprocess.run(['ldd', '/bin/sh'], check=True, stdout=subprocess.PIPE,
                                   text=True).stdout
        c_library = re.search(r'/\S*/libc\.so\.6', libraries)[0]
        newest = max(needed(CONFIGURATION.omp_library, 'libc.so') - needed(c_library, 'ld-linux'),
                     key=lambda version: [int(part) for part in version[6:].split('.')])
        with open(c_library, 'rb') as file:
            content = file.read().replace(b'\0%s\0' % newest.encode(),
                                          b'\0%s\0' % newest.lower().encode())
        path = os.path.join(self.base, 'libc.so.6')
        with open(path, 'wb') as file:
            file.write(content)
        os.chmod(path, 0o755)
        # What every program's start needs is newer than what it needs itself.
        program = self.compile(
            'older', '-nostartfiles', '-O1', '-Wl,-rpath,' + self.base, source=
            'int puts(const char*);\nvoid exit(int);\n'
            '__attribute__((force_align_arg_pointer)) void _start(void) { puts("fine"); exit(7); }\n')
        by_hand = harness.run([program], harness.environment(
            LD_PRELOAD=CONFIGURATION.omp_library), self.base)
        self.assertNotEqual(7, by_hand.status, 'the C library is as new as poprt needs it')
        result = self.run_alone([program], status=7)
        self.assertEqual('fine\n', result.stdout)
        (line,) = result.stderr.splitlines()
        self.assertIn(newest, line)
        self.assertIn('it runs unmeasured', line)

    def test_what_the_loader_cannot_preload_is_refused(self):
        for name in ('my libomp.so', 'lib:omp.so'):
            path = os.path.join(self.base, name)
            os.symlink(CONFIGURATION.llvm_openmp, path)
            for given in (path, name):
                result = self.run_alone(['true'], 2, ['--omp=' + given])
                self.assertEqual('', result.stdout)
                self.assertEqual(
                    ['poprt: --omp=%s: the loader preloads no path with a blank or a colon. Give a '
                     'link to it that has none.' % path], result.stderr.splitlines())
        for name in ('my tools', 'a:b'):
            prefix = os.path.join(self.base, name)
            os.makedirs(os.path.join(prefix, 'bin'))
            poprt = shutil.copy(CONFIGURATION.command, os.path.join(prefix, 'bin'))
            os.symlink(os.path.dirname(CONFIGURATION.omp_library), os.path.join(prefix, 'lib'))
            result = self.go([poprt, 'run', 'true'], 2)
            (line,) = result.stderr.splitlines()
            self.assertIn(prefix, line)
            self.assertIn('the loader preloads no path with a blank or a colon', line)
            self.assertIn('\n x preloading ', self.go([poprt, 'doctor', '--no-example']).stdout)

    def test_a_runtime_may_be_named_without_its_folder(self):
        os.symlink(CONFIGURATION.llvm_openmp, os.path.join(self.base, 'mine.so'))
        result = self.run_alone(['sh', '-c', 'echo $LD_PRELOAD'],
                                options=['--omp=mine.so', '--report=none'])
        self.assertEqual([CONFIGURATION.omp_library, os.path.join(self.base, 'mine.so')],
                         result.stdout.strip().split(':'))

    def test_detached_tasks_keep_gccs_runtime(self):
        source = '#include <omp.h>\nint main(int n, char **v) {\n' \
                 '  if (n > 9) omp_fulfill_event((omp_event_handle_t)0);\n' \
                 '  return omp_get_num_procs() < 1;\n}\n'
        program = self.compile('detach', '-fopenmp', '-lgomp', source=source)
        (line, *_) = self.lines(self.run_alone([program]))
        self.assertIn('does not serve its omp_fulfill_event', line)


class Installed(RunTest):
    def test_a_moved_installation_finds_its_parts_and_doctor_tries_them(self):
        if shutil.which('cmake') is None:
            self.skipTest('no cmake')
        first, prefix = os.path.join(self.base, 'first'), os.path.join(self.base, 'moved')
        subprocess.run(['cmake', '--install', os.path.dirname(CONFIGURATION.examples), '--prefix',
                        first], stdout=subprocess.DEVNULL, check=True)
        os.rename(first, prefix)
        poprt = os.path.join(prefix, 'bin', 'poprt')
        shown = self.go([poprt, 'doctor']).stdout
        for mpi in CONFIGURATION.mpis:
            name = 'Open MPI' if mpi == 'openmpi' else 'MPICH'
            self.assertRegex(shown, r'\n   try %s +2 ranks x 2 threads ran the example;' % name)
            example = CONFIGURATION.program(mpi, 'example')
            result = self.go([poprt, 'run'] + CONFIGURATION.launch(mpi, 2, [example]))
            self.assertEqual(2, self.report(result)['run']['ranks'])
        for page in ('man1/poprt.1', 'man1/poprt-run.1', 'man7/poprt-env.7'):
            self.assertTrue(os.path.exists(os.path.join(prefix, 'share/man', page)), page)
        for script in ('bash-completion/completions/poprt', 'zsh/site-functions/_poprt',
                       'fish/vendor_completions.d/poprt.fish'):
            self.assertTrue(os.path.getsize(os.path.join(prefix, 'share', script)), script)
        # The folders of a Debian package.
        for example in glob.glob(os.path.join(prefix, '*/poprt/*/hybrid')):
            os.remove(example)
        said = re.search(r'What builds it:\n(mpicc .*)', self.go([poprt, 'doctor']).stdout)
        for mpi in CONFIGURATION.mpis:
            subprocess.run(newcomer.with_names_here(said[1], mpi), shell=True, cwd=self.base, check=True)
            os.remove(os.path.join(self.base, 'hybrid'))

    def test_doctor_takes_its_example_along_when_it_is_interrupted(self):
        if 'mpich' not in CONFIGURATION.mpis:
            self.skipTest('not built for MPICH')
        launchers, temporary = os.path.join(self.base, 'bin'), os.path.join(self.base, 'tmp')
        os.mkdir(launchers)
        os.mkdir(temporary)
        started = os.path.join(self.base, 'started')
        os.mkfifo(started)
        # Taken for Hydra's by its name; the program that it starts is not in its
        # process group.
        with open(os.path.join(launchers, 'mpirun'), 'w', encoding='utf-8') as file:
            file.write('#!/bin/sh\nsetsid sh -c "echo > %s; while :; do sleep 100; done" &\n'
                       'wait\n' % started)
        os.chmod(os.path.join(launchers, 'mpirun'), 0o755)
        for number in (signal.SIGINT, signal.SIGTERM):
            env = harness.environment(PATH=launchers + ':/usr/bin:/bin', TMPDIR=temporary)
            with subprocess.Popen([CONFIGURATION.command, 'doctor'], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, cwd=self.base, env=env) as child:
                with open(started, encoding='utf-8'):
                    pass  # a process has it open for writing
                child.send_signal(number)
                self.assertEqual(-number, child.wait(harness.LIMIT_S))
                self.assertIn(b'run file', child.stdout.read())
                self.assertEqual([], os.listdir(temporary))
            mine = [pid for pid in os.listdir('/proc') if pid.isdigit() and
                    started in harness.read_text('/proc/%s/cmdline' % pid)]
            self.assertEqual([], mine)

    def test_doctor_says_what_is_missing(self):
        shown = self.go([CONFIGURATION.command, 'doctor'], PATH=self.base,
                        OMP_TOOL='disabled').stdout
        for mpi in CONFIGURATION.mpis:
            name = 'Open MPI' if mpi == 'openmpi' else 'MPICH'
            self.assertRegex(shown, r'\n ! %s ' % name)
        self.assertIn('no mpirun of it in PATH', ' '.join(shown.split()))
        self.assertIn('unset OMP_TOOL', shown)
        self.assertNotIn('ran the example', shown)


if __name__ == '__main__':
    CONFIGURATION, argv = harness.command_line()
    unittest.main(argv=argv)
