#!/usr/bin/env python3
"""Reads the figures that poprt plot draws, and compares them with its CSV: lengths and places
are those of the numbers, texts say them, names stay names.

usage: figures.py POPRT GOLDEN
  POPRT   the program
  GOLDEN  the folder tests/golden
Exits with 77 where this poprt has no figures.
"""
import base64
import csv
import io
import json
import math
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
import xml.etree.ElementTree as ElementTree

POPRT, GOLDEN = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
SVG = "{http://www.w3.org/2000/svg}"
BT, WEAK, HYBRID = GOLDEN / "runs/bt-io", GOLDEN / "runs/weak", GOLDEN / "run_file/rows.json"
JUKKR = GOLDEN / "runs/jukkr"
# What the parts of core time are called, by the keys that are columns of CSV.
PARTS = {
    "useful": "useful", "mpi": "MPI", "mpi_waiting": "waiting in MPI", "mpi_transfer": "transfer in MPI", "mpi_unknown": "unknown in MPI",
    "mpi_io": "MPI-IO",
    "openmp_serial": "idle outside parallel regions",
    "openmp_idle_in_mpi": "idle while rank is in MPI", "openmp_imbalance": "OpenMP imbalance", "openmp_serialised": "OpenMP serialised",
    "openmp_mpi_inside": "OpenMP for MPI inside", "openmp_scheduling": "OpenMP scheduling",
    "openmp_not_started": "OpenMP not started", "rest": "not started or ended"}
ROUNDED = 0.011  # numbers in a drawing have two digits
HOSTILE = ["<script>alert(1)</script>", "a & b \"c\" 'd' ]]>", "日本語の領域 🚀", "x" * 300, "%s ${HOME} `id` \uffff"]


