#!/usr/bin/env python3
"""Random MPI traffic with and without the library: same output, no clocks lost.

usage: run.py --config FILE --mpi MPI --program PROGRAM [--seeds 1 2 3] [--steps N]

A failure names the seed; the same seed is the same traffic.
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'e2e'))
import harness  # noqa: E402


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--config', required=True)
    parser.add_argument('--mpi', required=True)
    parser.add_argument('--program', required=True)
    parser.add_argument('--ranks', type=int, nargs='+', default=[2, 3, 5, 8])
    parser.add_argument('--seeds', type=int, nargs='+', default=[1, 2])
    parser.add_argument('--steps', type=int, default=60)
    options = parser.parse_args()
    configuration = harness.Configuration(options.config)
    failures = 0
    for ranks in options.ranks:
        for seed in options.seeds:
            command = [options.program, str(seed), str(options.steps)]
            # MPICH's ranks spin; where they are more than the cores, what waits sleeps.
            spins = options.mpi == 'mpich' and ranks > 2
            plain, measured = (
                harness.run_measured(configuration, options.mpi, ranks, 1, command, library=library,
                                     beside=configuration.virtual_clock('mpich') if spins else '')
                for library in (False, True))
            wrong = []
            if plain.status != 0 or plain.hang:
                wrong.append('fails without the library: the test or the MPI library is broken')
            elif measured.status != 0 or measured.hang or measured.stdout != plain.stdout:
                wrong.append('other results with the library')
            elif measured.report is None:
                wrong.append('no report')
            elif measured.report['quality']['lost_clocks'] != 0:
                wrong.append('lost clocks: %d' % measured.report['quality']['lost_clocks'])
            for line in wrong:
                failures += 1
                print('%d ranks, seed %d: %s' % (ranks, seed, line))
                print(plain.describe() + measured.describe(), flush=True)
    return 1 if failures else 0


sys.exit(main())
