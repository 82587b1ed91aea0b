#!/usr/bin/env python3
"""What else may be in a program's process: other tools of MPI's profiling interface,
other OpenMP runtimes, plugins that come late and go, other allocators, Python's
multiprocessing. The program's output is as without poprt, and what can be measured is.

  check_neighbours.py --config CONFIG [unittest arguments]
"""

import ctypes.util
import glob
import os
import subprocess
import unittest

import harness
from library_test import SHORT_US, ProgramTest, each_mpi

CONFIGURATION = None
PYTHON = '/usr/bin/python3'  # the one that Debian's mpi4py is for

# Each rank has a pool of two processes of its own, before and after a message.
POOLS = '''
import multiprocessing
import sys

def square(x):
    return x * x

def main():
    from mpi4py import MPI
    world = MPI.COMM_WORLD
    for method in sys.argv[1:]:
        world.barrier()
        with multiprocessing.get_context(method).Pool(2) as pool:
            squares = pool.map(square, range(10))
        # One rank prints: a launcher may mix what two print at a time.
        sums = world.gather(world.allreduce(sum(squares)))
        if sums:
            print(method, *sums)

if __name__ == '__main__':
    main()
'''


class NeighbourTest(ProgramTest):
    def run_file(self, folder):
        (name,) = [n for n in os.listdir(folder) if n.endswith('.json')]
        return harness.read_report(os.path.join(folder, name))

    def same(self, name, command, preload, plain_preload=None, **env):
        """(result with poprt, its run file or None) of a command that prints the same without it."""
        results = []
        folders = [os.path.join(self.base, name + end) for end in ('-plain', '-measured')]
        for folder, libraries in zip(folders, (plain_preload, preload)):
            os.makedirs(folder)
            results.append(harness.run(command, harness.environment(
                LD_PRELOAD=libraries, TMPDIR=self.base, OMP_NUM_THREADS='2', **env), folder))
        plain, result = results
        self.assert_fine(plain)
        self.assert_fine(result)
        self.assertEqual(sorted(plain.stdout.splitlines()), sorted(result.stdout.splitlines()),
                         result.describe())
        return result, (self.run_file(folders[1]) if os.listdir(folders[1]) else None)


class OtherTools(NeighbourTest):
    """The first tool in the order of loading gets the program's calls, and calls PMPI. (In
    front of poprt both see all: check_run.py.)"""

    @each_mpi
    def test_behind_poprt_it_is_not_called(self, mpi):
        """poprt calls PMPI, which is MPI's own. The program does not notice."""
        tool = CONFIGURATION.program(mpi, 'libcounting_tool.so')
        command = CONFIGURATION.launch(mpi, 2, [
            CONFIGURATION.program(mpi, 'mpi_shapes'), 'balanced', SHORT_US])
        result, report = self.same(mpi, command, ':'.join((CONFIGURATION.library(mpi), tool)))
        self.assertNotIn('tool: ', result.stdout)
        self.assertEqual(2, report['run']['ranks'])


class Accelerators(NeighbourTest):
    def test_no_loss_is_named_where_one_may_be_used(self):
        """What a program opens counts; what only a plugin of MPI has does not."""
        for mpi in CONFIGURATION.mpis:
            for name in ('libcuda.so.1', 'hwloc_cuda.so'):
                with self.subTest(mpi=mpi, name=name):
                    folder = os.path.join(self.base, mpi + name)
                    os.makedirs(folder)
                    path = os.path.join(folder, 'libcuda.so.1')
                    compiler = ['cc', '-shared', '-fPIC', '-x', 'c', '/dev/null']
                    subprocess.run([*compiler, '-Wl,-soname,libcuda.so.1', '-o', path], check=True)
                    opened = os.path.join(folder, name)
                    if opened != path:
                        subprocess.run([*compiler, '-o', opened, '-Wl,--no-as-needed', '-x', 'none', path,
                                        '-Wl,-rpath,' + folder], check=True)
                    command = CONFIGURATION.launch(mpi, 2, [
                        CONFIGURATION.program(mpi, 'mpi_shapes'), 'rank_imbalance', '20000'])
                    result = harness.run(command, harness.environment(
                        LD_PRELOAD=':'.join((CONFIGURATION.library(mpi), opened)), TMPDIR=self.base), folder)
                    self.assert_fine(result)
                    is_programs = name == 'libcuda.so.1'
                    (run_file,) = glob.glob(os.path.join(folder, '*.poprt.json'))
                    text = harness.report_of_cores_for_all(CONFIGURATION, harness.read_report(run_file))
                    self.assertEqual(is_programs, 'The largest loss' not in text, result.describe())
                    self.assertEqual(is_programs, 'No loss is named' in text, result.describe())


