#!/usr/bin/env python3
"""Campaigns that are killed, whose calls to the system fail, and whose disks fill up: nothing that was finished is lost, the
program says what is wrong with an exit code of its own, and the end has the bytes of a run that nobody disturbed.

    tests/attack/attack_test.py BUILD_FOLDER [--full] [unittest's own options]

A few of each kind by default, some seconds; --full: 300 killed campaigns, 40 under MPI, 48 tasks under Slurm, 3000 failing
calls and 80 full disks, about half an hour on two cores. HOLDFAST_ATTACK_SEED draws other moments."""

import errno
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

FULL = "--full" in sys.argv
if FULL:
    sys.argv.remove("--full")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cluster"))

from campaign_case import BUILD, CELLS_PER_SCENARIO, HAS_MPI, HOLDFAST, SHORT, CampaignCase, Tmpfs, main, processes_of, wait_for  # noqa: E402

SHIM = BUILD / "bin" / "libfailing_calls.so"
SEED = int(os.environ.get("HOLDFAST_ATTACK_SEED", "1"))
# Each local run takes at most a fraction of a second; those of an engine spend most of theirs on starting.
KILLS, KILLS_MPI, KILLS_SLURM, FAILING_CALLS, FULL_DISKS = (300, 40, 48, 3000, 80) if FULL else (8, 0, 0, 40, 4)
KILLS_PER_DIRECTORY = 6
LIMIT = 10  # seconds of processor time that nothing here may take: the clock runs on where a machine does other work
KNOWN_EXITS = (0, 3, 4)


