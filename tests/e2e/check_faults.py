#!/usr/bin/env python3
"""Jobs that do not come to their end: they end as without the library, and what was
measured until then is not lost.

  check_faults.py --config CONFIG [unittest arguments]
"""

import concurrent.futures
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import time
import unittest

import harness
from library_test import ProgramTest, each_mpi

# With a thread that works for 20 ms, and stays.
WORKING_RUNTIME = b"""
#include <pthread.h>
#include <time.h>
#include <unistd.h>
int omp_get_thread_num(void) { return 0; }
static void* work(void* unused) {
  struct timespec now;
  do {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  } while (now.tv_sec == 0 && now.tv_nsec < 20000000);
  pause();
  return unused;
}
__attribute__((constructor)) static void begin(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
}
"""
# Ends a command as `timeout -k 5` does: when both ranks have made some checkpoints, or without the library.
UNTIL_KEPT = """
import glob, os, subprocess, sys, time
child = subprocess.Popen(sys.argv[1:])
times = {}
while child.poll() is None:
    for name in glob.glob('*.poprt-parts/*'):
        times.setdefault(name, set()).add(os.stat(name).st_mtime_ns)
    if sum(len(each) > 3 for each in times.values()) == 2 or 'LD_PRELOAD' not in os.environ:
        break
    time.sleep(0.01)
time.sleep(0.5)  # for what the launcher has to do at its start
child.terminate()
child.wait()
sys.exit(124)
"""
CONFIGURATION = None
ROUNDS = 25  # of the program
WORK_S = 0.02  # in each
INTERVAL_S = 0.05

UNSEEN = 'killed, or ended by a signal, _exit or abort'
EXIT = 'exit without MPI_Finalize'
# How rank 1 of two ends after 25 rounds, and what its file says. The launcher ends the other.
# Of four ranks, those that wait for rank 0 in MPI_Finalize keep theirs, too.
RANKS = {'finalize_early': 4}
ENDINGS = {'mpi_abort': 'MPI_Abort(3)', 'exit': EXIT, 'return': EXIT, '_exit': UNSEEN,
           'abort': UNSEEN, 'exception': UNSEEN, 'sigterm': UNSEEN, 'sigint': UNSEEN,
           'sigsegv': UNSEEN, 'sigkill': UNSEEN, 'handler': UNSEEN, 'finalize_early': UNSEEN}


def left_in(folder):
    return [name for name in os.listdir(folder) if not name.startswith('core')]


def processes_in(folder):
    """Those with this working directory, after a time to end."""
    found = []

    def are_gone():
        found.clear()
        for link in glob.glob('/proc/[0-9]*/cwd'):
            try:
                if os.readlink(link) == folder:
                    found.append(link)
            except OSError:
                pass
        return not found

    harness.comes_true(are_gone)
    return found


