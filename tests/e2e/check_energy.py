#!/usr/bin/env python3
"""Energy of the host, on a machine whose packages draw 100 W each
(programs/fake_powercap.c).

  check_energy.py --config CONFIG [unittest arguments]
"""

import glob
import json
import os
import subprocess
import unittest

import harness
from measured_test import MeasuredTest

CONFIGURATION = None
WATTS = 100


class Energy(MeasuredTest):
    def make_packages(self, count, name='package', range_uj=262143328850):
        for i in range(count):
            folder = os.path.join(self.base, 'intel-rapl:%d' % i)
            os.makedirs(folder)
            for file, text in (('name', '%s-%d\n' % (name, i)), ('energy_uj', ''),
                               ('max_energy_range_uj', '%d\n' % range_uj),
                               ('constraint_0_power_limit_uw', '%d\n' % (WATTS * 1e6))):
                with open(os.path.join(folder, file), 'w', encoding='utf-8') as out:
                    out.write(text)

    def measure_energy(self, mpi, counters=None, what=()):
        env = {'FAKE_POWERCAP': self.base}
        if counters:
            env['POPRT_COUNTERS'] = counters
        return self.measure(mpi, 'busy_threads', *what, env=env, report='text,json',
                            beside=os.path.join(CONFIGURATION.programs, 'libfake_powercap.so'))

    def test_once_per_host(self):
        """Two packages, however many processes read them."""
        self.make_packages(2)
        for mpi, _ in self.everywhere():
            report = self.measure_energy(mpi)
            hosts = report['run']['hosts']
            self.assertEqual(1, len(hosts))
            self.check_two_packages(report)
            self.assertRegex(self.energy_line(), hosts[0]['name'] + r' [0-9]+ J, [0-9]+ W')
        path = os.path.join(self.base, 'run.json')
        with open(path, 'w', encoding='utf-8') as out:
            json.dump(report, out)
        table = subprocess.run([CONFIGURATION.command, 'scale', path, '--format', 'csv'],
                               capture_output=True, text=True, timeout=60, check=True).stdout
        self.assertIn('energy_j', table)
        self.assertIn('power_w', table)
        for words in (['report', path, '--format', 'csv'], ['diff', path, path, '--format', 'csv'],
                      ['check', path, '--max', 'power_w=1000', '--any-light'], ['explain', 'power_w', path]):
            answer = subprocess.run([CONFIGURATION.command, *words], capture_output=True, text=True,
                                    timeout=60, check=True).stdout
            self.assertRegex(answer, r'hosts[.,]power_w')

    def test_counters_begin_anew(self):
        """In a run of a second or more, counters that begin anew after 0.8 s: the energy is right
        where events read them in between, and is said to be the least where there are none."""
        self.make_packages(2, range_uj=80 * 10**6)
        for mpi, _ in self.everywhere():
            report = self.measure_energy(mpi, what=['steps'])
            host = report['run']['hosts'][0]
            elapsed_s = report['regions'][0]['elapsed_max_ns'] * 1e-9
            self.assertGreater(elapsed_s, 1)
            self.assertFalse(host['energy_is_least'], self.result.describe())
            self.check_two_packages(report)
            self.assertNotIn('at least', self.energy_line())
        for file in glob.glob(os.path.join(self.base, '*', 'max_energy_range_uj')):
            with open(file, 'w', encoding='utf-8') as out:
                out.write('%d\n' % (20 * 10**6))
        report = self.measure_energy('none', what=['sleep'])
        host = report['run']['hosts'][0]
        self.assertTrue(host['energy_is_least'], self.result.describe())
        # A turn of each counter is missing.
        self.assertLess(host['energy_uj'] * 1e-6, 2 * WATTS * self.result.seconds - 2 * 19)
        self.assertIn(host['name'] + ' at least ', self.energy_line())

    def check_two_packages(self, report):
        """Read before and after the clock, and less often than the program as a whole takes."""
        joules = report['run']['hosts'][0]['energy_uj'] * 1e-6
        elapsed_s = report['regions'][0]['elapsed_max_ns'] * 1e-9
        self.assertLessEqual(2 * WATTS * elapsed_s * 0.99, joules, self.result.describe())
        self.assertLessEqual(joules, 2 * WATTS * self.result.seconds * 1.01, self.result.describe())

    def energy_line(self):
        return next(line for line in self.result.stderr.splitlines() if ' Energy ' in line)

    def test_nothing_to_be_read(self):
        """Is said only to those who ask."""
        self.make_packages(1, 'psys')
        for counters, count in ((None, 0), ('energy', 1)):
            report = self.measure_energy('none', counters)
            notes = [note for note in report['quality']['notes'] if 'energy' in note]
            self.assertEqual(count, len(notes), self.result.describe())
            self.assertEqual(0, report['run']['hosts'][0]['energy_uj'])
            self.assertNotIn(' Energy ', self.result.stderr)


if __name__ == '__main__':
    CONFIGURATION, arguments = harness.command_line()
    unittest.main(argv=arguments)
