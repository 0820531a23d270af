#!/usr/bin/env python3
"""A newcomer's first hour, in a minimal Debian: a clone, `./run`, `./test quick`. Takes about an hour of processor time."""

import re
import subprocess
import unittest
from pathlib import Path

import minimal_root

ROOT = Path(__file__).resolve().parents[2]


@unittest.skipIf(minimal_root.missing(), f"skipped: {minimal_root.missing()}")
class Clone(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = minimal_root.MinimalRoot()
        cls.addClassCleanup(cls.root.close)
        cls.root.run("apt-get", "-q", "update")
        # git brings the clone, as a newcomer has it; what ./run installs is counted from there.
        cls.root.run("apt-get", "-q", "-y", "install", "--no-install-recommends", "git")
        clone = cls.root.folder / "root/holdfast"
        subprocess.run(["git", "clone", "-q", "--no-hardlinks", ROOT, clone], check=True)
        subprocess.run(["chown", "-R", "0:0", clone], check=True)

    def group(self, *names):
        """The packages that a group would bring, dependencies included, as apt says it."""
        rows = [line.split() for line in self.root.run("./setup", "--list", cwd="/root/holdfast").stdout.splitlines()]
        wanted = [row[0] for row in rows if set(row[1].split(",")) & set(names)]
        said = self.root.run("apt-get", "-s", "--no-install-recommends", "install", *wanted).stdout
        return set(re.findall(r"^Inst (\S+)", said, re.M))

    def test_1_run_installs_the_group_run_alone_and_answers(self):
        allowed, before = self.group("run"), self.root.packages()
        done = self.root.run("./run", cwd="/root/holdfast", timeout=7200)
        added = self.root.packages() - before
        self.assertTrue(added)
        self.assertLessEqual(added, allowed)
        self.assertIn("report in", done.stdout)
        self.assertRegex(done.stdout, r"next-step ends [\d.]+( to [\d.]+)? % sooner than young-daly")
        self.assertTrue((self.root.folder / "root/holdfast/first-look-results/report.html").is_file())
        print(f"clone: ./run installed {len(added)} packages", flush=True)

    def test_2_an_installation_builds_no_tests(self):
        self.root.run("sh", "-c", "cmake --build build/release && cmake --install build/release --prefix /opt/holdfast",
                      cwd="/root/holdfast", timeout=7200)
        self.assertFalse(list((self.root.folder / "root/holdfast/build").rglob("*_test")))
        self.assertRegex(self.root.run("/opt/holdfast/bin/holdfast", "verify").stdout, r"\d+ passed, 0 failed")

    def test_3_test_quick_passes(self):
        allowed, before = self.group("run", "test", "check"), self.root.packages()
        done = self.root.run("./test", "quick", cwd="/root/holdfast", timeout=14400)
        self.assertRegex(done.stdout.strip().splitlines()[-1], r"^\d+ passed, 0 failed")
        self.assertLessEqual(self.root.packages() - before, allowed)


if __name__ == "__main__":
    if minimal_root.missing():
        print(f"clone: skipped: {minimal_root.missing()}", flush=True)
    unittest.main()
