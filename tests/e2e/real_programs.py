#!/usr/bin/env python3
"""Real programs under the library: LAMMPS, HPCC and Quantum ESPRESSO (Fortran) as
Debian packages them (Open MPI), and the bundled example under every MPI. Their results
are the same as without the library, and the report is plausible.

  real_programs.py --config CONFIG [unittest arguments]
"""

import os
import re
import shutil
import unittest

import harness

CONFIGURATION = None

# Lennard-Jones melt. The run is long enough to be more than start-up.
MELT = '''units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 16 0 16 0 16
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify every 20 delay 0 check no
fix 1 all nve
thermo 20
run 200
'''

HPL = '''HPLinpack benchmark input file
poprt end-to-end test
HPL.out      output file name (if any)
8            device out (6=stdout,7=stderr,file)
1            # of problems sizes (N)
1024         Ns
1            # of NBs
64           NBs
0            PMAP process mapping (0=Row-,1=Column-major)
1            # of process grids (P x Q)
1            Ps
2            Qs
16.0         threshold
1            # of panel fact
2            PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
4            NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
1            RFACTs (0=left, 1=Crout, 2=Right)
1            # of broadcast
1            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
1            # of lookahead depth
1            DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
##### This line (no. 32) is ignored (it serves as a separator). ######
0            Number of additional problem sizes for PTRANS
1200 10000 30000  values of N
0            number of additional blocking sizes for PTRANS
40 9 8 13 13 20 16 32 64   values of NB
'''

# Silicon, one atom off its place so that there are forces; two pools of k-points.
SILICON = '''&control
  calculation = 'scf', prefix = 'si', outdir = './out', tprnfor = .true., tstress = .true.
  pseudo_dir = '%s'
/
&system
  ibrav = 2, celldm(1) = 10.2, nat = 2, ntyp = 1, ecutwfc = 24.0
/
&electrons
  conv_thr = 1.0d-9
/
ATOMIC_SPECIES
 Si 28.086 Si.pz-vbc.UPF
ATOMIC_POSITIONS alat
 Si 0.00 0.00 0.00
 Si 0.25 0.25 0.27
K_POINTS automatic
 4 4 4 1 1 1
'''
POTENTIALS = '/usr/share/espresso/pseudo'


def lammps_results(text):
    """All that LAMMPS prints but the times it took."""
    kept = []
    for line in text.splitlines():
        if re.search(r'CPU|wall time|^Loop time|^Performance', line):
            continue
        if re.match(r'(Section|Pair|Neigh|Bond|Comm|Output|Modify|Other)\s*\|', line):
            continue
        kept.append(line)
    return kept


def hpcc_results(text):
    """HPCC's verdicts on its own results; the rest of its output is speeds."""
    kept = []
    for line in text.splitlines():
        if re.search(r'^Found \d+ errors|^\|\|Ax-b|^Success=|_Errors|^HPL_|^CommWorldProcs', line) \
                and not re.search(r'^HPL_(Tflops|time|.*eps)', line):
            kept.append(line)
        elif line.startswith('WALL'):  # of PTRANS; a CPU time of zero has no line
            kept.append(re.sub(r'\S+ (PASSED|FAILED).*', r'\1', line))  # a time before, speeds after
    return kept


def espresso_results(text):
    """All that pw.x prints but dates and times."""
    kept = [line for line in text.splitlines()
            if not re.search(r'cpu time|starts on|terminated on', line)]
    return [re.sub(r'[\d.ms ]+s (CPU|WALL)', '', line) for line in kept]


