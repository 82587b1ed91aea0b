#!/usr/bin/env python3
"""Each rule of invariants.py holds in the run file of a program that is measured with
everything, and can fail: the file is damaged once for each.

  invariants_test.py --config CONFIG [unittest arguments]
"""

import copy
import unittest

import harness
import invariants
from measured_test import MeasuredTest

CONFIGURATION = None
EVERYTHING = {'POPRT_CALLS': 'on', 'POPRT_WINDOWS': '50ms', 'POPRT_PATH': 'waiting,regions,without:fill',
              'POPRT_IO': 'posix', 'POPRT_ROWS': 'thread'}

# How the file is damaged for each rule.
DAMAGES = {}


def damage(function):
    DAMAGES[function.__name__] = function
    return function


def of_global(report):
    return report['regions'][0]


def sums(report):
    return of_global(report)['accumulators']


def call(report):
    """An MPI call that has waited."""
    return next(each for each in report['mpi_calls'] if each['function'] and each['late_ranks'])


@damage
def states_add_up(report):
    sums(report)['omp_sum_ns'] += 1


@damage
def mpi_adds_up(report):
    sums(report)['mpi_transfer_sum_ns'] += 1


@damage
def parts_of_mpi(report):
    sums(report)['mpi_io_sum_ns'] = sums(report)['mpi_sum_ns'] + 1


@damage
def posix_io_is_useful(report):
    sums(report)['posix_io_sum_ns'] = sums(report)['useful_sum_ns'] + 1


@damage
def sources_are_openmp(report):
    sums(report)['openmp_scheduling_sum_ns'] = sums(report)['omp_sum_ns'] + 1


@damage
def sums_of_maxima(report):
    sums(report)['outside_mpi_max_ns'] = sums(report)['elapsed_max_ns'] + 1


@damage
def counted_useful_time(report):
    sums(report)['counters']['useful_ns'] = sums(report)['useful_sum_ns'] + 1


@damage
def order_of_clocks(report):
    of_global(report)['clocks']['comp_ns'] = of_global(report)['clocks']['com_ns'] - 1


@damage
def order_of_maxima(report):
    longest = sums(report)['longest_process']
    longest['balanced_max_ns'] = longest['occupied_max_ns'] + 1


@damage
def elapsed_is_on_a_path(report):
    sums(report)['elapsed_max_ns'] = of_global(report)['clocks']['all_ns'] + 1


@damage
def one_process_has_one_path(report):
    report['run']['ranks'] = 1
    of_global(report)['clocks']['all_ns'] = sums(report)['elapsed_max_ns'] + 5001


@damage
def hosts_add_up(report):
    sums(report)['nodes'][0]['useful_sum_ns'] += 1


@damage
def rows_are_complete(report):
    of_global(report)['rows']['serial_ns'].pop()


@damage
def rows_add_up(report):
    of_global(report)['rows']['visits'][0] += 1


@damage
def rows_of_threads_add_up(report):
    of_global(report)['thread_rows']['omp_inside_ns'][0] = \
        of_global(report)['thread_rows']['omp_ns'][0] + 1


@damage
def sources_of_threads_close(report):
    of_global(report)['thread_rows']['openmp_scheduling_ns'][0] += 1_000_000


@damage
def rows_close(report):
    of_global(report)['rows']['mpi_waiting_ns'][0] += 1


@damage
def products(report):
    of_global(report)['metrics']['waiting']['load_balance'] *= 0.99


@damage
def sums_of_losses(report):
    of_global(report)['metrics']['additive']['serial_region_efficiency'] -= 0.01


@damage
def models_agree(report):
    of_global(report)['metrics']['pop']['parallel_efficiency'] -= 0.01


@damage
def efficiencies_are_shares(report):
    of_global(report)['metrics']['talp']['openmp_scheduling_efficiency'] = 1.01


@damage
def nothing_is_negative(report):
    report['quality']['overhead_ns'] = -1


