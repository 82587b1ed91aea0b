#!/usr/bin/env python3
"""Checks that every function of an MPI library is measured, or local.

usage: check_mpi_calls.py LIBRARY COMPILER [-I...] [-L...] [-l...]

A function that communicates, synchronises or does I/O, and that LIBRARY does not
export, is a hole in the measurement: messages without clocks, waiting that looks like
work. The functions are those that the MPI library (-L, -l) exports, and those that
mpi.h (-I) declares; the local ones stand in wrappers/calls/local_calls.txt. Extensions
(MPIX_) may be neither: a report says if a program calls them.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gen_mpi_wrappers  # noqa: E402

TABLE = os.path.join(os.path.dirname(__file__), os.pardir, "wrappers", "calls", "local_calls.txt")


def pattern_of(name):
    return re.compile(re.escape(name).replace(r"\*", r"\w+") + "(?:_c)?")


def declared(compiler, flags):
    text = subprocess.run([compiler, "-E", "-P", "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX",
                           "-x", "c", *flags, "-"], input="#include <mpi.h>\n",
                          stdout=subprocess.PIPE, text=True, check=True).stdout
    return set(re.findall(r"\b(?:int|double|MPI_\w+)\s+(MPI_[A-Z]\w*)\s*\(", text))


def symbols(library):
    listed = subprocess.run(["nm", "-D", "--defined-only", library], stdout=subprocess.PIPE,
                            text=True, check=True).stdout
    return {line.split()[-1].split("@")[0] for line in listed.splitlines()}


def mpi_library(flags):
    """The MPI library that programs are linked with."""
    folders = [flag[2:] for flag in flags if flag.startswith("-L")]
    names = [flag[2:] for flag in flags if flag.startswith("-l")]
    found = [f"{folder}/lib{name}.so" for name in names for folder in folders]
    found = [path for path in found if os.path.exists(path) and "MPI_Init" in symbols(path)]
    return found[0] if found else sys.exit(f"no MPI library in {flags}")


def main():
    library, compiler, *flags = sys.argv[1:]
    measured = symbols(library)
    exported = {name for name in symbols(mpi_library(flags))
                if re.fullmatch("MPIX?_[A-Z]\\w*", name)}
    functions = exported | declared(compiler, [f for f in flags if f.startswith("-I")])
    if len(functions) < 300:
        sys.exit(f"only {len(functions)} functions: has the form of the library changed?")
    patterns = [pattern_of(name) for name in gen_mpi_wrappers.read_local(TABLE)]
    local = {f for f in functions if any(p.fullmatch(f) for p in patterns)}
    holes = sorted(f for f in functions - measured - local if not f.startswith("MPIX_"))
    both = sorted(functions & measured & local)
    for name in holes:
        print(f"{name}: has a line neither in wrappers/calls/mpi_calls.txt nor in local_calls.txt")
    for name in both:
        print(f"{name}: is measured, and local_calls.txt says that it is local")
    print(f"{len(functions)} functions, {len(functions & measured)} measured")
    sys.exit(bool(holes or both))


main()
