#!/usr/bin/env python3
"""Several hosts, which are namespaces of this one, with TCP between them and clocks that differ: the same
metrics as on one host. Skipped where such hosts cannot be made.

  check_hosts.py --config CONFIG [unittest arguments]
"""

import contextlib
import os
import sys
import tempfile
import unittest

import harness
import namespaces

CONFIGURATION = None
UNIT_US = '50000'
SHAPES = ['chain_barrier', 'bcast_late_root', 'reduce_early_root']
# No work is shorter than it says, and a process that waits for a core only makes paths longer. Without the clocks
# of another host a path lacks a unit of work, a quarter of it and more.
LEAST = 0.99


class Hosts(harness.FolderTest):
    def run_on(self, hosts, mpi, each, shape, **more):
        """The run file of a job."""
        path = os.path.join(self.base, 'run.json')
        if os.path.exists(path):
            os.remove(path)
        command = ['env', 'LD_PRELOAD=' + CONFIGURATION.library(mpi), CONFIGURATION.program(mpi, 'mpi_shapes'),
                   shape, UNIT_US]
        if mpi == 'mpich':
            more['MPIR_CVAR_POLLS_BEFORE_YIELD'] = '1'
        job = harness.Job(hosts.launch(CONFIGURATION, mpi, each, command), harness.environment(
            TMPDIR=self.base, POPRT_REPORT='json', POPRT_OUTPUT=path, TEST_CONNECTED='1', **more), self.base, first=True)
        job.start()
        if mpi == 'mpich':
            # With TCP, MPICH 4.0's MPI_Finalize hangs in one of five runs, without the library too. The run file
            # is there before.
            self.assertTrue(harness.comes_true(lambda: os.path.exists(path)), 'no run file')
            result = job.stop()
        else:
            result = job.finish(harness.LIMIT_S)
            self.assertTrue(result.is_good(), result.describe())
        job.check_run_files()
        return harness.read_report(path), result

    def test_as_on_one_host(self):
        with made(2) as hosts:
            for mpi in CONFIGURATION.mpis:
                for shape in SHAPES:
                    with self.subTest(mpi=mpi, shape=shape):
                        self.check_as_on_one_host(hosts, mpi, shape)

    def check_as_on_one_host(self, hosts, mpi, shape):
        one = harness.run_measured(CONFIGURATION, mpi, 4, 1, [
            CONFIGURATION.program(mpi, 'mpi_shapes'), shape, UNIT_US], own_time=True)
        self.assertTrue(one.is_good(), one.describe())
        report, result = self.run_on(hosts, mpi, 2, shape)
        self.assertEqual(hosts.names, [host['name'] for host in report['run']['hosts']])
        self.assertEqual((0, 0), tuple(report['quality'][key] for key in ('lost_clocks', 'closure_error_ns')))
        clocks = report['regions'][0]['clocks']
        for name, least in one.report['regions'][0]['clocks'].items():
            if least is not None:
                self.assertGreaterEqual(clocks[name], LEAST * least, '%s\n%s' % (name, result.describe()))

    def test_load_balance_in_and_between_hosts(self):
        """The ranks' work grows from 2 to 8 units; two ranks to a host."""
        for count in (2, 4):
            works = [2 + 6 * i / (2 * count - 1) for i in range(2 * count)]
            with made(count) as hosts:
                for mpi in CONFIGURATION.mpis:
                    with self.subTest(mpi=mpi, hosts=count):
                        report, result = self.run_on(hosts, mpi, 2, 'rank_imbalance', POPRT_ROWS='process')
                        self.assertEqual(hosts.names, [host['name'] for host in report['run']['hosts']])
                        region = report['regions'][0]
                        useful = region['rows']['outside_mpi_ns']
                        for rank, (work, ns) in enumerate(zip(works, useful)):
                            self.assertGreaterEqual(ns, LEAST * work * int(UNIT_US) * 1e3,
                                                    'rank %d\n%s' % (rank, result.describe()))
                        of_hosts = [sum(useful[i:i + 2]) for i in range(0, 2 * count, 2)]
                        talp = region['metrics']['talp']
                        self.assertAlmostEqual(sum(of_hosts) / count / max(of_hosts), talp['mpi_load_balance_out'])
                        self.assertAlmostEqual(max(of_hosts) / 2 / max(useful),
                                               talp['mpi_load_balance_in'])


@contextlib.contextmanager
def made(count):
    with tempfile.TemporaryDirectory(prefix='poprt-hosts-') as folder:
        hosts = namespaces.Hosts(folder, count)
        try:
            yield hosts
        finally:
            hosts.close()


if __name__ == '__main__':
    CONFIGURATION, arguments = harness.command_line()
    try:
        with made(2):
            pass
    except namespaces.Unavailable as error:
        print('skipped: %s' % error)
        sys.exit(77)
    unittest.main(argv=arguments)
