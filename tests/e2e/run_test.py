"""What the tests of `poprt run` have in common."""

import glob
import os
import shutil
import subprocess

import harness

SHORT_US = '1000'


class RunTest(harness.FolderTest):
    def go(self, command, status=0, **env):
        for path in glob.glob(os.path.join(self.base, '*.json')):
            os.remove(path)
        env = {'OMP_NUM_THREADS': '2', 'TMPDIR': self.base, **env}
        result = harness.run(command, harness.environment(**env), self.base)
        self.assertEqual((status, ''), (result.status, result.hang), result.describe())
        return result

    def positions(self, mpi, program, options=()):
        """Runs the program on two ranks with poprt in front of the launcher, and behind
        it."""
        poprt = [harness.CONFIGURATION.command, 'run', *options]
        yield poprt + ['--'] + harness.CONFIGURATION.launch(mpi, 2, program)
        yield harness.CONFIGURATION.launch(mpi, 2, poprt + program)

    def lines(self, result):
        return [line for line in result.stderr.splitlines() if line.startswith('poprt: ')]

    def report(self, result):
        files = glob.glob(os.path.join(self.base, '*.json'))
        self.assertEqual(1, len(files), result.describe())
        return harness.read_report(files[0])

    def compile(self, name, *options, source='int main(void) { return 7; }\n', compiler=None):
        compiler = compiler or shutil.which('cc')
        if compiler is None:
            self.skipTest('no cc')
        path = os.path.join(self.base, name)
        subprocess.run([compiler, '-x', 'c', '-', '-o', path, *options], input=source.encode(),
                       check=True)
        return path
