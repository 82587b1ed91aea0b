#!/usr/bin/env python3
"""Compares the sentences of a report with its tables and bars: one number for one thing.

usage: screen.py POPRT RUN_FILE...

From a run file, or from a text that a run or `poprt report` has printed (as text or
Markdown). A sentence contradicts its screen
- if the light has a number that is no value or limit of the run file's causes;
- if the finding has a number that no table or bar shows, or gives a row or bar that it
  names another number than that has;
- if another sentence does the latter;
- if it has a number that the run file has otherwise (FACTS);
- if the next step explains another metric than the finding names.
"""

import functools
import json
import math
import re
import subprocess
import sys

# What begins a sentence's line: the light, what is found, and what follows from it.
LIGHT, FINDING, NEXT, LOSS = 'Light', 'Main finding', 'Try next', 'Loss'
LABELS = [LIGHT, FINDING, NEXT, LOSS, 'Path', 'Without', 'Note']
BEGIN = re.compile(r'^(?:- | +)(%s)(?:  +|: )(.*)' % '|'.join(LABELS))
CELL = re.compile(r'(?:~|>=|≥)?\d[\d.,]*(?: (?:ns|us|ms|s|min|h|k|M|G|T|x|!)\b)*|-(?=\s|$|\[)')
REGION = 'global'
FIRST_LINES = 25
NUMBER = r'\d+\.\d'


def plain(text):
    """Markdown's signs and footnotes are no part of a text."""
    text = text.replace('&emsp;', '').replace('**', '')
    return re.sub(r'\\(.)', r'\1', re.sub(r'\[\d+\]', '', text))


def digits(cell):
    found = re.match(r'\D*(\d[\d.]*)', cell)
    return found.group(1) if found else ''


def name_of(label):
    """How sentences call a row: without "Efficiency", in small letters."""
    return re.sub(r' efficiency\b', '', label.strip().lower())


# Metrics whose key has other words than their name.
NAMES_OF_KEYS = {'accelerator waiting': 'device waiting', 'accelerator copying': 'blocking copy',
                 'accelerator launching': 'launch'}


def name_of_key(key):
    """How sentences call the metric with this key."""
    name = name_of(key.replace('_', ' '))
    return NAMES_OF_KEYS.get(name, name)


class Screen:
    """What a report shows: sentences by label, rows and bars by name, and all numbers."""

    def __init__(self, text):
        self.sentences = []   # (label, text)
        self.numbers = {}     # name: all numbers of its rows and bars
        self.lost = {}        # name: the number in the column `lost`
        self.bars = {}        # name: of the core time
        self.shown = set()
        self._in_sentence = False
        self._has_lost = False
        before = ''
        for line in text.splitlines():
            self._read(line, line.startswith('|') and not before.startswith('|'))
            before = line

    def _read(self, line, is_heading):
        begin = BEGIN.match(line)
        if begin:
            self.sentences.append((begin.group(1), plain(begin.group(2))))
            self._in_sentence = True
            return
        goes_on = re.match(r'^ {7,}(\S.*)', line)
        if self._in_sentence and goes_on:
            label, so_far = self.sentences[-1]
            self.sentences[-1] = (label, so_far + ' ' + plain(goes_on.group(1)))
            return
        self._in_sentence = False
        bar = re.match(r'^ {3,}(\S.*?) +(%s) %%( +#*)?$' % NUMBER, line)
        if bar:
            self.bars[name_of(bar.group(1))] = bar.group(2)
            self._add(bar.group(1), [bar.group(2)])
        elif line.startswith('|') and not line.startswith('|---'):
            cells = [plain(cell).strip() for cell in re.split(r'(?<!\\)\|', line)[1:-1]]
            if is_heading:
                self._has_lost = cells[-1] == 'lost'
            else:
                self._add_row(cells[0], cells[1:])
        else:
            row = re.match(r'^ +(\S.*?)  +(\S.*)$', plain(line))
            if row:
                cells = CELL.findall(row.group(2))
                if row.group(2).endswith(' lost') and not BEGIN.match(line):
                    self._has_lost = True
                else:
                    self._add_row(row.group(1), cells)

    def _add_row(self, label, cells):
        self._add(label, [digits(cell) for cell in cells if digits(cell)])
        if self._has_lost and cells and digits(cells[-1]):
            self.lost.setdefault(name_of(label), digits(cells[-1]))

    def _add(self, label, numbers):
        if not name_of(label) or not numbers:
            return
        self.numbers.setdefault(name_of(label), set()).update(numbers)
        self.shown.update(numbers)

    def text(self, label):
        return ' '.join(text for each, text in self.sentences if each == label)

    def named(self, sentence):
        """(name, number) for "NAME (1.2)", "NAME (1.2 %)", "NAME 1.2 %" and
        "1.2 %, is NAME": the longest name that a row or bar has."""
        low = sentence.lower()
        for found in re.finditer(r'\(?(%s)(\d*)(?: %%)?' % NUMBER, low):
            before, after = low[:found.start()].rstrip(' ('), low[found.end():]
            # Times have more digits.
            number = found.group(1) + (found.group(2) if re.match(r' [num]?s\b', after) else '')
            is_name = [name for name in self.numbers
                       if re.search(r'(?:^|[\s,(:])' + re.escape(name) + '$', before)]
            if is_name:
                yield max(is_name, key=len), number
            loss = re.match(r',? is (.*)', after)
            if loss:
                names = [name for name in self.numbers if re.match(
                    re.escape(name) + r'(?=[ .,:;]|$)', loss.group(1))]
                if names:
                    yield max(names, key=len), number


