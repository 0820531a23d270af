#!/usr/bin/env python3
"""`holdfast moldable submit` on a Slurm of two nodes that this test starts: submit_test.py PROGRAM [KILLS]. The command is killed so often, at
random moments, while its jobs run and fail their verification."""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
import unittest
from collections import Counter
from pathlib import Path

from slurm_node import SlurmNode, Unavailable

PROGRAM = str(Path(sys.argv[1]).resolve())
KILLS = int(sys.argv[2]) if len(sys.argv) > 2 and sys.argv[2].isdigit() else 30
SLURM = None
COMPLETIONS = "JobCompType=jobcomp/filetxt\nJobCompLoc={folder}/completions\n"
# An attempt writes that it began, and its first ones leave a wrong result.
COMMAND = "echo $HOLDFAST_JOB.$HOLDFAST_ATTEMPT $HOLDFAST_PROCESSORS >> begun; sleep {seconds}; echo $HOLDFAST_ATTEMPT > $HOLDFAST_JOB.result"


class Submit(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(dir=SLURM.folder))
        self.addCleanup(SLURM.wait_until_empty)
        self.addCleanup(SLURM.run, "scancel", "--user", str(os.getuid()))

    def jobs(self, count, seconds=1, fails=1, **more):
        """Jobs whose first `fails` attempts are wrong, and their document."""
        document = {"processors": 8, "command": COMMAND.format(seconds=seconds), "verify": f"[ $(cat $HOLDFAST_JOB.result) -gt {fails} ]",
                    "jobs": [{"id": f"j{k}", "speedup": {"model": "amdahl", "work": 4, "sequential_fraction": 0.2},
                              "failure_probability": 0.5} for k in range(count)], **more}
        (self.folder / "jobs.json").write_text(json.dumps(document))

    def words(self, *options):
        return [PROGRAM, "moldable", "submit", "jobs.json", "--every", "0.3s", *map(str, options)]

    def ask(self, *options, status=0):
        done = subprocess.run(self.words(*options), env=SLURM.environment, cwd=self.folder, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def begun(self):
        """How often each attempt began."""
        return Counter(line.split()[0] for line in (self.folder / "begun").read_text().splitlines())

    def submitted(self):
        """How often Slurm was given each attempt of this test."""
        run = json.loads((self.folder / "holdfast-submit/state.json").read_text())["run"]
        text = (Path(SLURM.folder) / "completions").read_text()
        return Counter(word[5:].split("@")[0] for word in text.split() if word.startswith("Name=") and word.endswith("@" + run))

    def test_a_dry_run_says_what_and_why_and_changes_nothing(self):
        self.jobs(3)
        said = self.ask()
        for text in ("dry run: 3 jobs would be submitted now", "predicted to end after", "to submit", "times the least work"):
            self.assertIn(text, said)
        self.assertEqual(SLURM.jobs(), [])
        self.assertFalse((self.folder / "holdfast-submit").exists())

    def test_wrong_results_are_submitted_again_until_they_are_verified(self):
        self.jobs(4)
        said = self.ask("--act")
        self.assertIn("4 of 4 jobs verified", said)
        self.assertIn("8 attempts", said)
        self.assertEqual(self.begun(), Counter({f"j{k}.{a}": 1 for k in range(4) for a in (1, 2)}))
        self.assertIn("4 of 4 jobs verified", self.ask("--act"))  # nothing is left to do
        self.assertEqual(sum(self.begun().values()), 8)
        self.jobs(5)
        self.assertIn("found a run of other jobs", self.ask("--act", status=3))

    def test_a_job_that_never_verifies_or_is_cancelled_is_given_up(self):
        self.jobs(1, fails=9)
        self.assertIn("given up: its result is wrong (status 1), after 2 attempts", self.ask("--act", "--attempts", 2, status=1))
        self.jobs(1, seconds=60)
        running = subprocess.Popen(self.words("--act", "--output", "other"), env=SLURM.environment, cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
        end = time.monotonic() + 60
        while not any(state == "R" for _, state in SLURM.jobs()) and time.monotonic() < end:
            time.sleep(0.1)
        SLURM.run("scancel", SLURM.jobs()[0][0])
        said = running.communicate(timeout=120)[0]
        self.assertEqual(running.returncode, 1, said)
        self.assertIn("is cancelled", said)

    def test_what_slurm_refuses_is_said_in_its_words(self):
        self.jobs(1)
        said = self.ask("--act", "--once", "--sbatch", "partition=nowhere")
        self.assertIn("invalid partition specified", said)
        environment = dict(SLURM.environment, SLURM_CONF="/nowhere/slurm.conf")  # squeue fails, or waits for an answer
        done = subprocess.run(self.words("--act"), env=environment, cwd=self.folder, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 4)
        self.assertIn("squeue: nothing was submitted; once it answers, the same command goes on: ", done.stderr)

    def test_slurmctld_may_go_and_come_back(self):
        self.jobs(2, seconds=3)
        running = subprocess.Popen(self.words("--act"), env=SLURM.environment, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True)
        time.sleep(2)
        SLURM.stop("slurmctld")
        time.sleep(4)
        SLURM.start_slurmctld()
        said = running.communicate(timeout=240)[0]
        self.assertEqual(running.returncode, 0, said)
        self.assertIn("2 of 2 jobs verified", said)
        self.assertEqual(set(self.begun().values()), {1})

    @staticmethod
    def is_submitting(process):
        """True while sbatch runs for it."""
        try:
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            return any(b"sbatch" in Path(f"/proc/{child}/cmdline").read_bytes() for child in children)
        except OSError:
            return False

    def test_kills_lose_no_job_and_submit_none_twice(self):
        rng = random.Random(1)
        count = 4 * KILLS
        self.jobs(count, seconds=0.5, fails=1)
        met = 0
        with open(self.folder / "log", "ab") as log:
            for number in range(KILLS):
                running = subprocess.Popen(self.words("--act", "--strategy", "min-area"), env=SLURM.environment, cwd=self.folder, stdout=log,
                                           stderr=log)
                # Every other one is killed while it submits, at the first such moment or a later one.
                end = time.monotonic() + rng.uniform(0.02, 1.5)
                while running.poll() is None and time.monotonic() < end + 5:
                    is_submitting = self.is_submitting(running)
                    if is_submitting if number % 2 else time.monotonic() > end:
                        met += is_submitting
                        break
                    time.sleep(0.001)
                self.assertIsNone(running.poll(), "all was done before it was killed")
                running.kill()
                running.wait()
        said = self.ask("--act")
        self.assertIn(f"{count} of {count} jobs verified", said)
        expected = Counter({f"j{k}.{a}": 1 for k in range(count) for a in (1, 2)})
        self.assertEqual(self.begun(), expected)
        SLURM.wait_until_empty()
        self.assertEqual(self.submitted(), expected)
        print(f"{KILLS} kills, {met} of them during a submission, {count} jobs, {2 * count} attempts, each submitted once and run once", flush=True)


def main():
    global SLURM
    with tempfile.TemporaryDirectory(prefix="holdfast-submit-") as folder:
        try:
            with SlurmNode(folder, cpus=4, nodes=2, cluster="holdfast-test", more=COMPLETIONS.format(folder=folder)) as SLURM:
                unittest.main(argv=[sys.argv[0], *[word for word in sys.argv[2:] if not word.isdigit()]], verbosity=2)
        except Unavailable as reason:
            print(f"skipped: {reason}")


if __name__ == "__main__":
    main()
