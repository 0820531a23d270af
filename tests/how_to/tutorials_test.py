#!/usr/bin/env python3
"""What readers of the tutorials type beside the commands that tools/check_pages runs, as they would type it: tutorials_test.py
PROGRAM FOLDER. The C++ of the one for researchers is built by tests/install, and the one on Python is a doctest."""

import json
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import blocks

TUTORIALS = ("docs/tutorials/application-developer.md", "docs/tutorials/operator.md", "docs/tutorials/researcher.md")


class Tutorials(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        (FOLDER / "build/release").mkdir(parents=True)
        (FOLDER / "build/release/bin").symlink_to(PROGRAM.parent)
        (FOLDER / "examples").symlink_to(blocks.ROOT / "examples")

    def shell(self, *scripts):
        """What the scripts print, one after the other in the shell of a reader whose clone is FOLDER."""
        done = subprocess.run(["bash", "-euc", "\n".join(scripts)], cwd=FOLDER, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_the_program_is_on_the_path_after_the_first_command(self):
        for page in TUTORIALS:
            first = next(blocks.indented(page))
            self.assertEqual(self.shell(first, "command -v holdfast").strip(), str(FOLDER / "build/release/bin/holdfast"), page)

    def test_a_job_script_asks_for_its_next_checkpoint(self):
        path, script = blocks.indented(TUTORIALS[0])
        shutil.copy(blocks.ROOT / "examples/logs/cluster-failures.csv", FOLDER / "failures.csv")
        seconds = int(self.shell(path, "left=48h", script, 'echo "$next"'))
        self.assertEqual((seconds // 3600, seconds % 3600 // 60), (4, 10))  # the plan of section 3: 4 h 11 min, rounded

    def test_the_segments_that_the_researcher_computes_are_those_of_the_document(self):
        ((_, program, _),) = [block for block in blocks.fenced(TUTORIALS[2]) if block[0] == "python"]
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        document = json.loads((blocks.ROOT / "examples/data/growing-segments.json").read_text())
        self.assertEqual(json.loads(done.stdout), document["segments"])

    def test_the_researcher_writes_figures_without_a_browser(self):
        command = "holdfast report constant-periods-results --plot figures"
        self.assertIn(f"`{command}`", (blocks.ROOT / TUTORIALS[2]).read_text())
        path = next(blocks.indented(TUTORIALS[2]))
        self.shell(path, "holdfast run examples/constant-periods.toml --scale 0.05 --quiet", command)
        self.assertTrue([name for name in os.listdir(FOLDER / "figures") if name.endswith(".svg")])

    def test_everything_indented_is_known_here_or_in_the_test_of_installations(self):
        """So that a command that is added to a tutorial does not stay unrun."""
        found = [len(list(blocks.indented(page))) for page in TUTORIALS]
        self.assertEqual(found, [2, 1, 2])


if __name__ == "__main__":
    PROGRAM, FOLDER = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    blocks.main(unittest, sys.argv[3:])
