#!/usr/bin/env python3
"""Makes the MPI entries from wrappers/calls/mpi_calls.txt, at build time.

usage: gen_mpi_wrappers.py TABLE LOCAL FOLDER

Writes FOLDER/mpi_wrappers.cc (one exported function for each line of the table),
FOLDER/mpi_sites.cc (the same where calls are told apart by their places),
FOLDER/mpi_functions.inc (the PMPI functions to look up) and FOLDER/mpi_prototypes.h (for
the mpi.h of wrappers/abi); FOLDER/local_calls.inc from LOCAL, the table beside it. Only
signatures and calls are generated: what a call means is C++ in wrappers/calls/handlers.h.
"""
import os
import re
import sys

# Parameters that are MPI_Count instead of int in MPI 4.0's large-count version of a
# call.
COUNT = re.compile(r"\bint ((?:send|recv|origin_|result_|target_)?counts?(?:\[\])?)$")
DISPLACEMENT = re.compile(r"\bint ([sr]?displs\[\]|disp_unit)$")
# Entries that are written by hand (wrappers/calls/lifecycle.cc, sessions.cc).
BY_HAND = ("MPI_Init", "MPI_Init_thread", "MPI_Finalize", "MPI_Abort", "MPI_Pcontrol", "MPI_Session_init",
           "MPI_Session_finalize")
PARAMETER = re.compile(r"(\w+)(?:\[\])?$")


# What a line says instead of statements that count bytes.
WITHOUT_BYTES = ("nothing", "at_completion", "uncounted")


def lacks(handler, data, last, parameters, with_data):
    """What the line of a call does not say, or None."""
    if with_data.setdefault(handler[1], bool(data)) != bool(data):
        return f"other calls of {handler[1]}() " + (
            "have no data" if data else "say between which processes data moves, this one does not")
    if data and last == "nothing":
        return "says between which processes data moves, and that nothing moves"
    if data and "MPI_Request* request" in parameters and "request" not in handler[2]:
        return f"{handler[1]}() is not given the call's request"
    if last == "at_completion" and not any("MPI_Request" in p for p in parameters):
        return "has no request at whose completion its bytes count"
    return None


def guarded(name, *lines):
    """The lines where mpi.h declares the function (cmake/mpi.cmake)."""
    return [f"#if defined(POPRT_HAS_{name})", *lines, "#endif"]


def names_of(parameters):
    """[] for (void)."""
    return [PARAMETER.search(p)[1] for p in parameters if p != "void"]


