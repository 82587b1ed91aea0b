#!/usr/bin/env python3
"""Types what README.md, docs/command.md, docs/gcc.md, docs/install.md and the man pages tell
users to type: it works, and the output is what they show.

  documents.py --config CONFIG [unittest arguments]
"""

import concurrent.futures
import glob
import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
import unittest

import harness
import newcomer

CONFIGURATION = None
# Commands that are not typed here, by their beginning, and the test that covers them.
ELSEWHERE = {
    'scripts/demo': 'builds everything anew',
    'scripts/build': 'likewise',
    'scripts/test': 'runs this',
    'mkdir -p /opt/poprt && tar': 'scripts/test-first-steps does it',
    'apt install': 'likewise',
    'cmake --install': 'comes before all of this',
    'cd build && cpack': 'check_install.py makes the package',
    'cmake -B build-static': 'check_build.py builds it',
    'cd build-static && cpack': 'check_install.py makes an archive',
}
SHAPES = {'1x2': 1, '2x2': 2, '4x2': 4}
PROGRAMS = re.compile(r'\b(hybrid|solver)\b')


def read(*path):
    with open(os.path.join(CONFIGURATION.source, *path), encoding='utf-8') as file:
        return file.read()


def lines_of_any_machine(report):
    """What does not depend on the machine, on the day, or on the measured numbers, as the
    light, the main finding and the notes do, which of the rows that are nearly 100 % share a line,
    which parts of the core time are too small for a bar, which region lost more than another, and
    the units of times."""
    text = re.sub(r'(?ms)^ Light .*?(?=^ Where )|^ Loss [^\n]*\n(?: {7}[^\n]*\n)*|'
                  r'^ (?:Note|Run file) .*|#+$', '', report)
    text = re.sub(r'(?m)^ +(?:OpenMP (?:Communication|Serialisation|Transfer|scheduling|not started)\b.*|'
                  r'all [-\d].*(?:\n {10,}\S.*)*)\n', '', text)
    text = re.sub(r'(?m)(^ Open MPI v.*\n)(?: .+\n)+', r'\1', text)
    text = re.sub(r'\b(setup|solve|exchange)\b', 'region', text)
    text = re.sub(r'\b[num]s\b', 's', text)
    return newcomer.lines_of(text, numbers=False)


def unroff(text):
    return re.sub(r'\\f[BIR]|\\&', '', text).replace('\\-', '-').replace('\\e', '\\')


def man_examples(page):
    section = page.split('.SH EXAMPLES\n')[1].split('.SH')[0]
    return [[(unroff(line), '')] for line in re.findall(r'^\.TP\n(.*)$', section, re.MULTILINE)]


