#!/usr/bin/env python3
"""Programs under hostile conditions: nobody reads stderr, files may not grow, memory is
used up, signal handlers end the process in the middle of a call, other users have
created pipes with the expected names. In each case the program does the same as without
the library.

  check_hostile.py --config CONFIG [unittest arguments]
"""

import concurrent.futures
import functools
import glob
import os
import re
import resource
import select
import shutil
import socket
import stat
import subprocess
import unittest

import harness
from run import OPTIONS

CONFIGURATION = None
LIMIT_S = 60


def each_kind(test):
    """Makes a test of (self, kind) run for OpenMP alone and for each MPI, side by
    side."""
    @functools.wraps(test)
    def run(self):
        kinds = ['none', *CONFIGURATION.mpis]
        with concurrent.futures.ThreadPoolExecutor() as pool:
            ends = {kind: pool.submit(test, self, kind) for kind in kinds}
        for kind in kinds:
            with self.subTest(kind=kind):
                ends[kind].result()
    return run


def environment(**changes):
    return harness.environment(**{'OMP_NUM_THREADS': '2', **changes})


class Hostile(harness.FolderTest):
    """Programs of one process, without a launcher."""

    def folder(self, *names):
        path = os.path.join(self.base, *names)
        os.makedirs(path, exist_ok=True)
        return path

    def start(self, kind, how, folder, library=True, env=None, **popen):
        changes = {'TMPDIR': self.base, **(env or {})}
        if library:
            changes['LD_PRELOAD'] = CONFIGURATION.library(kind)
        popen.setdefault('stderr', subprocess.PIPE)
        return subprocess.Popen([CONFIGURATION.program(kind, 'hostile'), how],
                                env=environment(**changes), cwd=folder,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, **popen)

    def finish(self, process, limit=LIMIT_S):
        """(exit status, stdout, stderr); if it hangs, stack traces instead of a
        status."""
        ended = harness.comes_within(limit, lambda step_s: process.communicate(timeout=step_s))
        stacks = '' if ended else harness.stacks(process.pid)
        if not ended:
            process.kill()
        out, err = process.communicate()
        return (process.returncode, out.decode(), (err or b'').decode()) if ended else (stacks, '', '')

    def go(self, kind, how, folder, library=True, env=None, **popen):
        return self.finish(self.start(kind, how, folder, library, env, **popen))

    def reports(self, folder):
        found = []
        for path in glob.glob(os.path.join(folder, '**', '*.json'), recursive=True):
            if stat.S_ISREG(os.lstat(path).st_mode):
                found.append(harness.read_report(path))
        return found

    def report(self, folder):
        (report,) = self.reports(folder)
        return report

    def notes(self, folder):
        return self.report(folder)['quality']['notes']

    def same_as_plain(self, kind, how, env=None, **popen):
        """Runs it with and without the library; returns the folder of the measured run,
        and its stderr."""
        plain = self.go(kind, how, self.folder(kind, 'plain'), False, env, **popen)
        folder = self.folder(kind, 'measured')
        measured = self.go(kind, how, folder, True, env, **popen)
        self.assertEqual(plain[:2], measured[:2], measured[2])
        return folder, measured[2]


class Stderr(Hostile):
    @each_kind
    def test_that_is_closed(self, kind):
        folder, _ = self.same_as_plain(kind, 'plain', preexec_fn=lambda: os.close(2), stderr=None)
        notes = self.notes(folder)
        harness.expect_noted(self, 'report_not_printed', notes)
        harness.expect_not_noted(self, 'report_cut', notes)
        self.assertIn('the report was not printed: stderr was closed when', '\n'.join(notes))

    @each_kind
    def test_that_nobody_reads_any_more(self, kind):
        read, write = os.pipe()
        os.close(read)
        folder, _ = self.same_as_plain(kind, 'plain', stderr=write)
        os.close(write)
        harness.expect_noted(self, 'report_cut', self.notes(folder))

    @each_kind
    def test_that_is_full(self, kind):
        for blocking in (True, False):
            folder = self.folder(kind, str(blocking))
            read, write = os.pipe()
            os.set_blocking(write, False)
            while select.select([], [write], [], 0)[1]:
                os.write(write, b'x' * 4096)
            os.set_blocking(write, blocking)
            status, out, _ = self.go(kind, 'plain', folder, stderr=write)
            os.close(read)
            os.close(write)
            self.assertEqual((0, 'output\n'), (status, out))
            harness.expect_noted(self, 'report_cut', self.notes(folder))

    @each_kind
    def test_that_is_a_socket_with_nobody_there(self, kind):
        ours, theirs = socket.socketpair()
        ours.close()
        folder, _ = self.same_as_plain(kind, 'plain', stderr=theirs.fileno())
        theirs.close()
        harness.expect_noted(self, 'report_cut', self.notes(folder))


