#!/usr/bin/env python3
"""Checks that nothing throws on the way of an event.

usage: check_throws.py NM OBJECT...

An exception would pass from MPI's or OpenMP's call into the user's program. The
code of the library is compiled without exceptions, so only the C++ library can
throw: by one of its functions __throw_*, which an object of the program's way
names if it may come to one.
"""
import re
import subprocess
import sys

# What throws, and why that never happens.
NEVER = {
    # operator new of the library does not throw (base/memory.h), and no list
    # has as many items as that.
    "bad_alloc", "bad_array_new_length", "length_error",
    # lock() of a std::mutex that is not of an unusual kind.
    "system_error",
}
# The same in one file only.
NEVER_THERE = {
    # A string that is made of a null pointer; here always of a literal, a
    # std::string_view, or a pointer that is compared with null before.
    "logic_error": {"process.cc", "process_regions.cc", "pmpi.cc", "spawn.cc"},
    # An empty std::function; here always made of a function.
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
