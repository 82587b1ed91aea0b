"""Shared by the scripts that measure: programs, libraries, launchers."""
import json
import os
import pathlib
import platform
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("POPRT_BUILD", ROOT / "build")).resolve()
LIMIT_S = 300


class Failure(Exception):
    """Ends the script with one line."""


def library(mpi, folder=BUILD / "lib"):
    """The library for programs of this MPI, or for programs without MPI."""
    return folder / (f"{mpi}/libpoprt.so" if mpi else "libpoprt-omp.so")


def floor(mpi):
    """The library that does only what any tool has to do."""
    return program(mpi, "libfloor.so")


def program(mpi, name):
    return BUILD / "bench" / (mpi or "") / name


def command(mpi, ranks, name, bound=False):
    """The line that starts a program; `bound`: each rank on a core of its own."""
    line = [str(program(mpi, name))]
    if mpi is None:
        return line
    launcher = [f"mpirun.{mpi}", "-n", str(ranks)]
    if mpi == "openmpi":
        launcher += (["--bind-to", "core"] if bound else
                     ["--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"])
    elif bound:
        launcher += ["-bind-to", "core"]
    return launcher + line


def yielding(mpi):
    """What is preloaded beside the library where there are more ranks than cores; or None."""
    return BUILD / "bench" / "libyielding.so" if mpi == "mpich" else None


def other_host():
    """What is preloaded beside the library so that ranks believe to be on the hosts of TEST_HOSTS."""
    return BUILD / "bench" / "libother_host.so"


def run(line, preload=None, threads=2, **settings):
    """Standard output of a run with bound threads; of all its processes if there are several."""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("POPRT_", "OMP_", "KMP_")) and name != "LD_PRELOAD"}
    environment.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", LC_ALL="C",
                       OMP_NUM_THREADS=str(threads), OMP_PROC_BIND="true", OMP_PLACES="cores",
                       POPRT_REPORT="none")
    environment.update(settings)
    if preload:
        environment["LD_PRELOAD"] = str(preload)
    text = ("LD_PRELOAD=" + str(preload) + " " if preload else "") + " ".join(line)
    try:
        done = subprocess.run(line, env=environment, text=True, timeout=LIMIT_S, capture_output=True)
    except FileNotFoundError as error:
        raise Failure(f"cannot start {error.filename}") from error
    except subprocess.TimeoutExpired as error:
        raise Failure(f"{text}: no end after {LIMIT_S} s") from error
    if done.returncode != 0:
        sys.stderr.write(done.stderr)
        raise Failure(f"{text}: exit status {done.returncode}")
    return done.stdout


def alternating(preloads, rounds, measure):
    """What measure(preload) returns for each of them, in each round. The order alternates, so that a drift
    of the machine cancels."""
    result = []
    for number in range(rounds):
        done = {preload: measure(preload) for preload in preloads[::1 if number % 2 == 0 else -1]}
        result.append([done[preload] for preload in preloads])
    return result


def pairs(mpi, rounds, measure):
    """(without, with poprt) of each round."""
    return alternating([None, library(mpi)], rounds, measure)


def first_line(line):
    try:
        return subprocess.run(line, text=True, capture_output=True, cwd=ROOT,
                              timeout=LIMIT_S).stdout.strip().split("\n")[0]
    except FileNotFoundError:
        return ""


def machine():
    """The machine on which the figures were measured."""
    processor = [line.split(":")[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8")
                 if line.startswith("model name")]
    return {"processor": processor[0] if processor else platform.machine(),
            "cores": len(os.sched_getaffinity(0)),
            "kernel": platform.release(),
            "openmpi": first_line(["mpirun.openmpi", "--version"]),
            "mpich": " ".join(first_line(["mpichversion"]).split()),
            "poprt": first_line(["git", "describe", "--always", "--dirty"])}


def write_json(path, data):
    try:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(data, file, indent=1)
            file.write("\n")
    except OSError as error:
        raise Failure(f"cannot write {path}: {error.strerror}") from error


def main(function):
    try:
        function()
    except Failure as failure:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {failure}")
    except KeyboardInterrupt:
        sys.exit(130)
