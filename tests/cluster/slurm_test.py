#!/usr/bin/env python3
"""Campaigns on a Slurm of one node that this test starts, undisturbed and disturbed: slurm_test.py BUILD_FOLDER"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time

from campaign_case import CELLS_PER_SCENARIO, HAS_MPI, HOLDFAST, LONG, SHORT, CampaignCase, Tmpfs, main, processes_of
from campaign_case import signal_all, wait_for
from slurm_node import SlurmNode, Unavailable

SLURM = None


class Slurm(CampaignCase):
    def submit(self, campaign, *arguments, status=0):
        return self.holdfast("run", campaign, "--executor", "slurm", "--output", self.results, *arguments,
                             env=SLURM.environment, status=status)

    def resume(self, *arguments, status=0):
        return self.holdfast("run", self.results, "--executor", "slurm", *arguments, env=SLURM.environment,
                             status=status)

    def merge_log(self):
        path = self.results / "merge.log"
        return path.read_text() if path.exists() else ""

    def tearDown(self):
        SLURM.run("scancel", "--user", str(os.getuid()))
        SLURM.wait_until_empty()

    def runners(self):
        return processes_of(HOLDFAST, self.results, "--task")

    def submit_and_freeze(self, tasks):
        """The cells that are stored, and the scenarios."""
        least = self.cells_done() + 1

        def finish(_):
            SLURM.wait_until_empty()
            nonlocal least
            least = self.cells_done() + 1
        _, seen, scenarios = self.start_and_freeze(lambda campaign: self.submit(campaign, "--tasks", tasks),
                                                   lambda _: self.freeze(lambda: not SLURM.jobs(), least), finish)
        return seen, scenarios

    def assert_merged(self):
        self.assertEqual(list(self.results.glob("tasks-*")), [], self.merge_log())

    def test_same_bytes_of_1_and_of_5_tasks(self):
        for tasks in (1, 5):
            with self.subTest(tasks=tasks):
                self.results = self.folder / f"results-{tasks}"
                said = self.submit(self.campaign(SHORT), "--tasks", tasks, "--export", "csv")
                self.assertRegex(said.stdout, rf"^job \d+: {tasks} task{'s' if tasks > 1 else ''}\njob \d+: merges them, and says how it went in ")
                SLURM.wait_until_empty()
                self.assert_merged()
                self.assertTrue((self.results / "results.csv").exists(), self.merge_log())
                self.assertEqual(self.merge_log().count("\nbest: "), 1)
                self.assert_same_bytes(self.results, SHORT)

    def test_status_while_tasks_run_and_after(self):
        seen, scenarios = self.submit_and_freeze(4)
        cells = scenarios * CELLS_PER_SCENARIO
        self.assertTrue(self.status()["is_running"])
        said = self.holdfast("run", "--status", self.results, env=SLURM.environment).stdout
        line = rf"job \d+: \d tasks running, \d waiting\nages of the platform: (\d+) of {cells} cells, .*running"
        self.assertRegex(said, line)
        # A task that waited may have started beside those that are stopped.
        self.assertGreaterEqual(int(re.search(line, said)[1]), seen)
        again = self.resume(status=4)
        self.assertRegex(again.stderr, r"job \d+ of this campaign has \d tasks running and \d waiting; wait .* 'scancel \d+'")
        self.thaw()
        SLURM.wait_until_empty()
        self.assertEqual(self.status()["cells_done"], cells)
        self.assertFalse(self.status()["is_running"])
        self.assert_same_bytes(self.results, scenarios)

    def test_options_pass_through(self):
        said = self.submit(self.campaign(SHORT), "--tasks", 2, "--time-limit", "90min", "--partition", "all", "--account",
                           "physics", "--threads", 2, "--sbatch=--hold", "--sbatch=--comment=for the paper")
        job = said.stdout.split(":")[0].split()[1]
        about = SLURM.run("scontrol", "show", "job", job).stdout
        for what in ("TimeLimit=01:30:00", "Partition=all", "Account=physics", "CPUs/Task=2", "Comment=for the paper",
                     "Requeue=1"):
            self.assertIn(what, about)

    def disturbed(self, disturb):
        """A submission that is disturbed while tasks run. Returns its scenarios."""
        seen, scenarios = self.submit_and_freeze(4)
        disturb()
        self.thaw()
        SLURM.wait_until_empty()
        self.assertGreaterEqual(self.cells_done(), seen, "finished cells were lost")
        return scenarios

    def complete(self, scenarios=LONG):
        """Another submission, which nobody disturbs."""
        left = self.cells_done()
        said = self.resume("--tasks", 3)
        self.assertGreaterEqual(int(said.stderr.split(" of ")[0].split()[-1]), left, "finished cells are run again")
        SLURM.wait_until_empty()
        self.assert_merged()
        self.assert_same_bytes(self.results, scenarios)

    def test_tasks_are_killed(self):
        scenarios = self.disturbed(lambda: signal_all(self.runners(), signal.SIGKILL))
        self.assertRegex(self.merge_log(), rf"\d+ of {scenarios * CELLS_PER_SCENARIO} cells are missing; "
                                           r"'holdfast run .*' with the same --executor")
        self.complete(scenarios)

    def test_the_array_is_cancelled(self):
        self.complete(self.disturbed(lambda: SLURM.run("scancel", "--name=holdfast")))

    def test_a_preempted_task_continues_its_shard(self):
        _, scenarios = self.submit_and_freeze(2)
        job = next(number for number, state in SLURM.jobs() if state == "R")
        SLURM.run("scontrol", "requeue", job)
        self.thaw()
        # Slurm holds a requeued job back for two minutes; an administrator may not.
        wait_for(lambda: (job, "PD") in SLURM.jobs())
        SLURM.run("scontrol", "update", f"JobId={job}", "StartTime=now", check=False)
        SLURM.wait_until_empty(300)
        self.assert_merged()
        self.assert_same_bytes(self.results, scenarios)

    def test_slurmd_is_killed(self):
        def kill():
            SLURM.stop("slurmd", how="kill")
            SLURM.start_slurmd()
        scenarios = self.disturbed(kill)
        if self.cells_done() < scenarios * CELLS_PER_SCENARIO:
            self.complete(scenarios)
        self.assert_same_bytes(self.results, scenarios)

    def test_the_merge_is_killed(self):
        said = self.submit(self.campaign(LONG), "--tasks", 2)
        SLURM.run("scancel", re.search(r"job (\d+): merges", said.stdout)[1])
        SLURM.wait_until_empty()
        # At its start, and then later each time, until a merge ends before it is killed.
        killed = 0
        for moment in range(0, 10_000, 5):
            merge = subprocess.Popen([HOLDFAST, "run", self.results, "--merge", "--quiet"], stdout=subprocess.DEVNULL)
            time.sleep(moment / 1000)
            merge.kill()
            if merge.wait() == 0:
                break
            self.assertEqual(merge.returncode, -signal.SIGKILL)
            killed += 1
        self.assertGreater(killed, 0, "the first is killed before it did anything")
        self.holdfast("run", self.results, "--merge", "--quiet")
        self.assert_merged()
        self.assert_same_bytes(self.results, LONG)

    def test_a_local_run_goes_on_where_tasks_ended(self):
        scenarios = self.disturbed(lambda: SLURM.run("scancel", "--name=holdfast"))
        self.holdfast("run", self.results, "--quiet")
        self.assert_merged()
        self.assert_same_bytes(self.results, scenarios)

    def test_a_full_disk(self):
        disk = Tmpfs(1000)
        self.addCleanup(disk.remove)
        self.results = disk.path / "results"
        self.submit(self.campaign(LONG), "--tasks", 2)
        SLURM.wait_until_empty()
        log = "".join(path.read_text() for path in self.results.glob("tasks-*/*.log"))
        self.assertIn("free some space, and start the campaign again on the same directory: what was finished is kept", log)
        disk.grow()  # to read how far a campaign is takes some space too (SQLite's shared memory)
        self.assertGreater(self.cells_done(), 0)
        self.complete()

    def test_a_directory_that_cannot_be_written(self):
        self.results.mkdir(mode=0o555)
        user = {} if os.getuid() != 0 else {"user": 65534, "group": 65534, "extra_groups": []}
        said = subprocess.run([HOLDFAST, "run", self.campaign(SHORT), "--executor", "slurm", "--output", self.results],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=SLURM.environment, cwd="/",
                              **user)
        self.assertEqual(said.returncode, 4)
        self.assertIn("cannot write here: Permission denied; name another directory with --output", said.stderr)

    def test_what_slurm_refuses_is_said_and_leaves_nothing_behind(self):
        said = self.submit(self.campaign(SHORT), "--partition", "nowhere", status=4)
        self.assertIn("sbatch: ", said.stderr)
        self.assertIn("invalid partition", said.stderr)
        self.assertEqual(list(self.results.glob("tasks-*")), [])
        self.submit(self.campaign(SHORT), "--tasks", 2)
        SLURM.wait_until_empty()
        self.assert_same_bytes(self.results, SHORT)


class Srun(CampaignCase):
    """MPI processes that srun starts, without mpirun."""

    def setUp(self):
        super().setUp()
        if "pmix" not in SLURM.run("srun", "--mpi=list").stdout:
            self.skipTest("skipped: this Slurm has no PMIx")
        if not HAS_MPI:
            self.skipTest("skipped: built without MPI")

    def runners(self):
        return processes_of(HOLDFAST, self.results, "mpi")

    def start(self, campaign, *options):
        command = ["srun", *options, "-n", "2", str(HOLDFAST), "run", str(campaign), "--executor", "mpi", "--output",
                   str(self.results), "--quiet"]
        return subprocess.Popen(command, env=SLURM.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def finish(self, process):
        out, err = process.communicate(timeout=300)
        return process.returncode, out, err

    def test_same_bytes(self):
        status, said, err = self.finish(self.start(self.campaign(SHORT), "--mpi=pmix"))
        self.assertEqual(status, 0, err)
        self.assertEqual(said.count("\nbest: "), 1, "one process speaks")
        self.assert_same_bytes(self.results, SHORT)

    def test_a_process_is_killed(self):
        process, seen, scenarios = self.start_and_freeze(
            lambda campaign: self.start(campaign, "--mpi=pmix", "--kill-on-bad-exit=1"),
            lambda started: self.freeze(lambda: started.poll() is not None, self.cells_done() + 1), self.finish)
        os.kill(self.runners()[-1], signal.SIGKILL)
        self.thaw()
        self.assertNotEqual(self.finish(process)[0], 0)
        self.assertGreaterEqual(self.cells_done(), seen, "stored cells were lost")
        status, _, err = self.finish(self.start(self.campaign(scenarios), "--mpi=pmix"))
        self.assertEqual(status, 0, err)
        self.assert_same_bytes(self.results, scenarios)

    def test_without_pmix_it_is_refused(self):
        status, _, err = self.finish(self.start(self.campaign(SHORT), "--mpi=none"))
        self.assertEqual(status, 4, err)
        self.assertIn("srun started 2 processes without PMIx, so they do not know of each other; start them with "
                      "'srun --mpi=pmix' or with mpirun", err)
        self.assertFalse(self.results.exists())


class WithoutSlurm(CampaignCase):
    def test_says_so(self):
        environment = dict(os.environ, PATH=str(self.folder))
        said = self.holdfast("run", self.campaign(SHORT), "--executor", "slurm", "--output", self.results, status=4,
                             env=environment)
        self.assertIn("sbatch: cannot be started", said.stderr)
        self.holdfast("run", self.campaign(SHORT), "--output", self.results, "--quiet", env=environment)
        self.assert_same_bytes(self.results, SHORT)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="holdfast-slurm-") as folder:
        try:
            with SlurmNode(folder) as SLURM:
                main()
        except Unavailable as why:
            print(f"skipped: the tests of Slurm: {why}")
            sys.exit(0)
