#!/usr/bin/env python3
"""Counters through the libpapi and the kernel of this machine.

A processor in a virtual machine often shows no counters. So libpfm is told that
there is one (LIBPFM_FORCE_PMU), and a library that is preloaded into the program
(programs/software_events.c) has the kernel count CPU time for cycles and page
faults for instructions. Of both the program knows itself how much there was
(programs/timed_shapes.c).

  check_papi.py --config CONFIG [unittest arguments]
"""

import collections
import ctypes
import os
import platform
import subprocess
import sys
import unittest

import harness
from measured_test import MeasuredTest

CONFIGURATION = None
SKIPPED = 77  # for ctest

CYCLES, INSTRUCTIONS = 'PAPI_TOT_CYC', 'PAPI_TOT_INS'
# Of a region's CPU time, which the program reads from the same kernel. What is left out
# or added is a few microseconds at each event of the program, of which there are a dozen
# in 80 ms, and what an interrupt takes.
CPU_TOLERANCE = 0.02
# Page faults in a region that are not the program's own: a thread's stack.
STRAY_FAULTS = 4


def why_not():
    """What is missing on this machine, or nothing."""
    if platform.machine() != 'x86_64':
        return 'the processor that libpfm is told of is one of x86-64'
    for version in ('7.2', '7.1', '7.0', '7', '6.0', '6'):
        try:
            ctypes.CDLL('libpapi.so.' + version)
            break
        except OSError:
            pass
    else:
        return 'no libpapi of version 6 or newer'
    # perf_event_attr of the first version: CPU time of this thread, in user mode.
    size = 64
    attribute = (ctypes.c_uint64 * (size // 8))()
    attribute[0] = 1 | size << 32     # type: software, size
    attribute[1] = 1                  # config: task clock
    attribute[5] = 1 << 5 | 1 << 6    # not in the kernel, not in a hypervisor
    libc = ctypes.CDLL(None, use_errno=True)
    file = libc.syscall(298, attribute, 0, -1, -1, 0)
    if file < 0:
        return 'the kernel lets us count nothing: ' + os.strerror(ctypes.get_errno())
    os.close(file)
    return ''


class Papi(MeasuredTest):
    def run_counting(self, mpi, counters='default', program='timed_shapes', **more):
        env = {'POPRT_COUNTERS': counters, 'POPRT_ROWS': 'process', 'LIBPFM_FORCE_PMU': 'skx'}
        return self.measure(
            mpi, program, env=env,
            beside=os.path.join(CONFIGURATION.programs, 'libsoftware_events.so'), **more)

    def tolerance_ns(self, cpu_ns):
        return CPU_TOLERANCE * cpu_ns + 1e9 * self.result.stalled_s

    def own_account(self):
        """What the program says: {region: {rank: [CPU time in ns, pages]}}."""
        account = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0]))
        for line in self.result.stdout.splitlines():
            rank, region, _, cpu_ns, pages = line.split()
            for name in (region, 'Global'):
                own = account[name][int(rank)]
                own[0] += int(cpu_ns)
                own[1] += int(pages)
        return account

    def test_regions_and_processes(self):
        """The CPU time and the pages of each process in each region. Sleep counts nothing, and
        what the program does inside of MPI (100 ms, 300 pages) is not counted."""
        for mpi, ranks in self.everywhere():
            report = self.run_counting(mpi)
            self.assertEqual([], report['quality']['notes'])
            account = self.own_account()
            self.assertEqual(ranks, len(account['Global']))
            for name in ('solve', 'late'):
                rows = self.region(report, name)['rows']['counters']
                for rank, (cpu_ns, pages) in account[name].items():
                    where = '%s of rank %d\n%s' % (name, rank, self.result.describe())
                    self.assertAlmostEqual(cpu_ns, rows[CYCLES][rank], msg=where,
                                           delta=self.tolerance_ns(cpu_ns))
                    self.assertLessEqual(pages, rows[INSTRUCTIONS][rank], where)
                    self.assertLessEqual(rows[INSTRUCTIONS][rank], pages + STRAY_FAULTS, where)
                sums = self.region(report, name)['accumulators']['counters']
                self.assertEqual(sum(rows[CYCLES]), sums[CYCLES])
            # With what is outside of the named regions: the program's start, and its printing.
            rows = self.region(report, 'Global')['rows']['counters']
            for rank, (cpu_ns, pages) in account['Global'].items():
                self.assertGreater(rows[CYCLES][rank], cpu_ns - self.tolerance_ns(cpu_ns))
                self.assertLess(rows[CYCLES][rank], cpu_ns + 50e6 + self.tolerance_ns(cpu_ns),
                                self.result.describe())
                self.assertGreaterEqual(rows[INSTRUCTIONS][rank], pages)
                self.assertLess(rows[INSTRUCTIONS][rank], pages + 250, self.result.describe())

    def counted(self, report, name='solve'):
        return self.region(report, name)['accumulators']['counters']

    def test_more_events_than_counters(self):
        """Four at a time: the fifth is refused, or all of them take turns."""
        many = 'default,PAPI_BR_MSP,PAPI_LD_INS,PAPI_SR_INS'
        report = self.run_counting('none', many)
        notes = ' '.join(report['quality']['notes'])
        self.assertIn('PAPI_SR_INS (the processor has no counter left for it', notes)
        self.assertNotIn('PAPI_LD_INS (', notes)
        self.assertIn('PAPI_LD_INS', self.counted(report))
        self.assertNotIn('PAPI_SR_INS', self.counted(report))
        for counters in (many + ',multiplex', 'default,multiplex'):
            report = self.run_counting('none', counters)
            self.assertNotIn('refuses', ' '.join(report['quality']['notes']))
            # Software events need no counter, so that each of them counts all the time.
            cpu_ns, pages = self.own_account()['solve'][0]
            counts = self.counted(report)
            self.assertEqual('SR_INS' in counters, 'PAPI_SR_INS' in counts)
            self.assertAlmostEqual(cpu_ns, counts[CYCLES], delta=self.tolerance_ns(cpu_ns))
            self.assertLessEqual(abs(counts[INSTRUCTIONS] - pages), STRAY_FAULTS)

    def test_refused(self):
        """In PAPI's words."""
        report = self.run_counting('none', 'UOPS_ISSUED:ANY,PAPI_L2_DCM,NO_SUCH_EVENT')
        notes = ' '.join(report['quality']['notes'])
        self.assertIn('PAPI_L2_DCM (Event does not exist)', notes)
        self.assertIn('NO_SUCH_EVENT (', notes)
        self.assertEqual(['UOPS_ISSUED:ANY', 'useful_ns'], sorted(self.counted(report)))

    def test_doctor(self):
        """It says what to do with counters that there are."""
        env = harness.environment(LIBPFM_FORCE_PMU='skx', LD_PRELOAD=os.path.join(
            CONFIGURATION.programs, 'libsoftware_events.so'))
        done = subprocess.run([CONFIGURATION.command, 'doctor'], env=env, cwd=self.base, text=True,
                              capture_output=True, timeout=60, check=False)
        self.assertIn('poprt run --counters=default counts instructions and cycles',
                      ' '.join(done.stdout.split()))


def main():
    missing = why_not()
    if missing:
        print('not run: ' + missing)
        return SKIPPED
    return 0 if unittest.main(argv=ARGUMENTS, exit=False).result.wasSuccessful() else 1


if __name__ == '__main__':
    CONFIGURATION, ARGUMENTS = harness.command_line()
    sys.exit(main())
