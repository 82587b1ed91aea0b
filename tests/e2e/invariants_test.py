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

SUMS = 'regions.0.accumulators.'
WINDOW = 'windows.list.0.'
# Of an MPI call that has waited.
CALL = 'call.'


def place(report, path):
    """What has the value, and its key there."""
    *steps, last = [int(step) if step.isdigit() else step for step in path.split('.')]
    if steps[:1] == ['call']:
        steps[:1] = ['mpi_calls', next(i for i, each in enumerate(report['mpi_calls'])
                                       if each['function'] and each['late_ranks'])]
    for step in steps:
        report = report[step]
    return report, last


def put(path, value):
    def damage(report):
        at, key = place(report, path)
        at[key] = value(report) if callable(value) else value
    return damage


def plus(path, by=1, other=None):
    """The value, or another one, and so much."""
    def damage(report):
        of, of_key = place(report, other or path)
        at, key = place(report, path)
        at[key] = of[of_key] + by
    return damage


def append(path, value):
    def damage(report):
        at, key = place(report, path)
        at[key].append(value(report) if callable(value) else value)
    return damage


def one_process(report):
    report['run']['ranks'] = 1
    plus('regions.0.clocks.all_ns', 5001, SUMS + 'elapsed_max_ns')(report)


def useful_parallel_region(report):
    of_a_place = next(each for each in report['parallel_regions'] if each['location'])
    of_a_place['useful_ns'] = of_a_place['weighted_ns'] + 1


def above_cue(report):
    cue_ns = report['windows']['list'][0]['clocks']['cue_ns'] + 1
    return [{'clock': 'cue_ns', 'least_ns': cue_ns, 'most_ns': cue_ns}]


def a_device(report):
    """Which runs kernels all the time, and has lost one nanosecond."""
    elapsed_ns = report['regions'][0]['accumulators']['elapsed_max_ns']
    idle = {'idle_%s_ns' % part: 0 for part in ('useful', 'mpi', 'openmp', 'accelerator', 'unknown')}
    known = {'kernels_ns': elapsed_ns - 1, 'kernels_least_ns': elapsed_ns - 1,
             'kernels_most_ns': elapsed_ns - 1, 'copies_ns': 0, 'graphs_ns': 0, **idle}
    return {'unit': 'gpu', 'ranks': 2, 'regions': [
        {'name': 'Global', 'elapsed_ns': elapsed_ns, 'known': known}]}


def share_of_a_device(report):
    report['devices'] = [a_device(report)]
    rows = report['regions'][0]['metrics']['additive']
    rows.update({key: 1 for key in rows if key.startswith('device_')})
    rows['device_copy_efficiency'] = 0.5


# How the file is damaged for each rule.
DAMAGES = {
    'states_add_up': plus(SUMS + 'omp_sum_ns'),
    'accelerator_adds_up': plus(SUMS + 'accelerator_waiting_sum_ns'),
    'mpi_adds_up': plus(SUMS + 'mpi_transfer_sum_ns'),
    'parts_of_mpi': plus(SUMS + 'mpi_io_sum_ns', 1, SUMS + 'mpi_sum_ns'),
    'posix_io_is_useful': plus(SUMS + 'posix_io_sum_ns', 1, SUMS + 'useful_sum_ns'),
    'sources_are_openmp': plus(SUMS + 'openmp_scheduling_sum_ns', 1, SUMS + 'omp_sum_ns'),
    'sums_of_maxima': plus(SUMS + 'outside_mpi_max_ns', 1, SUMS + 'elapsed_max_ns'),
    'counted_useful_time': plus(SUMS + 'counters.useful_ns', 1, SUMS + 'useful_sum_ns'),
    'order_of_clocks': plus('regions.0.clocks.comp_ns', -1, 'regions.0.clocks.com_ns'),
    'order_of_maxima': plus(SUMS + 'longest_process.balanced_max_ns', 1,
                            SUMS + 'longest_process.occupied_max_ns'),
    'elapsed_is_on_a_path': plus(SUMS + 'elapsed_max_ns', 1, 'regions.0.clocks.all_ns'),
    'one_process_has_one_path': one_process,
    'hosts_add_up': plus(SUMS + 'nodes.0.useful_sum_ns'),
    'rows_are_complete': lambda report: report['regions'][0]['rows']['serial_ns'].pop(),
    'rows_add_up': plus('regions.0.rows.visits.0'),
    'rows_of_threads_add_up': plus('regions.0.thread_rows.omp_inside_ns.0', 1,
                                   'regions.0.thread_rows.omp_ns.0'),
    'sources_of_threads_close': plus('regions.0.thread_rows.openmp_scheduling_ns.0', 1_000_000),
    'rows_close': plus('regions.0.rows.mpi_waiting_ns.0'),
    'products': plus('regions.0.metrics.waiting.load_balance', -0.01),
    'sums_of_losses': plus('regions.0.metrics.additive.serial_region_efficiency', -0.01),
    'models_agree': plus('regions.0.metrics.pop.parallel_efficiency', -0.01),
    'efficiencies_are_shares': put('regions.0.metrics.talp.openmp_scheduling_efficiency', 1.01),
    'nothing_is_negative': put('quality.overhead_ns', -1),
    'time_closes': put('quality.closure_error_ns', 1),
    'no_impossible_values': append('quality.notes', 'impossible values: please report this'),
    'hosts_are_the_run': plus('run.hosts.0.threads'),
    'regions_are_distinct': append('regions', lambda report: report['regions'][-1]),
    'regions_are_in_the_run': plus('regions.1.accumulators.posix_io_calls_sum', 1,
                                   SUMS + 'posix_io_calls_sum'),
    'entries_add_up': plus('openmp_constructs.0.time_ns'),
    'entries_wait_within_their_time': plus(CALL + 'unknown_ns', 1, CALL + 'time_ns'),
    'late_ones_are_waited_for': plus(CALL + 'late_ranks.0.waiting_ns'),
    'late_ranks_exist': plus(CALL + 'late_ranks.0.rank', 0, 'run.ranks'),
    'path_adds_up': plus('longest_path.parts.0.ns'),
    'path_is_of_the_run': put('longest_path.parts.0.region', 'none of these'),
    'parallel_regions_add_up': plus('region_parallel_regions.0.contribution', 0.01),
    'parallel_regions_are_possible': useful_parallel_region,
    'tasks_are_useful': put('task_constructs', lambda report: [
        {'useful_ns': report['regions'][0]['accumulators']['useful_sum_ns'] + 1}]),
    'windows_add_up': plus(WINDOW + 'accumulators.posix_io_calls_sum'),
    'windows_follow_each_other': plus('windows.list.1.index', 0, WINDOW + 'index'),
    'windows_have_their_length': put(WINDOW + 'accumulators.elapsed_max_ns', lambda report: (
        report['windows']['length_ns'] << 6) + 1),
    'clocks_are_within_bounds': put(WINDOW + 'clock_bounds', above_cue),
    'file_systems_add_up': append('run.file_systems', {
        'calls': 1, 'read_bytes': 0, 'written_bytes': 0, 'time_ns': 0}),
    'processes_add_up': plus('processes.cpu_user_ns.0'),
    'devices_add_up': put('devices', lambda report: [a_device(report)]),
    'shares_of_devices_are_all_time': share_of_a_device,
}


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
