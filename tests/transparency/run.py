#!/usr/bin/env python3
"""Every case with and without the library: what a program observes is the same.

usage: run.py --config FILE --mpi MPI --program PROGRAM [--library FILE] [--each]
              [--ranks N...] [-v] [GROUP | GROUP.NAME]...

The cases of a group share one run of the program, for speed; --each gives every
case its own. After a case that ends the run (a hang, a crash) the others of the
group go on in a new one.
"""
import argparse
import collections
import concurrent.futures
import difflib
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'e2e'))
import harness  # noqa: E402

# How many processes a group has; the others have DEFAULT_RANKS.
DEFAULT_RANKS = [3]
RANKS = {
    'pt2pt': [1, 2],
    'collectives': [1, 4],
    'nonblocking_collectives': [1, 3],
    'persistent_collectives': [1, 4],
    'large_collectives': [3],
    'neighbourhood': [2, 4],
    'intercomm': [2, 5],
    'intercomm_collectives': [3, 4],
    'many_communicators': [2],
    'many_windows': [2],
    'rma_pscw': [4],
    'rma_windows': [2],
    'topology': [3, 6],
}
# MPICH's ranks and threads all spin: more than the cores take turns, unless what waits sleeps
# (`beside`). Groups of very many short waits would sleep for each.
RANKS_MPICH = dict(RANKS, completion=[2], threads=[2], intercomm_collectives=[3])
SHORT_WAITS = ['completion', 'many_communicators', 'threads']
MOST_RESTARTS = 6
# How many cases may fail without the library because of faults of the MPI library.
MOST_BROKEN = 3

Case = collections.namedtuple('Case', 'name kind ranks why')


def list_cases(program):
    output = subprocess.run([program, '--list'], stdout=subprocess.PIPE, check=True).stdout
    for text in output.decode().splitlines():
        name, kind, ranks, *why = text.split()
        yield Case(name, kind, int(ranks), why[0] if why else '')


class Outcome:
    """The output of the processes of one or more runs, and how the runs ended."""

    def __init__(self):
        self.texts = {}  # (case, rank): text
        self.ends = {}   # case: how the run ended that this case ended, in words
        self.statuses = {}  # case: its exit status, where it did not hang
        self.runs = []
        self.lost = 0

    def text_of(self, case):
        return {key: text for key, text in self.texts.items() if key[0] == case}


class Suite:
    def __init__(self, options):
        self.options = options
        self.configuration = harness.Configuration(options.config)
        if options.library:
            self.configuration.mpis[options.mpi]['library'] = options.library

    def run_once(self, names, ranks, library, outcome):
        """The first of `names` that did not finish, or None."""
        spins = self.options.mpi == 'mpich' and names[0].split('.')[0] not in SHORT_WAITS
        with tempfile.TemporaryDirectory(prefix='poprt-transparency-') as folder:
            result = harness.run_measured(
                self.configuration, self.options.mpi, ranks, 1,
                [self.options.program, folder] + names, limit=self.options.limit,
                library=library, env={'UCX_WARN_UNUSED_ENV_VARS': 'n'},
                beside=self.configuration.virtual_clock('mpich') if spins else '')
            texts = collections.defaultdict(dict)
            for file in sorted(os.listdir(folder)):
                if not os.path.isfile(os.path.join(folder, file)):
                    continue
                case, _, rank = file.rpartition('.')
                if rank.isdigit():
                    with open(os.path.join(folder, file), encoding='utf-8', errors='replace') as f:
                        texts[case][int(rank)] = f.read()
        outcome.runs.append(result)
        if result.report is not None:
            outcome.lost += result.report['quality']['lost_clocks']
        for case, of_ranks in texts.items():
            for rank, text in of_ranks.items():
                outcome.texts[case, rank] = text
        for name in names:
            said = texts.get(name, {})
            complete = len(said) == ranks and all(t.endswith('end\n') for t in said.values())
            if not complete or (name == names[-1] and (result.status != 0 or result.hang)):
                if result.hang:
                    outcome.ends[name] = 'hang'
                else:
                    outcome.ends[name] = 'exit status %d' % result.status
                    outcome.statuses[name] = result.status
                return name
        return None

    def run(self, names, ranks, library):
        outcome = Outcome()
        for _ in range(MOST_RESTARTS):
            stopped = self.run_once(names, ranks, library, outcome)
            if stopped is None:
                return outcome
            names = names[names.index(stopped) + 1:]
            if not names:
                return outcome
        for name in names:
            outcome.ends[name] = 'not run: too many of the group before it end their run'
        return outcome

    def jobs(self, chosen):
        """(cases, ranks) of the runs to make."""
        groups = collections.OrderedDict()
        for case in chosen:
            group = case.name.split('.')[0]
            if case.kind == 'alone':
                yield [case], case.ranks
            elif self.options.each:
                for ranks in self.ranks_of(group):
                    if ranks >= case.ranks:
                        yield [case], ranks
            else:
                groups.setdefault((group, case.kind), []).append(case)
        for (group, _), cases in groups.items():
            for ranks in self.ranks_of(group):
                yield cases, ranks

    def ranks_of(self, group):
        usual = RANKS_MPICH if self.options.mpi == 'mpich' else RANKS
        return self.options.ranks or usual.get(group, DEFAULT_RANKS)


