"""The clocks of a simulated program, which are the heaviest paths in its execution
graph, and the metrics by the formulas of docs/metrics.md, implemented independently.

Times are in units; only ratios are compared.
"""

import bisect

USEFUL, MPI, OMP = 'useful', 'mpi', 'omp'
GLOBAL = 'Global'

# A value that the shape does not determine: the ratio of two small numbers.
UNDETERMINED = object()
SOURCES = ['openmp_region_load_balance', 'openmp_region_serialisation_efficiency',
           'openmp_region_mpi_efficiency', 'openmp_region_scheduling_efficiency',
           'openmp_region_start_efficiency']


def overlap(a, b, intervals):
    return sum(max(0, min(b, end) - max(a, begin)) for begin, end in intervals)


def heaviest_paths(sim, name):
    """The G clocks, and the largest PL-CUE, of a region."""
    counts = {'cue': (USEFUL,), 'coo': (USEFUL, MPI), 'all': (USEFUL, MPI, OMP)}
    last = {}      # thread: its last point
    clock = {}     # point: {(scope, kind): weight}
    heaviest = {(scope, kind): 0 for scope in ('pl', 'g') for kind in counts}
    for p in sim.points:
        intervals = p.thread.process.regions.get(name, [])
        before = last.get(p.thread)
        began = before.time if before else 0
        weight = overlap(began, p.time, intervals)
        here = {}
        for scope, kind in heaviest:
            value = clock[before][scope, kind] if before else 0
            value += weight if p.state in counts[kind] else 0
            for edge, source in p.edges:
                if edge == 'omp' or scope == 'g':
                    value = max(value, clock[source][scope, kind])
            here[scope, kind] = value
            heaviest[scope, kind] = max(heaviest[scope, kind], value)
        clock[p] = here
        last[p.thread] = p
    return (heaviest['g', 'cue'], heaviest['g', 'coo'], heaviest['g', 'all'],
            heaviest['pl', 'cue'])


def mpi_of_primary(sim):
    """For each process, when its primary thread was in MPI, and of that outside parallel
    regions."""
    result = {process: ([], []) for process in sim.processes}
    began = {}
    for p in sim.points:
        process = p.thread.process
        if p.thread is not process.primary:
            continue
        begin, end = began.get(process, 0), p.time
        began[process] = end
        if p.state == MPI and end > begin:
            anywhere, outside = result[process]
            anywhere.append((begin, end))
            if not overlap(begin, end, process.instances):
                outside.append((begin, end))
    return result


def between(a, b, calls):
    """What of these calls, one after the other, is between two times."""
    first = max(0, bisect.bisect_left(calls, (a, a)) - 1)  # one that has begun before
    for begin, end in calls[first:]:
        if begin >= b:
            return
        if end > a:
            yield max(a, begin), min(b, end)


def later_of(values):
    return tuple(max(each) for each in zip(*values))


def paths_outside_mpi(sim, name):
    """G-COM and G-COMP. A process is the line of its primary thread, which MPI edges
    alone synchronise, until a team of two or more calls MPI; from then on each thread has
    its own."""
    in_mpi = mpi_of_primary(sim)
    value = {}  # point: (com, comp)
    own = set()  # the points of threads that have their own
    start = {}   # process: the point from which on they have
    line = dict.fromkeys(sim.processes, (0, 0))
    at = dict.fromkeys(sim.processes, 0)
    last = {}    # thread: its last point
    for p in sim.points:
        thread, process = p.thread, p.thread.process
        regions = process.regions.get(name, [])
        sources = [value[q] for edge, q in p.edges if edge == 'mpi']
        if process not in start:
            weight = overlap(at[process], p.time, regions)
            here = tuple(before + weight - sum(
                overlap(a, b, regions) for a, b in between(at[process], p.time, calls))
                for before, calls in zip(line[process], in_mpi[process]))
            at[process] = p.time
            line[process] = value[p] = later_of(sources + [here])
            if p.off_line:
                start[process] = p
                own.add(p)
        else:
            others = [q for edge, q in p.edges if edge == 'omp' and q in own]
            came, here = own_value(p, last.get(thread), value, own, start[process], regions, others)
            # What others bring counts as of when the last of them came.
            after = overlap(came, p.time, regions)
            sources += [(value[q][0] + after, value[q][1] + after) for q in others]
            value[p] = later_of(sources + [here])
            own.add(p)
        last[thread] = p
    return later_of(value.values())


