"""Jobs that run beside each other without disturbing each other: all start,
then all work, then all end. Their processes wait at gates (programs/beside.c)."""

import os
import select
import time

import machine

# Jobs begin to work one after the other, so that their threads do not all wake
# up at the same moments.
APART_S = 0.005


class Gates:
    """The gates of one job: named pipes in a folder. A process that arrives at a gate
    writes the gate's first letter into `arrived` and waits until somebody has opened
    the gate for writing."""

    def __init__(self, folder, processes):
        self.folder, self.processes = folder, processes
        self._arrived = {b's': 0, b'e': 0}
        self._open = []
        for name in ('arrived', 'start', 'end'):
            os.mkfifo(os.path.join(folder, name))
        # Open for reading and writing, so that opening it never waits for another
        # process.
        self._pipe = os.open(os.path.join(folder, 'arrived'), os.O_RDWR | os.O_NONBLOCK)

    def fileno(self):
        return self._pipe

    def read(self):
        for letter in os.read(self._pipe, 4096):
            self._arrived[bytes([letter])] += 1

    def all_at(self, gate):
        return self._arrived[gate[:1].encode()] >= self.processes

    def open(self, gate):
        self._open.append(os.open(os.path.join(self.folder, gate), os.O_RDWR))

    def close(self):
        for descriptor in [self._pipe] + self._open:
            os.close(descriptor)


def wait_until(jobs, arrived, limit):
    """Waits until each of the jobs has ended or arrived(job), or the time is over."""
    patience = machine.Patience(limit)
    poll = select.poll()
    ended = {}
    for job in jobs:
        poll.register(job.gates, select.POLLIN)
        ended[job.pidfd] = False
        poll.register(job.pidfd, select.POLLIN)
    readers = {job.gates.fileno(): job.gates for job in jobs}
    while not all(ended[job.pidfd] or arrived(job) for job in jobs):
        if patience.left_s() <= 0:
            return
        for descriptor, _ in poll.poll(1e3 * patience.step_s()):
            if descriptor in readers:
                readers[descriptor].read()
            else:
                ended[descriptor] = True
                poll.unregister(descriptor)


def run_together(jobs, limit):
    """Runs the jobs, which have `gates` and start(). At the gates 'start' and 'end'
    each job waits until all others have arrived or ended. Takes at most `limit` seconds
    each."""
    for job in jobs:
        job.start()
    wait_until(jobs, lambda job: job.gates.all_at('start'), limit)
    for job in jobs:
        job.begin()
        job.gates.open('start')
        time.sleep(APART_S)
    wait_until(jobs, lambda job: job.gates.all_at('end'), limit)
    for job in jobs:
        job.gates.open('end')