def end_alike(mpi, plain, measured, case):
    ends = [outcome.ends.get(case.name) for outcome in (plain, measured)]
    if case.why != 'dies' or ends[0] == ends[1]:
        return ends[0] == ends[1]
    statuses = [outcome.statuses.get(case.name) if end else 0
                for end, outcome in zip(ends, (plain, measured))]
    return None not in statuses and harness.end_alike(mpi, *statuses)


def differences(mpi, plain, measured, case):
    """The differences, one line each."""
    lines = []
    expected, got = plain.text_of(case.name), measured.text_of(case.name)
    children = case.name.split('.')[1] + '.child'
    expected.update(plain.text_of(children))
    got.update(measured.text_of(children))
    for key in sorted(set(expected) | set(got)):
        lines += difflib.unified_diff(
            expected.get(key, '').splitlines(), got.get(key, '').splitlines(),
            'rank %d without' % key[1], 'rank %d with the library' % key[1], lineterm='', n=1)
    if not end_alike(mpi, plain, measured, case):
        lines.append('without: %s, with: %s' % tuple(
            outcome.ends.get(case.name) for outcome in (plain, measured)))
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--config', required=True)
    parser.add_argument('--mpi', required=True)
    parser.add_argument('--program', required=True)
    parser.add_argument('--library', help='instead of that of the configuration')
    parser.add_argument('--ranks', type=int, nargs='+', help='instead of those of each group')
    parser.add_argument('--each', action='store_true', help='every case in a run of its own')
    parser.add_argument('--limit', type=float, default=harness.LIMIT_S)
    parser.add_argument('--jobs', type=int, default=2, help='runs at a time')
    parser.add_argument('--most-broken', type=int, default=MOST_BROKEN, metavar='N',
                        help='so many cases may fail without the library')
    parser.add_argument('--plain', action='store_true', help='without the library only, show texts')
    parser.add_argument('-v', '--verbose', action='store_true')
    parser.add_argument('cases', nargs='*')
    options = parser.parse_args()
    suite = Suite(options)
    chosen = [case for case in list_cases(options.program)
              if not options.cases or case.name in options.cases
              or case.name.split('.')[0] in options.cases]
    failures = compared = lost = 0
    broken = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = [(cases, ranks,
                 [pool.submit(suite.run, [c.name for c in cases], ranks, library)
                  for library in ([False] if options.plain else [False, True])])
                for cases, ranks in suite.jobs(chosen)]
        for cases, ranks, futures in runs:
            outcomes = [future.result() for future in futures]
            plain, measured = outcomes[0], outcomes[-1]
            seconds = [sum(run.seconds for run in o.runs) for o in outcomes]
            wrong = []
            judged = True
            for case in cases:
                compared += 1
                if options.plain:
                    for (_, rank), text in sorted(plain.text_of(case.name).items()):
                        print('%s, %d: %s' % (case.name, rank, text.replace('\n', '\n    ')))
                if case.name in plain.ends and case.why != 'dies':
                    # MPI itself hangs or crashes now and then.
                    broken.append(case.name)
                    judged = False
                    print('NOT JUDGED %s, %d ranks: ends the run without the library (%s)' % (
                        case.name, ranks, plain.ends[case.name]))
                    continue
                lines = differences(options.mpi, plain, measured, case)
                if lines:
                    wrong.append(case.name)
                    print('DIFFERENT %s, %d ranks\n    %s' % (case.name, ranks, '\n    '.join(lines)))
                elif options.verbose:
                    print('same %s, %d ranks' % (case.name, ranks))
            # Where they end otherwise, but alike, the launcher says so on stdout.
            judged = judged and plain.ends == measured.ends
            outputs = [[run.stdout for run in o.runs] for o in outcomes]
            if outputs[0] != outputs[-1] and not wrong and judged:
                wrong.append(cases[0].name)
                print('DIFFERENT stdout of %s\n%s' % (cases[0].name, '\n'.join(
                    difflib.unified_diff(*(''.join(o).splitlines() for o in outputs),
                                         'without', 'with the library', lineterm=''))))
            if measured.lost:
                lost += measured.lost
                print('note: %d lost clocks in the run of %s, %d ranks' % (
                    measured.lost, ' '.join(c.name for c in cases[:2]), ranks))
            if wrong:
                failures += len(wrong)
                for run in plain.runs + measured.runs if not options.plain else []:
                    if run.status != 0 or run.hang:
                        print(shorten(run.describe()))
            if options.verbose:
                print('%s: %d cases, %d ranks: %s s' % (
                    cases[0].name, len(cases), ranks, ' and '.join('%.1f' % s for s in seconds)))
            sys.stdout.flush()
    print('%s: %d cases, %d differ, %d not judged because they fail without the library, '
          '%d lost clocks' % (options.mpi, compared, failures, len(broken), lost))
    if len(broken) > options.most_broken:
        print('too many fail without the library: %s' % ' '.join(broken))
    return 1 if failures or len(broken) > options.most_broken else 0


def shorten(text, most=12000):
    return text if len(text) <= most else text[:most // 2] + '\n...\n' + text[-most // 2:]


if __name__ == '__main__':
    sys.exit(main())
