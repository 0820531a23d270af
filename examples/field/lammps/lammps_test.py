#!/usr/bin/env python3
"""Unmodified LAMMPS under `holdfast guard`: lammps_test.py PROGRAM. It saves when the file SAVE asks for it, is killed, continues from there and
reaches its last step. Exit code 77 (skipped) without lmp."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

INPUT = Path(__file__).resolve().parent / "in.melt"
PROGRAM = str(Path(sys.argv[1]).resolve())
STEPS = 8000


class LammpsTest(unittest.TestCase):
    def test_killed_and_continued(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            command = [PROGRAM, "guard", "--trigger", "file:SAVE", "--checkpoint-file", "melt.restart", "--mtbf", "2s", "--checkpoint", "0.05s",
                       "--min-interval", "0.2s", "--quick", "0s", "--backoff", "0s", "--output", "run1", "--", "lmp", "-in", str(INPUT), "-var",
                       "steps", str(STEPS)]
            environment = {**os.environ, "OMP_NUM_THREADS": "1"}
            with open(folder / "out", "wb") as out, open(folder / "err", "wb") as err:
                guard = subprocess.Popen(command, cwd=folder, stdout=out, stderr=err, env=environment)
            journal = folder / "run1/journal.ndjson"
            end = time.monotonic() + 60
            while not (journal.exists() and '"ok":true' in journal.read_text()):
                self.assertLess(time.monotonic(), end, (folder / "err").read_text())
                time.sleep(0.02)
            os.kill(int(re.search(r'"kind":"launch","pid":(\d+)', journal.read_text())[1]), signal.SIGKILL)
            self.assertEqual(guard.wait(120), 0, (folder / "err").read_text())
            said = (folder / "out").read_text()
            self.assertIn("Reading restart file", said)
            self.assertRegex(said, rf"\n *{STEPS} +\S+ +\S+ +0 ")
            self.assertEqual(journal.read_text().count('"kind":"failure"'), 1)


if __name__ == "__main__":
    if shutil.which("lmp") is None:
        print("skipped: no lmp (apt-get install lammps)")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
