#!/usr/bin/env python3
"""`target` regions of OpenMP on devices that are the host itself: how the time of the threads
is split, whatever the MPI, and that the program stays what it is.

  check_devices.py --config CONFIG [unittest arguments]
"""

import os
import shutil
import sys
import unittest

import harness

CONFIGURATION = None
STEPS = 3
KERNEL_MS = 100
HOST_MS = 60
# Of the core time: sleeps end late, and a copy may wait for a core.
TOLERANCE = 0.03


class Devices(unittest.TestCase):
    maxDiff = None

    def measure(self, mpi, shape, threads=1, env=None, report='json'):
        """(accumulators of the steps, result)"""
        ranks = 1 if mpi == 'none' else 2
        result = harness.run_measured(CONFIGURATION, mpi, ranks, threads,
                                      [CONFIGURATION.program(mpi, 'device_shapes'), shape],
                                      report=report, env=env)
        self.assertTrue(result.status == 0 and result.report is not None, result.describe())
        regions = {region['name']: region for region in result.report['regions']}
        return regions['steps']['accumulators'], result

    def each(self, shape, expect, threads=1):
        """Calls expect(sums, steps of all ranks, result) without MPI and with each."""
        for mpi in ['none'] + list(CONFIGURATION.mpis):
            with self.subTest(mpi=mpi, shape=shape):
                sums, result = self.measure(mpi, shape, threads)
                ranks = 1 if mpi == 'none' else 2
                self.assertEqual(ranks * threads, sums['threads'], result.describe())
                self.assertEqual(sums['accelerator_sum_ns'],
                                 sum(sums[f'accelerator_{part}_sum_ns']
                                     for part in ('waiting', 'copying', 'launching')))
                expect(sums, ranks * STEPS, result)

    def expect(self, sums, result, **expected_ms):
        """`expected_ms` by the key without "_sum_ns"."""
        within = (TOLERANCE + result.beside()) * sums['elapsed_weighted_ns'] / 1e6
        for key, ms in expected_ms.items():
            self.assertAlmostEqual(ms, sums[f'{key}_sum_ns'] / 1e6, delta=within,
                                   msg=f'{key}: {result.describe()}')

    def expect_devices(self, sums, result, count, **expected_ms):
        """What each device did in the steps, by the key without "_ns"; and nothing else."""
        devices = result.report['devices']
        self.assertEqual(count, len(devices), result.describe())
        for device in devices:
            self.assertEqual(1, device['ranks'])
            known = next(region['known'] for region in device['regions']
                         if region['name'] == 'steps')
            for key, ms in {'kernels': 0, 'copies': 0, 'idle_useful': 0, 'idle_mpi': 0,
                            'idle_openmp': 0, 'idle_accelerator': 0, 'idle_unknown': 0,
                            **expected_ms}.items():
                self.assertAlmostEqual(ms, known[f'{key}_ns'] / 1e6,
                                       delta=(TOLERANCE + result.beside()) * sums['elapsed_max_ns'] / 1e6,
                                       msg=f'{key} of {device["unit"]}: {result.describe()}')

    def test_host_that_goes_on(self):
        """Kernels of 100 ms while the host works for 60: it waits for 40, in OpenMP."""
        def expect(sums, steps, result):
            self.expect(sums, result, useful=steps * HOST_MS, omp=steps * (KERNEL_MS - HOST_MS),
                        accelerator=0)
            self.expect_devices(sums, result, steps // STEPS, kernels=STEPS * KERNEL_MS)
        self.each('nowait', expect)

    def test_host_that_waits(self):
        def expect(sums, steps, result):
            self.expect(sums, result, useful=steps * HOST_MS, accelerator=steps * KERNEL_MS,
                        accelerator_waiting=steps * KERNEL_MS, omp=0)
            self.expect_devices(sums, result, steps // STEPS, kernels=STEPS * KERNEL_MS,
                                idle_useful=STEPS * HOST_MS)
        self.each('blocking', expect)

    def test_two_threads_with_a_device_each(self):
        def expect(sums, steps, result):
            kernels_ms = 2 * steps * KERNEL_MS
            self.expect(sums, result, useful=2 * steps * HOST_MS, accelerator=kernels_ms,
                        accelerator_waiting=kernels_ms, accelerator_inside=kernels_ms, omp=0)
            self.expect_devices(sums, result, 2 * steps // STEPS, kernels=STEPS * KERNEL_MS,
                                idle_useful=STEPS * HOST_MS)
        self.each('two_devices', expect, threads=2)

    def test_data_regions(self):
        """32 MiB to the device and twice back."""
        def expect(sums, steps, result):
            self.expect(sums, result, useful=steps * HOST_MS, accelerator_waiting=steps * KERNEL_MS)
            self.assertGreater(sums['accelerator_copying_sum_ns'], steps * 1e6, result.describe())
        self.each('data', expect)

    def test_memory_without_constructs(self):
        def expect(sums, steps, result):
            self.expect(sums, result, useful=steps * HOST_MS, accelerator_waiting=0, omp=0)
            self.assertGreater(sums['accelerator_copying_sum_ns'], steps * 1e6, result.describe())
        self.each('memory', expect)

    def test_teams_of_a_kernel_are_the_devices(self):
        """The program has one parallel region, of two threads; the kernel's are no other ones."""
        def expect(sums, steps, result):
            # Outside the parallel region the second thread is idle.
            self.expect(sums, result, useful=2 * steps * HOST_MS,
                        accelerator_waiting=steps * KERNEL_MS, omp=steps * KERNEL_MS)
            rows = [row for row in result.report['parallel_regions'] if row['module'] is not None]
            self.assertEqual(['device_shapes'], [os.path.basename(row['module']) for row in rows])
            self.assertEqual(sums['processes'] * (STEPS + 1), rows[0]['visits'])
        self.each('teams', expect, threads=2)

    def test_without_devices_the_time_is_useful(self):
        sums, result = self.measure('none', 'blocking', env={'POPRT_DEVICES': 'none'})
        self.expect(sums, result, useful=STEPS * (KERNEL_MS + HOST_MS), accelerator=0)
        self.assertEqual([], result.report['devices'])

    def test_what_helpers_write_is_in_no_total(self):
        """The runtime writes the code of kernels to a file; for `nowait` a helper thread does."""
        _, result = self.measure('none', 'nowait', env={'POPRT_IO': 'posix'})
        run = result.report['regions'][0]['accumulators']
        self.assertEqual(run['posix_io_calls_sum'],
                         sum(each['calls'] for each in result.report['run']['file_systems']))


class Bridge(harness.FolderTest):
    def go(self, library, shape='opened', program='device_shapes', **env):
        output = os.path.join(self.base, 'run.json')
        if os.path.exists(output):
            os.remove(output)
        result = harness.run([CONFIGURATION.program('none', program), shape],
                             harness.environment(LD_PRELOAD=library, POPRT_OUTPUT=output,
                                                 OMP_NUM_THREADS='3', TMPDIR=self.base, **env),
                             self.base)
        if os.path.exists(output):
            result.report = harness.read_report(output)
        return result

    def test_a_program_that_opens_the_runtime_gets_it(self):
        plain = self.go(None)
        self.assertIn('threads: 3\n', plain.stdout)
        under = self.go(CONFIGURATION.omp_library)
        self.assertEqual((0, plain.stdout), (under.status, under.stdout), under.describe())
        self.assertGreater(under.report['regions'][0]['accumulators']['accelerator_sum_ns'], 0)
        harness.expect_not_noted(self, 'openmp_targets', under.report['quality']['notes'])

    def test_a_plugin_with_code_for_devices(self):
        """Neither it nor what it is linked to is in the program's own scope."""
        plugin = os.path.join(CONFIGURATION.programs, 'libdevice_plugin.so')
        plain = self.go(None, plugin, program='device_plugin')
        under = self.go(CONFIGURATION.omp_library, plugin, program='device_plugin')
        self.assertEqual((0, '2\n'), (plain.status, plain.stdout), plain.describe())
        self.assertEqual((0, plain.stdout), (under.status, under.stdout), under.describe())
        waiting_ns = under.report['regions'][0]['accumulators']['accelerator_waiting_sum_ns']
        self.assertGreaterEqual(waiting_ns, 99e6, under.describe())

    def test_a_library_that_lacks_it_says_what_is_not_seen(self):
        alone = shutil.copy(CONFIGURATION.omp_library, self.base)
        under = self.go(alone)
        self.assertEqual((0, self.go(None).stdout), (under.status, under.stdout), under.describe())
        harness.expect_noted(self, 'openmp_targets', under.report['quality']['notes'])
        self.assertEqual(0, under.report['regions'][0]['accumulators']['accelerator_sum_ns'])
        # Who does not ask for devices is told nothing.
        under = self.go(alone, POPRT_DEVICES='none')
        harness.expect_not_noted(self, 'openmp_targets', under.report['quality']['notes'])


if __name__ == '__main__':
    CONFIGURATION, arguments = harness.command_line()
    if not os.path.exists(CONFIGURATION.program('none', 'device_shapes')):
        print('no programs with devices: the compiler makes none')
        sys.exit(77)
    unittest.main(argv=arguments)
