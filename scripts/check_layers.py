#!/usr/bin/env python3
"""Checks who includes whom, and which namespace each folder has: docs/design.md, "Who may
know whom".

usage: check_layers.py [ROOT]
"""
import pathlib
import re
import sys

# What all rooms of wrappers/ stand on.
WRAPPERS = ["wrappers/handle_table.h", "wrappers/maybe_lock.h", "wrappers/pmpi.h",
            "wrappers/state.h"]
# The table of notes, for whoever measures.
NOTES = "model/noted.h"
# Folder of the including file: what it may include, by path or prefix.
ALLOWED = {
    "include": [],
    "src/states": ["states/"],
    "src/model": ["model/", "states/"],
    "src/base": ["base/", "model/metric_table.h", "model/windows.h"],
    "src/document": ["document/"],
    "src/report": ["model/", "document/", "report/", "states/"],
    "src/run_file": ["model/", "document/escaped_json.h", "document/format.h", "run_file/", "states/"],
    "src/counter_table": ["base/words.h", "run_file/json_document.h", "counter_table/"],
    "src/compare": ["model/", "document/", "report/", "compare/", "states/"],
    "src/exchange": ["model/", "document/", "report/", "run_file/", "compare/", "exchange/", "states/"],
    "src/page": ["model/", "document/", "report/", "run_file/json_document.h", "run_file/writer.h", "compare/", "page/", "states/"],
    "src/page/engine": ["page/engine/"],
    "src/launch": ["base/", "launch/loader/", "launch/launcher/", "launch/diagnosis.h",
                   "launch/environment.h", "launch/machine.h", "launch/plan.h",
                   "document/document.h", "document/format.h"],
    "src/launch/loader": ["base/", "launch/loader/", "launch/environment.h", "document/format.h"],
    "src/launch/launcher": ["base/", "launch/loader/", "launch/launcher/", "document/format.h"],
    "src/launch/process": ["base/", "launch/process/", "launch/environment.h"],
    "src/manual": ["base/options.h", "model/metric_table.h", "document/format.h", "manual/"],
    "src/command": ["base/", "devices/cuda/probe.h", "model/", "document/", "report/", "run_file/", "compare/", "exchange/", "launch/",
                    "page/", "manual/", "counter_table/", "command/", "states/"],
    "src/clocks": ["base/", "clocks/", "states/"],
    "src/measure": ["base/", "clocks/", "model/cpu_set.h", "model/quantities.h", "model/totals.h", "model/windows.h", "measure/", "states/"],
    "src/code_places": ["base/", "code_places/"],
    "src/code_places/helper": ["code_places/helper/", "code_places/function_name.h", "code_places/helper_start.h"],
    "src/devices": ["base/", "clocks/", "model/", "measure/", "devices/", "states/"],
    "src/openmp": ["base/", "clocks/", "model/", "measure/", "code_places/code_address.h", "code_places/data_symbols.h",
                   "code_places/function_name.h", "openmp/", "states/"],
    "src/modules": ["base/", "measure/", "modules/", "states/"],
    "src/modules/calls": ["base/bounded.h", "base/options.h", "code_places/code_address.h", "measure/", "model/calls.h", "model/quantities.h",
                          "model/site_lists.h", "model/totals.h", "modules/modules.h", "modules/calls/"],
    "src/modules/cores": ["base/kept_environment.h", "base/kernel_text.h", "base/launched.h", "base/options.h", "base/usage_time.h", "base/words.h", "code_places/helper_process.h", "measure/cpu_clock.h", "measure/events.h", "measure/process.h", "model/quantities.h",
                          "model/topology_text.h", "model/totals.h", "modules/modules.h",
                          "modules/cores/"],
    "src/modules/cores/helper": ["code_places/helper_start.h"],
    "src/modules/energy": ["base/kernel_text.h", "base/mutex.h", "base/options.h", "measure/due_work.h",
                           "measure/process.h", "measure/time_source.h", "modules/modules.h", "modules/energy/"],
    "src/modules/papi": ["base/kernel_text.h", "base/options.h", "measure/counters.h", "modules/modules.h",
                         "modules/papi/"],
    "src/modules/posix_io": ["base/entry_slots.h", "base/kernel_text.h", "base/options.h", "base/search_entries.h", "measure/events.h",
                             "measure/file_systems.h", "measure/process.h", "model/quantities.h",
                             "model/totals.h", "modules/modules.h", "modules/posix_io/"],
    "src/modules/threads": ["base/entry_slots.h", "base/jump.h", "base/left_frame.h", "base/mutex.h", "base/options.h",
                            "base/search_entries.h", "clocks/", "measure/", "model/quantities.h",
                            "modules/modules.h", "modules/threads/", "openmp/locks.h"],
    "src/session": ["base/", "modules/modules.h", "model/", "document/", "report/", "run_file/writer.h", "measure/", "code_places/", "session/", "devices/cuda/cuda.h", "poprt.h", "states/"],
    # What each room keeps is put together in wrappers/state.h.
    "wrappers": ["base/", "clocks/", "measure/", "wrappers/calls/state.h", "wrappers/edges/state.h", "wrappers/node/state.h",
                 "wrappers/requests/state.h", *WRAPPERS, "mpi.h", "mpi_functions.inc", "mpi_has.h"],
    "wrappers/abi": ["mpi_prototypes.h", "mpi.h"],
    "wrappers/calls": ["base/", "clocks/", "model/", "measure/", "session/lifecycle.h", "session/transport.h", *WRAPPERS,
                       "mpi_functions.inc", "local_calls.inc",
                       "wrappers/node/", "wrappers/edges/", "wrappers/requests/", "wrappers/calls/", "mpi.h"],
    "wrappers/requests": ["base/", "clocks/", "measure/", *WRAPPERS, "wrappers/edges/", "wrappers/requests/"],
    "wrappers/edges": ["base/", "clocks/", "measure/", *WRAPPERS, "wrappers/node/", "wrappers/edges/"],
    "wrappers/node": ["base/", "clocks/", "measure/", *WRAPPERS, "wrappers/node/"],
    "devices/opencl": ["devices/opencl/", "devices/clock_offset.h", "devices/device_sink.h", "devices/operation.h"],
    "devices/cuda": ["base/", "measure/", "devices/", "model/totals.h", "states/"],
    "ompt": ["base/", "clocks/", "model/", "measure/", "devices/", "openmp/", "session/lifecycle.h", "ompt/", "omp-tools.h", "states/"],
}
# Layers that know one interface to devices, and who may start them.
STARTED = {"devices/cuda/": ["src/session", "src/command", "devices/cuda"]}
# The namespace of a folder's files. It is `poprt` where nothing else is said.
NAMESPACES = {
    "src/modules": "poprt::modules",
    "src/modules/calls": "poprt::modules::calls",
    "src/modules/cores": "poprt::modules::cores",
    "src/modules/energy": "poprt::modules::energy",
    "src/modules/papi": "poprt::modules::papi",
    "src/modules/posix_io": "poprt::modules::posix_io",
    "src/modules/threads": "poprt::modules::threads",
    "wrappers": "poprt::mpi",
    "wrappers/calls": "poprt::mpi",
    "wrappers/edges": "poprt::mpi",
    "wrappers/node": "poprt::mpi",
    "wrappers/requests": "poprt::mpi",
    "devices/cuda": "poprt::cuda",
    "ompt": "poprt::ompt",
    "devices/opencl": "poprt::opencl",
}
# Namespaces inside of that one: each model has formulas of the same names.
NESTED = {"src/model": ["additive", "io", "mpi_time", "multiplicative", "state_parts", "talp"]}
# Libraries of others, and where they may be used.
FOREIGN = {"nlohmann/": ["src/run_file", "src/compare", "src/exchange", "src/page"], "zlib.h": ["src/page"], "duktape.h": ["src/page/engine"],
            "fmt/": ["src/document", "src/report", "src/compare", "src/exchange", "src/launch", "src/launch/loader",
                     "src/launch/launcher", "src/launch/process", "src/manual", "src/command"],
           "CL/": ["devices/opencl"], "CLI/": ["src/manual", "src/command"], "elfutils/": ["src/code_places/helper"],
           "dwarf.h": ["src/code_places/helper"], "hwloc.h": ["src/modules/cores/helper"], "papi.h": ["src/modules/papi"]}