class Replaced(Hostile):
    """The program's files get the numbers of its standard files."""

    def pair(self, kind, name, env, streams=lambda folder: {}):
        """(folder of the measured run, its stdout, its stderr), after comparing the
        program's own file with that of a run without the library."""
        contents = []
        for library in (False, True):
            folder = self.folder(kind, name, str(library))
            files = {key: open(os.path.join(folder, path), 'wb')
                     for key, path in streams(folder).items()}
            status, out, err = self.go(kind, 'replaced_file', folder, library, env,
                                       pass_fds=(7,), **files)
            self.assertEqual(0, status, (name, err))
            for file in files.values():
                file.close()
            data = os.path.join(folder, 'data.bin')
            contents.append(open(data, 'rb').read() if os.path.exists(data) else None)
        self.assertEqual(contents[0], contents[1], name)
        return folder, out, err

    def setUp(self):
        super().setUp()
        os.dup2(os.open(os.devnull, os.O_WRONLY), 7)

    @each_kind
    def test_stderr(self, kind):
        for how in ('close', 'range', 'reused', 'dup2', 'stream', 'swap', 'gone'):
            for early in ({}, {'EARLY': '1'}):
                name = how + '-early' * len(early)
                folder, out, err = self.pair(
                    kind, name, {'HOW': how, 'NUMBER': '2', **early},
                    lambda folder: {'stderr': 'log'} if how == 'reused' else {})
                self.assertNotIn('Efficiency', out + err, name)
                closed, other = 'is closed', 'is another file than when the program began'
                # MPI may have opened a file of its own with the number meanwhile.
                whys = [closed, other] if name == 'gone-early' else [closed if how == 'gone' else other]
                self.assertIn([note for note in self.notes(folder) if 'stderr' in note],
                              [['the report was not printed: stderr ' + why] for why in whys], name)

    @each_kind
    def test_stderr_that_is_the_same_in_the_end(self, kind):
        for how, log in (('back', 'log'), ('rename', 'data.bin')):
            folder = self.folder(kind, how)
            with open(os.path.join(folder, 'log'), 'wb') as file:
                status, _, _ = self.go(kind, 'replaced_file', folder, True,
                                       {'HOW': how, 'NUMBER': '2'}, stderr=file)
            self.assertEqual(0, status)
            with open(os.path.join(folder, log), encoding='utf-8') as file:
                self.assertIn('Efficiency', file.read(), how)
            harness.expect_not_noted(self, 'report_not_printed', self.notes(folder))
            harness.expect_not_noted(self, 'run_file_elsewhere', self.notes(folder))

    @each_kind
    def test_output(self, kind):
        for number, output in (('1', '-'), ('1', '/dev/stdout'), ('7', '/dev/fd/7')):
            folder, out, err = self.pair(
                kind, 'output' + output.replace('/', '-'),
                {'HOW': 'dup2', 'NUMBER': number, 'POPRT_OUTPUT': output})
            self.assertNotIn('poprt', out)
            self.assertIn('(it is another file than when the program began); the run file is ', err)
            harness.expect_noted(self, 'run_file_elsewhere', self.notes(folder))
            self.assertIn('Efficiency', err)

    @each_kind
    def test_both(self, kind):
        folder, out, err = self.pair(
            kind, 'both', {'HOW': 'swap', 'NUMBER': '2', 'POPRT_OUTPUT': '-'})
        self.assertEqual(('', ''), (out.replace('data', ''), err.replace('data', '')))
        self.assertEqual(2, '\n'.join(self.notes(folder)).count('is another file than'))

    def test_poprt_run_knows_that_there_is_a_report(self):
        folder = self.folder('run')
        done = subprocess.run(
            [CONFIGURATION.command, 'run', CONFIGURATION.program('none', 'hostile'), 'replaced_file'],
            env=environment(TMPDIR=self.base, HOW='close', NUMBER='2'), cwd=folder,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S, check=True)
        self.assertNotIn(b'no report', done.stderr)
        self.assertRegex(done.stderr.decode(), r'poprt: the report was not printed, because .*: '
                         r'poprt report hostile-1x2\.poprt\.json')
        harness.expect_noted(self, 'report_not_printed', self.notes(folder))

    def test_a_reason_for_no_report_is_not_printed_there_either(self):
        for mpi in CONFIGURATION.mpis:
            folder = self.folder(mpi, 'complaint')
            self.go(mpi, 'replaced_file', folder, False, {
                'HOW': 'close', 'NUMBER': '2', 'LD_PRELOAD': CONFIGURATION.omp_library})
            with open(os.path.join(folder, 'data.bin'), 'rb') as file:
                self.assertEqual(b'data', file.read())