def percent(part, whole):
    return '%.1f' % (100 * part / whole) if whole else ''


def parts_of_mpi(report):
    times = report['regions'][0]['accumulators']
    return [percent(times[key], times['mpi_sum_ns'])
            for key in times if re.fullmatch(r'mpi_[a-z]+_sum_ns', key)]


def serialised(report):
    times = report['regions'][0]['accumulators']
    lost = times['openmp_weighted_ns'] - times['useful_sum_ns'] + times['serial_sum_ns']
    return [percent(times['openmp_serialised_sum_ns'], lost)]


def layer_times(report):
    """The time of threads in MPI, in transfer there, idle meanwhile, of processes that were
    not there, and in OpenMP otherwise, as shares of the core time."""
    r = report['regions'][0]['accumulators']
    core = r['threads'] * r['all_ns']
    idle = min(r['talp_mpi_worker_idle_ns'] * r['threads'] / r['processes'], r['omp_sum_ns'])
    absent = max(0, core - r['useful_sum_ns'] - r['mpi_sum_ns'] - r['omp_sum_ns'])
    transfer = r['mpi_sum_ns'] - r['mpi_waiting_sum_ns']
    return [time / core for time in (r['mpi_sum_ns'], transfer, idle, absent,
                                     r['omp_sum_ns'] - idle)]


def in_mpi(report):
    mpi, transfer, idle, absent, _ = layer_times(report)
    return ['%.1f' % (100 * share) for share in (
        mpi + idle + absent, transfer / mpi * (mpi + idle) if mpi else 0)]


def in_openmp(report):
    return ['%.1f' % (100 * layer_times(report)[-1])]


def times(values):
    mean = sum(values) / len(values) if values else 0
    return '%.1f' % (max(values) / mean) if mean else ''


def of_ranks(report):
    return [times((report['regions'][0].get('rows') or {}).get('useful_max_ns'))]


def of_nodes(report):
    nodes = report['regions'][0]['accumulators']['nodes']
    return [times([node['useful_sum_ns'] / node['threads'] for node in nodes])]


def of_threads(report):
    teams = {}
    rows = report['regions'][0].get('thread_rows') or {'rank': [], 'useful_ns': []}
    for rank, useful in zip(rows['rank'], rows['useful_ns']):
        teams.setdefault(rank, []).append(useful)
    mean = sum(sum(team) / len(team) for team in teams.values())
    return ['%.1f' % (sum(map(max, teams.values())) / mean) if mean else '']


# Numbers that are parts or sums of what the tables and bars show: what follows such a
# number, and what gives the right one from the run file.
DERIVED = [
    (r' % of the time in mpi\b', parts_of_mpi),
    (r' % of what parallel regions lose', serialised),
    (r' % of the core time was (transfer )?in mpi', in_mpi),
    (r' % of the core time was in openmp', in_openmp),
    (r' times the useful work of the mean rank\.', of_ranks),
    (r" times the useful work of the mean node's\.", of_nodes),
    (r' times the useful work of the mean thread\.', of_threads),
]


def is_derived(number, after, report):
    for pattern, values in DERIVED:
        if re.match(pattern, after.lower()) and report is not None:
            return number in values(report)
    return False


def cpu_ns(report):
    resources = report['run']['resources']
    return resources['cpu_user_sum_ns'] + resources['cpu_system_sum_ns']


