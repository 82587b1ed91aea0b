#!/usr/bin/env python3
"""Runs the commands of the transcripts in tests/golden/command, and compares the
output.

A transcript is what a terminal shows: lines "$ command", each with its output
(stdout and stderr) and, where it is not 0, "[exit N]".

usage: transcripts.py POPRT FOLDER [--update] [--no-page] [--only=NAME]
  POPRT    the program
  FOLDER   with the transcripts (*.console); commands run there, and $OUT is a
           folder for what each transcript writes
  --update writes what came out
  --no-page  this poprt was built without the HTML report
  --only=NAME  of this transcript
"""
import difflib
import os
import pathlib
import subprocess
import sys
import tempfile


def run(command, environment, folder):
    done = subprocess.run(["sh", "-c", command], env=environment, cwd=folder, timeout=60,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    text = done.stdout.decode()
    if text and not text.endswith("\n"):
        text += "\n"
    return text + (f"[exit {done.returncode}]\n" if done.returncode else "")


def replay(transcript, environment, folder):
    commands = [line for line in transcript.splitlines() if line.startswith("$ ")]
    with tempfile.TemporaryDirectory() as out:
        environment = {**environment, "OUT": out}
        return "".join(f"{line}\n{run(line[2:], environment, folder)}" for line in commands)


def main():
    program, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    environment = {"PATH": f"{program.resolve().parent}:/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
        if name in os.environ:
            environment[name] = os.environ[name]
    other = "page" if "--no-page" in sys.argv else "no-page"
    only = [word[len("--only="):] for word in sys.argv if word.startswith("--only=")]
    paths = sorted(path for path in folder.glob("*.console")
                   if (path.stem in only if only else path.stem != other))
    failed = not paths
    for path in paths:
        expected = path.read_text()
        actual = replay(expected, environment, folder)
        if expected == actual:
            continue
        if "--update" in sys.argv:
            path.write_text(actual)
            continue
        failed = True
        sys.stdout.writelines(difflib.unified_diff(
            expected.splitlines(True), actual.splitlines(True), str(path), "now"))
    print(f"{len(paths)} transcripts")
    sys.exit(failed)


main()