class Files(Hostile):
    @each_kind
    def test_that_may_not_grow(self, kind):
        # Both MPIs need some space in files of their own.
        most = 4096 if kind == 'none' else 64 << 20

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        log = os.path.join(self.folder(kind), 'log')
        with open(log, 'wb') as file:
            file.truncate(most - 100)
            file.seek(0, 2)
            folder, _ = self.same_as_plain(kind, 'plain', preexec_fn=limit, stderr=file)
        self.assertEqual(most, os.path.getsize(log))
        if kind == 'none':
            self.assertEqual([], self.reports(folder))
        else:
            harness.expect_noted(self, 'report_cut', self.notes(folder))

    @each_kind
    def test_a_planted_pipe_or_link_is_left_alone(self, kind):
        name = 'hostile-1x%d.poprt.json' % (2 if kind == 'none' else 1)
        for planted in ('pipe', 'link'):
            folder = self.folder(kind, planted)
            path = os.path.join(folder, name)
            reader = None
            if planted == 'pipe':
                os.mkfifo(path)
                reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
            else:
                os.symlink(os.path.join(self.base, 'precious-' + kind), path)
            status, out, err = self.go(kind, 'plain', folder)
            self.assertEqual((0, 'output\n'), (status, out), err)
            self.report(folder)
            self.assertIn('hostile-1x', err)
            if reader is not None:
                self.assertEqual(b'', os.read(reader, 1))
                os.close(reader)
            self.assertFalse(os.path.exists(os.path.join(self.base, 'precious-' + kind)))

    @each_kind
    def test_go_into_a_folder_of_our_own_where_anybody_may_write(self, kind):
        folder = self.folder(kind, 'public')
        os.chmod(folder, 0o1777)
        status, out, err = self.go(kind, 'plain', folder)
        self.assertEqual((0, 'output\n'), (status, out), err)
        (own,) = os.listdir(folder)
        self.assertEqual('poprt-%d' % os.geteuid(), own)
        self.assertEqual(0o700, stat.S_IMODE(os.lstat(os.path.join(folder, own)).st_mode))
        self.report(folder)
        self.assertIn(own + '/hostile-1x', err)

    @each_kind
    def test_no_folder_is_made_for_tmpdir(self, kind):
        missing = os.path.join(self.folder(kind), 'missing')
        folder = self.folder(kind, 'deleted')
        env = {'POPRT_OUTPUT': '/dev/null/x.json'}
        if kind == 'none':  # the MPIs themselves need it
            env['TMPDIR'] = missing
        changes = environment(LD_PRELOAD=CONFIGURATION.library(kind), **{'TMPDIR': self.base, **env})
        # The working folder has been removed, so no file can be created in it.
        shell = 'rmdir ' + folder + '; exec ' + CONFIGURATION.program(kind, 'hostile') + ' plain'
        process = subprocess.Popen(['sh', '-c', shell], env=changes, cwd=folder,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        status, out, err = self.finish(process)
        self.assertEqual((0, 'output\n'), (status, out), err)
        self.assertFalse(os.path.exists(missing))
        written = re.search(r'the run file is (\S+)', err).group(1)
        self.assertTrue(os.path.isfile(written), err)
        os.remove(written)


class Signals(Hostile):
    """Nothing hangs, however often a signal handler interrupts."""

    def test_exit_in_a_handler(self):
        def run(kind, how, number):
            folder = self.folder(kind, how + str(number))
            # Open MPI's processes that start at once cannot make one folder for all.
            temporary = self.folder('temporary', kind, how + str(number))
            status, out, err = self.go(kind, how, folder,
                                       env={'POPRT_REPORT': 'json', 'TMPDIR': temporary})
            return kind, how, status, out, err, len(self.reports(folder))
        runs = [(kind, how, number) for kind in ['none', *CONFIGURATION.mpis]
                for how in ('exit_in_handler', 'exit_at_once') for number in range(4)]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for kind, how, status, out, err, reports in pool.map(lambda r: run(*r), runs):
                with self.subTest(kind=kind, how=how):
                    self.assertEqual(7, status, err)
                    self.assertEqual('output\n' if how == 'exit_in_handler' else '', out)
                    if kind == 'none' and how == 'exit_in_handler':
                        self.assertEqual(1, reports, err)

    def test_exit_in_a_handler_that_interrupts_mpi_of_several_threads(self):
        for mpi, entry in CONFIGURATION.mpis.items():
            for how in ('exit_in_messages', 'exit_in_dups'):
                for library in (None, entry['library']):
                    with self.subTest(mpi=mpi, how=how, library=library):
                        changes = {} if library is None else {'LD_PRELOAD': library}
                        command = CONFIGURATION.launch(mpi, 2, [CONFIGURATION.program(mpi, 'hostile'), how])
                        result = harness.run(command, environment(TMPDIR=self.base, **changes),
                                             self.folder(mpi, how))
                        self.assertEqual('', result.hang, result.describe())
                        self.assertTrue(harness.end_alike(mpi, 7, result.status), result.describe())

    def test_abort_in_a_handler_that_interrupts_the_first_call_of_mpi(self):
        delays_us = (20, 50, 100, 200, 500, 1000)
        for mpi in CONFIGURATION.mpis:
            for delay_us in delays_us:
                with self.subTest(mpi=mpi, delay_us=delay_us):
                    self.same_as_plain(mpi, 'abort_at_once', env={'DELAY_US': str(delay_us)})

    @each_kind
    def test_calls_in_a_handler(self, kind):
        folder, _ = self.same_as_plain(kind, 'regions_in_handler')
        self.assertIn('loop', [r['name'] for r in self.report(folder)['regions']])

    @each_kind
    def test_calls_in_a_handler_lose_no_window(self, kind):
        for name, env in (('time', {'POPRT_WINDOWS': '20ms'}),
                          ('visits', {'POPRT_WINDOWS': 'region:loop'}), ('all', OPTIONS['all'])):
            with self.subTest(name=name):
                folder = self.folder(kind, name)
                status, out, err = self.go(kind, 'regions_often_in_handler', folder, env=env)
                self.assertEqual((0, 'output\n'), (status, out), err)
                report = self.report(folder)
                of = report['windows']['region'] or 'Global'
                (whole,) = [region for region in report['regions'] if region['name'] == of]
                windows = report['windows']['list']
                self.assertEqual(whole['visits'] if name == 'visits' else len(windows),
                                 sum(window['visits'] for window in windows))
                self.assertEqual(whole['accumulators']['elapsed_weighted_ns'],
                                 sum(w['accumulators']['elapsed_weighted_ns'] for w in windows))

    @each_kind
    def test_jumps_out_of_calls(self, kind):
        folder, _ = self.same_as_plain(kind, 'jumps')
        self.assertIn('behind it all', [r['name'] for r in self.report(folder)['regions']])

    def test_locks_in_a_handler(self):
        # With other kinds of locks the runtime itself does not survive that.
        self.same_as_plain('none', 'locks_in_handler', {'KMP_LOCK_KIND': 'tas'})


class LittleStack(Hostile):
    """Threads, fibres and handlers on alternate stacks have little of it, and the program
    ends there."""

    OPTIONS = {'POPRT_CALLS': 'on', 'POPRT_WINDOWS': '5ms', 'POPRT_PATH': 'waiting,regions',
               'POPRT_IO': 'posix', 'POPRT_THREADS': 'all', 'POPRT_ROWS': 'thread',
               'POPRT_CHECKPOINT': '10ms'}

    def run_on(self, kind, how, where, kib, options, *ticks):
        folder = self.folder(kind, how, where, str(kib), '-'.join(['with', *options, *ticks]))
        if (kind, how, where) == ('openmpi', 'finalize', 'thread'):
            # MPI_Finalize itself takes 12 KiB there, and the data of a thread 3.
            kib = max(kib, 24)
        changes = {name: self.OPTIONS[name] for name in options}
        changes.update(LD_PRELOAD=CONFIGURATION.library(kind), TMPDIR=folder)
        process = subprocess.Popen(
            [CONFIGURATION.program(kind, 'little_stack'), how, where, str(kib), *ticks],
            env=environment(**changes), cwd=folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        status, out, err = self.finish(process)
        with self.subTest(kind=kind, how=how, where=where, kib=kib, options=options):
            self.assertEqual((0 if how == 'finalize' else 3, 'output\n'), (status, out), err)
            if how == 'finalize' or kind == 'none':
                report = self.report(folder)
                visits = {region['name']: region['visits'] for region in report['regions']}
                self.assertEqual((20, 20, 40), (visits['even'], visits['odd'], visits['handle']))

    def run_all(self, kind, runs):
        hows = ('exit',) if kind == 'none' else ('exit', 'finalize')
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda run: self.run_on(kind, *run), [
                (how, where, *run) for run in runs for how in hows
                for where in ('thread', 'fibre', 'handler')]))

    def test_of_each_size_with_all_options(self):
        for kind in ('none', *CONFIGURATION.mpis):
            self.run_all(kind, [(kib, tuple(self.OPTIONS)) for kib in (16, 24, 32)])

    def test_while_signals_arrive(self):
        for kind in ('none', *CONFIGURATION.mpis):
            self.run_all(kind, [(32, tuple(self.OPTIONS), us) for us in ('300', '1000')])

    def test_with_each_option_alone(self):
        for kind in ('none', *CONFIGURATION.mpis):
            self.run_all(kind, [(16, options) for options in
                                ((), *((option,) for option in self.OPTIONS))])

    @unittest.skipUnless(shutil.which('node'), 'Node.js is not installed')
    def test_of_the_threads_of_node(self):
        result = harness.run(['node', '-e', 'console.log(1 + 1)'], environment(
            LD_PRELOAD=CONFIGURATION.omp_library, TMPDIR=self.base, **self.OPTIONS), self.base)
        self.assertEqual((0, '2\n'), (result.status, result.stdout), result.describe())
        self.report(self.base)


