"""Runs programs under each MPI, with and without the library.

Every run has a time limit. If one hangs, the test fails with the stacks of all its
processes in the message, and they are killed. No run is repeated because of its result.

Every run file that a run leaves is held to the rules of invariants.py, and its report to
those of screen.py. A script whose run files break one fails at its end, whatever else it says.
"""

import argparse
import atexit
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

import invariants
import machine
import screen

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
from noted import expect_noted, expect_not_noted, is_noted

LIMIT_S = 600
# The harness itself uses about this share of the cores, and one tick of the kernel's clock
# is 1 % of a short run on two cores.
USUAL = 0.02
# The kernel's time of a file may be this much earlier than the clock's.
COARSE_CLOCK_NS = 10_000_000
MOST_SENTENCES = 20  # about one run file
# That of the test script, once it has called command_line().
CONFIGURATION = None


class RunFiles:
    """The run files that this script's runs have left."""

    def __init__(self):
        self.checked = 0
        self.broken = []  # texts about those that break rules

    def check(self, command, folders, since_ns):
        """Checks those below the folders that were written since."""
        found = {}
        for folder in folders:
            found.update(invariants.run_files(folder, since_ns))
        self.checked += len(found)
        for path, report in found.items():
            sentences = invariants.violations(report)
            if not sentences and CONFIGURATION:
                sentences = screen.contradictions_of_file(CONFIGURATION.command, path)
            if sentences:
                self.broken.append('\n  '.join(
                    ['%s of $ %s' % (os.path.basename(path), ' '.join(command))]
                    + sentences[:MOST_SENTENCES]))

    def close(self):
        """At the end of the script. run_files_test.py adds the numbers of all scripts."""
        path = os.environ.get('TEST_RUN_FILES')
        if path:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'w', encoding='utf-8') as file:
                file.write('%d\n' % self.checked)
        if self.broken:
            sys.stdout.flush()
            print('run files that break rules of invariants.py or screen.py:', *self.broken, sep='\n',
                  file=sys.stderr, flush=True)
            os._exit(1)  # the exit status is decided already otherwise


RUN_FILES = RunFiles()
atexit.register(RUN_FILES.close)


class FolderTest(unittest.TestCase):
    """Each test has an empty folder of its own: `base`."""
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix='poprt-e2e-')
        self.addCleanup(temporary.cleanup)
        self.addCleanup(machine.remove_left_registrations)
        self.base = temporary.name


def command_line():
    """The command line of a test script: (configuration, argv of unittest)."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument('--config', required=True)
    known, rest = parser.parse_known_args()
    global CONFIGURATION
    CONFIGURATION = Configuration(known.config)
    return CONFIGURATION, [sys.argv[0]] + rest


class Configuration:
    """What CMake knows: the launchers, libraries and programs."""

    def __init__(self, path):
        with open(path, encoding='utf-8') as file:
            data = json.load(file)
        self.mpis = data['mpis']          # {mpi: {'run': launcher, 'library': path, 'functions': path, 'fortran': bool}}
        self.command = data['command']    # the program poprt
        self.omp_library = data['omp_library']
        self.abi_library = data['abi_library']  # for MPI's standard ABI
        self.llvm_openmp = data['llvm_openmp']  # LLVM's OpenMP runtime
        self.gcc_languages = data['gcc_languages']  # of programs with GCC's OpenMP
        self.programs = data['programs']  # folder; the MPI's programs are in folder/<mpi>
        self.examples = data['examples']  # likewise
        self.source = data['source']
        machine.remove_left_registrations()
        stalls()  # before there are threads: it forks

    def library(self, mpi):
        return self.omp_library if mpi == 'none' else self.mpis[mpi]['library']

    def has_function(self, mpi, name):
        """Whether this MPI's mpi.h declares the function."""
        return ('#define POPRT_HAS_%s 1\n' % name) in read_text(self.mpis[mpi]['functions'])

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

    def virtual_clock(self, mpi):
        """The library with which a program's time is the test's own. Without clock_keeper()
        waiting threads of MPICH sleep now and then, and nothing else changes."""
        return os.path.join(self.programs, '' if mpi == 'none' else mpi, 'libvirtual_clock.so')

    def clock_keeper(self):
        return os.path.join(self.programs, 'clock_keeper')

    def fake_papi(self):
        """The folder of the stand-in for libpapi, which exists where PAPI's header does."""
        return os.path.join(self.programs, 'fake_papi')

    def other_host(self):
        """The library under which ranks believe to be on several hosts."""
        return os.path.join(self.programs, 'libother_host.so')

    def launch(self, mpi, ranks, command, core_each=False):
        """The command line that starts `ranks` processes of `command`, each on a core
        of its own if that suits the program."""
        if mpi == 'none':
            return command
        line = [self.mpis[mpi]['run'], '-n', str(ranks)]
        if mpi == 'openmpi':
            # Waiting ranks yield, so that sleeping ranks wake up on time even with few
            # cores.
            line += ['--oversubscribe', '--bind-to', 'none', '--mca', 'mpi_yield_when_idle', '1']
            # The transport for a single node. Open MPI chooses it by itself, but spends
            # half of its start on the search for networks.
            line += ['--mca', 'pml', 'ob1']
        elif core_each:
            # Without binding, two spinning ranks may share a core beside an idle one
            # for several time slices of the scheduler, 10 ms and more; this was seen in
            # one of 70 runs.
            line += ['-bind-to', 'core']
        return line + command


