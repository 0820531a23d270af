#!/usr/bin/env python3
"""Runs the programs of docs/how-to/results-in-pandas-r-duckdb.md on an export and compares what they print with the page:
results_test.py PROGRAM FOLDER"""

import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import blocks

PAGE = "docs/how-to/results-in-pandas-r-duckdb.md"


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        subprocess.run([PROGRAM, "run", blocks.ROOT / "examples/constant-periods.toml", "--export", "csv", "--quiet"], cwd=FOLDER,
                       check=True, stdout=subprocess.DEVNULL)

    def programs(self, language):
        found = [(text, output) for name, text, output in blocks.fenced(PAGE) if name == language]
        self.assertTrue(found, f"no block of {language}")
        return found

    def check(self, language, command):
        """Runs `command PROGRAM`, the program as a text."""
        outputs = 0
        for text, output in self.programs(language):
            done = subprocess.run([*command, text], cwd=FOLDER, stdin=subprocess.DEVNULL, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            if output is not None:
                outputs += 1
                self.assertEqual(done.stdout.split(), output.split())
            else:
                self.assertTrue(done.stdout)
        self.assertGreater(outputs, 0)

    def test_the_export_is_typed(self):
        lines = (FOLDER / "constant-periods-results/results.csv").read_text().splitlines()
        self.assertEqual(lines[0], "platform_age_s,instance,scenario,strategy,metric,unit,value,completed")
        self.assertEqual({line.split(",")[0] for line in lines[1:]}, {"0", "864000", "2592000", "8640000"})

    @unittest.skipUnless(blocks.python_has("pandas"), "skipped: no pandas (python3-pandas)")
    def test_pandas(self):
        self.check("python", [blocks.PYTHON, "-c"])

    @unittest.skipUnless(shutil.which("Rscript"), "skipped: no R (r-base-core)")
    def test_r(self):
        self.check("r", ["Rscript", "--vanilla", "-e"])

    @unittest.skipUnless(shutil.which("duckdb"), "skipped: no DuckDB, which Debian 12 does not have")
    def test_duckdb(self):
        self.check("sql", ["duckdb", "-noheader", "-list", "-separator", " ", "-c"])


if __name__ == "__main__":
    PROGRAM, FOLDER = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    blocks.main(unittest, sys.argv[3:])
