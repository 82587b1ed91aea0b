"""Runs programs under each MPI, with and without the library.

Every run has a limit. One that hangs fails loudly: the stacks of all its
processes are part of the message, then they are killed. Nothing is tried
twice for what it gave.
"""

import argparse
import concurrent.futures
import dataclasses
import functools
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import machine

LIMIT_S = 60


class FolderTest(unittest.TestCase):
    """Each test has an empty folder of its own: `base`."""
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix='poprt-e2e-')
        self.addCleanup(temporary.cleanup)
        self.base = temporary.name


def command_line():
    """What a script of tests was started with: (configuration, argv of unittest)."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument('--config', required=True)
    known, rest = parser.parse_known_args()
    return Configuration(known.config), [sys.argv[0]] + rest


class Configuration:
    """What CMake knows: the launchers, libraries and programs."""

    def __init__(self, path):
        with open(path, encoding='utf-8') as file:
            data = json.load(file)
        self.mpis = data['mpis']          # {mpi: {'run': launcher, 'library': path, 'fortran': bool}}
        self.command = data['command']    # the program poprt
        self.omp_library = data['omp_library']
        self.llvm_openmp = data['llvm_openmp']  # LLVM's OpenMP runtime
        self.gcc_languages = data['gcc_languages']  # of programs with GCC's OpenMP
        self.programs = data['programs']  # folder; the MPI's programs are in folder/<mpi>
        self.examples = data['examples']  # likewise
        self.source = data['source']
        stalls()  # before there are threads: it forks

    def library(self, mpi):
        return self.omp_library if mpi == 'none' else self.mpis[mpi]['library']

    def replace_library(self, mpi, path):
        if mpi == 'none':
            self.omp_library = path
        else:
            self.mpis[mpi]['library'] = path

    def program(self, mpi, name):
        if name == 'example':
            return os.path.join(self.examples, mpi, 'hybrid')
        if mpi == 'none':
            return os.path.join(self.programs, {'hybrid_shapes': 'omp_shapes'}.get(name, name))
        return os.path.join(self.programs, mpi, name)

    def launch(self, mpi, ranks, command, core_each=False):
        """The command line that starts `ranks` processes of `command`, each on a
        core of its own where that is known to suit the program."""
        if mpi == 'none':
            return command
        line = [self.mpis[mpi]['run'], '-n', str(ranks)]
        if mpi == 'openmpi':
            # Waiting ranks yield, so that those that sleep wake up on time
            # although cores are few.
            line += ['--oversubscribe', '--bind-to', 'none', '--mca', 'mpi_yield_when_idle', '1']
            # The transport of a single node, which it chooses by itself after half
            # of its start has gone into the search for networks.
            line += ['--mca', 'pml', 'ob1']
        elif core_each:
            # Two that spin may else share a core beside an idle one for several
            # of the scheduler's slices: 10 ms and more, in one run of 70.
            line += ['-bind-to', 'core']
        return line + command


def environment(**changes):
    """The caller's environment, less what would steer a run, plus `changes`."""
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(('POPRT', 'OMP_', 'KMP_')) and k != 'LD_PRELOAD'}
    # Open MPI wants to be asked twice before it runs as root (containers).
    env.update(OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1', LC_ALL='C')
    env.update({k: v for k, v in changes.items() if v is not None})
    return env


@dataclasses.dataclass
class Result:
    command: list
    status: int
    stdout: str
    stderr: str
    seconds: float
    hang: str = ''       # stacks, where it exceeded its limit
    report: object = None  # the run file, where there is one
    foreign: float = 0.0   # share of the cores that others used meanwhile
    stalled_s: float = 0.0  # for how long a core stood still, machine and all

    def disturbance(self):
        """The share of the run's time that the machine took away, about."""
        return self.foreign + self.stalled_s / self.seconds

    def describe(self):
        text = '$ ' + ' '.join(self.command) + '\n'
        if self.hang:
            text += 'exceeded its time limit; stacks:\n' + self.hang
        text += 'exit status %d after %.1f s; others used %.0f %% of the cores, stalls of %.0f ms\n' % (
            self.status, self.seconds, 100 * self.foreign, 1e3 * self.stalled_s)
        for name, content in (('stdout', self.stdout), ('stderr', self.stderr)):
            if content.strip():
                text += '--- %s\n%s\n' % (name, content.rstrip())
        return text


def _parents():
    """{pid: (parent, session)} of all processes."""
    table = {}
    for entry in os.listdir('/proc'):
        if not entry.isdigit():
            continue
        try:
            with open('/proc/%s/stat' % entry, encoding='utf-8', errors='replace') as file:
                fields = file.read().rpartition(')')[2].split()
        except OSError:
            continue
        table[int(entry)] = (int(fields[1]), int(fields[3]))
    return table


def processes_of(root):
    """`root`, its descendants, and what else is in its session: a launcher may
    give its children a process group of their own."""
    table = _parents()
    found = {pid for pid, (_, session) in table.items() if session == root}
    found.add(root)
    while True:
        more = {pid for pid, (parent, _) in table.items() if parent in found} - found
        if not more:
            return sorted(found)
        found |= more


def read_text(path):
    try:
        with open(path, encoding='utf-8', errors='replace') as file:
            return file.read()
    except OSError as error:
        return str(error)


def stacks(pid):
    command = read_text('/proc/%d/cmdline' % pid).replace('\0', ' ').strip()
    text = '=== %d: %s\n' % (pid, command)
    if shutil.which('gdb'):
        try:
            gdb = subprocess.run(
                ['gdb', '-p', str(pid), '-batch', '-nx', '-ex', 'thread apply all bt'],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                timeout=30, check=False)
            output = gdb.stdout.decode(errors='replace')
            if '#0' in output:
                return text + output
        except subprocess.TimeoutExpired:
            text += '(gdb did not answer)\n'
    for thread in sorted(os.listdir('/proc/%d/task' % pid) if os.path.isdir('/proc/%d/task' % pid) else []):
        base = '/proc/%d/task/%s/' % (pid, thread)
        text += 'thread %s: %s\n%s' % (thread, read_text(base + 'wchan'), read_text(base + 'stack'))
    return text


def kill_all(pids):
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass


# The kernel shares cores between sessions first: where that is allowed, the
# session of a run whose times matter goes before all others, so that its
# threads wake up on time though the machine has other work.
FIRST = ['sh', '-c', '{ echo -20 > /proc/self/autogroup; } 2>/dev/null; exec "$@"', 'sh']


@functools.cache
def stalls():
    return machine.Stalls()


def run(command, env, cwd, limit=LIMIT_S, first=False):
    """Runs to the end or the limit; output goes to files, so that a process
    that outlives its launcher cannot block the reader."""
    begin = time.monotonic()
    core_time = machine.CoreTime()
    stalls_before = stalls().totals_s()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen(FIRST + command if first else command, env=env, cwd=cwd,
                                 stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                 start_new_session=True)
        hang = ''
        try:
            child.wait(limit)
        except subprocess.TimeoutExpired:
            pids = processes_of(child.pid)
            hang = '\n'.join(stacks(pid) for pid in pids)
            kill_all(reversed(processes_of(child.pid) + pids))
            child.wait()
        out.seek(0)
        err.seek(0)
        return Result(command, child.returncode, out.read().decode(errors='replace'),
                      err.read().decode(errors='replace'), time.monotonic() - begin, hang,
                      foreign=core_time.foreign_share(), stalled_s=max(
                          b - a for a, b in zip(stalls_before, stalls().totals_s())))


def read_report(path):
    with open(path, encoding='utf-8') as file:
        return json.load(file)


def run_measured(configuration, mpi, ranks, threads, command, limit=LIMIT_S, library=True,
                 env=None, report='json', llvm_openmp=False, beside=''):
    """One run; with the library its run file is in result.report. The library
    brings LLVM's OpenMP runtime along for a program that has GCC's, and the
    library `beside`."""
    with tempfile.TemporaryDirectory(prefix='poprt-e2e-') as folder:
        path = os.path.join(folder, 'run.json')
        changes = {'OMP_NUM_THREADS': str(threads), 'OMP_WAIT_POLICY': 'passive',
                   # Two runs at a time must not share Open MPI's session folder.
                   'TMPDIR': folder}
        if mpi == 'mpich':  # yields nearly as often as Open MPI
            changes['MPIR_CVAR_POLLS_BEFORE_YIELD'] = '1'
        changes.update(env or {})
        if library:
            preload = configuration.library(mpi)
            if llvm_openmp:
                preload += ':' + configuration.llvm_openmp
            if beside:
                preload += ':' + beside
            changes.update(LD_PRELOAD=preload, POPRT_OUTPUT=path, POPRT_REPORT=report)
        core_each = threads == 1 and ranks <= os.cpu_count()
        result = run(configuration.launch(mpi, ranks, command, core_each), environment(**changes),
                     folder, limit, first=True)
        if os.path.exists(path):
            result.report = read_report(path)
        return result


class Runner:
    """Runs things ahead, in the order asked for: first, some at a time, those
    whose times do not matter; then the others, one by one: starting a job takes
    all cores, and whoever wakes up meanwhile is late."""

    def __init__(self):
        self._pools = {False: concurrent.futures.ThreadPoolExecutor(3),
                       True: concurrent.futures.ThreadPoolExecutor(1)}
        self._futures = {False: {}, True: {}}

    def ask(self, key, function, timed):
        self._futures[timed].setdefault(key, self._pools[timed].submit(
            self._alone if timed else function, *[function] * timed))

    def _alone(self, function):
        concurrent.futures.wait(list(self._futures[False].values()))
        return function()

    def get(self, key, timed):
        return self._futures[timed][key].result()