class Documents(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        if shutil.which('cmake') is None:
            raise unittest.SkipTest('no cmake')
        temporary = tempfile.TemporaryDirectory(prefix='poprt-e2e-')
        cls.addClassCleanup(temporary.cleanup)
        cls.base = temporary.name
        cls.mpi = sorted(CONFIGURATION.mpis)[-1]  # Open MPI, which the documents show
        cls.prefix = os.path.join(cls.base, 'prefix')
        newcomer.install(CONFIGURATION, cls.prefix)
        cls.env = newcomer.environment(cls.prefix, cls.base)
        cls.example = CONFIGURATION.program(cls.mpi, 'example')
        cls.runs = {}
        cls.places = {}  # of each program; what is typed sees a copy
        cls.making = threading.Lock()
        for name, ranks in {**SHAPES, '4x4': 4}.items():
            line = 'OMP_NUM_THREADS=%s poprt run -o %s.json mpirun -n %d %s' % (
                name[-1], name, ranks, cls.example)
            newcomer.typed(newcomer.with_names_here(line, cls.mpi), cls.env, cls.base)
            with open(os.path.join(cls.base, name + '.json'), encoding='utf-8') as file:
                # What the documents say of them does not depend on who else works here.
                cls.runs[name] = harness.with_cores_for_all(json.load(file))
            if name == '4x2':
                told = subprocess.run([CONFIGURATION.command, 'report', '-'], check=True,
                                      input=json.dumps(cls.runs[name]), text=True,
                                      stdout=subprocess.PIPE)
                cls.report = told.stdout

    def put_run(self, folder, program, name, file=None):
        run = self.runs[name]
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, file or '%s-%s.poprt.json' % (program, name)), 'x',
                  encoding='utf-8') as out:
            json.dump({**run, 'run': {**run['run'], 'program': program}}, out)

    def make_place(self, program):
        """A folder with the programs and run files that the documents mention."""
        with self.making:
            if program not in self.places:
                self.places[program] = self.make_first_place(program)
        place = tempfile.mkdtemp(dir=self.base)
        shutil.copytree(self.places[program], place, symlinks=True, dirs_exist_ok=True)
        return place

    def make_first_place(self, program):
        place = tempfile.mkdtemp(dir=self.base)
        for name in ('app', 'hybrid', 'solver'):
            shutil.copy(self.example, os.path.join(place, name))
        with open(os.path.join(place, 'app.py'), 'w', encoding='utf-8') as file:
            file.write('from mpi4py import MPI\nMPI.COMM_WORLD.barrier()\n')
        self.put_run(place, program, '4x4')
        for name in SHAPES:
            for folder in ('', 'runs', 'before', 'after', 'release'):
                self.put_run(os.path.join(place, folder), program, name)
        for file in ('old.json', 'new.json'):
            self.put_run(place, program, '4x2', file)
        golden = os.path.join(CONFIGURATION.source, 'tests/golden')
        for file in ('talp_2x2.json', 'talp/lulesh/strong/talp_2x2.json'):
            os.makedirs(os.path.dirname(os.path.join(place, file)), exist_ok=True)
            shutil.copy(os.path.join(golden, 'talp/hybrid-3.7.json'), os.path.join(place, file))
        for folder in ('bt-io', 'mesh/old', 'mesh/new'):
            # Not copied: for a moment copies look like run files of a job that runs beside.
            os.symlink(os.path.join(golden, 'runs', folder),
                       os.path.join(place, os.path.basename(folder)))
        return place

    def here(self, line):
        """The line with the paths that exist here."""
        line = newcomer.with_names_here(line, self.mpi)
        library = os.path.join(self.prefix, 'lib/poprt', self.mpi, 'libpoprt.so')
        for path in ('/path/to/libpoprt.so', 'build/lib/openmpi/libpoprt.so'):
            line = line.replace(path, library)
        line = line.replace('/opt/poprt/lib/poprt/openmpi/libpoprt.so', library)
        return line.replace('/usr/lib/llvm-19/lib/libomp.so.5', CONFIGURATION.llvm_openmp)

    def mistakes(self, block):
        """Differences between the block and the output of its commands."""
        text = '\n'.join(line for line, _ in block)
        program = (PROGRAMS.findall(text) or ['app'])[0]
        if 'app.py' in text and subprocess.run(['/usr/bin/python3', '-c', 'import mpi4py'],
                                               stderr=subprocess.DEVNULL,
                                               check=False).returncode != 0:
            return []
        place = self.make_place(program)
        result = []
        for line, shown in block:
            if line.startswith(tuple(ELSEWHERE)):
                continue
            done = newcomer.typed(self.here(line), self.env, place)
            falls_short = done.status == 1 and line.startswith('poprt check')
            complaints = [each for each in done.stderr.splitlines()
                          if each.startswith('poprt: ') and 'measuring' not in each]
            if done.hang or complaints or not (done.status == 0 or falls_short):
                result.append(done.describe())
            is_measured = PROGRAMS.search(line)
            seen = newcomer.lines_of(done.stdout + done.stderr, numbers=not is_measured)
            missing = [each for each in newcomer.lines_of(shown, numbers=not is_measured)
                       if each not in seen]
            if missing:
                result.append('%s does not show %s\n%s' % (line, missing, done.describe()))
        return result

    def check(self, blocks):
        blocks = list(blocks)
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            results = list(pool.map(self.mistakes, blocks))
        self.assertEqual('', '\n'.join(text for result in results for text in result))
        return sum(len(block) for block in blocks)

    def test_readme(self):
        blocks = list(newcomer.blocks(read('README.md')))
        # first_minutes.py has the block that begins with PATH.
        self.assertGreater(self.check(block for block in blocks if block[0][0] and
                                      not block[0][0].startswith('export PATH=')), 3)
        ((_, report),) = (block[0] for block in blocks if not block[0][0])
        expected = lines_of_any_machine(report)
        self.assertEqual(expected, lines_of_any_machine(self.report)[-len(expected):])

    def test_command(self):
        self.assertGreater(self.check(newcomer.blocks(read('docs', 'command.md'))), 15)

    def test_gcc_and_install(self):
        for page in ('gcc.md', 'install.md'):
            self.assertGreater(self.check(newcomer.blocks(read('docs', page))), 0)

    def test_man_pages(self):
        folder = tempfile.mkdtemp(dir=self.base)
        subprocess.run([CONFIGURATION.command, 'man', folder], check=True)
        pages = sorted(glob.glob(os.path.join(folder, '*')))
        examples = []
        for page in pages:
            with open(page, encoding='utf-8') as file:
                found = man_examples(file.read())
            self.assertTrue(found, page)
            examples += found
        self.check(examples)


if __name__ == '__main__':
    CONFIGURATION, argv = harness.command_line()
    unittest.main(argv=argv)
