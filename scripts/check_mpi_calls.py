#!/usr/bin/env python3
"""Checks that every function of an mpi.h is measured, or known to be local.

usage: check_mpi_calls.py LIBRARY COMPILER [-I...]

A function that communicates, synchronises or does I/O, and that the library does not
export, is a hole in the measurement: messages without clocks, waiting that looks like
work. A function listed here is local: it never waits for another process.
"""
import re
import subprocess
import sys

LOCAL = re.compile("MPI_(?:" + "|".join((
    # The tools' own interface, conversions of handles and statuses.
    r"T_\w+", r"\w+_(?:c2f|f2c|c2f08|f082c|f082f|f2f08)",
    # Objects that are local to one process.
    r"Group_\w+", r"Info_\w+", r"Op_\w+", r"Type_\w+", r"Errhandler_\w+", r"Error_\w+",
    r"Keyval_\w+", r"Attr_\w+", r"Add_error_\w+", r"Status_set_\w+", r"Grequest_\w+",
    r"(?:Comm|Win|File|Session)_(?:call|create|get|set)_errhandler",
    r"(?:Comm|Win)_(?:create_keyval|free_keyval|delete_attr|get_attr|set_attr)",
    # Queries that one process can answer alone.
    r"Comm_(?:compare|get_name|set_name|get_info|set_info|get_parent|group|rank|size)",
    r"Comm_(?:remote_group|remote_size|test_inter)",
    r"Win_(?:get_group|get_info|set_info|get_name|set_name|shared_query)",
    r"File_(?:get_amode|get_atomicity|get_byte_offset|get_group|get_info|get_position)",
    r"File_(?:get_type_extent|get_view)", r"Register_datarep",
    r"Session_(?:get_\w+)", r"Cart_(?:coords|get|map|rank|shift)", r"Cartdim_get",
    r"Graph_(?:get|map|neighbors|neighbors_count)", r"Graphdims_get", r"Dims_create",
    r"Dist_graph_neighbors(?:_count)?", r"Topo_test", r"Test_cancelled",
    r"Get_(?:address|count|elements|elements_x|library_version|processor_name|version)",
    r"Finalized", r"Initialized", r"Is_thread_main", r"Query_thread",
    r"Wtime", r"Wtick",
    # Memory management. Of buffered sends, only detaching may wait.
    r"Address", r"Aint_(?:add|diff)", r"Alloc_mem", r"Free_mem", r"Buffer_attach",
    r"Pack\w*", r"Unpack\w*", r"Reduce_local",
)) + ")(?:_c)?")


def declared(compiler, flags):
    text = subprocess.run([compiler, "-E", "-P", "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX",
                           "-x", "c", *flags, "-"], input="#include <mpi.h>\n",
                          stdout=subprocess.PIPE, text=True, check=True).stdout
    return set(re.findall(r"\b(?:int|double|MPI_\w+)\s+(MPI_[A-Z]\w*)\s*\(", text))


def main():
    library, compiler, *flags = sys.argv[1:]
    listed = subprocess.run(["nm", "-D", "--defined-only", library], stdout=subprocess.PIPE,
                            text=True, check=True).stdout
    measured = {line.split()[-1] for line in listed.splitlines()}
    functions = declared(compiler, flags)
    if len(functions) < 300:
        sys.exit(f"mpi.h declares only {len(functions)} functions: has its form changed?")
    holes = sorted(f for f in functions - measured if not LOCAL.fullmatch(f))
    both = sorted(f for f in functions & measured if LOCAL.fullmatch(f))
    for name in holes:
        print(f"{name}: communicates, or so it seems, and has no line in wrappers/mpi_calls.txt")
    for name in both:
        print(f"{name}: is local, and has a line in wrappers/mpi_calls.txt")
    print(f"{len(functions)} functions, {len(functions & measured)} measured")
    sys.exit(bool(holes or both))


main()
