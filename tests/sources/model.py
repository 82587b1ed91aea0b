#!/usr/bin/env python3
"""Event model of MPI + OpenMP programs: OpenMP loss by source (A) and the clocks CUE, COM, COMP, ALL (B).
  model.py shapes FILE        checks the hand values ("hand") and the full values ("expect") of each shape
  model.py fill FILE          writes "expect" of each shape anew
  model.py trace FILE         the events of each shape, for the fake runtime of the layer tests
random_programs.py makes random ones.
A program is {"ranks": [{"threads": T, "ops": [...]}]}. Times are integers (ms). Operations:
  w d | o d | x d             useful | OpenMP runtime | MPI transfer, each for d
  send k | recv k | mbar k n  MPI message (eager) | its receive | barrier of n threads of any process
  start r | stop r            user region of the process
  par name {fork,join,late:{i:d},tids:[cores]} [ops per thread]     parallel region, may nest
  bar [l] | lock n | unlock n | ordered id turn d | single id d nowait | masked d | dyn id chunks overhead
  task d name [after] [x] | taskwait | ext d      (ext: what all wait for and no thread does, e.g. a detached task)
States: U useful, V useful in single or masked, M MPI, S wait for something serialised, X runtime, N not started,
W idle in barrier or taskwait, I in no team."""
import sys, json, heapq, itertools
from collections import defaultdict
SRC = ('imbalance', 'mpi_inside', 'serialised', 'scheduling', 'not_started')
KIND = dict(U='imbalance', V='serialised', M='mpi_inside', S='serialised', X='scheduling', N='not_started')
BACK = dict(imbalance='U', mpi_inside='M', serialised='S', scheduling='X', not_started='N')
CK = ('cue', 'com', 'comp', 'all', 'scom')

def split(W, own, L, WL, none):
    """(A) W of one thread by source. own, L: its and L's sums; none: time in which for certain nobody did anything."""
    out = dict.fromkeys(SRC, 0.0)
    out['scheduling'] += none; out['imbalance'] += WL - none
    pos = {k: L[k] - own[k] for k in KIND if L[k] > own[k]}
    P = sum(pos.values())
    for k, d in pos.items(): out[KIND[k]] += d * (W - WL) / P
    return out

class Thread:
    def __init__(s, r, t, regs):
        s.r, s.t, s.st, s.q, s.fr, s.sm = r, t, 'I', [], [], 0
        s.c = {g: dict.fromkeys(CK, 0) for g in regs}; s.tot = {g: defaultdict(int) for g in regs}; s.calls = set(); s.after = []; s.asks = False

class Team:
    def __init__(s, name, root, members, now, regs):
        s.name, s.root, s.members, s.t0 = name, root or s, members, now
        s.D = dict.fromkeys(regs, 0); s.ready, s.blocked, s.done, s.ext, s.tasks = [], [], {}, 0, 0
        s.turn, s.owait, s.olast, s.singles, s.chunks, s.ran = defaultdict(int), {}, {}, set(), {}, False
        s.none, s.gap, s.gaps = 0, 0, defaultdict(int)

