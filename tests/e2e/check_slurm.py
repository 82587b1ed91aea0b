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
UNIT_US = '50000'
# What Debian's MPIs speak.
PMI = {'openmpi': 'pmix', 'mpich': 'pmi2'}


class Slurm(harness.FolderTest):
    def go(self, command, **changes):
        return harness.run(command, harness.environment(TMPDIR=self.base, **CLUSTER.environment, **changes),
                           self.base)

    def srun(self, mpi, command):
        return ['srun', '--mpi=' + PMI[mpi], '-n', '2'] + command

    def shape(self, mpi):
        return [CONFIGURATION.program(mpi, 'mpi_shapes'), 'rank_imbalance', UNIT_US]

    def report(self):
        (path,) = glob.glob(os.path.join(self.base, '*.json'))
        report = harness.read_report(path)
        os.remove(path)
        return report

    def check(self, report, job=None):
        """Rank 0 works for twice as long as rank 1."""
        run = report['run']
        self.assertEqual((2, 1), (run['ranks'], len(run['hosts'])))
        self.assertEqual('Slurm', run['job']['system'])
        if job is not None:
            self.assertEqual(job, run['job']['id'])
        return report['regions'][0]['metrics']['pop']['load_balance']

    def balance_under_mpirun(self, mpi):
        reference = harness.run_measured(CONFIGURATION, mpi, 2, 1, self.shape(mpi)).report
        return reference['regions'][0]['metrics']['pop']['load_balance']

    def test_srun(self):
        """Preloaded by hand, and by the command in front of srun and behind it: as under mpirun."""
        for mpi in CONFIGURATION.mpis:
            expected = self.balance_under_mpirun(mpi)
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
                    self.assertAlmostEqual(expected, self.check(self.report()), delta=0.15)

    def test_two_nodes(self):
        """A rank on each node, which hear of each other by Slurm."""
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi=mpi):
                expected = self.balance_under_mpirun(mpi)
                result = self.go([CONFIGURATION.command, 'run', 'srun', '--mpi=' + PMI[mpi], '-p', 'both', '-N', '2',
                                  '-n', '2', *self.shape(mpi)], POPRT_REPORT='text,json')
                # Where nodes share a host, Open MPI 4.1.4's MPI_Finalize crashes over TCP in about one of
                # twenty runs of any program whose ranks communicate at once, without the library too. The
                # report is there before.
                crashed = mpi == 'openmpi' and 'mca_btl_tcp_finalize' in result.stderr
                self.assertTrue(result.is_good() or crashed and not result.hang, result.describe())
                report = self.report()
                self.assertAlmostEqual(expected, self.check(report), delta=0.15)
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
        end = time.monotonic() + harness.LIMIT_S
        while self.state(job) not in wanted:
            self.assertLess(time.monotonic(), end, self.state(job))
            time.sleep(0.1)

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
                    end = time.monotonic() + 20
                    while running('rank_imbalance\0' + '20000000'):
                        self.assertLess(time.monotonic(), end, self.output())
                        time.sleep(0.1)


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
