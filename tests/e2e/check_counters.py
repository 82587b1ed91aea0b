#!/usr/bin/env python3
"""Counters (POPRT_COUNTERS) of programs that know their own counts.

The stand-in for libpapi (programs/fake_papi.c) counts what the program says it has
executed, so that sums are exact.

  check_counters.py --config CONFIG [unittest arguments]
"""

import csv
import glob
import os
import subprocess
import unittest

import harness
from measured_test import RANKS, MeasuredTest

CONFIGURATION = None
# Counts of one process, see programs/counted_shapes.c.
IN_GLOBAL = 1000 + 100 + 200 + 3 * 10 + 1
IN_SOLVE = 100 + 200


class Counters(MeasuredTest):
    def run_counting(self, mpi, counters='default', fault='', env_more=None, arguments=(), **more):
        env = {'POPRT_COUNTERS': counters, 'FAKE_PAPI': fault,
               'LD_LIBRARY_PATH': os.path.join(CONFIGURATION.programs, 'fake_papi'),
               **(env_more or {})}
        return self.measure(mpi, 'counted_shapes', *arguments, env=env, report='text,json', **more)

    def counted(self, report, name='Global'):
        counters = dict(self.region(report, name)['accumulators']['counters'])
        counters.pop('useful_ns', None)
        return counters

    def note(self, report):
        return '\n'.join(report['quality']['notes'])

    def test_sums(self):
        """Only useful time counts, only between start and end, and each region by
        itself."""
        for mpi, ranks in self.everywhere():
            report = self.run_counting(mpi)
            for name, of_one in (('Global', IN_GLOBAL), ('solve', IN_SOLVE)):
                self.assertEqual({'PAPI_TOT_INS': ranks * of_one, 'PAPI_TOT_CYC': 2 * ranks * of_one},
                                 self.counted(report, name), self.result.describe())
                region = self.region(report, name)
                metrics = region['metrics']['computation']
                self.assertEqual(ranks * of_one, metrics['instructions'])
                self.assertEqual(0.5, metrics['ipc'])
                # All threads are counted.
                self.assertEqual(region['accumulators']['useful_sum_ns'],
                                 region['accumulators']['counters']['useful_ns'])
            notes = report['quality']['notes']
            harness.expect_not_noted(self, 'counters_of_no_library', notes)
            harness.expect_not_noted(self, 'counters_none', notes)
            harness.expect_not_noted(self, 'counters_refused', notes)
            self.assertEqual([], notes)
            self.assertIn(' IPC ', self.result.stderr)

    def test_processes(self):
        """Each process has counts of its own."""
        for mpi, ranks in self.everywhere():
            report = self.run_counting(mpi, env_more={'POPRT_ROWS': 'process'})
            rows = self.region(report)['rows']['counters']
            self.assertEqual(ranks * [IN_GLOBAL], rows['PAPI_TOT_INS'])

    def test_end_of_a_counter(self):
        """A counter of 48 bits that wraps around."""
        for mpi, ranks in self.everywhere():
            report = self.run_counting(mpi, fault='wrap')
            self.assertEqual(ranks * IN_GLOBAL, self.counted(report)['PAPI_TOT_INS'])
            self.assertEqual('', self.note(report))

    def test_no_papi(self):
        """The loader finds a file of each name that it may have, and none is a library."""
        for version in ('.7.2', '.7.1', '.7.0', '.7', '.6.0', '.6', ''):
            with open(os.path.join(self.base, 'libpapi.so' + version), 'w', encoding='utf-8'):
                pass
        for mpi, _ in self.everywhere():
            report = self.run_counting(mpi, env_more={'LD_LIBRARY_PATH': self.base})
            harness.expect_noted(self, 'counters_of_no_library', report['quality']['notes'])
            self.assertIn('no counters: PAPI is not there: install it', self.note(report))
            self.assertEqual({}, self.counted(report))
            self.assertIsNotNone(self.region(report)['metrics']['pop']['parallel_efficiency'])

    def test_a_counter_that_stands_still(self):
        """It is named, and what needs it is unknown; the other one counts."""
        for mpi, ranks in self.everywhere():
            report = self.run_counting(mpi, fault='dead', arguments=['30'])
            self.assertIn('the counter PAPI_TOT_CYC has counted nothing in a process', self.note(report))
            self.assertEqual({'PAPI_TOT_INS': ranks * IN_GLOBAL, 'PAPI_TOT_CYC': 0}, self.counted(report))
            self.assertIsNone(self.region(report)['metrics']['computation']['ipc'])

    def test_faults(self):
        """What cannot be counted is reported in one line, and the rest is unchanged."""
        for fault, counters, line, left in (
                ('old', 'default', 'PAPI 5.7 is too old', []),
                ('', 'PAPI_TOT_INS,PAPI_NONE', 'PAPI_NONE (Event does not exist)', ['PAPI_TOT_INS']),
                ('', 'NONE_AT_ALL', 'no counters, PAPI refuses: NONE_AT_ALL', []),
                ('two', 'default,PAPI_FP_OPS', 'PAPI_FP_OPS (the processor has no counter left',
                 ['PAPI_TOT_CYC', 'PAPI_TOT_INS']),
                ('back', 'default', 'went back', ['PAPI_TOT_CYC', 'PAPI_TOT_INS']),
                ('unread', 'default', 'counters did not run', [])):
            for mpi, _ in self.everywhere():
                with self.subTest(fault=fault, counters=counters):
                    report = self.run_counting(mpi, counters, fault)
                    self.assertIn(line, self.note(report))
                    self.assertEqual(left, sorted(self.counted(report)), self.result.describe())
                    efficiency = self.region(report)['metrics']['pop']['parallel_efficiency']
                    self.assertGreater(efficiency, 0)

    def test_some_or_all_refused(self):
        for counters, is_some in (('PAPI_TOT_INS,PAPI_NONE', True), ('PAPI_NONE', False)):
            notes = self.run_counting('none', counters)['quality']['notes']
            if is_some:
                harness.expect_noted(self, 'counters_refused', notes)
                harness.expect_not_noted(self, 'counters_none', notes)
            else:
                harness.expect_noted(self, 'counters_none', notes)
                harness.expect_not_noted(self, 'counters_refused', notes)

    def test_turns(self):
        """Whether PAPI lets counters take turns."""
        notes = self.run_counting('none', 'multiplex,default')['quality']['notes']
        harness.expect_not_noted(self, 'counters_in_turn', notes)
        report = self.run_counting('none', 'multiplex,default', 'alone')
        harness.expect_noted(self, 'counters_in_turn', report['quality']['notes'])
        self.assertEqual(['PAPI_TOT_CYC', 'PAPI_TOT_INS'], sorted(self.counted(report)))

    def test_names(self):
        """A counter may have another name than its event, which is the same metric by it."""
        report = self.run_counting('none', 'default,fp_operations=PAPI_FP_OPS,PAPI_TOT_INS:u=1,'
                                   'PAPI_TOT_INS=PAPI_FP_OPS,useful_ns=PAPI_FP_OPS')
        self.assertEqual({'PAPI_TOT_INS': IN_GLOBAL, 'PAPI_TOT_CYC': 2 * IN_GLOBAL,
                          'fp_operations': 3 * IN_GLOBAL}, self.counted(report))
        self.assertIn('PAPI_TOT_INS:u=1 (Event does not exist)', self.note(report))
        for word in ('PAPI_TOT_INS=PAPI_FP_OPS', 'useful_ns=PAPI_FP_OPS'):
            self.assertIn(word + ' (another counter has this name)', self.note(report))
        self.assertEqual(1.5, self.region(report)['metrics']['computation']['fp_operations_per_cycle'])
        self.assertIn(' FP operations ', self.result.stderr)

    def counter_table(self):
        """A table in which every processor has two sets, which it cannot count together."""
        widths = {'fp_scalar': '', 'fp_packed_128': '128', 'fp_packed_256': '256', 'fp_packed_512': '512'}
        sets = {precision: {f'{name}_{precision}': f'FP:{precision[0].upper()}{width}'
                            for name, width in widths.items()} for precision in ('single', 'double')}
        path = os.path.join(self.base, 'table')
        with open(path, 'w', encoding='utf-8') as file:
            harness.json.dump({'schema': 'poprt.counters', 'families': [
                {'name': 'any', 'counters': 4, 'sets': sets}]}, file)
        return path

    def poprt_run(self, mpi, *options):
        program = [CONFIGURATION.program(mpi, 'counted_shapes')]
        if mpi != 'none':
            program = CONFIGURATION.launch(mpi, RANKS, program)
        env = harness.environment(OMP_NUM_THREADS='2', TMPDIR=self.base, FAKE_PAPI='six',
                                  LD_LIBRARY_PATH=os.path.join(CONFIGURATION.programs, 'fake_papi'))
        command = [CONFIGURATION.command, 'run', *options, '-o', os.path.join(self.base, 'runs', '')]
        return harness.run(command + ['--'] + program, env, self.base)

    def test_all_sets(self):
        """The program runs once with each set, and `scale` has the metrics of all of them."""
        for mpi, _ in self.everywhere():
            for path in glob.glob(os.path.join(self.base, 'runs', '*')):
                os.remove(path)
            result = self.poprt_run(mpi, '--counter-table', self.counter_table(), '--counters=all-sets')
            self.assertEqual((0, ''), (result.status, result.hang), result.describe())
            reports = [harness.read_report(path)
                       for path in sorted(glob.glob(os.path.join(self.base, 'runs', '*.json')))]
            self.assertEqual(2, len(reports), result.describe())
            for report in reports:
                self.assertEqual('', self.note(report))
                counts = self.counted(report)
                self.assertEqual(6, len(counts), counts)
                one = counts['PAPI_TOT_INS']
                widths = ('fp_scalar', 'fp_packed_128', 'fp_packed_256', 'fp_packed_512')
                for precision, first in (('single', 4), ('double', 8)):
                    if widths[0] + '_' + precision in counts:
                        self.assertEqual([one * (first + i) for i in range(4)],
                                         [counts[width + '_' + precision] for width in widths])
            rows = self.scale_rows()
            self.assertEqual((1 + 3 * 5 + 7 * 6 + 15 * 7 + 9 + 3 * 10 + 7 * 11) / 2, rows['average_opc'])
            bits = 32 * 4 + 64 * 8 + 128 * (5 + 9) + 256 * (6 + 10) + 512 * (7 + 11)
            self.assertAlmostEqual(bits / 512 / 60, rows['vectorisation_efficiency'])
            self.assertAlmostEqual(48, rows['vectorisation_intensity'])
            self.assertEqual(1, rows['opc_scaling'])

    def scale_rows(self):
        harness.give_cores_to_all(os.path.join(self.base, 'runs'))
        scaled = subprocess.run([CONFIGURATION.command, 'scale', os.path.join(self.base, 'runs'),
                                 '--model', 'pop', '--format', 'csv'],
                                capture_output=True, text=True, timeout=60, check=True)
        lines = csv.DictReader(scaled.stdout.splitlines())
        return {line['metric']: float(line['median']) for line in lines if line['median']}

    def test_sets_that_cannot_be(self):
        """A line says so; a set of other processors leaves instructions and cycles."""
        path = os.path.join(self.base, 'table')
        with open(path, 'w', encoding='utf-8') as file:
            harness.json.dump({'schema': 'poprt.counters', 'families': [
                {'name': 'none', 'vendor': 'nobody', 'counters': 4, 'sets': {'elsewhere': {'x': 'X'}}},
                # Before poprt's own families, which may have other names for instructions and cycles.
                {'name': 'any', 'counters': 4, 'sets': {}}]}, file)
        result = self.poprt_run('none', '--counter-table', path, '--counters=elsewhere')
        self.assertEqual(0, result.status, result.describe())
        self.assertIn('has no set elsewhere', result.stderr)
        [run_file] = glob.glob(os.path.join(self.base, 'runs', '*.json'))
        self.assertEqual({'PAPI_TOT_INS': IN_GLOBAL, 'PAPI_TOT_CYC': 2 * IN_GLOBAL},
                         self.counted(harness.read_report(run_file)))
        result = self.poprt_run('none', '--counter-table', '/nosuch', '--counters=all-sets')
        self.assertEqual(2, result.status, result.describe())
        self.assertIn('/nosuch: cannot be read', result.stderr)
        for mpi in CONFIGURATION.mpis:
            behind = CONFIGURATION.launch(mpi, RANKS, [CONFIGURATION.command, 'run', '--counters=all-sets',
                                                       CONFIGURATION.program(mpi, 'counted_shapes')])
            result = harness.run(behind, harness.environment(TMPDIR=self.base), self.base)
            self.assertNotEqual(0, result.status, result.describe())
            self.assertIn('in front of the launcher', result.stderr)

    def test_all_sets_end_with_a_failure(self):
        """The second set is not counted if the first run fails."""
        command = [CONFIGURATION.command, 'run', '--counter-table', self.counter_table(),
                   '--counters=all-sets', 'sh', '-c', 'echo once; exit 3']
        result = harness.run(command, harness.environment(TMPDIR=self.base), self.base)
        self.assertEqual((3, 'once\n'), (result.status, result.stdout), result.describe())

    def test_all_events(self):
        report = self.run_counting('none', 'default, PAPI_FP_OPS')
        self.assertEqual({'PAPI_TOT_INS': IN_GLOBAL, 'PAPI_TOT_CYC': 2 * IN_GLOBAL,
                          'PAPI_FP_OPS': 3 * IN_GLOBAL}, self.counted(report))

    def test_program_with_papi(self):
        """A thread can count for one user only: the program's own use of PAPI has
        priority."""
        papi = os.path.join(CONFIGURATION.programs, 'fake_papi', 'libpapi.so.7.0')
        report = self.run_counting('none', beside=papi)
        self.assertIn('the program uses PAPI itself', self.note(report))
        self.assertEqual({}, self.counted(report))

    def test_papi_of_this_machine(self):
        """Whatever this machine can count: there are counts, or one line that says why
        not."""
        result = harness.run_measured(CONFIGURATION, 'none', 1, 2,
                                      [CONFIGURATION.program('none', 'omp_shapes'), 'balanced', '50000'],
                                      env={'POPRT_COUNTERS': 'default'})
        self.assertTrue(result.report is not None, result.describe())
        counts = self.counted(result.report)
        if counts:
            self.assertGreater(min(counts.values()), 0)
        else:
            self.assertIn('no counters', self.note(result.report))

    def test_scaling(self):
        """The command reads them: IPC Scaling between runs, and what a metric means."""
        for threads in (2, 3):
            self.run_counting('none')
            # A run of another size with the same counts.
            path = os.path.join(self.base, 'run-%d.json' % threads)
            text = harness.json.dumps(self.result.report)
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)
        explained = subprocess.run([CONFIGURATION.command, 'explain', 'computation.ipc', path],
                                   capture_output=True, text=True, timeout=60, check=True)
        self.assertIn('= 0.50', explained.stdout)
        compared = subprocess.run(
            [CONFIGURATION.command, 'diff', os.path.join(self.base, 'run-2.json'), path,
             '--model', 'computation', '--format', 'csv'],
            capture_output=True, text=True, timeout=60, check=True)
        self.assertIn('ipc', compared.stdout)


if __name__ == '__main__':
    CONFIGURATION, arguments = harness.command_line()
    unittest.main(argv=arguments)
