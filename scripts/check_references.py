#!/usr/bin/env python3
"""Finds references in comments and documents that lead nowhere.

usage: check_references.py [ROOT]

Checked are: rules (R1) against the headings of docs/edges.md; links and anchors in
Markdown; names of files and folders; functions; numbered sections of documents;
variables and CMake options POPRT_*; options of poprt in command lines that documents
show, and the tests that they choose; in documents also each `name` in backticks, which
has to be in the code.
"""
import pathlib
import re
import sys

FOLDERS = ["include", "src", "wrappers", "ompt", "devices", "locations", "examples", "scripts", "cmake",
           "tests", "bench", "packaging", "docs", "web"]
# Folders that paths in comments may be relative to.
BASES = ["", "src", "tests", "tests/layer"]
C_LIKE = {".h", ".cc", ".c", ".ts", ".mjs"}
HASH_LIKE = {".py", ".cmake", ".txt", ".sh", ".map"}
# Files of other projects that comments mention.
FOREIGN = {"elf.h", "kmp.h", "mpi.h", "mpif.h", "omp.h", "omp-tools.h", "solve.py",
           "talp_metrics.h"}
# Functions of other projects that comments mention and the code does not call.
FOREIGN_FUNCTIONS = {"dwarf_getscopes", "execvp", "omp_get_num_procs", "omp_pause_resource",
                     "wcwidth"}
# What begins like this is of MPI, OpenMP, their libraries, or tools; fp_single is a sum that docs/counters.md explains.
FOREIGN_NAMES = re.compile(
    r"P?MPIX?_|mpi_assert_|poprt_MPI_|(?:__)?(?:omp|ompt|kmpc?|OMP|KMP|GOMP)_|(?:OMPI|MPICH|UCX|FI|SLURM|PAPI|papi)_|"
    r"FP_|fp_(?:packed_)?single$|__isoc|__\w+_chk$|aio_|copy_file_range$|snake_case$")

RULE = re.compile(r"\bR\d+[a-z]?\b")
RULE_HEADING = re.compile(r"^#+ (R\d+[a-z]?):", re.M)
HEADING = re.compile(r"^(#+) +(.*)$", re.M)
LINK = re.compile(r"\]\(([^)\s]+)\)")
# Without a folder, other files may be the user's: solver.c, job.sh.
PATH = re.compile(r"(?<![\w/.<*{}$~-])((?:[\w.*-]+/)*[\w*-]+\.(?:h|cc|md|py|cmake|ts|mjs)|"
                  r"(?:[\w*-][\w.*-]*/)+[\w*-]+\.(?:c|f90|in|json|map|sh|spec|txt))\b(?!/)")
LOCAL = re.compile(r"(?<![\w/.<*{$~-])((?:" + "|".join(FOLDERS) + r")/[\w/*-]*\w)(?![\w/.*-])")
FUNCTION = re.compile(r"(?<![\w.>:])([a-zA-Z_]\w+)\(\)")
SECTION = re.compile(r"\b([\w-]+\.md)(?:,\s+|\s+)(?:sections?\s+)?(\d+(?:\.\d+)?)\b")
VARIABLE = re.compile(r"\b(_?POPRT_[A-Z0-9_]*[A-Z0-9])\b(?!\*)")
DEFINED = re.compile(r"-D(POPRT_\w+)")
CHOSEN = re.compile(r"(?:ctest|scripts/test)\b[^`\n#]*? -[RL] ([^\s`]+)")
# A name, or several that belong together: `Thread::catch_up()`, `e2e.faults`.
NAME = re.compile(r"`([A-Za-z_]\w*(?:(?:::|\.)[A-Za-z_]\w*)*)(?:\(\))?`")
# Not a word of plain English: `seconds` may be anything.
IS_OF_CODE = re.compile(r"_|[a-z][A-Z]|::|\(\)|\.")
# A name of other libraries, or a file of the user.
IS_OF_OTHERS = re.compile(r"std::|[a-z]+\.(?:c|f90|in|json|sh|txt)$")
TEMPLATE = re.compile(r"(\w+_)\$\{\w+\}(\w*)")
OPTION = re.compile(r"--[a-z][a-z-]+")
FENCE = re.compile(r"^```.*?^```", re.M | re.S)


