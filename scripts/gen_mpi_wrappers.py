#!/usr/bin/env python3
"""Makes the MPI entries from wrappers/mpi_calls.txt, at build time.

usage: gen_mpi_wrappers.py TABLE FOLDER

Writes FOLDER/mpi_wrappers.cc (one exported function for each line of the table),
FOLDER/mpi_sites.cc (the same where calls are told apart by their places) and
FOLDER/mpi_functions.inc (the PMPI functions to look up). Only signatures and calls are
generated: what a call means is C++ in wrappers/handlers.h.
"""
import os
import re
import sys

# Parameters that are MPI_Count instead of int in MPI 4.0's large-count version of a
# call.
COUNT = re.compile(r"\bint ((?:send|recv|origin_|result_|target_)?counts?(?:\[\])?)$")
DISPLACEMENT = re.compile(r"\bint ([sr]?displs\[\]|disp_unit)$")
# What the table writes for prototypes that a version of MPI has changed: C, and C++.
SINCE = """#if 100 * MPI_VERSION + MPI_SUBVERSION >= 401
#define SINCE_4_1(words) words
#else
#define SINCE_4_1(words)
#endif
"""
# Entries that are written by hand (wrappers/lifecycle.cc).
BY_HAND = {100: ("Init", "Init_thread", "Finalize", "Abort", "Pcontrol"),
           400: ("Session_init", "Session_finalize")}
PARAMETER = re.compile(r"(\w+)(?:\[\])?$")


# What a call moves, for calls that are told apart: a statement of sited_call.h.  The names are
# those of blocking calls; those of non-blocking ones begin with I.
_SEND = "sends(count, datatype, dest)"
_SOME = "completed_some(*outcount, array_of_indices, filled)"
_PUT = "sends(origin_count, origin_datatype, target_rank)"
_GET = "gets(origin_count, origin_datatype, target_rank)"
_BOTH = _PUT + "; site.gets(result_count, result_datatype, target_rank)"
_ONE = "sends(1, datatype, target_rank); site.gets(1, datatype, target_rank)"
_REDUCED = "allreduce(count, datatype)"
_SCATTER = "scatter(comm, root, {}, sendtype, recvbuf, recvcount, recvtype)"
_GATHER = "gather(comm, root, sendbuf, sendcount, sendtype, {}, recvtype)"
_ALLGATHER = "allgather(comm, sendbuf, sendcount, sendtype, {}, recvtype)"
_ALLTOALL = "alltoall(comm, sendbuf, {}, {}, {}, {})"
_NEIGHBORS = "neighbors(comm, {}, {}, {}, {}, {})"
_COUNTS = ("sendcounts", "sendtype", "recvcounts", "recvtype")
_TYPES = ("sendcounts", "sendtypes", "recvcounts", "recvtypes")
_COUNT = ("sendcount", "sendtype", "recvcount", "recvtype")
MOVES = {
    "Send": _SEND, "Bsend": _SEND, "Rsend": _SEND, "Ssend": _SEND,
    "Send_init": "prepares(*request, count, datatype)",
    "Bsend_init": "prepares(*request, count, datatype)",
    "Rsend_init": "prepares(*request, count, datatype)",
    "Ssend_init": "prepares(*request, count, datatype)",
    "Start": "starts(1, request)", "Startall": "starts(count, array_of_requests)",
    "Sendrecv": "sends(sendcount, sendtype, dest)",
    "Sendrecv_replace": _SEND,
    "Wait": "completed(0, filled)",
    "Waitall": "completed_all(count, filled)",
    "Waitany": "completed(*index, filled)",
    "Waitsome": _SOME, "Testsome": _SOME,
    "Test": "completed(*flag != 0 ? 0 : -1, filled)",
    "Testall": "completed_all(*flag != 0 ? count : 0, filled)",
    "Testany": "completed(*flag != 0 ? *index : -1, filled)",
    "Put": _PUT, "Rput": _PUT, "Accumulate": _PUT, "Raccumulate": _PUT,
    "Get": _GET, "Rget": _GET, "Get_accumulate": _BOTH, "Rget_accumulate": _BOTH,
    "Fetch_and_op": _ONE, "Compare_and_swap": _ONE,
    "Barrier": "meets()",
    "Bcast": "bcast(comm, root, count, datatype)",
    "Reduce": "reduce(comm, root, count, datatype)",
    "Allreduce": _REDUCED, "Scan": _REDUCED, "Exscan": _REDUCED,
    "Reduce_scatter": "reduce_scatter(comm, recvcounts, datatype)",
    "Reduce_scatter_block": "reduce_scatter_block(comm, recvcount, datatype)",
    "Scatter": _SCATTER.format("sendcount"), "Scatterv": _SCATTER.format("sendcounts"),
    "Gather": _GATHER.format("recvcount"), "Gatherv": _GATHER.format("recvcounts"),
    "Allgather": _ALLGATHER.format("recvcount"), "Allgatherv": _ALLGATHER.format("recvcounts"),
    "Alltoall": _ALLTOALL.format(*_COUNT), "Alltoallv": _ALLTOALL.format(*_COUNTS),
    "Alltoallw": _ALLTOALL.format(*_TYPES),
    "Neighbor_allgather": _NEIGHBORS.format("true", *_COUNT),
    "Neighbor_allgatherv": _NEIGHBORS.format("true", "sendcount", "sendtype", "recvcounts",
                                             "recvtype"),
    "Neighbor_alltoall": _NEIGHBORS.format("false", *_COUNT),
    "Neighbor_alltoallv": _NEIGHBORS.format("false", *_COUNTS),
    "Neighbor_alltoallw": _NEIGHBORS.format("false", *_TYPES),
}
# Calls whose status tells what they have received.
RECEIVES = ("Recv", "Mrecv", "Sendrecv", "Sendrecv_replace")


