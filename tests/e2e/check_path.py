#!/usr/bin/env python3
"""What is known of the longest path: which layer the models blame when a process waits in MPI
for another one's OpenMP, what the path is made of, and how long it is without a region.

  check_path.py --config CONFIG [unittest arguments]
"""

import unittest

import harness

CONFIGURATION = None
TOLERANCE = 1e-6


class Measured(unittest.TestCase):
    def measure(self, mpi, program='blame', arguments=(), **environment):
        result = harness.run_measured(CONFIGURATION, mpi, 2, 2,
                                      [CONFIGURATION.program(mpi, program), *arguments],
                                      report='text,json', env=environment, own_time=True)
        self.assertTrue(result.status == 0 and result.report is not None, result.describe())
        region = result.report['regions'][0]
        return result, region, region['metrics']


class Blame(Measured):
    def test_waiting_in_mpi_is_not_transfer_of_mpi(self):
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi=mpi):
                result, region, metrics = self.measure(mpi, POPRT_PATH='waiting')

                def check(model, key, expected):
                    self.assertAlmostEqual(expected, metrics[model][key], delta=TOLERANCE,
                                           msg=f'{model}.{key} {result.describe()}')
                # As published: time in MPI is MPI's, whatever it waited for.
                check('critical_path', 'mpi_transfer_efficiency', 1 / 3)
                check('critical_path', 'openmp_transfer_efficiency', 1)
                check('waiting', 'mpi_transfer_efficiency', 1)
                check('waiting', 'openmp_transfer_efficiency', 1 / 3)
                # Of 4 cores one waited for 200 of 300 ms.
                check('mpi_time', 'mpi_waiting_share', 1 / 6)
                check('mpi_time', 'mpi_transfer_share', 0)
                self.assertLessEqual(region['clocks']['cue_ns'], region['clocks']['coow_ns'])

    def test_the_report_says_which_model_to_believe(self):
        for mpi in CONFIGURATION.mpis:
            for path in ('none', 'waiting'):
                with self.subTest(mpi=mpi, path=path):
                    result, _, _ = self.measure(mpi, POPRT_PATH=path)
                    text = harness.report_of_cores_for_all(CONFIGURATION, result.report)
                    self.assertIn('was waiting for partners that were late, which no faster '
                                  'communication makes shorter', text)
                    self.assertNotIn('The largest loss is MPI Transfer', text)

    def test_without_the_option_the_model_says_what_it_needs(self):
        mpi = list(CONFIGURATION.mpis)[0]
        result, region, metrics = self.measure(mpi, POPRT_MODEL='waiting')
        self.assertEqual([None] * len(metrics['waiting']), list(metrics['waiting'].values()))
        self.assertIsNone(region['clocks']['coow_ns'])
        self.assertIn('POPRT_PATH=waiting', ' '.join(result.stderr.split()))


TOLERANCE_NS = 1


