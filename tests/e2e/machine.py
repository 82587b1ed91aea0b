"""What disturbs a run: other programs, a virtual machine that stands still, pages that
have to come from the disk, and what ended programs have left behind."""

import glob
import multiprocessing
import os
import resource
import threading
import time


def remove_left_registrations():
    """LLVM's OpenMP runtime registers each process in a file of shared memory, whose name
    has the process's number. If a process is ended before the file has its length, which
    a limit for the size of files does, it stays behind empty, and the next program with
    the same number is ended by SIGBUS, whatever it is."""
    for path in glob.glob('/dev/shm/__KMP_REGISTERED_LIB_*'):
        try:
            number = int(path.split('_')[-2])
            if not os.path.exists('/proc/%d' % number):
                os.unlink(path)
        except (ValueError, OSError):
            pass  # of another name, or gone, or another user's


class CoreTime:
    """Who used the cores: this process's children, or others."""

    def __init__(self):
        self.begin = self._now()

    @staticmethod
    def _now():
        try:
            with open('/proc/stat', encoding='utf-8') as file:
                fields = [int(n) for n in file.readline().split()[1:9]]
        except OSError:
            return 0, 0, 0
        idle = fields[3] + fields[4]
        own = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (sum(fields), sum(fields) - idle,
                (own.ru_utime + own.ru_stime) * os.sysconf('SC_CLK_TCK'))

    def foreign_share(self):
        everything, busy, own = (b - a for a, b in zip(self.begin, self._now()))
        return max(0.0, busy - own) / everything if everything else 0.0


def blocked_s():
    """For how long some program could not go on until now, because it waited for the disk
    or for memory: a page of a library that the kernel has dropped is read again. Nothing
    where the kernel does not say so (PSI, pressure stall information)."""
    total_us = 0
    for resource_name in ('io', 'memory'):
        try:
            with open('/proc/pressure/' + resource_name, encoding='utf-8') as file:
                total_us += int(file.readline().rpartition('total=')[2])
        except (OSError, ValueError):
            pass
    return total_us * 1e-6


class Patience:
    """How long a hang is waited for: longer where more threads want to run than there are
    cores, in which case each gets its share only."""
    STEP_S = 1.0
    MOST_TIMES = 5

    def __init__(self, limit_s):
        self._left_s = limit_s
        self._seen = time.monotonic()

    def left_s(self):
        """Asked at least every STEP_S. 0 or less: it is over."""
        now = time.monotonic()
        wanted = self._runnable() / os.cpu_count()
        self._left_s -= (now - self._seen) / min(max(1.0, wanted), self.MOST_TIMES)
        self._seen = now
        return self._left_s

    def step_s(self):
        return max(0.0, min(self.STEP_S, self.left_s()))

    @staticmethod
    def _runnable():
        try:
            with open('/proc/loadavg', encoding='utf-8') as file:
                return int(file.read().split()[3].partition('/')[0])
        except (OSError, ValueError, IndexError):
            return 0


class Stalls:
    """For how long cores stood still. The core of a virtual machine may stop for tens
    of milliseconds; then everything on it is late, although no program used it.

    Starts a process with a thread on each core that sleeps and measures how late it
    wakes up. The threads have priority over all programs if that is permitted. If not,
    they are as late as the threads of the test programs, which have no priority either.
    """
    PERIOD_S = 0.002
    LATE_S = 0.0005

    def __init__(self):
        context = multiprocessing.get_context('fork')
        cores = sorted(os.sched_getaffinity(0))
        self._totals = context.RawArray('d', len(cores))
        self._watcher = context.Process(target=self._watch_all, args=(cores,), daemon=True)
        self._watcher.start()

    def totals_s(self):
        """For each core, an upper bound of how long it has stood still until now."""
        return list(self._totals)

    def _watch_all(self, cores):
        for number, core in enumerate(cores):
            threading.Thread(target=self._watch, args=(number, core)).start()

    def _watch(self, number, core):
        try:  # 0 is the calling thread
            os.sched_setaffinity(0, [core])
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        except OSError:
            pass
        while True:
            before = time.monotonic()
            time.sleep(self.PERIOD_S)
            elapsed = time.monotonic() - before
            if elapsed > self.PERIOD_S + self.LATE_S:
                self._totals[number] += elapsed
