#!/usr/bin/env python3
"""Checks how much of the program's stack the functions of a preloaded library take.

usage: check_stack.py BUILD_FOLDER LIBRARY...

Programs call the library on stacks of 16 KiB, and handlers on less. So the deepest path
of its own functions below any entry takes at most 4 KiB, without what the C library,
compiled parts of the C++ library, MPI and the OpenMP runtime take. What needs more runs where there is room
(src/base/own_stack.h) and takes at most half of that.

GCC writes a call graph beside each object (-fcallgraph-info=su). An entry is any
function that no other one calls. Calls through pointers are not in the graph:
scripts/stack_calls.txt says what they call, and which functions call themselves how
often. What is not listed there is an error.
"""
import collections
import concurrent.futures
import fnmatch
import functools
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

MOST = 4 << 10
MOST_WITH_ROOM = 128 << 10
# What call_with_room() runs.
WITH_ROOM = "*outcome_with_room<*{lambda(void*)#1}::_FUN(void*)"
LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stack_calls.txt")
SOURCES = os.path.dirname(os.path.dirname(LIST))

NODE = re.compile(r'node: \{ title: "([^"]*)" label: "((?:[^"\\]|\\.)*)"( shape : ellipse)? \}')
EDGE = re.compile(r'edge: \{ sourcename: "([^"]*)" targetname: "([^"]*)"(?: label: "([^"]*)")? \}')
INDIRECT = "__indirect_call"
# Functions of others that call what they are given before they return.
CALL_BACK = {"dl_iterate_phdr", "_Unwind_Backtrace", "qsort", "bsearch", "pthread_once"}

Call = collections.namedtuple("Call", "file text targets line")
Callback = collections.namedtuple("Callback", "caller function line")
Recursion = collections.namedtuple("Recursion", "function times line")


def output_of(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def read_list(path):
    """What stack_calls.txt says."""
    calls, callbacks, recursions, dynamic = [], [], [], []
    with open(path) as lines:
        for number, line in enumerate(lines, 1):
            fields = [field.strip() for field in line.split(" | ")]
            if line.startswith("#") or not line.strip():
                continue
            if fields[0] == "recursion":
                recursions.append(Recursion(fields[1], int(fields[2]), number))
            elif fields[0] == "callback":
                callbacks.append(Callback(fields[1], fields[2], number))
            elif fields[0] == "dynamic":
                dynamic.append(fields[1])
            else:
                calls.append(Call(*fields[:2], tuple(fields[2].split(" ; ")), number))
    return calls, callbacks, recursions, dynamic


# --- the call graphs that GCC has written -------------------------------------------


class Build:
    """Which call graphs belong to a library."""

    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, "compile_commands.json")) as file:
            commands = [shlex.split(each["command"]) for each in json.load(file)]
        self.commands = {line[line.index("-o") + 1]: line for line in commands if "-o" in line}

    def objects_of(self, target):
        found = []
        for line in output_of("ninja", "-t", "query", target, cwd=self.folder).splitlines():
            if line.startswith("  outputs:"):
                break
            name = line.split()[-1]
            if name.endswith(".o"):
                found.append(name)
            elif name.endswith(".a") and not line.strip().startswith("||") and not os.path.isabs(name):
                found += self.objects_of(name)
        return found

    @functools.cached_property
    def dependencies(self):
        """The files that each object was made from."""
        found = {}
        for line in output_of("ninja", "-t", "deps", cwd=self.folder).splitlines():
            if line.startswith(" "):
                files.append(line.strip())
            elif ": #deps" in line:
                files = found[line.split(": #deps")[0]] = []
        return found

    def graph_of(self, name):
        """The path of an object's call graph. Compiler caches lose it: it is made again."""
        path = os.path.join(self.folder, name[:-len(".o")] + ".ci")
        files = self.dependencies.get(name, [])
        if not os.path.exists(path) or any(self.is_newer(each, path) for each in files):
            command = list(self.commands[name])
            if "ccache" in command[0]:
                del command[0]
            with tempfile.TemporaryDirectory() as folder:
                command[command.index("-o") + 1] = os.path.join(folder, "it.o")
                command[command.index("-c")] = "-S"
                subprocess.run(command, cwd=self.folder, check=True)
                os.rename(os.path.join(folder, "it.ci"), path + ".new")
            os.rename(path + ".new", path)
        return path

    def is_newer(self, file, path):
        file = os.path.join(self.folder, file)
        return os.path.exists(file) and os.path.getmtime(file) > os.path.getmtime(path)