def environment(**changes):
    """The caller's environment, less what would steer a run, plus `changes`."""
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(('POPRT', 'OMP_', 'KMP_')) and k != 'LD_PRELOAD'}
    # Open MPI runs as root (containers) only if two variables allow it.
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
    # For how long cores stood still, machine and all, or a program waited for the disk. A
    # path may meet all of it, one core after the other.
    stalled_s: float = 0.0

    def beside(self):
        """What other programs may add to a share of the run's time."""
        return max(0.0, self.foreign - USUAL)

    def is_good(self):
        return not self.hang and self.status == 0

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


def end_alike(mpi, one, other):
    """Whether two runs of a job whose processes do not all come to the end of MPI_Finalize
    ended alike, by the exit statuses of the launcher.

    MPICH's launcher then ends the other processes, by SIGHUP, SIGTERM or SIGKILL. When one
    of them is slow to end, the job's status is that process's, or has the bits of both."""
    if one == other or mpi != 'mpich':
        return one == other
    ends = (signal.SIGHUP, signal.SIGTERM, signal.SIGKILL)
    return any(b in (a | end, end) for a, b in ((one, other), (other, one)) for end in ends)


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


def comes_within(limit, wait):
    """Whether `wait(seconds)`, which may raise subprocess.TimeoutExpired, returns."""
    patience = machine.Patience(limit)
    while True:
        try:
            wait(patience.step_s())
            return True
        except subprocess.TimeoutExpired:
            if patience.left_s() <= 0:
                return False


def comes_true(condition, limit=LIMIT_S):
    """Whether condition() does, asked again and again."""
    patience = machine.Patience(limit)
    while not condition():
        if patience.left_s() <= 0:
            return False
        time.sleep(0.05)
    return True


# The kernel shares cores between sessions first. Where permitted, the session of a
# timed run has priority over all others, so that its threads wake up on time on a busy
# machine.
FIRST = ['sh', '-c', '{ echo -20 > /proc/self/autogroup; } 2>/dev/null; exec "$@"', 'sh']


@functools.cache
def stalls():
    return machine.Stalls()


def stalled_s():
    """On all cores until now."""
    return sum(stalls().totals_s()) + machine.blocked_s()


class Job:
    """A command that runs. Its output goes to files, so that a process that
    outlives its launcher cannot block the reader."""

    def __init__(self, command, env, cwd, first=False):
        self.command, self.env, self.cwd, self.first = command, env, cwd, first

    def start(self):
        self._out, self._err = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        self._since_ns = time.time_ns() - COARSE_CLOCK_NS
        # The kernel accounts for a child's CPU time all at once, when the child has
        # ended.
        self._core_time = machine.CoreTime()
        # The child may have run for a while before this process gets a core again.
        self._begin = time.monotonic()
        self._stalled_s = stalled_s()
        self._child = subprocess.Popen(
            FIRST + self.command if self.first else self.command, env=self.env, cwd=self.cwd,
            stdin=subprocess.DEVNULL, stdout=self._out, stderr=self._err, start_new_session=True)

    def finish(self, limit):
        """Waits at most `limit` seconds (machine.Patience); returns the result."""
        hang = ''
        if not comes_within(limit, lambda step_s: self._child.wait(step_s)):
            pids = processes_of(self._child.pid)
            hang = '\n'.join(stacks(pid) for pid in pids)
            kill_all(reversed(processes_of(self._child.pid) + pids))
            self._child.wait()
        texts = []
        for file in (self._out, self._err):
            file.seek(0)
            texts.append(file.read().decode(errors='replace'))
            file.close()
        return Result(self.command, self._child.returncode, *texts, time.monotonic() - self._begin,
                      hang)

    def stop(self):
        """Ends it now; returns the result so far."""
        kill_all(reversed(processes_of(self._child.pid)))
        return self.finish(LIMIT_S)

    def check_run_files(self):
        """When it has ended."""
        folders = {self.cwd, self.env.get('TMPDIR', self.cwd),
                   os.path.dirname(os.path.join(self.cwd, self.env.get('POPRT_OUTPUT', '')))}
        RUN_FILES.check(self.command, folders, self._since_ns)

    def disturbances(self):
        """The fields of a result that describe disturbances until now."""
        return {'foreign': self._core_time.foreign_share(),
                'stalled_s': stalled_s() - self._stalled_s}


