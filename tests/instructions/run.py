#!/usr/bin/env python3
"""Instructions of single events against the table beside this file.

usage: run.py --valgrind VALGRIND --group GROUP --program PROGRAM [--update]

A count more than 10 % above the table fails; one as far below asks for
--update, which writes the table anew. Counts belong to a compiler, a build type
and a processor: where the table has none for these, the test is skipped
(status 77).
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

TABLE = pathlib.Path(__file__).resolve().parent / 'instructions.json'
SLACK = 0.10
SKIPPED = 77
# Functions that toggle counting: the fake MPI library's own work is left out, and of
# OMPT only the callbacks are counted.
TOGGLES = ['PMPI_*', '*::on_*(ompt_*']


def count(valgrind, program):
    """The build of the program, and {event: instructions of one event}."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [valgrind, '--tool=callgrind', '--callgrind-out-file=' + folder + '/out',
             '--collect-atstart=no', *('--toggle-collect=' + pattern for pattern in TOGGLES), program],
            text=True, capture_output=True, timeout=100)
        if done.returncode != 0:
            sys.exit('%s: exit status %d\n%s' % (program, done.returncode, done.stderr))
        build, events = done.stdout.splitlines()[:2]
        counts = {}
        for path in pathlib.Path(folder).glob('out.*'):
            text = path.read_text(encoding='utf-8')
            event = re.search(r'^desc: Trigger: Client Request: (.*)$', text, re.M)
            if event:
                total = int(re.search(r'^totals: (\d+)$', text, re.M)[1])
                counts[event[1]] = round(total / int(events))
    if not counts or min(counts.values()) <= 0:
        sys.exit('%s: nothing was counted: %s' % (program, counts))
    return build, counts


def judge(name, instructions, known):
    """Prints one line; returns whether the count is too high, or unknown."""
    if known is None:
        verdict = 'not in the table: see --update'
    elif instructions > known * (1 + SLACK):
        verdict = 'TOO MANY'
    elif instructions < known * (1 - SLACK):
        verdict = 'fewer: write the table anew with --update'
    else:
        verdict = ''
    print('%-28s %6d  table %6s  %s' % (name, instructions, known, verdict))
    return known is None or verdict == 'TOO MANY'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--valgrind', required=True)
    parser.add_argument('--group', required=True)
    parser.add_argument('--program', required=True)
    parser.add_argument('--update', action='store_true')
    options = parser.parse_args()
    build, counts = count(options.valgrind, options.program)
    table = json.loads(TABLE.read_text(encoding='utf-8')) if TABLE.exists() else {}
    if options.update:
        table.setdefault(build, {})[options.group] = counts
        TABLE.write_text(json.dumps(table, indent=1, sort_keys=True) + '\n', encoding='utf-8')
    if options.group not in table.get(build, {}):
        print('no counts of "%s" for %s in %s' % (options.group, build, TABLE.name))
        return SKIPPED
    known = table[build][options.group]
    print(build)
    failures = [judge(name, counts[name], known.get(name)) for name in sorted(counts)]
    gone = sorted(set(known) - set(counts))
    if gone:
        print('in the table and not counted: ' + ', '.join(gone))
    return 1 if any(failures) or gone else 0


sys.exit(main())