def gains(report):
    gain = report['finding']['gain']
    ends = [100 * gain[end] for end in ('low', 'high') if gain[end] is not None]
    return {'%d' % (end + more) for end in ends for more in (0, 0.5, 1)}


def without_regions(report):
    path = report['longest_path'] or {'without': []}
    return {str(math.ceil(100 * (1 - each['run_ns'] / path['length_ns']))) for each in path['without']}


def ranks_of_most_work(report):
    work = (report['regions'][0].get('rows') or {}).get('useful_max_ns')
    return {str(work.index(max(work)))} if work else None


def missing_ranks(report):
    jobs = report['run']['ranks'] + report['run']['unmeasured_processes']
    return {'%d of %d' % (each, jobs) for each in (
        report['run']['unmeasured_processes'],
        sum(one['processes'] for one in report['run']['incomplete']))}


def wanted_cores(report):
    waited = report['run']['resources']['waited_for_core_sum_ns'] or 0
    return {'%.1f' % ((cpu_ns(report) + waited) / report['regions'][0]['elapsed_max_ns'])}


def slept(report):
    resources = report['run']['resources']
    on_core = max(0, cpu_ns(report) - (resources['unknown_threads_cpu_sum_ns'] or 0))
    useful = report['regions'][0]['accumulators']['useful_sum_ns']
    return {percent(useful - on_core - resources['waited_for_core_sum_ns'], useful)}


def measured_s(report):
    return {'%.3f' % (one[end] / 1e9) for one in report['run']['incomplete']
            for end in ('measured_min_ns', 'measured_max_ns')}


# Numbers that no table shows: what is around them, and what the run file makes of them (None: it does not tell).
FACTS = [
    (r'this loss would save (?:at most|about) (\d+)(?: to (\d+))? % of the run time', gains),
    (r'its work would save at most (\d+) % of the run time', without_regions),
    (r'\bRank (\d+) did', ranks_of_most_work),
    (r'nothing is known of (\d+ of \d+) ranks', missing_ranks),
    (r'wanted (\d+\.\d) cores at a time', wanted_cores),
    (r'at least (\d+\.\d) % of the useful time', slept),
    (r'\(after (\d+\.\d+) s(?: to (\d+\.\d+) s)?\)', measured_s),
]


def wrong_facts(label, sentence, report):
    for pattern, values in FACTS:
        for match in re.finditer(pattern, sentence):
            right = values(report)
            for number in match.groups():
                if number is not None and right is not None and number not in right:
                    yield '%s: "%s" has %s, and the run file %s' % (
                        label, match.group(), number, ', '.join(sorted(right)) or 'nothing')


def shares(report):
    """Those of the light's causes, as reports show them: with as many digits as tell them from their limits."""
    for cause in report['quality'].get('causes', []):
        for value in (cause['value'], cause['limit']):
            if value is not None:
                yield from ('%.*f' % (digits, 100 * value) for digits in range(10))
                yield '%.0f' % value
                if 0 < value < 1e-3:
                    yield '0.1'  # "less than 0.1 %"


def contradictions(text, report=None, losses=''):
    """Sentences about what contradicts. `report`: the run file, which has the light's
    numbers; `losses`: those of all models, for what a sentence says of another model."""
    screen = Screen(text)
    found = []
    finding = screen.text(FINDING)
    is_red = 'cannot be judged' in finding
    if report is not None:
        known = set(shares(report))
        for label in [LIGHT, FINDING] if is_red else [LIGHT]:
            for number in re.findall(r'(\d[\d.]*) %', screen.text(label)):
                if number not in known:
                    found.append('%s: %s %% is of no cause of the run file' % (label, number))
    if not is_red:
        others = Screen(losses).shown
        finding = re.sub(r'\bRegion .* lost most:', 'Region:', finding)  # names have numbers
        finding += ' ' + screen.text(LOSS)
        for pattern, _ in FACTS if report is not None else []:  # see wrong_facts()
            finding = re.sub(pattern, '', finding)
        for match in re.finditer(r'(?<![\w.])' + NUMBER + r'\d*(?![\w.]*\w)', finding):
            number, after = match.group(), finding[match.end():]
            is_of_model = re.match(' % by the ', after) and number in others
            if not (number in screen.shown or is_of_model or
                    is_derived(number, after, report)):
                found.append('%s: no table or bar has %s' % (FINDING, number))
    for label, sentence in screen.sentences:
        if report is not None:
            found += wrong_facts(label, sentence, report)
        for name, number in screen.named(sentence):
            # A region has many numbers: what a note says of it is any of the screen.
            has = screen.shown if name == REGION else screen.numbers[name]
            if number not in has:
                found.append('%s: %s of %s, which has %s' % (
                    label, number, name, ', '.join(sorted(screen.numbers[name]))))
    loss = re.search(r'largest loss, (%s) %%, is ([^(:.]*)' % NUMBER, finding)
    if loss:
        name = name_of(loss.group(2))
        if screen.lost.get(name) != loss.group(1):
            found.append('%s: %s lost %s, and the column `lost` says %s' % (
                FINDING, name, loss.group(1), screen.lost.get(name)))
        if name in screen.bars and screen.bars[name] != loss.group(1):
            found.append('%s: the bar of %s says %s' % (FINDING, name, screen.bars[name]))
        step = re.search(r'poprt explain (\S+)', screen.text(NEXT))
        if step and name_of_key(step.group(1)) != name:
            found.append('%s: explains %s, not %s' % (NEXT, step.group(1), name))
    return found


