#!/usr/bin/env python3
"""OpenMP constructs by place: visits to the last one, who waited for whom.

  check_constructs.py --config CONFIG [unittest arguments]
"""

import os
import shutil
import tempfile
import unittest

import harness

CONFIGURATION = None
LATE_NS = 100e6
# In steps of 1 ms a thread waits until another one has begun.
TOLERANCE_NS = 1e6


def place(construct):
    """Construct and the program's function: ("barrier", "meet")."""
    function = (construct['location'] or '').rpartition('(')[2].rstrip(')')
    return construct['construct'], function.split('.')[0]


class Constructs(unittest.TestCase):
    def measure(self, mpi, ranks, command, **rest):
        result = harness.run_measured(CONFIGURATION, mpi, ranks, 4, command,
                                      report='text,json', own_time=True, **rest)
        self.assertTrue(result.status == 0 and result.report is not None, result.describe())
        return result

    def check_sums(self, result):
        for region in result.report['regions']:
            constructs = [each for each in result.report['openmp_constructs']
                          if each['region'] == region['name']]
            self.assertEqual(region['accumulators']['omp_sum_ns'],
                             sum(each['time_ns'] for each in constructs),
                             f'{region["name"]} {result.describe()}')

    def check_late(self, result, construct, waits, thread=None, late=LATE_NS):
        """`waits`: how often a thread waited so long for the late one."""
        text = f'{construct} {result.describe()}'
        self.assertAlmostEqual(waits * late, construct['waiting_ns'], delta=waits * TOLERANCE_NS,
                               msg=text)
        (shares,) = construct['late_threads'] or [None]
        self.assertEqual((waits, 0), (shares['visits'], shares['error_ns']), text)
        self.assertEqual(construct['waiting_ns'], shares['waiting_ns'], text)
        self.assertGreaterEqual(construct['time_ns'], construct['waiting_ns'], text)
        if thread is not None:
            self.assertEqual(thread, shares['thread'], text)

    def check_program(self, result, loop):
        """`loop`: what a static loop is, and its iterations."""
        self.check_sums(result)
        found = {}
        for each in result.report['openmp_constructs']:
            if each['region'] == 'Global':
                self.assertNotIn(place(each), found, result.describe())
                found[place(each)] = each
        # visits, iterations, who waits how often, and for whom
        expected = {
            ('barrier', 'meet'): (8, 0, 6, 1),
            (loop[0], 'share'): (4, loop[1], 3, 3),
            ('loop dynamic', 'deal'): (4, 20, 3, None),
            ('critical', 'enter'): (2, 0, 1, 2),
            ('lock', 'take_contended'): (2, 0, 1, 0),
            ('lock', 'take_uncontended'): (10, 0, 0, None),
            ('lock', 'take_grid'): (2, 0, 0, None),
            ('lock', 'take_local'): (1, 0, 0, None),
            ('task', 'spawn'): (1, 0, 0, None),
            ('taskwait', 'wait_for_child'): (1, 0, 1, None),
            ('single', 'alone'): (4, 0, None, None),
            ('parallel', 'gather'): (4, 0, 0, None),
            ('parallel end', 'gather'): (4, 0, 3, 2),
            ('parallel', 'exclude'): (4, 0, 0, None),
            ('parallel end', 'exclude'): (4, 0, None, None),
        }
        self.assertEqual(set(expected), set(found) - {(None, '')}, result.describe())
        for key, (visits, iterations, waits, thread) in expected.items():
            construct = found[key]
            self.assertEqual((visits, iterations), (construct['visits'], construct['iterations']),
                             f'{key} {result.describe()}')
            if waits:
                self.check_late(result, construct, waits, thread)
            elif waits == 0:
                self.assertLess(construct['waiting_ns'], TOLERANCE_NS, result.describe())
        for key, lock in ((('critical', 'enter'), 'gate'), (('lock', 'take_contended'), 'contended'),
                          (('lock', 'take_uncontended'), 'uncontended'),
                          (('barrier', 'meet'), None)):
            self.assertEqual(lock, found[key]['lock'], f'{key} {result.describe()}')
        for taken, made in (('take_grid', 'make_grid'), ('take_local', 'make_local')):
            self.assertRegex(found['lock', taken]['lock'],
                             rf'^initialised at constructs\.c:\d+ \({made}\)$', result.describe())
        self.assertIn('\n critical(gate) ', result.stderr)
        (child,) = found['taskwait', 'wait_for_child']['late_threads']
        self.assertNotEqual(0, child['thread'], result.describe())
        # In serial code three threads are in no construct for 50 ms.
        self.assertAlmostEqual(150e6, found[None, '']['time_ns'], delta=3 * TOLERANCE_NS,
                               msg=result.describe())
        inside = {place(each) for each in result.report['openmp_constructs']
                  if each['region'] == 'exclude'}
        self.assertEqual({('critical', 'enter'), ('lock', 'take_contended'),
                          ('lock', 'take_uncontended'), ('lock', 'take_grid'),
                          ('lock', 'take_local'), ('task', 'spawn'),
                          ('taskwait', 'wait_for_child'), ('single', 'alone'),
                          ('parallel', 'exclude'), ('parallel end', 'exclude')},
                         inside - {(None, '')}, result.describe())
        self.assertIn('barrier constructs.c:', result.stderr)

    def test_visits_and_waits_of_a_known_program(self):
        result = self.measure('none', 1, [CONFIGURATION.program('none', 'constructs')],
                              env={'POPRT_CALLS': 'on'})
        self.check_program(result, ('loop static', 4))

    def test_without_the_program_that_finds_lines(self):
        """Then it is not the program that lacks them."""
        whole = self.measure('none', 1, [CONFIGURATION.program('none', 'constructs')])
        harness.expect_not_noted(self, 'no_locations', whole.report['quality']['notes'], whole.describe())
        with tempfile.TemporaryDirectory(prefix='poprt-e2e-') as folder:
            own = CONFIGURATION.library('none')
            library = shutil.copy(own, folder)
            helper = os.path.join(folder, 'poprt-locations')
            for why in ("it is not beside poprt's library", 'No such file or directory'):
                CONFIGURATION.replace_library('none', library)
                try:
                    result = self.measure('none', 1, [CONFIGURATION.program('none', 'constructs')])
                finally:
                    CONFIGURATION.replace_library('none', own)
                harness.expect_noted(self, 'no_locations', result.report['quality']['notes'], result.describe())
                said = ' '.join(result.stderr.split())
                self.assertIn('poprt-locations could not be started (%s)' % why, said)
                self.assertNotIn('debug symbols', said)
                with open(helper, 'w', encoding='ascii') as script:
                    script.write('#!/no/such/interpreter\n')
                os.chmod(helper, 0o755)

    def test_the_same_program_built_by_gcc(self):
        """GCC's static loops and their barriers are not told apart from barriers."""
        if not CONFIGURATION.gcc_languages:
            self.skipTest('no gcc')
        result = self.measure('none', 1, [CONFIGURATION.program('none', 'gcc_constructs')],
                              llvm_openmp=True, env={'POPRT_CALLS': 'on'})
        self.check_program(result, ('barrier', 0))

    def test_sums_beside_mpi(self):
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi=mpi):
                program = [CONFIGURATION.program(mpi, 'hybrid_shapes'), 'critical', '50000']
                result = self.measure(mpi, 2, program, env={'POPRT_CALLS': 'on'})
                self.check_sums(result)
                (critical,) = [each for each in result.report['openmp_constructs']
                               if each['region'] == 'Global' and each['construct'] == 'critical']
                self.assertGreater(critical['waiting_ns'], 0.9 * critical['time_ns'])

    def test_locks_of_each_rank_have_names(self):
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi=mpi):
                program = [CONFIGURATION.program(mpi, 'hybrid_shapes'), 'locks_of_one_rank', '1']
                result = self.measure(mpi, 2, program, env={'POPRT_CALLS': 'on'})
                locks = sorted(each['lock'] for each in result.report['openmp_constructs']
                               if each['region'] == 'Global' and each['lock'])
                self.assertEqual(3, len(locks), result.describe())
                self.assertRegex(locks[0], r'^initialised at hybrid_shapes\.c:\d+ '
                                           r'\(locks_of_one_rank\)$')
                self.assertEqual(['table', 'table_lock'], locks[1:], result.describe())

    def test_without_the_option_there_are_none(self):
        result = self.measure('none', 1, [CONFIGURATION.program('none', 'omp_shapes'), 'critical',
                                          '1000'])
        self.assertEqual([], result.report['openmp_constructs'])
        self.assertNotIn('OpenMP constructs by time', result.stderr)


if __name__ == '__main__':
    CONFIGURATION, arguments = harness.command_line()
    unittest.main(argv=arguments)
