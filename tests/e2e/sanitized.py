#!/usr/bin/env python3
"""Runs the OpenMP programs of known shape under a library that was built with
sanitizers, with no option of the library and with all: these find nothing, and the output of
the programs is the same.

  sanitized.py --config CONFIG --library LIBRARY --runtime SANITIZER_RUNTIME [--without SHAPE]
               [--unset VARIABLE]

The programs and LLVM's OpenMP runtime are not instrumented, so they are not checked.
The order that the runtime guarantees is declared by the library (ompt/handover.h).
"""

import argparse
import collections
import concurrent.futures
import sys

import harness
import run as shapes
import scenarios

UNIT_US = 5000
SANITIZERS = {
    # A thread that is not joined at the end belongs to the runtime.
    'TSAN_OPTIONS': 'ignore_noninstrumented_modules=1:report_thread_leaks=0',
    # Objects that are never destroyed, because workers outlive main(), are no leaks.
    'ASAN_OPTIONS': 'detect_leaks=0',
    'UBSAN_OPTIONS': 'print_stacktrace=1:halt_on_error=1',
}
ALL = {**shapes.OPTIONS['all'], 'POPRT_ROWS': 'thread'}
SIGNS = 'ThreadSanitizer', 'AddressSanitizer', 'runtime error:'


def check(configuration, scenario, threads, all_options):
    """What is wrong, or nothing."""
    def run(library, **options):
        command = [configuration.program('none', scenario.program), scenario.name, str(UNIT_US)]
        return harness.run_measured(configuration, 'none', 1, threads, command, library=library,
                                    env={**scenario.environment, **SANITIZERS, **options})
    plain = run(False)
    with_all = run(True, LD_LIBRARY_PATH=configuration.fake_papi(), **all_options)
    for measured in run(True), with_all:
        if measured.hang or measured.status != scenario.exit_status:
            return measured.describe()
        if any(sign in measured.stderr for sign in SIGNS) or measured.report is None:
            return measured.describe()
        if sorted(plain.stdout.splitlines()) != sorted(measured.stdout.splitlines()):
            return ('another output than without the library\n' + plain.describe() +
                    measured.describe())
    return ''


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--config', required=True)
    parser.add_argument('--library', required=True)
    parser.add_argument('--runtime', required=True, help="the sanitizer's, to be loaded first")
    parser.add_argument('--without', action='append', default=[], help='not this shape')
    parser.add_argument('--unset', action='append', default=[],
                        help='this variable is not among all options')
    parser.add_argument('-k', '--name', default='', help='only shapes whose name contains this')
    options = parser.parse_args()
    configuration = harness.Configuration(options.config)
    configuration.replace_library('none', options.runtime + ':' + options.library)
    all_options = {key: value for key, value in ALL.items() if key not in options.unset}
    chosen = collections.OrderedDict()
    for scenario in scenarios.SCENARIOS:
        if (scenario.sizes['none'] and not scenario.gcc and options.name in scenario.name and
                scenario.name not in options.without):
            chosen[scenario.program, scenario.name] = scenario
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        runs = {key: pool.submit(check, configuration, scenario, scenario.sizes['none'][-1][1],
                                 all_options)
                for key, scenario in chosen.items()}
        for (program, name), future in runs.items():
            wrong = future.result()
            if wrong:
                failures += 1
                print('FAILED %s %s\n%s' % (program, name, wrong), flush=True)
    print('%d shapes, %d failed' % (len(chosen), failures))
    return 1 if failures or not chosen else 0


if __name__ == '__main__':
    sys.exit(main())
