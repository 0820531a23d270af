#!/usr/bin/env python3
"""`holdfast guard` in a rule of Snakemake, as docs/field.md writes it: rule_test.py PROGRAM FOLDER. Everything is killed, Snakemake alone is
killed, the same again while its orphan runs, the guard is killed and tried again, an input changes, and all ends right."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from programs_test import below, children, kill

RULE = '''
rule simulate:
    input: "job.in"
    output: "job.out"
    retries: 3
    shell:
        "mkdir -p state && holdfast guard --force --wait --input {input} --exit-code program --trigger none --checkpoint-file state/job.ckpt "
        "--mtbf 1h --checkpoint 1s --output state/guard -- SOLVER {input} {output} state/job.ckpt"
'''
SOLVER = '''
import os, sys, time
text, step = open(sys.argv[1]).read().strip(), 0
if os.environ["HOLDFAST_CHECKPOINT"]:
    seen, step = open(os.environ["HOLDFAST_CHECKPOINT"]).read().split()
    step = int(step)
    assert seen == text, "a checkpoint of another input"
while step < 60:
    time.sleep(float(os.environ.get("PAUSE", "0.1")))
    step += 1
    open("steps", "a").write(f"{text}\\n")
    if step % 5 == 0:
        open(sys.argv[3] + ".new", "w").write(f"{text} {step}")
        os.replace(sys.argv[3] + ".new", sys.argv[3])
open(sys.argv[2], "w").write(f"{text} after {step}")
'''


def is_alive(pid):
    return pid in {child for some in children().values() for child in some}


class RuleTest(unittest.TestCase):
    def setUp(self):
        self.folder = FOLDER / self._testMethodName
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "bin").mkdir(parents=True)
        (self.folder / "bin/holdfast").symlink_to(PROGRAM)
        (self.folder / "solver.py").write_text(SOLVER)
        (self.folder / "Snakefile").write_text(RULE.replace("SOLVER", f"{sys.executable} solver.py"))
        (self.folder / "job.in").write_text("first")
        self.environment = {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}

    def start(self):
        subprocess.run(["snakemake", "--unlock"], cwd=self.folder, env=self.environment, capture_output=True, check=False)
        with open(self.folder / "log", "a") as log:
            return subprocess.Popen(["snakemake", "-c1", "--rerun-incomplete"], cwd=self.folder, env=self.environment, stdout=log, stderr=log)

    def steps(self):
        path = self.folder / "steps"
        return path.read_text().count("\n") if path.exists() else 0

    def wait_for_steps(self, count):
        end = time.monotonic() + 60
        while self.steps() < count and time.monotonic() < end:
            time.sleep(0.05)
        self.assertGreaterEqual(self.steps(), count, (self.folder / "log").read_text())

    def wait_for_end_of(self, pid):
        while is_alive(pid):
            time.sleep(0.05)

    def guard(self):
        """The process of the guard, which its journal names by the one that it started."""
        launch = [json.loads(line) for line in max(self.folder.glob("state/guard/journal.ndjson")).read_text().splitlines() if '"kind":"launch"' in line][-1]
        return int(Path(f"/proc/{launch['pid']}/stat").read_text().rpartition(")")[2].split()[1])

    def ends_right(self, text="first", most=60):
        self.assertEqual(self.start().wait(120), 0, (self.folder / "log").read_text())
        self.assertEqual((self.folder / "job.out").read_text(), f"{text} after 60")
        self.assertLessEqual(self.steps(), most)

    def test_ends_right(self):
        self.ends_right()

    def test_all_is_killed(self):
        running = self.start()
        self.wait_for_steps(20)
        for pid in [running.pid, *below(running.pid), self.guard()]:
            kill(pid)
        running.wait()
        self.ends_right(most=70)

    def test_snakemake_alone_is_killed_and_its_orphan_ends(self):
        running = self.start()
        self.wait_for_steps(20)
        guard = self.guard()
        running.kill()
        running.wait()
        self.wait_for_steps(60)
        self.wait_for_end_of(guard)
        self.ends_right()

    def test_again_while_the_orphan_runs(self):
        self.environment["PAUSE"] = "0.4"
        running = self.start()
        self.wait_for_steps(20)
        guard = self.guard()
        running.kill()
        running.wait()
        self.ends_right()  # it waits for the guard of the first one
        self.assertIn("waits for it to end", (self.folder / "log").read_text())
        self.assertFalse(is_alive(guard))

    def test_another_input_while_the_orphan_runs(self):
        self.environment["PAUSE"] = "0.4"
        running = self.start()
        self.wait_for_steps(20)
        running.kill()
        running.wait()
        (self.folder / "job.in").write_text("second")
        self.environment["PAUSE"] = "0.1"
        self.ends_right("second", most=120)

    def test_the_guard_is_killed_and_tried_again(self):
        running = self.start()
        self.wait_for_steps(20)
        kill(self.guard())
        self.assertEqual(running.wait(120), 0, (self.folder / "log").read_text())
        self.assertEqual((self.folder / "job.out").read_text(), "first after 60")
        self.assertLessEqual(self.steps(), 70)

    def test_a_finished_rule_is_run_again(self):
        self.ends_right()
        (self.folder / "job.out").unlink()
        self.ends_right()  # from the last checkpoint

    def test_another_input_is_another_job(self):
        running = self.start()
        self.wait_for_steps(20)
        running.send_signal(signal.SIGKILL)
        os.kill(self.guard(), signal.SIGKILL)
        running.wait()
        (self.folder / "job.in").write_text("second")
        before = self.steps()
        self.ends_right("second", most=before + 62)


if __name__ == "__main__":
    PROGRAM, FOLDER = (Path(word).resolve() for word in sys.argv[1:3])
    if not shutil.which("snakemake"):
        print("skipped: snakemake is not installed (./setup field)")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
