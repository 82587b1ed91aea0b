#!/usr/bin/env python3
"""Checks who includes whom: the table of docs/design.md, "Who may know whom".

usage: check_layers.py [ROOT]
"""
import pathlib
import re
import sys

# Folder of the including file: what it may include, by path or prefix.
ALLOWED = {
    "include": [],
    "src/model": ["model/"],
    "src/report": ["model/", "report/", "unicode_ranges.inc"],
    "src/run_file": ["model/", "report/", "run_file/"],
    "src/compare": ["model/", "report/", "compare/"],
    "src/exchange": ["model/", "report/", "run_file/", "compare/", "exchange/"],
    "src/launch": ["launch/", "report/format.h", "runtime/launched.h", "runtime/libomp_search.h",
                   "runtime/run_word.h"],
    "src/command": ["model/", "report/", "run_file/", "compare/", "exchange/", "launch/", "command/",
                    "runtime/libomp_search.h", "runtime/new_file.h", "runtime/options.h",
                    "runtime/run_word.h", "runtime/spawn_words.h"],
    "src/runtime": ["model/", "report/", "runtime/", "poprt.h"],
    "wrappers": ["model/", "wrappers/", "mpi.h", "mpi_functions.inc",
                 "runtime/clock_message.h", "runtime/events.h", "runtime/lifecycle.h",
                 "runtime/pool.h",
                 "runtime/left_frame.h", "runtime/log.h", "runtime/memory.h",
                 "runtime/run_word.h", "runtime/spawn_words.h",
                 "runtime/transport.h"],
    "ompt": ["model/", "ompt/", "omp-tools.h", "runtime/events.h", "runtime/lifecycle.h",
             "runtime/doacross.h", "runtime/locks.h", "runtime/log.h", "runtime/tasking.h"],
    "locations": ["locations/", "runtime/function_name.h"],
}
# Libraries of others, and where they may be used.
FOREIGN = {"nlohmann/": ["src/report", "src/run_file", "src/exchange"],
            "fmt/": ["src/report", "src/compare", "src/exchange", "src/launch", "src/command"],
           "CLI/": ["src/command"], "elfutils/": ["locations"], "dwarf.h": ["locations"]}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def violations(root):
    for folder, allowed in ALLOWED.items():
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".h", ".cc"):
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                found = INCLUDE.match(line)
                if not found:
                    continue
                quoted, name = found[1] == '"', found[2]
                foreign = [p for p in FOREIGN if name.startswith(p)]
                known = any(name == a or name.startswith(a) for a in allowed)
                if foreign and folder not in FOREIGN[foreign[0]]:
                    yield f"{path}:{number}: {name} belongs to {' and '.join(FOREIGN[foreign[0]])}"
                elif quoted and not known:
                    yield f"{path}:{number}: {folder} may not include {name}"
                elif name in ("mpi.h", "omp-tools.h") and not known:
                    yield f"{path}:{number}: {folder} may not include {name}"
                elif name == "iostream":
                    yield f"{path}:{number}: <iostream> brings initialisers into every process"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    found = list(violations(root))
    print("\n".join(found) if found else "layers: no violations")
    sys.exit(bool(found))


main()
