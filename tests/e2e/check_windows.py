#!/usr/bin/env python3
"""Metrics over time: windows of visits and of time, of a program whose second half is
unbalanced, against regions that it has marked itself.

  check_windows.py --config CONFIG [unittest arguments]
"""

import json
import os
import subprocess
import tempfile
import unittest

import harness

CONFIGURATION = None
STEPS = 8
TOLERANCE = 1e-6
# Useful time of two threads each: 80 and 80 ms, then 80 and 20 ms.
BALANCED, UNBALANCED = 1, (80 + 20) / (2 * 80)
# Members that are sums of times.
SUMS = ('elapsed_weighted_ns', 'useful_sum_ns', 'mpi_sum_ns', 'omp_sum_ns', 'serial_sum_ns',
        'serial_weighted_ns', 'openmp_weighted_ns', 'mpi_waiting_sum_ns', 'mpi_transfer_sum_ns')
MARKED = SUMS + ('elapsed_max_ns', 'cue_ns', 'com_ns', 'coo_ns', 'all_ns', 'pl_cue_ns')


class Windows(unittest.TestCase):
    def measure(self, mpi, windows, **environment):
        result = harness.run_measured(CONFIGURATION, mpi, 2, 2,
                                      [CONFIGURATION.program(mpi, 'phases')],
                                      report='text,json', own_time=True,
                                      env={'POPRT_WINDOWS': windows, **environment})
        self.assertTrue(result.status == 0 and result.report is not None, result.describe())
        return result

    def region(self, result, name):
        return [each for each in result.report['regions'] if each['name'] == name][0]

    def check_efficiency(self, windows, result):
        found = [window['metrics']['critical_path']['parallel_efficiency']
                 for window in windows]
        for value, expected in zip(found, [BALANCED] * (STEPS // 2) + [UNBALANCED] * (STEPS // 2)):
            self.assertAlmostEqual(expected, value, delta=TOLERANCE,
                                   msg=f'{found} {result.describe()}')

    def test_visits_are_windows_with_the_numbers_of_marked_regions(self):
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi=mpi):
                result = self.measure(mpi, 'region:step')
                windows = result.report['windows']['list']
                self.assertEqual(list(range(STEPS)), [window['index'] for window in windows])
                self.check_efficiency(windows, result)
                for window in windows:
                    marked = self.region(result, f'step {window["index"] + 1}')
                    for key in MARKED:
                        self.assertEqual(marked['accumulators'][key], window['accumulators'][key],
                                         f'{window["index"]} {key}')
                whole = self.region(result, 'step')['accumulators']
                for key in SUMS[:7] + ('visits',):
                    self.assertEqual(whole[key],
                                     sum(window['accumulators'][key] for window in windows), key)
                text = result.stderr
                self.assertIn('Over time: 8 windows', text)
                self.assertIn('a window is 1 visit of step', ' '.join(text.split()))
                row = [line for line in text.split('Over time')[1].splitlines()
                       if line.startswith(' Parallel Efficiency')][0].split()
                # Behind two words, the digits, first, worst and its number, last.
                self.assertIn('5', row[7:], f'a phase begins in window 5: {row}')

    def test_windows_in_time_add_up_to_the_run(self):
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi=mpi):
                result = self.measure(mpi, '5ms')
                windows = result.report['windows']['list']
                # At least the sleep, so there are more than 64.
                level = result.report['windows']['level']
                self.assertGreaterEqual(level, 1)
                self.assertGreaterEqual(len(windows), 32)
                self.assertLessEqual(len(windows), 64)
                whole = self.region(result, 'Global')['accumulators']
                for key in SUMS[:7]:
                    self.assertEqual(whole[key],
                                     sum(window['accumulators'][key] for window in windows), key)
                for window in windows[:-1]:
                    self.assertEqual(5e6 * 2 ** level, window['accumulators']['elapsed_max_ns'])
                for window in windows:
                    self.check_bounds(window, window['index'] < 32)

    def check_bounds(self, window, is_merged):
        values = window['accumulators']
        bounds = window['clock_bounds']
        self.assertEqual(is_merged, len(bounds) > 0, window['index'])
        for each in bounds:
            value = values[each['clock']]
            self.assertLessEqual(each['least_ns'], value, each)
            self.assertGreaterEqual(each['most_ns'], value, each)
        for each in bounds:
            if each['clock'] == 'all_ns':
                self.assertGreaterEqual(each['least_ns'], values['elapsed_max_ns'])

    def test_a_report_of_some_windows(self):
        mpi = list(CONFIGURATION.mpis)[0]
        result = self.measure(mpi, 'region:step/4')
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'run.json')
            with open(path, 'w') as file:
                json.dump(result.report, file)

            def report(*arguments):
                return subprocess.run([CONFIGURATION.command, 'report', path, *arguments],
                                      capture_output=True, text=True, timeout=60)
            table = report('--window', '2')
            self.assertEqual(0, table.returncode, table.stderr)
            self.assertIn('window 2', table.stdout)
            self.assertNotIn('window 1', table.stdout)
            self.assertNotIn('Bounds of', table.stdout)  # it was measured as one
            wrong = report('--window', '3')
            self.assertEqual((2, 1), (wrong.returncode, len(wrong.stderr.splitlines())))
            self.assertIn('has windows 1 to 2', wrong.stderr)
            lines = report('--format', 'csv').stdout
            self.assertIn(',window 2,critical_path,parallel_efficiency,', lines)

    def test_a_wrong_value_is_one_line(self):
        mpi = list(CONFIGURATION.mpis)[0]
        for value in ('region:', '1', '0s', '5h', 'step'):
            result = self.measure(mpi, value)
            lines = [line for line in result.stderr.splitlines()
                     if line.startswith('poprt: POPRT_WINDOWS=')]
            self.assertEqual(1, len(lines), result.describe())
            self.assertEqual([], result.report['windows']['list'])
            self.assertNotIn('Over time', result.stderr)

    def test_a_region_that_is_never_opened_is_named(self):
        mpi = list(CONFIGURATION.mpis)[-1]
        result = self.measure(mpi, 'region:stpe')
        self.assertEqual([], result.report['windows']['list'])
        harness.expect_noted(self, 'no_window_region', result.report['quality']['notes'])
        self.assertIn('no process opened that region', ' '.join(result.stderr.split()))


if __name__ == '__main__':
    CONFIGURATION, arguments = harness.command_line()
    unittest.main(argv=arguments)
