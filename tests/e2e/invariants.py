#!/usr/bin/env python3
"""Rules that hold in every run file, whatever the program was: sums, ranges and the order
of clocks (docs/file_format.md, docs/metrics.md).

  invariants.py FILE_OR_FOLDER...

A rule is a function that yields a sentence for each place where it does not hold. The
harness applies them to each run file that a test makes; invariants_test.py damages a
good file once for each rule.
"""

import collections
import dataclasses
import json
import math
import os
import sys

EXACT = 1e-6
# docs/edges.md: the clocks of a thread may count a region until its end is
# visible. Usually within a microsecond; 17 were seen where threads share cores.
CLOSING_NS = 50000
ROUNDING_NS = 64  # for each thread: integer averages
MOST_WINDOWS = 64

RULES_OF_REPORTS, RULES_OF_PARTS = [], []


def of_report(rule):
    """A rule of the whole file: rule(report)."""
    RULES_OF_REPORTS.append(rule)
    return rule


def of_part(rule):
    """A rule of each region and window: rule(part)."""
    RULES_OF_PARTS.append(rule)
    return rule


def with_zeros(rows):
    """Columns, with zeros for those that a file of 1.0 does not know."""
    return rows and {key: [0] * len(rows['rank']) if column is None else column
                     for key, column in rows.items()}


@dataclasses.dataclass
class Part:
    """A region or a window."""
    report: dict
    values: dict
    window: bool = False

    def __post_init__(self):
        self.name = self.values['name']
        # What a file of 1.0 does not know is null, and in none of its times.
        self.sums = {key: 0 if value is None else value
                     for key, value in self.values['accumulators'].items()}
        self.clocks = self.values['clocks'] or {}
        self.metrics = self.values['metrics']
        self.rows = with_zeros(self.values.get('rows'))
        self.thread_rows = with_zeros(self.values.get('thread_rows'))
        # Global and its windows begin and end at known events; of others, clocks may see
        # an end late, and later if their thread has no core then.
        waited_ns = self.report['run']['resources']['waited_for_core_sum_ns'] or 0
        self.closing_ns = 0 if self.name == 'Global' else CLOSING_NS + waited_ns

    def add(self, keys):
        return sum(self.sums[key] for key in keys)


def violations(report):
    """A sentence for each rule and place, with the rule's name in front."""
    if report.get('schema') != 'poprt.run':
        return []
    if not report['regions'] or report['regions'][0]['name'] != 'Global':
        return ['global_is_first: the regions are %s' % [r['name'] for r in report['regions']]]
    found = ['%s: %s' % (rule.__name__, sentence)
             for rule in RULES_OF_REPORTS for sentence in rule(report)]
    for part in parts(report):
        where = 'window %d' % part.values['index'] if part.window else 'region ' + part.name
        found += ['%s: %s: %s' % (rule.__name__, where, sentence)
                  for rule in RULES_OF_PARTS for sentence in rule(part)]
    return found


def parts(report):
    for region in report['regions']:
        yield Part(report, region)
    for window in windows(report):
        yield Part(report, window, window=True)


def windows(report):
    return (report['windows'] or {}).get('list', [])


def sums_by_region(report):
    return {region['name']: region['accumulators'] for region in report['regions']}


def at_most(lesser, what, greater, limit, slack=0):
    if lesser > greater + slack:
        yield '%s is %s, more than %s, %s' % (what, lesser, limit, greater)


def equal(got, what, expected, than):
    if got != expected:
        yield '%s is %s, but %s is %s' % (what, got, than, expected)


# -- times of a region or window -------------------------------------------------


@of_part
def states_add_up(part):
    states = part.add(['useful_sum_ns', 'mpi_sum_ns', 'omp_sum_ns', 'accelerator_sum_ns'])
    yield from equal(states, 'useful + MPI + OpenMP + accelerator', part.sums['elapsed_weighted_ns'],
                     'elapsed')


@of_part
def accelerator_adds_up(part):
    kinds = part.add(['accelerator_waiting_sum_ns', 'accelerator_copying_sum_ns',
                      'accelerator_launching_sum_ns'])
    all_ns = part.sums['accelerator_sum_ns']
    yield from equal(kinds, 'waiting + copying + launching', all_ns, 'accelerator')
    yield from at_most(part.sums['accelerator_inside_sum_ns'], 'accelerator inside', all_ns,
                       'accelerator')
    if all_ns > 0 and part.report['run']['accelerators'] is None:
        yield 'a run without accelerators has %s ns of them' % all_ns


@of_part
def mpi_adds_up(part):
    kinds = part.add(['mpi_waiting_sum_ns', 'mpi_transfer_sum_ns', 'mpi_unknown_sum_ns'])
    yield from equal(kinds, 'waiting + transfer + unknown', part.sums['mpi_sum_ns'], 'MPI')


