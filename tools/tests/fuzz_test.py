"""tools/fuzz with a program in place of the fuzzer: what survives, what fails, what has no sample."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parent.parent / "fuzz"
# Knows two targets; `bad` fails like a reader that libFuzzer found something in.
PROGRAM = """#!/bin/sh
case "$1" in
  --list) echo good; echo bad ;;
  --target=good) echo "Done 1234 runs in 2 second(s)" >&2 ;;
  *) echo "ERROR: AddressSanitizer: heap-buffer-overflow" >&2; exit 77 ;;
esac
"""


class FuzzTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.program = self.root / "program"
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)
        self.samples = self.root / "samples"
        self.samples.mkdir()
        (self.samples / "good.csv").write_text("1,2\n")
        (self.samples / "good-dates.csv").write_text("1,2\n")
        (self.samples / "bad.csv").write_text("1,2\n")

    def run_tool(self, *arguments):
        return subprocess.run([sys.executable, TOOL, "--program", self.program, "--corpus", self.root / "corpus",
                               "--samples", self.samples, *arguments], capture_output=True, text=True, check=False)

    def test_says_how_many_inputs_a_reader_survived(self):
        done = self.run_tool("good", "--seconds", "20")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1234 inputs in 2 s, 2 seeds", done.stdout)
        self.assertIn("1 passed, 0 failed", done.stdout)
        self.assertEqual(sorted(path.name for path in (self.root / "corpus/good").iterdir()),
                         ["seed-good-dates.csv", "seed-good.csv"])

    def test_a_short_run_leaves_no_corpus(self):
        self.assertEqual(self.run_tool("good").returncode, 0)
        self.assertFalse((self.root / "corpus").exists())

    def test_a_finding_fails_and_is_shown(self):
        done = self.run_tool()
        self.assertEqual(done.returncode, 1)
        self.assertIn("heap-buffer-overflow", done.stdout)
        self.assertIn("1 passed, 1 failed", done.stdout)

    def test_a_reader_without_a_sample_fails(self):
        (self.samples / "bad.csv").unlink()
        self.assertIn("bad              has no sample", self.run_tool().stdout)

    def test_a_reader_that_does_not_exist_is_a_wrong_command_line(self):
        self.assertEqual(self.run_tool("swift").returncode, 2)


if __name__ == "__main__":
    unittest.main()
