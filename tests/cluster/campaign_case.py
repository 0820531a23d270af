"""What the tests of the executors share: a campaign, its bytes as one thread writes them, and ways to harm a run."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

BUILD = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path("build/dev")
HOLDFAST = BUILD / "bin" / "holdfast"
HAS_MPI = any(BUILD.glob("lib/**/libholdfast_mpi.so"))

# 6 points, 3 strategies; with 40 scenarios 720 cells of about 0.1 ms, with 1500 some seconds of one core: far more than the
# time slices in which a run is watched until it is disturbed.
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
SHORT, LONG = 40, 1500
TIME_SLICE = 0.03
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


def signal_all(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def stands(pid):
    """True where a process is stopped, or has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "TtZX"
    except OSError:
        return True


def stop(find):
    """Stops the processes that find() names, those that start meanwhile included. Returns them."""
    stopped = set()
    while True:
        found = set(find()) - stopped
        if not found:
            return stopped
        signal_all(found, signal.SIGSTOP)
        wait_for(lambda: all(stands(pid) for pid in found), what="processes that stop")
        stopped |= found


class EndedTooSoon(AssertionError):
    """A campaign was over before it could be disturbed."""


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
        """What one thread that nobody disturbed exports."""
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

    def runners(self):
        """The processes that run cells of the campaign in self.results."""
        raise NotImplementedError

    def freeze(self, is_over, least=1):
        """Lets the campaign run for one time slice after another until so many cells are stored, and leaves its processes
        stopped: however slow this machine is, they are disturbed at work. Returns the number of cells stored."""
        def look():
            if is_over():
                raise EndedTooSoon(f"the campaign ended before it was seen to have {least} cells")
            frozen = stop(self.runners)
            self.addCleanup(signal_all, frozen, signal.SIGCONT)
            seen = self.cells_done() if frozen else 0
            if seen >= least:
                return seen
            signal_all(frozen, signal.SIGCONT)
            time.sleep(TIME_SLICE)
            return 0
        return wait_for(look, what=f"{least} finished cells")

    def start_and_freeze(self, start, freeze, finish, scenarios=LONG):
        """Starts a campaign and stops it at work. One that is over before this machine, busy with other things, has looked at it is
        finished, and goes on with twice the scenarios. Returns what start(campaign) and freeze(started) returned, and the
        scenarios."""
        for _ in range(5):
            started = start(self.campaign(scenarios))
            try:
                return started, freeze(started), scenarios
            except EndedTooSoon:
                finish(started)
                scenarios *= 2
        raise AssertionError(f"each campaign, up to {scenarios // 2} scenarios, ended before it could be disturbed")

    def thaw(self):
        signal_all(self.runners(), signal.SIGCONT)


def main():
    del sys.argv[1:2]
    unittest.main(verbosity=2)