@of_part
def parts_of_mpi(part):
    for key in ('mpi_io_sum_ns', 'mpi_inside_sum_ns'):
        yield from at_most(part.sums[key], key, part.sums['mpi_sum_ns'], 'MPI')


@of_part
def posix_io_is_useful(part):
    yield from at_most(part.sums['posix_io_sum_ns'], 'POSIX I/O', part.sums['useful_sum_ns'],
                       'useful time')


@of_part
def sources_are_openmp(part):
    sources = part.add(['openmp_serialised_sum_ns', 'openmp_scheduling_sum_ns',
                        'openmp_not_started_sum_ns', 'openmp_accelerator_inside_sum_ns'])
    yield from at_most(sources, 'serialised + scheduling + not started + for accelerators',
                       part.sums['omp_sum_ns'], 'OpenMP')


@of_part
def sums_of_maxima(part):
    yield from at_most(part.sums['useful_sum_ns'], 'useful', part.sums['useful_max_weighted_ns'],
                       'threads x the busiest', ROUNDING_NS * max(1, part.sums['threads']))
    for key in ('useful_max_ns', 'outside_mpi_max_ns'):
        yield from at_most(part.sums[key], key, part.sums['elapsed_max_ns'], 'elapsed')
    yield from at_most(part.add(['serial_weighted_ns', 'openmp_weighted_ns']), 'serial + openmp',
                       part.sums['elapsed_weighted_ns'], 'elapsed')


@of_part
def counted_useful_time(part):
    counted = part.sums['counters'].get('useful_ns')
    if counted is not None:
        yield from at_most(counted, 'useful time with counters', part.sums['useful_sum_ns'],
                           'useful time')


# -- clocks ----------------------------------------------------------------------


@of_part
def order_of_clocks(part):
    """Lesser weights, or fewer edges, make no longer path."""
    if not part.values['clocks_complete']:
        return
    clocks = dict(part.clocks, useful_max=part.sums['useful_max_ns'],
                  pl_cue=part.sums['pl_cue_ns'])
    for lesser, greater in (('useful_max', 'pl_cue'), ('pl_cue', 'cue_ns'), ('cue_ns', 'coo_ns'),
                            ('coo_ns', 'all_ns'), ('cue_ns', 'com_ns'), ('com_ns', 'comp_ns'),
                            ('comp_ns', 'all_ns'), ('cue_ns', 'coow_ns'), ('coow_ns', 'all_ns')):
        if None not in (clocks.get(lesser), clocks.get(greater)):
            yield from at_most(clocks[lesser], lesser, clocks[greater], greater, part.closing_ns)


@of_part
def order_of_maxima(part):
    """Of the process for which each is longest."""
    longest = part.sums.get('longest_process') or {}
    for lesser, greater in (('unchained_max_ns', 'balanced_max_ns'),
                            ('balanced_max_ns', 'occupied_max_ns'),
                            ('besides_work_max_ns', 'occupied_max_ns')):
        if longest.get(greater) is not None:
            yield from at_most(longest[lesser], lesser, longest[greater], greater)
    if longest.get('occupied_max_ns') is not None:
        yield from at_most(longest['occupied_max_ns'], 'occupied', part.sums['elapsed_max_ns'],
                           'elapsed')


@of_part
def elapsed_is_on_a_path(part):
    if part.clocks.get('all_ns') is not None:
        yield from at_most(part.sums['elapsed_max_ns'], 'elapsed', part.clocks['all_ns'], 'G-ALL',
                           CLOSING_NS if part.window else 0)


@of_report
def one_process_has_one_path(report):
    region = report['regions'][0]
    if report['run']['ranks'] == 1 and region['clocks']['all_ns'] is not None \
            and not report['run'].get('incomplete'):
        yield from at_most(region['clocks']['all_ns'], 'G-ALL',
                           region['accumulators']['elapsed_max_ns'], 'the run of one process', 1000)


# -- hosts and rows of processes ---------------------------------------------------


@of_part
def hosts_add_up(part):
    nodes = part.sums.get('nodes')
    if not nodes:
        return
    for key in ('processes', 'threads', 'useful_sum_ns', 'useful_max_weighted_ns',
                'mpi_callers_outside_sum_ns'):
        yield from equal(sum(node[key] for node in nodes), key + ' of hosts', part.sums[key], 'all')
    lost = part.add(['accelerator_%s_lost_sum_ns' % kind
                     for kind in ('waiting', 'copying', 'launching')])
    yield from equal(sum(node['outside_mpi_weighted_ns'] for node in nodes), 'outside MPI of hosts',
                     part.add(['serial_weighted_ns', 'openmp_weighted_ns']) + lost
                     - part.sums['accelerator_inside_sum_ns'], 'all')


