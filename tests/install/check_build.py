#!/usr/bin/env python3
"""Builds of poprt without what it need not have: CMake's last words, what is missing though it was
named, and (--build) the libraries alone, under two ranks.

  check_build.py --config CONFIG [--build] [unittest arguments]
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

CONFIGURATION = {}
SOURCE = pathlib.Path(__file__).resolve().parents[2]
WITHOUT = {"POPRT_PAPI_DIR": "counters, by PAPI: libpapi-dev", "POPRT_LIBDW": "lines of sources, by libdw: libdw-dev",
           "CMAKE_DISABLE_FIND_PACKAGE_PkgConfig": "topology, by hwloc and pkg-config: libhwloc-dev",
           "POPRT_OMP_TOOLS_DIR": "OpenMP: libomp-dev", "POPRT_COMMAND": "the command poprt: -DPOPRT_COMMAND=ON"}
NEEDED = {"fmt": "{fmt} 8.1: libfmt-dev", "nlohmann_json": "nlohmann-json 3.9: nlohmann-json3-dev", "Python3": "Python 3.6: python3",
          "CLI11": "CLI11 2: libcli11-dev", "ZLIB": "zlib: zlib1g-dev"}


class Build(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="poprt-build-")
        self.addCleanup(temporary.cleanup)
        self.build = pathlib.Path(temporary.name)

    def cmake(self, **options):
        """Its exit code and its words, without line breaks of its own."""
        names = [f"-D{name}={value}" for name, value in options.items()]
        done = subprocess.run([CONFIGURATION["cmake"], "-G", CONFIGURATION["generator"], "-S", SOURCE, "-B", self.build,
                               "-DPOPRT_HTML=OFF", *names], text=True, timeout=250, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        return done.returncode, " ".join(done.stdout.split())

    def assert_refused(self, words, **options):
        code, said = self.cmake(**options)
        self.assertNotEqual(0, code, said)
        self.assertIn(words, said)
        self.cmake(**dict.fromkeys(options, ""))

    def test_what_is_named_and_missing_is_an_error(self):
        self.assert_refused("expected openmpi, mpich, abi", POPRT_MPI="intel")
        self.assert_refused("/bin/true does not belong to mpich", POPRT_MPI="mpich", POPRT_mpich_CC="/bin/true")
        self.assert_refused("where no papi.h is", POPRT_PAPI_DIR="/nowhere")
        self.assert_refused("where no omp-tools.h is", POPRT_OMP_TOOLS_DIR="/nowhere")
        self.assert_refused("where no elfutils/libdwfl.h is", POPRT_LIBDW_INCLUDE="/nowhere")
        self.assert_refused("where no duktape.h is", POPRT_DUKTAPE_DIR="/nowhere")
        for library in ("POPRT_LIBDW", "POPRT_DUKTAPE"):
            self.assert_refused(f"{library} is /nowhere/lib.so, which does not exist", **{library: "/nowhere/lib.so"})

    def test_all_that_is_needed_and_missing_is_listed_at_once(self):
        disabled = {f"CMAKE_DISABLE_FIND_PACKAGE_{package}": "ON" for package in NEEDED}
        code, said = self.cmake(POPRT_MPI="abi", POPRT_INNER_BUILD="ON", **disabled)
        self.assertNotEqual(0, code, said)
        for words in NEEDED.values():
            self.assertIn(f"missing {words} | ", said)
        self.assertIn("-DPOPRT_COMMAND=OFF needs neither CLI11 nor zlib", said)
        code, said = self.cmake(POPRT_COMMAND="OFF")
        self.assertNotEqual(0, code, said)
        self.assertNotRegex(said, "CLI11|zlib")

    def test_the_openmp_header_is_found_where_cmake_is_told_to_look(self):
        folder = self.build / "prefix" / "include"
        folder.mkdir(parents=True)
        code, said = self.cmake(POPRT_INNER_BUILD="ON", POPRT_MPI="abi")
        self.assertEqual(0, code, said)
        header = pathlib.Path(re.search(r"on OpenMP: (\S+)", said)[1]) / "omp-tools.h"
        (folder / header.name).write_bytes(header.read_bytes())
        code, said = self.cmake(POPRT_OMP_TOOLS_DIR="", CMAKE_PREFIX_PATH=folder.parent)
        self.assertEqual(0, code, said)
        self.assertIn(f"on OpenMP: {folder} ", said)

    def test_the_libraries_need_nothing_that_can_be_left_out(self):
        mpi, entry = next(iter(CONFIGURATION["mpis"].items()))
        code, said = self.cmake(POPRT_MPI=mpi, POPRT_INNER_BUILD="ON", CMAKE_UNITY_BUILD="ON",
                                CMAKE_DISABLE_FIND_PACKAGE_CLI11="ON", CMAKE_DISABLE_FIND_PACKAGE_ZLIB="ON",
                                **{**dict.fromkeys(WITHOUT, "OFF"), "CMAKE_DISABLE_FIND_PACKAGE_PkgConfig": "ON"})
        self.assertEqual(0, code, said)
        for words in WITHOUT.values():
            self.assertIn("off " + words, said)
        if not CONFIGURATION["builds"]:
            return
        subprocess.run([CONFIGURATION["cmake"], "--build", self.build, "--target", f"poprt_{mpi}"], check=True)
        program = self.build / "program"
        subprocess.run([entry["cc"], "-DWITH_MPI", "-I", SOURCE / "include", SOURCE / "tests/install/consumer/program.c",
                        "-o", program, "-ldl"], check=True)
        several = ["--oversubscribe"] if mpi == "openmpi" else []
        file = self.build / "run.json"
        subprocess.run([entry["run"], "-n", "2", *several, program], check=True, timeout=300, env={
            **os.environ, "LD_PRELOAD": str(self.build / "lib" / mpi / "libpoprt.so"), "POPRT_OUTPUT": str(file),
            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
        self.assertEqual(2, json.loads(file.read_text())["run"]["ranks"])

    def test_a_static_command_needs_no_library(self):
        code, said = self.cmake(POPRT_STATIC="ON", POPRT_MPI="abi", POPRT_INNER_BUILD="ON", CMAKE_UNITY_BUILD="ON")
        self.assertEqual(0, code, said)
        self.assertIn("off topology, figures: -DPOPRT_STATIC=OFF", said)
        self.assertNotIn("libhwloc-dev", said)
        if not CONFIGURATION["builds"]:
            return
        subprocess.run([CONFIGURATION["cmake"], "--build", self.build], check=True)
        command = self.build / "bin" / "poprt"
        headers = subprocess.run(["readelf", "-lW", command], check=True, text=True, stdout=subprocess.PIPE).stdout
        self.assertNotIn("INTERP", headers)
        subprocess.run([command, "run", "/bin/true"], check=True, timeout=300)

    def test_lines_of_sources_are_off_where_libdw_lacks_an_archive(self):
        empty = self.build / "empty.a"
        empty.parent.mkdir(exist_ok=True)
        empty.write_text("!<arch>\n")
        code, said = self.cmake(POPRT_STATIC="ON", POPRT_MPI="abi", POPRT_INNER_BUILD="ON", POPRT_STATIC_elf=empty)
        self.assertEqual(0, code, said)
        self.assertIn("off lines of sources, by libdw: libdw-dev, and archives of all that it needs: libbz2-dev", said)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--config", required=True)
    parser.add_argument("--build", dest="builds", action="store_true")
    known, rest = parser.parse_known_args()
    CONFIGURATION.update(json.loads(pathlib.Path(known.config).read_text()), builds=known.builds)
    unittest.main(argv=[sys.argv[0]] + rest)