def run(command, env, cwd, limit=LIMIT_S, first=False):
    """Runs to the end or the limit."""
    job = Job(command, env, cwd, first)
    job.start()
    result = dataclasses.replace(job.finish(limit), **job.disturbances())
    job.check_run_files()
    return result


def read_report(path):
    with open(path, encoding='utf-8') as file:
        return json.load(file)


def core_ns(report):
    """The time of all threads' cores, in ns: the base of the shares that poprt judges."""
    whole = report['regions'][0]['accumulators']
    return whole['threads'] * whole['all_ns']


def with_cores_for_all(run):
    """The run as if no thread had waited for a core: how long they do depends on what else the
    machine does, and with it the light."""
    run['run']['resources']['waited_for_core_sum_ns'] = 0
    return run


def give_cores_to_all(folder):
    """Changes the run files in the folder so."""
    for name in os.listdir(folder):
        if name.endswith('.json'):
            path = os.path.join(folder, name)
            run = with_cores_for_all(read_report(path))
            with open(path, 'w', encoding='utf-8') as file:
                json.dump(run, file)


def report_of_cores_for_all(configuration, run, *options):
    """What poprt reports of the run as if no thread had waited for a core, in one line."""
    run = with_cores_for_all(run)
    told = subprocess.run([configuration.command, 'report', '-', *options], check=True,
                          input=json.dumps(run).encode(), stdout=subprocess.PIPE)
    return ' '.join(told.stdout.decode().split())


@dataclasses.dataclass
class Measurement:
    """A job to run, with or without the library. The library is accompanied by LLVM's
    OpenMP runtime if the program uses GCC's, and by the library `beside`."""
    configuration: Configuration
    mpi: str
    ranks: int
    threads: int
    command: list
    library: bool = True
    env: dict = dataclasses.field(default_factory=dict)
    report: str = 'json'
    llvm_openmp: bool = False
    beside: str = ''
    # Its time is the test's own (programs/virtual_clock.c): the program's sleep takes as
    # long as it says, and everything else no time at all.
    own_time: bool = False

    def job(self, folder):
        """In an empty folder."""
        changes = {'OMP_NUM_THREADS': str(self.threads), 'OMP_WAIT_POLICY': 'passive',
                   # Two runs at a time must not share Open MPI's session folder.
                   'TMPDIR': folder}
        if self.mpi == 'mpich':  # yields nearly as often as Open MPI
            changes['MPIR_CVAR_POLLS_BEFORE_YIELD'] = '1'
        changes.update(self.env)
        libraries = []
        if self.library:
            libraries.append(self.configuration.library(self.mpi))
            changes.update(POPRT_OUTPUT=os.path.join(folder, 'run.json'), POPRT_REPORT=self.report)
            if self.llvm_openmp:
                libraries.append(self.configuration.llvm_openmp)
        if self.beside:
            libraries.append(self.beside)
        command = self.command
        if self.own_time:
            libraries.append(self.configuration.virtual_clock(self.mpi))
            page = os.path.join(folder, 'clock')
            # It is the time of the program itself, not of what starts it.
            command = ['env', 'TEST_CLOCK=' + page] + command
        if libraries:
            changes['LD_PRELOAD'] = ':'.join(libraries)
        core_each = self.threads == 1 and self.ranks <= os.cpu_count()
        command = self.configuration.launch(self.mpi, self.ranks, command, core_each)
        if self.own_time:
            command = [self.configuration.clock_keeper(), page] + command
        return Job(command, environment(**changes), folder, first=not self.own_time)

    def run(self, limit=LIMIT_S):
        with tempfile.TemporaryDirectory(prefix='poprt-e2e-') as folder:
            job = self.job(folder)
            job.start()
            result = dataclasses.replace(job.finish(limit), **job.disturbances())
            job.check_run_files()
            return self.add_report(result, folder)

    def add_report(self, result, folder):
        path = os.path.join(folder, 'run.json')
        if os.path.exists(path):
            result.report = read_report(path)
        return result


def run_measured(configuration, mpi, ranks, threads, command, limit=LIMIT_S, library=True,
                 env=None, **rest):
    """One run: see Measurement; with the library its run file is in result.report."""
    return Measurement(configuration, mpi, ranks, threads, command, library, env or {}, **rest).run(limit)


def run_all(measurements, limit=LIMIT_S):
    """The results of measurements of programs whose time is the test's own: some run at
    the same time."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() + 1) as pool:
        return list(pool.map(lambda measurement: measurement.run(limit), measurements))
