#!/usr/bin/env python3
"""Checks that no code on the path of an event throws.

usage: check_throws.py NM OBJECT...

An exception would pass through MPI's or OpenMP's call into the user's program. The
library is compiled without exceptions, so only the C++ standard library can throw: by
one of its functions __throw_*. An object file that may call one has an undefined symbol
of that name.
"""
import re
import subprocess
import sys

# Functions that throw, and why they are never called.
NEVER = {
    # The library's operator new does not throw (base/memory.h), and no container
    # grows to its largest possible size.
    "bad_alloc", "bad_array_new_length", "length_error",
    # lock() of a plain std::mutex.
    "system_error",
}
# Never called in these files.
NEVER_THERE = {
    # A std::string made from a null pointer. Here it is always made from a literal, a
    # std::string_view, or a pointer that was compared with null before.
    "logic_error": {"process.cc", "process_regions.cc", "process_texts.cc", "region_table.cc", "pmpi.cc",
                    "spawn.cc", "unwrapped.cc"},
    # A substring that begins behind the end. Here it begins where something was found.
    "out_of_range": {"file_systems.cc", "pmpi.cc", "unwrapped.cc"},
    # A call of an empty std::function. Here it always holds a function.
    "bad_function_call": {"comms.cc"},
}
THROWS = re.compile(r"std::__throw_(\w+?)(?:_fmt)?\(|(__cxa_throw|__cxa_rethrow)$")


def thrown_in(nm, path):
    symbols = subprocess.run([nm, "--undefined-only", "--demangle", path], check=True,
                             stdout=subprocess.PIPE).stdout.decode()
    for line in symbols.splitlines():
        found = THROWS.search(line.strip())
        if found:
            yield found[1] or found[2]


def main():
    nm, *objects = sys.argv[1:]
    bad = []
    for path in objects:
        name = re.sub(r"(\.o)$", "", path.rsplit("/", 1)[-1])
        for what in sorted(set(thrown_in(nm, path))):
            if what not in NEVER and name not in NEVER_THERE.get(what, ()):
                bad.append(f"{path}: may throw {what}: use what does not, or say in "
                           "scripts/check_throws.py why it never does")
    print("\n".join(bad) or f"{len(objects)} objects: nothing throws")
    return 1 if bad or not objects else 0


sys.exit(main())
