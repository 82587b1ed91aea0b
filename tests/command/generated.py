#!/usr/bin/env python3
"""Compares completions and man pages, as the shells and groff read them, with --help. A
shell that is not installed is skipped with a note.

usage: generated.py POPRT [unittest arguments]
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

POPRT = ""
# (what is typed, what is offered, what must not be offered)
CASES = [
    ("poprt re", {"report"}, {"run"}),
    ("poprt report --vi", {"--view"}, {"--model"}),
    ("poprt report --view ", {"efficiency", "loss"}, {"text"}),
    ("poprt report --model m", {"multiplicative"}, {"pop"}),
    ("poprt completion ", {"bash", "zsh", "fish"}, {"report"}),
    ("poprt help sch", {"schema"}, {"report"}),
    ("poprt explain mpi_tr", {"mpi_transfer_efficiency"}, {"load_balance"}),
    ("poprt run --om", {"--omp"}, {"--output"}),
]


def output(*command, **rest):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60,
                          check=True, stdin=subprocess.DEVNULL, **rest).stdout.decode()


def commands():
    """The subcommands that poprt --help lists."""
    listed = output(POPRT, "--help").split("Measure:\n")[1].split("Examples:\n")[0]
    return re.findall(r"^  (\w+)", listed, re.MULTILINE)


def entries(command):
    """What a command's --help lists: (names and values, description)."""
    listed = output(POPRT, command, "--help").split("\n\n", 1)[1].split("Examples:\n")[0]
    for entry in re.findall(r"^  \S.*\n(?:   .*\n)*", listed, re.MULTILINE):
        # A long head goes on in the next line.
        joined = re.sub(r"\n {6}(?=\S)", " ", entry)
        head, description = re.split(r"\s{2,}", joined.strip(), maxsplit=1)
        yield head, " ".join(description.split())


def examples(command):
    return output(POPRT, command, "--help").split("Examples:\n")[1]


def options(command):
    """The long options that a command's --help lists."""
    return {name for head, _ in entries(command) for name in re.findall(r"--[\w-]+", head)}


def choices(command):
    """Those of them that take one of some words, and these."""
    for head, _ in entries(command):
        found = re.search(r"(--[\w-]+) (?:TEXT:)?\{([^}]*)\}", head)
        if found:
            yield found[1], re.split(", ?", found[2])


class Shell(unittest.TestCase):
    shell = ""

    def setUp(self):
        if shutil.which(self.shell) is None:
            self.skipTest(f"no {self.shell} here")
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name
        self.script = os.path.join(self.folder, "_poprt")
        pathlib.Path(self.script).write_text(output(POPRT, "completion", self.shell))
        self.environment = dict(os.environ, HOME=self.folder, LC_ALL="C.UTF-8", TERM="dumb",
                                PATH=f"{os.path.dirname(os.path.abspath(POPRT))}:/usr/bin:/bin")

    def offered_to_each(self, lines):
        """A shell mostly waits."""
        with concurrent.futures.ThreadPoolExecutor(len(lines)) as pool:
            return list(zip(lines, pool.map(self.offered, lines)))

    def test_offers_what_fits(self):
        all_offered = self.offered_to_each([typed for typed, _, _ in CASES])
        for (typed, offered), (_, expected, others) in zip(all_offered, CASES):
            with self.subTest(typed=typed):
                self.assertLessEqual(expected, offered)
                self.assertFalse(others & offered, offered)

    def test_offers_all_commands(self):
        self.assertLessEqual(set(commands()), self.offered("poprt "))

    def test_offers_all_options(self):
        for typed, offered in self.offered_to_each([f"poprt {each} --" for each in commands()]):
            with self.subTest(typed=typed):
                self.assertLessEqual(options(typed.split()[1]), offered)


