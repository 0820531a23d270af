#!/usr/bin/env python3
"""`holdfast guard` in jobs of a Slurm of one node that this test starts: guard_test.py PROGRAM. A failure, the end of the allocation with a
requeue, scancel, a node that goes down, and the failures of a log."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from slurm_node import SlurmNode, Unavailable

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "field"))
import worker  # noqa: E402

REPLAY = Path(__file__).resolve().parents[2] / "bench/field/replay"
WORKER = Path(__file__).resolve().parent.parent / "field/worker.py"
PROGRAM = str(Path(sys.argv[1]).resolve())
SLURM = None


class GuardInSlurm(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(dir=SLURM.folder))
        self.folder.chmod(0o755)

    def tearDown(self):
        SLURM.run("scancel", "--user", str(os.getuid()))
        SLURM.wait_until_empty()

    def submit(self, steps, options="", batch="", mtbf="--mtbf 30s"):
        (self.folder / "job.sh").write_text(
            f"#!/bin/sh\n#SBATCH --requeue --open-mode=append --output=output {batch}\n"
            f"exec {PROGRAM} guard --trigger signal:USR1 --checkpoint-file state.ckpt --first 1s --checkpoint 0.1s {mtbf} --quick 0s --backoff 0s "
            f"--output guard {options} -- {sys.executable} {WORKER} --steps {steps}\n")
        said = SLURM.run("sbatch", f"--chdir={self.folder}", self.folder / "job.sh")
        self.steps = steps
        return said.stdout.split()[-1]

    def entries(self, kind):
        journal = self.folder / "guard/journal.ndjson"
        if not journal.exists():
            return []
        entries = [json.loads(line) for line in journal.read_text().splitlines()[1:]]
        return [entry for entry in entries if entry["kind"] == kind]

    def wait_for(self, what, seconds=90):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if what():
                return
            time.sleep(0.1)
        output = self.folder / "output"
        self.fail(f"not within {seconds} s; {SLURM.jobs()}; {output.read_text() if output.exists() else 'no output'}\n{SLURM.last_words(40)}")

    def check_result(self):
        self.assertEqual(int((self.folder / "result").read_text()), worker.result_of(self.steps))

    def test_a_failure_restarts_in_place(self):
        self.submit(600)
        self.wait_for(lambda: self.entries("checkpoint"))
        os.kill(self.entries("launch")[0]["pid"], signal.SIGKILL)
        self.wait_for(lambda: (self.folder / "result").exists())
        SLURM.wait_until_empty()
        self.check_result()
        self.assertEqual(len(self.entries("launch")), 2)
        self.assertEqual(self.entries("requeue"), [])

    def test_scancel_saves_and_stops(self):
        job = self.submit(5000)
        self.wait_for(lambda: self.entries("checkpoint"))
        SLURM.run("scancel", "--full", "--signal=TERM", job)
        self.wait_for(lambda: self.entries("stop"))
        self.assertEqual(self.entries("stop")[0]["reason"], "signal 15")
        self.assertEqual(self.entries("failure"), [])

    def test_the_end_of_the_allocation_saves_requeues_and_continues(self):
        # A minute is the shortest limit there is; the guard stops some 6 s before its end.
        job = self.submit(6500, batch="--time=1")
        self.wait_for(lambda: self.entries("requeue"), seconds=120)
        self.assertEqual(self.entries("stop")[0]["reason"], "the allocation ends")
        # A requeued job waits for 120 s, which its owner may shorten. Not to nothing: within the second of its end its credential is still revoked.
        self.wait_for(lambda: (job, "PD") in SLURM.jobs())
        SLURM.run("scontrol", "update", f"JobId={job}", "StartTime=now+3")
        self.wait_for(lambda: (self.folder / "result").exists(), seconds=200)
        SLURM.wait_until_empty()
        self.check_result()
        self.assertGreaterEqual(len(self.entries("launch")), 2)

    def test_the_age_of_the_node_is_known(self):
        # Without a log, the time since the node started; with one, by its name, the time since it failed 10 h ago.
        up = float(Path("/proc/uptime").read_text().split()[0])
        self.submit(200, options="--distribution weibull --shape 0.7")
        self.wait_for(lambda: (self.folder / "result").exists())
        SLURM.wait_until_empty()
        self.assertIn("the ages of the nodes are the times since they started (BootTime)", (self.folder / "output").read_text())
        head = json.loads((self.folder / "guard/journal.ndjson").read_text().splitlines()[0])
        self.assertAlmostEqual(head["instance"]["ages"][0][0], up, delta=90)
        node = SLURM.run("sinfo", "-h", "-o", "%N").stdout.strip()
        failed = [time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(time.time() - hours * 3600)) for hours in (90, 40, 10)]
        (self.folder / "events.txt").write_text("".join(f"{node}|{date}|{date}|DOWN|x\n" for date in failed))
        self.submit(200, options="--distribution weibull --log events.txt --force", mtbf="")
        self.wait_for(lambda: "1 node of the job" in (self.folder / "output").read_text())
        self.assertIn("1 since the last failure", (self.folder / "output").read_text())

    def test_a_dead_node_is_told_from_a_dead_process(self):
        self.submit(3000)
        self.wait_for(lambda: self.entries("checkpoint"))
        # The node is marked as down while the processes live on, as when its daemon is lost.
        SLURM.stop("slurmd", "kill")
        node = SLURM.run("sinfo", "-h", "-o", "%N").stdout.strip()
        SLURM.run("scontrol", "update", f"NodeName={node}", "State=DOWN", "Reason=test")
        try:
            os.kill(self.entries("launch")[0]["pid"], signal.SIGKILL)
            self.wait_for(lambda: self.entries("stop"))
            failure = self.entries("failure")[0]
            self.assertEqual(failure["node"], 0, failure)
            self.assertIn("is down", failure["reason"])
            self.assertEqual(len(self.entries("requeue")), 1)
        finally:
            SLURM.run("scontrol", "update", f"NodeName={node}", "State=RESUME", check=False)
            SLURM.start_slurmd()
            self.wait_for(lambda: "down" not in SLURM.run("sinfo", "-h", "-o", "%T").stdout)


    def test_the_failures_of_a_log_cost_what_was_not_saved(self):
        job = self.submit(1500)
        self.wait_for(lambda: len(self.entries("checkpoint")) >= 2)
        (self.folder / "log.csv").write_text("# nodes: 1\nnode,down,up\na,0,200\na,250,290\n")
        said = subprocess.run([REPLAY, "log.csv", "--program", PROGRAM, "--compress", "100", "--for", "3"], env=SLURM.environment,
                              cwd=self.folder, capture_output=True, text=True)
        self.assertEqual([line.split()[3] for line in said.stdout.splitlines()[1:]], ["down", "resume"] * 2, said.stderr)
        self.wait_for(lambda: (job, "PD") in SLURM.jobs())
        SLURM.run("scontrol", "update", f"JobId={job}", "StartTime=now+3")
        self.wait_for(lambda: (self.folder / "result").exists())
        SLURM.wait_until_empty()
        self.check_result()
        starts = self.entries("launch")
        self.assertEqual(len(starts), 2)
        self.assertGreater(max(entry["time"] for entry in self.entries("checkpoint")), starts[1]["time"])
        said = (self.folder / "output").read_text()
        self.assertIn("Slurm has put the job into the queue again by itself", said)
        self.assertNotIn("the program requeues its own job", said)


def main():
    global SLURM
    with tempfile.TemporaryDirectory(prefix="holdfast-guard-") as folder:
        try:
            with SlurmNode(folder, cluster="holdfast-test", returns=0) as SLURM:
                unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
        except Unavailable as reason:
            print(f"skipped: {reason}")


if __name__ == "__main__":
    main()
