#!/usr/bin/env python3
"""Writes the small run files of tests/golden/runs, of which the transcripts of
scale, diff and check are made.  They have all keys but those that are computed
anew when a file is read.  Gives tests/golden/run_file/hybrid.json the keys that
it lacks, and writes it and rows.json in few lines.

usage: make_runs.py POPRT FOLDER
  POPRT   the program, which knows the keys
  FOLDER  tests/golden
"""
import json
import pathlib
import subprocess
import sys

MS = 1000000
COMPUTED = {"tool", "metrics", "overhead_fraction", "light", "causes"}
EMPTY = {"string": "", "array": [], "boolean": False, "object": {}}
OF_REGION = "processes threads visits visits_max elapsed_max_ns".split()
OF_NODE = ("processes threads useful_sum_ns useful_max_weighted_ns "
           "mpi_callers_outside_sum_ns").split()
SCHEMA = json.loads(subprocess.check_output([sys.argv[1], "schema"]))
# Of runs that had their cores for themselves; the rest is not known.
RESOURCES = dict.fromkeys(
    SCHEMA["properties"]["run"]["properties"]["resources"]["properties"])
RESOURCES.update({"waited_for_core_sum_ns": 0, "unknown_threads_cpu_sum_ns": 0})
DEVICES = {"device_processes_sum": 0, "target_on_host_sum_ns": None}


def complete(value, schema):
    """With what the schema requires besides: of a run in which nothing of that happened."""
    if isinstance(value, list):
        return [complete(each, schema["items"]) for each in value]
    if not isinstance(value, dict) or "properties" not in schema:
        return value
    result = {}
    for key, of_key in schema["properties"].items():
        types = of_key.get("type", "string")
        nothing = 0 if "integer" in types else None if "null" in types else EMPTY.get(types)
        if key in value or key not in COMPUTED:
            result[key] = complete(value.get(key, nothing), of_key)
    return result


def region(name, ranks, threads, run, useful_avg, useful_max, cue, rank_max_avg=None):
    """Times in ms, rank_max_avg being the mean over ranks of their busiest thread."""
    rank_max_avg = rank_max_avg or (useful_max if threads > 1 else useful_avg)
    cores = ranks * threads
    run, useful_max, cue = round(run * MS), round(useful_max * MS), round(cue * MS)
    useful = round(useful_avg * cores * MS)
    weighted = round(rank_max_avg * cores * MS)
    lost = run * cores - useful
    omp = lost // 3 if threads > 1 else 0
    outside = run - (lost - omp) // cores
    clocks = {"cue_ns": cue, "com_ns": max(cue, outside), "comp_ns": max(cue, outside),
              "coo_ns": run, "all_ns": run}
    totals = {
        "processes": ranks, "threads": cores, "visits": ranks, "visits_max": 1,
        "elapsed_max_ns": run, "elapsed_weighted_ns": run * cores,
        "useful_sum_ns": useful, "mpi_sum_ns": lost - omp, "omp_sum_ns": omp,
        "useful_max_ns": useful_max, "useful_max_weighted_ns": weighted,
        "serial_sum_ns": useful // cores * ranks, "serial_weighted_ns": useful,
        "openmp_weighted_ns": outside * cores - useful, "outside_mpi_max_ns": outside,
        "mpi_callers": ranks, "mpi_callers_outside_sum_ns": outside * ranks,
        "mpi_callers_outside_max_ns": outside, "mpi_transfer_sum_ns": lost - omp,
        "pl_cue_ns": useful_max, **clocks, "talp_useful_ns": useful // threads, "talp_mpi_ns": (lost - omp) // threads,
        "talp_omp_serial_ns": 0, "talp_omp_load_balance_ns": omp // threads,
        "talp_omp_scheduling_ns": 0, "talp_mpi_worker_idle_ns": 0, "talp_not_mpi_max_ns": outside,
        "in_full_tables": 0,
    }
    totals["nodes"] = [{"host": "node1", "not_mpi_sum_ns": outside * ranks,
                        "outside_mpi_weighted_ns": outside * cores,
                        **{key: totals[key] for key in OF_NODE}}]
    return {"name": name, "clocks_complete": True, "clocks": clocks, "accumulators": totals,
            **{key: totals[key] for key in OF_REGION}}


def write(path, program, ranks, threads, regions, arguments=(), metadata=None):
    run = {
        "program": program, "command": ["./" + program, *arguments],
        "start_time": "2026-01-02T03:04:05Z", "ranks": ranks, "threads": ranks * threads,
        "threads_per_process": {"min": threads, "max": threads},
        "hosts": [{"name": "node1", "processes": ranks}],
        "mpi": {"library": "Open MPI v4.1.4", "thread_level": "MPI_THREAD_FUNNELED"},
        "openmp": {"runtime": "LLVM OMP version: 5.0.20140926"} if threads > 1 else None,
        "clock": "tsc", "metadata": metadata or {}, "resources": RESOURCES, "devices": DEVICES,
    }
    file = complete({"schema": "poprt.run", "schema_version": "1.1", "run": run, "quality": {},
                     "regions": regions}, SCHEMA)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(file, separators=(",", ":")) + "\n")


