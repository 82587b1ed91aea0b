"""What the programs of known shape print without the library, and how they end, as digests.

A launch of each program without the library in each run of the tests is most of what the short shapes
take. So what they did is kept in a file, and only a program that does something else with the library
is launched without it, which decides. A digest that is old or missing costs time, nothing more.
run.py --record brings the file up to date.
"""

import hashlib
import json
import os

import harness

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'plain_outputs.json')


def ending(result):
    """What must be the same with the library: the exit status and the lines, in any order."""
    return result.status, sorted(result.stdout.splitlines())


def digest(result):
    return hashlib.sha256(repr(ending(result)).encode()).hexdigest()[:16]


def known():
    """{test: digest}; the file has a line for each digest, with the tests that have it."""
    if not os.path.exists(FILE):
        return {}
    tests_of = json.loads(harness.read_text(FILE))
    return {test: digest for digest, tests in tests_of.items() for test in tests}


def record(digests):
    tests_of = {}
    for test, of_test in sorted({**known(), **digests}.items()):
        tests_of.setdefault(of_test, []).append(test)
    lines = ['%s: %s' % (json.dumps(of_tests), json.dumps(tests))
             for of_tests, tests in sorted(tests_of.items())]
    with open(FILE, 'w', encoding='utf-8') as file:
        file.write('{\n%s\n}\n' % ',\n'.join(lines))