class Graph:
    """The functions of one library, by their symbols."""

    def __init__(self, paths, symbols):
        self.frame = {}
        self.calls = collections.defaultdict(set)
        self.indirect = collections.defaultdict(set)  # places in the sources
        self.dynamic = set()
        for path in paths:
            with open(path) as lines:
                for line in lines:
                    self.take(line, symbols)
        names = output_of("c++filt", input="\n".join(name.split(":")[-1] for name in self.frame))
        self.name = dict(zip(self.frame, names.split("\n")))

    def take(self, line, symbols):
        node = NODE.match(line)
        if node and not node[3] and node[1].split(":")[-1] in symbols:
            size, kind = re.search(r"(\d+) bytes \(([^)]*)\)", node[2]).groups()
            self.frame[node[1]] = max(int(size), self.frame.get(node[1], 0))
            if kind == "dynamic":
                self.dynamic.add(node[1])
        edge = EDGE.match(line)
        if edge and edge[1].split(":")[-1] in symbols:
            if edge[2] == INDIRECT:
                self.indirect[edge[1]].add(edge[3])
            else:
                self.calls[edge[1]].add(edge[2])


# --- adding up -----------------------------------------------------------------------


class Check:
    def __init__(self, graph, build, listed, exported):
        self.graph = graph
        self.exported = exported
        self.build = build
        self.listed, self.given, self.recursions, self.of_any_size = listed
        self.errors = []
        self.used = set()
        self.depths = {}
        self.again = {}  # what cycles add
        self.below = {}
        self.open = []
        for function in sorted(graph.indirect):
            for place in sorted(graph.indirect[function]):
                graph.calls[function] |= self.targets_of(function, place)
        self.add_callbacks()
        self.add_lambdas()

    @functools.lru_cache(maxsize=None)
    def text_at(self, place):
        """The file, and the text of the line with the call."""
        file, line, _ = (place + ":0:0").split(":")[:3]
        path = os.path.join(self.build.folder, file)
        with open(path, errors="replace") as lines:
            text = lines.read().split("\n")[int(line) - 1].strip()
        return os.path.relpath(os.path.realpath(path), SOURCES), text

    @functools.lru_cache(maxsize=None)
    def named(self, pattern):
        match = re.compile(fnmatch.translate(pattern)).match
        return {function for function, name in self.graph.name.items() if match(name)}

    def targets_of(self, function, place):
        file, text = self.text_at(place)
        name = self.graph.name[function]
        for call in self.listed:
            where = call.file[1:] if call.file.startswith("@") else None
            if not fnmatch.fnmatchcase(name if where else file, where or call.file):
                continue
            if call.text in text:
                self.used.add(call)
                return set().union(*[self.named(target) for target in call.targets])
        self.errors.append(f"{file}:{place.split(':')[1]}: {name} calls through a pointer what "
                           f"scripts/stack_calls.txt does not name: {text}")
        return set()

    def add_callbacks(self):
        """Adds calls of what is given to functions of others."""
        for function in self.graph.frame:
            if not self.graph.calls[function] & CALL_BACK:
                continue
            name = self.graph.name[function]
            for each in self.given:
                if fnmatch.fnmatchcase(name, each.caller):
                    self.used.add(each)
                    self.graph.calls[function] |= self.named(each.function)
                    break
            else:
                self.errors.append(f"{name}: what does it give to "
                                   f"{self.graph.calls[function] & CALL_BACK}?")

    def add_lambdas(self):
        """Adds calls of what is given to completes(): a lambda of the caller, or of the
        argument of the template that the caller is."""
        lambda_of = {}
        for function, name in self.graph.name.items():
            owner = re.sub(r"(::operator\(\)\(\) const)?::\{lambda\(void\*\)#1\}::_FUN\(void\*\)$",
                           "", name)
            if owner != name:
                lambda_of[owner] = function
        completes, = self.named("poprt::completes(*")
        for function, name in self.graph.name.items():
            if completes in self.graph.calls[function]:
                given = {lambda_of[owner] for owner in lambda_of
                         if owner == name or "<" + owner in name}
                if not given:
                    self.errors.append(f"{name}: what does it give to completes()?")
                self.graph.calls[function] |= given

    def go_round(self, cycle):
        """These functions call each other, as often as the list says."""
        names = [self.graph.name[each] for each in cycle]
        for each in self.recursions:
            for function in self.named(each.function) & set(cycle):
                self.used.add(each)
                self.again[function] = max(
                    self.again.get(function, 0),
                    (each.times - 1) * sum(self.graph.frame[each] for each in cycle))
                return
        self.errors.append("recursion: " + " > ".join(names))

    def depth(self, function):
        """The deepest path from this function on, in bytes."""
        graph = self.graph
        if function not in graph.frame:
            return 0
        if function in self.depths:
            return self.depths[function]
        if function in self.open:
            self.go_round(self.open[self.open.index(function):])
            return 0
        self.open.append(function)
        deepest, below = 0, None
        for callee in sorted(graph.calls[function]):
            depth = self.depth(callee)
            if depth > deepest:
                deepest, below = depth, callee
        self.open.pop()
        self.below[function] = below
        self.depths[function] = graph.frame[function] + self.again.get(function, 0) + deepest
        return self.depths[function]

    def path(self, function):
        lines = []
        while function is not None:
            lines.append(f"{self.graph.frame[function]:8} {self.graph.name[function][:150]}")
            function = self.below[function]
        return "\n".join(lines)

    def run(self):
        """(deepest entry, the same of what has room)"""
        graph = self.graph
        with_room = self.named(WITH_ROOM)
        called = {callee for function in graph.calls for callee in graph.calls[function]
                  if callee != function}
        entries = [each for each in graph.frame if each not in with_room
                   and (each not in called or each in self.exported)]
        deepest = []
        for most, functions in ((MOST, entries), (MOST_WITH_ROOM, with_room)):
            ordered = sorted(functions, key=self.depth, reverse=True)
            deepest += ordered[:1]
            for each in ordered:
                if self.depth(each) > most:
                    self.errors.append(f"{self.depth(each)} bytes of stack, more than {most}:\n"
                                       + self.path(each))
        for each in graph.dynamic - set(self.of_any_size):
            self.errors.append(f"{graph.name[each]}: its frame is of any size")
        if set(graph.frame) - set(self.depths):
            self.errors.append("only called from each other: " + ", ".join(
                graph.name[each] for each in set(graph.frame) - set(self.depths)))
        return deepest


def main():
    build = Build(sys.argv[1])
    listed = read_list(LIST)
    libraries = [os.path.relpath(path, build.folder) for path in sys.argv[2:]]
    objects = {library: build.objects_of(library) for library in libraries}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        every = sorted({name for names in objects.values() for name in names})
        graphs = dict(zip(every, pool.map(build.graph_of, every)))
    used, errors = set(), []
    for library in libraries:
        symbols, exported = [
            {line.split()[-1] for line in
             output_of("nm", *options, library, cwd=build.folder).splitlines()}
            for options in ([], ["--dynamic", "--defined-only"])]
        check = Check(Graph([graphs[name] for name in objects[library]], symbols), build, listed,
                      exported)
        for what, function in zip(("entry", "with room"), check.run()):
            print(f"{library}, {what}: {check.depth(function)} bytes\n{check.path(function)}")
        errors += check.errors
        used |= check.used
    for each in listed[0] + listed[1] + listed[2]:
        if each not in used:
            errors.append(f"{LIST}:{each.line}: no such call")
    print("\n".join(dict.fromkeys(errors)))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
