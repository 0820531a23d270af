#!/usr/bin/env python3
"""Files that released versions wrote (tests/old/write made them) are read, and work that they began is ended: read_test.py PROGRAM

Where results changed on purpose, HOLDFAST_UPDATE=1 writes the answers of today beside the instances."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
VERSIONS = sorted(path for path in HERE.iterdir() if (path / "campaign.toml").is_file())


def is_in(old, new):
    """Whether a document still says all that it said, members that it has gained aside."""
    if isinstance(old, dict):
        return isinstance(new, dict) and all(key in new and is_in(value, new[key]) for key, value in old.items() if key != "holdfast")
    if isinstance(old, list):
        return isinstance(new, list) and len(old) == len(new) and all(map(is_in, old, new))
    return old == new


class Read(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="holdfast-old-")
        self.addCleanup(scratch.cleanup)
        self.scratch = Path(scratch.name)

    def copies(self, name):
        """A copy of what every version left in a folder, with the version's other files beside it."""
        if not VERSIONS:
            self.skipTest("skipped: no version has been released yet")
        for version in VERSIONS:
            with self.subTest(version=version.name):
                shutil.copytree(version, self.scratch / version.name)
                yield version, self.scratch / version.name / name

    def ran(self, place, *words):
        done = subprocess.run([PROGRAM, *words], cwd=place, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout + done.stderr

    def test_instances_give_the_answers_that_they_gave(self):
        for version, place in self.copies("instances"):
            for answer in sorted(place.glob("*-answer.json")):
                domain = answer.name.removesuffix("-answer.json")
                said = self.ran(place.parent, domain, "simulate", "--instance", f"instances/{domain}.json", "--json")
                if os.environ.get("HOLDFAST_UPDATE"):
                    (version / "instances" / answer.name).write_text(said)
                # The wording of problem and verdict may change, numbers do not.
                expected = {name: value for name, value in json.loads(answer.read_text()).items() if name not in ("problem", "verdict")}
                self.assertTrue(is_in(expected, json.loads(said)), domain)

    def test_a_campaign_is_continued(self):
        for version, place in self.copies("half"):
            self.ran(place.parent, "run", "half", "--export", "csv")
            self.assertEqual((place / "results.csv").read_bytes(), (version / "whole/results.csv").read_bytes())

    def test_a_campaign_is_reported_and_exported_again(self):
        for version, place in self.copies("whole"):
            (place / "results.csv").unlink()
            self.ran(place.parent, "run", "whole", "--export", "csv")
            self.assertEqual((place / "results.csv").read_bytes(), (version / "whole/results.csv").read_bytes())
            self.ran(place.parent, "report", "whole")
            self.assertTrue((place / "report.html").is_file())

    def guarded(self, place):
        return self.ran(place, "guard", "--trigger", "none", "--checkpoint-file", "state", "--mtbf", "1d", "--output", "guard", "--",
                        "sh", "worker.sh")

    def test_a_job_that_has_ended_stays_so(self):
        for _, place in self.copies("ended"):
            self.assertIn("finished", self.ran(place, "guard", "--status", "guard"))
            self.assertIn("has finished before", self.guarded(place))
            self.assertIn("1 failure", self.ran(place, "report", "guard"))

    def test_a_job_whose_guard_was_killed_goes_on(self):
        for _, place in self.copies("killed"):
            self.assertIn("the last one was killed", self.ran(place, "guard", "--status", "guard"))
            self.assertIn("goes on after 2 launches", self.guarded(place))
            self.assertEqual((place / "state").read_text(), "3\n")

    def test_what_an_arbiter_kept_and_recorded_is_read(self):
        for _, place in self.copies("arbiter"):
            self.assertIn("predicted", self.ran(place, "io", "compare", "record.jsonl"))
            before = json.loads((place / "state.json").read_text())["applications"]
            socket = f"{self.scratch}/s"
            server = subprocess.Popen([PROGRAM, "io", "serve", "--bandwidth", "50MB/s", "--socket", socket, "--quiet", "--state",
                                       "state.json"], cwd=place)
            while not Path(socket).exists() and server.poll() is None:
                time.sleep(0.05)
            server.send_signal(signal.SIGTERM)
            self.assertEqual(server.wait(60), 0)
            after = json.loads((place / "state.json").read_text())["applications"]
            self.assertEqual([one["name"] for one in before], [one["name"] for one in after])


if __name__ == "__main__":
    PROGRAM = Path(sys.argv[1]).resolve()
    outcome = unittest.main(argv=[sys.argv[0], *sys.argv[2:]], exit=False).result
    for _, reason in outcome.skipped:
        print(reason)
    sys.exit(not outcome.wasSuccessful())
