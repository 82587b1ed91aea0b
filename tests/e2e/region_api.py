#!/usr/bin/env python3
"""The API around regions, in each language under each MPI, and the examples of
docs/regions.md.

  region_api.py --config CONFIG [unittest arguments]
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import harness

CONFIGURATION = None
UNIT_US = 50000
TOLERANCE = 1e-6
SHORT_US = '1000'


def cases():
    return sorted(CONFIGURATION.mpis)


class RegionTest(unittest.TestCase):
    maxDiff = None

    def go(self, mpi, command, ranks=2, library=True, **env):
        # Python's sleep is by the machine's time; examples of the documents do not sleep.
        self.own_time = library and command[0].startswith(CONFIGURATION.programs)
        result = harness.run_measured(CONFIGURATION, mpi, ranks, 1, command, library=library, env=env,
                                      report=env.get('POPRT_REPORT', 'json'), own_time=self.own_time)
        self.assertEqual((0, ''), (result.status, result.hang), result.describe())
        if library:
            self.assertIsNotNone(result.report, result.describe())
        return result

    def program(self, mpi, name='region_api', unit_us=UNIT_US):
        return [CONFIGURATION.program(mpi, name), str(unit_us)]

    def regions(self, result):
        return {region['name']: region for region in result.report['regions']}

    def assert_units(self, units, ns, result):
        """Checks for a time of this many units. The machine's sleeps are never too short, and may
        be as late as the run was long."""
        expected = units * UNIT_US * 1000
        least, most = expected, expected
        if not self.own_time:
            least, most = 0.99 * expected, 1e9 * result.seconds
        self.assertTrue(least <= ns <= most, f'{expected} {ns} {result.describe()}')

    def assert_close(self, expected, value, result):
        if self.own_time:
            self.assertAlmostEqual(expected, value, delta=TOLERANCE, msg=result.describe())

    def check_hot_and_solve(self, result, ranks):
        regions = self.regions(result)
        hot = regions['hot']
        self.assertEqual((10 * ranks, 10, ranks),
                         (hot['visits'], hot['visits_max'], hot['processes']))
        self.assert_units(5, hot['elapsed_max_ns'], result)
        self.assertEqual(hot['accumulators']['useful_sum_ns'],
                         hot['accumulators']['elapsed_weighted_ns'])
        solve = regions['solve']
        self.assertEqual((ranks, 1), (solve['visits'], solve['visits_max']))
        longest = 4 if ranks > 1 else 2
        together = 2 + 4 * (ranks - 1)
        self.assert_units(longest, solve['clocks']['all_ns'], result)
        self.assert_units(together, solve['accumulators']['useful_sum_ns'], result)
        self.assert_close(together / (longest * ranks),
                          solve['metrics']['pop']['load_balance'], result)
        return regions

    def check_misuse(self, result):
        quality = result.report['quality']
        self.assertEqual([0] * 5 + [[]], [quality[key] for key in (
            'regions_dropped', 'stops_without_start', 'starts_without_stop', 'shared_starts',
            'metadata_dropped', 'notes')])


class Programs(RegionTest):
    def lines(self, result):
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        return sorted(lines, key=lambda line: line['rank'])

    def test_regions_of_handles_scopes_and_functions(self):
        for mpi in cases():
            for ranks in (1, 2, 3):
                with self.subTest(mpi=mpi, ranks=ranks):
                    result = self.go(mpi, self.program(mpi), ranks)
                    regions = self.check_hot_and_solve(result, ranks)
                    self.assertEqual({'Global', 'hot', 'solve', 'scope', 'collective'},
                                     set(regions))
                    self.assertEqual((1, 1), (regions['scope']['processes'],
                                              regions['scope']['visits']))
                    self.assert_units(1, regions['scope']['elapsed_max_ns'], result)
                    self.check_misuse(result)
                    self.check_metadata(result, ranks)
                    self.check_metrics(result, ranks, regions)
                    self.check_collective(result, ranks, regions['collective'])

    def check_metadata(self, result, ranks):
        expected = {'mesh': '512', 'rank': 'first 0'}
        if ranks > 1:
            expected['of rank 1'] = 'x'
        self.assertEqual(expected, result.report['run']['metadata'])

    def check_metrics(self, result, ranks, regions):
        lines = self.lines(result)
        self.assertEqual(list(range(ranks)), [line['rank'] for line in lines])
        for rank, line in enumerate(lines):
            self.assertEqual(result.report['tool']['version'], line['version'])
            process = line['process']
            self.assertEqual((1, 1, 1), (process['processes'], process['threads'],
                                         process['visits']))
            self.assertEqual(1, process['load_balance'])
            self.assert_units(2 if rank == 0 else 4, process['useful_sum_ns'], result)
            self.assert_units(4 if ranks > 1 else 2, process['all_ns'], result)
            # All processes have the same figures, which are those of the run file.
            self.assertEqual(lines[0]['job'], line['job'])
            self.assertIsNone(line['nobody'])
            self.assertEqual((1, 1), (line['scope']['processes'], line['scope']['visits']))
        solve = regions['solve']
        for key, value in lines[0]['job'].items():
            known = {**solve['accumulators'], **solve['metrics']['critical_path']}[key]
            self.assertEqual(known, value, key)

    def check_collective(self, result, ranks, region):
        """pop_region_metrics_job() between the work of rank 0 and of the others."""
        if ranks == 1:
            return
        self.assert_units(4, region['clocks']['all_ns'], result)
        self.assert_units(4, region['clocks']['cue_ns'], result)
        self.assert_close(1, region['metrics']['pop']['transfer_efficiency'], result)
        self.assert_close(0.5, region['metrics']['pop']['serialisation_efficiency'], result)
        self.assert_units(2 * ranks, region['accumulators']['useful_sum_ns'], result)
        self.assert_units(2 * ranks, region['accumulators']['mpi_sum_ns'], result)

    def test_metrics_of_openmp(self):
        result = self.go('none', self.program('none', 'region_api_openmp'), OMP_NUM_THREADS='2')
        solve = self.regions(result)['solve']
        known = {**solve['accumulators'], **solve['metrics']['critical_path']}
        got = json.loads(result.stdout)
        self.assertEqual({key: known[key] for key in got}, got)
        self.assertEqual(2, got['threads'])
        self.assert_units(1 + 2 + 4, got['useful_sum_ns'], result)
        self.assert_units(1 + 2, got['omp_sum_ns'], result)
        # The thread that works most has 4 of 5; together they have 7 of 10.
        self.assert_close(7 / 8, got['openmp_load_balance'], result)
        self.assert_close(7 / 10, got['openmp_parallel_efficiency'], result)

    def test_without_the_library_nothing_happens(self):
        for mpi in cases():
            with self.subTest(mpi=mpi):
                result = self.go(mpi, self.program(mpi, unit_us=SHORT_US), library=False)
                for line in self.lines(result):
                    self.assertEqual(
                        [None, None, None, None, ''],
                        [line[key] for key in ('process', 'job', 'nobody', 'scope', 'version')])
                self.assertEqual('', result.stderr)

    def test_regions_can_be_chosen(self):
        for mpi in cases():
            for value, expected in (
                    ('solve', {'solve'}), ('s*,exclude:*ope,nobody', {'solve'}),
                    ('exclude:hot, exclude:solve', {'scope', 'collective'}),
                    ('include:none', set())):
                with self.subTest(mpi=mpi, value=value):
                    result = self.go(mpi, self.program(mpi, unit_us=SHORT_US),
                                     POPRT_REGIONS=value)
                    self.assertEqual({'Global'} | expected, set(self.regions(result)))
                    self.assertEqual('', result.stderr)
                    notes = result.report['quality']['notes']
                    if expected:
                        harness.expect_not_noted(self, 'no_region_selected', notes)
                    else:
                        harness.expect_noted(self, 'no_region_selected', notes)
                    (harness.expect_noted if 'nobody' in value else harness.expect_not_noted)(
                        self, 'no_region_matches', notes)
                    notes.clear()
                    self.check_misuse(result)
                    self.assertEqual('solve' in expected,
                                     self.lines(result)[0]['job'] is not None)

    def test_fortran(self):
        for mpi in cases():
            if not CONFIGURATION.mpis[mpi]['fortran']:
                continue
            with self.subTest(mpi=mpi):
                program = self.program(mpi, 'region_api_fortran')
                result = self.go(mpi, program)
                regions = self.check_hot_and_solve(result, 2)
                self.assertEqual({'Global', 'hot', 'solve'}, set(regions))
                self.check_misuse(result)
                self.check_metadata(result, 2)
                version = 'version "%s"' % result.report['tool']['version']
                self.assertEqual([version] * 2, [l.strip() for l in result.stdout.splitlines()])
                program[1] = SHORT_US
                plain = self.go(mpi, program, library=False)
                self.assertEqual(['version ""'] * 2, plain.stdout.split('\n')[:-1])


class Python(RegionTest):
    program_py = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'programs',
                              'region_api.py')

    def check(self, result, ranks):
        regions = self.regions(result)
        visits = {name: region['visits_max'] for name, region in regions.items()}
        # A recursive call belongs to the same visit; a call on another thread is
        # another visit.
        self.assertEqual({'Global': 1, 'hot': 12, 'assemble': 1, 'step': 2, 'Solver.solve': 1,
                          'generated': 1, 'awaited': 1, 'streamed': 3, 'r\u00e9gion': 1}, visits)
        self.assert_units(6, regions['hot']['elapsed_max_ns'], result)
        self.assert_units(2, regions['step']['elapsed_max_ns'], result)
        self.assert_units(1, regions['Solver.solve']['elapsed_max_ns'], result)
        # Also while the generator is suspended.
        self.assert_units(2, regions['generated']['elapsed_max_ns'], result)
        self.assert_units(1, regions['awaited']['elapsed_max_ns'], result)
        self.assert_units(1, regions['streamed']['elapsed_max_ns'], result)
        self.assertEqual({'mesh': '512', 'rank': 'first 0', 'r\u00e4nk': '\u00e9'},
                         result.report['run']['metadata'])
        self.check_misuse(result)
        self.assertEqual(ranks, result.stdout.count('version "%s"' % result.report['tool']['version']))

    def test_one_process(self):
        result = self.go('none', [sys.executable, '-B', self.program_py, str(UNIT_US)])
        self.check(result, 1)
        # The script's name, not the interpreter's.
        self.assertEqual('region_api.py', result.report['run']['program'])

    def test_mpi4py(self):
        ask = 'from mpi4py import MPI; print(MPI.get_vendor()[0])'
        # The distribution's packages are for its own Python.
        for python in (sys.executable, '/usr/bin/python3'):
            found = subprocess.run([python, '-c', ask], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, env=harness.environment(), check=False)
            if found.returncode == 0:
                break
        else:
            self.skipTest('no mpi4py')
        name = found.stdout.decode().strip()
        mpi = {'Open MPI': 'openmpi'}.get(name, 'mpich')
        if mpi not in CONFIGURATION.mpis:
            self.skipTest('mpi4py is for ' + name)
        result = self.go(mpi, [python, '-B', self.program_py, str(UNIT_US), 'mpi'])
        self.check(result, 2)
        self.assertEqual(2, self.regions(result)['hot']['processes'])

    def test_without_the_library(self):
        result = self.go('none', [sys.executable, '-B', self.program_py, SHORT_US], library=False)
        self.assertEqual(('version ""\n', ''), (result.stdout, result.stderr))


class Documentation(RegionTest):
    """docs/regions.md: every example is compiled and run as it stands there."""

    BLOCK = re.compile(r'^```(\w+)\n(.*?)^```$', re.M | re.S)

    def setUp(self):
        with open(os.path.join(CONFIGURATION.source, 'docs', 'regions.md'), encoding='utf-8') as file:
            self.page = file.read()
        temporary = tempfile.TemporaryDirectory(prefix='poprt-docs-')
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name
        self.include = os.path.join(CONFIGURATION.source, 'include')

    def blocks(self, *languages):
        found = [text for language, text in self.BLOCK.findall(self.page) if language in languages]
        self.assertTrue(found, languages)
        return found

    def path(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        return path

    def compile(self, *command):
        done = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        self.assertEqual(0, done.returncode, done.stdout.decode())
        return os.path.join(self.folder, 'program')

    def check_run(self, mpi, command, text, **env):
        """The regions and metadata that the text names are in the run file."""
        self.go(mpi, command, library=False, **env)
        result = self.go(mpi, command, **env)
        names = set(re.findall(r'''(?:region_start|region_find|SCOPE|region)\(['"](.+?)['"]\)''', text))
        self.assertLessEqual(names, set(self.regions(result)), text)
        keys = set(re.findall(r'''metadata\(['"](\w+)['"]''', text))
        self.assertEqual(keys, set(result.report['run']['metadata']), text)
        self.check_misuse(result)
        return names, result

    def test_c_and_cxx(self):
        compilers = {'c': [shutil.which('gcc') or 'cc', '-std=c11'],
                     'cpp': [shutil.which('g++') or 'c++', '-std=c++11']}
        seen = 0
        for language, compiler in compilers.items():
            for text in self.blocks(language):
                if '<mpi.h>' in text:
                    continue
                source = self.path('program.' + language, text)
                program = self.compile(*compiler, '-Wall', '-Wextra', '-Wpedantic', '-Werror', '-O2',
                                       '-I' + self.include, source, '-o', 'program', '-ldl')
                if 'region' not in text.partition('int main')[2].lower():
                    result = harness.run([program], harness.environment(
                        LD_PRELOAD=CONFIGURATION.omp_library, POPRT_REPORT='none'), self.folder)
                    self.assertRegex(result.stdout, r'^poprt \d+\.\d+\.\d+\n$')
                    continue
                names, result = self.check_run('none', [program], text)
                seen += len(names)
                if 'exchange()' in text:
                    self.assertEqual(10, self.regions(result)['exchange']['visits'])
        self.assertGreaterEqual(seen, 5)

    def test_c_with_mpi(self):
        (text,) = [text for text in self.blocks('c') if '<mpi.h>' in text]
        for mpi in cases():
            with self.subTest(mpi=mpi):
                source = self.path('program.c', text)
                program = self.compile('mpicc.' + mpi if shutil.which('mpicc.' + mpi) else 'mpicc',
                                       '-I' + self.include, source, '-o', 'program', '-ldl')
                _, result = self.check_run(mpi, [program], text)
                self.assertRegex(result.stdout, r'^load balance of solve: [01]\.\d\d\d\n$')

    def test_fortran(self):
        if not shutil.which('gfortran'):
            self.skipTest('no gfortran')
        for text in self.blocks('fortran'):
            source = self.path('program.f90', text)
            program = self.compile('gfortran', '-std=f2003', '-Wall', '-Wextra', '-Werror',
                                   os.path.join(self.include, 'poprt.f90'), source, '-o', 'program')
            names, result = self.check_run('none', [program], text)
            self.assertEqual({'assemble', 'kernel'}, names)
            self.assertEqual(1000, self.regions(result)['kernel']['visits'])

    def test_python(self):
        expected = [{'assemble': 1, 'time step': 10, 'solve': 10}, {'blocks': 1, 'read input': 1}]
        texts = self.blocks('python')
        self.assertEqual(len(expected), len(texts))
        for text, visits in zip(texts, expected):
            source = self.path('program.py', text)
            _, result = self.check_run('none', [sys.executable, '-B', source], text,
                                       PYTHONPATH=self.include)
            self.assertEqual({'Global': 1, **visits}, {
                name: region['visits'] for name, region in self.regions(result).items()})

    def test_choices(self):
        text = self.blocks('c')[0]
        program = self.compile('gcc', '-I' + self.include, self.path('program.c', text), '-o',
                               'program', '-ldl')
        (choices,) = self.blocks('sh')
        values = re.findall(r"^POPRT_REGIONS='(.*?)'", choices, re.M)
        self.assertEqual(3, len(values))
        for value in values:
            result = self.go('none', [program], POPRT_REGIONS=value)
            self.assertEqual('', result.stderr)
            self.assertIn('solve', self.regions(result))
            self.assertEqual('solve*' not in value, 'assemble' in self.regions(result))


if __name__ == '__main__':
    CONFIGURATION, argv = harness.command_line()
    unittest.main(argv=argv)
