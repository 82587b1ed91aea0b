#!/usr/bin/env python3
"""The end-to-end tests have held enough run files to the rules of invariants.py.

  run_files_test.py FOLDER LEAST NAME...

The last run of each test has left a file with its number in the folder (harness.RunFiles).
Skipped unless all of them have run in this build.
"""

import os
import sys


def main():
    folder, least, *names = sys.argv[1:]
    missing = [name for name in names if not os.path.exists(os.path.join(folder, name))]
    if missing:
        print('skipped: these tests have not run: %s' % ' '.join(missing))
        return 77
    counts = {}
    for name in names:
        with open(os.path.join(folder, name), encoding='utf-8') as file:
            counts[name] = int(file.read())
    checked = sum(counts.values())
    print('%d run files were checked: %s' % (
        checked, ', '.join('%s %d' % each for each in counts.items())))
    return 0 if checked >= int(least) else 1


if __name__ == '__main__':
    sys.exit(main())