def figure_17(folder):
    """NAS BT-IO, strong scaling: D8.2, Figure 17, from its rows Parallel Efficiency, Communication
    Efficiency, Transfer Efficiency, Computation Scalability and the first elapsed time.  The other
    run times follow (the figure's own differ from that by up to 0.4 %)."""
    rows = {4: (93.87, 94.47, 99.65, 100.00), 9: (86.21, 86.87, 99.40, 108.93),
            16: (82.00, 82.81, 98.71, 107.57), 25: (70.58, 71.43, 97.96, 109.83),
            36: (63.45, 64.05, 96.32, 101.92)}
    useful = 88.58e3 * 4 * 0.9387
    for ranks, (parallel, communication, transfer, computation) in rows.items():
        mean = useful / (computation / 100) / ranks
        run = mean / (parallel / 100)
        write(folder / f"bt-io-{ranks}x1.poprt.json", "bt-io", ranks, 1,
              [region("Global", ranks, 1, run, mean, communication / 100 * run,
                      transfer / 100 * run)])


def weak(folder):
    """Hybrid, weak scaling by its metadata, repeated runs; the largest has no region exchange."""
    for ranks, times in {1: (1000, 1004, 1010), 2: (1040, 1050, 1044), 8: (1130,)}.items():
        for n, run in enumerate(times):
            regions = [region("Global", ranks, 4, run, 800, 880, 920, 870),
                       region("solve", ranks, 4, 0.7 * run, 650, 660, 664)]
            if ranks < 8:
                regions.append(region("exchange", ranks, 4, 0.1 * run, 20 + ranks, 25, 60))
            write(folder / f"wave-{ranks}x4{'-' + str(n + 1) if n else ''}.poprt.json", "wave", ranks,
                  4, regions, ("-s", str(45 * ranks)), {"size": str(45 * ranks)})


def figure_10(folder):
    """JuKKR, 16 ranks with 1 to 12 threads: D8.2, Figure 10, from its rows Parallel Efficiency and
    Computational Scaling."""
    rows = {1: (.95, 1), 2: (.77, .85), 4: (.60, .67), 8: (.46, .44), 12: (.38, .34)}
    for threads, (parallel, computation) in rows.items():
        mean = 1e4 / computation / threads
        write(folder / f"jukkr-16x{threads}.poprt.json", "jukkr", 16, threads,
              [region("Global", 16, threads, mean / parallel, mean, mean / .98, mean / parallel,
                      mean / .99)], ("mpi-scheme-1",))


def threads_added(folder):
    """Weak scaling in ranks; threads are added to the same work of each rank."""
    for ranks, work in ((1, 1000), (16, 1160)):
        for threads in (1, 4):
            mean = work / threads
            write(folder / f"grid-{ranks}x{threads}.poprt.json", "grid", ranks, threads,
                  [region("Global", ranks, threads, mean / .9, mean, mean / .98, mean / .95,
                          mean / .99)], ("--per-rank", "64"))


def versions(folder):
    """Two versions of a program, three runs of each: the new one balances better."""
    for name, useful_max in (("old", 95), ("new", 84)):
        for n, noise in enumerate((0, 0.3, -0.2)):
            run = useful_max + 5 + noise
            write(folder / name / f"mesh-4x1-{n + 1}.poprt.json", "mesh", 4, 1,
                  [region("Global", 4, 1, run, 80 + noise, useful_max + noise, useful_max + 2 + noise),
                   region("sweep", 4, 1, run / 2, 40, useful_max / 2, useful_max / 2)])


def stuck(folder):
    """Strong scaling that times do not tell: 16 times the cores, a quarter of the run time."""
    for ranks, run in ((1, 100), (16, 25)):
        write(folder / f"stuck-{ranks}x1.json", "stuck", ranks, 1,
              [region("Global", ranks, 1, run, 90 / ranks, 92 / ranks, 95 / ranks)])


def in_lines(value, depth, indent=""):
    """JSON with a line for each value down to this depth."""
    if depth == 0 or not value or not isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    inner = indent + " "
    if isinstance(value, list):
        begin, items, end = "[", [in_lines(each, depth - 1, inner) for each in value], "]"
    else:
        begin, end = "{", "}"
        items = [f"{json.dumps(key)}: {in_lines(each, depth - 1, inner)}"
                 for key, each in value.items()]
    return "\n".join([begin, ",\n".join(inner + item for item in items), indent + end])


def shorten(path, change=lambda file: file):
    path.write_text(in_lines(change(json.loads(path.read_text())), 3) + "\n")


def main():
    of_reports = pathlib.Path(sys.argv[2]) / "run_file"
    shorten(of_reports / "hybrid.json", lambda file: complete(file, SCHEMA))
    shorten(of_reports / "rows.json")
    folder = pathlib.Path(sys.argv[2]) / "runs"
    figure_17(folder / "bt-io")
    figure_10(folder / "jukkr")
    weak(folder / "weak")
    threads_added(folder / "grid")
    versions(folder / "mesh")
    stuck(folder / "stuck")


main()
