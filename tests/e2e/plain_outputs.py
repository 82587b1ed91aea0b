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
    return json.loads(harness.read_text(FILE)) if os.path.exists(FILE) else {}


def record(digests):
    digests = {**known(), **digests}
    with open(FILE, 'w', encoding='utf-8') as file:
        json.dump(digests, file, indent=0, sort_keys=True)
        file.write('\n')
