#!/usr/bin/env python3
"""Compiles what poprt writes as LaTeX, where pdflatex is there; else only looks whether
environments and braces are closed, and whether names are escaped.

usage: latex.py POPRT GOLDEN
  POPRT   the program
  GOLDEN  the folder tests/golden
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

POPRT, GOLDEN = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
RUNS = GOLDEN / "runs"
HYBRID = GOLDEN / "run_file/rows.json"
NAMES = ["a_b%c&d#e~f^g\\h{i}j$k", "<script>alert(\"1\")</script>", "日本語の領域 🚀 é", "[*] '`--", "x" * 120,
         "\\input{/etc/passwd}", "^^41 \\end{document}"]


def hostile(run, names):
    """The run with other names of program, regions, hosts."""
    run = json.loads(run)
    for region, name in zip(run["regions"][1:], names):
        region["name"] = name
    run["run"]["command"] = [names[0], names[1]]
    run["run"]["metadata"] = {names[0]: names[1]}
    for host, name in zip(run["run"]["hosts"], names):
        host["name"] = name
    return json.dumps(run)


def latex_of(*arguments):
    done = subprocess.run([str(POPRT), *map(str, arguments), "--format", "latex"], timeout=60,
                          env={**os.environ, "LC_ALL": "C.UTF-8"}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


class Latex(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.folder.name)
        paths = []
        for i, first in enumerate((0, 5)):
            path = folder / f"hostile{i}.json"
            path.write_text(hostile(HYBRID.read_text(), NAMES[first:] + NAMES[:first]))
            paths.append(path)
        every = ("--model", "all", "--region", "*")
        cls.pieces = [
            latex_of("report", paths[0], *every),
            latex_of("report", paths[1], *every, "--view", "loss"),
            latex_of("report", paths[0], "--processes"),
            latex_of("report", GOLDEN / "run_file/hybrid.json", *every),
            latex_of("scale", RUNS / "weak", *every),
            latex_of("scale", RUNS / "jukkr", "--assessment"),
            latex_of("scale", *paths, "--any-program", "--region", "*"),
            latex_of("diff", RUNS / "mesh/old", RUNS / "mesh/new", "--region", "*"),
        ]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_environments_and_braces_are_closed(self):
        for piece in self.pieces:
            opened = []
            for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", piece):
                if kind == "begin":
                    opened.append(name)
                else:
                    self.assertEqual(opened.pop(), name)
            self.assertEqual([], opened)
            bare = re.sub(r"\\[{}\\]", "", piece)
            self.assertEqual(bare.count("{"), bare.count("}"))

    def test_names_are_no_commands(self):
        for piece in self.pieces[:3]:
            self.assertNotIn("\\input", piece)
            self.assertNotIn("\\end{document}", piece)
            self.assertNotIn("^^", piece)
            text = "\n".join(line for line in piece.splitlines() if not line.startswith("%"))
            self.assertIsNone(re.search(r"(?<!\\)[#%$]", text.split("\n", 1)[1].replace("$-$", "")))
            for line in text.splitlines():
                if "&" not in line:
                    self.assertIsNone(re.search(r"(?<!\\)_", line), line)
        self.assertIn("a\\_b\\%c\\&d\\#e\\textasciitilde{}f\\textasciicircum{}g\\textbackslash{}h\\{i\\}j\\$k", self.pieces[0])

    def test_compiles(self):
        if shutil.which("pdflatex") is None:
            self.skipTest("pdflatex (texlive-latex-recommended) is not here")
        for i, piece in enumerate(self.pieces):
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder)
                (path / "piece.tex").write_text(piece)
                (path / "paper.tex").write_text(
                    "\\documentclass{article}\n\\usepackage{booktabs,graphicx}\n\\begin{document}\n"
                    "\\input{piece}\n\\end{document}\n")
                done = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"], cwd=folder,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
                said = done.stdout.decode(errors="replace")
                self.assertEqual(0, done.returncode, f"piece {i}: {said[-1500:]}")
                self.assertNotIn("Missing character", said)
                # Tables fit between the margins, whatever the names are; words of a text may not.
                tables = re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide\)[^\n]*\n \[\]\[\]", said)
                self.assertEqual([], tables, f"piece {i}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