class Sim:
    def __init__(s, prog, read='', who=None, firsts=None):
        s.firsts = firsts or {}   # by name of a `single`: the threads that executed it, if that is known
        s.who, s.made = who or {}, defaultdict(int)   # (creator, its number): who executed a task, else the lowest
        s.read = read                                 # '': docs/metrics.md, additive; lack, wl: other readings
        s.T = [r['threads'] for r in prog['ranks']]
        s.regs = ['Global'] + sorted({w for w in json.dumps(prog).replace('"', ' ').split() if w.startswith('r:')})
        s.th = {(r, t): Thread(r, t, s.regs) for r, n in enumerate(s.T) for t in range(n)}
        s.open = [{'Global'} for _ in s.T]; s.line = [{g: dict(lcom=0, lcomp=0, s=0) for g in s.regs} for _ in s.T]
        s.switched = [False] * len(s.T); s.teams = []; s.iv = []; s.n = itertools.count(); s.now = 0; s.heap = []
        s.msgs, s.rwait, s.mb, s.locks = {}, {}, defaultdict(list), {}
        s.changed, s.blur = [-1] * len(s.T), 0    # runtime and inner teams in intervals in which a region was opened or closed: a tool need not know in which
        s.events, s.ids = [], itertools.count(1)      # (rank, thread, time, what, ...)
        s.loss = [{g: dict.fromkeys(SRC, 0.0) for g in s.regs} for _ in s.T]      # by process and user region
        s.own = {k: {g: dict.fromkeys(SRC, 0.0) for g in s.regs} for k in s.th}      # by thread and user region
        s.con = defaultdict(lambda: dict.fromkeys(SRC + ('total',), 0.0))         # by parallel region
        s.openmp = [dict.fromkeys(s.regs, 0) for _ in s.T]; s.omp_useful = [dict.fromkeys(s.regs, 0) for _ in s.T]
        s.mpi_outside = [dict.fromkeys(s.regs, 0) for _ in s.T]                   # the primary thread's MPI outside parallel regions
        for r, k in enumerate(prog['ranks']):
            p = s.th[r, 0]; p.q = [dict(ops=list(k['ops']), i=0, kind='serial')]; s.wake(p, 0)
        while s.heap:
            t, _, th = heapq.heappop(s.heap)
            if t > s.now: s.advance(t - s.now); s.now = t
            th() if callable(th) else s.step(th)
        assert all(not k.q for k in s.th.values()), 'deadlock'
    def log(s, th, *what): s.events.append((th.r, th.t, s.now) + what)
    def wake(s, th, d): heapq.heappush(s.heap, (s.now + d, next(s.n), th))
    def advance(s, dt):
        for th in s.th.values():
            st, r, fr = th.st, th.r, th.fr
            serial = not fr and th.t == 0
            rate = dict(all=1, cue=st in 'UV', com=st in 'UVXN', comp=bool(fr) or serial and st != 'M'); rate['scom'] = rate['com']
            for g in s.open[r]:
                for k in CK: th.c[g][k] += dt * rate[k]
                th.tot[g][st] += dt
                if fr: fr[-1]['own'][g][st] += dt
                if fr and st in 'UV': s.omp_useful[r][g] += dt; s.con[fr[0]['team'].root.name]['total'] -= dt * (g == 'Global')
                if th.t == 0:
                    s.line[r][g]['lcom'] += dt * (st != 'M'); s.line[r][g]['s'] += dt * (st != 'M'); s.line[r][g]['lcomp'] += dt * rate['comp']
                    if fr or st in 'XSW': s.openmp[r][g] += dt
                    if serial and st == 'M': s.mpi_outside[r][g] += dt
                    if serial and st in 'XSW':                             # the runtime outside parallel regions
                        s.loss[r][g]['scheduling'] += dt * s.T[r]
                        for t in range(s.T[r]): s.own[r, t][g]['scheduling'] += dt
                    if fr and g == 'Global': s.con[fr[0]['team'].name]['total'] += dt * s.T[r]
            if fr: fr[-1]['cmp'][st] += dt
        for t in s.teams:
            rest = all(m.st == 'W' and m.fr[-1]['team'] is t for m in t.members)   # nobody of the team does anything
            t.none += dt * rest
            if not rest: t.gap, t.gaps = 0, defaultdict(int)
            t.gap += dt * rest
            for g in s.open[t.members[0].r]: t.D[g] += dt; t.gaps[g] += dt * rest
    # ---- (A)
    def close(s, team):
        """An interval of the team ends, at the moment at which the last one came: each thread's W by source."""
        end = s.now - team.gap; D, r, ms = end - team.t0, team.members[0].r, team.members
        for g in s.regs: team.D[g] -= team.gaps[g]
        for m in ms:                                          # what follows is the next interval's X
            m.fr[-1]['cmp']['W'] -= team.gap
            for g in s.regs: m.fr[-1]['own'][g]['W'] -= team.gaps[g]
        if D:
            v = [m.fr[-1]['cmp'] for m in ms]
            assert all(m.fr[-1]['team'] is team and abs(sum(x.values()) - D) < 1e-6 for m, x in zip(ms, v))
            if s.changed[r] >= team.t0: s.blur += sum(x['X'] for x in v) + sum(m.fr[-1]['Z']['Global'] for m in ms)
            l = min(range(len(ms)), key=lambda i: [round(v[i]['W'], 6)] + [-round(v[i][k], 6) for k in 'UMSVN'])
            L, WL = v[l], v[l]['W']
            none = max(0, D - sum(D - x['W'] for x in v)) if s.read != 'wl' else WL
            got = dict.fromkeys(SRC, 0.0)
            def book(g, parts, t, f=1.0):
                for k, d in parts.items():
                    s.loss[r][g][k] += d * f; s.own[r, t][g][k] += d * f
                    if g == 'Global': s.con[team.root.name][k] += d * f; got[k] += d * f
            for m, x in zip(ms, v):
                fr = m.fr[-1]; parts = split(x['W'], x, L, WL, none)
                for g in s.regs:
                    own = fr['own'][g]
                    for k in 'MSXN': book(g, {KIND[k]: own[k]}, m.t)
                    if x['W']: book(g, parts, m.t, own['W'] / x['W'])
                if len(m.fr) > 1 and m is ms[0]:              # for the outer team, the inner waits count by their sources
                    out = m.fr[-2]
                    for k in KIND: out['cmp'][k] += x[k]
                    for k, d in parts.items(): out['cmp'][BACK[k]] += d
                    for g in s.regs:
                        out['Z'][g] += team.D[g] * (len(ms) - 1) + sum(k.fr[-1]['Z'][g] for k in ms)
                        for k in ms[1:]: out['by'][k.t, g] += team.D[g]
                        for k in ms:
                            for a, d in k.fr[-1]['by'].items(): out['by'][a] += d * (a[1] == g)
            if team.root is team:                             # threads that are in no team: U = M = S = X = N = 0
                nothing = dict.fromkeys(KIND, 0); parts = split(D, nothing, L, WL, none)
                if s.read == 'lack': parts = dict.fromkeys(SRC, 0.0); parts['imbalance'] = D
                for g in s.regs:
                    lack = (s.T[r] - len(ms)) * team.D[g] - sum(m.fr[-1]['Z'][g] for m in ms)
                    assert lack > -1e-6
                    for t in set(range(s.T[r])) - {m.t for m in ms}:
                        book(g, parts, t, (team.D[g] - sum(m.fr[-1]['by'][t, g] for m in ms)) / D)
                z = any(m.fr[-1]['Z']['Global'] for m in ms)
                s.iv.append(dict(D=D, T=s.T[r], none=none, exact=team.none - team.gap, v=[dict(x) for x in v], got=got, plain=not z and not team.ran and not none))
        for m in ms:
            m.fr[-1].update(s.frame(team)); m.fr[-1]['cmp']['X'] = team.gap
            for g in s.regs: m.fr[-1]['own'][g]['X'] = team.gaps[g]
        team.t0, team.D, team.ran, team.none = end, {g: team.gaps[g] for g in s.regs}, False, 0
    def frame(s, team):
        return dict(team=team, own={g: defaultdict(int) for g in s.regs}, cmp=dict.fromkeys('UVMSXNW', 0), Z=dict.fromkeys(s.regs, 0), by=defaultdict(int))
    # ---- (B)
    def snap(s, th): return {g: dict(th.c[g]) for g in s.regs}
    def merge(s, th, snap):
        for g in s.regs:
            for k in CK: th.c[g][k] = max(th.c[g][k], snap[g][k])
    def mpi_snap(s, th):
        sn = s.snap(th)
        for g in s.regs:
            sn[g].update(lcom=s.line[th.r][g]['lcom'], lcomp=s.line[th.r][g]['lcomp'])
            if not s.switched[th.r]: sn[g]['scom'] = s.line[th.r][g]['s']
        return sn
    def mpi_merge(s, th, sn):
        for g in s.regs:
            l = s.line[th.r][g]
            for k in ('lcom', 'lcomp'): l[k] = max(l[k], sn[g][k])
            l['s'] = max(l['s'], sn[g]['scom'])
        s.merge(th, sn)
    def mpi(s, th):
        """A thread calls MPI. The first call inside a parallel region: COM is kept per thread from here on (scom)."""
        th.calls |= s.open[th.r]
        if not th.fr or s.switched[th.r]: return
        s.switched[th.r] = True
        for k in s.th.values():
            if k.r == th.r and (k.fr or k.t == 0):
                for g in s.regs: k.c[g]['scom'] = s.line[th.r][g]['s']
    def free(s, th): th.st = 'X'; s.wake(th, 0)
    def wait(s, th, st): th.st = st
    # ---- running
    def push(s, th, ops): th.q.append(dict(ops=ops, i=0, kind='part'))
    def home(s, th): return next(f for f in reversed(th.q) if f['kind'] != 'part')     # its task
    def step(s, th):
        for what in th.after: s.log(th, *what)
        th.after = []
        while th.q:
            f = th.q[-1]
            if f['i'] == len(f['ops']):
                if f['kind'] == 'part': th.q.pop(); continue
                if f['kind'] == 'serial': s.log(th, 'finalize'); th.q.pop(); th.st = 'M' if th.t == 0 else 'I'; return
                if f['kind'] == 'task': s.task_end(th, f); return
                if f['kind'] == 'imp': f['kind'] = 'done'; s.arrive(th, 0); return
                return
            op = f['ops'][f['i']]; f['i'] += 1; o, a = op[0], op[1:]; r = th.r; team = th.fr[-1]['team'] if th.fr else None
            if o in 'woxnf':
                if o == 'x': s.mpi(th)
                if o in 'xo' and a[0]: s.log(th, 'mpi' if o == 'x' else 'runtime'); th.after = [('mpi_end' if o == 'x' else 'useful',)]
                if o == 'f' and a[1:]: th.after = [('barrier_end',)]
                if a[0]: th.st = ('V' if th.sm else 'U') if o == 'w' else dict(o='X', f='X', x='M', n='N')[o]; s.wake(th, a[0]); return
            elif o == 'begin': s.log(th, 'implicit', team.id, a[0])
            elif o == 'start': s.log(th, o, a[0]); s.open[r].add(a[0]); s.changed[r] = s.now
            elif o == 'stop': s.log(th, o, a[0]); s.open[r].discard(a[0]); s.changed[r] = s.now
            elif o == 'send':
                s.mpi(th); s.log(th, 'send', a[0]); sn = s.mpi_snap(th)
                if a[0] in s.rwait: k = s.rwait.pop(a[0]); s.mpi_merge(k, sn); k.after = [('recv_end', a[0])]; s.wake(k, 0)
                else: s.msgs[a[0]] = sn
            elif o == 'recv':
                s.mpi(th); s.log(th, 'recv', a[0])
                if a[0] in s.msgs: s.mpi_merge(th, s.msgs.pop(a[0])); s.log(th, 'recv_end', a[0])
                else: s.rwait[a[0]] = th; th.st = 'M'; return
            elif o == 'mbar':
                s.mpi(th); s.log(th, 'mbar', a[0]); b = s.mb[a[0]]; b.append((th, s.mpi_snap(th))); th.st = 'M'
                if len(b) < a[1]: return
                for k, _ in b:
                    for _, sn in b: s.mpi_merge(k, sn)
                    k.after = [('mbar_end', a[0])]
                    if k is not th: s.wake(k, 0)
                s.log(th, *th.after.pop())
                del s.mb[a[0]]
            elif o == 'lock':
                l = s.locks.setdefault((r, a[0]), dict(held=False, q=[], last=None)); s.log(th, 'acquire', a[0])
                if l['held']: l['q'].append((th, s.now)); s.wait(th, 'S'); return
                l['held'] = True; s.log(th, 'acquired', a[0])
            elif o == 'unlock':
                l = s.locks[r, a[0]]; s.log(th, 'released', a[0]); l['last'] = s.snap(th); l['held'] = bool(l['q'])
                if l['q']:
                    k, asked = l['q'].pop(0); k.after = [('acquired', a[0])]; s.free(k)
                    if s.now > asked: s.merge(k, l['last'])
            elif o == 'ordered':
                if not th.asks: s.log(th, 'ask_turn', a[0]); th.asks = True
                if team.turn[a[0]] != a[1]: f['i'] -= 1; team.owait[a[0], a[1]] = th; s.wait(th, 'S'); return
                th.asks = False; s.log(th, 'turn', a[0])
                if a[0] in team.olast: s.merge(th, team.olast[a[0]])
                s.push(th, [['w', a[2]], ['odone', a[0]]])
            elif o == 'odone':
                s.log(th, 'turn_over', a[0]); team.turn[a[0]] += 1; team.olast[a[0]] = s.snap(th); k = team.owait.pop((a[0], team.turn[a[0]]), None)
                if k: s.free(k)
            elif o == 'single':
                more = a[1] if isinstance(a[1], list) else [['w', a[1]]]
                first = a[0] not in team.singles and s.may_make(team, th, more, s.firsts.get(a[0], ()))
                if first: team.singles.add(a[0])
                s.push(th, ([['sm', 1, 'single']] + more + [['sm', -1, 'single']] if first else []) + ([] if a[2] else [['bar']]))
            elif o == 'masked':
                if th is team.members[0]: s.push(th, [['sm', 1, 'masked'], ['w', a[0]], ['sm', -1, 'masked']])
            elif o == 'sm': th.sm += a[0]; s.log(th, a[1] + ('' if a[0] > 0 else '_end'))
            elif o == 'dyn': team.chunks.setdefault(a[0], list(a[1])); s.push(th, [['o', a[2]], ['take', a[0], a[2]]])
            elif o == 'take':
                c = team.chunks[a[0]]
                if c: s.push(th, [['w', c.pop(0)], ['o', a[1]], ['take', a[0], a[1]]])
            elif o == 'task':
                own = s.home(th); own['kids'] = own.get('kids', 0) + 1; team.tasks += 1; own.setdefault('done', {})
                work, name, deps, x = (a + [None, [], 0][len(a) - 1:])[:4]; clocks = own['done']
                key = team.members.index(th), s.made[th]; s.made[th] += 1
                t = dict(id=next(s.ids), key=key, ops=[['w', work], ['x', x]] if x else [['w', work]], sn=s.snap(th), own=own, who=th, name=name,
                         after=[n for n in deps if clocks.get(n, 0) is None], before=[clocks[n] for n in deps if clocks.get(n)])
                s.log(th, 'create', t['id'], name or '-', *deps)
                if t['name']: own['done'][t['name']] = None
                (team.blocked if t['after'] else team.ready).append(t); s.hand_out(team)
            elif o == 'taskwait':
                own = s.home(th); s.log(th, 'taskwait')
                if own.get('kids'): own['wait'] = 'taskwait'; s.wait(th, 'W'); s.hand_out(team); return
                s.log(th, 'taskwait_end')
                for sn in own.pop('kclk', []): s.merge(th, sn)
            elif o == 'ext':
                team.ext += 1
                def over(team=team): team.ext -= 1; s.check(team)
                s.wake(over, a[0])
            elif o == 'bar': s.arrive(th, a[0] if a else 0); return
            elif o == 'par': s.fork(th, *a); return
            elif o == 'pend': s.pend(team); return
            else: raise ValueError(op)
    def may_make(s, team, th, ops, firsts):
        """Whether the thread executes a `single`: who does, or makes its tasks, is known from a run, else the first."""
        if len(firsts) == 1: return team.members.index(th) in firsts
        creators = {creator for creator, _ in s.who}
        return not creators or team.members.index(th) in creators or all(o[0] != 'task' for o in ops)
    def fork(s, th, name, opt, lists):
        ms = [th] + [s.th[th.r, c] for c in opt.get('tids', range(1, len(lists)))]
        assert len(ms) == len(lists) and all(not m.q and not m.fr for m in ms[1:])
        team = Team(name, th.fr[0]['team'] if th.fr else None, ms, s.now, s.regs); s.teams.append(team); sn = s.snap(th)
        team.id = next(s.ids); s.log(th, 'fork', team.id, name, len(ms))
        team.join, team.sm, th.sm = opt.get('join', 0), th.sm, 0
        for i, m in enumerate(ms):
            if i: s.merge(m, sn)
            m.fr.append(s.frame(team)); late = opt.get('late', {}).get(str(i), 0); m.st = 'X'
            m.q.append(dict(ops=[['f', opt.get('fork', 0)], ['n', late], ['begin', i]] + list(lists[i]), i=0, kind='imp')); s.wake(m, 0)
    def pend(s, team):
        s.log(team.members[0], 'end', team.id); s.close(team); s.teams.remove(team)
        for m in team.members: m.q.pop(); m.fr.pop(); m.st = 'I'
        p = team.members[0]; p.sm = team.sm; s.wake(p, 0)
    def arrive(s, th, lat):
        team = th.fr[-1]['team']; f = s.home(th); f['wait'] = 'bar'; f['lat'] = lat; s.log(th, 'join' if f['kind'] == 'done' else 'barrier'); s.wait(th, 'W'); s.hand_out(team); s.check(team)
    def hand_out(s, team):
        """Ready tasks go to threads that wait in a barrier or taskwait, the lowest first."""
        for m in team.members:
            if not team.ready: return
            if m.st == 'W' and m.fr[-1]['team'] is team and s.home(m).get('wait') and not s.home(m).get('over'):
                mine = [t for t in team.ready if s.who.get(t['key']) in (None, team.members.index(m))]
                if not mine: continue
                t = mine[0]; team.ready.remove(t); s.log(m, 'run', t['id']); s.merge(m, t['sn']); team.ran = True
                for sn in t['before']: s.merge(m, sn)
                m.q.append(dict(ops=t['ops'], i=0, kind='task', task=t, sm=m.sm)); m.sm = 0; m.st = 'U'; s.wake(m, 0)
    def task_end(s, th, f):
        team, t, sn = th.fr[-1]['team'], f['task'], s.snap(th); s.log(th, 'done', t['id']); own = t['own']; th.q.pop(); th.sm = f['sm']
        own['kids'] -= 1; own.setdefault('kclk', []).append(sn); team.tasks -= 1
        if t['name']: own['done'][t['name']] = sn
        for b in list(team.blocked):
            if b['own'] is own and t['name'] in b['after']:
                b['after'].remove(t['name']); b['before'].append(sn)
                if not b['after']: team.blocked.remove(b); team.ready.append(b)
        s.wait(th, 'W')
        for m in dict.fromkeys((t['who'], th)):                             # whose taskwait is over
            h = s.home(m)
            if h.get('wait') == 'taskwait' and not h['kids'] and m.st == 'W':
                h['wait'] = None
                m.after = [('taskwait_end',)]
                for k in h.pop('kclk'): s.merge(m, k)
                s.free(m)
        s.hand_out(team); s.check(team)
    def check(s, team):
        fs = [s.home(m) if m.fr and m.fr[-1]['team'] is team else {} for m in team.members]
        if team.tasks or team.ext or not all(m.st == 'W' and f.get('wait') == 'bar' for m, f in zip(team.members, fs)): return
        for m in team.members:                                # all had come: what follows is the runtime's, or what no thread does
            for g in s.open[m.r]: m.c[g]['com'] += team.gaps[g]; m.c[g]['scom'] += team.gaps[g]
        s.close(team); team.gap, team.gaps = 0, defaultdict(int); sns = [s.snap(m) for m in team.members]
        for m, f in zip(team.members, fs):
            for sn in sns: s.merge(m, sn)
            f['wait'] = None
            if f['kind'] == 'done':
                f['over'] = True
                if m is team.members[0]: f['ops'] += [['f', team.join], ['pend']]; s.free(m)
            else:
                if f['lat']: s.push(m, [['f', f['lat'], 'leave']])
                else: m.after = [('barrier_end',)]
                s.free(m)
    # ---- values
    def values(s, g='Global'):
        ths = s.th.values(); G = {k: max(t.c[g][k] for t in ths) for k in CK}
        G.update({k: max(l[g][k] for l in s.line) for k in ('lcom', 'lcomp')})
        R = G['all']; T = sum(s.T); v = dict(R=R, mult={}, mult_prim_ser=None, clocks={k: G[k] for k in ('cue', 'com', 'comp', 'all')}, G=G)
        v['lost'] = {k: round(sum(p[g][k] for p in s.loss), 6) for k in SRC}                    # thread-ms
        v['region_lost'] = sum(n * s.openmp[r][g] - s.omp_useful[r][g] for r, n in enumerate(s.T))
        # outside parallel regions a worker is where its primary thread is
        out = lambda t: R and sum(t.tot[g].values()) - t.tot[g]['M'] - (t.t > 0) * s.mpi_outside[t.r][g]
        prim = [t for t in ths if t.t == 0]; pop = [t for t in ths if t.t == 0 or g in t.calls]
        if R:
            mx = max(map(out, pop)); use = max(t.tot[g]['U'] + t.tot[g]['V'] for t in ths)
            v['mult'] = dict(mpi_communication=mx / R, mpi_serialisation=mx / G['com'] if G['com'] else None, mpi_transfer=G['com'] / R, openmp_communication=use / mx if mx else None)
            v['mult_prim_ser'] = max(map(out, prim)) / G['com'] if G['com'] else None
        return v