def own_value(p, before, value, own, start, regions, others):
    """Of a thread that has its own: since when its wait for `others` is over, and its value
    before it merges theirs."""
    thread, process = p.thread, p.thread.process
    worker = thread is not process.primary
    idle = worker and p.state == OMP and (p.fork is not None or p.last)
    if before in own:
        (com, comp), began = value[before], before.time
    else:
        in_team = not idle or p.fork is not None and p.fork.time <= start.time
        (com, comp), began = value[start] if in_team else (0, 0), start.time
    came = max([began] + [q.time for q in others])
    weight, after = overlap(began, p.time, regions), overlap(came, p.time, regions)
    if p.state == MPI:
        inside = worker or overlap(began, p.time, process.instances) > 0
        return came, (com, comp + (weight if inside else 0))
    if p.state == USEFUL:
        return came, (com + weight, comp + weight)
    if p.last and worker:
        return came, (com, comp)
    return came, (com + after, comp + (after if idle else weight))


def ratio(part, whole, scale):
    """The ratio; undetermined if both are as small as what calls and noise take."""
    if part is UNDETERMINED or whole is UNDETERMINED:
        return UNDETERMINED
    if part is None or whole is None:
        return None
    if whole <= 0.02 * scale:
        return UNDETERMINED
    return part / whole


def product(*factors):
    if UNDETERMINED in factors:
        return UNDETERMINED
    value = 1
    for factor in factors:
        value *= factor
    return value


# The rows that compare threads with each other, or with a clock.
OF_SINGLE_THREADS = {
    'pop': ['load_balance', 'load_balance_in', 'communication_efficiency', 'serialisation_efficiency'],
    'critical_path': [
        'load_balance', 'load_balance_in', 'communication_efficiency', 'serialisation_efficiency',
        'mpi_load_balance', 'mpi_load_balance_in', 'mpi_parallel_efficiency',
        'openmp_load_balance', 'openmp_parallel_efficiency',
        'openmp_serialisation_efficiency', 'openmp_communication_efficiency'],
    'multiplicative': ['load_balance', 'load_balance_in', 'communication_efficiency',
                       'openmp_load_balance',
                       'openmp_communication_efficiency'],
    'talp': ['openmp_load_balance', 'openmp_scheduling_efficiency'],
}


def wait_end(point, begin):
    """When the partners of the MPI call that ends at the point had come."""
    if point.state != MPI:
        return begin
    came = [source.time for edge, source in point.edges if edge == 'mpi']
    return min(point.time, max([begin] + came))


