#!/usr/bin/env python3
"""Programs with an advisor of their own under `holdfast guard --trigger api`, and failures of nodes that a monitor reports:
api_test.py PROGRAM LIBRARY FOLDER. The program is examples/field/train.py, which needs the standard library alone."""

import os
import pickle
import signal
import subprocess
import sys
import unittest
from pathlib import Path

from guard_job import GIVEN, HERE, Job
from processes import processes_of

ROOT = HERE.parent.parent
TRAIN = ROOT / "examples/field/train.py"


class Training(Job):
    """train.py in a folder of its own."""

    def __init__(self, name, steps=300, options=()):
        super().__init__(name)
        self.words = [sys.executable, str(TRAIN), "--steps", str(steps), "--pause", "0.005"]
        self.command = [GIVEN.program, "guard", "--trigger", "api", "--mtbf", "1s", "--checkpoint", "0.02s", "--min-interval", "0.2s", "--backoff",
                        "0s", "--quick", "0.05s", "--output", "guard", *options, "--", *self.words]

    def unbroken(self):
        """What the program prints at its end without a guard."""
        folder = self.folder / "unbroken"
        folder.mkdir()
        return subprocess.run(self.words[:-2], cwd=folder, capture_output=True, text=True, check=True).stdout.splitlines()[-1]


class ApiTest(unittest.TestCase):
    def check_finished(self, job, done):
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines()[-1], job.unbroken())
        self.assertEqual(processes_of(job.folder), [])

    def test_the_program_decides_and_tells(self):
        job = Training("decides")
        guard = job.start()
        self.assertTrue(job.wait_for_kind("checkpoint", 2))
        os.kill(job.entries("launch")[-1]["pid"], signal.SIGKILL)
        self.assertTrue(job.wait_for_kind("ready", 2))
        done = job.end_of(guard)
        self.check_finished(job, done)
        saves = job.entries("checkpoint")
        self.assertTrue(all(save["ok"] for save in saves))
        # All of them are the program's own: the guard asked for none.
        self.assertEqual(job.entries("due"), [])
        self.assertEqual(done.stdout.count("saved at step"), len(saves))
        # From the last one, and with what was learned before.
        self.assertGreater(job.starts(done)[-1], 0)
        self.assertGreaterEqual(len(job.entries("estimate")[-1]["checkpoints"]), len(saves))
        self.assertEqual(job.entries("progress")[0]["total"], 300)

    def test_a_user_wants_a_checkpoint_and_an_end(self):
        job = Training("wants", steps=2000)
        guard = job.start()
        self.assertTrue(job.wait_for_kind("checkpoint"))
        guard.send_signal(signal.SIGUSR1)
        self.assertTrue(job.wait_for_kind("due"))
        asked = len(job.entries("checkpoint"))
        self.assertTrue(job.wait_for_kind("checkpoint", asked + 1))
        guard.terminate()
        done = job.end_of(guard)
        self.assertEqual(done.returncode, 130, done.stderr)
        self.assertLess(job.entries("stop")[0]["unsaved"], 0.3)
        # The guard may end the program between a save and the line that says so: what counts is on the disk.
        saves = [job.folder / name for name in ("train.ckpt", "train.ckpt.1")]
        step = max(pickle.loads(save.read_bytes())["step"] for save in saves if save.exists())
        said = [line for line in done.stdout.splitlines() if line.startswith("saved at")][-1]
        self.assertLessEqual(int(said.split()[-1]), step)
        guard = job.start()
        self.assertTrue(job.wait_for_kind("launch", 2))
        self.assertTrue(job.wait_for(lambda: "from step" in (job.folder / "out").read_text()))
        self.assertEqual(int((job.folder / "out").read_text().split()[2]), step)
        guard.send_signal(signal.SIGINT)
        guard.send_signal(signal.SIGINT)
        job.end_of(guard)

    def test_a_program_that_waits_for_the_signal(self):
        # As srun does: it has no handler, but has blocked the signal, for which one of its threads waits.
        job = Job("waits", quick="0s")
        at = job.command.index("--")
        job.command[at:] = ["--", sys.executable, "-c", """if True:
            import os, signal, threading
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
            def save():
                for _ in range(2):
                    signal.sigwait([signal.SIGUSR1])
                    open("state.tmp", "w").write("whole")
                    os.replace("state.tmp", "state.ckpt")
            saver = threading.Thread(target=save)
            saver.start()
            saver.join()
            """]
        guard = job.start()
        done = job.end_of(guard)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(job.entries("checkpoint")[0]["ok"])

    def test_a_monitor_says_which_node_failed(self):
        job = Job("monitor", steps=400, quick="0s", options=["--nodes", "n[1-4]", "--events", "nodes.csv", "--kill-leftovers"])
        nodes = job.folder / "nodes.csv"
        nodes.write_text("node,down\nn1,5\n")  # before the job began
        guard = job.start()
        self.assertTrue(job.wait_for_kind("checkpoint"))
        with nodes.open("a") as file:
            file.write("other,10\nn3.cluster,11\n")
        os.kill(job.entries("launch")[-1]["pid"], signal.SIGKILL)
        self.assertTrue(job.wait_for_kind("launch", 2))
        self.assertEqual(job.entries("failure")[0]["node"], 2)
        self.assertEqual([entry["node"] for entry in job.entries("renewal")], ["n3.cluster"])
        guard.kill()
        guard.wait()
        with nodes.open("a") as file:
            file.write("n2,12\n")  # while no guard ran
        done = job.run()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([(entry["node"], entry["row"]) for entry in job.entries("renewal")], [("n3.cluster", 3), ("n2", 4)])
        refused = subprocess.run([GIVEN.program, "guard", "--trigger", "none", "--done", "pipe", "--events", "nodes.csv", "--output", "no", "--", "true"],
                                 cwd=job.folder, capture_output=True, text=True, check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--events: found no names of the job's nodes", refused.stderr)


def main():
    GIVEN.program, library, folder = (str(Path(word).resolve()) for word in sys.argv[1:4])
    GIVEN.folder = Path(folder)
    os.environ["HOLDFAST_LIBRARY"] = library
    os.environ["PYTHONPATH"] = str(ROOT / "bindings/python")
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]], verbosity=2)


if __name__ == "__main__":
    main()