class OpenMpRuntimes(NeighbourTest):
    def plugin(self, runtime):
        stays = '+' * runtime.startswith('+')
        path = stays + os.path.join(CONFIGURATION.programs, 'libplugin_%s.so' % runtime.lstrip('+'))
        if not os.path.exists(path.lstrip('+')):
            self.skipTest('not built: ' + path)
        return path

    def go_alone(self, name, program, plugins):
        command = [os.path.join(CONFIGURATION.programs, program), *map(self.plugin, plugins)]
        return self.same(name, command, CONFIGURATION.omp_library)

    def test_a_plugin_that_comes_late_and_goes(self):
        """With its runtime; twice."""
        _, report = self.go_alone('late', 'neighbours', ['llvm', 'llvm'])
        self.assertIn('LLVM', report['run']['openmp']['runtime'])
        self.assertGreater(sum(row['visits'] for row in report['parallel_regions']), 0)
        self.assertEqual(0, report['quality']['closure_error_ns'])

    def test_of_gccs_runtime_in_a_program_without_openmp(self):
        """It stays: GCC's runtime cannot be unloaded while it has threads."""
        result, report = self.go_alone('late-gcc', 'neighbours', ['+gcc', '+gcc'])
        self.assertIsNone(report)
        self.assertIn("GCC's OpenMP runtime tells tools nothing", result.stderr)

    def test_a_program_of_gccs_runtime_with_a_plugin_of_llvms(self):
        """Both work; only one can be measured."""
        result, report = self.go_alone('both', 'neighbours_gcc', ['llvm'])
        self.assertIn('LLVM', report['run']['openmp']['runtime'])
        self.assertIn("GCC's OpenMP runtime tells tools nothing", ' '.join(report['quality']['notes']),
                      result.describe())

    def test_a_program_of_llvms_runtime_with_a_plugin_of_gccs(self):
        """LLVM's runtime has GCC's names and is first: it serves both."""
        _, report = self.go_alone('other', 'neighbours_llvm', ['+gcc', 'llvm'])
        self.assertIn('LLVM', report['run']['openmp']['runtime'])
        self.assertEqual(0, report['quality']['closure_error_ns'])
        modules = {os.path.basename(row['module'] or '') for row in report['parallel_regions']}
        self.assertIn('libplugin_gcc.so', modules)


class Allocators(NeighbourTest):
    def test_before_and_after_poprt(self):
        found = {name: ctypes.util.find_library(name) for name in ('jemalloc', 'tcmalloc_minimal')}
        for name, library in found.items():
            if library is None:
                self.skipTest('not installed: lib' + name)
            for mpi in ('none', *CONFIGURATION.mpis):
                program = ('hybrid_shapes', 'regions') if mpi == 'none' else ('mpi_shapes', 'ring_waitall')
                command = CONFIGURATION.launch(mpi, 2, [CONFIGURATION.program(mpi, program[0]),
                                                        program[1], SHORT_US])
                own = CONFIGURATION.library(mpi)
                for i, preload in enumerate(([library, own], [own, library])):
                    with self.subTest(allocator=name, mpi=mpi, preload=preload):
                        _, report = self.same('%s-%s-%d' % (name, mpi, i), command,
                                              ':'.join(preload), library)
                        self.assertEqual(0, report['quality']['closure_error_ns'])


class Multiprocessing(NeighbourTest):
    def test_pools_of_each_kind(self):
        asked = subprocess.run([PYTHON, '-c', 'from mpi4py import MPI; print(MPI.get_vendor()[0])'],
                               env=harness.environment(), stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, check=False)
        mpi = {'Open MPI': 'openmpi', 'MPICH': 'mpich'}.get(asked.stdout.decode().strip())
        if mpi not in CONFIGURATION.mpis:
            self.skipTest('no mpi4py of an MPI that poprt is built for')
        script = os.path.join(self.base, 'script')
        with open(script, 'w', encoding='utf-8') as file:
            file.write(POOLS)
        command = CONFIGURATION.launch(mpi, 2, [PYTHON, script, 'fork', 'spawn', 'forkserver'])
        result, report = self.same('pools', command, CONFIGURATION.library(mpi), POPRT_REPORT='json')
        self.assertEqual(2, report['run']['ranks'])
        self.assertEqual([], report['quality']['notes'], result.describe())
        self.assertEqual(3, result.stdout.count(' 570 570'), result.describe())


if __name__ == '__main__':
    CONFIGURATION, argv = harness.command_line()
    unittest.main(argv=argv)
