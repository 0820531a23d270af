#!/usr/bin/env python3
"""Every published item at a fiftieth of its size: each must run, and what does not depend on random draws must hold.

short_run.py PROGRAM OUTPUT_FOLDER, from the project's root. Of the numbers that are sampled, a few may be off: their
standard errors come from few groups.
"""

import json
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

SCALE = "0.02"
ROOT = Path.cwd()
OUTPUT = Path(sys.argv.pop())
PROGRAM = Path(sys.argv.pop()).resolve()
# Where the campaigns that read a real log look for it (CONTRIBUTING.md).
DATA = Path(os.environ.get("HOLDFAST_DATA") or ROOT / "../shared/data")


def is_exact(row):
    return "command" in row


class ShortRun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(OUTPUT, ignore_errors=True)
        done = subprocess.run([PROGRAM, "reproduce", "--all", "--scale", SCALE, "--json", "--quiet", "--output", OUTPUT],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode not in (0, 1):
            raise AssertionError(f"exit code {done.returncode}\n{done.stderr}")
        cls.report = json.loads(done.stdout)
        cls.items = {item["id"]: item for item in cls.report["items"]}

    def test_every_item_ran(self):
        listed = subprocess.run([PROGRAM, "reproduce", "--list", "--json"], stdout=subprocess.PIPE, check=True)
        self.assertEqual({item["id"] for item in json.loads(listed.stdout)}, set(self.items))
        folders = {item.parent.name for item in (ROOT / "reproduce").glob("*/item.toml")}
        self.assertLessEqual(folders, set(self.items))
        for name, item in self.items.items():
            if "not_run" not in item:
                continue
            with self.subTest(item=name):
                self.assertFalse(DATA.is_dir(), item["not_run"])
                print(f"{name}: skipped: {item['not_run']}")

    def test_every_number_was_measured(self):
        for name, item in self.items.items():
            for row in item.get("rows", []):
                with self.subTest(item=name, row=row.get("label", row.get("id"))):
                    self.assertIn("measured", row)

    def test_exact_numbers_hold(self):
        exact = 0
        for name, item in self.items.items():
            for row in filter(is_exact, item.get("rows", [])):
                exact += 1
                with self.subTest(item=name, row=row.get("label", row.get("id"))):
                    self.assertIn(row["verdict"], ("within", "out, as known", ""))
        self.assertGreater(exact, 0)

    def test_statements_about_exact_items_hold(self):
        for name, item in self.items.items():
            if not all(is_exact(row) for row in item.get("rows", [])):
                continue
            for statement in item.get("statements", []):
                with self.subTest(item=name, statement=statement["text"]):
                    self.assertIn(statement["verdict"], ("within", "out, as known"))

    def test_nearly_all_sampled_numbers_hold(self):
        judged = [row for item in self.items.values() for row in item.get("rows", [])
                  if not is_exact(row) and row["verdict"] in ("within", "within (noise)", "OUT")]
        out = [row for row in judged if row["verdict"] == "OUT"]
        print(f"{len(judged)} sampled numbers, {len(out)} outside the larger of their tolerance and 4 standard errors")
        self.assertLess(len(out), 0.01 * len(judged), out)


if __name__ == "__main__":
    unittest.main()