def is_golden(path):
    return not {"golden", "__pycache__", "node_modules"}.isdisjoint(path.parts)


def sources(root):
    """Files with comments: their path and how a comment begins."""
    for folder in FOLDERS + [""]:
        place = root / folder
        for path in sorted(place.rglob("*") if folder else place.iterdir()):
            if not path.is_file() or is_golden(path.relative_to(root)) or path.suffix == ".md":
                continue
            if path.suffix in C_LIKE or path.name.endswith(".cc.in"):
                yield path, "//"
            elif path.suffix in HASH_LIKE:
                yield path, "#"
            elif not path.suffix and path.read_bytes()[:2] == b"#!":
                yield path, "#"


def split_comments(text, mark):
    """Two texts with the same line numbers as the original: its comments, and all the
    rest."""
    comments, code, quoted = [], [], None
    value = None  # the quotes of a text of several lines that is no comment
    for line in text.splitlines():
        if value:
            comments.append("")
            code.append(line)
            if value in line:
                value = None
            continue
        if mark == "#" and not quoted and re.match(r'^\s*(r?"""|\'\'\')', line):
            quoted = '"""' if '"""' in line else "'''"
            comments.append(line.replace(quoted, ""))
            code.append("")
            if line.count(quoted) > 1:
                quoted = None
            continue
        if quoted:
            comments.append(line.replace(quoted, ""))
            code.append("")
            if quoted in line:
                quoted = None
            continue
        if mark == "#":
            value = next((each for each in ('"""', "'''") if line.count(each) % 2), None)
        found = re.match(rf'((?:[^"\\]|"(?:[^"\\]|\\.)*"|\\.)*?)(?:^|\s){mark}(?![{{!])(.*)$', line)
        comments.append(found[2] if found else "")
        code.append(found[1] if found else line)
    return "\n".join(comments), "\n".join(code)


def slugs(text):
    """The anchors that headings of Markdown have."""
    result = set()
    for _, title in HEADING.findall(FENCE.sub("", text)):
        words = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        result.add(words)
    return result