ROWS = {
    'visits': 'visits', 'useful_ns': 'useful_sum_ns', 'mpi_ns': 'mpi_sum_ns', 'omp_ns': 'omp_sum_ns',
    'serial_ns': 'serial_sum_ns', 'mpi_waiting_ns': 'mpi_waiting_sum_ns',
    'mpi_transfer_ns': 'mpi_transfer_sum_ns', 'mpi_unknown_ns': 'mpi_unknown_sum_ns',
    'mpi_inside_ns': 'mpi_inside_sum_ns', 'mpi_io_ns': 'mpi_io_sum_ns',
    'mpi_io_calls': 'mpi_io_calls_sum', 'posix_io_ns': 'posix_io_sum_ns',
    'posix_io_calls': 'posix_io_calls_sum', 'posix_io_read_bytes': 'posix_io_read_sum_bytes',
    'posix_io_written_bytes': 'posix_io_written_sum_bytes',
    'openmp_serialised_ns': 'openmp_serialised_sum_ns',
    'openmp_scheduling_ns': 'openmp_scheduling_sum_ns',
    'openmp_not_started_ns': 'openmp_not_started_sum_ns',
    'openmp_accelerator_inside_ns': 'openmp_accelerator_inside_sum_ns',
    'accelerator_ns': 'accelerator_sum_ns',
    'accelerator_waiting_ns': 'accelerator_waiting_sum_ns',
    'accelerator_copying_ns': 'accelerator_copying_sum_ns',
    'accelerator_launching_ns': 'accelerator_launching_sum_ns',
    'accelerator_waiting_lost_ns': 'accelerator_waiting_lost_sum_ns',
    'accelerator_copying_lost_ns': 'accelerator_copying_lost_sum_ns',
    'accelerator_launching_lost_ns': 'accelerator_launching_lost_sum_ns',
    'callers_outside_both_ns': 'callers_outside_both_sum_ns',
}


@of_part
def rows_are_complete(part):
    if part.rows:
        lengths = {len(row) for row in part.rows.values() if isinstance(row, list)}
        if len(lengths) != 1:
            yield 'its rows have %s processes' % sorted(lengths)


@of_part
def rows_add_up(part):
    if not part.rows or len(part.rows['rank']) != part.sums['processes']:
        return
    for key, total in ROWS.items():
        yield from equal(sum(part.rows[key]), key + ' of processes', part.sums[total], total)
    for key, total in (('elapsed_ns', 'elapsed_max_ns'), ('useful_max_ns', 'useful_max_ns')):
        yield from equal(max(part.rows[key]), key + ' of processes', part.sums[total], total)
    for key, counts in (part.rows.get('counters') or {}).items():
        yield from equal(sum(counts), key + ' of processes', part.sums['counters'].get(key), 'its sum')


@of_part
def rows_close(part):
    if not part.rows:
        return
    processes = part.report['processes'] or {'rank': [], 'threads': []}
    threads = dict(zip(processes['rank'], processes['threads']))
    columns = ('rank', 'elapsed_ns', 'useful_ns', 'mpi_ns', 'omp_ns', 'accelerator_ns',
               'mpi_waiting_ns', 'mpi_transfer_ns', 'mpi_unknown_ns')
    for rank, elapsed, useful, mpi, omp, accelerator, *kinds in zip(
            *(part.rows[key] for key in columns)):
        yield from equal(sum(kinds), 'rank %d: waiting + transfer + unknown' % rank, mpi, 'MPI')
        if rank in threads and part.name == 'Global' and not part.window:
            yield from equal(useful + mpi + omp + accelerator, 'rank %d: all states' % rank,
                             threads[rank] * elapsed, 'threads x elapsed')


@of_part
def rows_of_threads_add_up(part):
    rows = part.thread_rows
    if not rows:
        return
    columns = ('rank', 'useful_ns', 'mpi_ns', 'omp_ns', 'accelerator_ns', 'mpi_inside_ns',
               'omp_inside_ns')
    elapsed = {}
    for rank, useful, mpi, omp, accelerator, mpi_inside, omp_inside in zip(
            *(rows[key] for key in columns)):
        states = useful + mpi + omp + accelerator
        yield from at_most(mpi_inside, 'rank %d: MPI inside' % rank, mpi, 'MPI of the thread')
        yield from at_most(omp_inside, 'rank %d: OpenMP inside' % rank, omp, 'OpenMP of the thread')
        yield from equal(states, 'rank %d: a thread' % rank, elapsed.setdefault(rank, states),
                         'another one')
    if len(rows['rank']) == part.sums['threads']:
        for key in ('useful', 'mpi', 'omp', 'accelerator', 'mpi_inside'):
            yield from equal(sum(rows[key + '_ns']), key + ' of threads',
                             part.sums[key + '_sum_ns'], 'its sum')