class RealProgram(harness.FolderTest):
    def run_both(self, mpi, ranks, threads, command, files=()):
        """Runs in a folder with `files` {name: content}, without and with the
        library; returns (result, folder) of both."""
        outcomes = []
        for library in (False, True):
            folder = os.path.join(self.base, 'with' if library else 'without')
            os.mkdir(folder)
            for name, content in files:
                with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
                    file.write(content)
            env = {'OMP_NUM_THREADS': str(threads), 'TMPDIR': self.base,
                   'OPENBLAS_NUM_THREADS': '1'}  # HPCC's: cores are few
            if library:
                env.update(LD_PRELOAD=CONFIGURATION.library(mpi), POPRT_MODEL='all',
                           POPRT_CALLS='on',
                           POPRT_OUTPUT='run.json')
            result = harness.run(CONFIGURATION.launch(mpi, ranks, command),
                                 harness.environment(**env), folder, limit=120)
            self.assertEqual((0, ''), (result.status, result.hang), result.describe())
            outcomes.append((result, folder))
        return outcomes

    def check_report(self, result, folder, ranks, threads):
        report = harness.read_report(os.path.join(folder, 'run.json'))
        self.assertEqual(0, report['quality']['lost_clocks'])
        self.assertEqual((ranks, ranks * threads),
                         (report['run']['ranks'], report['run']['threads']))
        region = report['regions'][0]
        seconds = region['elapsed_max_ns'] * 1e-9
        self.assertLess(seconds, result.seconds)
        self.assertGreater(seconds, 0.05 * result.seconds)
        efficiency = region['metrics']['pop']['parallel_efficiency']
        # HPCC mostly communicates, on cores that it may have to share.
        self.assertTrue(0.005 < efficiency <= 1, 'parallel efficiency is %s' % efficiency)
        self.assertIn('Parallel Efficiency', result.stderr)
        calls = [each for each in report['mpi_calls'] if each['region'] == 'Global']
        for key, total in (('time_ns', 'mpi_sum_ns'), ('waiting_ns', 'mpi_waiting_sum_ns')):
            self.assertEqual(region['accumulators'][total], sum(each[key] for each in calls), key)
        # Programs with GCC's OpenMP have none.
        constructs = [each for each in report['openmp_constructs'] if each['region'] == 'Global']
        self.assertEqual(region['accumulators']['omp_sum_ns'] if constructs else 0,
                         sum(each['time_ns'] for each in constructs))
        # No place is in a Fortran binding of MPI.
        self.assertEqual([], [each for each in calls if 'mpi_mpifh' in (each['module'] or '')])
        return report

    def lammps(self, ranks):
        if shutil.which('lmp') is None:
            self.skipTest('LAMMPS (package lammps) is not installed')
        if 'openmpi' not in CONFIGURATION.mpis:
            self.skipTest('not built for Open MPI, which the package uses')
        plain, measured = self.run_both('openmpi', ranks, 1, ['lmp', '-in', 'in.melt', '-log', 'none'],
                                        [('in.melt', MELT)])
        expected = lammps_results(plain[0].stdout)
        self.assertGreater(len(expected), 30, plain[0].describe())
        self.assertEqual(expected, lammps_results(measured[0].stdout))
        report = self.check_report(*measured, ranks, 1)
        # A melt is the same everywhere: no rank has much more work.
        self.assertGreater(report['regions'][0]['metrics']['pop']['load_balance'], 0.7)

    def test_lammps_on_2_ranks(self):
        self.lammps(2)

    def test_lammps_on_4_ranks(self):
        self.lammps(4)

    def espresso(self, ranks):
        if shutil.which('pw.x') is None or not os.path.isdir(POTENTIALS):
            self.skipTest('Quantum ESPRESSO (packages quantum-espresso, quantum-espresso-data) '
                          'is not installed')
        if 'openmpi' not in CONFIGURATION.mpis:
            self.skipTest('not built for Open MPI, which the package uses')
        plain, measured = self.run_both('openmpi', ranks, 1, ['pw.x', '-nk', '2', '-in', 'si.in'],
                                        [('si.in', SILICON % POTENTIALS)])
        expected = espresso_results(plain[0].stdout)
        self.assertIn('JOB DONE.', plain[0].stdout)
        self.assertIn('Total force =', plain[0].stdout)
        self.assertEqual(expected, espresso_results(measured[0].stdout))
        self.check_report(*measured, ranks, 1)

    def test_espresso_on_2_ranks(self):
        self.espresso(2)

    def test_espresso_on_4_ranks(self):
        self.espresso(4)

    def test_hpcc(self):
        if shutil.which('hpcc') is None:
            self.skipTest('HPCC (package hpcc) is not installed')
        if 'openmpi' not in CONFIGURATION.mpis:
            self.skipTest('not built for Open MPI, which the package uses')
        plain, measured = self.run_both('openmpi', 2, 1, ['hpcc'], [('hpccinf.txt', HPL)])
        results = []
        for result, folder in (plain, measured):
            with open(os.path.join(folder, 'hpccoutf.txt'), encoding='utf-8') as file:
                results.append(hpcc_results(file.read()))
            self.assertEqual('', result.stdout)
        self.assertGreater(len(results[0]), 20)
        self.assertIn('Success=1', results[0])
        self.assertEqual(results[0], results[1])
        self.check_report(*measured, 2, 1)

    def test_bundled_example(self):
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi=mpi):
                plain, measured = self.run_both(
                    mpi, 2, 2, [CONFIGURATION.program(mpi, 'example')])
                self.assertEqual(plain[0].stdout, measured[0].stdout)
                report = self.check_report(*measured, 2, 2)
                self.assertEqual({'Global', 'setup', 'solve', 'exchange'},
                                 {region['name'] for region in report['regions']})
                shutil.rmtree(os.path.join(self.base, 'with'))
                shutil.rmtree(os.path.join(self.base, 'without'))


if __name__ == '__main__':
    CONFIGURATION, argv = harness.command_line()
    unittest.main(argv=argv)