def contradictions_of_scaling(text):
    """The same of `poprt scale`: each efficiency of its finding is in the table, in the row that
    the finding names and the columns of its runs."""
    rows, columns, runs = {}, [], []
    for line in text.splitlines():
        if not line.startswith('|') or line.startswith('|---'):
            continue
        label, *cells = [plain(cell).strip() for cell in re.split(r'(?<!\\)\|', line)[1:-1]]
        if not label:
            columns = cells
        else:
            rows.setdefault(name_of(label), dict(zip(columns, map(digits, cells))))
    found, finding = [], Screen(text).text(FINDING)
    changes = re.finditer(
        r'(?:From (\S+) to (\S+) |What fell most is )(.+?):? (?:went )?'
        r'(?:stayed at (%s)|from (%s)(?: %%)? to (%s))' % ((NUMBER,) * 3), finding)
    for before, after, name, same, *numbers in (change.groups() for change in changes):
        runs = [before, after] if before else runs
        row = rows.get(name_of(name), {})
        for run, number in zip(runs, [same, same] if same else numbers):
            if row.get(run) != number:
                found.append('%s: %s of %s is %s, and the table says %s' % (
                    FINDING, name, run, number, row.get(run)))
    rest = re.sub(r'(?:stayed at|from|to) %s(?: %%)?' % NUMBER, '', finding)
    return found + ['%s: no row has %s' % (FINDING, number)
                    for number in re.findall(r'(?<![\w.])%s' % NUMBER, rest)]


def late_answers(console):
    """What of light, finding (with its gain) and next step does not end in the first lines,
    in which batch logs are read."""
    late, answer = [], None
    for number, line in enumerate(console.splitlines(), start=1):
        begin = BEGIN.match(line)
        if begin:
            answer = begin.group(1)
        elif not re.match(r'^ {7,}\S', line):
            answer = None
        if number > FIRST_LINES and answer in (LIGHT, FINDING, NEXT) and answer not in late:
            late.append(answer)
    return ['%s: not in the first %d lines' % (label, FIRST_LINES) for label in late]


@functools.lru_cache(maxsize=None)
def _of_poprt(poprt, path, *options):
    done = subprocess.run([poprt, 'report', path, *options], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60)
    return done.stdout.decode(errors='replace') if done.returncode == 0 else ''


def sentences_of_file(poprt, path):
    """The run file as poprt reads it, None if it does not, and the sentences of its report."""
    run = _of_poprt(poprt, path, '--format', 'json')
    return (json.loads(run) if run else None,
            Screen(_of_poprt(poprt, path, '--format', 'markdown')).sentences)


def contradictions_of_file(poprt, path):
    """Empty for a file that this poprt does not read."""
    run = _of_poprt(poprt, path, '--format', 'json')
    if not run:
        return []
    text, losses = (_of_poprt(poprt, path, '--format', 'markdown', *options)
                    for options in ([], ['--model', 'all', '--view', 'loss']))
    return contradictions(text, json.loads(run), losses)


def scaling_of_files(poprt, paths):
    done = subprocess.run([poprt, 'scale', *paths, '--format', 'markdown'], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60)
    return done.stdout.decode()


def late_answers_of_file(poprt, path):
    return late_answers(_of_poprt(poprt, path))


def main():
    poprt, paths = sys.argv[1], sys.argv[2:]
    failed = not paths
    for path in paths:
        for sentence in contradictions_of_file(poprt, path):
            failed = True
            print('%s: %s' % (path, sentence))
    sys.exit(failed)


if __name__ == '__main__':
    main()