SOURCES = ('mpi_inside', 'serialised', 'scheduling', 'not_started', 'accelerator_inside')


@of_part
def sources_of_threads_close(part):
    """What a thread loses in parallel regions is in its time in OpenMP, and what they lose
    together is what the process loses."""
    rows = part.thread_rows
    if not rows or 'openmp_imbalance_ns' not in rows:
        return
    # A file of 1.0 does not know the one of accelerators.
    known = [source for source in SOURCES
             if source != 'accelerator_inside'
             or part.values['accumulators']['accelerator_sum_ns'] is not None]
    columns = [rows['openmp_%s_ns' % source] for source in known + ['imbalance']]
    for omp, *sources in zip(rows['omp_ns'], *columns):
        if None in sources:
            if any(ns is not None for ns in sources):
                yield 'a thread has some sources only: %s' % sources
            continue
        if min(sources) < 0:
            yield 'a thread loses %s' % sources
        yield from at_most(sum(sources), 'lost in parallel regions', omp, 'OpenMP of the thread')
    if len(rows['rank']) != part.sums['threads'] or any(None in column for column in columns) \
            or part.report['run'].get('incomplete'):
        return
    slack = ROUNDING_NS * part.sums['threads']
    for source, column in zip(known, columns):
        key = 'openmp_%s_sum_ns' % source
        missing = part.sums[key] - sum(column)
        # No thread loses more than its time in parallel regions.
        if missing > 0 and sum(columns[-1]) <= slack:
            continue
        if abs(missing) > slack:
            yield '%s of threads is %s, but its sum is %s' % (source, sum(column), part.sums[key])


# -- metrics -----------------------------------------------------------------------

HYBRID_PRODUCTS = [
    ('parallel_efficiency', ['load_balance', 'communication_efficiency']),
    ('load_balance', ['load_balance_in', 'load_balance_out']),
    ('mpi_load_balance', ['mpi_load_balance_in', 'mpi_load_balance_out']),
    ('mpi_parallel_efficiency', ['mpi_load_balance', 'mpi_communication_efficiency']),
    ('mpi_communication_efficiency', ['mpi_serialisation_efficiency', 'mpi_transfer_efficiency']),
    ('openmp_parallel_efficiency', ['openmp_load_balance', 'openmp_communication_efficiency']),
    ('parallel_efficiency', ['mpi_parallel_efficiency', 'openmp_parallel_efficiency']),
    ('load_balance', ['mpi_load_balance', 'openmp_load_balance']),
    ('communication_efficiency',
     ['mpi_communication_efficiency', 'openmp_communication_efficiency']),
]
PATH_PRODUCTS = HYBRID_PRODUCTS + [
    ('communication_efficiency', ['serialisation_efficiency', 'transfer_efficiency']),
    ('openmp_communication_efficiency',
     ['openmp_serialisation_efficiency', 'openmp_transfer_efficiency']),
    ('serialisation_efficiency',
     ['mpi_serialisation_efficiency', 'openmp_serialisation_efficiency']),
    ('transfer_efficiency', ['mpi_transfer_efficiency', 'openmp_transfer_efficiency']),
]
# {model: (parent, children)}: the children multiply to their parent.
PRODUCTS = {
    'pop': [
        ('parallel_efficiency', ['load_balance', 'communication_efficiency']),
        ('load_balance', ['load_balance_in', 'load_balance_out']),
        ('communication_efficiency', ['serialisation_efficiency', 'transfer_efficiency']),
    ],
    'critical_path': PATH_PRODUCTS,
    'waiting': PATH_PRODUCTS,
    'multiplicative': HYBRID_PRODUCTS[:6] + [
        ('accelerator_parallel_efficiency',
         ['accelerator_load_balance', 'accelerator_communication_efficiency']),
    ] + [(parent, children + ['accelerator_' + parent])
         for parent, children in HYBRID_PRODUCTS[6:]],
    'talp': [
        ('mpi_parallel_efficiency', ['mpi_communication_efficiency', 'mpi_load_balance']),
        ('mpi_load_balance', ['mpi_load_balance_in', 'mpi_load_balance_out']),
        ('openmp_parallel_efficiency',
         ['openmp_serialization_efficiency', 'openmp_load_balance', 'openmp_scheduling_efficiency']),
        ('device_parallel_efficiency',
         ['device_load_balance', 'device_communication_efficiency',
          'device_orchestration_efficiency']),
    ],
    'io': [
        ('parallel_efficiency_io_lost', ['file_io_efficiency', 'parallel_efficiency_io_useful']),
        ('file_io_efficiency', ['mpi_io_efficiency', 'posix_io_efficiency']),
    ],
}