class Checker:
    def __init__(self, root):
        self.root = root
        edges = root / "docs" / "edges.md"
        self.rules = set(RULE_HEADING.findall(edges.read_text())) if edges.exists() else set()
        self.documents = [p for p in sorted([*root.glob("*.md"), *(root / "docs").glob("*.md")])]
        self.files = {p.name for f in FOLDERS for p in (root / f).rglob("*") if p.is_file()}
        self.files |= {p.name for p in root.iterdir() if p.is_file()}
        # Files that the build generates may be mentioned, too.
        self.files |= {p.name[:-3] for f in FOLDERS for p in (root / f).rglob("*.in")}
        self.parts = []  # name of the file, comments or document
        self.variables, self.options, self.functions = set(), set(), set(FOREIGN_FUNCTIONS)
        self.words = {pathlib.Path(name).stem for name in self.files}  # `x_test`, a program
        self.defined, self.made = set(), []
        for path, mark in sources(root):
            comments, code = split_comments(path.read_text(errors="replace"), mark)
            self.parts.append((path, comments))
            self.variables |= set(VARIABLE.findall(code))
            self.functions |= set(re.findall(r"\w+", code))
            if path.name != "references_test.py":
                self.words |= set(re.findall(r"\w+", code))
            if path.suffix == ".cmake" or path.name == "CMakeLists.txt":
                self.defined |= set(re.findall(r"\bPOPRT_\w+", code))
                self.made += [re.compile(head + r"\w+" + tail) for head, tail in TEMPLATE.findall(code)]
            elif mark == "//":
                self.defined |= set(re.findall(r"^#if.*\b(POPRT_\w+)", code, re.M))
            if "command" in path.parts or "launch" in path.parts:
                self.options |= set(OPTION.findall(code))
        # poprt run has an option for each variable of the library.
        self.options |= {"--" + v.removeprefix("POPRT_").lower() for v in self.variables}

    def exists(self, name, near):
        """Whether a comment in `near` can mean this file."""
        if "/" not in name:
            pattern = re.compile(re.escape(name).replace(r"\*", ".*"))
            return any(pattern.fullmatch(known) for known in self.files)
        for base in [*(self.root / b for b in BASES), near.parent]:
            if any(base.glob(name)) if "*" in name else (base / name).exists():
                return True
        # A system header, or a file of the user.
        return not any((self.root / b / name.split("/")[0]).is_dir() for b in BASES)

    def common(self, path, text):
        for match in RULE.finditer(text):
            if match[0] not in self.rules:
                yield match, f"no rule {match[0]} in docs/edges.md"
        for match in PATH.finditer(text):
            if match[1] not in FOREIGN and not self.exists(match[1], path):
                yield match, f"no file {match[1]}"
        for match in LOCAL.finditer(text):
            if not any(any(self.root.glob(match[1] + end)) for end in ("", ".*")):
                yield match, f"no file {match[1]}"
        for match in FUNCTION.finditer(text):
            if match[1] not in self.functions:
                yield match, f"no function {match[1]}()"
        for match in SECTION.finditer(text):
            document = self.root / "docs" / match[1]
            numbered = document.exists() and re.search(
                rf"^#+ {re.escape(match[2])}\b", document.read_text(), re.M)
            if not numbered:
                yield match, f"{match[1]} has no section {match[2]}"
        for match in VARIABLE.finditer(text):
            if match[1] not in self.variables:
                yield match, f"no variable {match[1]}"

    def is_in_code(self, name):
        """Also as a part of a name, as `_sum` is, and with an index, as `useful_p` has."""
        if name in self.words or FOREIGN_NAMES.match(name):
            return True
        if name.startswith("_"):
            return any(name in word for word in self.words)
        if re.search(r"_[a-z]$", name):
            return name[:-2] in self.words
        # In a document of MPI's functions, their names are without MPI_.
        return "MPI_" + name in self.words or any(made.fullmatch(name) for made in self.made)

    def document_names(self, text):
        for match in NAME.finditer(text):
            name = match[0].strip("`")
            if IS_OF_CODE.search(name) and not IS_OF_OTHERS.match(name) and match[1] not in self.files:
                for part in re.split(r"::|\.", match[1]):
                    if not self.is_in_code(part):
                        yield match, f"no {part} in the code"
        for match in DEFINED.finditer(text):
            if match[1] not in self.defined and not any(made.fullmatch(match[1]) for made in self.made):
                yield match, f"no CMake option {match[1]}"
        for match in CHOSEN.finditer(text):
            for word in re.findall(r"\w+", match[1]):
                if word not in self.words:
                    yield match, f"no test or label {word}"

    def document(self, path, text):
        for match in LINK.finditer(FENCE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)):
            target, _, anchor = match[1].partition("#")
            if "://" in target:
                continue
            file = path.parent / target if target else path
            if not file.exists():
                yield match, f"no file {target}"
            elif anchor and anchor not in slugs(file.read_text()):
                yield match, f"{target or path.name} has no heading #{anchor}"
        for match in re.finditer(r"(?:^|`)poprt ([^`\n|#]*)", text, re.M):
            words = match[1].split()
            for word in words[1:]:
                # The words after this are another program's.
                if word == "--" or (words[0] == "run" and not word.startswith(("-", "["))):
                    break
                for option in OPTION.findall(word):
                    if option not in self.options | {"--help", "--version"}:
                        yield match, f"poprt has no option {option}"

    def complaints(self):
        for path, text in self.parts:
            for match, what in self.common(path, text):
                yield path, text, match, what
        for path in self.documents:
            text = path.read_text()
            for found in (self.common(path, text), self.document(path, text), self.document_names(text)):
                for match, what in found:
                    yield path, text, match, what

    def __iter__(self):
        for path, text, match, what in self.complaints():
            line = text.count("\n", 0, match.start()) + 1
            yield f"{path.relative_to(self.root)}:{line}: {what}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    found = list(Checker(root))
    print("\n".join(found) if found else "references: all lead somewhere")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