NAMESPACE = re.compile(r'^\s*(?:inline )?namespace ([\w:]+) *\{')
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def namespace_violations(folder, path):
    own = NAMESPACES.get(folder, "poprt")
    for number, line in enumerate(path.read_text().splitlines(), 1):
        found = NAMESPACE.match(line)
        if found and found[1] != own and found[1] not in NESTED.get(folder, []):
            yield f"{path}:{number}: the namespace of {folder} is {own}, not {found[1]}"


def violations(root):
    for path in sorted([*root.glob("src/**/*"), *root.glob("wrappers/**/*"),
                        *root.glob("devices/*")]):
        if path.is_dir() and str(path.relative_to(root)) not in ALLOWED:
            yield f"{path}: no line here says what this folder may include"
    for folder, allowed in ALLOWED.items():
        for path in sorted((root / folder).iterdir()):
            if path.suffix not in (".h", ".cc"):
                continue
            if folder != "include":
                yield from namespace_violations(folder, path)
            for number, line in enumerate(path.read_text().splitlines(), 1):
                found = INCLUDE.match(line)
                if not found:
                    continue
                quoted, name = found[1] == '"', found[2]
                foreign = [p for p in FOREIGN if name.startswith(p)]
                known = any(name == a or name.startswith(a) for a in allowed) or (
                    name == NOTES and any(a.startswith("measure/") for a in allowed))
                if foreign and folder not in FOREIGN[foreign[0]]:
                    yield f"{path}:{number}: {name} belongs to {' and '.join(FOREIGN[foreign[0]])}"
                elif quoted and not known:
                    yield f"{path}:{number}: {folder} may not include {name}"
                elif any(name.startswith(layer) and folder not in by for layer, by in STARTED.items()):
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