# The children's inefficiencies add up to their parent's.
SUMS = [
    ('parallel_efficiency', ['process_efficiency', 'thread_efficiency', 'accelerator_efficiency']),
    ('accelerator_efficiency',
     ['accelerator_waiting_efficiency', 'accelerator_copying_efficiency',
      'accelerator_launching_efficiency']),
    ('process_efficiency', ['process_communication_efficiency', 'process_load_balance']),
    ('process_load_balance', ['process_load_balance_in', 'process_load_balance_out']),
    ('process_communication_efficiency',
     ['process_transfer_efficiency', 'process_serialisation_efficiency']),
    ('thread_efficiency', ['openmp_region_efficiency', 'serial_region_efficiency']),
    ('openmp_region_efficiency',
     ['openmp_region_load_balance', 'openmp_region_serialisation_efficiency',
      'openmp_region_mpi_efficiency', 'openmp_region_scheduling_efficiency',
      'openmp_region_start_efficiency', 'openmp_region_accelerator_efficiency']),
    ('device_parallel_efficiency',
     ['device_copy_efficiency', 'device_host_work_efficiency', 'device_mpi_efficiency',
      'device_openmp_efficiency', 'device_call_efficiency', 'device_rest_efficiency']),
]

# Ratios of ratios, averages over processes of different length, and over hosts of different
# numbers of processes: these may exceed 1 (docs/metrics.md).
MAY_EXCEED_ONE = {
    ('multiplicative', 'mpi_serialisation_efficiency'),
    ('multiplicative', 'accelerator_load_balance'),
    ('multiplicative', 'openmp_parallel_efficiency'),
    ('multiplicative', 'openmp_load_balance'),
    ('multiplicative', 'openmp_communication_efficiency'),
    ('talp', 'mpi_communication_efficiency'),
    ('talp', 'mpi_load_balance_in'),
}
NO_EFFICIENCIES = ('_bytes', '_calls', '_bandwidth')


def known(metrics, parent, children):
    """The values of the parent and of its children, if all of them are known; without those of
    accelerators in a program that has none."""
    own = [key for key in children if not key.startswith('accelerator_') or metrics.get(key) is not None]
    values = [metrics.get(key) for key in [parent] + own]
    return [] if None in values or not own else [(values[0], values[1:])]


def is_close(value, other):
    return math.isclose(value, other, rel_tol=EXACT, abs_tol=EXACT)


@of_part
def products(part):
    for model, rules in PRODUCTS.items():
        for parent, children in rules:
            for value, factors in known(part.metrics.get(model, {}), parent, children):
                if not is_close(value, math.prod(factors)):
                    yield '%s.%s = %g is not the product of %s = %s' % (
                        model, parent, value, children, factors)


@of_part
def sums_of_losses(part):
    for parent, children in SUMS:
        for value, terms in known(part.metrics['additive'], parent, children):
            if not is_close(1 - value, sum(1 - term for term in terms)):
                yield 'the loss of additive.%s = %g is not the sum of those of %s = %s' % (
                    parent, value, children, terms)


@of_part
def models_agree(part):
    values = [part.metrics[model]['parallel_efficiency']
              for model in ('pop', 'critical_path', 'multiplicative', 'additive')]
    values = [value for value in values if value is not None]
    if values and max(values) - min(values) > EXACT:
        yield 'parallel efficiency differs between models: %s' % sorted(values)


@of_part
def efficiencies_are_shares(part):
    closing = part.closing_ns / max(1, part.clocks.get('comp_ns') or 1)
    for model, rows in part.metrics.items():
        if model == 'computation':
            continue
        for key, value in rows.items():
            if value is None or key.endswith(NO_EFFICIENCIES):
                continue
            limit = math.inf if (model, key) in MAY_EXCEED_ONE else 1 + EXACT + closing
            if not -EXACT <= value <= limit:
                yield '%s.%s = %g is not in [0, 1]' % (model, key, value)


# -- the whole file ------------------------------------------------------------------


@of_report
def nothing_is_negative(report):
    """But an unknown rank; metrics have their own rule."""
    def walk(value, path):
        if isinstance(value, dict):
            for key, each in value.items():
                yield from walk(each, path + [key])
        elif isinstance(value, list):
            for each in value:
                yield from walk(each, path)
        elif isinstance(value, (int, float)) and value < 0 and path[-1] != 'rank':
            if 'metrics' not in path:
                yield '%s is %s' % ('.'.join(path), value)
    yield from walk(report, [])


@of_report
def time_closes(report):
    if report['quality']['closure_error_ns'] != 0:
        yield 'the closure error is %s' % report['quality']['closure_error_ns']


@of_report
def no_impossible_values(report):
    for note in report['quality']['notes']:
        if 'please report' in note:
            yield note