def processor_time():
    """The processor time of the processes that have been waited for, in seconds. One that hangs without any is ended by its time limit."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Attack(CampaignCase):
    def setUp(self):
        super().setUp()
        self.random = random.Random(f"{SEED} {self.id()}")

    def run_to_the_end(self, results, campaign, scenarios):
        self.holdfast("run", campaign, "--output", results, "--quiet", "--export", "csv")
        self.assertTrue((results / "results.csv").read_bytes() == self.reference(scenarios)[0], "the exports differ")
        self.assert_tidy(results)

    def assert_tidy(self, results):
        """What killed and failed runs left beside the results is gone."""
        known = {"campaign.toml", "results.sqlite", "results.kept", "results.lock", "results.csv", "results.json", "report.html", "merge.log"}
        self.assertEqual({path.name for path in results.iterdir()} - known, set())

    def done_in(self, results):
        status = self.status(results) if results.exists() else None
        return status["cells_done"] if status else 0


class Killed(Attack):
    def kill_again_and_again(self, total, scenarios, start, kill):
        """Starts campaigns and kills each some times, at moments drawn up to a little more than it takes."""
        campaign = self.campaign(scenarios)
        begin = time.monotonic()
        self.reference(scenarios)
        longest = min(2.0, 0.7 * (time.monotonic() - begin))
        killed = directories = 0
        while killed < total:
            results = self.folder / f"results-{directories}"
            directories += 1
            seen = 0
            for _ in range(KILLS_PER_DIRECTORY):
                process = start(campaign, results)
                time.sleep(self.random.uniform(0, longest))
                killed += kill(process)
                now = self.done_in(results)
                self.assertGreaterEqual(now, seen, "finished cells were lost")
                seen = now
            self.run_to_the_end(results, campaign, scenarios)
            shutil.rmtree(results)
        print(f"killed {killed} times in {directories} directories: nothing lost, the same bytes", file=sys.stderr)

    def test_local_campaigns(self):
        def start(campaign, results):
            return subprocess.Popen([HOLDFAST, "run", campaign, "--output", results, "--quiet", "--export", "csv"],
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def kill(process):
            process.kill()
            status = process.wait()
            self.assertIn(status, (0, -signal.SIGKILL))
            return status != 0
        self.kill_again_and_again(KILLS, 2 * SHORT, start, kill)

    @unittest.skipUnless(KILLS_MPI, "skipped: only with --full; tests/cluster kills ranks by default")
    def test_under_mpi(self):
        if shutil.which("mpirun") is None or not HAS_MPI:
            self.skipTest("skipped: no mpirun, or built without MPI")
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")

        def start(campaign, results):
            process = subprocess.Popen(["mpirun", "--oversubscribe", "--bind-to", "none", "-n", "2", HOLDFAST, "run", campaign,
                                        "--executor", "mpi", "--output", results, "--quiet"], env=environment,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            process.results = results
            # From the moment both processes are there: what mpirun does before does not matter here.
            end = time.monotonic() + 30
            while process.poll() is None and time.monotonic() < end and len(processes_of(HOLDFAST, results)) < 2:
                time.sleep(0.01)
            return process

        def kill(process):
            ranks = processes_of(HOLDFAST, process.results)
            if ranks:
                os.kill(self.random.choice(ranks), signal.SIGKILL)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()  # mpirun itself locks up at times (docs/cluster.md)
                process.wait()
            wait_for(lambda: not processes_of(HOLDFAST, process.results), what="ranks that end")
            return bool(ranks)
        self.kill_again_and_again(KILLS_MPI, 10 * SHORT, start, kill)

    @unittest.skipUnless(KILLS_SLURM, "skipped: only with --full; tests/cluster kills tasks by default")
    def test_under_slurm(self):
        from slurm_node import SlurmNode, Unavailable

        scenarios = 25 * SHORT
        campaign = self.campaign(scenarios)
        folder = tempfile.mkdtemp(prefix="holdfast-slurm-")
        self.addCleanup(shutil.rmtree, folder, True)
        killed = 0
        try:
            with SlurmNode(folder) as slurm:
                while killed < KILLS_SLURM:
                    shutil.rmtree(self.results, ignore_errors=True)
                    self.holdfast("run", campaign, "--executor", "slurm", "--output", self.results, "--tasks", 12,
                                  env=slurm.environment)
                    while slurm.jobs() and killed < KILLS_SLURM:
                        seen = self.done_in(self.results)
                        for task in processes_of(HOLDFAST, self.results, "--task"):
                            time.sleep(self.random.uniform(0, 0.3))
                            try:
                                os.kill(task, signal.SIGKILL)
                                killed += 1
                            except ProcessLookupError:
                                pass
                        self.assertGreaterEqual(self.done_in(self.results), seen, "finished cells were lost")
                        time.sleep(0.1)
                    slurm.wait_until_empty()
                    self.run_to_the_end(self.results, campaign, scenarios)
        except Unavailable as why:
            self.skipTest(f"skipped: {why}")
        print(f"killed {killed} tasks: nothing lost, the same bytes", file=sys.stderr)


@unittest.skipUnless(SHIM.exists(), f"skipped: no {SHIM.name} was built")
class FailingCalls(Attack):
    CODES = (errno.ENOSPC, errno.EIO, errno.EDQUOT)

    def attacked(self, number, code, *arguments, kind=None):
        environment = dict(os.environ, LD_PRELOAD=str(SHIM), HOLDFAST_FAIL=f"{number}:{code}",
                           HOLDFAST_FAIL_LOG=str(self.folder / "calls"))
        if kind:
            environment["HOLDFAST_FAIL_ALL"] = kind
        begin = processor_time()
        done = self.holdfast(*arguments, status=None, env=environment)
        self.assertLess(processor_time() - begin, LIMIT, "it took too long")
        return done

    def calls_of(self, *arguments):
        self.assertEqual(self.attacked(0, 0, *arguments).returncode, 0)
        return int((self.folder / "calls").read_text().split()[0])

    def attack_calls(self, name, total, prepare, finish, *arguments):
        """Lets one call after the other fail. prepare() makes what is there before each, and finish() repairs what it left."""
        shutil.rmtree(self.results, ignore_errors=True)
        prepare()
        count = self.calls_of(*arguments)
        tried = 0
        for round_number, code in enumerate(self.CODES * (total // count + 1)):
            numbers = range(1, count + 1) if total >= count else sorted(self.random.sample(range(1, count + 1), total))
            for number in numbers:
                if tried == total:
                    break
                tried += 1
                with self.subTest(name=name, number=number, code=errno.errorcode[code], round=round_number):
                    shutil.rmtree(self.results, ignore_errors=True)
                    seen = prepare() or 0
                    said = self.attacked(number, code, *arguments)
                    self.assertIn(said.returncode, KNOWN_EXITS, said.stderr)
                    if said.returncode != 0:
                        self.assertTrue(said.stderr.strip(), "it failed without a word")
                    self.assertGreaterEqual(self.done_in(self.results), seen, "finished cells were lost")
                    finish()
        print(f"{name}: {tried} failing calls, of {count} in a run", file=sys.stderr)

    def test_of_a_campaign(self):
        campaign = self.campaign(SHORT)
        self.attack_calls("a campaign", FAILING_CALLS // 2, lambda: None,
                          lambda: self.run_to_the_end(self.results, campaign, SHORT),
                          "run", campaign, "--output", self.results, "--quiet", "--export", "csv")

    def test_of_a_campaign_that_goes_on(self):
        campaign = self.campaign(SHORT)

        def prepare():
            self.holdfast("run", campaign, "--scale", 0.5, "--output", self.results, "--quiet")
            return SHORT // 2 * CELLS_PER_SCENARIO
        self.attack_calls("a campaign that goes on", FAILING_CALLS // 4, prepare,
                          lambda: self.run_to_the_end(self.results, campaign, SHORT),
                          "run", campaign, "--output", self.results, "--quiet", "--export", "json")

    def test_of_a_task_and_its_merge(self):
        """A plan as --executor slurm leaves it, with an sbatch that takes everything and runs nothing."""
        campaign = self.campaign(SHORT)
        programs = self.folder / "programs"
        programs.mkdir()
        for name, text in (("sbatch", "echo 7"), ("squeue", "exit 1")):
            (programs / name).write_text(f"#!/bin/sh\n{text}\n")
            (programs / name).chmod(0o755)
        environment = dict(os.environ, PATH=f"{programs}:{os.environ['PATH']}")
        folder = []

        def submit():
            self.holdfast("run", campaign, "--executor", "slurm", "--tasks", 1, "--output", self.results, env=environment)
            folder[:] = self.results.glob("tasks-*")

        def run_task():
            submit()
            self.holdfast("run", self.results, "--task", folder[0] / "0")
            return SHORT * CELLS_PER_SCENARIO

        def finish():
            self.run_to_the_end(self.results, campaign, SHORT)

        # Folders are named by the second: where they are is the same as long as this test makes them.
        class Latest:
            def __str__(self):
                return str(folder[0] / "0")
        self.attack_calls("a task", FAILING_CALLS // 8, submit, finish, "run", self.results, "--task", Latest())
        self.attack_calls("a merge", FAILING_CALLS // 8, run_task, finish, "run", self.results, "--merge", "--quiet")

    def test_without_locks_it_is_said(self):
        campaign = self.campaign(SHORT)
        for code in (errno.ENOLCK, errno.ENOSYS):
            said = self.attacked(0, code, "run", campaign, "--output", self.results, kind="lock")
            self.assertEqual(said.returncode, 4, said.stderr)
            self.assertIn("this file system does not lock files", said.stderr)
            self.assertIn("name a directory on another one with --output", said.stderr)
            self.assertNotIn("another process", said.stderr)


class FullDisks(Attack):
    def test_a_disk_of_any_size(self):
        campaign = self.campaign(SHORT)
        self.run_to_the_end(self.results, campaign, SHORT)
        needed = sum(path.stat().st_size for path in self.results.iterdir())
        try:
            Tmpfs(100).remove()
            can_mount = True
        except unittest.SkipTest:
            can_mount = False
            print("skipped: no small disk can be mounted here; files that cannot grow take its place", file=sys.stderr)
        refused = 0
        for number in range(FULL_DISKS):
            size = max(4096, int(needed * (number + 0.5) / FULL_DISKS))
            with self.subTest(size=size):
                refused += self.fill_disk(campaign, size) if can_mount else self.limit_files(campaign, size)
        self.assertGreater(refused, 0)
        print(f"{FULL_DISKS} disks, {refused} of them too small: nothing lost, the same bytes", file=sys.stderr)

    def check(self, said, results):
        self.assertIn(said.returncode, (0, 4), said.stderr)
        if said.returncode == 4:
            self.assertRegex(said.stderr, "disk is full|No space left|File too large|Disk quota|free some space|disk I/O")
        return self.done_in(results)

    def fill_disk(self, campaign, size):
        disk = Tmpfs(size // 1024 + 1)
        try:
            results = disk.path / "results"
            said = self.holdfast("run", campaign, "--output", results, "--quiet", "--export", "csv", status=None)
            seen = self.check(said, results)
            disk.grow()
            self.assertGreaterEqual(self.done_in(results), seen)
            self.run_to_the_end(results, campaign, SHORT)
        finally:
            disk.remove()
        return said.returncode != 0

    def limit_files(self, campaign, size):
        shutil.rmtree(self.results, ignore_errors=True)

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        said = self.holdfast("run", campaign, "--output", self.results, "--quiet", "--export", "csv", status=None,
                             preexec_fn=limit)
        self.check(said, self.results)
        self.run_to_the_end(self.results, campaign, SHORT)
        return said.returncode != 0


class Locks(Attack):
    def test_removing_the_lock_lets_nobody_in(self):
        campaign = self.campaign(25 * SHORT)
        first = subprocess.Popen([HOLDFAST, "run", campaign, "--output", self.results, "--quiet"], stdout=subprocess.DEVNULL)
        try:
            wait_for(lambda: self.done_in(self.results) > 0 or first.poll() is not None, what="a first cell")
            self.assertIsNone(first.poll(), "it ended too soon")
            first.send_signal(signal.SIGSTOP)
            (self.results / "results.lock").unlink()
            second = self.holdfast("run", campaign, "--output", self.results, "--quiet", status=4)
            self.assertIn("is running this campaign", second.stderr)
        finally:
            first.kill()
            first.wait()
        self.run_to_the_end(self.results, campaign, 25 * SHORT)


if __name__ == "__main__":
    main()
