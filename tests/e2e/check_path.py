#!/usr/bin/env python3
"""Which layer the models blame when a process waits in MPI for another one's OpenMP.

  check_path.py --config CONFIG [unittest arguments]
"""

import unittest

import harness

CONFIGURATION = None
# Of 300 ms, what starting threads and ending may take.
TOLERANCE = 0.05


class Blame(unittest.TestCase):
    def measure(self, mpi, **environment):
        result = harness.run_measured(CONFIGURATION, mpi, 2, 2,
                                      [CONFIGURATION.program(mpi, 'blame')],
                                      report='text,json', env=environment)
        self.assertTrue(result.status == 0 and result.report is not None, result.describe())
        region = result.report['regions'][0]
        return result, region, region['metrics']

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
                    text = ' '.join(result.stderr.split())
                    self.assertIn('was waiting for partners that were late, which no faster '
                                  'communication makes shorter', text)
                    self.assertNotIn('The largest loss is MPI Transfer', text)

    def test_without_the_option_the_model_says_what_it_needs(self):
        mpi = list(CONFIGURATION.mpis)[0]
        result, region, metrics = self.measure(mpi, POPRT_MODEL='waiting')
        self.assertEqual([None] * len(metrics['waiting']), list(metrics['waiting'].values()))
        self.assertIsNone(region['clocks']['coow_ns'])
        self.assertIn('POPRT_PATH=waiting', ' '.join(result.stderr.split()))


if __name__ == '__main__':
    CONFIGURATION, arguments = harness.command_line()
    unittest.main(argv=arguments)