class Bash(Shell):
    shell = "bash"

    def offered(self, typed):
        words = typed.split(" ")
        quoted = " ".join(f"'{word}'" for word in words)
        return set(output("bash", "--norc", "-c",
                          f"source {self.script}; COMP_WORDS=({quoted}); "
                          f"COMP_CWORD={len(words) - 1}; _poprt; "
                          'printf "%s\\n" "${COMPREPLY[@]}"', env=self.environment,
                          cwd=self.folder).split())

    def test_lists_and_equals_signs(self):
        self.assertEqual({"text,json"}, self.offered("poprt run --report text,j"))
        # bash splits it into three words.
        self.assertEqual({"loss"}, self.offered("poprt report --view = l"))
        self.assertEqual({"efficiency", "loss"}, self.offered("poprt report --view ="))

    def test_offers_the_words_that_an_option_takes(self):
        for command in commands():
            for option, words in choices(command):
                with self.subTest(command=command, option=option):
                    self.assertEqual(set(words), self.offered(f"poprt {command} {option} "))

    def test_it_is_registered(self):
        self.assertIn("-F _poprt poprt", output("bash", "--norc", "-c",
                                                f"source {self.script}; complete -p poprt"))


class Fish(Shell):
    shell = "fish"

    def offered(self, typed):
        text = output("fish", "--no-config", "-c",
                      f"source {self.script}; complete -C '{typed}'", env=self.environment,
                      cwd=self.folder)
        return {line.split("\t")[0] for line in text.splitlines()}


class Zsh(Shell):
    shell = "zsh"

    def offered(self, typed):
        """What zsh's completion functions would add, without a terminal: compadd prints
        it."""
        folder = tempfile.mkdtemp(dir=self.folder)
        program = f"""
          fpath=({self.folder} $fpath); autoload -Uz compinit; compinit -u -D
          compadd() {{
            local -a found; builtin compadd -O found "$@" 2> /dev/null; print -rl -- $found >> {folder}/offered
            builtin compadd "$@"
          }}
          show() {{ : > {folder}/offered; zle complete-word; print -r end >> {folder}/offered; exit }}
          zle -N show; bindkey -e '^X' show; unsetopt zle_bracketed_paste list_ambiguous; print started
        """
        script = f"""
          zmodload zsh/zpty
          zpty shell zsh -f -i
          zpty -w shell "source {folder}/program"
          zpty -r shell line '*started*'
          zpty -n -w shell {shell_word(typed)}$'\\C-x'
          while zpty -r shell line; do :; done
        """
        pathlib.Path(folder, "program").write_text(program)
        output("zsh", "-f", "-c", script, env=self.environment, cwd=self.folder)
        lines = pathlib.Path(folder, "offered").read_text().splitlines()
        self.assertEqual("end", lines.pop())
        # An option that takes a value ends in '='.
        return {line.rstrip("=") for line in lines}


def shell_word(text):
    return "'" + text.replace("'", "'\\''") + "'"


class ManPages(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.assertEqual("", output(POPRT, "man", str(self.folder)))

    def test_there_is_one_for_each_command_and_the_environment(self):
        self.assertEqual(
            {"poprt.1", "poprt-env.7"} | {f"poprt-{command}.1" for command in commands()},
            {path.name for path in self.folder.iterdir()})

    def shown(self, page):
        """A page in one line: the formatter breaks lines and hyphenates."""
        text = output("groff", "-man", "-ww", "-Tutf8", "-P-cbou", "-rLL=2000n",
                      str(self.folder / page))
        self.assertNotIn("warning", text)
        return " ".join(text.replace("’", "'").split())

    def test_they_are_good_roff_and_say_what_help_says(self):
        if shutil.which("groff") is None:
            self.skipTest("no groff here")
        variables = self.shown("poprt-env.7")
        for command in commands():
            shown = self.shown(f"poprt-{command}.1")
            for head, description in entries(command):
                for part in (*re.findall(r"--[\w-]+", head), description):
                    self.assertIn(part, shown)
                meaning, _, variable = description.rstrip(".").partition(" Sets ")
                if variable:
                    self.assertIn(f"{variable} {meaning}", variables)
            for _, words in choices(command):
                self.assertIn(f"One of: {', '.join(words)}.", shown)
            for example in re.findall(r"^   +.*", examples(command), re.MULTILINE):
                self.assertIn(example.strip(), shown)
        overview = self.shown("poprt.1")
        for command in commands():
            self.assertIn(f"poprt-{command}(1)", overview)

    def test_a_folder_that_is_not_there_is_said(self):
        done = subprocess.run([POPRT, "man", "/no/such"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=60, check=False)
        self.assertEqual((2, b""), (done.returncode, done.stdout))
        self.assertIn(b"/no/such/poprt.1", done.stderr)


if __name__ == "__main__":
    POPRT = sys.argv.pop(1)
    del Shell  # the base class has no tests of its own
    unittest.main(verbosity=2)