class Expectation:
    """What the report must say of one region."""

    def __init__(self, sim, name):
        self.name = name
        entered = [p for p in sim.processes if name in p.regions]
        self.processes = len(entered)
        self.threads = sum(len(p.threads) for p in entered)
        self.visits = sum(len(p.regions[name]) for p in entered)
        self.cue, self.coo, self.all, self.pl_cue = heaviest_paths(sim, name)
        self.com, self.comp = paths_outside_mpi(sim, name)

        # Times of threads: {thread: {state: time}}, and of the primary's line.
        time = {t: {USEFUL: 0, MPI: 0, OMP: 0} for p in entered for t in p.threads}
        inside = {t: {USEFUL: 0, MPI: 0, OMP: 0} for t in time}  # parallel regions
        in_instance = {}  # (process, instance): {thread: useful + MPI}
        began = {}
        waited = 0  # in MPI, for partners that were late
        for p in sim.points:
            begin, began[p.thread] = began.get(p.thread, 0), p.time
            if p.thread not in time:
                continue
            waited += overlap(begin, wait_end(p, begin), p.thread.process.regions[name])
            process = p.thread.process
            for start, stop in process.regions[name]:
                a, b = max(begin, start), min(p.time, stop)
                if b <= a:
                    continue
                time[p.thread][p.state] += b - a
                for i, instance in enumerate(process.instances):
                    part = overlap(a, b, [instance])
                    inside[p.thread][p.state] += part
                    if p.state != OMP:
                        busy = in_instance.setdefault((process, i), {})
                        busy[p.thread] = busy.get(p.thread, 0) + part

        count = {p: len(p.threads) for p in entered}
        total = sum(count.values())
        def in_region(calls):
            return sum(overlap(*call, p.regions[name]) for p in entered for call in calls(p))

        self.in_files = in_region(lambda p: p.in_files)
        self.unknown = in_region(lambda p: p.unknown)
        elapsed = {p: sum(b - a for a, b in p.regions[name]) for p in entered}
        self.elapsed_max = max(elapsed.values())
        useful = {t: time[t][USEFUL] for t in time}
        serial = {p: useful[p.primary] - inside[p.primary][USEFUL] for p in entered}
        in_mpi = {p: time[p.primary][MPI] - inside[p.primary][MPI] for p in entered}
        outside = {p: elapsed[p] - in_mpi[p] for p in entered}  # serial_p + openmp_p
        openmp = {p: outside[p] - serial[p] for p in entered}

        # Averages weigh a process by its threads.
        def average(values):
            return sum(count[p] * values[p] for p in entered) / total

        def divide(part, whole):
            return ratio(part, whole, self.all)

        run_time = self.all
        avg_useful = sum(useful.values()) / total
        self.useful_max = max_useful = max(useful.values())
        process_max = {p: max(useful[t] for t in p.threads) for p in entered}

        parallel = divide(avg_useful, run_time)
        balance = divide(avg_useful, max_useful)
        communication = divide(max_useful, run_time)
        serialisation = divide(max_useful, self.cue)
        transfer = divide(self.cue, run_time)
        pop = {
            'parallel_efficiency': parallel,
            'load_balance': balance,
            'communication_efficiency': communication,
            'serialisation_efficiency': serialisation,
            'transfer_efficiency': transfer,
        }

        mpi_lb = divide(average(process_max), max_useful)
        mpi_ser = divide(self.pl_cue, self.cue)
        mpi_te = divide(self.cue, self.coo)
        omp_lb = divide(avg_useful, average(process_max))
        omp_ser = divide(max_useful, self.pl_cue)
        omp_te = divide(self.coo, run_time)
        critical_path = dict(pop)
        for prefix, lb, ser, te in (('mpi_', mpi_lb, mpi_ser, mpi_te),
                                    ('openmp_', omp_lb, omp_ser, omp_te)):
            critical_path[prefix + 'load_balance'] = lb
            critical_path[prefix + 'serialisation_efficiency'] = ser
            critical_path[prefix + 'transfer_efficiency'] = te
            critical_path[prefix + 'communication_efficiency'] = product(ser, te)
            critical_path[prefix + 'parallel_efficiency'] = product(lb, ser, te)

        # The population of the MPI rows: the primary threads, and others that
        # call MPI, each with the process's MPI outside parallel regions and its
        # own inside.  Processes count alike.
        callers = {}
        for p in entered:
            others = [t for t in p.threads if t is not p.primary and
                      any(a <= call < b for call in t.mpi_calls for a, b in p.regions[name])]
            own = [outside[p] - inside[t][MPI] for t in others]
            own.append(outside[p] - inside[p.primary][MPI])
            callers[p] = own
        callers_average = sum(sum(own) / len(own) for own in callers.values()) / len(callers)
        callers_max = max(max(own) for own in callers.values())
        mpi_parallel = divide(callers_average, run_time)
        mpi_balance = divide(callers_average, callers_max)
        mpi_communication = divide(callers_max, run_time)
        multiplicative = {
            'parallel_efficiency': parallel,
            'load_balance': balance,
            'communication_efficiency': communication,
            'mpi_parallel_efficiency': mpi_parallel,
            'mpi_load_balance': mpi_balance,
            'mpi_communication_efficiency': mpi_communication,
            'mpi_serialisation_efficiency': divide(callers_max, self.com),
            'mpi_transfer_efficiency': divide(self.com, run_time),
            'openmp_parallel_efficiency': ratio(parallel, mpi_parallel, 1),
            'openmp_load_balance': ratio(balance, mpi_balance, 1),
            'openmp_communication_efficiency': ratio(communication, mpi_communication, 1),
        }

        process_level = average(outside)
        longest = max(outside.values())
        omp_useful = {t: useful[t] - (serial[t.process] if t is t.process.primary else 0)
                      for t in time}
        lost_serial = sum(serial[p] * (count[p] - 1) for p in entered) / total
        lost_in_regions = sum(openmp[t.process] - omp_useful[t] for t in time) / total
        # Sources of what parallel regions lose are found in each barrier interval, which
        # this model does not know: check_sources.py compares them.
        additive = {
            **{key: UNDETERMINED for key in SOURCES},
            'parallel_efficiency': parallel,
            'process_efficiency': process_level / run_time,
            'process_load_balance': 1 - (longest - process_level) / run_time,
            'process_communication_efficiency': longest / run_time,
            'process_transfer_efficiency': self.comp / run_time,
            'process_serialisation_efficiency': 1 - (self.comp - longest) / run_time,
            'thread_efficiency': 1 - (process_level - avg_useful) / run_time,
            'openmp_region_efficiency': 1 - lost_in_regions / run_time,
            'serial_region_efficiency': 1 - lost_serial / run_time,
        }

        # TALP: averages over the threads of a process, then over processes.
        def mean(values):
            return sum(values) / len(values)

        t_u = mean([mean([time[t][USEFUL] for t in p.threads]) for p in entered])
        t_c = mean([mean([time[t][MPI] for t in p.threads]) for p in entered])
        t_i = mean([mean([time[t][OMP] for t in p.threads]) for p in entered])
        t_all = t_u + t_c + t_i
        not_mpi = [elapsed[p] - mean([time[t][MPI] for t in p.threads]) for p in entered]
        scheduling = []
        for p in entered:
            least = 0
            for i, instance in enumerate(p.instances):
                length = sum(overlap(a, b, [instance]) for a, b in p.regions[name])
                busy = in_instance.get((p, i), {})
                least += min(length - busy.get(t, 0) for t in p.threads)
            scheduling.append(least)
        i_sch = mean(scheduling)
        i_in = mean([mean([inside[t][OMP] for t in p.threads]) for p in entered])
        i_serial = t_i - i_in
        i_lb = i_in - i_sch
        talp = {
            'parallel_efficiency': divide(t_u, t_all),
            'mpi_parallel_efficiency': divide(t_all - t_c, t_all),
            'mpi_communication_efficiency': divide(max(not_mpi), t_all),
            'mpi_load_balance': divide(t_all - t_c, max(not_mpi)),
            'openmp_parallel_efficiency': divide(t_all - t_i, t_all),
            'openmp_serialization_efficiency': divide(t_all - i_serial, t_all),
            'openmp_load_balance': divide(t_all - i_serial - i_lb, t_all - i_serial),
            'openmp_scheduling_efficiency': divide(t_all - t_i, t_all - i_serial - i_lb),
        }

        # Load balance inside hosts and between them: the largest mean of a host is between
        # the maximum and the mean of all.
        host_of = {p: sim.hosts[p.rank] for p in entered}

        def busiest(values, weight):
            """`values` and `weight` are of processes."""
            means = []
            for host in set(host_of.values()):
                there = [p for p in entered if host_of[p] == host]
                means.append(sum(weight[p] * values[p] for p in there) /
                             sum(weight[p] for p in there))
            return max(means)

        once = dict.fromkeys(entered, 1)
        host_useful = busiest({p: sum(useful[t] for t in p.threads) / count[p] for p in entered},
                              count)
        for rows in (pop, critical_path, multiplicative):
            rows['load_balance_in'] = divide(host_useful, max_useful)
            rows['load_balance_out'] = divide(avg_useful, host_useful)
        host_max = busiest(process_max, count)
        critical_path['mpi_load_balance_in'] = divide(host_max, max_useful)
        critical_path['mpi_load_balance_out'] = divide(average(process_max), host_max)
        host_callers = busiest({p: sum(own) / len(own) for p, own in callers.items()}, once)
        multiplicative['mpi_load_balance_in'] = divide(host_callers, callers_max)
        multiplicative['mpi_load_balance_out'] = divide(callers_average, host_callers)
        host_outside = busiest(outside, count)
        additive['process_load_balance_in'] = 1 - (longest - host_outside) / run_time
        additive['process_load_balance_out'] = 1 - (host_outside - process_level) / run_time

        def mean_of(host):
            values = [value for p, value in zip(entered, not_mpi) if host_of[p] == host]
            return mean(values)

        talp_means = [mean_of(host) for host in set(host_of.values())]
        talp['mpi_load_balance_out'] = divide(mean(talp_means), max(talp_means))
        talp['mpi_load_balance_in'] = ratio(talp['mpi_load_balance'],
                                            talp['mpi_load_balance_out'], 1)

        in_mpi_all = sum(time[t][MPI] for t in time)
        parts = {'mpi_share': in_mpi_all, 'mpi_waiting_share': waited,
                 'mpi_transfer_share': in_mpi_all - waited - self.unknown,
                 'mpi_unknown_share': self.unknown}
        mpi_time = {key: part / total / run_time for key, part in parts.items()}

        self.metrics = {'pop': pop, 'critical_path': critical_path,
                        'multiplicative': multiplicative, 'additive': additive, 'talp': talp,
                        'mpi_time': mpi_time}
        if sim.sends_may_wait:
            mpi_time.update(mpi_waiting_share=UNDETERMINED, mpi_transfer_share=UNDETERMINED)
        if sim.anywhere:
            for model, keys in OF_SINGLE_THREADS.items():
                self.metrics[model].update(dict.fromkeys(keys, UNDETERMINED))
        for model, rows in self.metrics.items():
            for key in rows:
                if self._absent(model, key, sim):
                    rows[key] = None

    @staticmethod
    def _absent(model, key, sim):
        """Whether the row belongs to a layer that the program does not have."""
        if model == 'additive':
            layer = {'process': 'mpi', 'thread': 'openmp', 'openmp': 'openmp',
                     'serial': 'openmp'}.get(key.split('_')[0])
        else:
            layer = key.split('_')[0]
        return layer == 'mpi' and not sim.mpi or layer == 'openmp' and not sim.openmp