class Faults(ProgramTest):

    def go_in(self, mpi, folder, command, **env):
        os.makedirs(folder, exist_ok=True)
        # Several jobs run beside each other.
        os.makedirs(folder + '.tmp')
        return harness.run(command, harness.environment(
            **{'TMPDIR': folder + '.tmp', 'OMP_NUM_THREADS': '1', **env}), folder)

    def command(self, mpi, kind):
        return CONFIGURATION.launch(mpi, RANKS.get(kind, 2), [CONFIGURATION.program(mpi, 'faults'), kind])

    def run_both(self, mpi, kind, limit=(), **env):
        """The folders and results without and with the library."""
        folders = [os.path.join(self.base, mpi, kind + name) for name in ('-plain', '-measured')]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            results = [pool.submit(self.go_in, mpi, folder, [*limit, *self.command(mpi, kind)],
                                   LD_PRELOAD=preload, **{'POPRT_CHECKPOINT': '50ms', **env})
                       for folder, preload in zip(folders, (None, CONFIGURATION.library(mpi)))]
        return [(folder, result.result()) for folder, result in zip(folders, results)]

    def assert_same(self, mpi, runs):
        """The job has ended as without the library."""
        (plain_folder, plain), (folder, result) = runs
        about = plain.describe() + result.describe()
        self.assertEqual(('', ''), (plain.hang, result.hang), about)
        self.assertTrue(harness.end_alike(mpi, plain.status, result.status), about)
        # MPICH's launcher writes to stdout, too, with numbers of processes.
        self.assertEqual(*(sorted(re.findall('own handler|rank.*', each.stdout))
                           for each in (plain, result)), about)
        self.assertEqual(*('nobody catches it' in each.stderr for each in (plain, result)), about)
        self.assertEqual([], left_in(plain_folder), about)
        self.assertEqual([], processes_in(folder), about)
        return about

    def recovered(self, folder, about):
        """The run file of what is left in the folder, where nothing else is."""
        names = left_in(folder)
        self.assertEqual(1, len(names), (names, about))
        self.assertTrue(names[0].endswith('.poprt-parts'), names)
        for name in glob.glob(os.path.join(folder, names[0], '*')):
            self.assertEqual(0o600, os.stat(name).st_mode & 0o777, name)
        path = folder + '.json'
        subprocess.run([CONFIGURATION.command, 'report', os.path.join(folder, names[0]),
                        '--format', 'json', '-o', path], check=True,
                       stdout=subprocess.DEVNULL)
        with open(path, encoding='utf-8') as file:
            return json.load(file)

    def assert_kept(self, mpi, runs, ending, least_s, ranks=2):
        about = self.assert_same(mpi, runs)
        folder, result = runs[1]
        run = self.recovered(folder, about)
        endings = run['run']['incomplete']
        about = (endings, about)
        self.assertEqual(ranks, sum(e['processes'] for e in endings), about)
        self.assertNotIn('left nothing', [e['ending'] for e in endings], about)
        of_rank_1 = [e for e in endings if e['ranks'] in ('1', '0-1', '0-3')]
        self.assertEqual([ending], [e['ending'] for e in of_rank_1], about)
        self.assertGreater(of_rank_1[0]['measured_max_ns'] / 1e9, least_s, about)
        (region,) = run['regions']
        self.assertEqual(ranks, region['processes'], about)
        # The closure holds in what was read while threads ran.
        self.assertEqual(0, run['quality']['closure_error_ns'], about)
        useful_s = region['accumulators']['useful_sum_ns'] / 1e9
        # Each rank has worked once before its first event.
        self.assertGreaterEqual(useful_s, ranks * WORK_S, about)
        return result

    def test_what_was_measured_is_kept(self):
        """Who says that it ends keeps all; else at least one interval was kept. What may be
        lost depends on how long the folder takes: due_work_test."""
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            runs = {(mpi, kind): pool.submit(self.run_both, mpi, kind)
                    for mpi in CONFIGURATION.mpis for kind in ENDINGS}
        for (mpi, kind), future in runs.items():
            with self.subTest(mpi=mpi, kind=kind):
                exact = ENDINGS[kind] != UNSEEN
                result = self.assert_kept(mpi, future.result(), ENDINGS[kind],
                                          ROUNDS * WORK_S if exact else INTERVAL_S,
                                          RANKS.get(kind, 2))
                # MPICH's launcher may end without reading what an aborted process has written.
                if kind == 'mpi_abort' and (mpi != 'mpich' or result.stderr):
                    self.assertIn('poprt report ', result.stderr)

    def assert_same_core(self, mpi, kind):
        """A core file is left by the same signal, of the same place, and not much larger."""
        runs = self.run_both(mpi, kind, limit=('sh', '-c', 'ulimit -c unlimited; exec "$@"', 'sh'))
        about = self.assert_same(mpi, runs)
        stacks, sizes = [], []
        for folder, _ in runs:
            cores = glob.glob(os.path.join(folder, 'core*'))
            self.assertEqual(1, len(cores), about)
            sizes.append(os.stat(cores[0]).st_size)
            if shutil.which('gdb'):
                text = subprocess.run(
                    ['gdb', '-batch', '-nx', '-ex', 'backtrace', CONFIGURATION.program(mpi, 'faults'), cores[0]],
                    env=harness.environment(DEBUGINFOD_URLS=''), stdin=subprocess.DEVNULL, timeout=60,
                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout.decode()
                stacks.append(re.findall(r'terminated with signal (\w+)', text) +
                              re.findall(r'^#\d+ .*?(\w+) \(', text, re.M))
        if stacks:
            self.assertIn('main', stacks[0], about)
            self.assertEqual(*stacks)
        # 4 MiB are MPICH's for one more communicator.
        self.assertLess(sizes[1], sizes[0] + (8 << 20), about)

    def test_core_files(self):
        with open('/proc/sys/kernel/core_pattern', encoding='utf-8') as file:
            pattern = file.read().strip()
        if pattern.startswith('|') or '/' in pattern or not pattern.startswith('core'):
            self.skipTest('core files go elsewhere here: ' + pattern)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            done = {(mpi, kind): pool.submit(self.assert_same_core, mpi, kind)
                    for mpi in CONFIGURATION.mpis for kind in ('sigsegv', 'abort')}
        for (mpi, kind), future in done.items():
            with self.subTest(mpi=mpi, kind=kind):
                future.result()

    @each_mpi
    def test_time_limit(self, mpi):
        """More than one checkpoint is made."""
        runs = self.run_both(mpi, 'endless', limit=(sys.executable, '-c', UNTIL_KEPT))
        self.assert_kept(mpi, runs, UNSEEN, 2 * INTERVAL_S)

    @each_mpi
    def test_nothing_is_left_by_a_whole_run(self, mpi):
        runs = self.run_both(mpi, 'finalize')
        self.assert_same(mpi, runs)
        folder, result = runs[1]
        (name,) = os.listdir(folder)
        with open(os.path.join(folder, name), encoding='utf-8') as file:
            run = json.load(file)
        self.assertEqual([], run['run']['incomplete'], result.describe())
        harness.expect_not_noted(self, 'no_checkpoints', run['quality']['notes'])
        self.assertNotIn('incomplete', result.stderr)

    @each_mpi
    def test_nothing_is_made_before_the_first_interval(self, mpi):
        """Nor without a run file. A file that is made and removed changes the folder's time."""
        for name, env in (('usual', {}), ('text', {'POPRT_REPORT': 'text',
                                                   'POPRT_CHECKPOINT': '50ms'})):
            folder = os.path.join(self.base, mpi, name)
            os.makedirs(folder)
            made_ns = os.stat(folder).st_mtime_ns
            result = self.go_in(mpi, folder, self.command(mpi, 'mpi_abort'),
                                LD_PRELOAD=CONFIGURATION.library(mpi), **env)
            self.assertEqual([], left_in(folder), result.describe())
            self.assertEqual(made_ns, os.stat(folder).st_mtime_ns, result.describe())

    @each_mpi
    def test_a_folder_that_cannot_be_written(self, mpi):
        """Files of the checkpoint go where a folder is made in vain: a file is there."""
        place = os.path.join(self.base, 'file')
        with open(place, 'w', encoding='utf-8'):
            pass
        runs = self.run_both(mpi, 'finalize', POPRT_OUTPUT=place + '/run.json')
        self.assert_same(mpi, runs)
        self.assertRegex(runs[1][1].stderr, 'no checkpoints: cannot\\s+write')
        (path,) = glob.glob(os.path.join(runs[1][0], '*.json'))
        harness.expect_noted(self, 'no_checkpoints', harness.read_report(path)['quality']['notes'])

    @each_mpi
    def test_what_was_not_measured_is_not_known(self, mpi):
        """An OpenMP that tells nothing, and a runtime of accelerators: as in a report at the
        end, the rows of OpenMP are unknown, and no loss is named."""
        device = os.path.join(self.base, 'libcuda.so.1')
        subprocess.run(['cc', '-shared', '-x', 'c', '/dev/null', '-Wl,-soname,libcuda.so.1', '-o',
                        device], check=True)
        openmp = os.path.join(self.base, 'libopenmp.so')
        subprocess.run(['cc', '-shared', '-fPIC', '-pthread', '-x', 'c', '-', '-o', openmp], check=True,
                       input=WORKING_RUNTIME)
        preload = ':'.join((CONFIGURATION.library(mpi), device, openmp))
        for kind in 'sigkill', 'mpi_abort':
            with self.subTest(kind=kind):
                folder = os.path.join(self.base, mpi, 'unseen_' + kind)
                result = self.go_in(mpi, folder, self.command(mpi, kind), LD_PRELOAD=preload,
                                    OMP_NUM_THREADS='2', POPRT_CHECKPOINT='50ms')
                run = self.recovered(folder, result.describe())
                self.assertIsNone(run['run']['openmp'])
                self.assertIsNone(
                    run['regions'][0]['metrics']['multiplicative']['openmp_parallel_efficiency'])
                notes = run['quality']['notes']
                harness.expect_noted(self, 'openmp_silent', notes)
                self.assertIn('its runtime (libopenmp.so) tells tools nothing', ' '.join(notes))
                harness.expect_noted(self, 'accelerators', notes)
                self.assertIn('a runtime of accelerators (libcuda.so.1)', ' '.join(notes))

    @each_mpi
    def test_poprt_run_shows_it(self, mpi):
        """And every reader says that the run is incomplete."""
        folder = os.path.join(self.base, mpi, 'run')
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        result = self.go_in(mpi, folder, [CONFIGURATION.command, 'run', '--checkpoint=50ms',
                                          *self.command(mpi, 'sigkill')])
        said = ' '.join(result.stderr.split())
        found = re.search(r'until then: poprt report (\S+\.poprt-parts)', said)
        self.assertTrue(found, result.describe())
        pieces = found.group(1)
        note = 'incomplete run, recovered from checkpoints: ranks 0-1 killed'
        self.assertIn(note, said)
        for words in (('report', pieces), ('report', folder), ('scale', pieces),
                      ('diff', pieces, pieces),
                      ('check', pieces, '--min', 'parallel_efficiency=0', '--any-light')):
            done = subprocess.run([CONFIGURATION.command, *words], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, check=False, timeout=60)
            self.assertIn(note, ' '.join(done.stdout.decode().split()), words)
        page = os.path.join(self.base, 'page.html')
        subprocess.run([CONFIGURATION.command, 'report', pieces, '-o', page], check=True,
                       stdout=subprocess.DEVNULL)
        with open(page, encoding='utf-8') as file:
            self.assertIn('incomplete run', file.read())


if __name__ == '__main__':
    CONFIGURATION, argv = harness.command_line()
    unittest.main(argv=argv)