@of_report
def hosts_are_the_run(report):
    run = report['run']
    yield from equal(sum(host['processes'] for host in run['hosts']), 'processes of hosts',
                     run['ranks'], 'of the run')
    threads = [host['threads'] for host in run['hosts']]
    if None not in threads:
        yield from equal(sum(threads), 'threads of hosts', run['threads'], 'of the run')
    yield from equal(report['regions'][0]['accumulators']['threads'], 'threads of Global',
                     run['threads'], 'of the run')


@of_report
def regions_are_distinct(report):
    names = collections.Counter(region['name'] for region in report['regions'])
    for name, count in names.items():
        if count > 1:
            yield '%s appears %d times' % (name, count)


@of_report
def regions_are_in_the_run(report):
    run, *regions = report['regions']
    for region in regions:
        for key in ('useful_sum_ns', 'mpi_sum_ns', 'omp_sum_ns', 'accelerator_sum_ns',
                    'elapsed_weighted_ns', 'posix_io_sum_ns', 'mpi_io_sum_ns', 'posix_io_calls_sum'):
            if run['accumulators'][key] is not None:
                yield from at_most(region['accumulators'][key], '%s of %s' % (key, region['name']),
                                   run['accumulators'][key], 'that of Global')


def entries(report):
    """(key, region, entries) of MPI calls and OpenMP constructs."""
    for key in ('mpi_calls', 'openmp_constructs'):
        regions = collections.defaultdict(list)
        for entry in report[key]:
            regions[entry['region']].append(entry)
        for region, found in regions.items():
            yield key, region, found


def name_of(entry):
    return '%s at %s in %s' % (entry.get('function', entry.get('construct')), entry['location'],
                               entry['region'])


def late_of(entry):
    return entry['late_ranks' if 'late_ranks' in entry else 'late_threads']


@of_report
def entries_add_up(report):
    sums = sums_by_region(report)
    for key, region, found in entries(report):
        if region not in sums:
            yield '%s of %s, which is no region' % (key, region)
            continue
        columns = {'time_ns': 'omp_sum_ns'}
        if key == 'mpi_calls':
            columns = {'time_ns': 'mpi_sum_ns', 'waiting_ns': 'mpi_waiting_sum_ns',
                       'unknown_ns': 'mpi_unknown_sum_ns'}
        for column, total in columns.items():
            yield from equal(sum(entry[column] for entry in found),
                             '%s of %s in %s' % (column, key, region), sums[region][total], total)


@of_report
def entries_wait_within_their_time(report):
    for _, _, found in entries(report):
        for entry in found:
            yield from at_most(entry['waiting_ns'] + entry.get('unknown_ns', 0),
                               'waiting of ' + name_of(entry), entry['time_ns'], 'its time')


@of_report
def late_ones_are_waited_for(report):
    for key, _, found in entries(report):
        for entry in found:
            late, waiting = late_of(entry), entry['waiting_ns']
            least = sum(max(0, each['waiting_ns'] - each['error_ns']) for each in late)
            yield from at_most(least, 'waiting for the late of ' + name_of(entry), waiting,
                               'its waiting')
            if key == 'mpi_calls' and entry['function'] and entry['late_missing_ns'] == 0:
                yield from equal(sum(each['waiting_ns'] for each in late),
                                 'waiting for all late ones of ' + name_of(entry), waiting,
                                 'its waiting')


@of_report
def late_ranks_exist(report):
    run = report['run']
    if run.get('incomplete'):
        return
    for entry in report['mpi_calls']:
        for late in entry['late_ranks']:
            if not 0 <= late['rank'] < run['ranks']:
                yield '%s waited for rank %d' % (name_of(entry), late['rank'])


@of_report
def path_adds_up(report):
    path = report['longest_path']
    if not path or not path['length_ns']:
        return
    length = path['length_ns']
    run_ns = report['regions'][0]['clocks']['all_ns']
    if run_ns is not None:
        yield from equal(length, 'the path', run_ns, 'G-ALL')
    if path['parts']:
        yield from equal(sum(part['ns'] for part in path['parts']), 'the sum of its parts', length,
                         'the path')
    for without in path['without']:
        yield from at_most(without['run_ns'], 'the run without ' + without['region'], length,
                           'the path')


@of_report
def path_is_of_the_run(report):
    run, regions = report['run'], sums_by_region(report)
    for part in (report['longest_path'] or {'parts': []})['parts']:
        if part['rank'] >= run['ranks'] and not run.get('incomplete'):
            yield 'rank %d of %d' % (part['rank'], run['ranks'])
        if part['rank'] < 0 and run['ranks'] == 1:
            yield 'several ranks of one'
        if part['region'] is not None and part['region'] not in regions:
            yield 'region %s, which is none' % part['region']


def parallel_regions(report):
    """Those of the job, and those of each region of the program."""
    regions = {each['name']: each for each in report['regions']}
    lists = {'Global': report['parallel_regions'] or []}
    for each in report.get('region_parallel_regions') or []:
        lists.setdefault(each['region'], []).append(each)
    return [(regions[name], found) for name, found in lists.items() if found]


