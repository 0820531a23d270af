"""What the tests of the executors share: a campaign, its bytes as one thread writes them, and ways to harm a run."""

import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

BUILD = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path("build/dev")
HOLDFAST = BUILD / "bin" / "holdfast"

# 6 points, 3 strategies; with 40 scenarios 720 cells of about 0.1 ms, with 4000 long enough to be killed in.
CAMPAIGN = """\
[campaign]
name = "ages of the platform"
domain = "checkpoint"
seed = 5
scenarios = {scenarios}
strategies = ["young-daly", "next-step", "fixed:1h"]
baseline = "young-daly"

[parameters]
processors = [1000, 5000]
platform_age = ["0d", "10d", "100d"]
failures = {{ distribution = "weibull", shape = 0.7, mtbf = "10y" }}
work = "48h"
checkpoint = "600s"
"""
SHORT, LONG = 40, 3000
CELLS_PER_SCENARIO = 18


def wait_for(condition, seconds=120, what="what was waited for"):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"{what}: not within {seconds} s")


def is_there(program):
    return subprocess.run(["which", program], stdout=subprocess.DEVNULL).returncode == 0


def processes_of(program, *words):
    """Numbers of the processes that run a program with all these words on their command lines."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            command = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
            if command[0] == str(program) and all(any(word in part for part in command) for word in map(str, words)):
                found.append(int(entry.name))
        except OSError:
            pass
    return found


class Tmpfs:
    """A small file system, for a disk that is full; unittest.SkipTest where mounting is not allowed."""

    def __init__(self, kilobytes):
        self._folder = tempfile.TemporaryDirectory(prefix="holdfast-disk-")
        self.path = Path(self._folder.name)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", self.path],
                                 stderr=subprocess.PIPE, text=True)
        if mounted.returncode != 0:
            self._folder.cleanup()
            raise unittest.SkipTest(f"skipped: no small disk can be mounted here: {mounted.stderr.strip()}")

    def grow(self):
        subprocess.run(["mount", "-o", "remount,size=200m", self.path], check=True)

    def remove(self):
        subprocess.run(["umount", "-l", self.path], check=True)
        self._folder.cleanup()


class CampaignCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="holdfast-cluster-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.folder.chmod(0o755)
        self.results = self.folder / "results"

    def campaign(self, scenarios):
        path = self.folder / f"ages-{scenarios}.toml"
        path.write_text(CAMPAIGN.format(scenarios=scenarios))
        return path

    def holdfast(self, *arguments, status=0, **options):
        done = subprocess.run([str(HOLDFAST), *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, timeout=300, **options)
        if status is not None:
            self.assertEqual(done.returncode, status, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def exports(self, results):
        """What a finished directory exports, by a program that knows nothing of how it was run."""
        for form in ("csv", "json"):
            self.holdfast("run", results, "--export", form, "--quiet")
        return (results / "results.csv").read_bytes(), (results / "results.json").read_bytes()

    _references = {}

    def reference(self, scenarios):
        """The same of one thread that nobody disturbed."""
        if scenarios not in self._references:
            with tempfile.TemporaryDirectory(prefix="holdfast-reference-") as folder:
                results = Path(folder) / "results"
                self.holdfast("run", self.campaign(scenarios), "--threads", 1, "--output", results, "--quiet")
                self._references[scenarios] = self.exports(results)
        return self._references[scenarios]

    def assert_same_bytes(self, results, scenarios):
        expected = self.reference(scenarios)
        found = self.exports(results)
        self.assertGreater(len(expected[0]), 100 * scenarios)
        self.assertTrue(found == expected, "the exports differ")

    def status(self, results=None):
        said = self.holdfast("run", "--status", "--json", results or self.results, status=None)
        return json.loads(said.stdout) if said.returncode == 0 else None

    def cells_done(self):
        status = self.status()
        return status["cells_done"] if status else 0

    def wait_for_cells(self, least=1):
        wait_for(lambda: self.cells_done() >= least, what=f"{least} finished cells")


def main():
    del sys.argv[1:2]
    unittest.main(verbosity=2)
