#!/usr/bin/env python3
"""Counters (POPRT_COUNTERS) of programs that say themselves what they have executed.

The stand-in for libpapi (programs/fake_papi.c) counts what the program says, so
that sums are exact.

  check_counters.py --config CONFIG [unittest arguments]
"""

import os
import subprocess
import unittest

import harness

CONFIGURATION = None
# Of one process, see programs/counted_shapes.c.
IN_GLOBAL = 1000 + 100 + 200 + 3 * 10 + 1
IN_SOLVE = 100 + 200
RANKS = 2


class Counters(harness.FolderTest):
    def run_counting(self, mpi, counters='default', fault='', env_more=None, **more):
        env = {**(env_more or {}), 'POPRT_COUNTERS': counters, 'FAKE_PAPI': fault,
               'LD_LIBRARY_PATH': os.path.join(CONFIGURATION.programs, 'fake_papi')}
        result = harness.run_measured(CONFIGURATION, mpi, RANKS, 2,
                                      [CONFIGURATION.program(mpi, 'counted_shapes')],
                                      env=env, report='text,json', **more)
        self.assertTrue(result.status == 0 and not result.hang, result.describe())
        self.assertIsNotNone(result.report, result.describe())
        self.result = result
        return result.report

    def region(self, report, name='Global'):
        return next(each for each in report['regions'] if each['name'] == name)

    def counted(self, report, name='Global'):
        counters = dict(self.region(report, name)['accumulators']['counters'])
        counters.pop('useful_ns', None)
        return counters

    def note(self, report):
        return '\n'.join(report['quality']['notes'])

    def everywhere(self):
        for mpi in ['none'] + list(CONFIGURATION.mpis):
            with self.subTest(mpi=mpi):
                yield mpi, 1 if mpi == 'none' else RANKS

    def test_sums(self):
        """Only useful time, only between the start and the end, each region for itself."""
        for mpi, ranks in self.everywhere():
            report = self.run_counting(mpi)
            for name, of_one in (('Global', IN_GLOBAL), ('solve', IN_SOLVE)):
                self.assertEqual({'PAPI_TOT_INS': ranks * of_one, 'PAPI_TOT_CYC': 2 * ranks * of_one},
                                 self.counted(report, name), self.result.describe())
                region = self.region(report, name)
                metrics = region['metrics']['computation']
                self.assertEqual(ranks * of_one, metrics['instructions'])
                self.assertEqual(0.5, metrics['ipc'])
                # All threads count.
                self.assertEqual(region['accumulators']['useful_sum_ns'],
                                 region['accumulators']['counters']['useful_ns'])
            self.assertEqual('', self.note(report))
            self.assertIn(' IPC ', self.result.stderr)

    def test_processes(self):
        """Each process's own."""
        for mpi, ranks in self.everywhere():
            report = self.run_counting(mpi, env_more={'POPRT_ROWS': 'process'})
            rows = self.region(report)['rows']['counters']
            self.assertEqual(ranks * [IN_GLOBAL], rows['PAPI_TOT_INS'])

    def test_end_of_a_counter(self):
        """A counter of 48 bits that begins anew."""
        for mpi, ranks in self.everywhere():
            report = self.run_counting(mpi, fault='wrap')
            self.assertEqual(ranks * IN_GLOBAL, self.counted(report)['PAPI_TOT_INS'])
            self.assertEqual('', self.note(report))

    def test_faults(self):
        """What cannot be counted is said in a line, and the rest is as it was."""
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

    def test_all_events(self):
        report = self.run_counting('none', 'default, PAPI_FP_OPS')
        self.assertEqual({'PAPI_TOT_INS': IN_GLOBAL, 'PAPI_TOT_CYC': 2 * IN_GLOBAL,
                          'PAPI_FP_OPS': 3 * IN_GLOBAL}, self.counted(report))

    def test_program_with_papi(self):
        """A thread counts for one only: the program's own use of PAPI goes first."""
        papi = os.path.join(CONFIGURATION.programs, 'fake_papi', 'libpapi.so.7.0')
        report = self.run_counting('none', beside=papi)
        self.assertIn('the program uses PAPI itself', self.note(report))
        self.assertEqual({}, self.counted(report))

    def test_papi_of_this_machine(self):
        """Whatever it can count: there are counts, or a line that says why not."""
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
