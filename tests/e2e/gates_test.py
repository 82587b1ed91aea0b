#!/usr/bin/env python3
"""Jobs at gates (gates.py): all begin when all have started, and all end when all have
worked, whatever happens to one of them."""

import subprocess
import tempfile
import time
import unittest

import gates

# Does at a gate what programs/beside.c does.
PASS = 'printf %.1s {0} > {1}/arrived; : < {1}/{0}; echo {0} >> {1}/log; '


class FakeJob:
    """Has the interface of harness.Job; writes down what it does at each gate."""

    def __init__(self, test, script, processes=1):
        folder = tempfile.TemporaryDirectory()
        test.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.gates = gates.Gates(self.folder, processes)
        test.addCleanup(self.gates.close)
        self._test = test
        self._script = script.format(folder=self.folder, start=PASS.format('start', self.folder),
                                     end=PASS.format('end', self.folder))

    def start(self):
        child = subprocess.Popen(['sh', '-c', self._script])
        self._child = child
        self._test.addCleanup(child.wait)
        self._test.addCleanup(child.kill)
        self.pidfd = gates.os.pidfd_open(child.pid)
        self._test.addCleanup(gates.os.close, self.pidfd)

    def begin(self):
        self.log('released')

    def log(self, line):
        with open(self.folder + '/log', 'a', encoding='utf-8') as file:
            file.write(line + '\n')

    def lines(self):
        self._child.wait()
        with open(self.folder + '/log', encoding='utf-8') as file:
            return file.read().split()


class Gates(unittest.TestCase):
    def test_waits_for_all(self):
        quick = FakeJob(self, '{start}{end}')
        slow = FakeJob(self, 'sleep 0.2; {start}sleep 0.2; echo worked >> {folder}/log; {end}')
        before = time.monotonic()
        gates.run_together([quick, slow], 30)
        self.assertGreaterEqual(time.monotonic() - before, 0.4)
        self.assertEqual(quick.lines(), ['released', 'start', 'end'])
        self.assertEqual(slow.lines(), ['released', 'start', 'worked', 'end'])

    def test_waits_for_each_process(self):
        two = FakeJob(self, '({start}{end})& sleep 0.2; echo second >> {folder}/log; {start}{end} wait', 2)
        gates.run_together([two], 30)
        self.assertEqual(two.lines(), ['second', 'released', 'start', 'start', 'end', 'end'])

    def test_one_that_ends(self):
        """No job waits for one that ends before a gate, has no gate, or fails."""
        jobs = [FakeJob(self, script) for script in ('{start}exit 3', 'exit 3', '{start}{end}')]
        gates.run_together(jobs, 30)
        self.assertEqual(jobs[0].lines(), ['released', 'start'])
        self.assertEqual(jobs[1].lines(), ['released'])
        self.assertEqual(jobs[2].lines(), ['released', 'start', 'end'])

    def test_one_that_hangs(self):
        hangs = FakeJob(self, '{start}exec sleep 600')
        other = FakeJob(self, '{start}{end}')
        gates.run_together([hangs, other], 0.5)
        self.assertEqual(other.lines(), ['released', 'start', 'end'])


if __name__ == '__main__':
    unittest.main()