@of_report
def parallel_regions_add_up(report):
    for region, found in parallel_regions(report):
        contributions = [each['contribution'] for each in found if each['contribution'] is not None]
        efficiency = region['metrics']['additive']['openmp_region_efficiency']
        if efficiency is not None and abs(sum(contributions) - (1 - efficiency)) > EXACT:
            yield '%s: contributions add up to %g, not to %g' % (
                region['name'], sum(contributions), 1 - efficiency)
        for each in found:
            lost = list((each.get('lost') or {'': None}).values())
            if None not in lost + [each['contribution']] and \
                    abs(sum(lost) - each['contribution']) > EXACT:
                yield '%s: sources %s do not add up to %g' % (
                    each['location'], each['lost'], each['contribution'])


@of_report
def parallel_regions_are_possible(report):
    for each in [each for _, found in parallel_regions(report) for each in found]:
        if not each['location']:
            continue
        yield from at_most(each['useful_ns'] + each['mpi_ns'] + each['accelerator_ns'],
                           'work of ' + each['location'], each['weighted_ns'], 'its time')
        for key in ('load_balance', 'scheduling_efficiency'):
            if each[key] is not None and not -EXACT <= each[key] <= 1 + EXACT:
                yield '%s of %s is %g' % (key, each['location'], each[key])


@of_report
def tasks_are_useful(report):
    tasks = sum(each['useful_ns'] for each in report['task_constructs'] or [])
    yield from at_most(tasks, 'time of tasks', report['regions'][0]['accumulators']['useful_sum_ns'],
                       'useful time')


# -- windows ---------------------------------------------------------------------------

# What adds up over windows.
WINDOW_SUMS = [
    'useful_sum_ns', 'mpi_sum_ns', 'omp_sum_ns', 'elapsed_weighted_ns', 'serial_sum_ns',
    'serial_weighted_ns', 'openmp_weighted_ns', 'mpi_waiting_sum_ns', 'mpi_transfer_sum_ns',
    'mpi_unknown_sum_ns', 'mpi_inside_sum_ns', 'mpi_io_sum_ns', 'mpi_io_calls_sum',
    'mpi_io_read_sum_bytes', 'mpi_io_written_sum_bytes', 'posix_io_sum_ns', 'posix_io_calls_sum',
    'posix_io_read_sum_bytes', 'posix_io_written_sum_bytes', 'openmp_serialised_sum_ns',
    'openmp_scheduling_sum_ns', 'openmp_not_started_sum_ns', 'openmp_mpi_inside_sum_ns',
    'openmp_accelerator_inside_sum_ns', 'accelerator_sum_ns', 'accelerator_waiting_sum_ns',
    'accelerator_copying_sum_ns', 'accelerator_launching_sum_ns', 'accelerator_inside_sum_ns',
]


@of_report
def windows_add_up(report):
    region = (report['windows'] or {}).get('region') or 'Global'
    whole = sums_by_region(report).get(region)
    sums = [window['accumulators'] for window in windows(report)]
    if not sums or whole is None:
        return
    for key in WINDOW_SUMS:
        yield from equal(sum(each[key] for each in sums), key + ' of windows', whole[key],
                         'of ' + region)
    for key, count in whole['counters'].items():
        yield from equal(sum(each['counters'].get(key, 0) for each in sums), key + ' of windows',
                         count, 'of ' + region)


@of_report
def windows_follow_each_other(report):
    numbers = [window['index'] for window in windows(report)]
    if numbers != sorted(set(numbers)) or len(numbers) > MOST_WINDOWS:
        yield 'the windows are %s' % numbers


@of_report
def windows_have_their_length(report):
    of = report['windows']
    if of and of['length_ns'] and not of['region']:
        for window in of['list']:
            yield from at_most(window['accumulators']['elapsed_max_ns'],
                               'window %d' % window['index'], of['length_ns'] << of['level'],
                               'its length')


@of_report
def clocks_are_within_bounds(report):
    for window in windows(report):
        for bound in window['clock_bounds']:
            clock = bound['clock']
            values = window['accumulators'] if clock == 'pl_cue_ns' else window['clocks']
            if values.get(clock) is not None and \
                    not bound['least_ns'] <= values[clock] <= bound['most_ns']:
                yield '%s of window %d is %d, not in %s' % (clock, window['index'], values[clock],
                                                            bound)


# -- file systems and processes ----------------------------------------------------------