class LongestPath(Measured):
    def path(self, mpi, value, arguments=(), **environment):
        result, region, _ = self.measure(mpi, 'path', arguments, POPRT_PATH=value, **environment)
        path = result.report['longest_path']
        self.assertEqual(region['clocks']['all_ns'], path['length_ns'], result.describe())
        return result, path

    def check(self, expected_ms, is_ns, result, what=''):
        self.assertAlmostEqual(expected_ms * 1e6, is_ns, delta=TOLERANCE_NS,
                               msg=f'{what} {result.describe()}')

    def check_parts(self, mpi, **environment):
        result, path = self.path(mpi, 'regions', **environment)
        parts = {(part['what'], part['region'], part['rank']): part['ns'] for part in path['parts']}
        self.assertEqual(path['length_ns'], sum(parts.values()))
        for part, ms in ((('useful', 'assemble', 1), 100), (('useful', 'fill', 1), 50),
                         (('useful', 'solve', 0), 100)):
            self.check(ms, parts.pop(part), result, part)
        self.check(0, sum(parts.values()), result)
        text = harness.report_of_cores_for_all(CONFIGURATION, result.report)
        self.assertRegex(text, r'of 2\d\d\.\d ms, the run waited 1\d\d\.\d ms for '
                               r'`(assemble|solve)`, all of it on rank [01]; halving it '
                               r'saves at most \d\d\.\d+ ms')
        return result

    def test_parts_are_the_work_that_others_waited_for(self):
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi=mpi):
                self.check_parts(mpi)

    def test_windows_and_calls_go_beside(self):
        mpi = list(CONFIGURATION.mpis)[-1]
        report = self.check_parts(mpi, POPRT_WINDOWS='50ms', POPRT_CALLS='on').report
        whole = report['regions'][0]['accumulators']
        windows = report['windows']['list']
        self.assertGreaterEqual(len(windows), 5)
        self.assertEqual(whole['useful_sum_ns'],
                         sum(window['accumulators']['useful_sum_ns'] for window in windows))
        self.assertEqual(whole['mpi_sum_ns'], sum(call['time_ns'] for call in report['mpi_calls']
                                                  if call['region'] == 'Global'))

    def test_calls_leave_room_on_it(self):
        """Constructs that are told apart by POPRT_CALLS alone are no parts of it."""
        result = harness.run_measured(
            CONFIGURATION, 'none', 1, 2, [CONFIGURATION.program('none', 'tables'), 'constructs=400'],
            env={'POPRT_PATH': 'regions', 'POPRT_CALLS': 'on'})
        parts = result.report['longest_path']['parts']
        self.assertEqual({0}, {part['rank'] for part in parts}, parts)
        self.assertIn('openmp', {part['what'] for part in parts})

    def test_time_in_openmp_is_that_of_its_construct(self):
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi=mpi):
                result, path = self.path(mpi, 'constructs', ('slow',))
                parts = path['parts']
                self.assertEqual(path['length_ns'], sum(part['ns'] for part in parts))
                # The path may go by the thread that is created, which is in no construct yet
                # and has been in OpenMP as long as the one that waits for it.
                (slow,) = [part for part in parts
                           if part['what'] == 'openmp' and part['ns'] > TOLERANCE_NS]
                self.assertEqual(('openmp', None, 1),
                                 (slow['what'], slow['region'], slow['rank']), result.describe())
                self.check(100, slow['ns'], result)
                self.assertIn(slow['construct'], ('parallel', None))
                if slow['construct']:
                    self.assertRegex(slow['location'], r'^path\.c:\d+ \(start_threads')
                self.assertEqual({'openmp'}, {part['what'] for part in parts if part['construct']})
                self.assertIn('parallel path.c', ' '.join(result.stderr.split()))
                # These belong to another option.
                self.assertEqual([], result.report['openmp_constructs'])

    def test_ranks_alone_have_no_regions(self):
        mpi = list(CONFIGURATION.mpis)[0]
        result, path = self.path(mpi, 'ranks')
        self.assertEqual({None}, {part['region'] for part in path['parts']})
        for rank, ms in ((0, 100), (1, 150)):
            self.check(ms, sum(part['ns'] for part in path['parts'] if part['rank'] == rank),
                       result)

    def test_without_a_region_another_path_is_the_longest(self):
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi=mpi):
                result, path = self.path(mpi, 'waiting,without:assemble,solve,gone')
                without = {each['region']: each['run_ns'] for each in path['without']}
                # What is inside of a region is left out with it.
                self.check(100, without['assemble'], result)
                # Rank 1 has work of its own after the barrier.
                self.check(200, without['solve'], result)
                self.assertEqual(path['length_ns'], without['gone'])
                text = harness.report_of_cores_for_all(CONFIGURATION, result.report)
                self.assertRegex(text, r'Without `assemble` the run would take \S+ ms instead of '
                                       r'2\S+ ms \(all else equal\)')
                self.assertIn('`gone` never came up', text)
                self.assertGreater(result.report['regions'][0]['clocks']['coow_ns'], 0)


if __name__ == '__main__':
    CONFIGURATION, arguments = harness.command_line()
    unittest.main(argv=arguments)