def plot(*arguments, path=None):
    environment = {"PATH": path if path is not None else os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    return subprocess.run([str(POPRT), "plot", *map(str, arguments)], env=environment, timeout=60,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


class Figure:
    """A drawing and the numbers of which it was made."""

    def __init__(self, folder, kind, *arguments):
        path = folder / "figure.svg"
        drawn = plot(*arguments, "--kind", kind, "-o", path)
        assert drawn.returncode == 0, drawn.stderr.decode()
        self.text = path.read_text()
        path.unlink()
        self.root = ElementTree.fromstring(self.text)
        rows = list(csv.reader(io.StringIO(plot(*arguments, "--kind", kind).stdout.decode())))
        graded = sum(name.endswith("_grade") for name in rows[0])
        self.columns = rows[0][1:len(rows[0]) - graded]
        self.names = [row[0] for row in rows[1:]]
        # Those of the values, in columns behind theirs.
        self.grades = [row[len(self.columns) + 1:] for row in rows[1:]]
        self.values = [[float(text) if text else math.nan for text in row[1:len(self.columns) + 1]]
                       for row in rows[1:]]

    def column(self, name):
        return [row[self.columns.index(name)] for row in self.values]

    def texts(self):
        return [element.text for element in self.root.iter(SVG + "text")]

    def parts(self):
        """The shapes that stand for numbers: what they say, and the shape."""
        for group in self.root.iter(SVG + "g"):
            title = group.find(SVG + "title")
            if title is not None:
                yield title.text, group

    def bars(self):
        for title, group in self.parts():
            yield title, [{name: float(rect.get(name)) for name in ("x", "y", "width", "height")}
                          for rect in group.findall(SVG + "rect")]


def percents(text):
    return [float(number) for number in re.findall(r"([\d.]+) %", text)]


class Drawing(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def figure(self, kind, *arguments):
        figure = Figure(self.folder, kind, *arguments)
        self.assertEqual(SVG + "svg", figure.root.tag)
        self.assertRegex(figure.root.get("width"), r"^[\d.]+mm$")
        self.assertEqual("#ffffff", figure.root.find(SVG + "rect").get("fill"))
        tags = {element.tag.replace(SVG, "") for element in figure.root.iter()}
        self.assertLessEqual(tags, {"svg", "title", "rect", "defs", "pattern", "path", "circle", "g", "line", "text"})
        self.assertNotIn("NaN", figure.text)
        self.assertNotIn("undefined", figure.text)
        self.assertNotIn("href", figure.text)
        return figure

    def assert_on_a_line(self, pairs, tolerance=ROUNDED):
        """Places are a linear function of values."""
        pairs = sorted(pairs)
        (low, first), (high, last) = pairs[0], pairs[-1]
        self.assertLess(low, high)
        for value, place in pairs:
            expected = first + (last - first) * (value - low) / (high - low)
            self.assertAlmostEqual(expected, place, delta=2 * tolerance)

    def test_table(self):
        for runs, model in ((BT, "pop"), (JUKKR, "critical_path")):
            figure = self.figure("table", runs, "--model", model)
            known = [value for row in figure.values if not all(map(math.isnan, row)) for value in row]
            grades = [grade for row, its in zip(figure.values, figure.grades)
                      if not all(map(math.isnan, row)) for grade in its]
            cells = [(title.rsplit(": ", 1)[1], group) for title, group in figure.parts()]
            self.assertEqual(len(known), len(cells))
            for value, grade, (says, group) in zip(known, grades, cells, strict=True):
                shown = group.find(SVG + "text").text
                self.assertEqual(says.split(" ")[0], shown)
                if math.isnan(value):
                    self.assertEqual(("-", ""), (shown, grade))
                    continue
                self.assertAlmostEqual(100 * value, float(shown), delta=0.0501 if value != 1 else 0)
                shown = float(shown)
                mark = "x" if shown < 60 else "!" if shown < 80 else "+" if shown > 100 else None
                self.assertEqual(mark, says.split(" ")[1] if " " in says else None, says)
                self.assertEqual({"x": "poor", "!": "attention", "+": "better", None: "good"}[mark], grade)
            for name in figure.columns:
                self.assertIn(name, figure.texts())
            # What is graded alike looks alike, and nothing else does.
            fills = {}
            for says, group in cells:
                fills.setdefault(says, set()).add(group.find(SVG + "rect").get("fill"))
            self.assertTrue(all(len(each) == 1 for each in fills.values()))
            self.assertGreater(len(set.union(*fills.values())), 8)

    def test_table_of_one_run_has_its_efficiencies(self):
        figure = self.figure("table", HYBRID)
        texts = figure.texts()
        self.assertEqual("Parallel Efficiency", texts[1])
        self.assertNotIn("Global Efficiency", texts)
        self.assertNotIn("speedup / ideal", texts)
        self.assertNotIn("-", texts)

    def test_thresholds(self):
        # Every efficiency of these runs is below 0.99 or is 1.
        strict = self.figure("table", WEAK, "--thresholds", "0.99,0.99")
        marks = {says.rsplit(": ", 1)[1].partition(" ")[2] for says, _ in strict.parts()}
        self.assertEqual({"x", ""}, marks)
        usual = self.figure("table", WEAK)
        self.assertIn("!", {says.rsplit(": ", 1)[1].partition(" ")[2] for says, _ in usual.parts()})
        curves = self.figure("speedup", WEAK, "--thresholds", "0.5,0.7")
        self.assertEqual(2, curves.texts().count("70 %"))
        self.assertNotIn("80 %", curves.texts())
        for ideal, limit in zip(curves.column("ideal"), curves.column("limit")):
            self.assertAlmostEqual(0.7 * ideal, limit)
        self.assert_refused("--thresholds takes two fractions", WEAK, "--kind", "table", "--thresholds", "0.9,0.1")

    def test_breakdown(self):
        for runs in (WEAK, HYBRID, JUKKR):
            figure = self.figure("breakdown", runs)
            expected = [(column, value) for row in figure.values
                        for column, value in zip(figure.columns, row)]
            bars = list(figure.bars())
            self.assertEqual(len(expected), len(bars))
            self.assert_on_a_line([(value, rects[0]["width"]) for (_, value), (_, rects) in zip(expected, bars)]
                                  + [(0, 0)])
            for (column, value), (says, rects) in zip(expected, bars):
                self.assertEqual(PARTS[column], says.rsplit(": ", 1)[0])
                self.assertAlmostEqual(100 * value, percents(says)[0], delta=0.1001)
                self.assertEqual(rects[0], rects[1])  # the colour and its pattern
            self.assertIn("of the core time, %", figure.texts())
            for column in figure.columns:
                is_seen = max(figure.column(column)) >= 0.0005
                self.assertEqual(is_seen, PARTS[column] in figure.texts(), column)

    def test_waterfall(self):
        for arguments in ((HYBRID,), (HYBRID, "--model", "additive"), (JUKKR,), (BT, "--model", "pop")):
            figure = self.figure("waterfall", *arguments)
            steps = [(a, b) for a, b in figure.values if abs(a - b) >= 0.0005]
            bars = [(says, rects[0]) for says, rects in figure.bars()]
            self.assertEqual(len(steps) + 1, len(bars))
            zero, whole = bars[0][1]["x"], bars[0][1]["width"]
            for (a, b), (says, rect) in zip(steps, bars[1:]):
                self.assertAlmostEqual(zero + whole * min(a, b), rect["x"], delta=2 * ROUNDED)
                self.assertAlmostEqual(max(1, whole * abs(a - b)), rect["width"], delta=2 * ROUNDED)
                self.assertAlmostEqual(100 * abs(a - b), percents(says)[0], delta=0.0501)
            self.assertTrue(bars[-1][0].startswith("Parallel Efficiency: "))

    def test_page_has_the_same_steps(self):
        for run in (HYBRID, GOLDEN / "run_file/hybrid.json", JUKKR / "jukkr-16x12.poprt.json", BT / "bt-io-36x1.poprt.json"):
            path = self.folder / "page.html"
            made = subprocess.run([str(POPRT), "report", str(run), "-o", str(path)], timeout=60, stdout=subprocess.PIPE)
            self.assertEqual(0, made.returncode)
            data = json.loads(re.search(r'id="poprt-data">(.*?)</script>', path.read_text(), re.S)[1])
            path.unlink()
            page = json.loads(zlib.decompress(base64.b64decode(data["page"])))
            for model in page["runs"][0]["models"]:
                if not any(model.get("steps", [])):
                    continue
                figure = self.figure("waterfall", run, "--model", model["key"])
                rows = [model["losses"]["rows"][step["row"]] for step in model["steps"][0]]
                self.assertEqual(figure.names[:-1], [row["key"] for row in rows], (run, model["key"]))
                for (a, b), row in zip(figure.values, rows):
                    self.assertAlmostEqual(a - b, row["cells"][0]["value"], delta=1e-9)

    def points(self, figure):
        """Of each curve: what its points say, and where they are."""
        curves = {}
        for says, group in figure.parts():
            place = re.fullmatch(r"translate\(([-\d.]+) ([-\d.]+)\)", group.get("transform"))
            curve, point, value = re.fullmatch(r"(.*), ([^,]*): (.*)", says).groups()
            curves.setdefault(curve, []).append((point, value, float(place[1]), float(place[2])))
        return curves

    def assert_curve(self, figure, points, values, scale):
        known = [i for i, value in enumerate(values) if not math.isnan(value)]
        self.assertEqual([figure.names[i] for i in known], [each[0] for each in points])
        cores = figure.column("cores")
        self.assert_on_a_line([(math.log(cores[i]), each[2]) for i, each in zip(known, points)])
        if max(values) - min(values) > 1e-6:
            self.assert_on_a_line([(scale(values[i]), each[3]) for i, each in zip(known, points)])

    def test_speedup(self):
        for arguments in ((BT, "--model", "pop"), (BT, "--model", "pop", "--width", "180"), (JUKKR,), (WEAK,)):
            figure = self.figure("speedup", *arguments)
            curves = self.points(figure)
            keys = ["speedup", "speedup_efficiency", "global_efficiency", "parallel_efficiency"]
            self.assertEqual(len(keys), len(curves))
            for key, (name, points) in zip(keys, curves.items()):
                values = figure.column(key)
                self.assert_curve(figure, points, values, math.log if key == "speedup" else float)
                for value, (_, says, _, _) in zip(values, points):
                    unit = 1 if key == "speedup" else 100
                    delta = 0.501 if unit == 1 and value >= 10 else 0.0501
                    self.assertAlmostEqual(unit * value, float(says.split(" ")[0]), delta=delta)
                if key != "speedup":
                    self.assertIn(name, figure.texts())
            spreads = sum(a < b for a, b in zip(figure.column("speedup_min"), figure.column("speedup_max")))
            said = sum(" to " in each[1] for each in curves["speedup"])
            self.assertEqual(spreads, said)
            for text in ("cores", "Speedup", "Efficiencies, %", "ideal", "80 %"):
                self.assertIn(text, figure.texts())

    def test_computation(self):
        figure = self.figure("computation", JUKKR)
        (name, points), = self.points(figure).items()
        self.assertEqual("Computation Scaling", name)
        self.assert_curve(figure, points, figure.column("computation_scaling"), float)
        for value, (_, says, _, _) in zip(figure.column("computation_scaling"), points):
            self.assertAlmostEqual(100 * value, float(says), delta=0.0501)

    def test_regions(self):
        figure = self.figure("regions", HYBRID)
        bars = [(says, rects[0]) for says, rects in figure.bars()]
        self.assertEqual(2 * len(figure.names), len(bars))
        expected = sorted(zip(figure.column("lost_core_s"), figure.column("useful_core_s"), figure.names), reverse=True)
        pairs = []
        for i, (lost, useful, name) in enumerate(expected):
            (useful_says, useful_bar), (lost_says, lost_bar) = bars[2 * i:2 * i + 2]
            self.assertTrue(useful_says.startswith(name + ": useful "), useful_says)
            self.assertTrue(lost_says.startswith(name + ": lost "), lost_says)
            self.assertAlmostEqual(useful_bar["x"] + useful_bar["width"], lost_bar["x"], delta=2 * ROUNDED)
            pairs += [(useful, useful_bar["width"]), (lost, lost_bar["width"])]
        self.assert_on_a_line(pairs + [(0, 0)])

    def test_processes(self):
        figure = self.figure("processes", HYBRID)
        bars = list(figure.bars())
        self.assertEqual(len(figure.names), len(bars))
        pairs = []
        for i, (says, rects) in enumerate(bars):
            times = [figure.column(key)[i] for key in ("useful_s", "mpi_s", "openmp_s")]
            self.assertTrue(says.startswith(f"rank {figure.names[i]}: "))
            for time, said, rect in zip(times, percents(says), rects[::2]):
                self.assertAlmostEqual(100 * time / sum(times), said, delta=0.0501)
                pairs.append((time / sum(times), rect["height"]))
        self.assert_on_a_line(pairs + [(0, 0)])

    def test_windows(self):
        run = json.loads(HYBRID.read_text())
        one = run["regions"][0]
        run["windows"] = {"region": "step", "visits": 1, "length_ns": 0, "level": 1, "list": []}
        for index, useful in ((0, 0.5), (1, 1), (32, 0.8)):
            window = json.loads(json.dumps(one)) | {"index": index, "clock_bounds": []}
            for key in ("useful_sum_ns", "useful_max_ns"):
                window["accumulators"][key] = int(useful * window["accumulators"][key])
            run["windows"]["list"].append(window)
        all_ns = one["clocks"]["all_ns"]
        run["windows"]["list"][0]["clock_bounds"] = [
            {"clock": "all_ns", "least_ns": all_ns, "most_ns": 2 * all_ns}]
        path = self.folder / "windows.json"
        path.write_text(json.dumps(run))
        figure = self.figure("windows", path)
        self.assertEqual(["1", "2", "33"], figure.names)
        for name in figure.names:
            self.assertIn(name, figure.texts())
        known = [column for column in figure.columns[1:] if not all(map(math.isnan, figure.column(column)))]
        bars = list(figure.bars())
        self.assertEqual(len(known) * len(figure.names), len(bars))
        places = {}
        for i, (says, (rect,)) in enumerate(bars):
            column, window = known[i // 3], figure.names[i % 3]
            self.assertIn(f", window {window}: ", says)
            self.assertAlmostEqual(100 * figure.column(column)[i % 3], percents(says)[0], delta=0.0501)
            places.setdefault(window, set()).add(rect["x"])
        self.assertTrue(all(len(each) == 1 for each in places.values()), places)
        first = percents(bars[0][0])
        self.assertEqual(3, len(first), bars[0][0])
        self.assertAlmostEqual(first[2], 2 * first[1], delta=0.11)

    def test_names_are_data(self):
        run = json.loads(HYBRID.read_text())
        for region, name in zip(run["regions"][1:], HOSTILE):
            region["name"] = name
        path = self.folder / "hostile.json"
        path.write_text(json.dumps(run))
        figure = self.figure("regions", path)
        said = [says for says, _ in figure.parts()]
        for name in (each.replace("\uffff", "?") for each in HOSTILE):
            self.assertEqual(2, sum(says.startswith(name + ": ") for says in said), name)

    def test_width_and_texts_are_those_of_a_paper(self):
        def points(figure):  # of the size of its texts
            box = [float(number) for number in figure.root.get("viewBox").split()]
            return float(figure.root.get("font-size")) * float(figure.root.get("width")[:-2]) / box[2] / 25.4 * 72

        figure = self.figure("breakdown", WEAK)
        self.assertEqual("88mm", figure.root.get("width"))
        self.assertAlmostEqual(8, points(figure), delta=0.01)
        wide = self.figure("breakdown", WEAK, "--width", "180")
        self.assertEqual("180mm", wide.root.get("width"))
        self.assertAlmostEqual(8, points(wide), delta=0.01)
        # A table that needs more than a column gets it.
        self.assertGreater(float(self.figure("table", JUKKR).root.get("width")[:-2]), 88)

    def test_pdf_and_png(self):
        if shutil.which("rsvg-convert") is None or shutil.which("pdftotext") is None:
            self.skipTest("rsvg-convert (librsvg2-bin) or pdftotext (poppler-utils) is not here")
        pdf, png = self.folder / "figure.pdf", self.folder / "figure.png"
        for path in (pdf, png):
            done = plot(HYBRID, "--kind", "breakdown", "-o", path)
            self.assertEqual((0, b""), (done.returncode, done.stderr))
        self.assertEqual(b"%PDF", pdf.read_bytes()[:4])
        words = subprocess.run(["pdftotext", str(pdf), "-"], stdout=subprocess.PIPE, timeout=60, check=True).stdout.decode()
        for text in self.figure("breakdown", HYBRID).texts():
            self.assertIn(text, words)
        kind, width, height = struct.unpack(">12x4sII", png.read_bytes()[:24])
        self.assertEqual(b"IHDR", kind)
        self.assertAlmostEqual(88 / 25.4 * 300, width, delta=2)
        self.assertGreater(height, 200)

    def assert_refused(self, words, *arguments, path=None, output="figure.svg"):
        done = plot(*arguments, "-o", self.folder / output, path=path)
        said = done.stderr.decode()
        self.assertEqual(2, done.returncode, said)
        self.assertEqual(1, said.count("\n"), said)
        self.assertIn(words, said)
        self.assertFalse((self.folder / output).is_file())

    def test_mistakes(self):
        nowhere = self.folder / "empty"
        nowhere.mkdir()
        self.assert_refused("does not end in .svg, .pdf, .png or .csv", HYBRID, "--kind", "table", output="x.jpg")
        (self.folder / "taken.svg").mkdir()
        self.assert_refused("is a folder", HYBRID, "--kind", "table", output="taken.svg")
        self.assert_refused("cannot be written", HYBRID, "--kind", "table", output="../../dev/null/x.svg")
        self.assert_refused("as many cores", HYBRID, "--kind", "speedup")
        run = json.loads(HYBRID.read_text())
        schema = json.loads(subprocess.run([str(POPRT), "schema"], check=True, stdout=subprocess.PIPE).stdout)
        resources = dict.fromkeys(schema["properties"]["run"]["properties"]["resources"]["properties"], 0)
        run["run"]["resources"] = resources | {"waited_for_core_sum_ns": run["regions"][0]["accumulators"]["useful_sum_ns"]}
        red = self.folder / "red.json"
        red.write_text(json.dumps(run))
        self.assert_refused("the light of that run is red", red, "--kind", "waterfall")
        self.assert_refused("no rows of processes", BT, "--kind", "processes")
        self.assert_refused("no windows", BT, "--kind", "windows")
        self.assert_refused("Debian: librsvg2-bin", HYBRID, "--kind", "table", output="x.pdf", path=nowhere)
        broken = nowhere / "rsvg-convert"
        broken.write_text("#!/bin/sh\nexit 1\n")
        broken.chmod(0o755)
        self.assert_refused("rsvg-convert has failed", HYBRID, "--kind", "table", output="x.png",
                            path=f"{nowhere}:/bin:/usr/bin")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as trial:
        said = plot(HYBRID, "--kind", "table", "-o", f"{trial}/x.svg").stderr.decode()
    if said.endswith(": write .csv.\n"):
        print(said)
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