def fail(path, number, message):
    sys.exit(f"{path}:{number}: {message}")


def read_table(path):
    """Yields (version, name, parameters, handler, data) for each entry."""
    version = None
    with open(path, encoding="ascii") as table:
        for number, line in enumerate(table, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            section = re.fullmatch(r"\[(\d)\.(\d)\]", line)
            if section:
                version = 100 * int(section[1]) + int(section[2])
                continue
            parts = [part.strip() for part in line.split("|")]
            call = re.fullmatch(r"(MPI_\w+)\((.*)\)", parts[0])
            handler = re.fullmatch(r"(\w+)\((.*)\)", parts[1]) if len(parts) > 1 else None
            if version is None or not call or not handler or len(parts) > 3:
                fail(path, number, "expected: prototype | handler(arguments) | data +c")
            data = parts[2] if len(parts) == 3 else ""
            large = data.endswith("+c")
            data = data[:-2].strip() if large else data
            parameters = [p.strip() for p in call[2].split(",")]
            yield version, call[1], parameters, handler, data
            if large:
                twin = [DISPLACEMENT.sub(r"MPI_Aint \1", COUNT.sub(r"MPI_Count \1", p))
                        for p in parameters]
                yield 400, call[1] + "_c", twin, handler, data


def entry(name, parameters, handler, data):
    names = [PARAMETER.search(p)[1] for p in parameters]
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


def sited_entry(name, parameters):
    """The function that tells calls apart, around the measuring one."""
    names = [PARAMETER.search(p)[1] for p in parameters]
    base = re.sub("_c$", "", name[4:])
    if base[0] == "I" and base[1:].capitalize() in MOVES:
        base = base[1:].capitalize()
    moved = MOVES.get(base, "")
    moves = [moved] if moved else []
    before = []
    passed = ", ".join(names)
    statuses = [n for n, p in zip(names, parameters) if p.startswith("MPI_Status")]
    requests = [n for n in names if re.fullmatch("request|array_of_requests", n)]
    if base in RECEIVES and statuses:
        moves.append("received(filled)")
    if any("filled" in m for m in moves):
        several = statuses[0] == "array_of_statuses"
        given = statuses[0] + (f", {'incount' if 'incount' in names else 'count'}" if several else "")
        before.append(f"MPI_Status* const filled = site.filled({given});")
        passed = ", ".join("filled" if n in statuses else n for n in names)
    if "completed" in moved:
        many = requests[0] == "array_of_requests"
        count = ("incount" if "incount" in names else "count") if many else "1"
        before.append(f"site.expects({count}, {requests[0]});")
    if "MPI_Comm comm" in parameters:
        moves.insert(0, "on(comm)")
    count = "".join(f"    site.{m};\n" for m in moves)
    return ("extern \"C\" {\n"
            f"static int poprt_sited_{name}({', '.join(parameters)}) {{\n"
            f"  SitedCall site(\"{name}\", __builtin_return_address(0), "
            "__builtin_frame_address(0));\n"
            + "".join(f"  {line}\n" for line in before) +
            f"  const int code = poprt_{name}({passed});\n"
            + (f"  if (site.counts(code)) {{\n{count}  }}\n" if moves else "") +
            "  return code;\n}\n}\n")


def main():
    table, folder = sys.argv[1:]
    wrappers = ["// Generated by scripts/gen_mpi_wrappers.py; do not edit.",
                '#include "wrappers/entry.h"', '#include "wrappers/handlers.h"', "", SINCE,
                # The MPI standard deprecates calls that programs still use.
                '#pragma GCC diagnostic ignored "-Wdeprecated-declarations"',
                "using namespace poprt::mpi;", 'extern "C" {', ""]
    functions = ["// Generated by scripts/gen_mpi_wrappers.py; do not edit."]
    for version, names in BY_HAND.items():
        functions += [f"#if POPRT_MPI_VERSION >= {version}",
                      *(f"POPRT_MPI_FUNCTION({name})" for name in names), "#endif"]
    sited = ["// Generated by scripts/gen_mpi_wrappers.py; do not edit.",
             '#include "wrappers/sited_call.h"', "", SINCE,
             '#pragma GCC diagnostic ignored "-Wdeprecated-declarations"',
             "using namespace poprt::mpi;", ""]
    leads = []
    for version, name, parameters, handler, data in read_table(table):
        guard = f"#if POPRT_MPI_VERSION >= {version}"
        functions += [guard, f"POPRT_MPI_FUNCTION({name[4:]})", "#endif"]
        wrappers += [guard, entry(name, parameters, handler, data) + "#endif"]
        sited += [guard, f'extern "C" int poprt_{name}({", ".join(parameters)});',
                  f'extern "C" void* poprt_to_{name};', sited_entry(name, parameters) + "#endif"]
        leads += [guard, f"  poprt_to_{name} = reinterpret_cast<void*>(&poprt_sited_{name});",
                  "#endif"]
    wrappers.append('}  // extern "C"')
    sited += ["void poprt::mpi::tell_sites() {", *leads, "}"]
    os.makedirs(folder, exist_ok=True)
    for file, lines in (("mpi_wrappers.cc", wrappers), ("mpi_sites.cc", sited),
                        ("mpi_functions.inc", functions)):
        with open(f"{folder}/{file}", "w", encoding="ascii") as out:
            out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