class FloatingPoint(Hostile):
    @each_kind
    def test_traps_and_rounding_of_the_program(self, kind):
        folder, _ = self.same_as_plain(kind, 'float_traps')
        self.report(folder)


class Memory(Hostile):
    @each_kind
    def test_that_is_used_up(self, kind):
        folder, _ = self.same_as_plain(kind, 'memory')
        self.assertIn('before', [r['name'] for r in self.report(folder)['regions']])


class Children(Hostile):
    @each_kind
    def test_that_the_c_library_does_not_know(self, kind):
        folder, _ = self.same_as_plain(kind, 'children')
        self.report(folder)

    def test_processes_of_an_mpi_that_is_not_seen(self):
        for mpi, entry in CONFIGURATION.mpis.items():
            program = CONFIGURATION.program(mpi, 'hostile')
            libraries = subprocess.run(['ldd', program], stdout=subprocess.PIPE, check=True)
            library = re.search(r'=> (\S*libmpi\S*|\S*libmpich\S*)',
                                libraries.stdout.decode()).group(1)
            for how in ('dlopened', 'dlclosed'):
                for preload in (CONFIGURATION.omp_library, entry['library']):
                    with self.subTest(mpi=mpi, how=how, preload=preload):
                        folder = self.folder(mpi, how, os.path.basename(preload))
                        command = CONFIGURATION.launch(
                            mpi, 2, [CONFIGURATION.program('none', 'hostile'), how])
                        result = harness.run(command, environment(
                            TMPDIR=self.base, MPI_LIBRARY=library, LD_PRELOAD=preload), folder)
                        self.assertEqual((0, ''), (result.status, result.hang), result.describe())
                        self.assertEqual(2, result.stdout.count('output'), result.describe())
                        seen = preload == entry['library']  # its dlsym() is in front
                        self.assertEqual((1, 0) if seen else (0, 1), (
                            len(self.reports(folder)), result.stderr.count('no report: ')),
                                         result.describe())


if __name__ == '__main__':
    CONFIGURATION, argv = harness.command_line()
    unittest.main(argv=argv)
