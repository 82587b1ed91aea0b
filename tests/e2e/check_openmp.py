#!/usr/bin/env python3
"""What OpenMP programs use besides parallel regions: leagues of teams, `target` on the
host, threads with regions of their own, and tools of their own.

  check_openmp.py --config CONFIG [unittest arguments]
"""

import os
import subprocess
import unittest

import harness

CONFIGURATION = None
TOLERANCE = 0.0005
# Rows that may exceed 1 (docs/metrics.md), and those that do so with a note.
MAY_EXCEED = ('multiplicative.openmp_', 'talp.mpi_')


class OpenMpTest(harness.FolderTest):
    def setUp(self):
        super().setUp()
        self.file = os.path.join(self.base, 'run.json')

    def go(self, program, *arguments, library=None, **env):
        """(result without the library, with it, its run file or None)"""
        command = [os.path.join(CONFIGURATION.programs, program), *arguments]
        env = {'OMP_NUM_THREADS': '2', 'TMPDIR': self.base, 'POPRT_OUTPUT': self.file,
               'POPRT_MODEL': 'all', **env}
        plain = harness.run(command, harness.environment(**env), self.base)
        preload = CONFIGURATION.omp_library if library is None else library
        result = harness.run(command, harness.environment(**env, LD_PRELOAD=preload), self.base)
        self.assertEqual((plain.status, plain.stdout, plain.hang),
                         (result.status, result.stdout, result.hang), result.describe())
        return plain, result, (harness.read_report(self.file) if os.path.exists(self.file)
                               else None)


class Ranges(OpenMpTest):
    def assert_in_range(self, report):
        for region in report['regions']:
            for key, value in region['accumulators'].items():
                if isinstance(value, int):
                    self.assertGreaterEqual(value, 0, key)
            for model, metrics in region['metrics'].items():
                for key, value in metrics.items():
                    if value is None or f'{model}.{key}'.startswith(MAY_EXCEED):
                        continue
                    self.assertTrue(-TOLERANCE <= value <= 1 + TOLERANCE, (model, key, value))
        rows = report['parallel_regions']
        efficiency = report['regions'][0]['metrics']['additive']['openmp_region_efficiency']
        if rows and efficiency is not None:
            self.assertAlmostEqual(1 - efficiency, sum(row['contribution'] for row in rows), places=6)
        for row in rows:
            if row['module'] is not None:
                self.assertGreaterEqual(row['contribution'], -TOLERANCE, row)

    def check_paused(self, report, result):
        """The report is of what was known: the first visit, unless the runtime told of all."""
        visit = next(region for region in report['regions'] if region['name'] == 'visit')
        known = 1 if harness.is_noted('openmp_until_ended', report['quality']['notes']) else 5
        self.assertEqual(known, visit['accumulators']['visits'], result.describe())
        # Sleeps are never too short.
        self.assertGreaterEqual(visit['accumulators']['useful_sum_ns'] / 180e6, 0.99 * known,
                                result.describe())

    def test_leagues_targets_and_other_threads(self):
        for case in ('target_loop', 'one_team', 'teams_loop', 'teams_of_one', 'in_parallel',
                     'deferred', 'other_threads', 'short_threads', 'paused', 'leave_inside'):
            with self.subTest(case=case):
                if os.path.exists(self.file):
                    os.remove(self.file)
                _, result, report = self.go('leagues', case)
                self.assertIsNotNone(report, result.describe())
                self.assert_in_range(report)
                again = subprocess.run([CONFIGURATION.command, 'report', self.file, '--model', 'all'],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
                self.assertEqual((0, b''), (again.returncode, again.stderr))
                # Where threads work in others' parallel regions, nobody knows what they lose. The second team of a
                # league does nothing in its own, which takes more than half a percent where it waits for a core.
                region = report['regions'][0]
                elsewhere = (region['accumulators']['openmp_other_teams_sum_ns'] >
                             0.005 * region['accumulators']['elapsed_weighted_ns'])
                if case != 'teams_of_one':
                    self.assertEqual(case in ('other_threads', 'short_threads'), elsewhere)
                self.assertEqual(elsewhere, region['metrics']['additive']['openmp_region_efficiency'] is None)
                if case == 'short_threads':  # a thread that ends frees its core
                    self.assertEqual(5, report['run']['threads'], result.describe())
                if case == 'paused':
                    self.check_paused(report, result)
                if case == 'deferred':
                    self.assertIn('`target nowait`', ' '.join(report['quality']['notes']))
                    helpers = report['run']['devices']['target_on_host_sum_ns']
                    self.assertGreater(helpers, 0)
                    # More than the helpers worked may be lost until they start.
                    if region['accumulators']['omp_sum_ns'] <= helpers:
                        self.assertNotIn(b'The largest loss', b' '.join(again.stdout.split()))


class OwnTool(OpenMpTest):
    NO_REPORT = ('poprt: no report: OpenMP is not measured: the program has an OpenMP tool of '
                 'its own ({}), and the OpenMP runtime takes only one\n')

    def assert_gave_way(self, tool, program, **env):
        plain, result, report = self.go(program, **env)
        self.assertIn("tool: told, 0 of poprt's\n", plain.stdout)
        self.assertIsNone(report)
        self.assertEqual(self.NO_REPORT.format(tool), result.stderr)

    def test_tool_in_the_program(self):
        self.assert_gave_way('own_tool', 'own_tool')

    def test_tool_that_is_linked(self):
        self.assert_gave_way('libown_tool.so', 'own_tool_linked')

    def test_tool_that_the_user_names(self):
        tool = os.path.join(CONFIGURATION.programs, 'libown_tool.so')
        self.assert_gave_way('libown_tool.so', 'own_tool_absent', OMP_TOOL_LIBRARIES=tool)

    def test_names_that_are_no_tool_are_nobody(self):
        own = CONFIGURATION.omp_library
        for named in ('/nowhere/tool.so', own, f'/nowhere/tool.so:{own}'):
            with self.subTest(named=named):
                if os.path.exists(self.file):
                    os.remove(self.file)
                command = [os.path.join(CONFIGURATION.programs, 'own_tool_absent')]
                env = harness.environment(POPRT_OUTPUT=self.file, OMP_TOOL_LIBRARIES=named,
                                          LD_PRELOAD=own)
                result = harness.run(command, env, self.base)
                self.assertEqual(0, result.status, result.describe())
                report = harness.read_report(self.file)
                self.assertIsNotNone(report['run']['openmp'])
                self.assertEqual([], report['quality']['notes'])

    def test_our_own_addresses_are_the_programs(self):
        """poprt's own entry points are frames of the call stack, but all tasks are
        attributed to the program."""
        _, _, report = self.go('own_tool_absent')
        tasks = report['task_constructs']
        self.assertEqual([], [row for row in tasks if row['module'] is None])
        self.assertEqual({'own_tool_absent'},
                         {os.path.basename(row['module']) for row in tasks})
        self.assertGreaterEqual(len(tasks), 4)


if __name__ == '__main__':
    CONFIGURATION, argv = harness.command_line()
    unittest.main(argv=argv)