@of_report
def file_systems_add_up(report):
    run, sums = report['run'], report['regions'][0]['accumulators']
    for key, io in (('file_systems', 'posix_io'), ('mpi_file_systems', 'mpi_io')):
        if not run[key] and not (io == 'posix_io' and run['posix_io']):
            continue
        for column, total in (('calls', 'calls_sum'), ('read_bytes', 'read_sum_bytes'),
                              ('written_bytes', 'written_sum_bytes'), ('time_ns', 'sum_ns')):
            yield from equal(sum(each[column] for each in run[key]), '%s of %s' % (column, key),
                             sums['%s_%s' % (io, total)], io)


PROCESSES = {
    'cpu_user_ns': 'cpu_user_sum_ns', 'cpu_system_ns': 'cpu_system_sum_ns',
    'waited_for_core_ns': 'waited_for_core_sum_ns', 'memory_bytes': 'memory_sum_bytes',
    'peak_memory_bytes': 'peak_memory_sum_bytes',
    'voluntary_switches': 'voluntary_switches_sum',
    'unknown_threads_cpu_ns': 'unknown_threads_cpu_sum_ns', 'program_threads': 'program_threads_sum',
}


@of_report
def processes_add_up(report):
    processes, total = report['processes'], report['run']['resources']
    if not processes:
        return
    lengths = {len(column) for column in processes.values() if isinstance(column, list)}
    if len(lengths) > 1:
        yield 'columns of %s processes' % sorted(lengths)
    if not total or len(processes['rank']) != report['run']['ranks']:
        return
    for key, of_run in PROCESSES.items():
        if total[of_run] is not None:
            yield from equal(sum(each or 0 for each in processes[key]), key + ' of processes',
                             total[of_run], of_run)


# -- devices ---------------------------------------------------------------------------


IDLE = ['idle_%s_ns' % part for part in ('useful', 'mpi', 'openmp', 'accelerator', 'unknown')]


@of_report
def devices_add_up(report):
    """Kernels, copies, graphs and idle time are all time."""
    elapsed = {each['name']: each['accumulators']['elapsed_max_ns'] for each in report['regions']}
    for device in report.get('devices', []):
        for region in device['regions']:
            where = '%s of device %s' % (region['name'], device['unit'])
            known = region['known']
            parts = [known[key] for key in ('kernels_ns', 'copies_ns', 'graphs_ns', *IDLE)]
            yield from equal(sum(parts), 'the parts in ' + where, region['elapsed_ns'], 'elapsed_ns')
            yield from at_most(region['elapsed_ns'], 'elapsed_ns in ' + where,
                               elapsed.get(region['name'], 0), 'the longest of a process')
            yield from at_most(known['kernels_least_ns'], 'kernels_least_ns in ' + where,
                               known['kernels_ns'], 'kernels_ns')
            yield from at_most(known['kernels_ns'], 'kernels_ns in ' + where,
                               known['kernels_most_ns'], 'kernels_most_ns')
            if device['ranks'] == 1:
                raw = region['busy_sum_ns'] + sum(region[key] for key in IDLE)
                yield from equal(raw, 'what one process knows of ' + where, region['elapsed_ns'],
                                 'elapsed_ns')


@of_report
def shares_of_devices_are_all_time(report):
    devices, run = report.get('devices', []), report['regions'][0]
    rows = run['metrics']['additive']
    if not devices or rows.get('device_parallel_efficiency') is None:
        return
    all_ns = len(devices) * run['clocks']['all_ns']
    in_run = [region['known'] for device in devices for region in device['regions']
              if region['name'] == 'Global']
    for row, keys in (('device_copy', ['copies_ns']), ('device_host_work', IDLE[:1]),
                      ('device_mpi', IDLE[1:2]), ('device_openmp', IDLE[2:3]),
                      ('device_call', IDLE[3:4])):
        lost = sum(each[key] for each in in_run for key in keys) / all_ns
        if not is_close(1 - rows[row + '_efficiency'], lost):
            yield 'additive.%s_efficiency is not 1 - %g' % (row, lost)


# -- files -------------------------------------------------------------------------------


def run_files(folder, since_ns=0):
    """{path: report} of the run files below a folder that were written since."""
    found = {}
    for base, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(base, name)
            if not name.endswith('.json') or not os.path.isfile(path) \
                    or os.stat(path).st_mtime_ns < since_ns:
                continue
            with open(path, 'rb') as file:
                text = file.read()
            if b'"poprt.run"' not in text[:100]:
                continue
            try:
                report = json.loads(text)
            except ValueError:
                continue  # a test has damaged it
            if not report['run'].get('imported_from'):
                found[path] = report
    return found


def main():
    broken = 0
    for argument in sys.argv[1:]:
        if os.path.isfile(argument):
            with open(argument, encoding='utf-8') as file:
                found = {argument: json.load(file)}
        else:
            found = run_files(argument)
        for path, report in found.items():
            for sentence in violations(report):
                broken += 1
                print('%s: %s' % (path, sentence))
    sys.exit(broken > 0)


if __name__ == '__main__':
    main()
