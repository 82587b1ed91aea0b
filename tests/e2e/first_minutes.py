#!/usr/bin/env python3
"""The first five minutes of a new user who follows README.md: install, doctor, the
example, its report, a second run, their scaling, an export; with each MPI, in an empty
home, and without access to the sources and the build.

  first_minutes.py --config CONFIG [unittest arguments]
"""

import glob
import json
import os
import shlex
import shutil
import subprocess
import unittest

import harness
import newcomer

CONFIGURATION = None
NEXT = '-- typed: '  # in front of each line in the output
# Hides folders from the command after "--".
HIDDEN = ['sh', '-c', 'while [ "$1" != -- ]; do mount -t tmpfs hidden "$1"; shift; done; '
                      'shift; exec "$@"', 'sh']


def namespace():
    """A command that may hide folders here, or None: it needs root's privileges."""
    for command in (['unshare', '-m'], ['unshare', '-r', '-m']):
        if shutil.which('unshare') and subprocess.run(
                command + HIDDEN + ['/mnt', '--', 'true'], stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, check=False).returncode == 0:
            return command
    return None


class FirstMinutes(harness.FolderTest):
    def lines(self):
        with open(os.path.join(CONFIGURATION.source, 'README.md'), encoding='utf-8') as file:
            section = file.read().split('\n## The first five minutes\n')[1].split('\n## ')[0]
        (block,) = newcomer.blocks(section)
        return [line for line, _ in block]

    def follow(self, mpi, prefix, home):
        """What each line shows."""
        # A laptop with two cores has to do; Open MPI is not told to take more.
        env = {name: value for name, value in newcomer.environment(prefix, home).items()
               if not name.startswith('OMPI_MCA_')}
        script = 'set -e\ncd\n'
        for line in self.lines():
            line = newcomer.with_names_here(line.replace('/opt/poprt', prefix), mpi)
            script += 'echo %s\n%s\n' % (shlex.quote(NEXT + line), line)
        hide = namespace()
        command = ['bash', '-c', 'exec 2>&1\n' + script]
        if hide:
            # The build may lie in the sources, which are hidden last.
            command = [*hide, *HIDDEN, os.path.dirname(CONFIGURATION.examples),
                       CONFIGURATION.source, '--', *command]
        else:
            print('no right to hide the sources: they could be used')
        result = harness.run(command, env, home)
        self.assertEqual((0, ''), (result.status, result.hang), result.describe())
        shown = [part.partition('\n')[2] for part in result.stdout.split(NEXT)[1:]]
        self.assertEqual(len(self.lines()), len(shown), result.describe())
        return shown

    def check(self, mpi):
        prefix, home = os.path.join(self.base, 'prefix'), os.path.join(self.base, 'home')
        os.mkdir(home)
        newcomer.install(CONFIGURATION, prefix)
        _, doctor, compiler, run, loss, explain, smaller, scale, export = self.follow(
            mpi, prefix, home)
        name = 'Open MPI' if mpi == 'openmpi' else 'MPICH'
        self.assertRegex(doctor, r'\n   try %s +2 ranks x 2 threads ran the example;' % name)
        self.assertEqual('', compiler)
        self.assertIn('poprt: measuring MPI (%s) and OpenMP' % name, run)
        self.assertIn('2 ranks x 2 threads = 4 cores', run)
        self.assertRegex(run, r'Main finding .*\n')
        self.assertIn('MPI Load Balance', loss)
        self.assertIn('hybrid-2x2.poprt.json, region Global', explain)
        self.assertEqual(1, smaller.count(' Run file '), smaller)
        self.assertRegex(scale, r'\n +1x2 +2x2\n')
        self.assertIn('strong: the same command line', scale)
        files = sorted(glob.glob(os.path.join(home, 'talp/hybrid/poprt/*')))
        self.assertEqual(['talp_1x2.json', 'talp_2x2.json'],
                         [os.path.basename(file) for file in files])
        self.assertEqual(2, export.count('.json'), export)
        self.check_figures(os.path.join(home, 'hybrid-2x2.poprt.json'), files[1])

    def check_figures(self, run_file, talp_file):
        """The results of the example: of 4 cores x 1.25 s 2.683 s are useful."""
        with open(run_file, encoding='utf-8') as file:
            run = json.load(file)['regions'][0]
        with open(talp_file, encoding='utf-8') as file:
            talp = json.load(file)['Application']['Global']
        # Sleeps are never too short; how much longer the waits beside them are depends on the machine.
        times = run['accumulators']
        self.assertGreaterEqual(times['useful_sum_ns'], 2.68e9)
        self.assertGreater(times['mpi_sum_ns'], 0)
        self.assertAlmostEqual(times['useful_sum_ns'] / (times['threads'] * times['all_ns']),
                               run['metrics']['pop']['parallel_efficiency'], places=6)
        self.assertAlmostEqual(run['metrics']['talp']['parallel_efficiency'],
                               talp['parallelEfficiency'], delta=0.01)

    def test_open_mpi(self):
        self.check_if_there('openmpi')

    def test_mpich(self):
        self.check_if_there('mpich')

    def check_if_there(self, mpi):
        if mpi not in CONFIGURATION.mpis or shutil.which('cmake') is None:
            self.skipTest('no %s, or no cmake' % mpi)
        self.check(mpi)


if __name__ == '__main__':
    CONFIGURATION, argv = harness.command_line()
    unittest.main(argv=argv)