def read_table(path):
    """Yields (name, parameters, handler, data, bytes) for each entry."""
    with_data = {}  # whether a handler is told which data moves
    wrong = []
    with open(path, encoding="ascii") as table:
        for number, line in enumerate(table, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            parts = [part.strip() for part in line.split("|")]
            call = re.fullmatch(r"(MPI_\w+)\((.*)\)", parts[0])
            handler = re.fullmatch(r"(\w+)\((.*)\)", parts[1]) if len(parts) > 1 else None
            last = re.fullmatch(r"(.*?)( \+c)?", parts[-1])
            if not call or not handler or len(parts) != 4 or not (
                    last[1] in WITHOUT_BYTES or last[1].endswith(")")):
                wrong.append(f"{path}:{number}: expected: prototype | handler(arguments) | data, or - | "
                             "bytes: statements, or " + ", ".join(WITHOUT_BYTES) + " +c")
                continue
            data = "" if parts[2] == "-" else parts[2]
            moved = [] if last[1] in WITHOUT_BYTES else last[1].split("; ")
            parameters = [p.strip() for p in call[2].split(",")]
            lack = lacks(handler, data, last[1], parameters, with_data)
            if lack:
                wrong.append(f"{path}:{number}: {call[1]}: {lack}")
            yield call[1], parameters, handler, data, moved
            if last[2]:
                twin = [DISPLACEMENT.sub(r"MPI_Aint \1", COUNT.sub(r"MPI_Count \1", p))
                        for p in parameters]
                yield call[1] + "_c", twin, handler, data, moved
    if wrong:
        sys.exit("\n".join(wrong))


def read_local(path):
    """The patterns of wrappers/calls/local_calls.txt."""
    with open(path, encoding="ascii") as table:
        return [name for line in table if not line.startswith("#") for name in line.split()]


def entry(name, parameters, handler, data):
    names = names_of(parameters)
    # A handler may replace MPI_STATUS_IGNORE by a status of its own.
    status = [n for n, p in zip(names, parameters) if p.startswith("MPI_Status")]
    looks_at = [n for n in status if re.search(rf"\b{n}\b", handler[2])]
    takes = "MPI_Status* filled" if looks_at else ""
    passed = ["filled" if takes and n in status else n for n in names]
    arguments = [handler[2]] if handler[2] else []
    if data:
        uses_links = "links" in data
        given = "[[maybe_unused]] const CommInfo& where"
        given += ", Links& links" if uses_links else ""
        arguments.append(f"[&]({given}) {{ return {data}; }}")
    arguments.append(f"[&]({takes}) {{ return pmpi().{name[4:]}({', '.join(passed)}); }}")
    return (f"int poprt_{name}({', '.join(parameters)}) {{\n"
            f"  return poprt::mpi::{handler[1]}({', '.join(arguments)});\n}}\n"
            f"POPRT_MPI_ENTRY({name});\n")


def sited_entry(name, parameters, moved):
    """The function that tells calls apart, around the measuring one."""
    names = names_of(parameters)
    before = []
    passed = ", ".join(names)
    status = next((n for n, p in zip(names, parameters) if p.startswith("MPI_Status")), None)
    count = "incount" if "incount" in names else "count"
    # What looks at a status that the program may ignore looks at one that is filled.
    moves = [re.sub(rf"\b{status}\b", "filled", m) for m in moved]
    if moves != moved:
        several = f", {count}" if status == "array_of_statuses" else ""
        before.append(f"MPI_Status* const filled = site.filled({status}{several});")
        passed = ", ".join("filled" if n == status else n for n in names)
    if any(m.startswith("completed") for m in moves):
        requests = next(n for n in names if n in ("request", "array_of_requests"))
        before.append(f"site.expects({count if requests != 'request' else 1}, {requests});")
    if "MPI_Comm comm" in parameters:
        moves.insert(0, "on(comm)")
    count = "".join(f"    site.{m};\n" for m in moves)
    return ("extern \"C\" {\n"
            f"static int poprt_sited_{name}({', '.join(parameters)}) {{\n"
            f"  SitedCall site(\"{name}\", __builtin_return_address(0), "
            "__builtin_dwarf_cfa());\n"
            + "".join(f"  {line}\n" for line in before) +
            f"  const int code = poprt_{name}({passed});\n"
            + (f"  if (site.counts(code)) {{\n{count}  }}\n" if moves else "") +
            "  return code;\n}\n}\n")


def main():
    table, local, folder = sys.argv[1:]
    wrappers = ["// Generated by scripts/gen_mpi_wrappers.py; do not edit.",
                '#include "wrappers/calls/entry.h"', '#include "wrappers/calls/handlers.h"', "",
                # The MPI standard deprecates calls that programs still use.
                '#pragma GCC diagnostic ignored "-Wdeprecated-declarations"',
                "using namespace poprt::mpi;", 'extern "C" {', ""]
    prototypes = ["// Generated by scripts/gen_mpi_wrappers.py; do not edit."]
    functions = ["// Generated by scripts/gen_mpi_wrappers.py; do not edit."]
    for name in BY_HAND:
        prototypes.append(f"#define POPRT_HAS_{name} 1")
        functions += guarded(name, f"POPRT_MPI_FUNCTION({name[4:]})")
    sited = ["// Generated by scripts/gen_mpi_wrappers.py; do not edit.",
             '#include "wrappers/calls/sited_call.h"', "",
             '#pragma GCC diagnostic ignored "-Wdeprecated-declarations"',
             "using namespace poprt::mpi;", ""]
    leads = []
    for name, parameters, handler, data, moved in read_table(table):
        prototypes += [f"#define POPRT_HAS_{name} 1", f"POPRT_ABI({name[4:]}, ({', '.join(parameters)}));"]
        functions += guarded(name, f"POPRT_MPI_FUNCTION({name[4:]})")
        wrappers += guarded(name, entry(name, parameters, handler, data))
        sited += guarded(name, f'extern "C" int poprt_{name}({", ".join(parameters)});',
                         f'extern "C" void* poprt_to_{name};', sited_entry(name, parameters, moved))
        leads += guarded(name, f"  poprt_to_{name} = reinterpret_cast<void*>(&poprt_sited_{name});")
    wrappers.append('}  // extern "C"')
    sited += ["void poprt::mpi::tell_sites() {", *leads, "}"]
    patterns = [f'"{pattern}",' for pattern in read_local(local)]
    os.makedirs(folder, exist_ok=True)
    for file, lines in (("mpi_wrappers.cc", wrappers), ("mpi_sites.cc", sited),
                        ("mpi_functions.inc", functions), ("mpi_prototypes.h", prototypes),
                        ("local_calls.inc", patterns)):
        with open(f"{folder}/{file}", "w", encoding="ascii") as out:
            out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
