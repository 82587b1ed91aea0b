#!/usr/bin/env python3
"""What packagers and users of an installed poprt rely on: the prefix may move,
pkg-config, CMake and module systems find everything in it, and the packages
have the same files.

  check_install.py --config CONFIG [unittest arguments]
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CONFIGURATION = {}
CONSUMER = pathlib.Path(__file__).parent / "consumer"
PROGRAM_LINE = next(number for number, line in enumerate(
    (CONSUMER / "program.c").read_text().splitlines(), 1) if "#pragma omp" in line)

# Stands in for the module systems: prints what the modulefile would do.
MODULE_SYSTEM = """
foreach name {module-whatis conflict} { proc $name args {} }
foreach name {prepend-path setenv} { proc $name {variable value} {puts "$variable=$value"} }
set ModulesCurrentModulefile [lindex $argv 0]
source $ModulesCurrentModulefile
ModulesHelp
"""


def run(*command, **env):
    environment = {k: v for k, v in os.environ.items()
                   if not k.startswith(("POPRT", "OMP_", "DESTDIR"))}
    environment.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                       LC_ALL="C", OMP_NUM_THREADS="2", **env)
    done = subprocess.run([str(word) for word in command], env=environment, timeout=300,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout.decode()}"
                             f"{done.stderr.decode()}")
    return done.stdout.decode() + done.stderr.decode()


class InstallTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="poprt-install-")
        cls.addClassCleanup(temporary.cleanup)
        cls.base = pathlib.Path(temporary.name).resolve()
        first = cls.base / "first"
        run(CONFIGURATION["cmake"], "--install", CONFIGURATION["build"], "--prefix", first,
            "--strip")
        cls.prefix = cls.base / "moved" / "to"
        cls.prefix.parent.mkdir()
        first.rename(cls.prefix)

    def library(self, name):
        file = "libpoprt-omp.so" if name == "omp" else f"poprt/{name}/libpoprt.so"
        return self.prefix / CONFIGURATION["libdir"] / file

    def expected_libraries(self):
        return sorted(str(self.library(name)) for name in CONFIGURATION["libraries"])

    def pkg_config(self, *options):
        return run("pkg-config", *options, "poprt", PKG_CONFIG_PATH=str(
            self.prefix / CONFIGURATION["libdir"] / "pkgconfig")).split()

    def pkg_config_path(self, variable):
        return os.path.normpath(self.pkg_config("--variable=" + variable)[0])

    def compiled(self, name, compiler, *options):
        program = self.base / name
        run(compiler, "-g", "-Wall", "-Wextra", "-Werror", *self.pkg_config("--cflags"),
            CONSUMER / "program.c", "-o", program, *self.pkg_config("--libs"), *options)
        return program

    def run_file_of(self, *command, **env):
        file = self.base / "run.json"
        file.unlink(missing_ok=True)
        text = run(*command, POPRT_OUTPUT=str(file), **env)
        self.assertIn("== poprt", text)
        report = run(self.prefix / "bin" / "poprt", "report", file)
        self.assertIn("Parallel Efficiency", report)
        return json.loads(file.read_text())


class Prefix(InstallTest):
    def test_no_file_knows_where_it_was_installed_or_built(self):
        files = [path for path in self.prefix.rglob("*") if path.is_file()]
        self.assertIn("poprt.h", [path.name for path in files])
        places = [str(self.base / "first"), CONFIGURATION["build"] + "/"]
        knowing = [(str(path), place) for path in files for place in places
                   if place.encode() in path.read_bytes()]
        self.assertEqual([], knowing)

    def test_without_duktape_there_are_no_figures(self):
        module = self.prefix / CONFIGURATION["libdir"] / "poprt" / "poprt-figures.so"
        if not module.exists():
            self.skipTest("built without figures")
        golden = pathlib.Path(__file__).parents[1] / "golden" / "run_file" / "rows.json"
        plot = [self.prefix / "bin" / "poprt", "plot", "--kind", "table", golden, "-o", self.base / "x.svg"]
        run(*plot)
        moved = module.rename(self.base / module.name)
        self.addCleanup(moved.rename, module)
        with self.assertRaisesRegex(AssertionError, "\npoprt: figures need Duktape, .* write .csv[.]\n$"):
            run(*plot)

    def test_installed_libraries(self):
        found = sorted(str(path) for path in self.prefix.rglob("libpoprt*.so"))
        self.assertEqual(self.expected_libraries(), found)


@unittest.skipUnless(shutil.which("pkg-config"), "no pkg-config")
class PkgConfig(InstallTest):
    def test_paths(self):
        self.assertEqual(CONFIGURATION["version"], self.pkg_config("--modversion")[0])
        for name in CONFIGURATION["libraries"]:
            self.assertEqual(str(self.library(name)), self.pkg_config_path("preload_" + name))
        self.assertTrue(os.path.isfile(self.pkg_config_path("fortran_source")))

    def test_a_program_with_mpi_runs_with_the_library(self):
        for mpi, entry in CONFIGURATION["mpis"].items():
            with self.subTest(mpi=mpi):
                program = self.compiled("mpi_" + mpi, entry["cc"], "-DWITH_MPI",
                                        "-Wno-unknown-pragmas")
                launcher = [entry["run"], "-n", "2"]
                launcher += ["--oversubscribe"] if mpi == "openmpi" else []
                run_file = self.run_file_of(*launcher, program,
                                            LD_PRELOAD=self.pkg_config_path("preload_" + mpi))
                self.assertEqual(2, run_file["run"]["ranks"])
                self.assertIn("solve", [region["name"] for region in run_file["regions"]])

    def test_a_program_with_openmp_has_its_lines(self):
        if not CONFIGURATION["openmp"]:
            self.skipTest("no clang with libomp")
        program = self.compiled("openmp", *CONFIGURATION["openmp"])
        run_file = self.run_file_of(program, LD_PRELOAD=self.pkg_config_path("preload_omp"))
        self.assertIn("solve", [region["name"] for region in run_file["regions"]])
        if CONFIGURATION["locations"]:
            self.assertIn(f"program.c:{PROGRAM_LINE} (main)", [
                region["location"] for region in run_file["parallel_regions"]])


class CMakePackage(InstallTest):
    def test_a_project_finds_and_runs_it(self):
        build = self.base / "consumer"
        run(CONFIGURATION["cmake"], "-G", CONFIGURATION["generator"], "-S", CONSUMER, "-B", build,
            f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run(CONFIGURATION["cmake"], "--build", build)
        self.assertEqual("1\n", run(build / "program"))
        program, fortran, *libraries = (build / "found.txt").read_text().split()
        self.assertEqual(str(self.prefix / "bin" / "poprt"), program)
        self.assertTrue(os.path.isfile(fortran))
        self.assertEqual(self.expected_libraries(), sorted(libraries))

    def test_a_project_that_needs_another_version_is_told(self):
        source = self.base / "newer"
        source.mkdir()
        (source / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.13)\nproject(newer NONE)\n"
            "find_package(poprt 99 REQUIRED)\n")
        with self.assertRaisesRegex(AssertionError, "version: " + CONFIGURATION["version"]):
            run(CONFIGURATION["cmake"], "-G", CONFIGURATION["generator"], "-S", source, "-B",
                self.base / "newer_build", f"-DCMAKE_PREFIX_PATH={self.prefix}")


@unittest.skipUnless(shutil.which("tclsh"), "no tclsh")
class Modulefile(InstallTest):
    def test_its_paths_are_there(self):
        (modulefile,) = self.prefix.glob("share/modulefiles/poprt/*")
        self.assertEqual(CONFIGURATION["version"], modulefile.name)
        script = self.base / "modules.tcl"
        script.write_text(MODULE_SYSTEM)
        lines = run("tclsh", script, modulefile).splitlines()
        values = dict(line.split("=", 1) for line in lines if "=" in line)
        self.assertEqual(str(self.prefix / "bin"), values["PATH"])
        self.assertTrue(os.path.isfile(values["CPATH"] + "/poprt.h"))
        self.assertTrue(os.path.isfile(values["PYTHONPATH"] + "/poprt.py"))
        self.assertTrue(os.path.isfile(values["PKG_CONFIG_PATH"] + "/poprt.pc"))
        self.assertEqual(str(self.prefix), values["CMAKE_PREFIX_PATH"])
        libraries = {k: v for k, v in values.items() if k.startswith("LIBPOPRT_")}
        self.assertEqual(self.expected_libraries(), sorted(libraries.values()))
        for name in libraries:
            self.assertIn(name, "\n".join(line for line in lines if "=" not in line))


@unittest.skipUnless(shutil.which("dpkg-shlibdeps") and shutil.which("cpack"), "no dpkg or cpack")
class DebianPackage(InstallTest):
    def test_contents_and_dependencies(self):
        run("cpack", "-G", "DEB", "-B", self.base / "deb", "--config",
            CONFIGURATION["build"] + "/CPackConfig.cmake")
        (package,) = (self.base / "deb").glob("*.deb")
        listed = [line.split() for line in run("dpkg-deb", "--contents", package).splitlines()]
        files = {words[5] for words in listed if not words[5].endswith("/")}
        installed = {"./usr/" + str(path.relative_to(self.prefix))
                     for path in self.prefix.rglob("*") if path.is_file()}
        # The examples need an MPI, which the package does not.
        examples = {path for path in installed if path.endswith("/hybrid")}
        self.assertEqual(installed - examples | {"./usr/share/doc/poprt/copyright"}, files)
        depends = run("dpkg-deb", "--field", package, "Depends")
        self.assertRegex(depends, r"\blibc6 \(>=")
        self.assertNotRegex(depends, "mpi|mpich|libomp")
        recommends = run("dpkg-deb", "--field", package, "Recommends").strip()
        self.assertEqual("openmpi-bin | mpich", recommends)
        system = self.base / "system"
        run("dpkg", "-x", package, system)
        command = system / "usr" / "bin" / "poprt"
        self.assertIn(CONFIGURATION["version"], run(command, "--version"))
        self.assertRegex(run(command, "doctor", "--no-example"), rf"{re.escape(str(system))}/usr/\S+/libpoprt-omp\.so")


@unittest.skipUnless(shutil.which("cpack"), "no cpack")
class Archive(InstallTest):
    def test_it_is_unpacked_and_runs(self):
        folder = self.base / "archive"
        run("cpack", "-G", "TGZ", "-B", folder, "--config", CONFIGURATION["build"] + "/CPackConfig.cmake")
        name = f"poprt-{CONFIGURATION['version']}-linux-{os.uname().machine}"
        run("tar", "-C", self.base, "-xzf", folder / f"{name}.tar.gz")
        prefix = self.base / name
        files = {path.relative_to(prefix) for path in prefix.rglob("*") if path.is_file()}
        installed = {path.relative_to(self.prefix) for path in self.prefix.rglob("*") if path.is_file()}
        # The examples need an MPI.
        examples = {path for path in installed if path.name == "hybrid"}
        self.assertEqual(installed - examples | {pathlib.Path("share/doc/poprt/copyright")}, files)
        self.assertIn(str(prefix / "lib" / "libpoprt-omp.so"), run(prefix / "bin" / "poprt", "doctor", "--no-example"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--config", required=True)
    known, rest = parser.parse_known_args()
    CONFIGURATION.update(json.loads(pathlib.Path(known.config).read_text()))
    unittest.main(argv=[sys.argv[0]] + rest)