def print_trace(name, program):
    """A program as events with their times, for tests/layer/ompt_sources_test.cc, and what it gives (times in ms)."""
    sim = Sim(program); v = sim.values(); row = lambda x: ' '.join(str(x[k]) for k in SRC)
    print('shape', name, *(r['threads'] for r in program['ranks']))
    for e in sim.events: print('event', *e)
    print('useful', *(sum(x.tot['Global'][k] for x in sim.th.values() if x.r == r for k in 'UV') for r in range(len(sim.T))))
    if len(sim.T) == 1: print('cue', v['clocks']['cue'])
    print('lost', row(v['lost']))
    for g in sim.regs[1:]: print('region', g, row({k: sum(p[g][k] for p in sim.loss) for k in SRC}), sim.blur)
    for n, x in sim.con.items(): print('parallel', n, row(x))
    for (r, t), own in sim.own.items():
        for g, x in own.items(): print('thread', r, t, g, row(x), *([sim.blur] if g != 'Global' else []))

def main(cmd, *a):
    shapes = [json.loads(l) for l in open(a[0]) if l.strip()]; bad = 0
    for x in shapes:
        s = Sim(x['program']); v = s.values(); full = dict(R=v['R'], clocks=v['clocks'], line=dict(com=v['G']['lcom'], comp=v['G']['lcomp']), lost=v['lost'], region_lost=v['region_lost'],
            regions={g: {k: round(sum(p[g][k] for p in s.loss), 6) for k in SRC} for g in s.regs[1:]}, region_clocks={g: s.values(g)['G'] for g in s.regs[1:]}, parallel={n: {k: round(y, 6) for k, y in p.items()} for n, p in s.con.items()},
            mult={k: y and round(y, 6) for k, y in v['mult'].items()})
        flat = lambda d, p='': {q: z for k, y in d.items() for q, z in (flat(y, p + k + '.') if isinstance(y, dict) else {p + k: y}).items()}
        want, got = flat(dict(x['hand'], **({'expect': x['expect']} if cmd == 'shapes' else {}))), flat(dict(full, expect=full))
        wrong = [f'{k} {z} not {got.get(k)}' for k, z in want.items() if got.get(k) is None and z is not None or z is not None and abs(got[k] - z) > 1e-4]
        bad += bool(wrong); x['expect'] = full
        print(('ok    ' if not wrong else 'WRONG ') + x['name'], *wrong, sep='  ')
    if cmd == 'fill': open(a[0], 'w').writelines(json.dumps(x) + '\n' for x in shapes)
    print(len(shapes), 'shapes,', bad, 'wrong')
    return bad
if __name__ == '__main__': sys.exit(([print_trace(x['name'], x['program']) for x in map(json.loads, open(sys.argv[2]))] and 0 if sys.argv[1] == 'trace' else main(*sys.argv[1:])) or 0)