@damage
def time_closes(report):
    report['quality']['closure_error_ns'] = 1


@damage
def no_impossible_values(report):
    report['quality']['notes'].append('impossible values: please report this')


@damage
def hosts_are_the_run(report):
    report['run']['hosts'][0]['threads'] += 1


@damage
def regions_are_distinct(report):
    report['regions'].append(report['regions'][-1])


@damage
def regions_are_in_the_run(report):
    report['regions'][1]['accumulators']['posix_io_calls_sum'] = sums(report)['posix_io_calls_sum'] + 1


@damage
def entries_add_up(report):
    report['openmp_constructs'][0]['time_ns'] += 1


@damage
def entries_wait_within_their_time(report):
    call(report)['unknown_ns'] = call(report)['time_ns'] + 1


@damage
def late_ones_are_waited_for(report):
    call(report)['late_ranks'][0]['waiting_ns'] += 1


@damage
def late_ranks_exist(report):
    call(report)['late_ranks'][0]['rank'] = report['run']['ranks']


@damage
def path_adds_up(report):
    report['longest_path']['parts'][0]['ns'] += 1


@damage
def path_is_of_the_run(report):
    report['longest_path']['parts'][0]['region'] = 'none of these'


@damage
def parallel_regions_add_up(report):
    report['region_parallel_regions'][0]['contribution'] += 0.01


@damage
def parallel_regions_are_possible(report):
    of_a_place = next(each for each in report['parallel_regions'] if each['location'])
    of_a_place['useful_ns'] = of_a_place['weighted_ns'] + 1


@damage
def tasks_are_useful(report):
    report['task_constructs'] = [{'useful_ns': sums(report)['useful_sum_ns'] + 1}]


@damage
def windows_add_up(report):
    report['windows']['list'][0]['accumulators']['posix_io_calls_sum'] += 1


@damage
def windows_follow_each_other(report):
    report['windows']['list'][1]['index'] = report['windows']['list'][0]['index']


@damage
def windows_have_their_length(report):
    window = report['windows']['list'][0]
    window['accumulators']['elapsed_max_ns'] = (report['windows']['length_ns'] << 6) + 1


@damage
def clocks_are_within_bounds(report):
    window = report['windows']['list'][0]
    cue_ns = window['clocks']['cue_ns']
    window['clock_bounds'] = [{'clock': 'cue_ns', 'least_ns': cue_ns + 1, 'most_ns': cue_ns + 1}]


@damage
def file_systems_add_up(report):
    report['run']['file_systems'].append(
        {'calls': 1, 'read_bytes': 0, 'written_bytes': 0, 'time_ns': 0})


@damage
def processes_add_up(report):
    report['processes']['cpu_user_ns'][0] += 1


class Invariants(MeasuredTest):
    def test_each_rule_can_fail(self):
        mpi = sorted(CONFIGURATION.mpis)[-1]
        good = self.measure(mpi, 'path', env=EVERYTHING)
        self.assertEqual([], invariants.violations(good))
        rules = invariants.RULES_OF_REPORTS + invariants.RULES_OF_PARTS
        self.assertEqual(sorted(rule.__name__ for rule in rules), sorted(DAMAGES))
        for name, apply in DAMAGES.items():
            with self.subTest(rule=name):
                damaged = copy.deepcopy(good)
                apply(damaged)
                broken = {sentence.partition(':')[0] for sentence in invariants.violations(damaged)}
                self.assertIn(name, broken)

    def test_what_is_no_run_file(self):
        self.assertEqual([], invariants.violations({'schema': 'poprt.scale'}))
        for regions in ([], [{'name': 'solver'}]):
            self.assertEqual(1, len(invariants.violations(
                {'schema': 'poprt.run', 'regions': regions})))


if __name__ == '__main__':
    CONFIGURATION, arguments = harness.command_line()
    unittest.main(argv=arguments)
