#!/usr/bin/env python3
"""random_programs.py COUNT [SEED]: random programs of each of three kinds, as events with their times and with what
they give (model.py, trace), for tests/layer/ompt_sources_test.cc."""
import sys, random, itertools
from model import print_trace

def generate(rng, kind):
    """kind 0: MPI outside parallel regions only; 1: inside by primary threads, too; 2: inside by any thread."""
    P = rng.randint(1, 3); N = [rng.randint(1, 4) for _ in range(P)]; E = [rng.choice([0, 0, 1, 2]) for _ in range(P)]
    d = lambda: rng.choice([0, 5, 10, 20, 50, 100, 200]); k = itertools.count(); key = lambda: 'k%d' % next(k)
    ops = [[] for _ in range(P)]
    def talk(at):                     # at(r): list of operations of a thread of r that may call MPI
        a, b = rng.sample(range(P), 2); n = key()
        if rng.random() < .5: at(a).append(['send', n]); at(b).append(['recv', n])
        else: at(a).append(['mbar', n, 2]); at(b).append(['mbar', n, 2])
    for _ in range(rng.randint(1, 4)):
        reg = rng.choice([None, 'r:A', 'r:B'])
        for r in range(P):
            if reg and rng.random() < .8: ops[r].append(['start', reg])
            for _ in range(rng.randint(0, 2)): ops[r].append(rng.choice([['w', d()], ['w', d()], ['x', d()], ['o', 10]]))
        if P > 1 and rng.random() < .6: talk(lambda r: ops[r])
        segs = rng.randint(1, 3); size = [rng.randint(1, n) for n in N]; L = [[[] for _ in range(n)] for n in size]
        for seg in range(segs):
            for r in range(P):
                n = size[r]
                for l in L[r]: l.append(['w', d()])
                for _ in range(rng.randint(0, 3)):
                    t = rng.randrange(n); l = L[r][t]; c = rng.random(); inside = kind == 2 or kind == 1 and t == 0
                    if inside and c < .3: l.append(['x', d()])
                    elif c < .4: l.extend([['lock', 'l'], ['w', d()]] + ([['x', d()]] if inside else []) + [['unlock', 'l']])
                    elif c < .5: n1 = key(); [q.append(['ordered', n1, i, d()]) for i, q in enumerate(L[r])]
                    elif c < .58: n1 = key(); [q.append(['single', n1, d(), True]) for q in L[r]]
                    elif c < .64: v = d(); [q.append(['masked', v]) for q in L[r]]
                    elif c < .72: n1 = key(); ch = [d() for _ in range(5)]; [q.append(['dyn', n1, ch, 3]) for q in L[r]]
                    elif c < .74: l.append(['o', d()])
                    elif c < .76: l.append(['ext', d()])
                    elif c < .9:
                        names = [key() for _ in range(rng.randint(1, 4))]
                        for j, m in enumerate(names): l.append(['task', d(), m, names[:j][-1:] if rng.random() < .4 else []])
                        if rng.random() < .4: l.append(['taskwait'])
                    elif t < E[r]:
                        inner = [[['w', d()], ['bar', 2], ['w', d()]] + ([['x', d()]] if kind == 2 or inside and i == 0 else []) for i in (0, 1)]
                        l.append(['par', 'inner', dict(fork=2, join=2, tids=[N[r] + t], late={'1': rng.choice([0, 30])}), inner])
                    if rng.random() < .1: l.append([rng.choice(['start', 'stop']), 'r:C'])
            if kind and P > 1:
                for _ in range(rng.randint(0, 2)): talk(lambda r: L[r][0 if kind == 1 else rng.randrange(size[r])])
            if seg < segs - 1:
                for r in range(P):
                    n1 = key()
                    sg = rng.random() < .2
                    for l in L[r]: l.append(['single', n1, 50, False] if sg else ['bar', rng.choice([0, 0, 1, 7])])
        for r in range(P):
            ops[r].append(['par', 'p%d' % rng.randint(0, 1), dict(fork=rng.choice([0, 4]), join=rng.choice([0, 3]), late={str(i): rng.choice([0, 0, 40]) for i in range(1, size[r])}), L[r]])
            if reg and rng.random() < .9: ops[r].append(['stop', reg])
    for r in range(P): ops[r].append(['mbar', 'fin', P])
    return dict(ranks=[dict(threads=N[r] + E[r], ops=ops[r]) for r in range(P)])

if __name__ == '__main__':
    count, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    for kind in (0, 1, 2):
        rng = random.Random(seed * 10 + kind)
        for i in range(count): print_trace(f'random_{seed}_{kind}_{i}', generate(rng, kind))
