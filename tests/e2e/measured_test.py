"""What tests have in common that run a small program under each library, with and
without MPI, and look into its run file."""

import harness

RANKS = 2


class MeasuredTest(harness.FolderTest):
    def measure(self, mpi, program, *arguments, **more):
        """The run file of the program, with the ranks of everywhere() and two threads;
        `more` is for harness.run_measured(). How it ended is in self.result."""
        configuration = harness.CONFIGURATION
        self.result = harness.run_measured(
            configuration, mpi, 1 if mpi == 'none' else RANKS, 2,
            [configuration.program(mpi, program), *arguments], **more)
        self.assertTrue(self.result.status == 0 and not self.result.hang, self.result.describe())
        self.assertIsNotNone(self.result.report, self.result.describe())
        return self.result.report

    def region(self, report, name='Global'):
        return next(each for each in report['regions'] if each['name'] == name)

    def everywhere(self):
        """(MPI, ranks), each as a subtest."""
        for mpi in ['none'] + list(harness.CONFIGURATION.mpis):
            with self.subTest(mpi=mpi):
                yield mpi, 1 if mpi == 'none' else RANKS
