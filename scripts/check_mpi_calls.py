#!/usr/bin/env python3
"""Checks that every function of an MPI library is measured, or listed as not measured.

usage: check_mpi_calls.py LIBRARY COMPILER [-I...] [-L...] [-l...]

A function that communicates, synchronises or does I/O, and that LIBRARY does not
export, is a hole in the measurement: messages without clocks, waiting that looks like
work. What is not measured stands in a table of docs/edges.md. The functions are those
that the MPI library (-L, -l) exports, and those that mpi.h (-I) declares.
"""
import os
import re
import subprocess
import sys

DOCUMENT = os.path.join(os.path.dirname(__file__), os.pardir, "docs", "edges.md")


def not_measured():
    """The names in the table of docs/edges.md."""
    with open(DOCUMENT, encoding="utf-8") as document:
        text = document.read()
    table = re.search(r"^\*\*Not measured\*\*.*?\n\n(\|.*?)\n\n", text, re.M | re.S)[1]
    cells = [line.split("|")[1] for line in table.splitlines()[2:]]
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


def pattern_of(name):
    full = name if name.startswith("MPIX_") else "MPI_" + name
    return re.compile(re.escape(full).replace(r"\*", r"\w+") + "(?:_c)?")


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
    unmeasured = {name: pattern_of(name) for name in not_measured()}
    local = {f for f in functions if any(p.fullmatch(f) for p in unmeasured.values())}
    holes = sorted(functions - measured - local)
    both = sorted(functions & measured & local)
    for name in holes:
        print(f"{name}: has a line neither in wrappers/calls/mpi_calls.txt nor in docs/edges.md")
    for name in both:
        print(f"{name}: is measured, and docs/edges.md says that it is not")
    print(f"{len(functions)} functions, {len(functions & measured)} measured")
    sys.exit(bool(holes or both))


main()
