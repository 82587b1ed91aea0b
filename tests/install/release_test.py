#!/usr/bin/env python3
"""scripts/release makes archives of what is committed, and refuses what does not belong together."""

import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "release"
# As little as can be packed.
CMAKE = """cmake_minimum_required(VERSION 3.22)
project(poprt VERSION 1.2.3 LANGUAGES NONE)
if(NOT EXISTS ${PROJECT_SOURCE_DIR}/web/page.html)
  add_custom_command(OUTPUT web/dist/page.html
    COMMAND ${CMAKE_COMMAND} -E touch web/dist/page.html COMMAND ${CMAKE_COMMAND} -E touch web/dist/paper.js)
  add_custom_target(page ALL DEPENDS web/dist/page.html)
endif()
message(STATUS "poprt:${MISSING}")
install(FILES README.md DESTINATION share)
set(CPACK_PACKAGE_CONTACT nobody)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_SYSTEM_NAME linux-x)
include(CPack)
"""
TREE = {
    "CMakeLists.txt": CMAKE,
    "README.md": "== poprt 1.2.3 == hybrid ==\npoprt-1.2.3-linux-x86_64.tar.gz\n",
    "docs/install.md": "`poprt_1.2.3_amd64.deb`\n",
    "CHANGELOG.md": "# Changelog\n\n## [1.2.3] - 2026-01-31\n\n## [1.2.2] - 2026-01-01\n",
    "packaging/poprt.spec": "Name: poprt\nVersion: 1.2.3\n",
    "packaging/package.py": '    version("1.2.3", tag="v1.2.3")\n    version("main", branch="main")\n',
}


@unittest.skipUnless(all(map(shutil.which, ("git", "cmake", "ninja", "cpack", "dpkg-deb"))), "no git, CMake, Ninja or dpkg")
class Release(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="poprt-release-")
        self.addCleanup(temporary.cleanup)
        self.root = pathlib.Path(temporary.name) / "checkout"
        self.folder = pathlib.Path(temporary.name) / "made"
        self.git("init", "-q", self.root)
        self.commit(**TREE)

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e", "-c", "commit.gpgsign=false", *words], check=True)

    def commit(self, **texts):
        for name, text in texts.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        script = self.root / "scripts" / "release"
        script.parent.mkdir(exist_ok=True)
        shutil.copy(SCRIPT, script)
        self.git("-C", self.root, "add", "-A")
        self.git("-C", self.root, "commit", "-q", "-m", "all")

    def release(self):
        return subprocess.run([self.root / "scripts" / "release", self.folder], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=200, check=False)

    def assert_refused(self, words):
        done = self.release()
        self.assertEqual(1, done.returncode, done.stderr)
        self.assertRegex(done.stderr, rf"\Arelease: [^\n]*{re.escape(words)}[^\n]*\n\Z")
        self.assertFalse(self.folder.exists())

    def test_archives_of_the_commit(self):
        done = self.release()
        self.assertEqual(0, done.returncode, done.stderr)
        names = sorted(path.name for path in self.folder.iterdir())
        package, = (name for name in names if name.endswith(".deb"))
        self.assertEqual(sorted(["SHA256SUMS", "poprt-1.2.3-linux-x.tar.gz", "poprt-1.2.3.tar.gz", package]), names)
        with tarfile.open(self.folder / "poprt-1.2.3.tar.gz") as archive:
            self.assertEqual({"poprt-1.2.3/" + name for name in [*TREE, "scripts/release", "web/page.html", "web/paper.js"]},
                             {member.name for member in archive if member.isfile()})
        subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        self.assertEqual(3, len((self.folder / "SHA256SUMS").read_text().splitlines()))

    def test_what_is_not_committed_is_refused(self):
        (self.root / "README.md").write_text(TREE["README.md"] + "more\n")
        self.assert_refused("the checkout differs from its commit:  M README.md")
        self.git("-C", self.root, "checkout", "-q", "README.md")
        (self.root / "new.txt").touch()
        self.assert_refused("the checkout differs from its commit: ?? new.txt")

    def test_versions_that_differ_are_refused(self):
        for name in TREE:
            if name == "CMakeLists.txt":
                continue
            with self.subTest(name=name):
                self.commit(**{**TREE, name: TREE[name].replace("1.2.3", "1.2.4")})
                self.assert_refused(f"CMakeLists.txt has version 1.2.3, {name} 1.2.4")
                self.commit(**{**TREE, name: "\n"})
                self.assert_refused(f"CMakeLists.txt has version 1.2.3, {name} none")

    def test_a_document_of_two_versions_is_refused(self):
        self.commit(**{**TREE, "README.md": TREE["README.md"].replace("poprt-1.2.3", "poprt-1.2.4")})
        self.assert_refused("CMakeLists.txt has version 1.2.3, README.md 1.2.3 1.2.4")

    def test_a_version_without_a_date_is_refused(self):
        for heading in ("## [1.2.3]", "## [1.2.3] - soon"):
            self.commit(**{**TREE, "CHANGELOG.md": f"# Changelog\n\n{heading}\n"})
            self.assert_refused(f"CHANGELOG.md has no date for 1.2.3: {heading}")
        self.commit(**{**TREE, "CHANGELOG.md": "## [Unreleased]\n" + TREE["CHANGELOG.md"]})
        self.assert_refused("CMakeLists.txt has version 1.2.3, CHANGELOG.md Unreleased")

    def test_a_build_that_lacks_something_is_refused(self):
        self.commit(**{**TREE, "CMakeLists.txt": CMAKE.replace("${MISSING}", "\\n  off  MPICH: libmpich-dev")})
        self.assert_refused("this would lack MPICH: libmpich-dev")

    def test_nothing_is_overwritten(self):
        self.folder.mkdir()
        (self.folder / "mine").touch()
        done = self.release()
        self.assertEqual((1, f"release: {self.folder} is there already\n"), (done.returncode, done.stderr))
        self.assertTrue((self.folder / "mine").exists())


if __name__ == "__main__":
    unittest.main()
