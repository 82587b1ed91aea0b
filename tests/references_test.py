#!/usr/bin/env python3
"""scripts/check_references.py finds each kind of reference that leads nowhere, and
only those."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))
import check_references

RIGHT = {
    "README.md": "[rules](docs/edges.md#r1-first), [here](#use-it), `POPRT_MODEL`, tests/**/*.cc\n"
                 "# Use it\n```\npoprt report --all x.json\npoprt run mpirun --map-by node ./x\n"
                 "# not a [link](nowhere)\n```\n",
    "docs/edges.md": "# Edges\n### R1: First\nSee `src/core/clock.h`, `src/core`, `clock.h`.\n",
    "src/core/clock.h": "// Rule R1 of\n// docs/edges.md; see core/clock.h, sys/mman.h and\n"
                        "// merge().\nint merge(int a);  // as R1 says\n"
                        "const char* kNot = \"// R9\";\n",
    "src/command/report.cc": "const char* kOptions = \"--all POPRT_MODEL\";\n",
    "tests/unit/x_test.cc": "int x;\n",
    "scripts/tool.py": 'TEXT = """\n# not lost.h\n"""\nWORDS = "see lost.h"\n',
    "tests/CMakeLists.txt": "option(POPRT_FULL \"All\")\nset(POPRT_${mpi}_CC cc CACHE FILEPATH)\nlabels(quick)\n",
    "docs/names.md": "`x_test`, `x_test.cc`, `ClockRing::merge_all()`, `_all`, `Bcast_init`, `MPI_Wtime`, `clock_p`, `std::gone`,\n"
                     "`-DPOPRT_FULL=ON -DPOPRT_mpich_CC=cc`, `solver.c`, `of the user's own_file`, `ctest -L quick -R 'x_test'`\n",
    "src/core/ring.h": "class ClockRing { void merge_all(); int clock; };  // TimedGone\nint MPI_Bcast_init();\n",
}


def complaints(name=None, line=""):
    """The complaints about the correct tree with one more line in the file `name`."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for file, text in RIGHT.items():
            path = root / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text + (line + "\n" if file == name else ""))
        return list(check_references.Checker(root))


class References(unittest.TestCase):
    def test_accepts_what_leads_somewhere(self):
        self.assertEqual(complaints(), [])

    def test_finds_what_leads_nowhere(self):
        for name, line, words in [
                ("src/core/clock.h", "// By rule R2.", "no rule R2"),
                ("docs/edges.md", "As R12 says.", "no rule R12"),
                ("src/core/clock.h", "// See docs/gone.md.", "no file docs/gone.md"),
                ("src/core/clock.h", "int y;  // as in gone.h", "no file gone.h"),
                ("src/core/clock.h", "// see core/gone.h", "no file core/gone.h"),
                ("docs/edges.md", "Look at `src/gone/thread`.", "no file src/gone/thread"),
                ("src/core/clock.h", "// Calls gone() later.", "no function gone()"),
                ("src/core/clock.h", "// (edges.md, section 4)", "edges.md has no section 4"),
                ("src/core/clock.h", "// Set by POPRT_GONE.", "no variable POPRT_GONE"),
                ("scripts/tool.py", "x = 1  # as in gone.h", "no file gone.h"),
                ("docs/names.md", "A `TimedGone` is", "no TimedGone in the code"),
                ("docs/names.md", "`ClockRing::gone()`", "no gone in the code"),
                ("docs/names.md", "`GoneRing::merge_all()`", "no GoneRing in the code"),
                ("docs/names.md", "`gone_test`", "no gone_test in the code"),
                ("docs/names.md", "`e2e.gone`", "no e2e in the code"),
                ("docs/names.md", "`_gone`", "no _gone in the code"),
                ("docs/names.md", "`-DPOPRT_GONE=ON`", "no CMake option POPRT_GONE"),
                ("docs/names.md", "`-DPOPRT_MODEL=ON`", "no CMake option POPRT_MODEL"),
                ("docs/names.md", "```\nPOPRT_GONE=1 ./x\n```", "no variable POPRT_GONE"),
                ("docs/names.md", "`ctest -L gone`", "no test or label gone"),
                ("docs/names.md", "```\nctest -C long -R x_gone\n```", "no test or label x_gone"),
                ("docs/names.md", "`src/core/gone.c`", "no file src/core/gone.c"),
                ("docs/names.md", "`tests/gone.txt`", "no file tests/gone.txt"),
                ("README.md", "[x](docs/gone.md)", "no file docs/gone.md"),
                ("README.md", "[x](docs/edges.md#gone)", "docs/edges.md has no heading #gone"),
                ("README.md", "Type `poprt report --gone x`.", "poprt has no option --gone")]:
            with self.subTest(line=line):
                found = complaints(name, line)
                number = RIGHT[name].count("\n") + 1 + line.startswith("```")
                expected = f"{name}:{number}: {words}"
                self.assertTrue(any(said.startswith(expected) for said in found), found)


class Examples(unittest.TestCase):
    def test_run_on_two_cores(self):
        """Open MPI refuses more ranks than cores, and binds each to one core."""
        root = pathlib.Path(__file__).resolve().parent.parent
        for path in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
            blocks = path.read_text(encoding="utf-8").split("\n```")[1::2]
            for line in "\n".join(blocks).splitlines():
                with self.subTest(file=path.name, line=line):
                    self.assertNotRegex(line.split("#")[0], r"mpirun -n [2-9]\b"
                                        "(?! --oversubscribe --bind-to none)")


unittest.main()
