#!/usr/bin/env python3
"""Functions of the C library in front of which poprt stands: what a caller can tell of them
is what docs/contracts.md says, with the library and without it.

  check_contracts.py --config CONFIG [unittest arguments]
"""

import os
import re
import subprocess
import unittest

import harness

CONFIGURATION = None
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COLUMNS = ['error', 'cancellation', 'signal', 'handlers', 'jump', 'mutexes']
ALL = {'POPRT_IO': 'posix', 'POPRT_THREADS': 'all'}
EVERYTHING = {**ALL, 'POPRT_CALLS': 'on', 'POPRT_WINDOWS': '50ms', 'POPRT_PATH': 'waiting,regions',
              'POPRT_ROWS': 'process', 'POPRT_COUNTERS': 'default', 'POPRT_CHECKPOINT': '1'}
# Of newer C libraries.
MAY_BE_ABSENT = {'__isoc23_fscanf', '__isoc23_vfscanf'}


def text_of(*path):
    with open(os.path.join(ROOT, *path), encoding='utf-8') as file:
        return file.read()


def rows_of(page, heading):
    """The cells of each row of the table below this heading."""
    section = page.split('\n## ' + heading + '\n')[1].split('\n## ')[0]
    return [[cell.strip() for cell in line.strip('|').split('|')]
            for line in section.splitlines() if line.startswith('| `')]


def after_jump(name, signal):
    """What siglongjmp() out of a handler leaves of a call, by what a signal does to it."""
    if signal == '-':
        return '-'
    return 'has the mutex' if re.match('(pthread_cond|cnd)_', name) else 'as before'


def contracts():
    """{function: its cells} of docs/contracts.md, by COLUMNS."""
    table, mutexes = {}, {}
    for functions, *cells in rows_of(text_of('docs', 'contracts.md'), 'On request'):
        for name in re.findall(r'`(\w+)`', functions):
            of_kind = mutexes if len(cells) == 1 else table
            assert name not in of_kind, name
            of_kind[name] = cells
    return {name: cells + [after_jump(name, cells[COLUMNS.index('signal')])] + mutexes.get(name, ['-'])
            for name, cells in table.items()}


class Contracts(harness.FolderTest):
    maxDiff = None

    def seen(self, library, **environment):
        """{function: what the program tells of it}"""
        folder = os.path.join(self.base, str(len(os.listdir(self.base))))
        os.mkdir(folder)
        # No run file, because its sums need not agree: a handler's call that interrupts the
        # addition of another call's bytes may be lost in one of them (docs/io.md).
        if library:
            environment.update(LD_PRELOAD=CONFIGURATION.omp_library, POPRT_REPORT='text')
        result = harness.run([CONFIGURATION.program('none', 'contracts')],
                             harness.environment(**environment), folder)
        self.assertEqual((0, ''), (result.status, result.hang), result.describe())
        self.assertEqual(library, '== poprt ' in result.stderr, result.describe())
        lines = [line.split('|') for line in result.stdout.splitlines()]
        return {name: cells for name, *cells in lines}

    def check(self, seen):
        expected = contracts()
        wrong = ['%s, %s: %s, not %s' % (name, column, found, wanted)
                 for name, cells in seen.items()
                 for column, found, wanted in zip(COLUMNS, cells, expected[name]) if found != wanted]
        self.assertEqual([], wrong)
        self.assertLessEqual(set(expected) - set(seen), MAY_BE_ABSENT)

    def test_without_the_library(self):
        self.check(self.seen(False))

    def test_with_it(self):
        self.check(self.seen(True, **ALL))

    def test_with_all_options(self):
        self.check(self.seen(True, **EVERYTHING, LD_LIBRARY_PATH=os.path.join(
            CONFIGURATION.programs, 'fake_papi')))

    def test_the_table_has_all_functions(self):
        entries = set()
        for folder in ('base', 'modules/posix_io', 'modules/threads'):
            for name in os.listdir(os.path.join(ROOT, 'src', folder)):
                entries |= set(re.findall(r'\b\w*entry\w*[(<]\s*"(\w+)"', text_of('src', folder, name)))
        self.assertGreater(len(entries), 100)
        self.assertEqual(entries, set(contracts()))

    def test_the_page_has_all_that_a_library_exports(self):
        families = [name.replace('*', r'\w+') for row in rows_of(text_of('docs', 'contracts.md'), 'Always')
                    for name in re.findall(r'`([\w*]+)`', row[0])]
        for library in [CONFIGURATION.omp_library] + [
                entry['library'] for entry in CONFIGURATION.mpis.values()]:
            names = subprocess.run(['nm', '-D', '--defined-only', library], capture_output=True,
                                   text=True, check=True).stdout.splitlines()
            for name in {line.split()[-1].split('@')[0] for line in names}:
                self.assertTrue(any(re.fullmatch(family, name) for family in families), name)


if __name__ == '__main__':
    CONFIGURATION, arguments = harness.command_line()
    unittest.main(argv=arguments)
