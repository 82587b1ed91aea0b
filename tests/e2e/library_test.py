"""What the tests of the preloaded library itself have in common."""

import functools
import os
import unittest

import harness

SHORT_US = '1000'


def each_mpi(test):
    """A test of (self, mpi), once for each MPI."""
    @functools.wraps(test)
    def run(self):
        for mpi in harness.CONFIGURATION.mpis:
            with self.subTest(mpi=mpi):
                test(self, mpi)
    return run


class LibraryTest(unittest.TestCase):
    maxDiff = None


class ProgramTest(harness.FolderTest, LibraryTest):
    """Runs a short program of two ranks in a folder of its own."""

    def folder(self, mpi):
        path = os.path.join(self.base, mpi)
        os.makedirs(path, exist_ok=True)
        return path

    def go(self, mpi, program='mpi_shapes', arguments=('balanced', SHORT_US), ranks=2,
           library=True, launched=True, **env):
        command = [harness.CONFIGURATION.program(mpi, program), *arguments]
        if launched:
            command = harness.CONFIGURATION.launch(mpi, ranks, command)
        if library:
            env.setdefault('LD_PRELOAD', harness.CONFIGURATION.library(mpi))
        env.setdefault('OMP_NUM_THREADS', '2')
        return harness.run(command, harness.environment(TMPDIR=self.base, **env), self.folder(mpi))

    def files(self, mpi):
        return sorted(os.listdir(self.folder(mpi)))

    def assert_fine(self, result, status=0):
        self.assertEqual((status, ''), (result.status, result.hang), result.describe())

    def balanced_output(self, result):
        self.assertEqual(['rank 0 of 2: 1', 'rank 1 of 2: 1'],
                         sorted(result.stdout.splitlines()), result.describe())
