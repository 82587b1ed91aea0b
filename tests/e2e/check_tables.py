#!/usr/bin/env python3
"""Tables of limited size at their limits, one beyond, and at ten times as much: alone,
together, and with every option.

  check_tables.py --config CONFIG [unittest arguments]
"""

import unittest

import harness
from measured_test import MeasuredTest
from run import OPTIONS

CONFIGURATION = None

# What the program fills (programs/tables.c), and the limits.
TABLES = {
    'regions': [35, 71, 511],    # kTravellingRegions (half of them with POPRT_PATH=waiting), kMaxRegions
    'handles': [1024],           # RegionNames::kMost
    'sets': [511],               # RegionSets::kMost
    'calls': [1024],             # SiteTable::kMostSites
    'constructs': [1024],        # the same
    'locks': [1024],
    'tasks': [16],               # no table, but the first time in OpenMP
    'metadata': [64],            # kMostMetadata
    'visits': [64],              # kKeptWindows, with POPRT_WINDOWS
    'late': [8, 16],             # LateRankCounters::kMost, LateRanks::kMost; PathNote::kMostParts
}
WINDOWS = {'POPRT_WINDOWS': 'region:step/1'}


class Tables(MeasuredTest):
    def fill(self, mpi, sizes, **env):
        self.measure(mpi, 'tables', *('%s=%d' % each for each in sizes.items()), env=env)
        ends = 'end' * (1 if mpi == 'none' else 2)  # launchers mix the lines of ranks
        self.assertEqual(ends, self.result.stdout.replace('\n', ''))
        return self.result.report['quality']['notes']

    def test_each_alone(self):
        """No table belongs to an MPI: they take turns, and meet all tables together below."""
        mpis = ['none', *harness.CONFIGURATION.mpis]
        for row, (table, limits) in enumerate(TABLES.items()):
            sizes = [size for limit in limits for size in (limit, limit + 1)] + [10 * limits[-1]]
            for column, size in enumerate(sizes):
                mpi = mpis[(row + column) % len(mpis)]
                with self.subTest(mpi=mpi, table=table, size=size):
                    notes = self.fill(mpi, {table: size}, **{**OPTIONS['all'], **WINDOWS})
                    if table == 'sets' and size > limits[0]:
                        harness.expect_noted(self, 'region_sets', notes)
                    else:
                        harness.expect_not_noted(self, 'region_sets', notes)

    def test_all_together(self):
        for mpi, _ in self.everywhere():
            for option, size in (('all', lambda limit: limit), ('calls', lambda limit: limit + 1),
                                 ('all', lambda limit: 10 * limit)):
                sizes = {table: size(limits[-1]) for table, limits in TABLES.items()}
                self.fill(mpi, sizes, **{**OPTIONS[option], **WINDOWS})


if __name__ == '__main__':
    CONFIGURATION, arguments = harness.command_line()
    unittest.main(argv=arguments)
