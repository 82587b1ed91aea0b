#!/usr/bin/env python3
"""MPI calls by place: counts and bytes to the last one, who waited for whom.

  check_calls.py --config CONFIG [unittest arguments]
"""

import unittest

import harness

CONFIGURATION = None
RANKS = 4
LATE_NS = 100e6
TOLERANCE_NS = 1


def place(call):
    """Function and the program's function: ("MPI_Recv", "late_receive")."""
    return call['function'], (call['location'] or '').rpartition('(')[2].rstrip(')')


class Calls(unittest.TestCase):
    def measure(self, mpi, **environment):
        result = harness.run_measured(CONFIGURATION, mpi, RANKS, 1,
                                      [CONFIGURATION.program(mpi, 'calls')],
                                      report='text,json', env=environment, own_time=True)
        self.assertTrue(result.status == 0 and result.report is not None, result.describe())
        return result

    def check_sums(self, result):
        for region in result.report['regions']:
            calls = [each for each in result.report['mpi_calls'] if each['region'] == region['name']]
            accumulators = region['accumulators']
            for key, total in (('time_ns', 'mpi_sum_ns'), ('waiting_ns', 'mpi_waiting_sum_ns'),
                               ('unknown_ns', 'mpi_unknown_sum_ns')):
                self.assertEqual(accumulators[total], sum(each[key] for each in calls),
                                 f'{region["name"]} {key} {result.describe()}')

    def check_late(self, result, call, late, processes):
        """`late` are ranks, each of which was waited for once by so many processes."""
        expected = LATE_NS * len(late) * processes
        text = f'{call} {result.describe()}'
        self.assertAlmostEqual(expected, call['waiting_ns'],
                               delta=TOLERANCE_NS * len(late) * processes, msg=text)
        ranks = {each['rank']: each for each in call['late_ranks']}
        worst = max(ranks.values(), key=lambda each: each['waiting_ns'])
        self.assertEqual(late[0], worst['rank'], text)
        self.assertEqual(0, worst['error_ns'], text)
        self.assertEqual(0, call['late_missing_ns'], text)
        self.assertEqual(call['waiting_ns'], sum(each['waiting_ns'] for each in ranks.values()), text)
        self.assertGreater(worst['waiting_ns'], 0.8 * call['waiting_ns'], text)

    def test_calls_bytes_and_waits_of_a_known_program(self):
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi=mpi):
                result = self.measure(mpi, POPRT_CALLS='on')
                self.check_sums(result)
                calls = {place(each): each for each in result.report['mpi_calls']
                         if each['region'] == 'Global'}
                # calls, collectives, sent, received, communicator
                expected = {
                    ('MPI_Barrier', 'meet'): (12, 12, 0, 0, 4),
                    ('MPI_Recv', 'late_receive'): (1, 0, 0, 1000, 4),
                    ('MPI_Recv', 'early_receive'): (1, 0, 0, 1000, 4),
                    ('MPI_Send', 'give'): (2, 0, 2000, 0, 4),
                    ('MPI_Allreduce', 'sum'): (8, 8, 640, 640, 4),
                    ('MPI_Isend', 'ring'): (20, 0, 81920, 0, 4),
                    ('MPI_Irecv', 'ring'): (20, 0, 0, 0, 4),
                    ('MPI_Waitall', 'ring'): (20, 0, 0, 81920, 0),
                }
                for key, counts in expected.items():
                    call = calls[key]
                    self.assertEqual(counts, tuple(call[name] for name in (
                        'calls', 'collectives', 'sent_bytes', 'received_bytes', 'comm_size')),
                                     f'{key} {result.describe()}')
                self.assertLessEqual(set(calls) - {(None, '')}, set(expected), result.describe())
                self.assertEqual([{'below_bytes': 8192, 'messages': 20}],
                                 calls['MPI_Waitall', 'ring']['message_sizes'])
                # Of two receives at two places one has waited.
                self.check_late(result, calls['MPI_Recv', 'late_receive'], [1], 1)
                self.assertLess(calls['MPI_Recv', 'early_receive']['waiting_ns'], TOLERANCE_NS)
                # Twice a rank was late before a collective, for three others.
                inside = [each for each in result.report['mpi_calls']
                          if each['region'] == 'collective' and each['function']]
                self.assertEqual([('MPI_Allreduce', 'sum')], [place(each) for each in inside])
                self.check_late(result, inside[0], [3, 3], 3)
                self.assertIn('Allreduce calls.c', result.stderr)
                self.assertIn('Granularity', result.stderr)

    def test_calls_of_fortran_are_those_of_the_program(self):
        for mpi, about in CONFIGURATION.mpis.items():
            for binding in ('mpif_h', 'use_mpi_f08') if about['fortran'] else ():
                with self.subTest(mpi=mpi, binding=binding):
                    program = CONFIGURATION.program(mpi, binding + '_shapes')
                    result = harness.run_measured(CONFIGURATION, mpi, 2, 1, [program, 'rooted_calls', '50000'],
                                                  report='json', env={'POPRT_CALLS': 'on'})
                    self.assertTrue(result.status == 0 and result.report is not None,
                                    result.describe())
                    self.check_sums(result)
                    calls = [each for each in result.report['mpi_calls'] if each['function']]
                    self.assertIn('MPI_Bcast', [each['function'] for each in calls])
                    for each in calls:
                        self.assertRegex(each['location'], r'^fortran_\w+\.\w+:\d+ \(',
                                         each)

    def test_without_the_option_there_are_none(self):
        mpi = list(CONFIGURATION.mpis)[0]
        result = self.measure(mpi)
        self.assertEqual([], result.report['mpi_calls'])
        self.assertNotIn('MPI calls by time', result.stderr)


if __name__ == '__main__':
    CONFIGURATION, arguments = harness.command_line()
    unittest.main(argv=arguments)
