#!/usr/bin/env python3
"""Checks what preloaded libraries need of the system that they are loaded into.

usage: check_glibc.py OBJDUMP LIBRARY...

The loader ends a program, and every program that a container starts, if its glibc lacks
a version that a preloaded library needs, or if a library is missing that it needs.
"""
import re
import subprocess
import sys

NEWEST = (2, 28)
# Of glibc itself: all that measured programs have.
NEEDED = re.compile(r"lib[cm]\.so\.6|ld-linux\S*\.so\.\d")


def main():
    objdump, *libraries = sys.argv[1:]
    bad = []
    for path in libraries:
        symbols = subprocess.run([objdump, "-T", path], check=True, stdout=subprocess.PIPE,
                                 text=True).stdout
        for version, name in re.findall(r"\*UND\*.*?\(?GLIBC_(\d[0-9.]*)\)?\s+(\S+)$", symbols, re.M):
            if tuple(map(int, version.split("."))) > NEWEST:
                bad.append(f"{path}: needs {name} of glibc {version}: src/base/old_glibc.cc")
        headers = subprocess.run([objdump, "-p", path], check=True, stdout=subprocess.PIPE,
                                 text=True).stdout
        needed = re.findall(r"^\s*NEEDED\s+(\S+)$", headers, re.M)
        bad += [f"{path}: needs {name}" for name in needed if not NEEDED.fullmatch(name)]
        if "libc.so.6" not in needed or "GLIBC_" not in symbols:
            bad.append(f"{path}: is no library for glibc")
    print("\n".join(bad) or f"{len(libraries)} libraries: glibc {'.'.join(map(str, NEWEST))} is enough")
    return 1 if bad or not libraries else 0


sys.exit(main())
