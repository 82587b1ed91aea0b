#!/usr/bin/env python3
"""Jobs of Slurm, in a cluster of the test's own: started by srun with each MPI's way, from
a job script, cancelled. Skipped where there is no Slurm.

  check_slurm.py --config CONFIG [unittest arguments]
"""

import glob
import os
import sys
import tempfile
import time
import unittest

import harness
import slurm_cluster

CONFIGURATION = None
CLUSTER = None
UNIT_NS = 50_000_000
# What Debian's MPIs speak.
PMI = {'openmpi': 'pmix', 'mpich': 'pmi2'}


class Slurm(harness.FolderTest):
    def go(self, command, **changes):
        return harness.run(command, harness.environment(TMPDIR=self.base, **CLUSTER.environment, **changes),
                           self.base)

    def srun(self, mpi, command):
        return ['srun', '--mpi=' + PMI[mpi], '-n', '2'] + command

    def shape(self, mpi):
        return [CONFIGURATION.program(mpi, 'mpi_shapes'), 'rank_imbalance', str(UNIT_NS // 1000)]

    def report(self):
        (path,) = glob.glob(os.path.join(self.base, '*.json'))
        report = harness.read_report(path)
        os.remove(path)
        return report

    def check(self, report, job=None):
        """Rank 0 works for 2 units, rank 1 for 8: none of it is lost, however busy the machine is."""
        run = report['run']
        region = report['regions'][0]
        self.assertGreaterEqual(region['accumulators']['useful_sum_ns'], 10 * UNIT_NS)
        self.assertGreaterEqual(region['accumulators']['useful_max_ns'], 8 * UNIT_NS)
        self.assertGreater(region['accumulators']['mpi_sum_ns'], 0)
        self.assertLess(region['metrics']['pop']['load_balance'], 1)
        self.assertEqual((2, 1), (run['ranks'], len(run['hosts'])))
        self.assertEqual('Slurm', run['job']['system'])
        if job is not None:
            self.assertEqual(job, run['job']['id'])

    def test_srun(self):
        """Preloaded by hand, and by the command in front of srun and behind it."""
        for mpi in CONFIGURATION.mpis:
            plain = self.go(self.srun(mpi, self.shape(mpi)))
            self.assertTrue(plain.is_good(), plain.describe())
            poprt = [CONFIGURATION.command, 'run']
            for command in (self.srun(mpi, ['env', 'LD_PRELOAD=' + CONFIGURATION.library(mpi)] + self.shape(mpi)),
                            poprt + self.srun(mpi, self.shape(mpi)),
                            self.srun(mpi, poprt + self.shape(mpi))):
                with self.subTest(mpi=mpi, command=command):
                    result = self.go(command, POPRT_REPORT='text,json')
                    self.assertTrue(result.is_good(), result.describe())
                    self.assertEqual(sorted(plain.stdout.split('\n')), sorted(result.stdout.split('\n')))
                    self.check(self.report())

    def test_two_nodes(self):
        """A rank on each node, which hear of each other by Slurm."""
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi=mpi):
                result = self.go([CONFIGURATION.command, 'run', 'srun', '--mpi=' + PMI[mpi], '-p', 'both', '-N', '2',
                                  '-n', '2', *self.shape(mpi)], POPRT_REPORT='text,json')
                # Where nodes share a host, Open MPI 4.1.4's MPI_Finalize crashes over TCP in about one of
                # twenty runs of any program whose ranks communicate at once, without the library too. The
                # report is there before.
                crashed = mpi == 'openmpi' and 'mca_btl_tcp_finalize' in result.stderr
                self.assertTrue(result.is_good() or crashed and not result.hang, result.describe())
                report = self.report()
                self.check(report)
                self.assertEqual('2', report['run']['job']['nodes'])
                self.assertEqual('1(x2)', report['run']['job']['cpus_on_nodes'])

    def submit(self, lines, before=()):
        path = os.path.join(self.base, 'job.sh')
        with open(path, 'w', encoding='utf-8') as file:
            file.write('\n'.join(['#!/bin/sh'] + lines) + '\n')
        result = self.go([*before, 'sbatch', '--parsable', '-n', '2', '-o', 'out', path])
        self.assertTrue(result.is_good(), result.describe())
        self.assertNotIn('no report', result.stderr)
        return result.stdout.strip()

    def state(self, job):
        return CLUSTER.say('squeue', '-h', '-t', 'all', '-o', '%T', '-j', job)

    def await_state(self, job, *wanted):
        self.assertTrue(harness.comes_true(lambda: self.state(job) in wanted), self.state(job))

    def output(self):
        return harness.read_text(os.path.join(self.base, 'out'))

    def test_job_script(self):
        """Launched by srun, and by the MPI's own launcher inside of the allocation."""
        for mpi in CONFIGURATION.mpis:
            for launch in (self.srun(mpi, self.shape(mpi)), CONFIGURATION.launch(mpi, 2, self.shape(mpi))):
                with self.subTest(mpi=mpi, launch=launch):
                    job = self.submit(['exec ' + ' '.join([CONFIGURATION.command, 'run'] + launch)])
                    self.await_state(job, 'COMPLETED')
                    self.assertIn('Slurm job ' + job, self.output())
                    self.check(self.report(), job)

    def test_submitted(self):
        """`poprt run sbatch`: what the job starts is measured, with the library of its MPI."""
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi=mpi):
                job = self.submit([' '.join(self.srun(mpi, self.shape(mpi)))], [CONFIGURATION.command, 'run'])
                self.await_state(job, 'COMPLETED')
                self.assertIn('Slurm job ' + job, self.output())
                self.check(self.report(), job)

    def test_cancelled(self):
        """The job ends as without the library, and nothing of it is left."""
        for mpi in CONFIGURATION.mpis:
            for words in ([], [CONFIGURATION.command, 'run']):
                with self.subTest(mpi=mpi, words=words):
                    program = [CONFIGURATION.program(mpi, 'mpi_shapes'), 'rank_imbalance', '20000000']
                    job = self.submit(['exec ' + ' '.join(words + self.srun(mpi, program))])
                    self.await_state(job, 'RUNNING')
                    time.sleep(1)
                    CLUSTER.say('scancel', job)
                    self.await_state(job, 'CANCELLED')
                    left = lambda: running('rank_imbalance\0' + '20000000')
                    self.assertTrue(harness.comes_true(lambda: not left()), self.output())


def running(words):
    """The processes with these words in their command line."""
    return [pid for pid in os.listdir('/proc') if pid.isdigit()
            and words in harness.read_text('/proc/%s/cmdline' % pid)]


if __name__ == '__main__':
    CONFIGURATION, arguments = harness.command_line()
    with tempfile.TemporaryDirectory(prefix='poprt-slurm-') as folder:
        try:
            CLUSTER = slurm_cluster.Cluster(folder)
        except slurm_cluster.Unavailable as error:
            print('skipped: %s' % error)
            sys.exit(77)
        try:
            ended = unittest.main(argv=arguments, exit=False)
        finally:
            CLUSTER.close()
    sys.exit(not ended.result.wasSuccessful())
